// Who an instant belongs to when several claim it.
#ifndef TFRT_LIB_PROFILER_EAGER_CHARGES_H_
#define TFRT_LIB_PROFILER_EAGER_CHARGES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tfrt/profiler/intervals.h"

namespace tfrt::profiler::internal {

struct Claim {
  Interval interval;
  size_t owner = 0;
};

enum class Winner : uint8_t {
  kFirst,  // who has begun first; of these, the lower owner
  kLast,   // who has begun last: what is inside of others; of these, the one that ends first
};

// Disjoint pieces of the claims' union, by time, each with the claim that has won it: an index in
// `claims`. Takes n log n.
struct OwnedPiece {
  Interval interval;
  size_t claim = 0;
};
std::vector<OwnedPiece> FindOwners(const std::vector<Claim>& claims, Winner winner);

// Gives each claim's owner what it wins of `time`: adds its length to sums[owner]. Returns what
// nobody claims.
IntervalSet Charge(const IntervalSet& time, const std::vector<Claim>& claims,
                   std::vector<int64_t>& sums);

}  // namespace tfrt::profiler::internal

#endif  // TFRT_LIB_PROFILER_EAGER_CHARGES_H_
