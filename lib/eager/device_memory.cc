#include "device_memory.h"

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
class TracedAllocator final : public HostAllocator {
 public:
  explicit TracedAllocator(HostAllocator* memory) : memory_(memory) {}
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

DeviceMemory::DeviceMemory(HostAllocator* host_memory) : devices_(kMaxDevices) {
  for (size_t i = 0; i < devices_.size(); ++i) {
    HostAllocator* memory = host_memory;
    if (i != kHostDevice) {
      devices_[i].own_memory = CreateMallocAllocator();
      memory = devices_[i].own_memory.get();
    }
    devices_[i].allocator = std::make_unique<SmallBlockAllocator>(memory, [this, i] {
      return copies_.DropCopies(nullptr, static_cast<int>(i), /*available=*/true) > 0;
    });
    devices_[i].traced = std::make_unique<TracedAllocator>(devices_[i].allocator.get());
  }
}

}  // namespace tfrt::eager
