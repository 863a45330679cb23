// Modules: libraries that belong to tfrt and are loaded when first needed.
#ifndef TFRT_LIB_BASE_SUPPORT_OPEN_MODULE_H_
#define TFRT_LIB_BASE_SUPPORT_OPEN_MODULE_H_

#include <string>

#include "tfrt/support/status.h"

namespace tfrt {

// Opens a module, for example "tfrt_gpu.so", and returns the loader's handle, for dlsym. The handle
// stays open until the process ends. Fails with Unavailable "cannot load the module X: REASON".
//
// If the environment variable TFRT_MODULE_PATH names a folder, only that folder is searched. The
// variable is ignored in a program that has more rights than its user. Otherwise it searches the
// folder of the executable, then ../lib and ../lib/tfrt beside it. After these come the folder of
// the library that contains this code, and the places of the system's loader.
StatusOr<void*> OpenModule(const std::string& file_name);

// Returns the path of the file that OpenModule would take, or an empty string if none of the
// folders has it. The places of the system's loader are not searched.
std::string FindModule(const std::string& file_name);

}  // namespace tfrt

#endif  // TFRT_LIB_BASE_SUPPORT_OPEN_MODULE_H_
