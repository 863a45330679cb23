#include "tfrt/support/location.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

std::string DecodedLocation::ToString() const {
  if (is_file_location()) return StrCat(file, ":", line, ":", column);
  return name.empty() ? "<unknown>" : name;
}

}  // namespace tfrt
