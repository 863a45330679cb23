#include <cstring>

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

bool IsOfHost(const MemoryRange& range) { return range.memory->host_address() != nullptr; }

}  // namespace

template <typename F>
Status Stream::Command(std::string_view what, std::span<const Memory* const> memories,
                       bool is_recorded, const std::string_view& call, F&& enqueue) {
  TFRT_RETURN_IF_ERROR(context_->Enter());
  EventRecord* record = nullptr;
  if (is_recorded) {
    TFRT_ASSIGN_OR_RETURN(record, context_->events_->Acquire());
  }
  std::optional<tracing::CommandScope> observed = Observe();
  cuda::CUresult recorded = cuda::CUDA_SUCCESS;
  bool are_many = false;
  const cuda::CUresult result = context_->Call([&] {
    std::lock_guard lock(order_);
    AwaitEndOfCall();
    Point point{id_, Begin(what)};
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
  // The command is enqueued, and whoever waits for it makes a record: unless the device is lost.
  if (cuda::LosesContext(recorded)) return context_->Check(recorded, "cuEventRecord");
  return End(result, call, {});
}

Status Stream::Copy(const MemoryRange& to, const MemoryRange& from) {
  if (to.size_bytes != from.size_bytes) {
    return InvalidArgumentError(
        StrCat("a copy of ", from.size_bytes, " bytes to ", to.size_bytes, " bytes"));
  }
  const size_t size_bytes = to.size_bytes;
  if (size_bytes == 0) return OkStatus();
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
  if (IsOfHost(to) && IsOfHost(from)) {
    return Command("copy", memories, true, "cuLaunchHostFunc",
                   [&](const cuda::DriverTable&) { return EnqueueInHost(to, from); });
  }
  if (IsOfHost(from)) {
    return Command("copy to the device", memories, true, "cuMemcpyHtoDAsync_v2",
                   [&](const cuda::DriverTable& driver) {
                     return driver.cuMemcpyHtoDAsync_v2(to.address, from.host_address(), size_bytes,
                                                        handle());
                   });
  }
  if (IsOfHost(to)) {
    return Command("copy to the host", memories, true, "cuMemcpyDtoHAsync_v2",
                   [&](const cuda::DriverTable& driver) {
                     return driver.cuMemcpyDtoHAsync_v2(to.host_address(), from.address, size_bytes,
                                                        handle());
                   });
  }
  Context& to_context = to.memory->context();
  Context& from_context = from.memory->context();
  if (&to_context != &from_context) {
    return Command("copy between devices", memories, true, "cuMemcpyPeerAsync",
                   [&](const cuda::DriverTable& driver) {
                     return driver.cuMemcpyPeerAsync(to.address, to_context.handle(), from.address,
                                                     from_context.handle(), size_bytes, handle());
                   });
  }
  return Command(
      "copy", memories, true, "cuMemcpyDtoDAsync_v2", [&](const cuda::DriverTable& driver) {
        return driver.cuMemcpyDtoDAsync_v2(to.address, from.address, size_bytes, handle());
      });
}

cuda::CUresult Stream::EnqueueInHost(const MemoryRange& to, const MemoryRange& from) {
  while (!host_copies_.empty() && IsKnownDone({id_, host_copies_.front().number})) {
    host_copies_.pop_front();
  }
  HostCopy& copy = host_copies_.emplace_back(
      HostCopy{tail().number, to.host_address(), from.host_address(), to.size_bytes});
  auto move_bytes = [](void* data) {
    const HostCopy& copy = *static_cast<HostCopy*>(data);
    std::memcpy(copy.to, copy.from, copy.size_bytes);
  };
  cuda::CUresult result = context_->driver().cuLaunchHostFunc(handle(), move_bytes, &copy);
  if (result != cuda::CUDA_SUCCESS) host_copies_.pop_back();
  return result;
}

Status Stream::Fill(const MemoryRange& to, uint32_t pattern) {
  if (to.size_bytes == 0) return OkStatus();
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
