// Entry points: graphs that can be launched.
#include "capture.h"
#include "launches.h"

namespace tfrt::gpu::cuda_double {
namespace {

constexpr unsigned long long kInstantiateFlags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

CUresult GetExec(Call& call, CUgraphExec handle, std::shared_ptr<GraphExec>* exec) {
  *exec = call.driver().execs.Find(handle);
  if (!*exec) {
    call.BadHandle("executable graph", call.driver().execs.WasRemoved(handle));
    return CUDA_ERROR_INVALID_VALUE;
  }
  return (*exec)->context->failure();
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return Enter(Function::cuGraphInstantiateWithFlags, Needs::kContext, [&](Call& call) -> CUresult {
    Driver& driver = call.driver();
    if (!exec || (flags & ~kInstantiateFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::shared_ptr<Graph>& found = driver.graphs.Find(graph);
    if (!found) {
      call.BadHandle("graph", driver.graphs.WasRemoved(graph));
      return CUDA_ERROR_INVALID_VALUE;
    }
    *exec = driver.execs.Add(Instantiate(driver, *found, call.context()));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return Enter(Function::cuGraphUpload, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<GraphExec> found;
    std::shared_ptr<Stream> behind;
    TFRT_GPU_RETURN_IF_FAILED(GetExec(call, exec, &found));
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &behind));
    return behind->capture ? RefuseCaptured(*behind) : CUDA_SUCCESS;
  });
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return Enter(Function::cuGraphLaunch, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<GraphExec> found;
    std::shared_ptr<Stream> in;
    TFRT_GPU_RETURN_IF_FAILED(GetExec(call, exec, &found));
    TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &in));
    TFRT_GPU_RETURN_IF_FAILED(CheckImplicitStream(call, *in));
    // A node that is a graph: out of the double's scope.
    if (in->capture) return RefuseCaptured(*in);
    if (!call.is_null_mode()) LaunchGraph(call.driver(), call.lock(), *found, *in);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result) {
  return Enter(Function::cuGraphExecUpdate_v2, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<GraphExec> found;
    if (!result) return CUDA_ERROR_INVALID_VALUE;
    *result = {CU_GRAPH_EXEC_UPDATE_ERROR, nullptr, nullptr};
    TFRT_GPU_RETURN_IF_FAILED(GetExec(call, exec, &found));
    const std::shared_ptr<Graph>& from = call.driver().graphs.Find(graph);
    if (!from) {
      call.BadHandle("graph", call.driver().graphs.WasRemoved(graph));
      return CUDA_ERROR_INVALID_VALUE;
    }
    *result = UpdateExec(*found, *from);
    return result->result == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS
                                                          : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return Enter(
      Function::cuGraphExecKernelNodeSetParams_v2, Needs::kContext, [&](Call& call) -> CUresult {
        std::shared_ptr<GraphExec> found;
        if (!parameters) return CUDA_ERROR_INVALID_VALUE;
        TFRT_GPU_RETURN_IF_FAILED(GetExec(call, exec, &found));
        for (GraphExec::ExecNode& target : found->nodes) {
          if (target.original != node || target.operation->type() != CU_GRAPH_NODE_TYPE_KERNEL) {
            continue;
          }
          const auto& old = static_cast<const KernelOperation&>(*target.operation);
          LaunchShape shape{parameters->func,
                            {parameters->gridDimX, parameters->gridDimY, parameters->gridDimZ},
                            {parameters->blockDimX, parameters->blockDimY, parameters->blockDimZ},
                            parameters->sharedMemBytes,
                            old.shape().cooperative};
          std::shared_ptr<KernelOperation> operation;
          TFRT_GPU_RETURN_IF_FAILED(MakeKernelOperation(call, shape, parameters->kernelParams,
                                                        parameters->extra, &operation));
          if (CompareOperations(old, *operation) != CU_GRAPH_EXEC_UPDATE_SUCCESS) {
            return CUDA_ERROR_INVALID_VALUE;
          }
          target.operation = std::move(operation);
          return CUDA_SUCCESS;
        }
        return CUDA_ERROR_INVALID_VALUE;
      });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return Enter(Function::cuGraphExecDestroy, Needs::kDriver, [&](Call& call) -> CUresult {
    if (!call.driver().execs.Find(exec)) {
      call.BadHandle("executable graph", call.driver().execs.WasRemoved(exec));
      return CUDA_ERROR_INVALID_VALUE;
    }
    // A launch that is enqueued goes on: its commands hold what they need.
    call.driver().execs.Remove(exec);
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
