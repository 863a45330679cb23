// Libraries of GPU vendors behind tables of their functions: opened at the first use, and checked.
#ifndef TFRT_GPU_WRAPPER_VENDOR_LIBRARY_H_
#define TFRT_GPU_WRAPPER_VENDOR_LIBRARY_H_

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/function_info.h"
#include "shared_library.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Facts of one library. A table of functions names those of its library with a function that is
// found by its argument: `const VendorFacts& FactsOf(const Table*)`, in the namespace of the table.
struct VendorFacts {
  std::string_view product;  // "cuBLAS"
  // Names of the library's file, first to last: "libcublas.so.13". The first one that is found is
  // opened. A newer one comes before an older one.
  std::span<const char* const> names;
  std::span<const FunctionInfo> functions;  // in the order of the table
  int min_version;                          // as the library counts
  // Returns the version of an opened library. Functions are looked up with SharedLibrary::Find.
  StatusOr<int> (*version)(const SharedLibrary& library);
  std::string (*version_text)(int version);  // "12.0.1" of 120001
};

namespace internal {
// Opens the first library of these names that the search finds. One that is found and cannot be
// loaded ends the search.
StatusOr<SharedLibrary> OpenFirst(std::span<const char* const> names, const LibrarySearch& search);
// Checks the version of an opened library, and fills its table.
Status LoadTable(const VendorFacts& facts, const SharedLibrary& library, void* table, int* version);
// Returns "WHAT: NAME", with `number` for a code without a name.
std::string LibraryErrorText(std::string_view what, std::string_view name, uint32_t number);
}  // namespace internal

// Thread-safe. A library that has been opened is never closed, and neither it nor its table is
// destroyed: calls may still come while the process exits.
template <typename Table>
class VendorLibrary {
 public:
  // Returns the library of this process, opened by the first call that finds one, and the same ever
  // after. Until one is found each call searches again, in LibrarySearch::ForLibraries().
  //
  //   NotFound             none in any of the places, which are named
  //   FailedPrecondition   it cannot be loaded, is too old, or lacks functions
  static StatusOr<const VendorLibrary*> Get() {
    static std::mutex mutex;
    static const VendorLibrary* library = nullptr;  // under mutex; leaked
    std::lock_guard lock(mutex);
    if (!library) {
      TFRT_ASSIGN_OR_RETURN(library, Open(LibrarySearch::ForLibraries()));
    }
    return library;
  }

  // As above, but found as `search` says. The same file gives the same library.
  static StatusOr<const VendorLibrary*> Open(const LibrarySearch& search) {
    const VendorFacts& facts = FactsOf(static_cast<const Table*>(nullptr));
    TFRT_ASSIGN_OR_RETURN(SharedLibrary opened, internal::OpenFirst(facts.names, search));
    static std::mutex mutex;
    static auto& libraries = *new std::vector<const VendorLibrary*>;  // under mutex; leaked
    std::lock_guard lock(mutex);
    for (const VendorLibrary* library : libraries) {
      if (library->path() == opened.path()) return library;
    }
    Table table;
    int version = 0;
    TFRT_RETURN_IF_ERROR(internal::LoadTable(facts, opened, &table, &version));
    libraries.push_back(new VendorLibrary(table, version, opened.path()));
    return libraries.back();
  }

  // One that is there already, with a version as the library counts. `path` is for messages.
  VendorLibrary(Table table, int version, std::string path)
      : table_(table), version_(version), path_(std::move(path)) {}
  VendorLibrary(const VendorLibrary&) = delete;
  VendorLibrary& operator=(const VendorLibrary&) = delete;

  // Pointers to functions that came after the version, or are not required, may be null.
  const Table& table() const { return table_; }
  int version() const { return version_; }
  const std::string& path() const { return path_; }

 private:
  const Table table_;
  const int version_;
  const std::string path_;
};

// Returns OK, or an error "WHAT: CUBLAS_STATUS_NAME" of a code for which ResultName and CodeOf are
// found by its type. Zero is success. The text `what` names the function, and its purpose as far as
// that helps. It is used only if there is an error.
template <typename Result>
Status LibraryStatus(Result result, std::string_view what) {
  if (static_cast<uint32_t>(result) == 0) [[likely]]
    return OkStatus();
  return Status(CodeOf(result), internal::LibraryErrorText(what, ResultName(result),
                                                           static_cast<uint32_t>(result)));
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_WRAPPER_VENDOR_LIBRARY_H_
