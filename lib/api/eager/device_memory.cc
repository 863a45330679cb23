#include "device_memory.h"

#include <utility>

#include "steps.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

std::string AllocateText(const tracing::RecordText& text) {
  return StrCat("eager.allocate bytes=", text.arguments[0]);
}
constexpr tracing::RecordType kAllocateRecord = {.name = "eager.allocate",
                                                 .level = tracing::StackLevel::kKernel,
                                                 .kind = tracing::RecordKind::kAllocation,
                                                 .sink_level = kStepLevel,
                                                 .text = &AllocateText,
                                                 .arguments = {{{"bytes", kInteger}}}};

// An allocator whose requests tracing shows.
class RecordingAllocator final : public HostAllocator {
 public:
  explicit RecordingAllocator(HostAllocator* memory) : memory_(memory) {}
  void* AllocateBytes(size_t size_bytes, size_t alignment) override {
    tracing::RecordScope record(kAllocateRecord, "allocate", {}, size_bytes);
    return memory_->AllocateBytes(size_bytes, alignment);
  }
  void DeallocateBytes(void* block, size_t size_bytes) override {
    memory_->DeallocateBytes(block, size_bytes);
  }

 private:
  HostAllocator* memory_;
};

}  // namespace

HostAllocator* ArrayAllocator() {
  static HostAllocator* const allocator =
      new SmallBlockAllocator(CreateMallocAllocator().release());
  return allocator;
}

DeviceMemory::DeviceMemory(RCReference<Device> device, std::shared_ptr<CopyRegistry> copies)
    : device_(std::move(device)),
      copies_(std::move(copies)),
      allocator_(device_->allocator(), [device = device_.get()] { return device->MakeRoom(); }),
      recording_(std::make_unique<RecordingAllocator>(&allocator_)) {}

std::shared_ptr<DeviceMemory> DeviceMemories::Of(const RCReference<Device>& device) {
  std::lock_guard lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.device == device.get()) return entry.memory;
  }
  auto memory = std::make_shared<DeviceMemory>(device, copies_);
  device->AddKeeper([weak = std::weak_ptr(memory)] {
    std::shared_ptr<DeviceMemory> memory = weak.lock();
    return memory && memory->DropCopies() > 0;
  });
  entries_.push_back({device.get(), memory});
  return memory;
}

}  // namespace tfrt::eager
