// Entry points: graphs and their nodes.
#include <algorithm>
#include <cstdio>

#include "copies.h"
#include "launches.h"

namespace tfrt::gpu::cuda_double {
namespace {

CUresult GetGraph(Call& call, CUgraph handle, std::shared_ptr<Graph>* graph) {
  *graph = call.driver().graphs.Find(handle);
  if (*graph) return CUDA_SUCCESS;
  call.BadHandle("graph", call.driver().graphs.WasRemoved(handle));
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult GetNode(Call& call, CUgraphNode handle, std::shared_ptr<Node>* node) {
  *node = call.driver().nodes.Find(handle);
  if (*node) return CUDA_SUCCESS;
  call.BadHandle("node", call.driver().nodes.WasRemoved(handle));
  return CUDA_ERROR_INVALID_VALUE;
}

// Puts a node with this operation behind nodes of the same graph.
CUresult AddTo(Call& call, CUgraph graph, const CUgraphNode* dependencies, size_t count,
               Context* context, std::shared_ptr<const Operation> operation, CUgraphNode* node) {
  std::shared_ptr<Graph> found;
  if (!node || (count > 0 && !dependencies)) return CUDA_ERROR_INVALID_VALUE;
  TFRT_GPU_RETURN_IF_FAILED(GetGraph(call, graph, &found));
  std::vector<Node*> behind;
  for (size_t i = 0; i < count; ++i) {
    std::shared_ptr<Node> dependency;
    TFRT_GPU_RETURN_IF_FAILED(GetNode(call, dependencies[i], &dependency));
    bool is_double = std::find(behind.begin(), behind.end(), dependency.get()) != behind.end();
    if (dependency->graph != found.get() || is_double) return CUDA_ERROR_INVALID_VALUE;
    behind.push_back(dependency.get());
  }
  auto made = AddNode(call.driver(), *found, context, std::move(operation), std::move(behind));
  call.Note("node=", made->id);
  *node = made->handle;
  return CUDA_SUCCESS;
}

CUresult MakeFill(Call& call, const CUDA_MEMSET_NODE_PARAMS& parameters,
                  std::shared_ptr<MemsetOperation>* operation) {
  unsigned size = parameters.elementSize;
  if ((size != 1 && size != 2 && size != 4) || parameters.dst % size != 0 ||
      parameters.width == 0 || parameters.width > SIZE_MAX / size || parameters.height == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CopyShape shape{.row_bytes = parameters.width * size, .num_rows = parameters.height};
  size_t pitch = parameters.height > 1 ? parameters.pitch : shape.row_bytes;
  if (pitch < shape.row_bytes) return CUDA_ERROR_INVALID_VALUE;
  CopySide side;
  TFRT_GPU_RETURN_IF_FAILED(ResolveSide(call.driver(), Place::kDevice, parameters.dst, pitch,
                                        parameters.height, shape, &side));
  *operation = std::make_shared<MemsetOperation>(call.name(), std::move(side), shape,
                                                 parameters.value, size);
  return CUDA_SUCCESS;
}

LaunchShape ShapeOf(const CUDA_KERNEL_NODE_PARAMS& p) {
  return {p.func,
          {p.gridDimX, p.gridDimY, p.gridDimZ},
          {p.blockDimX, p.blockDimY, p.blockDimZ},
          p.sharedMemBytes};
}

CUresult MakeKernelNode(Call& call, const CUDA_KERNEL_NODE_PARAMS* parameters,
                        std::shared_ptr<KernelOperation>* operation) {
  if (!parameters || !parameters->func) return CUDA_ERROR_INVALID_VALUE;
  return MakeKernelOperation(call, ShapeOf(*parameters), parameters->kernelParams,
                             parameters->extra, operation);
}

// Fills what the caller has room for, and tells the number if it has not asked for more.
template <typename Handle, typename Get>
void GiveList(Handle* list, size_t room, size_t count, Get get) {
  for (size_t i = 0; i < room; ++i) list[i] = i < count ? get(i) : nullptr;
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return Enter(Function::cuGraphCreate, Needs::kDriver, [&](Call& call) -> CUresult {
    if (!graph || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_shared<Graph>();
    *graph = made->handle = call.driver().graphs.Add(made);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphDestroy(CUgraph graph) {
  return Enter(Function::cuGraphDestroy, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Graph> found;
    TFRT_GPU_RETURN_IF_FAILED(GetGraph(call, graph, &found));
    DestroyGraph(call.driver(), *found);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return Enter(Function::cuGraphGetNodes, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Graph> found;
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetGraph(call, graph, &found));
    const auto& all = found->nodes;
    if (nodes) GiveList(nodes, *count, all.size(), [&](size_t i) { return all[i]->handle; });
    *count = nodes ? std::min(*count, all.size()) : all.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return Enter(Function::cuGraphGetEdges, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Graph> found;
    if (!count || !from != !to) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetGraph(call, graph, &found));
    std::vector<std::pair<CUgraphNode, CUgraphNode>> edges;
    for (const auto& node : found->nodes) {
      for (const Node* before : node->dependencies)
        edges.emplace_back(before->handle, node->handle);
    }
    if (from) {
      GiveList(from, *count, edges.size(), [&](size_t i) { return edges[i].first; });
      GiveList(to, *count, edges.size(), [&](size_t i) { return edges[i].second; });
    }
    *count = from ? std::min(*count, edges.size()) : edges.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return Enter(Function::cuGraphNodeGetType, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Node> found;
    if (!type) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetNode(call, node, &found));
    *type = found->operation->type();
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphNodeGetToolsId(CUgraphNode node, unsigned long long* id) {
  return Enter(Function::cuGraphNodeGetToolsId, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Node> found;
    if (!id) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetNode(call, node, &found));
    *id = found->id;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return Enter(Function::cuGraphKernelNodeGetParams_v2, Needs::kDriver,
               [&](Call& call) -> CUresult {
                 std::shared_ptr<Node> found;
                 if (!parameters) return CUDA_ERROR_INVALID_VALUE;
                 TFRT_GPU_RETURN_IF_FAILED(GetNode(call, node, &found));
                 if (found->operation->type() != CU_GRAPH_NODE_TYPE_KERNEL)
                   return CUDA_ERROR_INVALID_VALUE;
                 const auto& kernel = static_cast<const KernelOperation&>(*found->operation);
                 const LaunchShape& shape = kernel.shape();
                 found->parameter_pointers.clear();
                 for (const ptx::Parameter& parameter : kernel.kernel().entry->parameters) {
                   // The vendor's type is not const; callers may not write what they are shown.
                   found->parameter_pointers.push_back(
                       const_cast<std::byte*>(kernel.parameters().data() + parameter.offset));
                 }
                 *parameters = {};
                 parameters->func = shape.function;
                 parameters->gridDimX = shape.grid.x;
                 parameters->gridDimY = shape.grid.y;
                 parameters->gridDimZ = shape.grid.z;
                 parameters->blockDimX = shape.block.x;
                 parameters->blockDimY = shape.block.y;
                 parameters->blockDimZ = shape.block.z;
                 parameters->sharedMemBytes = shape.dynamic_shared_bytes;
                 parameters->kernelParams = found->parameter_pointers.data();
                 return CUDA_SUCCESS;
               });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t num_dependencies,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return Enter(Function::cuGraphAddKernelNode_v2, Needs::kContext, [&](Call& call) -> CUresult {
    std::shared_ptr<KernelOperation> operation;
    TFRT_GPU_RETURN_IF_FAILED(MakeKernelNode(call, parameters, &operation));
    Context* context = operation->kernel().module->context;
    return AddTo(call, graph, dependencies, num_dependencies, context, std::move(operation), node);
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t num_dependencies, const CUDA_MEMCPY3D* copy,
                              CUcontext context) {
  return Enter(Function::cuGraphAddMemcpyNode, Needs::kContext, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    CopySide to, from;
    CopyShape shape;
    if (!copy) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(context, &found));
    TFRT_GPU_RETURN_IF_FAILED(ResolveCopy3D(call, *copy, &to, &from, &shape));
    return AddTo(
        call, graph, dependencies, num_dependencies, found,
        std::make_shared<CopyOperation>(call.name(), std::move(to), std::move(from), shape), node);
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t num_dependencies, const CUDA_MEMSET_NODE_PARAMS* parameters,
                              CUcontext context) {
  return Enter(Function::cuGraphAddMemsetNode, Needs::kContext, [&](Call& call) -> CUresult {
    Context* found = nullptr;
    std::shared_ptr<MemsetOperation> operation;
    if (!parameters) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(context, &found));
    TFRT_GPU_RETURN_IF_FAILED(MakeFill(call, *parameters, &operation));
    return AddTo(call, graph, dependencies, num_dependencies, found, std::move(operation), node);
  });
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t num_dependencies) {
  return Enter(Function::cuGraphAddEmptyNode, Needs::kContext, [&](Call& call) -> CUresult {
    return AddTo(call, graph, dependencies, num_dependencies, call.context(),
                 std::make_shared<MarkOperation>("empty node"), node);
  });
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return Enter(Function::cuGraphDebugDotPrint, Needs::kDriver, [&](Call& call) -> CUresult {
    std::shared_ptr<Graph> found;
    if (!path) return CUDA_ERROR_INVALID_VALUE;
    TFRT_GPU_RETURN_IF_FAILED(GetGraph(call, graph, &found));
    std::FILE* file = std::fopen(path, "w");
    if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
    std::string text = DebugDot(*found, flags);
    bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    written = std::fclose(file) == 0 && written;
    return written ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
