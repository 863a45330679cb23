// StrCat(...): concatenates strings, characters and numbers into one std::string, for messages.
#ifndef TFRT_SUPPORT_STR_CAT_H_
#define TFRT_SUPPORT_STR_CAT_H_

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tfrt {

// One argument of StrCat; borrows its text. All calls share one function, which keeps programs
// small: messages are a good part of the code that checks input.
class StrPiece {
 public:
  StrPiece(std::string_view text) : kind_(kText), text_(text) {}    // NOLINT: implicit by design
  StrPiece(const char* text) : StrPiece(std::string_view(text)) {}  // NOLINT
  StrPiece(const std::string& text) : StrPiece(std::string_view(text)) {}  // NOLINT
  StrPiece(char character) : kind_(kCharacter), signed_(character) {}      // NOLINT
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  StrPiece(T number) : kind_(kSigned), signed_(number) {}  // NOLINT
  template <std::unsigned_integral T>
    requires(!std::same_as<T, char>)
  StrPiece(T number) : kind_(kUnsigned), unsigned_(number) {}       // NOLINT
  StrPiece(double number) : kind_(kFloating), floating_(number) {}  // NOLINT

  void AppendTo(std::string* out) const;

 private:
  enum Kind { kText, kCharacter, kSigned, kUnsigned, kFloating } kind_;
  union {
    std::string_view text_;
    int64_t signed_;
    uint64_t unsigned_;
    double floating_;
  };
};

std::string ConcatPieces(std::initializer_list<StrPiece> pieces);

template <typename... Pieces>
std::string StrCat(const Pieces&... pieces) {
  return ConcatPieces({StrPiece(pieces)...});
}

}  // namespace tfrt

#endif  // TFRT_SUPPORT_STR_CAT_H_
