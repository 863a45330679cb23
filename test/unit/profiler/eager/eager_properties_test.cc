// Random programs: the figures are those that looking at each nanosecond gives, and stay when what
// means nothing changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "test/unit/profiler/eager/eager_profiles.h"
#include "tfrt/profiler/eager_metrics.h"

namespace tfrt::profiler {
namespace {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  // Of [from, to].
  int64_t Number(int64_t from, int64_t to) {
    return from + static_cast<int64_t>(engine_() % static_cast<uint64_t>(to - from + 1));
  }
  bool OneOf(int64_t n) { return Number(1, n) == 1; }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

// Two callers that call one op after the other, and two executors that take them; kernels of
// devices, copies and stalls anywhere. Many lengths are 0.
EagerProgram RandomProgram(Random& random) {
  EagerProgram program{.steps = {{0, 1000}}};
  int64_t now[2] = {random.Number(0, 5), random.Number(0, 5)};
  int64_t free[2] = {0, 0};
  const int64_t num_ops = random.Number(1, 8);
  for (int64_t i = 1; i <= num_ops; ++i) {
    const auto id = static_cast<uint64_t>(i);
    const int64_t caller = random.Number(0, 1), executor = random.Number(0, 1);
    const int64_t begin = now[caller] + random.Number(0, 4);
    const int64_t end = now[caller] = begin + random.Number(0, 9);
    const char* device = random.OneOf(3) ? "sim:0" : "cpu:0";
    const uint32_t caller_track = caller == 0 ? kCaller : kSecondCaller;
    if (random.OneOf(4)) {
      const int64_t kernel = random.Number(begin, end), over = random.Number(kernel, end);
      const int64_t handle = random.Number(over, end);
      program.sync.push_back({.id = id,
                              .call = {begin, end},
                              .kernel = {kernel, over},
                              .handle = {{handle, random.Number(handle, end)}},
                              .device = device,
                              .caller = caller_track});
    } else {
      const int64_t enqueued = random.Number(begin, end);
      const int64_t taken = std::max(free[executor], enqueued) + random.Number(0, 6);
      const int64_t kernel = taken + random.Number(0, 4), over = kernel + random.Number(0, 9);
      const int64_t published = free[executor] = over + random.Number(0, 4);
      program.async.push_back({.id = id,
                               .call = {begin, end},
                               .enqueued = enqueued,
                               .taken = taken,
                               .kernel = Interval{kernel, over},
                               .published = published,
                               .device = device,
                               .caller = caller_track,
                               .executor = executor == 0 ? kExecutor : kSecondExecutor});
    }
  }
  auto times = [&](std::vector<OpTime>& to, bool on_threads) {
    for (int64_t n = random.Number(0, 4); n > 0; --n) {
      const int64_t begin = random.Number(0, 70);
      to.push_back({.id = static_cast<uint64_t>(random.Number(0, num_ops)),
                    .time = {begin, begin + random.Number(0, 15)},
                    .track = on_threads ? static_cast<uint32_t>(random.Number(0, 3)) : kStream});
    }
  };
  times(program.gpu, false);
  times(program.copies, false);
  times(program.stalls, true);
  // Those of one op on one thread are one stall where they touch, so there is only one.
  std::ranges::sort(program.stalls, {},
                    [](const OpTime& stall) { return std::pair(stall.id, stall.track); });
  auto rest = std::ranges::unique(program.stalls, [](const OpTime& a, const OpTime& b) {
    return a.id == b.id && a.track == b.track;
  });
  program.stalls.erase(rest.begin(), rest.end());
  return program;
}

bool Holds(const Interval& interval, int64_t time) {
  return interval.begin <= time && time < interval.end;
}

// Looks at one nanosecond after the other, with nothing of IntervalSet.
class Oracle {
 public:
  explicit Oracle(const EagerProgram& program) : program_(program) {
    FindPhases();
    FindWindow();
    for (int64_t time = begin; time < end; ++time) FindEnds(time);
    for (int64_t time = begin; time < end; ++time) Look(time);
  }

  int64_t begin = 0, end = 0;
  int64_t gpu = 0, cpu = 0, both = 0, overhead = 0, under_kernel = 0, under_executor = 0;
  int64_t exposed = 0, exposed_empty = 0, exposed_empty_stalled = 0, exposed_not_empty = 0,
          exposed_not_empty_copying = 0;
  EagerConditional empty, not_empty;
  std::vector<int64_t> depths;                        // by nanosecond
  std::map<uint64_t, std::array<int64_t, 4>> phases;  // by op: enqueue, dequeue, cpu, gpu
  std::map<std::pair<uint64_t, EagerCause>, int64_t> blame;
  int64_t unattributed = 0;

 private:
  enum Kind { kE, kD, kS };
  struct Phase {
    Kind kind;
    uint64_t op;
    Interval time;
    uint32_t track;
    bool is_executor;
    size_t order;
  };

  void FindPhases() {
    auto add = [&](Kind kind, uint64_t op, Interval time, uint32_t track, bool is_executor) {
      phases_.push_back({kind, op, time, track, is_executor, phases_.size()});
    };
    for (const AsyncOp& op : program_.async) {
      add(kE, op.id, op.call, op.caller, false);
      add(kD, op.id, {op.taken, op.published}, op.executor, true);
    }
    for (const SyncOp& op : program_.sync) {
      add(kE, op.id, op.call, op.caller, false);
      add(kD, op.id, {op.kernel.begin, op.call.end}, op.caller, false);
      add(kE, op.id, *op.handle, op.caller, false);
    }
    for (const OpTime& stall : program_.stalls) {
      add(kS, stall.id, stall.time, stall.track, false);
    }
  }

  void FindWindow() {
    begin = INT64_MAX;
    end = INT64_MIN;
    for (const AsyncOp& op : program_.async) begin = std::min(begin, op.call.begin);
    for (const SyncOp& op : program_.sync) begin = std::min(begin, op.call.begin);
    for (const MadeEvent& event : EventsOf(program_)) {
      if (event.type == "step") continue;
      const bool counts =
          event.op_id != 0 || (event.type == "device.copy" && event.time.begin >= begin);
      if (counts) end = std::max(end, event.time.end);
    }
  }

  // The innermost phase of a thread; without stalls if `awake`.
  const Phase* PhaseAt(uint32_t track, int64_t time, bool awake) const {
    const Phase* found = nullptr;
    for (const Phase& phase : phases_) {
      if (phase.track != track || !Holds(phase.time, time) || (awake && phase.kind == kS)) continue;
      if (!found || phase.time.begin > found->time.begin ||
          (phase.time.begin == found->time.begin && phase.time.end <= found->time.end)) {
        found = &phase;
      }
    }
    return found;
  }

  static bool AnyAt(const std::vector<OpTime>& times, int64_t time,
                    std::optional<uint64_t> op = {}) {
    return std::ranges::any_of(times, [&](const OpTime& other) {
      return Holds(other.time, time) && (!op || *op == other.id);
    });
  }

  bool CpuAt(int64_t time, std::optional<uint64_t> of = {}) const {
    auto runs = [&](const auto& op) {
      const Interval kernel = KernelOf(op);
      return op.device[0] == 'c' && Holds(kernel, time) && (!of || *of == op.id);
    };
    return std::ranges::any_of(program_.async, runs) || std::ranges::any_of(program_.sync, runs);
  }
  static Interval KernelOf(const AsyncOp& op) { return *op.kernel; }
  static Interval KernelOf(const SyncOp& op) { return op.kernel; }

  bool WorksAt(const Phase& phase, int64_t time) const {
    return phase.kind == kD && !CpuAt(time, phase.op) && !AnyAt(program_.copies, time, phase.op);
  }

  void FindEnds(int64_t time) {
    for (uint32_t track = 0; track < kNumTracks; ++track) {
      const Phase* phase = PhaseAt(track, time, /*awake=*/false);
      if (phase && WorksAt(*phase, time)) work_ends_[phase->op] = time + 1;
    }
  }

  void Look(int64_t time) {
    bool e = false, d = false, s = false;
    std::vector<uint64_t> enqueues, stalled;
    for (uint32_t track = 0; track < kNumTracks; ++track) {
      const Phase* phase = PhaseAt(track, time, /*awake=*/false);
      if (!phase) continue;
      if (phase->kind == kE) {
        e = true;
        enqueues.push_back(phase->op);
        ++phases[phase->op][0];
      } else if (phase->kind == kD) {
        const bool works = WorksAt(*phase, time);
        d |= works;
        phases[phase->op][1] += works;
      } else {
        const Phase* awake = PhaseAt(track, time, /*awake=*/true);
        if (awake && awake->is_executor) continue;
        s = true;
        stalled.push_back(phase->op);
      }
    }
    Classify(time, e, d, s, enqueues, stalled);
  }

  void Classify(int64_t time, bool e, bool d, bool s, const std::vector<uint64_t>& enqueues,
                const std::vector<uint64_t>& stalled) {
    const bool g = AnyAt(program_.gpu, time), c = CpuAt(time), x = AnyAt(program_.copies, time);
    int64_t depth = 0;
    for (const AsyncOp& op : program_.async) depth += Holds({op.enqueued, op.taken}, time);
    depths.push_back(depth);
    gpu += g;
    cpu += c && !g;
    both += g && c;
    overhead += !g && !c;
    under_kernel += (e || d) && (g || c);
    under_executor += e && d && !g && !c;
    EagerConditional& part = depth > 0 ? not_empty : empty;
    ++part.total_ns;
    ++part.ns[g ? 0 : c ? 1 : d ? 2 : x ? 3 : 4];
    if (g || c || d) return;
    ++exposed;
    (depth > 0 ? exposed_not_empty : exposed_empty) += 1;
    exposed_empty_stalled += depth == 0 && s;
    exposed_not_empty_copying += depth > 0 && x;
    FindCulprit(time, depth, enqueues, stalled);
  }

  int64_t BeginOf(uint64_t id) const {
    for (const AsyncOp& op : program_.async) {
      if (op.id == id) return op.call.begin;
    }
    for (const SyncOp& op : program_.sync) {
      if (op.id == id) return op.call.begin;
    }
    return INT64_MAX;
  }

  void FindCulprit(int64_t time, int64_t depth, std::vector<uint64_t> enqueues,
                   std::vector<uint64_t> stalled) {
    std::vector<uint64_t> copies, waiting;
    for (const OpTime& copy : program_.copies) {
      if (copy.id != 0 && Holds(copy.time, time)) copies.push_back(copy.id);
    }
    for (const AsyncOp& op : program_.async) {
      const bool has_kernel = op.device[0] == 'c' && op.kernel->length() > 0;
      auto over = work_ends_.find(op.id);
      const int64_t until = has_kernel                 ? op.kernel->end
                            : over == work_ends_.end() ? op.taken
                                                       : over->second;
      if (Holds({op.taken, until}, time)) waiting.push_back(op.id);
    }
    std::erase(stalled, 0u);
    auto blames = [&](const std::vector<uint64_t>& ops, EagerCause cause) {
      if (ops.empty()) return false;
      ++blame[{ops.size() == 1 ? ops[0] : 0, cause}];
      return true;
    };
    if (!waiting.empty()) {
      blames(copies, EagerCause::kCopy) || blames(waiting, EagerCause::kArgument);
    } else if (depth > 0) {
      if (!blames(copies, EagerCause::kCopy)) ++blame[{0, EagerCause::kWakeUp}];
    } else if (!blames(enqueues, EagerCause::kEnqueue) && !blames(copies, EagerCause::kCopy) &&
               !blames(stalled, EagerCause::kStall)) {
      bool is_last = true;
      for (uint64_t id = 1; id <= 8; ++id)
        is_last &= BeginOf(id) <= time || BeginOf(id) == INT64_MAX;
      is_last ? ++unattributed : ++blame[{0, EagerCause::kProgram}];
    }
  }

  const EagerProgram& program_;
  std::vector<Phase> phases_;
  std::map<uint64_t, int64_t> work_ends_;  // by op: when it had its executor's last moment
};

// Of two ops that may be to blame for an instant, which one is no matter here.
void CompareBlame(const EagerMetrics& m, const Oracle& oracle) {
  std::map<EagerCause, int64_t> found, wanted;
  for (const EagerCulprit& culprit : m.culprits) {
    for (size_t i = 0; i < kNumEagerCauses; ++i) {
      found[static_cast<EagerCause>(i)] += culprit.by_cause[i];
    }
  }
  for (size_t i = 0; i < kNumEagerCauses; ++i) {
    found[static_cast<EagerCause>(i)] += 0;
    wanted[static_cast<EagerCause>(i)] += 0;
  }
  for (const auto& [who, ns] : oracle.blame) wanted[who.second] += ns;
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(m.unattributed_ns, oracle.unattributed);
}

void Compare(const EagerMetrics& m, const Oracle& oracle) {
  EXPECT_EQ(m.window_ns, oracle.end - oracle.begin);
  EXPECT_EQ(m.gpu_ns, oracle.gpu);
  EXPECT_EQ(m.cpu_ns, oracle.cpu);
  EXPECT_EQ(m.both_ns, oracle.both);
  EXPECT_EQ(m.overhead_ns, oracle.overhead);
  EXPECT_EQ(m.masked_by_kernel_ns, oracle.under_kernel);
  EXPECT_EQ(m.masked_by_executor_ns, oracle.under_executor);
  EXPECT_EQ(m.exposed_ns, oracle.exposed);
  EXPECT_EQ(m.exposed_empty_ns, oracle.exposed_empty);
  EXPECT_EQ(m.exposed_empty_stalled_ns, oracle.exposed_empty_stalled);
  EXPECT_EQ(m.exposed_not_empty_ns, oracle.exposed_not_empty);
  EXPECT_EQ(m.exposed_not_empty_copying_ns, oracle.exposed_not_empty_copying);
  EXPECT_EQ(m.while_empty.total_ns, oracle.empty.total_ns);
  EXPECT_EQ(m.while_empty.ns, oracle.empty.ns);
  EXPECT_EQ(m.while_not_empty.total_ns, oracle.not_empty.total_ns);
  EXPECT_EQ(m.while_not_empty.ns, oracle.not_empty.ns);
  std::vector<int64_t> depths;
  for (size_t i = 0; i < m.queue.size(); ++i) {
    const int64_t until = i + 1 < m.queue.size() ? m.queue[i + 1].time_ns : m.window_ns;
    EXPECT_LT(m.queue[i].time_ns, until);
    depths.insert(depths.end(), static_cast<size_t>(until - m.queue[i].time_ns), m.queue[i].depth);
  }
  EXPECT_EQ(depths, oracle.depths);
}

constexpr uint32_t kNumPrograms = 400;

TEST(EagerPropertiesTest, FiguresAreThoseOfEachNanosecond) {
  for (uint32_t seed = 0; seed < kNumPrograms && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const EagerProgram program = RandomProgram(random);
    const EagerStep step = ExtractEagerStep(MakeProfile(program));
    const Oracle oracle(program);
    const EagerMetrics m = ComputeEagerMetrics(step, 1);
    Compare(m, oracle);
    for (const EagerOp& op : step.ops) {
      auto found = oracle.phases.find(op.id);
      const auto wanted = found == oracle.phases.end() ? std::array<int64_t, 4>() : found->second;
      EXPECT_EQ(op.enqueue.length(), wanted[0]) << "op " << op.id;
      EXPECT_EQ(op.dequeue.length(), wanted[1]) << "op " << op.id;
    }
    CompareBlame(m, oracle);
  }
}

TEST(EagerPropertiesTest, SharesAddUp) {
  for (uint32_t seed = 0; seed < kNumPrograms && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const EagerMetrics m = ComputeEagerMetrics(MakeProfile(RandomProgram(random)));
    if (m.window_ns == 0) continue;
    EXPECT_NEAR(
        m.ShareOfWindow(m.gpu_ns) + m.ShareOfWindow(m.cpu_ns) + m.ShareOfWindow(m.overhead_ns), 1,
        1e-9);
    EXPECT_EQ(m.while_empty.total_ns + m.while_not_empty.total_ns, m.window_ns);
    for (const auto& point : m.queue) EXPECT_GE(point.depth, 0);
    int64_t blamed = m.unattributed_ns;
    for (const EagerCulprit& culprit : m.culprits) blamed += culprit.exposed_ns();
    EXPECT_EQ(blamed, m.exposed_ns);
  }
}

void ExpectSameDistribution(const EagerDistribution& a, const EagerDistribution& b) {
  EXPECT_EQ(a.num_ops, b.num_ops);
  EXPECT_EQ(a.min_ns, b.min_ns);
  EXPECT_EQ(a.p50_ns, b.p50_ns);
  EXPECT_EQ(a.p99_ns, b.p99_ns);
  EXPECT_EQ(a.max_ns, b.max_ns);
  EXPECT_EQ(a.mean_ns, b.mean_ns);
}

void ExpectSame(const EagerMetrics& a, const EagerMetrics& b) {
  EXPECT_EQ(a.window_ns, b.window_ns);
  EXPECT_EQ(a.num_ops, b.num_ops);
  EXPECT_EQ(a.gpu_ns, b.gpu_ns);
  EXPECT_EQ(a.cpu_ns, b.cpu_ns);
  EXPECT_EQ(a.both_ns, b.both_ns);
  EXPECT_EQ(a.overhead_ns, b.overhead_ns);
  ExpectSameDistribution(a.enqueue, b.enqueue);
  ExpectSameDistribution(a.dequeue, b.dequeue);
  ExpectSameDistribution(a.gpu, b.gpu);
  ExpectSameDistribution(a.cpu, b.cpu);
  EXPECT_EQ(a.queue, b.queue);
  EXPECT_EQ(a.stalls, b.stalls);
  EXPECT_EQ(a.copies, b.copies);
  EXPECT_EQ(a.while_empty.ns, b.while_empty.ns);
  EXPECT_EQ(a.while_not_empty.ns, b.while_not_empty.ns);
  EXPECT_EQ(a.masked_by_kernel_ns, b.masked_by_kernel_ns);
  EXPECT_EQ(a.masked_by_executor_ns, b.masked_by_executor_ns);
  EXPECT_EQ(a.exposed_empty_stalled_ns, b.exposed_empty_stalled_ns);
  EXPECT_EQ(a.exposed_not_empty_copying_ns, b.exposed_not_empty_copying_ns);
  EXPECT_EQ(a.unattributed_ns, b.unattributed_ns);
  ASSERT_EQ(a.culprits.size(), b.culprits.size());
  for (size_t i = 0; i < a.culprits.size(); ++i) {
    EXPECT_EQ(a.culprits[i].id, b.culprits[i].id);
    EXPECT_EQ(a.culprits[i].by_cause, b.culprits[i].by_cause);
    EXPECT_EQ(a.culprits[i].launch_delay_ns, b.culprits[i].launch_delay_ns);
  }
}

// Whatever a file says.
TEST(EagerPropertiesTest, AnyEventsHaveFigures) {
  constexpr const char* kTypes[] = {
      "step",           "eager.call",   "eager.enqueue", "eager.dequeue", "eager.kernel",
      "eager.publish",  "eager.handle", "eager.stall",   "device.kernel", "device.copy",
      "eager.schedule", "eager.begin",  "device.launch"};
  constexpr int64_t kExtremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
  for (uint32_t seed = 0; seed < kNumPrograms && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const bool is_extreme = random.OneOf(3);
    auto time = [&] {
      return is_extreme && random.OneOf(4) ? kExtremes[random.Number(0, 6)] : random.Number(0, 60);
    };
    std::vector<MadeEvent> events(static_cast<size_t>(random.Number(0, 40)));
    for (MadeEvent& event : events) {
      event.type = kTypes[random.Number(random.OneOf(3) ? 0 : 1, 12)];
      event.op_id = static_cast<uint64_t>(random.Number(0, 6));
      event.time = {time(), time()};
      event.track = static_cast<uint32_t>(random.Number(0, kNumTracks - 1));
      event.device = random.OneOf(2) ? "cpu:0" : random.OneOf(2) ? "sim:0" : "";
    }
    const EagerMetrics m = ComputeEagerMetrics(MakeProfile(events, {}));
    EXPECT_EQ(m.gpu_ns + m.cpu_ns + m.overhead_ns, m.window_ns);
    EXPECT_EQ(m.while_empty.total_ns + m.while_not_empty.total_ns, m.window_ns);
    EXPECT_EQ(m.exposed_empty_ns + m.exposed_not_empty_ns, m.exposed_ns);
    int64_t blamed = m.unattributed_ns;
    for (const EagerCulprit& culprit : m.culprits) blamed += culprit.exposed_ns();
    EXPECT_EQ(blamed, m.exposed_ns);
    for (const auto& point : m.queue) EXPECT_GE(point.depth, 0);
  }
}

// Each event that lasts becomes two, one behind the other.
std::vector<MadeEvent> Split(const std::vector<MadeEvent>& events, Random& random) {
  std::vector<MadeEvent> split;
  for (const MadeEvent& event : events) {
    split.push_back(event);
    if (event.type == "step" || event.time.length() < 2) continue;
    const int64_t middle = random.Number(event.time.begin + 1, event.time.end - 1);
    split.back().time.end = middle;
    split.push_back(event);
    split.back().time.begin = middle;
  }
  return split;
}

TEST(EagerPropertiesTest, WhatMeansNothingChangesNothing) {
  for (uint32_t seed = 0; seed < kNumPrograms && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const EagerProgram program = RandomProgram(random);
    std::vector<MadeEvent> events = EventsOf(program);
    const EagerMetrics m = ComputeEagerMetrics(MakeProfile(events, program));
    ExpectSame(m, ComputeEagerMetrics(MakeProfile(events, program, int64_t{1} << 50)));
    ExpectSame(m, ComputeEagerMetrics(MakeProfile(events, program, -5'000'000)));
    ExpectSame(m, ComputeEagerMetrics(MakeProfile(Split(events, random), program)));
    std::ranges::shuffle(events, random.engine());
    ExpectSame(m, ComputeEagerMetrics(MakeProfile(events, program)));
  }
}

}  // namespace
}  // namespace tfrt::profiler
