// Matches the parts of one run to those of another.
#ifndef TFRT_LIB_PROFILER_ANALYSES_MATCHING_H_
#define TFRT_LIB_PROFILER_ANALYSES_MATCHING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

inline constexpr size_t kNoMatch = ~size_t{0};

// Identifies something by a number and a name, which may not be unique.
struct Identity {
  int64_t id = 0;
  std::string_view name;
};

struct Matching {
  std::vector<size_t> reference_of;  // for each of `others`; kNoMatch: missing in the reference
  bool is_by_name = false;           // numbers did not fit
};

// Matches by number (and, where several have one, their order) if both sides have as many and all
// names agree. Otherwise matches by name and the order of those that have it.
Matching Match(const std::vector<Identity>& reference, const std::vector<Identity>& others);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_MATCHING_H_
