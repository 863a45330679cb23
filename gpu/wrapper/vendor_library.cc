#include "vendor_library.h"

#include <optional>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::internal {

StatusOr<SharedLibrary> OpenFirst(std::span<const char* const> names, const LibrarySearch& search) {
  std::optional<Status> first;
  for (const char* name : names) {
    StatusOr<SharedLibrary> library = SharedLibrary::Open(name, search);
    if (library.ok()) return library;
    if (library.status().code() != StatusCode::kNotFound) return library.status();
    if (!first) first = library.status();
  }
  return *first;
}

Status LoadTable(const VendorFacts& facts, const SharedLibrary& library, void* table,
                 int* version) {
  // A library that is too old lacks functions, too: its age is the better message.
  TFRT_ASSIGN_OR_RETURN(*version, facts.version(library));
  if (*version < facts.min_version) {
    return FailedPreconditionError(
        StrCat(library.path(), " is ", facts.product, " ", facts.version_text(*version), "; ",
               facts.version_text(facts.min_version), " or newer is needed"));
  }
  Status missing = library.FindAll(facts.functions, *version, table);
  if (missing.ok()) return OkStatus();
  return FailedPreconditionError(StrCat(missing.message(), ", which ", facts.product, " ",
                                        facts.version_text(*version), " has"));
}

std::string LibraryErrorText(std::string_view what, std::string_view name, uint32_t number) {
  return name.empty() ? StrCat(what, ": status ", number) : StrCat(what, ": ", name);
}

}  // namespace tfrt::gpu::internal
