// Checks that an event of a stream only uses names, types and tracks of the stream.
#ifndef TFRT_LIB_PROFILER_STREAM_CHECK_H_
#define TFRT_LIB_PROFILER_STREAM_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

// Returns whether the stream has all that the event uses.
inline bool IsOfStream(const EventFields& event, std::span<const EventType> types,
                       size_t num_strings, size_t num_tracks) {
  if (event.type >= types.size() || event.name >= num_strings || event.track >= num_tracks) {
    return false;
  }
  const std::vector<EventType::Argument>& specs = types[event.type].arguments;
  if (event.arguments.size() != specs.size()) return false;
  for (size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].type == ArgumentType::kName && event.arguments[i] >= num_strings) return false;
  }
  return true;
}

struct StreamCheck {
  std::vector<EventType> types;
  size_t num_strings = 0;
  size_t num_tracks = 0;
  uint64_t num_malformed = 0;

  // Checks an event and counts malformed ones.
  bool IsGood(const EventFields& event) {
    const bool is_good = IsOfStream(event, types, num_strings, num_tracks);
    if (!is_good) ++num_malformed;
    return is_good;
  }

  // Makes the problem that writers report at the end if num_malformed is not 0.
  Problem MakeProblem() const {
    return {.kind = Problem::Kind::kUnreadable,
            .count = num_malformed,
            .text = StrCat(num_malformed,
                           " events speak of names, types or threads that are not there")};
  }
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STREAM_CHECK_H_
