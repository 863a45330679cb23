// The plans that a program asks for, found in its file.
#ifndef TFRT_TOOLS_TFRT_GPU_PLANS_PROGRAM_PLANS_H_
#define TFRT_TOOLS_TFRT_GPU_PLANS_PROGRAM_PLANS_H_

#include <string>
#include <vector>

#include "gpu/kernels/dnn_plan_requests.h"
#include "lib/format/bef/bef_reader.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

struct ProgramPlan {
  std::string where;  // "model.mlir:12:8: tfrt_gpu.dnn.build_convolution"
  // The kernel's error for attributes that do not fit together.
  StatusOr<DnnPlanRequest> request;
};

// Returns one entry for each kernel that builds a plan, in the order of the file.
std::vector<ProgramPlan> PlansOf(const bef::BefView& file);

}  // namespace tfrt::gpu

#endif  // TFRT_TOOLS_TFRT_GPU_PLANS_PROGRAM_PLANS_H_
