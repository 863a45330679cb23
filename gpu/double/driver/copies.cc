#include "gpu/double/driver/copies.h"

#include <cstring>
#include <utility>

#include "gpu/double/driver/capture.h"

namespace tfrt::gpu::cuda_double {
namespace {

// From the first byte to behind the last.
uint64_t Extent(size_t pitch, size_t rows_per_layer, const CopyShape& shape) {
  if (shape.total_bytes() == 0) return 0;
  return ((shape.num_layers - 1) * rows_per_layer + shape.num_rows - 1) * pitch + shape.row_bytes;
}

bool IsPageable(const CopySide& side) { return !side.allocation; }

// The source's bytes, in rows without gaps.
std::shared_ptr<std::vector<std::byte>> Stage(CopySide* from, const CopyShape& shape) {
  auto staged = std::make_shared<std::vector<std::byte>>(shape.total_bytes());
  std::byte* next = staged->data();
  for (size_t layer = 0; layer < shape.num_layers; ++layer) {
    for (size_t row = 0; row < shape.num_rows; ++row, next += shape.row_bytes) {
      size_t offset = (layer * from->rows_per_layer + row) * from->pitch;
      std::memcpy(next, from->data + offset, shape.row_bytes);
    }
  }
  *from = {.data = staged->data(), .pitch = shape.row_bytes, .rows_per_layer = shape.num_rows};
  return staged;
}

Place PlaceOf(CUmemorytype type) {
  return type == CU_MEMORYTYPE_HOST     ? Place::kHost
         : type == CU_MEMORYTYPE_DEVICE ? Place::kDevice
                                        : Place::kAny;
}

}  // namespace

CUresult ResolveSide(Driver& driver, Place place, uint64_t address, size_t pitch,
                     size_t rows_per_layer, const CopyShape& shape, CopySide* side) {
  side->address = address;
  side->data = reinterpret_cast<std::byte*>(address);
  side->pitch = pitch;
  side->rows_per_layer = rows_per_layer;
  side->allocation = driver.memory.Find(address);
  uint64_t extent = Extent(pitch, rows_per_layer, shape);
  if (!side->allocation) {
    // A device's address that nothing has, or where the function says that it is one.
    if (place == Place::kDevice || address == 0) return CUDA_ERROR_INVALID_VALUE;
    for (const auto& device : driver.devices) {
      if (device->addresses.Contains(address)) return CUDA_ERROR_INVALID_VALUE;
    }
    return driver.memory.Overlaps(address, extent) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  }
  if (place == Place::kHost && !IsHost(side->allocation->kind)) return CUDA_ERROR_INVALID_VALUE;
  if (!side->allocation->Holds(address, extent)) return CUDA_ERROR_INVALID_VALUE;
  side->data = side->allocation->At(address);
  return CUDA_SUCCESS;
}

CUresult EnqueueCopy(Call& call, const std::shared_ptr<Stream>& stream, CopySide to, CopySide from,
                     const CopyShape& shape) {
  call.Note("bytes=", shape.total_bytes());
  if (shape.total_bytes() == 0) return CUDA_SUCCESS;
  bool stages = IsPageable(from), waits = IsPageable(to);
  if (stream->capture && (stages || waits)) return RefuseCaptured(*stream);
  if (call.is_null_mode()) return CUDA_SUCCESS;
  std::shared_ptr<std::vector<std::byte>> staged;
  // A copy within the host is ordered by its stream, and done when the call returns.
  if (stages && !waits) staged = Stage(&from, shape);
  std::shared_ptr<Command> command;
  TFRT_GPU_RETURN_IF_FAILED(
      call.Submit(stream,
                  std::make_shared<CopyOperation>(call.name(), std::move(to), std::move(from),
                                                  shape, std::move(staged)),
                  &command));
  return waits ? call.driver().WaitFor(call.lock(), command, call.name()) : CUDA_SUCCESS;
}

CUresult ResolveCopy3D(Call& call, const CUDA_MEMCPY3D& copy, CopySide* to, CopySide* from,
                       CopyShape* shape) {
  if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  *shape = {copy.WidthInBytes, copy.Height, copy.Depth};
  if (shape->total_bytes() == 0) return CUDA_ERROR_INVALID_VALUE;
  // A pitch or height of zero stands for no gaps.
  size_t from_pitch = copy.srcPitch ? copy.srcPitch : copy.srcXInBytes + copy.WidthInBytes;
  size_t from_height = copy.srcHeight ? copy.srcHeight : copy.srcY + copy.Height;
  size_t to_pitch = copy.dstPitch ? copy.dstPitch : copy.dstXInBytes + copy.WidthInBytes;
  size_t to_height = copy.dstHeight ? copy.dstHeight : copy.dstY + copy.Height;
  if (from_pitch < copy.WidthInBytes || to_pitch < copy.WidthInBytes) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  uint64_t source = copy.srcMemoryType == CU_MEMORYTYPE_HOST
                        ? reinterpret_cast<uint64_t>(copy.srcHost)
                        : copy.srcDevice;
  uint64_t target = copy.dstMemoryType == CU_MEMORYTYPE_HOST
                        ? reinterpret_cast<uint64_t>(copy.dstHost)
                        : copy.dstDevice;
  source += (copy.srcZ * from_height + copy.srcY) * from_pitch + copy.srcXInBytes;
  target += (copy.dstZ * to_height + copy.dstY) * to_pitch + copy.dstXInBytes;
  TFRT_GPU_RETURN_IF_FAILED(ResolveSide(call.driver(), PlaceOf(copy.srcMemoryType), source,
                                        from_pitch, from_height, *shape, from));
  return ResolveSide(call.driver(), PlaceOf(copy.dstMemoryType), target, to_pitch, to_height,
                     *shape, to);
}

}  // namespace tfrt::gpu::cuda_double
