#include "kernel_operation.h"

#include <cstring>
#include <map>

#include "driver.h"
#include "pending_uses.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

// The memory of devices and pinned memory of the host, as one launch sees it.
class LaunchMemory final : public ptx::Memory {
 public:
  explicit LaunchMemory(const Command& command)
      : checker_(TheDriver()->checker), command_(command) {}

  std::optional<Region> Find(uint64_t address) override {
    std::shared_ptr<Allocation> allocation = checker_.Find(address);
    if (!allocation) {
      miss_ = checker_.Neighbours(address);
      return std::nullopt;
    }
    bool is_new = !uses_.contains(allocation->begin);
    if (is_new && !checker_.CheckLive(command_.stamp, *allocation)) {
      miss_ = "the memory was freed";
      // Memory of a pool stays where it is when it is freed.
      if (allocation->kind != MemoryKind::kPool) return std::nullopt;
    }
    if (!CanAccess(*allocation)) {
      miss_ = StrCat("nobody has enabled access to memory of device ", allocation->device->ordinal);
      return std::nullopt;
    }
    uint64_t begin = allocation->begin;
    Region region{begin, begin + allocation->size_bytes, allocation->data, allocation->writable};
    uses_[begin].allocation = std::move(allocation);
    return region;
  }

  void ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) override {
    checker_.ReadDefined(*Holder(begin).allocation, begin, end, bits);
  }

  void Touched(uint64_t begin, uint64_t end, ptx::Access access) override {
    MarkKind kind = access == ptx::Access::kRead    ? MarkKind::kRead
                    : access == ptx::Access::kWrite ? MarkKind::kWrite
                                                    : MarkKind::kReadWrite;
    std::vector<MemoryUse>& uses = Holder(begin).uses[static_cast<int>(access)];
    if (!uses.empty() && uses.back().end == begin) {
      uses.back().end = end;
    } else {
      uses.push_back({begin, end, kind});
    }
  }

  // All that was touched, to the checker.
  void Finish() {
    for (auto& [begin, holder] : uses_) {
      for (const auto& uses : holder.uses) {
        // The executor has looked whether what is read is defined, byte by byte.
        checker_.Use(command_.stamp, *holder.allocation, uses, /*check_defined=*/false);
      }
    }
  }

  const std::string& miss() const { return miss_; }

 private:
  struct Uses {
    std::shared_ptr<Allocation> allocation;
    std::vector<MemoryUse> uses[3];  // by ptx::Access
  };

  bool CanAccess(const Allocation& allocation) const {
    if (!allocation.device || allocation.device == command_.context->device) return true;
    std::lock_guard lock(TheDriver()->mutex);
    if (allocation.pool) {
      return allocation.pool->accessible_from.contains(command_.context->device->ordinal);
    }
    return command_.context->peers.contains(allocation.context);
  }
  Uses& Holder(uint64_t address) { return std::prev(uses_.upper_bound(address))->second; }

  Checker& checker_;
  const Command& command_;
  std::map<uint64_t, Uses> uses_;  // by the beginning of the allocation
  std::string miss_;
};

CUresult CodeOf(ptx::FaultKind kind) {
  switch (kind) {
    case ptx::FaultKind::kIllegalAddress:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case ptx::FaultKind::kMisalignedAddress:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case ptx::FaultKind::kIllegalInstruction:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case ptx::FaultKind::kAssert:
      return CUDA_ERROR_ASSERT;
    case ptx::FaultKind::kStackOverflow:
      return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case ptx::FaultKind::kStepBudget:
    case ptx::FaultKind::kDeadlock:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case ptx::FaultKind::kInvalidLaunch:
      return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    default:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
}

// As one line behind the name of the command; the kind of a report comes before that.
std::string TextOf(const ptx::Fault& fault) {
  std::string text = fault.Text(), kind = StrCat(ptx::FaultKindName(fault.kind), ": ");
  return text.starts_with(kind) ? StrCat("at ", text.substr(kind.size())) : text;
}

// False for faults that a program may cause on purpose: the result code alone reports them.
bool IsDefect(ptx::FaultKind kind) {
  return kind != ptx::FaultKind::kTrap && kind != ptx::FaultKind::kAssert;
}

}  // namespace

std::vector<std::shared_ptr<Allocation>> KernelOperation::HostMemory() const {
  std::vector<std::shared_ptr<Allocation>> found;
  for (const ptx::Parameter& parameter : kernel_->entry->parameters) {
    for (uint32_t offset = 0; offset + 8 <= parameter.size; offset += 8) {
      uint64_t address;
      std::memcpy(&address, parameters_.data() + parameter.offset + offset, 8);
      std::shared_ptr<Allocation> allocation = TheDriver()->memory.Find(address);
      if (allocation && IsHost(allocation->kind)) found.push_back(std::move(allocation));
    }
  }
  return found;
}

void KernelOperation::Begin(Command& command) const {
  // It may use any of it.
  for (const auto& allocation : HostMemory()) {
    AddPendingUse(*allocation, command.id, allocation->begin,
                  allocation->begin + allocation->size_bytes, Allocation::PendingUse::Kind::kAny);
  }
}

void KernelOperation::End(Command& command) const {
  for (const auto& allocation : HostMemory()) RemovePendingUses(*allocation, command.id);
}

CUresult KernelOperation::Execute(Command& command) const {
  LaunchMemory memory(command);
  ptx::LaunchRequest request;
  request.entry = kernel_->entry;
  request.grid = shape_.grid;
  request.block = shape_.block;
  request.dynamic_shared_bytes = shape_.dynamic_shared_bytes;
  request.cooperative = shape_.cooperative;
  request.parameters = parameters_;
  request.device_multiprocessors = kNumMultiprocessors;
  ptx::LaunchLimits limits;
  limits.steps = uint64_t{1} << 33;                 // minutes: a kernel that never ends
  limits.shared_bytes = kSharedBytesPerBlockOptIn;  // the launch was checked against the opt-in
  limits.allow_own_writes_after_nc = TheDriver()->settings.allows_own_writes_after_nc;
  // As were the blocks of a cooperative launch against what the device holds at once.
  if (shape_.cooperative) limits.resident_blocks = kBlocksPerMultiprocessor * kNumMultiprocessors;
  ptx::LaunchResult result = ptx::Launch(*kernel_->module->instance, request, memory, limits);
  memory.Finish();
  Checker& checker = TheDriver()->checker;
  for (const ptx::Fault& report : result.reports) {
    checker.Report(command.stamp, ptx::FaultKindName(report.kind), TextOf(report));
  }
  if (!result.fault) return CUDA_SUCCESS;
  if (IsDefect(result.fault->kind)) {
    std::string text = TextOf(*result.fault);
    if (result.fault->kind == ptx::FaultKind::kIllegalAddress && !memory.miss().empty()) {
      text = StrCat(text, "; ", memory.miss());
    }
    checker.Report(command.stamp, ptx::FaultKindName(result.fault->kind), text);
  }
  return CodeOf(result.fault->kind);
}

}  // namespace tfrt::gpu::cuda_double
