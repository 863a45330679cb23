// Entry points: copies and fills.
#include "capture.h"
#include "copies.h"

namespace tfrt::gpu::cuda_double {
namespace {

CUresult CopyRow(Call& call, CUstream stream, Place to_place, uint64_t to, Place from_place,
                 uint64_t from, size_t size_bytes) {
  std::shared_ptr<Stream> found;
  TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
  CopyShape shape{.row_bytes = size_bytes};
  CopySide to_side, from_side;
  if (size_bytes > 0) {
    Driver& driver = call.driver();
    TFRT_GPU_RETURN_IF_FAILED(ResolveSide(driver, to_place, to, size_bytes, 1, shape, &to_side));
    TFRT_GPU_RETURN_IF_FAILED(
        ResolveSide(driver, from_place, from, size_bytes, 1, shape, &from_side));
  }
  return EnqueueCopy(call, found, std::move(to_side), std::move(from_side), shape);
}

CUresult Fill(Call& call, CUstream stream, CUdeviceptr to, unsigned value, unsigned element_bytes,
              size_t count) {
  std::shared_ptr<Stream> found;
  TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
  call.Note("bytes=", count * element_bytes);
  if (to % element_bytes != 0 || count > SIZE_MAX / element_bytes) return CUDA_ERROR_INVALID_VALUE;
  if (count == 0) return CUDA_SUCCESS;
  CopyShape shape{.row_bytes = count * element_bytes};
  CopySide side;
  TFRT_GPU_RETURN_IF_FAILED(
      ResolveSide(call.driver(), Place::kAny, to, shape.row_bytes, 1, shape, &side));
  if (!side.allocation) return CUDA_ERROR_INVALID_VALUE;
  return call.Submit(found, std::make_shared<MemsetOperation>(call.name(), std::move(side), shape,
                                                              value, element_bytes));
}

CUresult Copy2D(Call& call, const CUDA_MEMCPY2D& copy, CUstream stream) {
  std::shared_ptr<Stream> found;
  TFRT_GPU_RETURN_IF_FAILED(call.GetStream(stream, &found));
  CUDA_MEMCPY3D wide = {};
  wide.srcXInBytes = copy.srcXInBytes;
  wide.srcY = copy.srcY;
  wide.srcMemoryType = copy.srcMemoryType;
  wide.srcHost = copy.srcHost;
  wide.srcDevice = copy.srcDevice;
  wide.srcPitch = copy.srcPitch;
  wide.dstXInBytes = copy.dstXInBytes;
  wide.dstY = copy.dstY;
  wide.dstMemoryType = copy.dstMemoryType;
  wide.dstHost = copy.dstHost;
  wide.dstDevice = copy.dstDevice;
  wide.dstPitch = copy.dstPitch;
  wide.WidthInBytes = copy.WidthInBytes;
  wide.Height = copy.Height;
  wide.Depth = 1;
  if (copy.WidthInBytes == 0 || copy.Height == 0) return CUDA_SUCCESS;
  CopySide to, from;
  CopyShape shape;
  TFRT_GPU_RETURN_IF_FAILED(ResolveCopy3D(call, wide, &to, &from, &shape));
  return EnqueueCopy(call, found, std::move(to), std::move(from), shape);
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double

namespace tfrt::gpu::cuda {
using namespace cuda_double;  // NOLINT

extern "C" {

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size_bytes, CUstream stream) {
  return Enter(Function::cuMemcpyAsync, Needs::kContext, [&](Call& call) -> CUresult {
    return CopyRow(call, stream, Place::kAny, to, Place::kAny, from, size_bytes);
  });
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size_bytes,
                              CUstream stream) {
  return Enter(Function::cuMemcpyHtoDAsync_v2, Needs::kContext, [&](Call& call) -> CUresult {
    return CopyRow(call, stream, Place::kDevice, to, Place::kHost, reinterpret_cast<uint64_t>(from),
                   size_bytes);
  });
}

CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size_bytes, CUstream stream) {
  return Enter(Function::cuMemcpyDtoHAsync_v2, Needs::kContext, [&](Call& call) -> CUresult {
    return CopyRow(call, stream, Place::kHost, reinterpret_cast<uint64_t>(to), Place::kDevice, from,
                   size_bytes);
  });
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size_bytes,
                              CUstream stream) {
  return Enter(Function::cuMemcpyDtoDAsync_v2, Needs::kContext, [&](Call& call) -> CUresult {
    return CopyRow(call, stream, Place::kDevice, to, Place::kDevice, from, size_bytes);
  });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t size_bytes, CUstream stream) {
  return Enter(Function::cuMemcpyPeerAsync, Needs::kContext, [&](Call& call) -> CUresult {
    Context* context = nullptr;
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(to_context, &context));
    TFRT_GPU_RETURN_IF_FAILED(call.GetContext(from_context, &context));
    return CopyRow(call, stream, Place::kDevice, to, Place::kDevice, from, size_bytes);
  });
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return Enter(Function::cuMemcpy2DAsync_v2, Needs::kContext, [&](Call& call) -> CUresult {
    return copy ? Copy2D(call, *copy, stream) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return Enter(Function::cuMemsetD8Async, Needs::kContext,
               [&](Call& call) -> CUresult { return Fill(call, stream, to, value, 1, count); });
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return Enter(Function::cuMemsetD16Async, Needs::kContext,
               [&](Call& call) -> CUresult { return Fill(call, stream, to, value, 2, count); });
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return Enter(Function::cuMemsetD32Async, Needs::kContext,
               [&](Call& call) -> CUresult { return Fill(call, stream, to, value, 4, count); });
}

}  // extern "C"
}  // namespace tfrt::gpu::cuda
