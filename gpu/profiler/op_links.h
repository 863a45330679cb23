// OpLinks identify the op for which something was enqueued on a device, and pass it to CUPTI.
#ifndef TFRT_GPU_PROFILER_OP_LINKS_H_
#define TFRT_GPU_PROFILER_OP_LINKS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gpu/abi/cupti_types.h"

namespace tfrt::gpu {

struct OpLinks {
  uint64_t op_id = 0;      // 0: none
  uint64_t record_id = 0;  // the record inside of which it was enqueued; 0: none
  uint32_t op_name = 0;    // in OpNames; 0: not known
};

// The library keeps a stack of external ids for each kind and thread, and tells of the uppermost
// ones beside each call. One kind for each link. All values carry a mark: other parts of the
// program may use the same kinds for ids of their own.
inline constexpr cupti::CUpti_ExternalCorrelationKind kOpIdKind =
    cupti::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
inline constexpr cupti::CUpti_ExternalCorrelationKind kRecordIdKind =
    cupti::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1;
inline constexpr cupti::CUpti_ExternalCorrelationKind kOpNameKind =
    cupti::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
inline constexpr uint64_t kExternalMark = uint64_t{0x5446} << 48;
inline constexpr uint64_t kExternalMask = uint64_t{0xffff} << 48;

constexpr uint64_t ToExternalId(uint64_t value) { return kExternalMark | (value & ~kExternalMask); }
// Empty if it is not one of ours.
constexpr std::optional<uint64_t> FromExternalId(uint64_t id) {
  if ((id & kExternalMask) != kExternalMark) return std::nullopt;
  return id & ~kExternalMask;
}

// Names of ops, by number from 1. Thread-safe; makes no callbacks.
class OpNames {
 public:
  static constexpr size_t kMaxNames = 1 << 16;

  // 0 for the empty name, and for those beyond kMaxNames.
  uint32_t NumberOf(std::string_view name);
  // Empty for 0 and for numbers that were not given. Lives as long as the object.
  std::string_view NameOf(uint32_t number) const;

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> names_;  // stay where they are
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

// Maps nodes of graphs to the ops that made them. Thread-safe; makes no callbacks.
class GraphOps {
 public:
  static constexpr size_t kMaxNodes = 1 << 20;

  void Add(uint64_t node, const OpLinks& links);
  // A node of a graph that can be launched was made of another node.
  void AddClone(uint64_t node, uint64_t original);
  std::optional<OpLinks> Find(uint64_t node) const;
  void Clear();
  // Nodes for which there was no room.
  uint64_t num_dropped() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, OpLinks> nodes_;
  uint64_t num_dropped_ = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_OP_LINKS_H_
