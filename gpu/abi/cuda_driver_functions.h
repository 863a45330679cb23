// The functions of the CUDA driver that we call, as lists for the preprocessor.
//
// The functions are declared here and not taken from the vendor, because building must need none of
// its files. At run time the names are looked up one by one, with suffixes that the vendor's header
// hides in macros. A test compares all of it with that header and with the names that its library
// exports, where they are found.
//
// Each entry is X(result, name, since, parameters, arguments). These are a function, the first
// driver that has it (1000 * major + 10 * minor), and its parameters. The parameters are in
// parentheses, with types and without. A `since` up to kMinDriverVersion means that no driver may
// lack it. A later function is null in the table of an older driver, and its caller has another
// way. The same lists make the table that the loader fills and the declarations that a library
// exporting them must match.
#ifndef TFRT_GPU_ABI_CUDA_DRIVER_FUNCTIONS_H_
#define TFRT_GPU_ABI_CUDA_DRIVER_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "cuda_result.h"
#include "cuda_types.h"

// clang-format off
#define TFRT_CUDA_DRIVER_DEVICE_FUNCTIONS(X) \
  X(CUresult, cuInit, 2000, (unsigned flags), (flags)) \
  X(CUresult, cuDriverGetVersion, 2020, (int* version), (version)) \
  X(CUresult, cuGetErrorName, 6000, (CUresult result, const char** name), (result, name)) \
  X(CUresult, cuGetErrorString, 6000, (CUresult result, const char** text), (result, text)) \
  X(CUresult, cuDeviceGetCount, 2000, (int* count), (count)) \
  X(CUresult, cuDeviceGet, 2000, (CUdevice* device, int ordinal), (device, ordinal)) \
  X(CUresult, cuDeviceGetName, 2000, (char* name, int size_bytes, CUdevice device), \
    (name, size_bytes, device)) \
  X(CUresult, cuDeviceGetUuid_v2, 11040, (CUuuid* uuid, CUdevice device), (uuid, device)) \
  X(CUresult, cuDeviceTotalMem_v2, 3020, (size_t* size_bytes, CUdevice device), \
    (size_bytes, device)) \
  X(CUresult, cuDeviceGetAttribute, 2000, \
    (int* value, CUdevice_attribute attribute, CUdevice device), (value, attribute, device)) \
  X(CUresult, cuDeviceCanAccessPeer, 4000, (int* can_access, CUdevice device, CUdevice peer), \
    (can_access, device, peer)) \
  X(CUresult, cuDeviceGetDefaultMemPool, 11020, (CUmemoryPool* pool, CUdevice device), \
    (pool, device))

#define TFRT_CUDA_DRIVER_CONTEXT_FUNCTIONS(X) \
  X(CUresult, cuDevicePrimaryCtxRetain, 7000, (CUcontext* context, CUdevice device), \
    (context, device)) \
  X(CUresult, cuDevicePrimaryCtxRelease_v2, 11000, (CUdevice device), (device)) \
  X(CUresult, cuDevicePrimaryCtxGetState, 7000, (CUdevice device, unsigned* flags, int* active), \
    (device, flags, active)) \
  X(CUresult, cuDevicePrimaryCtxSetFlags_v2, 11000, (CUdevice device, unsigned flags), \
    (device, flags)) \
  X(CUresult, cuCtxCreate_v2, 3020, (CUcontext* context, unsigned flags, CUdevice device), \
    (context, flags, device)) \
  X(CUresult, cuCtxDestroy_v2, 4000, (CUcontext context), (context)) \
  X(CUresult, cuCtxGetCurrent, 4000, (CUcontext* context), (context)) \
  X(CUresult, cuCtxSetCurrent, 4000, (CUcontext context), (context)) \
  X(CUresult, cuCtxPushCurrent_v2, 4000, (CUcontext context), (context)) \
  X(CUresult, cuCtxPopCurrent_v2, 4000, (CUcontext* context), (context)) \
  X(CUresult, cuCtxGetDevice, 2000, (CUdevice* device), (device)) \
  X(CUresult, cuCtxSynchronize, 2000, (), ()) \
  X(CUresult, cuCtxGetStreamPriorityRange, 5050, (int* least, int* greatest), (least, greatest)) \
  X(CUresult, cuCtxEnablePeerAccess, 4000, (CUcontext peer, unsigned flags), (peer, flags))

#define TFRT_CUDA_DRIVER_STREAM_FUNCTIONS(X) \
  X(CUresult, cuStreamCreateWithPriority, 5050, \
    (CUstream* stream, unsigned flags, int priority), (stream, flags, priority)) \
  X(CUresult, cuStreamDestroy_v2, 4000, (CUstream stream), (stream)) \
  X(CUresult, cuStreamGetCtx, 9020, (CUstream stream, CUcontext* context), (stream, context)) \
  X(CUresult, cuStreamGetFlags, 5050, (CUstream stream, unsigned* flags), (stream, flags)) \
  X(CUresult, cuStreamQuery, 2000, (CUstream stream), (stream)) \
  X(CUresult, cuStreamSynchronize, 2000, (CUstream stream), (stream)) \
  X(CUresult, cuStreamWaitEvent, 3020, (CUstream stream, CUevent event, unsigned flags), \
    (stream, event, flags)) \
  X(CUresult, cuLaunchHostFunc, 10000, (CUstream stream, CUhostFn function, void* user_data), \
    (stream, function, user_data)) \
  X(CUresult, cuEventCreate, 2000, (CUevent* event, unsigned flags), (event, flags)) \
  X(CUresult, cuEventDestroy_v2, 4000, (CUevent event), (event)) \
  X(CUresult, cuEventRecord, 2000, (CUevent event, CUstream stream), (event, stream)) \
  X(CUresult, cuEventQuery, 2000, (CUevent event), (event)) \
  X(CUresult, cuEventSynchronize, 2000, (CUevent event), (event)) \
  X(CUresult, cuEventElapsedTime, 2000, (float* milliseconds, CUevent start, CUevent end), \
    (milliseconds, start, end))

#define TFRT_CUDA_DRIVER_MEMORY_FUNCTIONS(X) \
  X(CUresult, cuMemAlloc_v2, 3020, (CUdeviceptr* address, size_t size_bytes), \
    (address, size_bytes)) \
  X(CUresult, cuMemFree_v2, 3020, (CUdeviceptr address), (address)) \
  X(CUresult, cuMemGetInfo_v2, 3020, (size_t* free_bytes, size_t* total_bytes), \
    (free_bytes, total_bytes)) \
  X(CUresult, cuMemGetAddressRange_v2, 3020, \
    (CUdeviceptr* begin, size_t* size_bytes, CUdeviceptr address), (begin, size_bytes, address)) \
  X(CUresult, cuMemAllocFromPoolAsync, 11020, \
    (CUdeviceptr* address, size_t size_bytes, CUmemoryPool pool, CUstream stream), \
    (address, size_bytes, pool, stream)) \
  X(CUresult, cuMemAllocAsync, 11020, \
    (CUdeviceptr* address, size_t size_bytes, CUstream stream), (address, size_bytes, stream)) \
  X(CUresult, cuMemFreeAsync, 11020, (CUdeviceptr address, CUstream stream), (address, stream)) \
  X(CUresult, cuMemPoolCreate, 11020, (CUmemoryPool* pool, const CUmemPoolProps* properties), \
    (pool, properties)) \
  X(CUresult, cuMemPoolDestroy, 11020, (CUmemoryPool pool), (pool)) \
  X(CUresult, cuMemPoolSetAttribute, 11020, \
    (CUmemoryPool pool, CUmemPool_attribute attribute, void* value), (pool, attribute, value)) \
  X(CUresult, cuMemPoolGetAttribute, 11020, \
    (CUmemoryPool pool, CUmemPool_attribute attribute, void* value), (pool, attribute, value)) \
  X(CUresult, cuMemPoolSetAccess, 11020, \
    (CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count), (pool, accesses, count)) \
  X(CUresult, cuMemPoolTrimTo, 11020, (CUmemoryPool pool, size_t min_bytes_to_keep), \
    (pool, min_bytes_to_keep)) \
  X(CUresult, cuMemHostAlloc, 2020, (void** memory, size_t size_bytes, unsigned flags), \
    (memory, size_bytes, flags)) \
  X(CUresult, cuMemFreeHost, 2000, (void* memory), (memory)) \
  X(CUresult, cuMemHostRegister_v2, 6050, (void* memory, size_t size_bytes, unsigned flags), \
    (memory, size_bytes, flags)) \
  X(CUresult, cuMemHostUnregister, 4000, (void* memory), (memory)) \
  X(CUresult, cuMemHostGetDevicePointer_v2, 3020, \
    (CUdeviceptr* address, void* memory, unsigned flags), (address, memory, flags)) \
  X(CUresult, cuPointerGetAttributes, 7000, \
    (unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr address), \
    (count, attributes, values, address))

#define TFRT_CUDA_DRIVER_COPY_FUNCTIONS(X) \
  X(CUresult, cuMemcpyAsync, 4000, \
    (CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream), \
    (to, from, size_bytes, stream)) \
  X(CUresult, cuMemcpyHtoDAsync_v2, 3020, \
    (CUdeviceptr to, const void* from, size_t size_bytes, CUstream stream), \
    (to, from, size_bytes, stream)) \
  X(CUresult, cuMemcpyDtoHAsync_v2, 3020, \
    (void* to, CUdeviceptr from, size_t size_bytes, CUstream stream), \
    (to, from, size_bytes, stream)) \
  X(CUresult, cuMemcpyDtoDAsync_v2, 3020, \
    (CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream), \
    (to, from, size_bytes, stream)) \
  X(CUresult, cuMemcpyPeerAsync, 4000, \
    (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, \
     size_t size_bytes, CUstream stream), \
    (to, to_context, from, from_context, size_bytes, stream)) \
  X(CUresult, cuMemcpy2DAsync_v2, 3020, (const CUDA_MEMCPY2D* copy, CUstream stream), \
    (copy, stream)) \
  X(CUresult, cuMemsetD8Async, 3020, \
    (CUdeviceptr to, unsigned char value, size_t count, CUstream stream), \
    (to, value, count, stream)) \
  X(CUresult, cuMemsetD16Async, 3020, \
    (CUdeviceptr to, unsigned short value, size_t count, CUstream stream), \
    (to, value, count, stream)) \
  X(CUresult, cuMemsetD32Async, 3020, \
    (CUdeviceptr to, unsigned value, size_t count, CUstream stream), (to, value, count, stream))

#define TFRT_CUDA_DRIVER_MODULE_FUNCTIONS(X) \
  X(CUresult, cuModuleLoadDataEx, 2010, \
    (CUmodule* module, const void* image, unsigned num_options, CUjit_option* options, \
     void** values), \
    (module, image, num_options, options, values)) \
  X(CUresult, cuModuleUnload, 2000, (CUmodule module), (module)) \
  X(CUresult, cuModuleGetFunction, 2000, \
    (CUfunction* function, CUmodule module, const char* name), (function, module, name)) \
  X(CUresult, cuModuleGetGlobal_v2, 3020, \
    (CUdeviceptr* address, size_t* size_bytes, CUmodule module, const char* name), \
    (address, size_bytes, module, name)) \
  X(CUresult, cuModuleGetLoadingMode, 11070, (CUmoduleLoadingMode* mode), (mode)) \
  X(CUresult, cuFuncGetAttribute, 2020, \
    (int* value, CUfunction_attribute attribute, CUfunction function), \
    (value, attribute, function)) \
  X(CUresult, cuFuncSetAttribute, 9000, \
    (CUfunction function, CUfunction_attribute attribute, int value), \
    (function, attribute, value)) \
  X(CUresult, cuFuncGetParamInfo, 12040, \
    (CUfunction function, size_t index, size_t* offset, size_t* size_bytes), \
    (function, index, offset, size_bytes)) \
  X(CUresult, cuFuncLoad, 12040, (CUfunction function), (function)) \
  X(CUresult, cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, \
    (int* num_blocks, CUfunction function, int block_size, size_t dynamic_shared_bytes), \
    (num_blocks, function, block_size, dynamic_shared_bytes)) \
  X(CUresult, cuLaunchKernel, 4000, \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, \
     void** parameters, void** extra), \
    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, \
     parameters, extra)) \
  X(CUresult, cuLaunchKernelEx, 11060, \
    (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra), \
    (config, function, parameters, extra)) \
  X(CUresult, cuLaunchCooperativeKernel, 9000, \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, \
     void** parameters), \
    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, \
     parameters))

#define TFRT_CUDA_DRIVER_GRAPH_FUNCTIONS(X) \
  X(CUresult, cuStreamBeginCapture_v2, 10010, (CUstream stream, CUstreamCaptureMode mode), \
    (stream, mode)) \
  X(CUresult, cuStreamEndCapture, 10000, (CUstream stream, CUgraph* graph), (stream, graph)) \
  X(CUresult, cuStreamIsCapturing, 10000, (CUstream stream, CUstreamCaptureStatus* status), \
    (stream, status)) \
  X(CUresult, cuStreamGetCaptureInfo_v2, 11030, \
    (CUstream stream, CUstreamCaptureStatus* status, uint64_t* id, CUgraph* graph, \
     const CUgraphNode** dependencies, size_t* num_dependencies), \
    (stream, status, id, graph, dependencies, num_dependencies)) \
  X(CUresult, cuStreamGetCaptureInfo_v3, 12030, \
    (CUstream stream, CUstreamCaptureStatus* status, uint64_t* id, CUgraph* graph, \
     const CUgraphNode** dependencies, const CUgraphEdgeData** edges, \
     size_t* num_dependencies), \
    (stream, status, id, graph, dependencies, edges, num_dependencies)) \
  X(CUresult, cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode* mode), (mode)) \
  X(CUresult, cuGraphCreate, 10000, (CUgraph* graph, unsigned flags), (graph, flags)) \
  X(CUresult, cuGraphDestroy, 10000, (CUgraph graph), (graph)) \
  X(CUresult, cuGraphGetNodes, 10000, (CUgraph graph, CUgraphNode* nodes, size_t* count), \
    (graph, nodes, count)) \
  X(CUresult, cuGraphGetEdges, 10000, \
    (CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count), \
    (graph, from, to, count)) \
  X(CUresult, cuGraphNodeGetType, 10000, (CUgraphNode node, CUgraphNodeType* type), \
    (node, type)) \
  X(CUresult, cuGraphKernelNodeGetParams_v2, 12000, \
    (CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters), (node, parameters)) \
  X(CUresult, cuGraphAddKernelNode_v2, 12000, \
    (CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, \
     size_t num_dependencies, const CUDA_KERNEL_NODE_PARAMS* parameters), \
    (node, graph, dependencies, num_dependencies, parameters)) \
  X(CUresult, cuGraphAddMemcpyNode, 10000, \
    (CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, \
     size_t num_dependencies, const CUDA_MEMCPY3D* copy, CUcontext context), \
    (node, graph, dependencies, num_dependencies, copy, context)) \
  X(CUresult, cuGraphAddMemsetNode, 10000, \
    (CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, \
     size_t num_dependencies, const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext context), \
    (node, graph, dependencies, num_dependencies, parameters, context)) \
  X(CUresult, cuGraphAddEmptyNode, 10000, \
    (CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, \
     size_t num_dependencies), \
    (node, graph, dependencies, num_dependencies)) \
  X(CUresult, cuGraphInstantiateWithFlags, 11040, \
    (CUgraphExec* exec, CUgraph graph, unsigned long long flags), (exec, graph, flags)) \
  X(CUresult, cuGraphUpload, 11010, (CUgraphExec exec, CUstream stream), (exec, stream)) \
  X(CUresult, cuGraphLaunch, 10000, (CUgraphExec exec, CUstream stream), (exec, stream)) \
  X(CUresult, cuGraphExecUpdate_v2, 12000, \
    (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* result), \
    (exec, graph, result)) \
  X(CUresult, cuGraphExecKernelNodeSetParams_v2, 12000, \
    (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters), \
    (exec, node, parameters)) \
  X(CUresult, cuGraphExecDestroy, 10000, (CUgraphExec exec), (exec)) \
  X(CUresult, cuGraphDebugDotPrint, 11030, \
    (CUgraph graph, const char* path, unsigned flags), (graph, path, flags)) \
  X(CUresult, cuGraphNodeGetToolsId, 13010, (CUgraphNode node, unsigned long long* id), \
    (node, id))

// All that the runtime may call.
#define TFRT_CUDA_DRIVER_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_DEVICE_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_CONTEXT_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_STREAM_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_MEMORY_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_COPY_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_MODULE_FUNCTIONS(X) \
  TFRT_CUDA_DRIVER_GRAPH_FUNCTIONS(X)

// Functions that tests call and the runtime does not: none at present.
#define TFRT_CUDA_DRIVER_TEST_FUNCTIONS(X)
// clang-format on

namespace tfrt::gpu::cuda {

// The oldest driver that has all we cannot do without: CUDA 12.0.
inline constexpr int kMinDriverVersion = 12000;

// The name under which the loader finds the driver.
inline constexpr char kDriverLibrary[] = "libcuda.so.1";

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_ABI_CUDA_DRIVER_FUNCTIONS_H_
