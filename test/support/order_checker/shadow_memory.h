// ShadowMemory: for each byte of an address space, who used it last.
#ifndef TFRT_TEST_SUPPORT_ORDER_CHECKER_SHADOW_MEMORY_H_
#define TFRT_TEST_SUPPORT_ORDER_CHECKER_SHADOW_MEMORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "test/support/order_checker/vector_clock.h"

namespace tfrt {

enum class MarkKind : uint8_t { kRead, kWrite, kReadWrite, kAllocate, kFree };
// What a use of that kind does to bytes: "reads and writes".
const char* VerbOf(MarkKind kind);

// One use of memory: `kind` by step `step` of `timeline`, which is number `operation` of all.
struct Mark {
  MarkKind kind;
  uint32_t timeline;
  uint64_t step;
  uint64_t operation;
};

inline bool IsBefore(const Mark& mark, const VectorClock& clock) {
  return clock.Of(mark.timeline) >= mark.step;
}

// Not thread-safe.
class ShadowMemory {
 public:
  // An earlier use of the bytes from `begin` to `end` that is not ordered before the one given.
  struct Conflict {
    Mark earlier;
    uintptr_t begin, end;
  };

  // Notes that these bytes, at least one, are used. Returns the uses that conflict, by address.
  // All but kRead conflict with every kind, reads with what is not a read.
  std::vector<Conflict> Use(uintptr_t begin, uintptr_t end, const Mark& mark,
                            const VectorClock& clock);
  // The allocation behind which the first of these bytes that nothing has written since stands.
  std::optional<Conflict> FindUnwritten(uintptr_t begin, uintptr_t end) const;
  // Nobody has used these bytes.
  void Clear(uintptr_t begin, uintptr_t end);

  size_t num_segments() const { return segments_.size(); }

 private:
  // The bytes from its key in the map to `end` have had the same uses. Two reads of one timeline
  // are ordered, so the last of each is enough; and what comes after a write comes after the reads
  // before it, or the write itself was a conflict.
  struct Segment {
    uintptr_t end;
    std::optional<Mark> change;  // anything but a read
    std::vector<Mark> reads;     // since then, one per timeline
  };
  using Segments = std::map<uintptr_t, Segment>;

  // Makes a border of segments at `address` if one lies across it. Returns the first behind it.
  Segments::iterator Split(uintptr_t address);
  void UseSegment(Segments::iterator segment, const Mark& mark, const VectorClock& clock,
                  std::vector<Conflict>* conflicts);

  Segments segments_;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_ORDER_CHECKER_SHADOW_MEMORY_H_
