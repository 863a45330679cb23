#include "shared_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using Folder = LibrarySearch::Folder;

constexpr char kPathVariable[] = "TFRT_GPU_LIBRARY_PATH";
constexpr char kHomeVariable[] = "CUDA_HOME";

std::string_view EnvironmentVariable(const char* name) {
  const char* value = secure_getenv(name);
  return value ? value : "";
}

// NODELETE: a library that its vendor's own code closes stays, too.
constexpr int kOpenFlags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

// The loader knows where a library came from that it has found by itself.
std::string PathOf(void* handle, std::string_view name) {
  struct link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !*map->l_name) return std::string(name);
  return map->l_name;
}

// Returns dlopen's message without the name of the library in front of it.
std::string LoaderError(std::string_view path) {
  const char* error = dlerror();
  std::string_view text = error ? error : "unknown error";
  if (text.starts_with(path) && text.substr(path.size()).starts_with(": ")) {
    text.remove_prefix(path.size() + 2);
  }
  return std::string(text);
}

// The folders of AddLibraryFolders.
struct ProcessFolders {
  std::mutex mutex;
  std::vector<std::string> folders;  // under mutex
};
ProcessFolders& TheProcessFolders() {
  static auto& folders = *new ProcessFolders;  // leaked: calls may come while the process exits
  return folders;
}

}  // namespace

void AddLibraryFolders(std::span<const std::string> folders) {
  ProcessFolders& process = TheProcessFolders();
  std::lock_guard lock(process.mutex);
  for (const std::string& folder : folders) {
    if (std::ranges::find(process.folders, folder) == process.folders.end()) {
      process.folders.push_back(folder);
    }
  }
}

std::vector<std::string> PackageFolders(std::string_view file) {
  const size_t folder_end = file.rfind('/');
  if (folder_end == file.npos) return {};
  const std::string packages = StrCat(file.substr(0, folder_end), "/../nvidia/");
  std::vector<std::string> folders;
  // "cu13" holds all libraries of CUDA 13, "cublas" one of an earlier CUDA.
  for (const char* pattern : {"cu1[0-9]/lib", "[!.]*/lib"}) {
    glob_t found = {};
    if (glob((packages + pattern).c_str(), 0, nullptr, &found) == 0) {
      for (size_t i = 0; i < found.gl_pathc; ++i) {
        if (std::ranges::find(folders, found.gl_pathv[i]) == folders.end()) {
          folders.emplace_back(found.gl_pathv[i]);
        }
      }
    }
    globfree(&found);
  }
  return folders;
}

LibrarySearch LibrarySearch::ForLibraries() {
  ProcessFolders& process = TheProcessFolders();
  std::vector<std::string> folders;
  {
    std::lock_guard lock(process.mutex);
    folders = process.folders;
  }
  LibrarySearch search = FromEnvironment(std::move(folders));
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&AddLibraryFolders), &self) != 0 && self.dli_fname) {
    for (std::string& folder : PackageFolders(self.dli_fname)) {
      search.after_loader.push_back({std::move(folder), "the vendor's packages"});
    }
  }
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"}) {
    search.after_loader.push_back({folder, "where toolkits are"});
  }
  return search;
}

LibrarySearch LibrarySearch::FromEnvironment(std::vector<std::string> more_folders) {
  LibrarySearch search;
  std::string_view folders = EnvironmentVariable(kPathVariable);
  while (!folders.empty()) {
    std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    if (!folder.empty()) search.before_loader.push_back({std::string(folder), kPathVariable});
  }
  if (std::string_view home = EnvironmentVariable(kHomeVariable); !home.empty()) {
    search.after_loader.push_back({StrCat(home, "/lib64"), kHomeVariable});
    search.after_loader.push_back({StrCat(home, "/lib"), kHomeVariable});
  }
  for (std::string& folder : more_folders) {
    search.after_loader.push_back({std::move(folder), "named by the program"});
  }
  return search;
}

StatusOr<SharedLibrary> SharedLibrary::Open(std::string_view name, const LibrarySearch& search) {
  std::string reasons;
  void* handle = nullptr;
  std::string path;
  // False if there is no such file. An error if there is, and it is no library.
  auto try_folder = [&](const Folder& folder) -> StatusOr<bool> {
    path = StrCat(folder.path, "/", name);
    if (access(path.c_str(), F_OK) != 0) {
      reasons += StrCat("; ", folder.path, " (", folder.named_by, "): no such file");
      return false;
    }
    handle = dlopen(path.c_str(), kOpenFlags);
    if (handle) return true;
    return FailedPreconditionError(StrCat(name, " cannot be loaded from ", folder.path, " (",
                                          folder.named_by, "): ", LoaderError(path)));
  };
  for (const Folder& folder : search.before_loader) {
    TFRT_ASSIGN_OR_RETURN(bool found, try_folder(folder));
    if (found) return SharedLibrary(handle, std::move(path));
  }
  if (search.loader) {
    std::string soname(name);
    handle = dlopen(soname.c_str(), kOpenFlags);
    if (handle) return SharedLibrary(handle, PathOf(handle, name));
    reasons += StrCat("; the loader's folders: ", LoaderError(soname));
  }
  for (const Folder& folder : search.after_loader) {
    TFRT_ASSIGN_OR_RETURN(bool found, try_folder(folder));
    if (found) return SharedLibrary(handle, std::move(path));
  }
  return NotFoundError(
      StrCat(name, " cannot be loaded", reasons.empty() ? "; no place to search" : reasons));
}

void* SharedLibrary::Find(const char* name) const { return dlsym(handle_, name); }

Status SharedLibrary::FindAll(std::span<const FunctionInfo> functions, int version,
                              void* table) const {
  std::string missing;
  for (size_t i = 0; i < functions.size(); ++i) {
    const FunctionInfo& function = functions[i];
    void* address = function.since <= version ? Find(function.name) : nullptr;
    if (!address && function.required)
      missing += StrCat(missing.empty() ? "" : ", ", function.name);
    std::memcpy(static_cast<std::byte*>(table) + i * sizeof(address), &address, sizeof(address));
  }
  if (missing.empty()) return OkStatus();
  return FailedPreconditionError(StrCat(path_, " lacks ", missing));
}

}  // namespace tfrt::gpu
