#include "tfrt/support/location.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

std::string DecodedLocation::ToString() const {
  if (is_file_location()) return StrCat(file, ":", line, ":", column);
  return name.empty() ? "<unknown>" : name;
}

namespace internal {

constexpr SourceLocations kSourceLocations{};
constinit std::atomic<void (*)(const LocationHandler&)> forget_locations{nullptr};

DecodedLocation SourceLocations::DecodeLocation(uint64_t data) const {
  DecodedLocation decoded;
#ifdef __cpp_lib_source_location
  static_assert(sizeof(std::source_location) == sizeof(uint64_t));
  auto where = std::bit_cast<std::source_location>(data);
  decoded.file = where.file_name();
  decoded.line = where.line();
  decoded.column = where.column();
#endif
  return decoded;
}

}  // namespace internal

}  // namespace tfrt
