// Modules: libraries that belong to tfrt and are loaded when something first needs them.
#ifndef TFRT_SUPPORT_OPEN_MODULE_H_
#define TFRT_SUPPORT_OPEN_MODULE_H_

#include <string>

#include "tfrt/support/status.h"

namespace tfrt {

// Opens "tfrt_gpu.so" from the folder that the environment variable TFRT_MODULE_PATH names (which a
// program that has more rights than its user does not look at), else from the folder of the
// executable, ../lib or ../lib/tfrt beside it, else from that of the library that has this code,
// else from where the system's loader looks. The loader's handle, for dlsym; open until the process
// ends. Unavailable "cannot load the module X: REASON".
StatusOr<void*> OpenModule(const std::string& file_name);

// The path of the file that OpenModule would take from the folders that it looks into by itself;
// empty if none of them has it.
std::string FindModule(const std::string& file_name);

}  // namespace tfrt

#endif  // TFRT_SUPPORT_OPEN_MODULE_H_
