// Which run and which layer each event of a trace belongs to.
#ifndef TFRT_LIB_PROFILER_STACK_OWNERS_H_
#define TFRT_LIB_PROFILER_STACK_OWNERS_H_

#include <cstdint>
#include <vector>

#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

// Of each event the outermost member around it, itself included, by its chain of parents; kNoEvent
// if there is none. With `innermost` the innermost one.
std::vector<uint32_t> MembersAround(const Trace& trace, const std::vector<bool>& is_member,
                                    bool innermost = false);

// From its begin until it has ended and its results are there.
Interval WindowOf(const Event& event);

// Finds by time what an event is inside of.
class TimePlacer {
 public:
  struct Found {
    uint32_t event = kNoEvent;
    bool is_ambiguous = false;  // inside of several
  };
  // `owners`: events of the trace, in any order. The trace must outlive the placer.
  TimePlacer(const Trace& trace, std::vector<uint32_t> owners);

  // For each of `events` the owner that it is inside of: on its own track the innermost, else the
  // only one of all tracks. Begins and ends in common are inside. In the order of `events`.
  std::vector<Found> Place(const std::vector<uint32_t>& events);

 private:
  struct Open;  // an owner that has begun
  class TrackStack;

  const Trace& trace_;
  std::vector<uint32_t> owners_;  // by begin, longer ones first
};

// How an event is known to belong to its layer.
enum class Placing : uint8_t { kNone, kExplicit, kLaunch, kTime, kAmbiguous };

struct Owners {
  std::vector<uint32_t> runs;    // the events that are runs, by begin
  std::vector<uint32_t> layers;  // the events that are layers
  uint64_t num_inner_layers = 0;
  bool layers_are_kernels = false;
  // Of each event: its run and its layer (events; kNoEvent: none), and how that is known.
  std::vector<uint32_t> run_of;
  std::vector<uint32_t> layer_of;
  std::vector<Placing> placing;
  // Of each event of level device: the call that launched it; kNoEvent: not known.
  std::vector<uint32_t> launch_of;
};

Owners FindOwners(const Trace& trace);

// Whether events of this type are the kernels of analyses: scopes of level kernel or device that
// are neither blocks of one nor memory for its results.
bool IsKernelType(const EventType& type);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_OWNERS_H_
