#include "tfrt/gpu/wrapper/cuda_handles.h"

#include "tfrt/gpu/wrapper/cuda_status.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda {
namespace {

StatusOr<bool> DoneOf(const DriverTable& driver, CUresult result, std::string_view function) {
  if (result == CUDA_ERROR_NOT_READY) return false;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, result, function));
  return true;
}

// The text is only made for an error.
Status StatusOfBytes(const DriverTable& driver, CUresult result, std::string_view function,
                     size_t size_bytes) {
  if (result == CUDA_SUCCESS) return OkStatus();
  return StatusOf(driver, result, StrCat(function, " of ", size_bytes, " bytes"));
}

}  // namespace

StatusOr<Stream> CreateStream(const Context& context, unsigned flags, int priority) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUstream stream = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuStreamCreateWithPriority(&stream, flags, priority),
                                "cuStreamCreateWithPriority"));
  return Stream(context, stream);
}

StatusOr<Event> CreateEvent(const Context& context, unsigned flags) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUevent event = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuEventCreate(&event, flags), "cuEventCreate"));
  return Event(context, event);
}

StatusOr<DeviceMemory> AllocateDeviceMemory(const Context& context, size_t size_bytes) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUdeviceptr address = 0;
  TFRT_RETURN_IF_ERROR(StatusOfBytes(driver, driver.cuMemAlloc_v2(&address, size_bytes),
                                     "cuMemAlloc_v2", size_bytes));
  return DeviceMemory(context, address);
}

StatusOr<PinnedMemory> AllocatePinnedMemory(const Context& context, size_t size_bytes,
                                            unsigned flags) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  void* memory = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOfBytes(driver, driver.cuMemHostAlloc(&memory, size_bytes, flags),
                                     "cuMemHostAlloc", size_bytes));
  return PinnedMemory(context, memory);
}

StatusOr<RegisteredMemory> RegisterMemory(const Context& context, void* memory, size_t size_bytes,
                                          unsigned flags) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  TFRT_RETURN_IF_ERROR(StatusOfBytes(driver, driver.cuMemHostRegister_v2(memory, size_bytes, flags),
                                     "cuMemHostRegister_v2", size_bytes));
  return RegisteredMemory(context, memory);
}

StatusOr<MemoryPool> CreateMemoryPool(const Context& context, const CUmemPoolProps& properties) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUmemoryPool pool = nullptr;
  TFRT_RETURN_IF_ERROR(
      StatusOf(driver, driver.cuMemPoolCreate(&pool, &properties), "cuMemPoolCreate"));
  return MemoryPool(context, pool);
}

StatusOr<Graph> CreateGraph(const Context& context) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUgraph graph = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuGraphCreate(&graph, 0), "cuGraphCreate"));
  return Graph(context, graph);
}

StatusOr<GraphExec> InstantiateGraph(const Context& context, CUgraph graph,
                                     unsigned long long flags) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUgraphExec exec = nullptr;
  TFRT_RETURN_IF_ERROR(StatusOf(driver, driver.cuGraphInstantiateWithFlags(&exec, graph, flags),
                                "cuGraphInstantiateWithFlags"));
  return GraphExec(context, exec);
}

StatusOr<Graph> EndCapture(const Context& context, CUstream stream) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  const DriverTable& driver = context.driver();
  CUgraph graph = nullptr;
  TFRT_RETURN_IF_ERROR(
      StatusOf(driver, driver.cuStreamEndCapture(stream, &graph), "cuStreamEndCapture"));
  return Graph(context, graph);
}

StatusOr<bool> IsDone(const Context& context, CUstream stream) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  return DoneOf(context.driver(), context.driver().cuStreamQuery(stream), "cuStreamQuery");
}

StatusOr<bool> IsDone(const Context& context, CUevent event) {
  TFRT_RETURN_IF_ERROR(context.MakeCurrent());
  return DoneOf(context.driver(), context.driver().cuEventQuery(event), "cuEventQuery");
}

}  // namespace tfrt::gpu::cuda
