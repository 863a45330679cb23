#include "open_module.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The folder of the running executable, with a slash; empty if the system does not tell.
std::string ExecutableFolder() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  if (length <= 0 || length == sizeof(path)) return {};
  std::string_view text(path, static_cast<size_t>(length));
  return std::string(text.substr(0, text.rfind('/') + 1));
}

// That of the file that has this code: of the executable, or of a library of a program in another
// language. Empty if the loader knows it by a relative path: that begins at the folder in which the
// program was started, which nobody knows any more when it has changed its folder, and from
// wherever it is now no code is to come.
std::string OwnFolder() {
  Dl_info info;
  static const char here = 0;
  if (!dladdr(&here, &info) || !info.dli_fname || info.dli_fname[0] != '/') return {};
  std::string_view text(info.dli_fname);
  return std::string(text.substr(0, text.rfind('/') + 1));
}

std::vector<std::string> Candidates(const std::string& file_name) {
  // secure: who runs a program with more rights than his own does not choose its code.
  if (const char* folder = secure_getenv("TFRT_MODULE_PATH"); folder && *folder) {
    return {StrCat(folder, "/", file_name)};
  }
  std::vector<std::string> candidates;
  if (std::string folder = ExecutableFolder(); !folder.empty()) {
    candidates = {folder + file_name, StrCat(folder, "../lib/", file_name),
                  StrCat(folder, "../lib/tfrt/", file_name)};
  }
  if (std::string folder = OwnFolder(); !folder.empty()) candidates.push_back(folder + file_name);
  candidates.push_back(file_name);
  return candidates;
}

}  // namespace

std::string FindModule(const std::string& file_name) {
  for (std::string& path : Candidates(file_name)) {
    if (path.find('/') != path.npos && access(path.c_str(), R_OK) == 0) return std::move(path);
  }
  return {};
}

StatusOr<void*> OpenModule(const std::string& file_name) {
  std::string reason;
  for (const std::string& path : Candidates(file_name)) {
    // A file that is there but cannot be loaded says more than one that is not.
    bool is_path = path.find('/') != path.npos;
    if (is_path && access(path.c_str(), R_OK) != 0 && !reason.empty()) continue;
    if (void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return module;
    const char* error = dlerror();
    if (reason.empty() || (is_path && access(path.c_str(), R_OK) == 0)) reason = error;
  }
  return UnavailableError(StrCat("cannot load the module ", file_name, ": ", reason));
}

}  // namespace tfrt
