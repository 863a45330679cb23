// Checks the laws that every model is expected to follow as its batches grow.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/profiler/figure_parts.h"
#include "tfrt/profiler/eager_metrics.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using LawKind = EagerLaw::Kind;
using Verdict = EagerLaw::Verdict;

constexpr double kTie = 0.02;
constexpr double kStays = 0.2;

// Returns the quantity of a run that a law is about; nothing if the run does not have it.
std::optional<double> ValueOf(LawKind kind, std::string_view phase, const EagerMetrics& metrics) {
  switch (kind) {
    case LawKind::kKernelShareRises:
      if (metrics.window_ns == 0) return std::nullopt;
      return metrics.kernel_share();
    case LawKind::kTimePerItemFalls:
      return metrics.time_per_item_ns();
    case LawKind::kHostPhasesStay:
      break;
  }
  const EagerDistribution& over = phase == "enqueue" ? metrics.enqueue : metrics.dequeue;
  if (over.num_ops == 0) return std::nullopt;
  return static_cast<double>(over.p50_ns);
}

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool IsTie(double before, double after) {
  return std::abs(after - before) <= kTie * std::max(std::abs(before), std::abs(after));
}

void JudgeTrend(EagerLaw& law) {
  const bool rises = law.kind == LawKind::kKernelShareRises;
  law.verdict = Verdict::kHolds;
  for (size_t i = 1; i < law.values.size(); ++i) {
    const bool is_right =
        rises ? law.values[i] > law.values[i - 1] : law.values[i] < law.values[i - 1];
    if (law.ties[i]) {
      if (law.verdict == Verdict::kHolds) law.verdict = Verdict::kHoldsWithTies;
    } else if (!is_right) {
      law.verdict = Verdict::kFails;
      if (!law.reason.empty()) continue;
      law.reason = StrCat(rises ? "falls" : "rises", " from batch ", NumberText(law.batches[i - 1]),
                          " to ", NumberText(law.batches[i]));
    }
  }
}

// All are within 20 % of one value if the largest is at most 1.2 / 0.8 times the smallest.
void JudgeStay(EagerLaw& law) {
  const auto [least, most] = std::ranges::minmax_element(law.values);
  if (*most * (1 - kStays) <= *least * (1 + kStays)) {
    law.verdict = Verdict::kHolds;
    return;
  }
  law.verdict = Verdict::kFails;
  auto batch_of = [&](auto at) {
    return NumberText(law.batches[static_cast<size_t>(at - law.values.begin())]);
  };
  law.reason = StrCat("is ", NumberText(*least), " ns at batch ", batch_of(least), " and ",
                      NumberText(*most), " ns at batch ", batch_of(most));
}

void Judge(EagerLaw& law) {
  for (size_t i = 0; i < law.values.size(); ++i) {
    law.ties.push_back(i > 0 && IsTie(law.values[i - 1], law.values[i]));
  }
  if (law.values.size() < 2) {
    law.reason = law.reason.empty() ? "there are fewer than two batches" : law.reason;
  } else if (law.kind == LawKind::kHostPhasesStay) {
    JudgeStay(law);
  } else {
    JudgeTrend(law);
  }
}

}  // namespace

std::vector<EagerLaw> CheckEagerLaws(std::span<const EagerRun> runs) {
  using Group = std::tuple<std::string, std::string, std::string>;
  std::map<Group, std::map<double, std::vector<const EagerMetrics*>>> groups;
  for (const EagerRun& run : runs) {
    groups[{run.model, run.target, run.mode}][run.metrics.batch].push_back(&run.metrics);
  }
  const std::array<std::pair<LawKind, std::string_view>, 4> laws = {
      {{LawKind::kKernelShareRises, ""},
       {LawKind::kHostPhasesStay, "enqueue"},
       {LawKind::kHostPhasesStay, "dequeue"},
       {LawKind::kTimePerItemFalls, ""}}};
  std::vector<EagerLaw> made;
  for (const auto& [group, batches] : groups) {
    for (const auto& [kind, phase] : laws) {
      EagerLaw& law = made.emplace_back();
      law.kind = kind;
      std::tie(law.model, law.target, law.mode) = group;
      law.phase = phase;
      for (const auto& [batch, metrics] : batches) {
        std::vector<double> values;
        for (const EagerMetrics* of_run : metrics) {
          if (auto value = ValueOf(kind, phase, *of_run)) values.push_back(*value);
        }
        if (batch <= 0) {
          law.reason = "a profile does not say its batch";
        } else if (values.empty()) {
          law.reason = StrCat("batch ", NumberText(batch), " has no such figure");
        } else {
          law.batches.push_back(batch);
          law.values.push_back(MedianOf(std::move(values)));
        }
      }
      Judge(law);
    }
  }
  return made;
}

}  // namespace tfrt::profiler
