// CUPTI, the vendor's profiling library: opened, checked and ready to be called.
#ifndef TFRT_GPU_WRAPPER_CUPTI_H_
#define TFRT_GPU_WRAPPER_CUPTI_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/cupti_table.h"
#include "shared_library.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::cupti {

// Thread-safe. Never closed and never destroyed, as cuda::Driver.
class Library {
 public:
  // Returns the library of this process: libcupti.so.13, or .12. It is searched like the driver
  // (LibrarySearch), then in the folders of toolkits. These are extras/CUPTI/lib64 of CUDA_HOME and
  // of /usr/local/cuda, then lib64 and lib of the latter. The first call that finds a library opens
  // it.
  //
  //   NotFound             none in any of the places, which are named
  //   FailedPrecondition   it cannot be loaded, is older than kMinCuptiVersion, or lacks functions
  static StatusOr<const Library*> Get();
  // As above, but found as `search` says. The same file gives the same library.
  static StatusOr<const Library*> Open(const LibrarySearch& search);

  // One that is there already; `path` is for messages.
  Library(Table table, int version, std::string path)
      : table_(table), version_(version), path_(std::move(path)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Table& table() const { return table_; }
  // kMinCuptiVersion says how versions count.
  int version() const { return version_; }
  const std::string& path() const { return path_; }
  // Returns those of kRangeFunctions that it lacks.
  const std::vector<std::string>& missing_range_functions() const { return missing_; }

 private:
  friend StatusOr<const Library*> OpenLibrary(const SharedLibrary& library);

  const Table table_;
  const int version_;
  const std::string path_;
  std::vector<std::string> missing_;
};

// "CUDA 13.0" of 130001, "CUDA 12.8" of 26, "API 5" of what is too old to be known.
std::string VersionText(int version);

// OK, or an error "WHAT: CUPTI_ERROR_NAME (what the library says of it)".
Status StatusOf(const Table& table, CUptiResult result, std::string_view what);
// The code that an error has as a Status; kUnknown if it is newer than our table.
StatusCode CodeOf(CUptiResult result);
// Returns a user's remedy for an error that keeps a profiler from collecting. It is a sentence
// without a full stop; empty if no remedy is known.
std::string_view RemedyOf(CUptiResult result);

}  // namespace tfrt::gpu::cupti

#endif  // TFRT_GPU_WRAPPER_CUPTI_H_
