#include "library_choice.h"

#include <cstdlib>
#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

StatusOr<LibraryChoice> LibraryChoiceFromEnvironment() {
  const char* value = secure_getenv("TFRT_GPU_LIBRARIES");
  const std::string_view text = value ? value : "";
  if (text.empty()) return LibraryChoice::kWhereFound;
  if (text == "own") return LibraryChoice::kOwn;
  if (text == "vendor") return LibraryChoice::kVendor;
  return InvalidArgumentError(
      StrCat("TFRT_GPU_LIBRARIES is '", text, "', and should be own or vendor"));
}

}  // namespace tfrt::gpu
