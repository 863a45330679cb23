#include "activity.h"

#include <cstring>
#include <functional>
#include <set>

#include "context.h"
#include "kernel_operation.h"
#include "operations.h"

namespace tfrt::gpu::cuda_double {
namespace {

static_assert(sizeof(KernelActivity) % 8 == 0 && sizeof(CopyActivity) % 8 == 0 &&
              sizeof(FillActivity) % 8 == 0);

uint32_t LaneNumber(const Command& command) { return command.stamp.timeline; }

uint8_t MemoryKindOf(const CopySide& side) {
  constexpr uint8_t kPageable = 1, kPinned = 2, kDevice = 3;
  if (!side.allocation) return kPageable;
  return IsHost(side.allocation->kind) ? kPinned : kDevice;
}

uint8_t CopyKindOf(const CopySide& to, const CopySide& from) {
  constexpr uint8_t kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 8, kHostToHost = 9;
  bool to_device = MemoryKindOf(to) == 3, from_device = MemoryKindOf(from) == 3;
  if (to_device) return from_device ? kDeviceToDevice : kHostToDevice;
  return from_device ? kDeviceToHost : kHostToHost;
}

KernelActivity OfKernel(const Command& command, const KernelOperation& kernel) {
  const LaunchShape& shape = kernel.shape();
  KernelActivity record;
  record.registers_per_thread = static_cast<uint16_t>(kernel.kernel().entry->registers);
  record.start_ns = command.start_ns;
  record.end_ns = record.completed_ns = command.end_ns;
  record.device = static_cast<uint32_t>(command.context->device->ordinal);
  record.context = static_cast<uint32_t>(command.context->id);
  record.stream = LaneNumber(command);
  const uint32_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
  const uint32_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
  for (int i = 0; i < 3; ++i) {
    record.grid[i] = static_cast<int32_t>(grid[i]);
    record.block[i] = static_cast<int32_t>(block[i]);
    record.cluster[i] = 1;
  }
  record.static_shared_bytes = static_cast<int32_t>(kernel.kernel().entry->static_shared_bytes);
  record.dynamic_shared_bytes = static_cast<int32_t>(shape.dynamic_shared_bytes);
  record.local_bytes_per_thread = kernel.kernel().entry->local_bytes;
  record.correlation = command.correlation;
  record.grid_id = static_cast<int64_t>(command.id);
  record.name = InternName(kernel.name());
  record.queued_ns = record.submitted_ns = command.enqueued_ns;
  record.graph_node = command.graph_node_id;
  return record;
}

CopyActivity OfCopy(const Command& command, const CopyOperation& copy) {
  CopyActivity record;
  record.copy_kind = CopyKindOf(copy.to(), copy.from());
  record.source_kind = MemoryKindOf(copy.from());
  record.destination_kind = MemoryKindOf(copy.to());
  record.bytes = copy.shape().total_bytes();
  record.start_ns = command.start_ns;
  record.end_ns = command.end_ns;
  record.device = static_cast<uint32_t>(command.context->device->ordinal);
  record.context = static_cast<uint32_t>(command.context->id);
  record.stream = LaneNumber(command);
  record.correlation = command.correlation;
  record.graph_node = command.graph_node_id;
  return record;
}

FillActivity OfFill(const Command& command, const MemsetOperation& fill) {
  FillActivity record;
  record.value = fill.value();
  record.bytes = fill.shape().total_bytes();
  record.start_ns = command.start_ns;
  record.end_ns = command.end_ns;
  record.device = static_cast<uint32_t>(command.context->device->ordinal);
  record.context = static_cast<uint32_t>(command.context->id);
  record.stream = LaneNumber(command);
  record.correlation = command.correlation;
  record.memory_kind = MemoryKindOf(fill.to());
  record.graph_node = command.graph_node_id;
  return record;
}

}  // namespace

const char* InternName(std::string_view name) {
  // Never freed: records outlive modules. Guarded by the driver's lock.
  static auto* names = new std::set<std::string, std::less<>>;
  auto found = names->find(name);
  if (found == names->end()) found = names->emplace(name).first;
  return found->c_str();
}

void ActivityLog::Add(const Command& command) {
  if (command.operation->type() == CU_GRAPH_NODE_TYPE_KERNEL) {
    KernelActivity record =
        OfKernel(command, static_cast<const KernelOperation&>(*command.operation));
    Push(&record, sizeof(record));
  } else if (command.operation->type() == CU_GRAPH_NODE_TYPE_MEMCPY) {
    CopyActivity record = OfCopy(command, static_cast<const CopyOperation&>(*command.operation));
    Push(&record, sizeof(record));
  } else if (command.operation->type() == CU_GRAPH_NODE_TYPE_MEMSET) {
    FillActivity record = OfFill(command, static_cast<const MemsetOperation&>(*command.operation));
    Push(&record, sizeof(record));
  }
}

void ActivityLog::Push(const void* record, size_t size_bytes) {
  if (records_.size() == kMaxRecords) {
    records_.pop_front();
    ++num_dropped_;
  }
  const auto* bytes = static_cast<const std::byte*>(record);
  records_.emplace_back(bytes, bytes + size_bytes);
}

size_t ActivityLog::Take(std::byte* buffer, size_t size_bytes) {
  size_t written = 0;
  while (!records_.empty() && records_.front().size() <= size_bytes - written) {
    const std::vector<std::byte>& record = records_.front();
    std::memcpy(buffer + written, record.data(), record.size());
    written += record.size();
    records_.pop_front();
  }
  return written;
}

}  // namespace tfrt::gpu::cuda_double
