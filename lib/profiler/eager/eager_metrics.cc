// M1 to M10 of a step's sets of time.
#include "tfrt/profiler/eager_metrics.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "charges.h"
#include "tfrt/profiler/profile_properties.h"

namespace tfrt::profiler {
namespace {

using internal::Charge;
using internal::Claim;

// The smallest value that at least `part` of the sorted values do not exceed.
int64_t Quantile(const std::vector<int64_t>& sorted, int percent) {
  const size_t rank = (sorted.size() * static_cast<size_t>(percent) + 99) / 100;
  return sorted[rank == 0 ? 0 : rank - 1];
}

EagerDistribution DistributionOf(std::vector<int64_t> values) {
  EagerDistribution made;
  made.num_ops = values.size();
  if (values.empty()) return made;
  std::ranges::sort(values);
  made.min_ns = values.front();
  made.p25_ns = Quantile(values, 25);
  made.p50_ns = Quantile(values, 50);
  made.p75_ns = Quantile(values, 75);
  made.p95_ns = Quantile(values, 95);
  made.p99_ns = Quantile(values, 99);
  made.max_ns = values.back();
  double sum = 0;
  for (int64_t value : values) sum += static_cast<double>(value);
  made.mean_ns = sum / static_cast<double>(values.size());
  return made;
}

// Covers the called ops that have the phase. Clocks may step by 10 ns, which is as long as a short
// phase. Leaving out ops during which the clock did not move would make the mean too large.
template <typename HasPhase>
EagerDistribution DistributionOver(const EagerStep& step, IntervalSet EagerOp::* phase,
                                   HasPhase has_phase) {
  std::vector<int64_t> values;
  for (const EagerOp& op : step.ops) {
    if (!op.is_call || !op.is_in_step || !has_phase(op)) continue;
    values.push_back((op.*phase).length());
  }
  return DistributionOf(std::move(values));
}

class Computation {
 public:
  explicit Computation(const EagerStep& step)
      : step_(step),
        window_(std::vector<Interval>{step.window}),
        kernels_(Union(step.gpu, step.cpu)),
        queued_(Intersection(IntervalSet(InQueue()), window_)),
        exposed_(Difference(Difference(window_, kernels_), step.dequeue)) {}

  EagerMetrics Run(double batch) {
    made_.batch = batch;
    made_.window_ns = window_.length();
    made_.num_executors = step_.num_executors;
    made_.doubts = step_.doubts;
    for (const EagerOp& op : step_.ops) made_.num_ops += op.is_call && op.is_in_step;
    SetShares();
    SetQueue();
    SetConditional(Difference(window_, queued_), made_.while_empty);
    SetConditional(queued_, made_.while_not_empty);
    SetScenarios();
    SetCulprits();
    return std::move(made_);
  }

 private:
  std::vector<Interval> InQueue() const {
    std::vector<Interval> waits;
    for (const EagerOp& op : step_.ops) waits.push_back({op.enqueued_ns, op.dequeued_ns});
    return waits;
  }

  void SetShares() {
    made_.gpu_ns = step_.gpu.length();
    made_.cpu_ns = Difference(step_.cpu, step_.gpu).length();
    made_.both_ns = Intersection(step_.gpu, step_.cpu).length();
    made_.overhead_ns = Difference(window_, kernels_).length();
    auto is_dequeued = [](const EagerOp& op) { return !op.dequeue.empty(); };
    auto runs_on_gpu = [](const EagerOp& op) { return op.runs_on_gpu; };
    auto runs_on_cpu = [](const EagerOp& op) { return op.runs_on_cpu; };
    made_.enqueue = DistributionOver(step_, &EagerOp::enqueue, [](const EagerOp&) { return true; });
    made_.dequeue = DistributionOver(step_, &EagerOp::dequeue, is_dequeued);
    made_.gpu = DistributionOver(step_, &EagerOp::gpu, runs_on_gpu);
    made_.cpu = DistributionOver(step_, &EagerOp::cpu, runs_on_cpu);
  }

  void SetQueue() {
    std::vector<std::pair<int64_t, int>> changes;
    for (const Interval& wait : InQueue()) {
      const int64_t begin = std::max(wait.begin, step_.window.begin);
      const int64_t end = std::min(wait.end, step_.window.end);
      if (end <= begin) continue;
      changes.emplace_back(begin, 1);
      changes.emplace_back(end, -1);
    }
    std::ranges::sort(changes);
    int64_t depth = 0;
    if (made_.window_ns > 0) made_.queue.push_back({});
    for (size_t i = 0; i < changes.size();) {
      const int64_t time = changes[i].first;
      for (; i < changes.size() && changes[i].first == time; ++i) depth += changes[i].second;
      if (time >= step_.window.end || made_.queue.back().depth == depth) continue;
      const int64_t since = time - step_.window.begin;
      if (made_.queue.back().time_ns == since) {
        made_.queue.back().depth = depth;
      } else {
        made_.queue.push_back({.time_ns = since, .depth = depth});
      }
    }
    made_.stalls = SinceBegin(step_.stalls);
    made_.copies = SinceBegin(step_.copies);
  }

  std::vector<Interval> SinceBegin(const IntervalSet& times) const {
    std::vector<Interval> shifted;
    for (const Interval& time : times.intervals()) {
      shifted.push_back({time.begin - step_.window.begin, time.end - step_.window.begin});
    }
    return shifted;
  }

  void SetConditional(const IntervalSet& part, EagerConditional& conditional) const {
    conditional.total_ns = part.length();
    IntervalSet rest = part;
    const std::array<const IntervalSet*, kNumEagerActivities - 1> by_priority = {
        &step_.gpu, &step_.cpu, &step_.dequeue, &step_.copies};
    for (size_t i = 0; i < by_priority.size(); ++i) {
      conditional.ns[i] = Intersection(rest, *by_priority[i]).length();
      rest = Difference(rest, *by_priority[i]);
    }
    conditional.ns.back() = rest.length();
  }

  void SetScenarios() {
    made_.masked_by_kernel_ns =
        Intersection(Union(step_.enqueue, step_.dequeue), kernels_).length();
    made_.masked_by_executor_ns =
        Difference(Intersection(step_.enqueue, step_.dequeue), kernels_).length();
    made_.exposed_ns = exposed_.length();
    const IntervalSet empty = Difference(exposed_, queued_);
    const IntervalSet not_empty = Intersection(exposed_, queued_);
    made_.exposed_empty_ns = empty.length();
    made_.exposed_empty_stalled_ns = Intersection(empty, step_.stalls).length();
    made_.exposed_not_empty_ns = not_empty.length();
    made_.exposed_not_empty_copying_ns = Intersection(not_empty, step_.copies).length();
  }

  std::vector<Claim> ClaimsOf(IntervalSet EagerOp::* phase) const {
    std::vector<Claim> claims;
    for (size_t i = 0; i < step_.ops.size(); ++i) {
      for (const Interval& part : (step_.ops[i].*phase).intervals()) {
        claims.push_back({.interval = part, .owner = i});
      }
    }
    return claims;
  }

  // Time that nobody's phase explains belongs to the op that comes next.
  std::vector<Claim> ClaimsOfNext() const {
    std::vector<Claim> claims;
    int64_t last = step_.window.begin;
    for (size_t i = 0; i < step_.ops.size(); ++i) {
      claims.push_back({.interval = {last, step_.ops[i].begin_ns}, .owner = i});
      last = std::max(last, step_.ops[i].begin_ns);
    }
    return claims;
  }

  IntervalSet Blame(const IntervalSet& time, const std::vector<Claim>& claims, EagerCause cause) {
    std::vector<int64_t> sums(step_.ops.size());
    IntervalSet rest = Charge(time, claims, sums);
    for (size_t i = 0; i < sums.size(); ++i) {
      culprits_[i].by_cause[static_cast<size_t>(cause)] += sums[i];
    }
    return rest;
  }

  // While an executor has an op and does not work, it waits for an argument, perhaps for a copy.
  // Otherwise, if the queue is empty, it is the caller's fault, of whatever it does; if it is not,
  // the executor is late to take the op that is first in it, if nothing is being copied.
  void SetCulprits() {
    culprits_.resize(step_.ops.size());
    for (size_t i = 0; i < step_.ops.size(); ++i) DescribeCulprit(i);
    const std::vector<Claim> copies = ClaimsOf(&EagerOp::copies);
    const std::vector<Claim> arguments = Arguments();
    IntervalSet waits = Intersection(exposed_, TimeOf(arguments));
    const IntervalSet others = Difference(exposed_, waits);
    waits = Blame(waits, copies, EagerCause::kCopy);
    Blame(waits, arguments, EagerCause::kArgument);
    IntervalSet rest = Difference(others, queued_);
    rest = Blame(rest, ClaimsOf(&EagerOp::enqueue), EagerCause::kEnqueue);
    rest = Blame(rest, copies, EagerCause::kCopy);
    rest = Blame(rest, ClaimsOf(&EagerOp::stalls), EagerCause::kStall);
    rest = Blame(rest, ClaimsOfNext(), EagerCause::kProgram);
    made_.unattributed_ns = rest.length();
    rest = Blame(Intersection(others, queued_), copies, EagerCause::kCopy);
    std::vector<Claim> queued;
    for (size_t i = 0; i < step_.ops.size(); ++i) {
      queued.push_back(
          {.interval = {step_.ops[i].enqueued_ns, step_.ops[i].dequeued_ns}, .owner = i});
    }
    rest = Blame(rest, queued, EagerCause::kWakeUp);
    made_.unattributed_ns += rest.length();
    std::erase_if(culprits_, [&](const EagerCulprit& culprit) {
      const bool is_busy = culprit.host_ns > 0 && step_.ops[culprit.op].is_in_step;
      return culprit.exposed_ns() == 0 && !is_busy;
    });
    std::ranges::stable_sort(culprits_, [](const EagerCulprit& a, const EagerCulprit& b) {
      if (a.exposed_ns() != b.exposed_ns()) return a.exposed_ns() > b.exposed_ns();
      return a.host_ns > b.host_ns;
    });
    made_.culprits = std::move(culprits_);
  }

  static IntervalSet TimeOf(const std::vector<Claim>& claims) {
    std::vector<Interval> times;
    for (const Claim& claim : claims) times.push_back(claim.interval);
    return IntervalSet(std::move(times));
  }

  // From when an op was taken until its kernel: what is exposed of that, the executor waited.
  std::vector<Claim> Arguments() const {
    std::vector<Claim> claims;
    for (size_t i = 0; i < step_.ops.size(); ++i) {
      const EagerOp& op = step_.ops[i];
      if (!op.is_async) continue;
      const IntervalSet& kernel = op.cpu.empty() ? op.dequeue : op.cpu;
      if (kernel.empty()) continue;
      claims.push_back({.interval = {op.dequeued_ns, kernel.intervals().back().end}, .owner = i});
    }
    return claims;
  }

  void DescribeCulprit(size_t index) {
    const EagerOp& op = step_.ops[index];
    EagerCulprit& culprit = culprits_[index];
    culprit.op = index;
    culprit.id = op.id;
    culprit.name = op.name;
    culprit.device = op.device;
    culprit.host_ns = Union(op.enqueue, op.dequeue).length();
    culprit.queue_ns = op.dequeued_ns - op.enqueued_ns;
    if (op.launched_ns && !op.gpu.empty()) {
      const int64_t start = op.gpu.intervals().front().begin;
      culprit.launch_delay_ns = std::max<int64_t>(start - *op.launched_ns, 0);
    }
  }

  const EagerStep& step_;
  const IntervalSet window_, kernels_, queued_, exposed_;
  EagerMetrics made_;
  std::vector<EagerCulprit> culprits_;  // by op
};

double BatchOf(const Profile& profile, const EagerOptions& options) {
  if (options.batch > 0) return options.batch;
  if (double batch = profile.NumberProperty(property::kBatch, 0); batch > 0) return batch;
  const std::vector<const Event*> runs = profile.OfType("model.run");
  return runs.empty() ? 0 : static_cast<double>(profile.Integer(*runs.back(), "batch"));
}

std::string Otherwise(std::string_view text, std::string_view otherwise) {
  return std::string(text.empty() ? otherwise : text);
}

}  // namespace

EagerMetrics ComputeEagerMetrics(const EagerStep& step, double batch) {
  EagerMetrics metrics = Computation(step).Run(batch);
  if (batch <= 0) {
    metrics.doubts.push_back(
        {.figures = "M2", .reason = "the profile does not say how many items the step has"});
  }
  return metrics;
}

EagerMetrics ComputeEagerMetrics(const Profile& profile, const EagerOptions& options) {
  return ComputeEagerMetrics(ExtractEagerStep(profile, options), BatchOf(profile, options));
}

EagerRun ComputeEagerRun(const Profile& profile, const EagerOptions& options) {
  const EagerStep step = ExtractEagerStep(profile, options);
  const bool is_async = std::ranges::any_of(
      step.ops, [](const EagerOp& op) { return op.is_call && op.is_in_step && op.is_async; });
  return {.model = Otherwise(profile.Property(property::kModel), "program"),
          .target = Otherwise(profile.Property(property::kTarget),
                              step.gpu.empty() ? "cpu" : "cpu and device"),
          .mode = Otherwise(profile.Property(property::kMode), is_async ? "async" : "sync"),
          .metrics = ComputeEagerMetrics(step, BatchOf(profile, options))};
}

}  // namespace tfrt::profiler
