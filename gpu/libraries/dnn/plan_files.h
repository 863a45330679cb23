// Files of plans: those of earlier processes, or made ahead (tools/tfrt_gpu_plans).
#ifndef TFRT_GPU_LIBRARIES_DNN_PLAN_FILES_H_
#define TFRT_GPU_LIBRARIES_DNN_PLAN_FILES_H_

#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// Returns the path of the plan with this key in the folder: "FOLDER/0123456789abcdef....plan". Keys
// are texts of any length; the file repeats its key.
std::string PlanPath(std::string_view folder, std::string_view key);

// Returns the plan's text.
//
//   NotFound            there is no such file
//   PermissionDenied    it belongs to another user, or others may write it: a plan is code
//   DataLoss            it is damaged, or of another version or key
//   Internal            the system's reason why it cannot be read
StatusOr<std::string> ReadPlanFile(const std::string& path, std::string_view key);

// Writes the file completely or not at all, and makes the folder if it is missing. Only this user
// may read and write them. The file replaces what has its name, be it a link, a pipe or the file of
// another user. Processes may write and read at once.
//
//   PermissionDenied    the folder belongs to another user, or others may write it
//   Internal            the system's reason why the file cannot be written
Status WritePlanFile(const std::string& path, std::string_view key, std::string_view plan);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_PLAN_FILES_H_
