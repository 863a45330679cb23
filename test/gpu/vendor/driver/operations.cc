#include "operations.h"

#include <cstring>

#include "driver.h"
#include "pending_uses.h"

namespace tfrt::gpu::cuda_double {

void MemsetOperation::Begin(Command& command) const {
  if (!IsHost(to_.allocation->kind)) return;
  uint64_t end = to_.address + (shape_.num_rows - 1) * to_.pitch + shape_.row_bytes;
  AddPendingUse(*to_.allocation, command.id, to_.address, end,
                Allocation::PendingUse::Kind::kWrite);
}

void MemsetOperation::End(Command& command) const {
  if (IsHost(to_.allocation->kind)) RemovePendingUses(*to_.allocation, command.id);
}

CUresult MemsetOperation::Execute(Command& command) const {
  Checker& checker = TheDriver()->checker;
  if (!checker.CheckLive(command.stamp, *to_.allocation)) return CUDA_ERROR_ILLEGAL_ADDRESS;
  std::vector<MemoryUse> uses;
  for (size_t row = 0; row < shape_.num_rows; ++row) {
    uint64_t begin = to_.address + row * to_.pitch;
    uses.push_back({begin, begin + shape_.row_bytes, MarkKind::kWrite});
  }
  checker.Use(command.stamp, *to_.allocation, uses, /*check_defined=*/false);
  for (size_t row = 0; row < shape_.num_rows; ++row) {
    std::byte* bytes = to_.data + row * to_.pitch;
    if (element_bytes_ == 1) {
      std::memset(bytes, static_cast<int>(value_), shape_.row_bytes);
      continue;
    }
    for (size_t i = 0; i < shape_.row_bytes; i += element_bytes_) {
      std::memcpy(bytes + i, &value_, element_bytes_);  // little-endian
    }
  }
  return CUDA_SUCCESS;
}

std::shared_ptr<Allocation> HostOperation::HostMemory(const Range& range) {
  std::shared_ptr<Allocation> allocation = TheDriver()->memory.Find(range.begin);
  return allocation && IsHost(allocation->kind) ? allocation : nullptr;
}

void HostOperation::Begin(Command& command) const {
  if (ranges_.empty()) TheDriver()->functions_in_flight.insert(&command);
  for (const Range& range : ranges_) {
    std::shared_ptr<Allocation> allocation = HostMemory(range);
    if (!allocation) continue;
    AddPendingUse(*allocation, command.id, range.begin, range.begin + range.size_bytes,
                  range.kind == MarkKind::kRead ? Allocation::PendingUse::Kind::kRead
                                                : Allocation::PendingUse::Kind::kWrite);
  }
}

void HostOperation::End(Command& command) const {
  Driver& driver = *TheDriver();
  driver.functions_in_flight.erase(&command);
  if (driver.functions_in_flight.empty()) driver.kept_for_functions.clear();
  for (const Range& range : ranges_) {
    if (auto allocation = HostMemory(range)) RemovePendingUses(*allocation, command.id);
  }
}

CUresult HostOperation::Execute(Command& command) const {
  Checker& checker = TheDriver()->checker;
  for (const Range& range : ranges_) {
    if (range.size_bytes == 0) continue;
    std::shared_ptr<Allocation> allocation = checker.Find(range.begin);
    if (!allocation || !allocation->Holds(range.begin, range.size_bytes)) {
      checker.Report(command.stamp, "out of bounds",
                     "uses bytes of no allocation: " + checker.Neighbours(range.begin));
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    if (!checker.CheckLive(command.stamp, *allocation)) return CUDA_ERROR_ILLEGAL_ADDRESS;
    MemoryUse use{range.begin, range.begin + range.size_bytes, range.kind};
    checker.Use(command.stamp, *allocation, {&use, 1}, /*check_defined=*/!range.takes_unwritten);
  }
  RunsHostFunction() = true;
  function_();
  RunsHostFunction() = false;
  return CUDA_SUCCESS;
}

CUresult AllocateOperation::Execute(Command& command) const {
  TheDriver()->checker.Allocate(command.stamp, allocation_);
  return CUDA_SUCCESS;
}

CUresult FreeOperation::Execute(Command& command) const {
  TheDriver()->checker.Free(command.stamp, *allocation_);
  return CUDA_SUCCESS;
}

}  // namespace tfrt::gpu::cuda_double
