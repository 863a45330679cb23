// What in one run is what in another one.
#ifndef TFRT_LIB_PROFILER_STACK_MATCHING_H_
#define TFRT_LIB_PROFILER_STACK_MATCHING_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

inline constexpr size_t kNoMatch = ~size_t{0};

// Something with a number and a name, which others may have, too.
struct Identity {
  int64_t id = 0;
  std::string_view name;
};

struct Matching {
  std::vector<size_t>
      reference_of;         // of each of `others`; kNoMatch: in the reference there is none
  bool is_by_name = false;  // numbers did not fit
};

// By number (and, where several have one, their order) if there are as many on both sides and all
// names agree; else by name and the order of those that have it.
Matching Match(const std::vector<Identity>& reference, const std::vector<Identity>& others);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_MATCHING_H_
