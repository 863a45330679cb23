// ForeignProfile: records of other systems, in the event types of the project's own profiles.
#ifndef TFRT_LIB_PROFILER_FILES_FOREIGN_PROFILE_H_
#define TFRT_LIB_PROFILER_FILES_FOREIGN_PROFILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// The role of an event of another system.
enum class ForeignRole : uint8_t {
  kRun,           // a run of a model
  kStep,          // a step of a program: `number`
  kScope,         // a scope that the program made
  kOp,            // an op: the outermost ones are layers
  kCall,          // a call of the system's own functions, or of a library's
  kLaunch,        // of a device's kernel; with the same correlation id as the kernel
  kDeviceKernel,  // grid, block
  kDeviceCopy,    // bytes, from, to
  kDeviceFill,    // bytes
  kAllocate,      // bytes, in_use
  kFree,          // as kAllocate
};

// Zero and empty: unknown.
struct ForeignEvent {
  ForeignRole role = ForeignRole::kScope;
  std::string_view name = {};
  uint32_t track = 0;
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  uint64_t correlation_id = 0;
  std::string_view op = {};  // the op's name in its system: "Conv"
  int64_t number = -1;       // -1: in the order of their begins
  int64_t batch = 0;         // the first dimension of the op's first input
  int64_t result_batch = 0;  // and of its first result
  // For ops, by the shapes of inputs and results.
  int64_t bytes_read = 0, bytes_written = 0;
  std::string_view result = {};  // "f32 [1,2]"
  int64_t bytes = 0, in_use = 0, device = 0;
  std::string_view from = {}, to = {};
};

// Collects events. Then it determines nesting, numbers the events, and passes them to a consumer in
// the order of their begins. Events are inside of others on their track by their times. Events at
// the root of a track that lie in one run of a model belong to it.
//
// The graph.kernel of a layer is the op inside of it that takes more than half of the time, and so
// on downwards. A layer without such an op is its own kernel.
class ForeignProfile {
 public:
  static constexpr size_t kMaxEvents = 10'000'000;

  // Finds or adds a track by its numbers in a system. `process` and `thread` may be any texts.
  uint32_t TrackOf(Track::Kind kind, std::string_view process, std::string_view thread);
  void NameTrack(uint32_t track, std::string_view name);
  void Add(const ForeignEvent& event);
  // Counts an event that is not taken, by its kind: the value of its `aspect`, for example
  // "category".
  void LeaveOut(std::string_view aspect, std::string_view value);
  void AddProblem(Problem problem) { problems_.push_back(std::move(problem)); }

  // An empty `level` means "kernel" if kernels of the device are present, otherwise "layer".
  void TellAll(std::string_view producer, std::string_view level, ProfileConsumer& consumer);

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Entry {
    ForeignRole role;
    bool is_layer = false, is_kernel = false;
    uint32_t name, op, result, from, to;  // indices in strings_
    uint32_t track;
    int64_t begin_ns, end_ns;
    uint64_t correlation_id;
    int64_t number, batch, result_batch, bytes_read, bytes_written, bytes, in_use, device;
    uint32_t parent = kNone;
    uint32_t op_entry = kNone;  // the layer that it belongs to
    uint64_t id = 0;
  };

  uint32_t StringOf(std::string_view text);
  void Sort();
  void Nest();
  void FindRuns();
  void FindLaunches();
  void FindLayers();
  void FindKernels();
  void FindBatches();
  void TellTypes(ProfileConsumer& consumer) const;
  void TellEvent(const Entry& entry, ProfileConsumer& consumer, uint64_t& next_id) const;
  void Count(Problem::Kind kind, uint64_t count, std::string_view text);

  std::vector<Entry> entries_;
  std::vector<Track> tracks_;
  std::unordered_map<std::string, uint32_t> track_numbers_;
  std::vector<std::string> strings_;
  std::unordered_map<std::string, uint32_t> string_numbers_;
  std::vector<Problem> problems_;
  uint64_t num_dropped_ = 0;
  uint64_t num_reversed_ = 0;
  uint64_t num_left_out_ = 0;
  std::map<std::string, uint64_t> left_out_;  // by kind
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_FOREIGN_PROFILE_H_
