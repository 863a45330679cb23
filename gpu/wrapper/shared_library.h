// Libraries of GPU vendors: where they are searched, and what is said when they are not there.
#ifndef TFRT_GPU_WRAPPER_SHARED_LIBRARY_H_
#define TFRT_GPU_WRAPPER_SHARED_LIBRARY_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/abi/function_info.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// The places where libraries are looked for, first to last.
struct LibrarySearch {
  // Returns the folders to search, in order. First come the folders of the environment variable
  // TFRT_GPU_LIBRARY_PATH, with colons between them, then the loader's own search path. After that
  // come lib64 and lib of CUDA_HOME. The last are `more_folders`, given by the program that embeds
  // the runtime, for example where a package manager has put the libraries. A program that runs
  // with more rights than its user ignores the environment.
  static LibrarySearch FromEnvironment(std::vector<std::string> more_folders = {});
  // Returns the places of FromEnvironment for libraries other than the driver. More of them are the
  // folders of AddLibraryFolders, packages of the vendor beside this program's (PackageFolders),
  // and lib64 and lib of /usr/local/cuda.
  static LibrarySearch ForLibraries();

  struct Folder {
    std::string path;
    std::string named_by;  // for messages: "TFRT_GPU_LIBRARY_PATH"
  };
  std::vector<Folder> before_loader;
  bool loader = true;
  std::vector<Folder> after_loader;
};

// Adds folders in which this process looks for vendors' libraries, for example those of packages of
// a language. Folders that are known already are not added again. Thread-safe. Libraries that are
// open stay as they are.
void AddLibraryFolders(std::span<const std::string> folders);

// Returns the folders of libraries in the vendor's Python packages: nvidia/NAME/lib beside the
// folder of the package whose library `file` is. Packages of a whole CUDA version (cu13) come
// first.
std::vector<std::string> PackageFolders(std::string_view file);

// A library that was opened. It stays open until the process ends, as do the addresses of its
// functions. Vendors' libraries start threads, and calls may still come while the process exits.
// Thread-safe.
class SharedLibrary {
 public:
  // The first library of this name, a soname such as "libcuda.so.1", that the search finds. A file
  // that a named folder has and that cannot be loaded ends the search: what is behind it is not
  // what was asked for. NotFound with all places and reasons.
  static StatusOr<SharedLibrary> Open(std::string_view name, const LibrarySearch& search);

  // The path of the file, for messages.
  const std::string& path() const { return path_; }
  // Null if there is no such name.
  void* Find(const char* name) const;
  // Writes the addresses of `functions` to the consecutive function pointers at `table`. Functions
  // that a library of this `version` does not have, or omits although it could have them, are null.
  // FailedPrecondition with all names if required ones are missing.
  Status FindAll(std::span<const FunctionInfo> functions, int version, void* table) const;

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}

  void* handle_;
  std::string path_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_WRAPPER_SHARED_LIBRARY_H_
