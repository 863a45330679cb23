#include "stream.h"

#include <atomic>
#include <cstring>
#include <optional>
#include <thread>

#include "accelerator.h"
#include "device_state.h"
#include "event_record.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

using AccessKind = TimelineObserver::AccessKind;
using ArgumentType = tracing::ArgumentSpec::Type;

// Records a stream's work from the start of its turn: the delay is a part of it.
constexpr tracing::RecordType kKernelRecord = {.name = "device.kernel",
                                               .level = tracing::StackLevel::kDevice,
                                               .arguments = {{{"stream", ArgumentType::kName}}}};
constexpr tracing::RecordType kCopyRecord = {.name = "device.copy",
                                             .level = tracing::StackLevel::kDevice,
                                             .kind = tracing::RecordKind::kCopy,
                                             .arguments = {{{"bytes", ArgumentType::kInteger},
                                                            {"from", ArgumentType::kName},
                                                            {"to", ArgumentType::kName},
                                                            {"stream", ArgumentType::kName}}}};
constexpr std::string_view kHostName = "host";

uint32_t NextStreamId() {
  static std::atomic<uint32_t> num_streams{0};
  // relaxed: nothing but the number is passed on.
  return num_streams.fetch_add(1, std::memory_order_relaxed);
}

// splitmix64: neighbouring numbers give unrelated ones.
uint64_t Mix(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

// memcpy wants pointers even for no bytes.
void CopyBytes(void* to, const void* from, size_t size_bytes) {
  if (size_bytes > 0) std::memmove(to, from, size_bytes);
}

Status CheckHostAddress(const Memory& memory, const void* address, size_t size_bytes) {
  if (size_bytes == 0 || !memory.Contains(address)) return OkStatus();
  return InvalidArgumentError(
      StrCat("an address of ", memory.name(), " is given where one of the host is needed"));
}

}  // namespace

std::chrono::microseconds Delay::Of(uint32_t stream, uint64_t operation) const {
  if (at_most <= at_least) return at_least;
  uint64_t range = static_cast<uint64_t>((at_most - at_least).count()) + 1;
  uint64_t random = Mix(Mix(seed) ^ Mix((uint64_t{stream} << 48) ^ operation));
  return at_least + std::chrono::microseconds(random % range);
}

Stream::Stream(internal::DeviceState* device, std::string_view name, uint32_t index, Delay delay)
    : device_(device),
      name_(StrCat(device->memory->name(), "/", name)),
      index_(index),
      id_(NextStreamId()),
      timeline_(device->observer ? device->observer->AddTimeline(name_) : 0),
      seen_(std::make_unique<internal::Positions>()),
      delay_(delay) {
  if (thread_.Start([this] { Run(); })) return;
  error_ = ResourceExhaustedError(StrCat("the system has no thread for ", name_));
  closing_ = true;
}

Stream::~Stream() { Close(); }

void Stream::Close() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.Join();
}

void Stream::Enqueue(std::string_view operation, RecordedAs recorded_as,
                     std::vector<Operand> operands, std::span<const Access> host_accesses,
                     std::unique_ptr<internal::Kernel> kernel) {
  std::vector<Access> accesses;
  if (device_->observer) {
    accesses.assign(host_accesses.begin(), host_accesses.end());
    for (const Operand& operand : operands) {
      accesses.push_back({device_->space, operand.use, operand.address, operand.size_bytes});
    }
  }
  std::lock_guard lock(mutex_);
  if (device_->observer) device_->observer->Use(timeline_, operation, accesses);
  Push({.operation = std::string(operation),
        .recorded_as = recorded_as,
        .caller = tracing::IsRecording() ? tracing::CurrentContext() : tracing::RecordContext(),
        .operands = std::move(operands),
        .kernel = std::move(kernel),
        .delay = delay_.Of(index_, num_enqueued_ + 1)});
}

void Stream::CopyToDevice(std::string_view operation, void* to, const void* from_host,
                          size_t size_bytes) {
  auto copy = [from_host, size_bytes, device = device_](std::span<std::byte* const> addresses) {
    TFRT_RETURN_IF_ERROR(CheckHostAddress(*device->memory, from_host, size_bytes));
    CopyBytes(addresses[0], from_host, size_bytes);
    return OkStatus();
  };
  const Access from[] = {{TimelineObserver::kHostMemory, AccessKind::kRead, from_host, size_bytes}};
  Enqueue(operation, {kHostName, device_->memory->name(), size_bytes},
          {{to, size_bytes, AccessKind::kWrite}}, from,
          std::make_unique<internal::KernelOf<decltype(copy)>>(std::move(copy)));
}

void Stream::CopyToHost(std::string_view operation, void* to_host, const void* from,
                        size_t size_bytes) {
  auto copy = [to_host, size_bytes, device = device_](std::span<std::byte* const> addresses) {
    TFRT_RETURN_IF_ERROR(CheckHostAddress(*device->memory, to_host, size_bytes));
    CopyBytes(to_host, addresses[0], size_bytes);
    return OkStatus();
  };
  const Access to[] = {{TimelineObserver::kHostMemory, AccessKind::kWrite, to_host, size_bytes}};
  Enqueue(operation, {device_->memory->name(), kHostName, size_bytes},
          {{from, size_bytes, AccessKind::kRead}}, to,
          std::make_unique<internal::KernelOf<decltype(copy)>>(std::move(copy)));
}

void Stream::CopyOnDevice(std::string_view operation, void* to, const void* from,
                          size_t size_bytes) {
  auto copy = [size_bytes](std::span<std::byte* const> addresses) {
    CopyBytes(addresses[1], addresses[0], size_bytes);
    return OkStatus();
  };
  const std::string_view memory = device_->memory->name();
  Enqueue(operation, {memory, memory, size_bytes},
          {{from, size_bytes, AccessKind::kRead}, {to, size_bytes, AccessKind::kWrite}}, {},
          std::make_unique<internal::KernelOf<decltype(copy)>>(std::move(copy)));
}

void Stream::CopyFromPeer(std::string_view operation, void* to, const Accelerator& peer,
                          const void* from, size_t size_bytes) {
  auto copy = [from, size_bytes, &memory = peer.memory()](std::span<std::byte* const> addresses) {
    if (size_bytes == 0) return OkStatus();
    TFRT_ASSIGN_OR_RETURN(std::byte * source, memory.StreamAddress(from, size_bytes));
    CopyBytes(addresses[0], source, size_bytes);
    return OkStatus();
  };
  const Access source[] = {{peer.state_->space, AccessKind::kRead, from, size_bytes}};
  Enqueue(operation, {peer.memory().name(), device_->memory->name(), size_bytes},
          {{to, size_bytes, AccessKind::kWrite}}, source,
          std::make_unique<internal::KernelOf<decltype(copy)>>(std::move(copy)));
}

StatusOr<void*> Stream::Allocate(std::string_view operation, size_t size_bytes) {
  std::lock_guard lock(mutex_);
  if (closing_) return FailedPreconditionError(StrCat(name_, " is closed"));
  std::lock_guard pool_lock(device_->pool_mutex);
  auto grant = [&] {
    std::lock_guard host_lock(device_->host->mutex);
    return device_->pool.Allocate(operation, size_bytes, *seen_, device_->host->positions);
  }();
  if (!grant.ok()) {
    return Status(grant.status().code(), StrCat(name_, ": ", grant.status().message()));
  }
  for (const auto& record : grant->behind) PushWait(record, /*takes_errors=*/false);
  std::byte* address = device_->memory->begin() + grant->offset;
  if (device_->observer) {
    device_->observer->Allocate(timeline_, operation, device_->space, address, size_bytes);
  }
  return address;
}

Status Stream::Free(std::string_view operation, void* address) {
  std::lock_guard lock(mutex_);
  std::lock_guard pool_lock(device_->pool_mutex);
  if (device_->observer) device_->observer->Free(timeline_, operation, device_->space, address);
  const Memory& memory = *device_->memory;
  size_t offset =
      reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(memory.begin());
  if (!memory.Contains(address) || !device_->pool.IsBlock(offset)) {
    return InvalidArgumentError(
        StrCat(name_, ": '", operation, "' frees an address where no block begins"));
  }
  device_->pool.Free(offset, PushRecord());
  return OkStatus();
}

Event Stream::Record() {
  std::lock_guard lock(mutex_);
  return Event(PushRecord());
}

void Stream::WaitFor(const Event& event) {
  if (!event) return;
  std::lock_guard lock(mutex_);
  PushWait(event.record_, /*takes_errors=*/true);
}

Status Stream::Synchronize() { return Record().Wait(); }

Status Stream::status() const {
  std::lock_guard lock(mutex_);
  return error_;
}

void Stream::set_delay(Delay delay) {
  std::lock_guard lock(mutex_);
  delay_ = delay;
}

void Stream::Push(Entry entry) {
  entry.number = ++num_enqueued_;
  if (closing_) {
    if (error_.ok()) error_ = FailedPreconditionError(StrCat(name_, " is closed"));
    if (entry.record) entry.record->Happen(error_);
    return;
  }
  queue_.push_back(std::move(entry));
  changed_.notify_all();
}

std::shared_ptr<internal::EventRecord> Stream::PushRecord() {
  seen_->Raise(id_, num_enqueued_ + 1);
  TimelineObserver* observer = device_->observer;
  auto record =
      std::make_shared<internal::EventRecord>(id_, num_enqueued_ + 1, *seen_, device_->host,
                                              observer, observer ? observer->Record(timeline_) : 0);
  Push({.record = record});
  return record;
}

void Stream::PushWait(const std::shared_ptr<internal::EventRecord>& record, bool takes_errors) {
  seen_->Join(record->seen);
  if (device_->observer) device_->observer->Wait(timeline_, record->event);
  Push({.wait = record, .takes_errors = takes_errors});
}

void Stream::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Status error = error_;
    {
      Entry entry = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      error = RunEntry(entry, error);
    }  // What the kernel owned is destroyed without the lock.
    lock.lock();
    if (error_.ok()) error_ = std::move(error);
  }
}

Status Stream::RunEntry(Entry& entry, const Status& error) {
  if (entry.record) {
    entry.record->Happen(error);
  } else if (error.ok()) {
    if (!entry.wait) return RunKernel(entry);
    Status awaited = entry.wait->Await();
    if (entry.takes_errors) return awaited;
  }
  return error;
}

Status Stream::RunKernel(Entry& entry) {
  std::optional<tracing::ContextScope> caller;
  if (tracing::IsRecording()) [[unlikely]]
    caller.emplace(entry.caller);
  const RecordedAs& as = entry.recorded_as;
  if (as.is_host_call) return RunKernelNow(entry);
  if (as.to.empty()) {
    tracing::RecordScope record(kKernelRecord, entry.operation, {}, name_);
    return RunKernelNow(entry);
  }
  tracing::RecordScope record(kCopyRecord, entry.operation, {}, as.size_bytes, as.from, as.to,
                              name_);
  return RunKernelNow(entry);
}

Status Stream::RunKernelNow(Entry& entry) {
  if (entry.delay.count() > 0) std::this_thread::sleep_for(entry.delay);
  auto run = [&]() -> Status {
    std::vector<std::byte*> addresses;
    for (const Operand& operand : entry.operands) {
      std::byte* address = nullptr;
      if (operand.size_bytes > 0) {
        TFRT_ASSIGN_OR_RETURN(address,
                              device_->memory->StreamAddress(operand.address, operand.size_bytes));
      }
      addresses.push_back(address);
    }
    return entry.kernel->Run(addresses);
  };
  Status status = run();
  if (status.ok()) return status;
  return Status(status.code(), StrCat(name_, ": operation ", entry.number, ", '", entry.operation,
                                      "': ", status.message()));
}

}  // namespace tfrt::sim
