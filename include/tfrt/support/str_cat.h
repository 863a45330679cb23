// StrCat(...): concatenates strings, characters and numbers into one std::string, for messages.
#ifndef TFRT_SUPPORT_STR_CAT_H_
#define TFRT_SUPPORT_STR_CAT_H_

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace tfrt {
namespace internal {
inline void AppendPiece(std::string& out, std::string_view piece) { out += piece; }
inline void AppendPiece(std::string& out, char piece) { out += piece; }
template <typename T>
  requires(std::is_arithmetic_v<T> && !std::same_as<T, char>)
void AppendPiece(std::string& out, T piece) {
  out += std::to_string(piece);
}
}  // namespace internal

template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  std::string out;
  (internal::AppendPiece(out, pieces), ...);
  return out;
}

}  // namespace tfrt

#endif  // TFRT_SUPPORT_STR_CAT_H_
