// Assigns an instant to one of several claims.
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
  kFirst,  // the claim that began first; of several, the lower owner
  kLast,   // the claim that began last, which is inside of others; of several, the one that ends
           // first
};

// Disjoint pieces of the claims' union, ordered by time. Each has the claim that won it: an index
// in `claims`. Takes n log n.
struct OwnedPiece {
  Interval interval;
  size_t claim = 0;
};
std::vector<OwnedPiece> FindOwners(const std::vector<Claim>& claims, Winner winner);

// Adds the length that each claim wins of `time` to sums[owner]. Returns the unclaimed rest.
IntervalSet Charge(const IntervalSet& time, const std::vector<Claim>& claims,
                   std::vector<int64_t>& sums);

}  // namespace tfrt::profiler::internal

#endif  // TFRT_LIB_PROFILER_EAGER_CHARGES_H_
