#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "context.h"
#include "event_pool.h"
#include "stream.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

Status CheckRange(std::string_view what, const MemoryRange& range) {
  const size_t offset = range.address - range.memory->address();
  const size_t all_bytes = range.memory->size_bytes();
  if (offset <= all_bytes && range.size_bytes <= all_bytes - offset) [[likely]]
    return OkStatus();
  return InvalidArgumentError(StrCat(what, " of ", range.size_bytes, " bytes from byte ",
                                     static_cast<int64_t>(offset), " on of memory that has ",
                                     all_bytes, " bytes"));
}

enum class CopyKind { kInHost, kToDevice, kToHost, kBetweenDevices, kInDevice };

// By kind: the command's name, and the driver's function.
constexpr std::pair<std::string_view, std::string_view> kCopies[] = {
    {"copy", "cuLaunchHostFunc"},
    {"copy to the device", "cuMemcpyHtoDAsync_v2"},
    {"copy to the host", "cuMemcpyDtoHAsync_v2"},
    {"copy between devices", "cuMemcpyPeerAsync"},
    {"copy", "cuMemcpyDtoDAsync_v2"},
};

CopyKind KindOf(const MemoryRange& to, const MemoryRange& from) {
  const bool is_to_host = to.memory->host_address() != nullptr;
  if (from.memory->host_address()) return is_to_host ? CopyKind::kInHost : CopyKind::kToDevice;
  if (is_to_host) return CopyKind::kToHost;
  return &to.memory->context() == &from.memory->context() ? CopyKind::kInDevice
                                                          : CopyKind::kBetweenDevices;
}

// Checks that the rows lie in the range, and that it lies in its memory.
Status CheckRows(const MemoryRange& range, const CopyRows& rows, size_t pitch_bytes) {
  TFRT_RETURN_IF_ERROR(CheckRange("a copy", range));
  if (rows.num_rows > 1 && pitch_bytes < rows.row_bytes) {
    return InvalidArgumentError(StrCat("a copy of rows of ", rows.row_bytes, " bytes that begin ",
                                       pitch_bytes, " bytes apart"));
  }
  size_t last = 0, end = 0;
  if (!__builtin_mul_overflow(rows.num_rows - 1, pitch_bytes, &last) &&
      !__builtin_add_overflow(last, rows.row_bytes, &end) && end <= range.size_bytes) {
    return OkStatus();
  }
  return InvalidArgumentError(StrCat("a copy of ", rows.num_rows, " rows of ", rows.row_bytes,
                                     " bytes, ", pitch_bytes, " bytes apart, in ", range.size_bytes,
                                     " bytes"));
}

// Returns whether a row of the target and one of the source share bytes.
bool Overlap(cuda::CUdeviceptr to, cuda::CUdeviceptr from, const CopyRows& rows) {
  const cuda::CUdeviceptr to_end = to + (rows.num_rows - 1) * rows.to_pitch_bytes + rows.row_bytes;
  const cuda::CUdeviceptr from_end =
      from + (rows.num_rows - 1) * rows.from_pitch_bytes + rows.row_bytes;
  if (to_end <= from || from_end <= to) return false;
  for (size_t i = 0, j = 0; i < rows.num_rows && j < rows.num_rows;) {
    const cuda::CUdeviceptr written = to + i * rows.to_pitch_bytes;
    const cuda::CUdeviceptr read = from + j * rows.from_pitch_bytes;
    if (written < read + rows.row_bytes && read < written + rows.row_bytes) return true;
    ++(written < read ? i : j);
  }
  return false;
}

cuda::CUDA_MEMCPY2D Describe(const MemoryRange& to, const MemoryRange& from, const CopyRows& rows) {
  auto type_of = [](const MemoryRange& range) {
    return range.memory->host_address() ? cuda::CU_MEMORYTYPE_HOST : cuda::CU_MEMORYTYPE_DEVICE;
  };
  return {.srcXInBytes = 0,
          .srcY = 0,
          .srcMemoryType = type_of(from),
          .srcHost = from.host_address(),
          .srcDevice = from.address,
          .srcArray = nullptr,
          .srcPitch = rows.from_pitch_bytes,
          .dstXInBytes = 0,
          .dstY = 0,
          .dstMemoryType = type_of(to),
          .dstHost = to.host_address(),
          .dstDevice = to.address,
          .dstArray = nullptr,
          .dstPitch = rows.to_pitch_bytes,
          .WidthInBytes = rows.row_bytes,
          .Height = rows.num_rows};
}

}  // namespace

template <typename F>
StatusOr<Point> Stream::Command(std::string_view what, std::span<const Memory* const> memories,
                                bool is_recorded, const std::string_view& call, F&& enqueue) {
  TFRT_RETURN_IF_ERROR(context_->Enter());
  EventRecord* record = nullptr;
  if (is_recorded) {
    TFRT_ASSIGN_OR_RETURN(record, context_->events_->Acquire());
  }
  std::optional<tracing::CommandScope> observed = Observe();
  cuda::CUresult recorded = cuda::CUDA_SUCCESS;
  bool are_many = false;
  Point point;
  const cuda::CUresult result = context_->Call([&] {
    std::lock_guard lock(order_);
    AwaitEndOfCall();
    point = {id_, Begin(what)};
    cuda::CUresult enqueued = enqueue(context_->driver());
    for (const Memory* memory : memories) memory->uses_.NoteLast(point);
    if (record && enqueued == cuda::CUDA_SUCCESS) {
      TrimRecords();
      recorded = PushRecord(record);
      if (recorded == cuda::CUDA_SUCCESS) record = nullptr;
      // Where the stream has waited for another context, that is to be asked, under no lock.
      are_many = records_.size() % (2 * kManyRecords) == 0;
    }
    return enqueued;
  });
  if (are_many) Poll();
  if (record) context_->events_->GiveBack(record);
  if (result != cuda::CUDA_SUCCESS || recorded != cuda::CUDA_SUCCESS ||
      context_->options().launch_blocking) [[unlikely]] {
    // The command is enqueued, and whoever waits for it makes a record: unless the device is lost.
    if (cuda::LosesContext(recorded)) return context_->Check(recorded, "cuEventRecord");
    TFRT_RETURN_IF_ERROR(End(result, call, {}));
  }
  return point;
}

StatusOr<Point> Stream::Copy(const MemoryRange& to, const MemoryRange& from) {
  if (to.size_bytes != from.size_bytes) {
    return InvalidArgumentError(
        StrCat("a copy of ", from.size_bytes, " bytes to ", to.size_bytes, " bytes"));
  }
  const size_t size_bytes = to.size_bytes;
  if (size_bytes == 0) return Point();
  TFRT_RETURN_IF_ERROR(CheckRange("a copy", to));
  TFRT_RETURN_IF_ERROR(CheckRange("a copy", from));
  // A device copies in any order, and wrong bytes then.
  if (to.address < from.address + size_bytes && from.address < to.address + size_bytes) {
    return InvalidArgumentError(
        StrCat("a copy of ", size_bytes, " bytes to a place ",
               to.address < from.address ? from.address - to.address : to.address - from.address,
               " bytes from its source: they overlap"));
  }
  const Memory* memories[] = {to.memory, from.memory};
  const CopyKind kind = KindOf(to, from);
  const auto& [what, call] = kCopies[static_cast<size_t>(kind)];
  return Command(what, memories, true, call, [&](const cuda::DriverTable& driver) {
    switch (kind) {
      case CopyKind::kInHost:
        return EnqueueInHost(to, from, {.row_bytes = size_bytes});
      case CopyKind::kToDevice:
        return driver.cuMemcpyHtoDAsync_v2(to.address, from.host_address(), size_bytes, handle());
      case CopyKind::kToHost:
        return driver.cuMemcpyDtoHAsync_v2(to.host_address(), from.address, size_bytes, handle());
      case CopyKind::kBetweenDevices:
        return driver.cuMemcpyPeerAsync(to.address, to.memory->context().handle(), from.address,
                                        from.memory->context().handle(), size_bytes, handle());
      case CopyKind::kInDevice:
        break;
    }
    return driver.cuMemcpyDtoDAsync_v2(to.address, from.address, size_bytes, handle());
  });
}

StatusOr<Point> Stream::Copy2D(const MemoryRange& to, const MemoryRange& from,
                               const CopyRows& rows) {
  if (rows.num_rows == 0 || rows.row_bytes == 0) return Point();
  TFRT_RETURN_IF_ERROR(CheckRows(to, rows, rows.to_pitch_bytes));
  TFRT_RETURN_IF_ERROR(CheckRows(from, rows, rows.from_pitch_bytes));
  const bool has_gaps =
      rows.to_pitch_bytes != rows.row_bytes || rows.from_pitch_bytes != rows.row_bytes;
  if (rows.num_rows == 1 || !has_gaps) {
    const size_t size_bytes = rows.num_rows * rows.row_bytes;
    return Copy({to.memory, to.address, size_bytes}, {from.memory, from.address, size_bytes});
  }
  const size_t max_pitch = context_->max_pitch_bytes();
  if (const size_t pitch = std::max(rows.to_pitch_bytes, rows.from_pitch_bytes);
      pitch > max_pitch) {
    return InvalidArgumentError(StrCat("a copy of rows that begin ", pitch, " bytes apart; ",
                                       context_->name(), " allows ", max_pitch));
  }
  if (Overlap(to.address, from.address, rows)) {
    return InvalidArgumentError(
        StrCat("a copy of ", rows.num_rows, " rows that share bytes with their source"));
  }
  const CopyKind kind = KindOf(to, from);
  if (kind == CopyKind::kBetweenDevices) {
    return InvalidArgumentError(StrCat("a copy of rows from ", from.memory->context().name(),
                                       " to ", to.memory->context().name(),
                                       ": copy them within one of them first"));
  }
  const cuda::CUDA_MEMCPY2D copy = Describe(to, from, rows);
  const bool is_in_host = kind == CopyKind::kInHost;
  const Memory* memories[] = {to.memory, from.memory};
  return Command(kCopies[static_cast<size_t>(kind)].first, memories, true,
                 is_in_host ? "cuLaunchHostFunc" : "cuMemcpy2DAsync_v2",
                 [&](const cuda::DriverTable& driver) {
                   return is_in_host ? EnqueueInHost(to, from, rows)
                                     : driver.cuMemcpy2DAsync_v2(&copy, handle());
                 });
}

cuda::CUresult Stream::EnqueueInHost(const MemoryRange& to, const MemoryRange& from,
                                     const CopyRows& rows) {
  while (!host_copies_.empty() && IsKnownDone({id_, host_copies_.front().number})) {
    host_copies_.pop_front();
  }
  HostCopy& copy =
      host_copies_.emplace_back(HostCopy{tail().number, static_cast<std::byte*>(to.host_address()),
                                         static_cast<const std::byte*>(from.host_address()), rows});
  auto move_bytes = [](void* data) {
    const HostCopy& copy = *static_cast<HostCopy*>(data);
    for (size_t row = 0; row < copy.rows.num_rows; ++row) {
      std::memcpy(copy.to + row * copy.rows.to_pitch_bytes,
                  copy.from + row * copy.rows.from_pitch_bytes, copy.rows.row_bytes);
    }
  };
  cuda::CUresult result = context_->driver().cuLaunchHostFunc(handle(), move_bytes, &copy);
  if (result != cuda::CUDA_SUCCESS) host_copies_.pop_back();
  return result;
}

StatusOr<Point> Stream::Fill(const MemoryRange& to, uint32_t pattern) {
  if (to.size_bytes == 0) return Point();
  TFRT_RETURN_IF_ERROR(CheckRange("a fill", to));
  if (to.address % 4 != 0) {
    return InvalidArgumentError(
        "a fill with four bytes begins at an address that is no multiple of 4");
  }
  const Memory* memories[] = {to.memory};
  const size_t words = to.size_bytes / 4;
  const size_t tail = to.size_bytes % 4;
  const cuda::CUdeviceptr end = to.address + 4 * words;
  std::string_view call = "cuMemsetD32Async";
  auto enqueue = [&](const cuda::DriverTable& driver) {
    cuda::CUresult result = cuda::CUDA_SUCCESS;
    if (words > 0) result = driver.cuMemsetD32Async(to.address, pattern, words, handle());
    if (result == cuda::CUDA_SUCCESS && tail >= 2) {
      call = "cuMemsetD16Async";
      result = driver.cuMemsetD16Async(end, static_cast<unsigned short>(pattern), 1, handle());
    }
    if (result == cuda::CUDA_SUCCESS && tail % 2 == 1) {
      call = "cuMemsetD8Async";
      unsigned shift = tail == 3 ? 16 : 0;
      result = driver.cuMemsetD8Async(end + (tail - 1),
                                      static_cast<unsigned char>(pattern >> shift), 1, handle());
    }
    return result;
  };
  return Command("fill", memories, false, call, enqueue);
}

}  // namespace tfrt::gpu
