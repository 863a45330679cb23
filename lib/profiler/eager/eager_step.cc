// The life of each eager op, from the records that docs/eager_details.md and docs/tracing.md
// describe.
//
// SYNC: E is eager.call until the op's kernel begins, and eager.handle; D is the rest of the call.
// A call on a few elements that is recorded without details ends with its kernel, and has no D.
// ASYNC: E is eager.call (of copies and constants, eager.schedule). The op is in the queue from
// eager.enqueue to eager.dequeue or eager.begin; D is from there to eager.published. Both exclude
// C: eager.kernel on a CPU and the work of other threads for it. Copies (of any type of that kind,
// and the kernels of the ops Copy and Dense) and waiting are not part of C. On a device with
// streams eager.kernel is the launch, so a part of D, and G is the time that the stream records.
// The event that begins last on a thread has the thread: a call in a kernel, a task that a thread
// runs while it waits. Waiting is S, except that of an executor in the middle of an op, which
// belongs to no phase.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "charges.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using internal::Claim;
using internal::FindOwners;
using internal::OwnedPiece;
using internal::Winner;

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
constexpr size_t kNoOp = ~size_t{0};

// Says which part of an op an event records.
enum class Role : uint8_t {
  kOther,
  kCall,
  kHandle,
  kSchedule,
  kEnqueue,
  kTaken,
  kPublish,
  kPublished,
  kKernel,     // the op's function, on whatever device
  kBlock,      // another part of a kernel, on any thread
  kGpuKernel,  // of a device with streams
  kLaunch,
  kCopy,
  kStall,
  kStep,
};

Role RoleOf(const EventType& type) {
  static const auto& by_name = *new std::map<std::string_view, Role>{
      {"eager.call", Role::kCall},         {"eager.handle", Role::kHandle},
      {"eager.schedule", Role::kSchedule}, {"eager.enqueue", Role::kEnqueue},
      {"eager.dequeue", Role::kTaken},     {"eager.begin", Role::kTaken},
      {"eager.publish", Role::kPublish},   {"eager.published", Role::kPublished},
      {"eager.kernel", Role::kKernel},     {"step", Role::kStep},
  };
  if (auto found = by_name.find(type.name); found != by_name.end()) return found->second;
  if (type.kind == RecordKind::kCopy) return Role::kCopy;
  if (type.kind == RecordKind::kStall) return Role::kStall;
  if (type.kind != RecordKind::kScope) return Role::kOther;
  if (type.level == StackLevel::kDevice) return Role::kGpuKernel;
  if (type.level == StackLevel::kLibrary) return Role::kLaunch;
  if (type.level == StackLevel::kKernel) return Role::kBlock;
  return Role::kOther;
}

// The functions of ops that the runtime calls by itself.
bool IsCopyOp(std::string_view name) { return name == "Copy" || name == "Dense"; }
bool IsConstantOp(std::string_view name) { return name == "Const"; }

// Times of a hostile file may be any numbers; clamped ones can be subtracted. No clock comes near
// the limit.
constexpr int64_t kMaxTime = int64_t{1} << 61;
int64_t Clamped(int64_t time) { return std::clamp(time, -kMaxTime, kMaxTime); }
Interval Whole(const Event& event) { return {Clamped(event.begin_ns), Clamped(event.end_ns)}; }
Interval Hull(Interval a, Interval b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// Collects the events of an op before they are interpreted.
struct Found {
  std::optional<Interval> call, schedule, kernel;
  uint32_t caller = 0, executor = 0, publisher = 0, kernel_track = 0;
  int64_t enqueued = kNever, taken = kNever, publish = kNever, published = kNever;
  std::optional<int64_t> launched;
  std::vector<Interval> handles, kernels, blocks, gpu, copies;
  int64_t last = std::numeric_limits<int64_t>::min();
  bool is_ready_missing = false;

  bool is_async() const { return schedule || enqueued != kNever || taken != kNever; }
  // When what the caller did for it began.
  std::optional<int64_t> begin() const {
    if (call) return call->begin;
    if (schedule) return schedule->begin;
    if (enqueued != kNever) return enqueued;
    if (taken != kNever) return taken;
    if (kernel) return kernel->begin;
    return std::nullopt;
  }
};

// Describes the state of a thread: a phase of an op, or a stall.
struct Phase {
  enum class Kind : uint8_t { kEnqueue, kDequeue, kStall } kind;
  size_t op = kNoOp;
  bool is_executor = false;
};

class Extraction {
 public:
  Extraction(const Profile& profile, const EagerOptions& options)
      : profile_(profile), options_(options) {}

  EagerStep Run() {
    FindOps();
    FindLaunchers();
    for (const Event& event : profile_.events()) Read(event);
    FindCalls();
    for (size_t i = 0; i < found_.size(); ++i) SetMoments(i);
    ClaimThreads();
    ResolveThreads();
    for (size_t i = 0; i < found_.size(); ++i) SetSets(i);
    SetWindow();
    SetUnions();
    AddDoubts();
    SortOps();
    return std::move(step_);
  }

 private:
  void FindOps() {
    for (const EventType& type : profile_.types()) roles_.push_back(RoleOf(type));
    for (const Event& event : profile_.events()) {
      switch (RoleIn(event)) {
        case Role::kCall:
        case Role::kSchedule:
        case Role::kEnqueue:
        case Role::kTaken:
        case Role::kKernel:
          break;
        default:
          continue;
      }
      if (event.op_id == 0) continue;
      auto [at, is_new] = index_of_.try_emplace(event.op_id, found_.size());
      if (!is_new) continue;
      found_.emplace_back();
      EagerOp& op = step_.ops.emplace_back();
      op.id = event.op_id;
      op.name = profile_.NameOf(event);
    }
  }

  // Finds the owner of device activity that does not name one: the op of its launch.
  void FindLaunchers() {
    for (const Event& event : profile_.events()) {
      if (event.correlation_id == 0 || event.op_id == 0 || RoleIn(event) != Role::kLaunch) continue;
      launchers_.try_emplace(event.correlation_id, event.op_id);
    }
  }

  Role RoleIn(const Event& event) const { return roles_[event.type]; }

  size_t OpOf(const Event& event) const {
    uint64_t id = event.op_id;
    if (id == 0 && event.correlation_id != 0) {
      auto launcher = launchers_.find(event.correlation_id);
      if (launcher != launchers_.end()) id = launcher->second;
    }
    auto found = id == 0 ? index_of_.end() : index_of_.find(id);
    return found == index_of_.end() ? kNoOp : found->second;
  }

  void Read(const Event& event) {
    const Role role = RoleIn(event);
    const size_t index = OpOf(event);
    switch (role) {
      case Role::kStep:
        steps_.push_back(Whole(event));
        return;
      case Role::kStall:
        stalls_.push_back({&event, index});
        break;
      case Role::kGpuKernel:
        all_gpu_.push_back(Whole(event));
        num_gpu_without_op_ += index == kNoOp;
        break;
      case Role::kCopy:
        all_copies_.push_back(Whole(event));
        break;
      default:
        break;
    }
    if (index == kNoOp) return;
    Found& found = found_[index];
    found.last = std::max({found.last, Whole(event).end, Clamped(event.ready_ns)});
    found.is_ready_missing |= event.is_ready_missing;
    ReadOfOp(role, event, found, step_.ops[index]);
  }

  void ReadOfOp(Role role, const Event& event, Found& found, EagerOp& op) {
    const Interval whole = Whole(event);
    switch (role) {
      case Role::kCall:
        // Split or repeated ones are one call.
        found.call = found.call ? Hull(*found.call, whole) : whole;
        found.caller = event.track;
        break;
      case Role::kSchedule:
        found.schedule = found.schedule ? Hull(*found.schedule, whole) : whole;
        if (!found.call) found.caller = event.track;
        break;
      case Role::kHandle:
        found.handles.push_back(whole);
        break;
      case Role::kEnqueue:
        found.enqueued = std::min(found.enqueued, whole.begin);
        break;
      case Role::kTaken:
        if (whole.begin < found.taken) found.executor = event.track;
        found.taken = std::min(found.taken, whole.begin);
        break;
      case Role::kPublish:
        found.publish = std::min(found.publish, whole.begin);
        found.publisher = event.track;
        break;
      case Role::kPublished:
        found.published = std::min(found.published, whole.begin);
        break;
      case Role::kKernel:
        if (!found.kernel) found.kernel_track = event.track;
        found.kernel = found.kernel ? Hull(*found.kernel, whole) : whole;
        found.kernels.push_back(whole);
        if (op.device.empty()) op.device = profile_.Text(event, "");
        break;
      case Role::kBlock:
        found.blocks.push_back(whole);
        break;
      case Role::kGpuKernel:
        found.gpu.push_back(whole);
        break;
      case Role::kLaunch:
        if (!found.launched) found.launched = whole.begin;
        break;
      case Role::kCopy:
        found.copies.push_back(whole);
        break;
      default:
        break;
    }
  }

  // Constants that are made during a SYNC call are a part of it: they have nothing but a kernel.
  void FindCalls() {
    for (size_t i = 0; i < found_.size(); ++i) {
      const Found& found = found_[i];
      EagerOp& op = step_.ops[i];
      op.is_call = found.call.has_value();
      const bool is_internal = IsCopyOp(op.name) || IsConstantOp(op.name);
      if (!op.is_call && !is_internal) ++num_without_call_;
    }
  }

  void SetMoments(size_t index) {
    Found& found = found_[index];
    EagerOp& op = step_.ops[index];
    op.is_async = found.is_async();
    op.begin_ns = *found.begin();
    op.ready_ns = found.last;
    const bool runs_later = !op.device.empty() && !op.device.starts_with("cpu");
    if (!found.launched && found.kernel && runs_later) found.launched = found.kernel->begin;
    op.launched_ns = found.launched;
    const int64_t kernel_begin = found.kernel ? found.kernel->begin : kNever;
    if (!op.is_async) {
      op.enqueued_ns = found.kernel ? kernel_begin : found.call ? found.call->end : op.begin_ns;
      op.dequeued_ns = op.enqueued_ns;
      return;
    }
    if (found.taken == kNever && found.kernel) {
      found.taken = kernel_begin;
      found.executor = found.kernel_track;
      ++num_without_taken_;
    }
    if (found.enqueued == kNever) {
      found.enqueued = found.schedule ? found.schedule->end : op.begin_ns;
      ++num_without_enqueue_;
    }
    op.enqueued_ns = found.enqueued;
    op.dequeued_ns = std::max(found.taken, found.enqueued);  // kNever: still there
  }

  void Claims(uint32_t track, Interval interval, Phase phase) {
    phases_.push_back(phase);
    claims_[track].push_back({.interval = interval, .owner = phases_.size() - 1});
  }

  // Claims the phases of all ops and the stalls, by thread. An event that begins inside of another
  // has the thread: handles, nested calls, tasks that run while a thread waits.
  void ClaimThreads() {
    using enum Phase::Kind;
    for (size_t i = 0; i < found_.size(); ++i) {
      const Found& found = found_[i];
      if (found.call) {
        Claims(found.caller, *found.call, {.kind = kEnqueue, .op = i});
      } else if (found.schedule) {
        Claims(found.caller, *found.schedule, {.kind = kEnqueue, .op = i});
      }
      if (!found.is_async()) {
        if (!found.call || !found.kernel) continue;
        const int64_t begin = found.kernel->begin;
        Claims(found.caller, {begin, found.call->end}, {.kind = kDequeue, .op = i});
        const IntervalSet handles(found.handles);
        for (const Interval& handle : handles.intervals()) {
          if (handle.begin >= begin) Claims(found.caller, handle, {.kind = kEnqueue, .op = i});
        }
        continue;
      }
      if (found.taken == kNever) continue;
      executors_.push_back(found.executor);
      const Phase phase{.kind = kDequeue, .op = i, .is_executor = true};
      int64_t over = found.kernel ? found.kernel->end : found.taken;
      if (found.publish != kNever) {
        const int64_t end = found.published != kNever ? found.published : found.publish;
        if (found.publisher == found.executor) {
          over = std::max(over, end);
        } else {
          Claims(found.publisher, {found.publish, end}, phase);
        }
      }
      Claims(found.executor, {found.taken, over}, phase);
    }
    std::map<std::pair<uint32_t, size_t>, std::vector<Interval>> stalls;
    for (const auto& [event, op] : stalls_) stalls[{event->track, op}].push_back(Whole(*event));
    for (auto& [thread_and_op, times] : stalls) {
      const auto& [track, op] = thread_and_op;
      const IntervalSet united(std::move(times));
      for (const Interval& stall : united.intervals()) {
        Claims(track, stall, {.kind = kStall, .op = op});
      }
    }
  }

  void ResolveThreads() {
    enqueue_.resize(found_.size());
    dequeue_.resize(found_.size());
    stalled_.resize(found_.size());
    for (const auto& [track, claims] : claims_) {
      // Finds the stalls of executors: those during which the executor was in an op.
      std::vector<Claim> executors;
      for (const Claim& claim : claims) {
        if (phases_[claim.owner].kind != Phase::Kind::kStall) executors.push_back(claim);
      }
      std::vector<Interval> at_work;
      for (const OwnedPiece& piece : FindOwners(executors, Winner::kLast)) {
        if (phases_[executors[piece.claim].owner].is_executor) at_work.push_back(piece.interval);
      }
      const IntervalSet executing(std::move(at_work));
      size_t at = 0;  // in `executing`: the first one that is not over
      for (const OwnedPiece& piece : FindOwners(claims, Winner::kLast)) {
        const Phase& phase = phases_[claims[piece.claim].owner];
        if (phase.kind == Phase::Kind::kEnqueue) {
          enqueue_[phase.op].push_back(piece.interval);
        } else if (phase.kind == Phase::Kind::kDequeue) {
          dequeue_[phase.op].push_back(piece.interval);
        } else {
          while (at < executing.intervals().size() &&
                 executing.intervals()[at].end <= piece.interval.begin) {
            ++at;
          }
          AddStall(piece.interval, phase.op, executing.intervals().subspan(at));
        }
      }
    }
  }

  // But for what an executor waited, of whose intervals the first may be about this time.
  void AddStall(Interval interval, size_t op, std::span<const Interval> executing) {
    auto add = [&](int64_t begin, int64_t end) {
      if (end <= begin) return;
      all_stalls_.push_back({begin, end});
      if (op != kNoOp) stalled_[op].push_back({begin, end});
    };
    int64_t begin = interval.begin;
    for (size_t i = 0; i < executing.size() && executing[i].begin < interval.end; ++i) {
      add(begin, executing[i].begin);
      begin = std::max(begin, executing[i].end);
    }
    add(begin, interval.end);
  }

  void SetSets(size_t index) {
    Found& found = found_[index];
    EagerOp& op = step_.ops[index];
    std::vector<Interval> cpu = std::move(found.kernels);
    std::vector<Interval> host_copies;
    const bool on_cpu = op.device.empty() ? found.gpu.empty() : op.device.starts_with("cpu");
    if (IsCopyOp(op.name)) {
      host_copies = std::exchange(cpu, {});
    } else if (!on_cpu || IsConstantOp(op.name)) {
      cpu.clear();
    } else {
      cpu.insert(cpu.end(), found.blocks.begin(), found.blocks.end());
    }
    all_copies_.insert(all_copies_.end(), host_copies.begin(), host_copies.end());
    found.copies.insert(found.copies.end(), host_copies.begin(), host_copies.end());
    op.runs_on_cpu = !cpu.empty();
    op.runs_on_gpu = !found.gpu.empty();
    op.cpu = IntervalSet(std::move(cpu));
    op.gpu = IntervalSet(std::move(found.gpu));
    op.copies = IntervalSet(std::move(found.copies));
    op.stalls = IntervalSet(std::move(stalled_[index]));
    op.enqueue = IntervalSet(std::move(enqueue_[index]));
    op.dequeue = Difference(IntervalSet(std::move(dequeue_[index])), Union(op.cpu, op.copies));
  }

  std::optional<Interval> ChosenStep() {
    if (steps_.empty() && step_.ops.empty()) return std::nullopt;
    if (steps_.empty()) {
      Doubt("M1 to M10",
            "there is no scope of type step: the window is the whole profile, with all "
            "that its ops do for the first time");
      return std::nullopt;
    }
    if (options_.step && *options_.step >= steps_.size()) {
      Doubt("M1 to M10", StrCat("there is no step ", *options_.step, ", only ", steps_.size(),
                                ": the last one is shown"));
    }
    if (!options_.step) return MedianStep();
    return steps_[std::min(*options_.step, steps_.size() - 1)];
  }

  // Returns the last one of those with the median length: it has found caches warm.
  Interval MedianStep() const {
    std::vector<int64_t> lengths;
    for (const Interval& step : steps_) lengths.push_back(step.length());
    std::ranges::sort(lengths);
    const int64_t median = lengths[(lengths.size() - 1) / 2];
    return *std::find_if(steps_.rbegin(), steps_.rend(),
                         [&](const Interval& step) { return step.length() == median; });
  }

  void SetWindow() {
    const std::optional<Interval> step = ChosenStep();
    std::optional<Interval> window;
    auto add = [&](Interval part) { window = window ? Hull(*window, part) : part; };
    auto is_inside = [&](int64_t time) {
      return !step || (step->begin <= time && time <= step->end);
    };
    for (EagerOp& op : step_.ops) {
      op.is_in_step = is_inside(op.begin_ns);
      if (op.is_in_step) add({op.begin_ns, op.ready_ns});
    }
    if (window) {
      AddCopies(is_inside, *window);
      step_.window = *window;
    }
    for (EagerOp& op : step_.ops) {
      if (op.dequeued_ns != kNever) continue;
      op.dequeued_ns = std::max(step_.window.end, op.enqueued_ns);
      ++num_in_queue_;
    }
  }

  // Those that no op is known of, behind the first op.
  template <typename F>
  void AddCopies(const F& is_inside, Interval& window) const {
    const int64_t begin = window.begin;
    for (const Interval& copy : all_copies_) {
      if (is_inside(copy.begin) && copy.begin >= begin) window = Hull(window, copy);
    }
  }

  void SetUnions() {
    std::vector<Interval> enqueue, dequeue, cpu;
    auto append = [](std::vector<Interval>& to, const IntervalSet& from) {
      to.insert(to.end(), from.intervals().begin(), from.intervals().end());
    };
    for (const EagerOp& op : step_.ops) {
      append(enqueue, op.enqueue);
      append(dequeue, op.dequeue);
      append(cpu, op.cpu);
    }
    const IntervalSet window(std::vector<Interval>{step_.window});
    auto clipped = [&](std::vector<Interval> parts) {
      return Intersection(IntervalSet(std::move(parts)), window);
    };
    step_.enqueue = clipped(std::move(enqueue));
    step_.dequeue = clipped(std::move(dequeue));
    step_.cpu = clipped(std::move(cpu));
    step_.gpu = clipped(std::move(all_gpu_));
    step_.copies = clipped(std::move(all_copies_));
    step_.stalls = clipped(std::move(all_stalls_));
    std::ranges::sort(executors_);
    auto rest = std::ranges::unique(executors_);
    executors_.erase(rest.begin(), rest.end());
    step_.num_executors = executors_.size();
  }

  void Doubt(std::string_view figures, std::string reason) {
    step_.doubts.push_back({.figures = std::string(figures), .reason = std::move(reason)});
  }
  void DoubtIf(size_t count, std::string_view figures, std::string_view what) {
    if (count > 0) Doubt(figures, StrCat(count, count == 1 ? " op " : " ops ", what));
  }

  void AddDoubts() {
    if (step_.ops.empty()) Doubt("M1 to M10", "the profile has no eager ops");
    for (const Problem& problem : profile_.problems()) {
      const bool is_device = problem.kind == Problem::Kind::kUnavailable;
      Doubt(is_device ? "M1, M3, M5, M7, M10" : "M1 to M10", problem.text);
    }
    size_t num_late = 0, num_silent = 0;
    for (size_t i = 0; i < found_.size(); ++i) {
      num_late += found_[i].is_ready_missing;
      num_silent += found_[i].taken != kNever && found_[i].publish == kNever;
    }
    DoubtIf(num_in_queue_, "M4 to M6", "never left the queue");
    DoubtIf(num_silent, "M3, M5, M7", "began and never published results: dropped, or not over");
    DoubtIf(num_late, "M1 to M10", "had results that were not there when the profile ended");
    DoubtIf(num_without_call_, "M3, M10",
            "ran without a call: dropped, or made before the profile");
    DoubtIf(num_without_taken_, "M3 to M6", "did not say when leaving the queue: the kernel does");
    DoubtIf(num_without_enqueue_, "M4 to M6",
            "did not say when it was in the queue: the last known phase does");
    if (num_gpu_without_op_ > 0) {
      Doubt("M3, M10", StrCat(num_gpu_without_op_,
                              num_gpu_without_op_ == 1 ? " kernel of a device belongs"
                                                       : " kernels of devices belong",
                              " to no op"));
    }
  }

  void SortOps() {
    std::ranges::sort(step_.ops, [](const EagerOp& a, const EagerOp& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.id < b.id;
    });
  }

  const Profile& profile_;
  const EagerOptions& options_;
  EagerStep step_;
  std::vector<Role> roles_;  // by type
  std::unordered_map<uint64_t, size_t> index_of_;
  std::unordered_map<uint64_t, uint64_t> launchers_;  // ops by correlation id
  std::vector<Found> found_;                          // of step_.ops
  std::vector<Interval> steps_, all_gpu_, all_copies_, all_stalls_;
  std::vector<std::pair<const Event*, size_t>> stalls_;  // with their ops
  std::map<uint32_t, std::vector<Claim>> claims_;        // by track, owners in phases_
  std::vector<Phase> phases_;
  std::vector<std::vector<Interval>> enqueue_, dequeue_, stalled_;  // by op
  std::vector<uint32_t> executors_;
  size_t num_without_call_ = 0, num_without_taken_ = 0, num_without_enqueue_ = 0;
  size_t num_in_queue_ = 0, num_gpu_without_op_ = 0;
};

}  // namespace

EagerStep ExtractEagerStep(const Profile& profile, const EagerOptions& options) {
  return Extraction(profile, options).Run();
}

}  // namespace tfrt::profiler
