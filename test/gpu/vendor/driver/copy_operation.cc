#include <algorithm>
#include <cstring>
#include <utility>

#include "driver.h"
#include "operations.h"
#include "pending_uses.h"

namespace tfrt::gpu::cuda_double {
namespace {

using UseKind = Allocation::PendingUse::Kind;

bool IsHostSide(const CopySide& side) { return side.allocation && IsHost(side.allocation->kind); }

// Whether the command comes behind a function of the host that may use any memory. One that it
// does not come behind has no business with its bytes.
bool IsBehindHostFunction(const Command& command) {
  const auto& pending = TheDriver()->functions_in_flight;
  return std::any_of(pending.begin(), pending.end(), [&](const Command* function) {
    return command.stamp.clock.Of(function->stamp.timeline) >= function->stamp.step;
  });
}

uint64_t LastByte(const CopySide& side, const CopyShape& shape) {
  size_t rows = (shape.num_layers - 1) * side.rows_per_layer + shape.num_rows - 1;
  return side.address + rows * side.pitch + shape.row_bytes;
}

}  // namespace

CopyOperation::CopyOperation(const char* name, CopySide to, CopySide from, CopyShape shape,
                             std::shared_ptr<std::vector<std::byte>> staged)
    : name_(name),
      to_(std::move(to)),
      from_(std::move(from)),
      shape_(shape),
      staged_(std::move(staged)) {}

template <typename F>
void CopyOperation::ForEachRow(const CopySide& side, F&& f) const {
  for (size_t layer = 0; layer < shape_.num_layers; ++layer) {
    for (size_t row = 0; row < shape_.num_rows; ++row) {
      f((layer * side.rows_per_layer + row) * side.pitch);
    }
  }
}

uint64_t CopyOperation::HashSource() const {
  uint64_t hash = 1;
  ForEachRow(from_,
             [&](size_t offset) { hash = HashBytes(hash, from_.data + offset, shape_.row_bytes); });
  return hash;
}

void CopyOperation::Begin(Command& command) const {
  if (IsHostSide(from_)) {
    uint64_t end = LastByte(from_, shape_);
    // Bytes that a device, or a function in a stream, still writes may of course change.
    if (!HasPendingUse(*from_.allocation, from_.address, end, /*writes_only=*/true) &&
        !IsBehindHostFunction(command)) {
      command.has_source_hash = true;
      command.source_hash = HashSource();
    }
    AddPendingUse(*from_.allocation, command.id, from_.address, end, UseKind::kRead);
  }
  if (IsHostSide(to_)) {
    uint64_t end = LastByte(to_, shape_);
    // A host that reads the destination too early shall not find what it hopes for. Commands in
    // flight that are ordered before this one still need the bytes.
    if (!HasPendingUse(*to_.allocation, to_.address, end, /*writes_only=*/false) &&
        !IsBehindHostFunction(command)) {
      ForEachRow(to_, [&](size_t offset) {
        std::memset(to_.data + offset, kInFlightPoison, shape_.row_bytes);
      });
    }
    AddPendingUse(*to_.allocation, command.id, to_.address, end, UseKind::kWrite);
  }
}

void CopyOperation::End(Command& command) const {
  if (IsHostSide(from_)) RemovePendingUses(*from_.allocation, command.id);
  if (IsHostSide(to_)) RemovePendingUses(*to_.allocation, command.id);
}

std::vector<MemoryUse> CopyOperation::Uses(const CopySide& side, MarkKind kind) const {
  std::vector<MemoryUse> uses;
  ForEachRow(side, [&](size_t offset) {
    uint64_t begin = side.address + offset, end = begin + shape_.row_bytes;
    if (!uses.empty() && uses.back().end == begin) {
      uses.back().end = end;
    } else {
      uses.push_back({begin, end, kind});
    }
  });
  return uses;
}

// The memory of another context that has failed has unknown contents: its commands have not written
// their results.
CUresult CopyOperation::CheckMemory(const Command& command) const {
  for (const CopySide* side : {&from_, &to_}) {
    const Context* owner = side->allocation ? side->allocation->context : nullptr;
    // The checker handles memory that was freed with its context. Memory of a pool belongs to the
    // device.
    if (!owner || owner->is_destroyed || side->allocation->pool) continue;
    if (owner != command.context && owner->failure() != CUDA_SUCCESS) {
      return owner->failure();
    }
  }
  return CUDA_SUCCESS;
}

CUresult CopyOperation::Execute(Command& command) const {
  Checker& checker = TheDriver()->checker;
  bool is_live = true;
  for (const CopySide* side : {&from_, &to_}) {
    if (side->allocation) is_live = checker.CheckLive(command.stamp, *side->allocation) && is_live;
  }
  if (!is_live) return CUDA_ERROR_ILLEGAL_ADDRESS;
  if (command.has_source_hash && HashSource() != command.source_hash) {
    checker.Report(command.stamp, "write to a source in flight",
                   "reads " + from_.allocation->Name() +
                       ", which the host has changed between the call and the copy");
  }
  if (from_.allocation) {
    checker.Use(command.stamp, *from_.allocation, Uses(from_, MarkKind::kRead),
                /*check_defined=*/true);
  }
  if (to_.allocation) {
    checker.Use(command.stamp, *to_.allocation, Uses(to_, MarkKind::kWrite),
                /*check_defined=*/false);
  }
  if (from_.allocation && from_.allocation == to_.allocation) {
    const std::vector<MemoryUse> read = Uses(from_, MarkKind::kRead);
    for (const MemoryUse& written : Uses(to_, MarkKind::kWrite)) {
      if (std::ranges::none_of(read, [&](const MemoryUse& use) {
            return use.begin < written.end && written.begin < use.end;
          })) {
        continue;
      }
      checker.Report(command.stamp, "overlapping copy",
                     "reads and writes the same bytes of " + from_.allocation->Name());
      break;
    }
  }
  for (size_t layer = 0; layer < shape_.num_layers; ++layer) {
    for (size_t row = 0; row < shape_.num_rows; ++row) {
      std::memmove(to_.data + (layer * to_.rows_per_layer + row) * to_.pitch,
                   from_.data + (layer * from_.rows_per_layer + row) * from_.pitch,
                   shape_.row_bytes);
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace tfrt::gpu::cuda_double
