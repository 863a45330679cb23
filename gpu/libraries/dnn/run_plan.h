// Runs of plans in streams.
#ifndef TFRT_GPU_LIBRARIES_DNN_RUN_PLAN_H_
#define TFRT_GPU_LIBRARIES_DNN_RUN_PLAN_H_

#include <cstdint>
#include <span>

#include "gpu/runtime/memory.h"
#include "gpu/runtime/point.h"
#include "gpu/runtime/stream.h"
#include "planner.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// The memory of a graph's tensor in one run.
struct BoundTensor {
  int64_t id;
  MemoryRange range;
};
// The value of a tensor that is a number of the host.
struct BoundNumber {
  int64_t id;
  const float* number;
};

// Enqueues a run of a plan for the stream's device, with the memory of each of its tensors. The
// workspace has at least `workspace_bytes` of the plan. InvalidArgument if it is smaller; otherwise
// fails as CallLibrary does. Must be called under no lock.
StatusOr<Point> RunPlan(Stream& stream, const BuiltPlan& plan, std::span<const BoundTensor> tensors,
                        std::span<const BoundNumber> numbers, const MemoryRange& workspace);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_RUN_PLAN_H_
