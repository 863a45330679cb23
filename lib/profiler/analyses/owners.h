// Finds the run and the layer to which each event of a profile belongs.
#ifndef TFRT_LIB_PROFILER_ANALYSES_OWNERS_H_
#define TFRT_LIB_PROFILER_ANALYSES_OWNERS_H_

#include <cstdint>
#include <vector>

#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

// Returns for each event the outermost member that contains it, or is it, by its chain of parents;
// kNoEvent if there is none. With `innermost` returns the innermost one.
std::vector<uint32_t> MembersAround(const Profile& profile, const std::vector<bool>& is_member,
                                    bool innermost = false);

// Returns the time from its begin until it has ended and its results are available.
Interval WindowOf(const Event& event);

// Finds by time the owner that contains an event.
class TimePlacer {
 public:
  struct Found {
    uint32_t event = kNoEvent;
    bool is_ambiguous = false;  // inside of several
  };
  // `owners` are events of the profile, in any order. The profile must outlive the placer.
  TimePlacer(const Profile& profile, std::vector<uint32_t> owners);

  // Returns for each of `events`, in order, the owner that contains it. That is the innermost one
  // on its own track, otherwise the only one of all tracks. Common begins and ends count as inside.
  std::vector<Found> Place(const std::vector<uint32_t>& events);

 private:
  struct Open;  // an owner that has begun
  class TrackStack;

  const Profile& profile_;
  std::vector<uint32_t> owners_;  // ordered by begin, longer ones first
};

// The evidence that an event belongs to its layer.
enum class Placing : uint8_t { kNone, kExplicit, kLaunch, kTime, kAmbiguous };

struct Owners {
  std::vector<uint32_t> runs;    // the events that are runs, ordered by begin
  std::vector<uint32_t> layers;  // the events that are layers
  uint64_t num_inner_layers = 0;
  bool layers_are_kernels = false;
  // For each event: its run and its layer (events; kNoEvent: none), and the evidence.
  std::vector<uint32_t> run_of;
  std::vector<uint32_t> layer_of;
  std::vector<Placing> placing;
  // For each event of level device: the call that launched it; kNoEvent: unknown.
  std::vector<uint32_t> launch_of;
};

Owners FindOwners(const Profile& profile);

// Returns whether events of this type are the kernels of analyses. These are scopes of level kernel
// or device that are neither blocks of one nor memory for its results.
bool IsKernelType(const EventType& type);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_OWNERS_H_
