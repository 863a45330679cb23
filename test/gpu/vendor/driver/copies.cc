#include "copies.h"

#include <cstring>
#include <utility>

#include "capture.h"

namespace tfrt::gpu::cuda_double {
namespace {

// Sizes come from programs: what is too large for a number must not come out small.
uint64_t Plus(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
uint64_t Times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// From the first byte to behind the last; UINT64_MAX, which no memory has, if that is more.
uint64_t Extent(size_t pitch, size_t rows_per_layer, const CopyShape& shape) {
  if (shape.row_bytes == 0 || shape.num_rows == 0 || shape.num_layers == 0) return 0;
  uint64_t last_row = Plus(Times(shape.num_layers - 1, rows_per_layer), shape.num_rows - 1);
  return Plus(Times(last_row, pitch), shape.row_bytes);
}

// Where rows begin on one side of a copy. A pitch or height of zero stands for no gaps.
struct Rows {
  CUmemorytype type;
  uint64_t begin;
  size_t x_bytes, y, z, pitch, height;
};

CUresult ResolveRows(Driver& driver, const Rows& rows, const CopyShape& shape, CopySide* side) {
  bool is_known = rows.type == CU_MEMORYTYPE_HOST || rows.type == CU_MEMORYTYPE_DEVICE ||
                  rows.type == CU_MEMORYTYPE_UNIFIED;
  if (!is_known || rows.pitch > kMaxPitch) return CUDA_ERROR_INVALID_VALUE;
  uint64_t least_pitch = Plus(rows.x_bytes, shape.row_bytes);
  uint64_t least_height = Plus(rows.y, shape.num_rows);
  size_t pitch = rows.pitch ? rows.pitch : least_pitch;
  size_t height = rows.height ? rows.height : least_height;
  if (pitch < least_pitch || height < least_height) return CUDA_ERROR_INVALID_VALUE;
  uint64_t offset = Plus(Times(Plus(Times(rows.z, height), rows.y), pitch), rows.x_bytes);
  if (offset > UINT64_MAX - rows.begin) return CUDA_ERROR_INVALID_VALUE;
  Place place = rows.type == CU_MEMORYTYPE_HOST     ? Place::kHost
                : rows.type == CU_MEMORYTYPE_DEVICE ? Place::kDevice
                                                    : Place::kAny;
  return ResolveSide(driver, place, rows.begin + offset, pitch, height, shape, side);
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
    if (place == Place::kDevice || address == 0 || extent > UINT64_MAX - address) {
      return CUDA_ERROR_INVALID_VALUE;
    }
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
  bool stages = IsPageable(from), to_pages = IsPageable(to);
  if (stream->capture && (stages || to_pages)) return RefuseCaptured(*stream);
  if (call.is_null_mode()) return CUDA_SUCCESS;
  // A copy within the host is done when the call returns, whatever kind of memory it is.
  bool within_host =
      (stages || IsHost(from.allocation->kind)) && (to_pages || IsHost(to.allocation->kind));
  bool waits = !stream->capture && (to_pages || within_host);
  // The driver may wait for the stream before it stages a pageable source.
  if (waits || stages) TheCallLog().CountBlocking(call.function());
  std::shared_ptr<std::vector<std::byte>> staged;
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
  if (copy.WidthInBytes == 0 || copy.Height == 0 || copy.Depth == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *shape = {copy.WidthInBytes, copy.Height, copy.Depth};
  uint64_t source = copy.srcMemoryType == CU_MEMORYTYPE_HOST
                        ? reinterpret_cast<uint64_t>(copy.srcHost)
                        : copy.srcDevice;
  uint64_t target = copy.dstMemoryType == CU_MEMORYTYPE_HOST
                        ? reinterpret_cast<uint64_t>(copy.dstHost)
                        : copy.dstDevice;
  TFRT_GPU_RETURN_IF_FAILED(ResolveRows(call.driver(),
                                        {copy.srcMemoryType, source, copy.srcXInBytes, copy.srcY,
                                         copy.srcZ, copy.srcPitch, copy.srcHeight},
                                        *shape, from));
  return ResolveRows(call.driver(),
                     {copy.dstMemoryType, target, copy.dstXInBytes, copy.dstY, copy.dstZ,
                      copy.dstPitch, copy.dstHeight},
                     *shape, to);
}

}  // namespace tfrt::gpu::cuda_double
