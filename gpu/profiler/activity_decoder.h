// ActivityDecoder: what CUPTI tells of a device, as events of a profile.
#ifndef TFRT_GPU_PROFILER_ACTIVITY_DECODER_H_
#define TFRT_GPU_PROFILER_ACTIVITY_DECODER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/abi/cupti_table.h"
#include "op_links.h"
#include "tfrt/profiler/event_stream.h"

namespace tfrt::gpu {

// For one session and one stream of events; one thread at a time.
//
// These events are made, each with a name:
//   device.kernel    a kernel on a stream of a device; the kernel's name
//   device.copy      a copy there; "copy"
//   device.fill      a fill there; "fill"
//   device.launch    a call of the vendor's API on behalf of an op; its function
//   device.call      any other call, except queries; its function
//   device.sync      a wait of the host, or of a stream; what it waited for
//   device.overhead  time that the driver or the profiler took; what for
//
// A command has the op and the parent of its launch; one of a graph has the op that made its node.
// Records come in any order: commands whose launch has not been told of yet are held back for a
// while. Correlation ids are those of CUPTI, apart from all others by their highest bits.
class ActivityDecoder {
 public:
  struct Sources {
    const cupti::Table* table = nullptr;
    int version = 0;  // of the library: says how long records are
    const OpNames* op_names = nullptr;
    const GraphOps* graph_ops = nullptr;
    int64_t clock_offset_ns = 0;  // is added to all times
  };
  // Borrowed objects must outlive the decoder.
  explicit ActivityDecoder(const Sources& sources) : sources_(sources) {}
  ActivityDecoder(const ActivityDecoder&) = delete;
  ActivityDecoder& operator=(const ActivityDecoder&) = delete;

  // A buffer as the library has filled it; names of kernels are read now.
  void Decode(std::span<const uint8_t> buffer, profiler::EventStream& stream);
  // Time goes by: what has been held back for kMaxAge calls is given as it is.
  void Age(profiler::EventStream& stream);
  // Nothing more comes: gives what was held back, and says what was not understood.
  void Finish(profiler::EventStream& stream);

  static constexpr int kMaxAge = 100;
  static constexpr size_t kMaxHeld = 1 << 16;
  static constexpr size_t kMaxCorrelations = 1 << 17;
  static constexpr uint64_t kCorrelations = uint64_t{1} << 62;

 private:
  enum class Type : uint8_t { kKernel, kCopy, kFill, kLaunch, kCall, kSync, kOverhead, kCount };
  // The state of one correlation id, so far.
  struct Launch {
    OpLinks links;
    bool has_links = false;
    bool is_settled = false;  // nothing more will be told of it
  };
  struct Event {
    Type type = Type::kKernel;
    profiler::EventFields fields;
    std::array<uint64_t, profiler::kMaxEventArguments> arguments = {};
    uint32_t correlation = 0;
    uint64_t graph_node = 0;
    uint64_t age = 0;
  };

  // All that is said of a device's time goes through here; false if it says nothing.
  bool SetTimes(uint64_t start, uint64_t end, profiler::EventFields* fields);
  template <typename Record>
  bool SetCommand(const Record& record, Event* event, profiler::EventStream& stream);
  template <typename Record>
  void GiveCopy(const Record& record, std::string_view from, std::string_view to,
                profiler::EventStream& stream);
  void NoteExternal(const cupti::CUpti_ActivityExternalCorrelation& record);
  void AddKernel(const cupti::CUpti_ActivityKernel9& record, profiler::EventStream& stream);
  void AddCopy(const cupti::CUpti_ActivityMemcpy5& record, profiler::EventStream& stream);
  void AddPeerCopy(const cupti::CUpti_ActivityMemcpyPtoP4& record, profiler::EventStream& stream);
  void AddFill(const cupti::CUpti_ActivityMemset4& record, profiler::EventStream& stream);
  void AddCall(const cupti::CUpti_ActivityAPI& record, profiler::EventStream& stream);
  void AddSync(const cupti::CUpti_ActivitySynchronization& record, profiler::EventStream& stream);
  void AddOverhead(const cupti::CUpti_ActivityOverhead& record, profiler::EventStream& stream);
  void AddRecord(const uint8_t* record, profiler::EventStream& stream);
  size_t SizeOf(cupti::CUpti_ActivityKind kind) const;

  // Gives the command, or holds it back.
  void AddCommand(Event event, profiler::EventStream& stream);
  void Emit(Event& event, profiler::EventStream& stream);
  void GiveSettled(profiler::EventStream& stream);
  Launch& LaunchOf(uint32_t correlation);

  profiler::TypeId TypeOf(Type type, profiler::EventStream& stream);
  profiler::TrackId StreamTrack(uint32_t device, uint32_t context, uint32_t number,
                                profiler::EventStream& stream);
  profiler::StringId NameOfKernel(const char* name, profiler::EventStream& stream);
  // Returns the name of a callback; the flag tells whether it is a mere query.
  const std::pair<profiler::StringId, bool>& NameOfCall(cupti::CUpti_CallbackDomain domain,
                                                        uint32_t id, profiler::EventStream& stream);

  const Sources sources_;
  std::unordered_map<uint32_t, Launch> launches_;
  std::deque<uint32_t> launch_order_;  // oldest first
  std::deque<Event> held_;
  uint64_t age_ = 0;
  std::vector<const uint8_t*> records_;  // of the buffer that is being decoded

  std::array<int64_t, static_cast<size_t>(Type::kCount)> types_ = {-1, -1, -1, -1, -1, -1, -1};
  std::unordered_map<uint64_t, std::unordered_map<uint32_t, profiler::TrackId>> stream_tracks_;
  std::unordered_map<uint64_t, std::pair<profiler::StringId, bool>> call_names_;
  std::unordered_map<std::string, profiler::StringId> kernel_names_;  // as the driver has them

  uint64_t num_unknown_ = 0;
  uint64_t num_unreadable_ = 0;
  uint64_t num_without_times_ = 0;
  uint64_t num_without_graph_op_ = 0;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_PROFILER_ACTIVITY_DECODER_H_
