// Plans of cuDNN's graph interface, and their runs with the buffers of a program.
#ifndef TFRT_GPU_KERNELS_DNN_PLANS_H_
#define TFRT_GPU_KERNELS_DNN_PLANS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dnn_values.h"
#include "gpu/libraries/dnn/graph.h"
#include "gpu/libraries/dnn/plan_store.h"
#include "gpu/libraries/dnn/planner.h"
#include "gpu/libraries/dnn/run_plan.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/stream.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Immutable, for any stream of its context.
struct DnnPlan {
  // Lies in memory of the program; numbers of the host are not listed.
  struct Tensor {
    int64_t id;
    uint64_t size_bytes;  // from the first byte to the last
  };
  RCReference<Context> context;
  std::shared_ptr<const dnn::Plan> plan;
  std::vector<Tensor> tensors;  // of memory
};

// Returns the plan of a graph for the device of the handle, which is built only once. Fails with
// the library's error, and with FailedPrecondition for a library that is too old.
StatusOr<DnnPlan> BuildDnnPlan(const DnnHandleValue& handle, const dnn::Graph& graph,
                               const dnn::PlanChoice& choice);

// The memory of one tensor of a run.
struct DnnPlanBuffer {
  std::string_view name;  // for messages
  int64_t id;
  MemoryRange range;
};

// Runs a plan with a buffer for each of its tensors. `op` lives as long as the program.
StatusOr<Chain> RunDnnPlan(std::string_view op, const DnnHandleValue& handle, Stream& stream,
                           const DnnPlan& plan, std::span<const DnnPlanBuffer> buffers,
                           const MemoryRange& workspace, const ExecutionContext& exec_ctx,
                           std::span<const dnn::BoundNumber> numbers = {});

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_DNN_PLANS_H_
