// Counters of kernels: what they cost besides time.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lib/profiler/kernel_counts.h"
#include "stack_analyses.h"
#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using enum CpuCounter;

constexpr double kMillion = 1e-6;

// A column of the table, there if its counters were collected.
struct CountColumn {
  Column column;
  std::vector<CpuCounter> needs;
  Cell (*cell)(const KernelCounts& kernel, const KernelCounts& all);
};

double Known(const KernelCounts& kernel, CpuCounter counter) {
  return kernel.Of(counter).value_or(0);
}
template <CpuCounter counter>
Cell Whole(const KernelCounts& kernel, const KernelCounts&) {
  return kernel.Of(counter) ? Cell(*kernel.Of(counter)) : Cell();
}
template <CpuCounter counter>
Cell Millions(const KernelCounts& kernel, const KernelCounts&) {
  return kernel.Of(counter) ? Cell(*kernel.Of(counter) * kMillion) : Cell();
}
template <CpuCounter counter>
Cell ForThousandInstructions(const KernelCounts& kernel, const KernelCounts&) {
  const double instructions = Known(kernel, kInstructions);
  if (!kernel.Of(counter) || !(instructions > 0)) return {};
  return *kernel.Of(counter) / instructions * 1000;
}

std::vector<CountColumn> AllColumns() {
  return {
      {RealColumn("cycles", "million"), {kCycles}, &Millions<kCycles>},
      {ShareColumn("share", "cycles of all kernels"),
       {kCycles},
       [](const KernelCounts& kernel, const KernelCounts& all) {
         return ShareCell(Known(kernel, kCycles), Known(all, kCycles));
       }},
      {RealColumn("instructions", "million"), {kInstructions}, &Millions<kInstructions>},
      {RealColumn("instructions per cycle", ""),
       {kCycles, kInstructions},
       [](const KernelCounts& kernel, const KernelCounts&) {
         return kernel.Of(kInstructions) && kernel.Of(kCycles)
                    ? ShareCell(*kernel.Of(kInstructions), *kernel.Of(kCycles))
                    : Cell();
       }},
      {RealColumn("cache misses", "", "of the last level"), {kCacheMisses}, &Whole<kCacheMisses>},
      {RealColumn("cache misses per 1,000", "", "of 1,000 instructions"),
       {kCacheMisses, kInstructions},
       &ForThousandInstructions<kCacheMisses>},
      {RealColumn("branch misses", "", "branches that the processor took wrongly"),
       {kBranchMisses},
       &Whole<kBranchMisses>},
      {RealColumn("branch misses per 1,000", "", "of 1,000 instructions"),
       {kBranchMisses, kInstructions},
       &ForThousandInstructions<kBranchMisses>},
      {RealColumn("page faults", "", "first uses of new memory, above all"),
       {kPageFaults},
       &Whole<kPageFaults>},
      {RealColumn("context switches", "", "another thread got the processor"),
       {kContextSwitches},
       &Whole<kContextSwitches>},
  };
}

// Most cycles first; without them, what stands for them.
std::vector<const KernelCounts*> CostliestFirst(const Subject& subject) {
  std::vector<const KernelCounts*> kernels;
  for (const KernelCounts& kernel : subject.counts) kernels.push_back(&kernel);
  std::ranges::stable_sort(kernels, [](const KernelCounts* a, const KernelCounts* b) {
    for (CpuCounter counter : {kCycles, kInstructions, kPageFaults, kContextSwitches}) {
      if (Known(*a, counter) != Known(*b, counter)) return Known(*a, counter) > Known(*b, counter);
    }
    return a->num_calls > b->num_calls;
  });
  return kernels;
}

void AddDoubts(const Subject& subject, const KernelCounts& all, Table* table) {
  std::string missing;
  for (size_t i = 0; i < kNumCpuCounters; ++i) {
    if (!all.counts[i]) missing += StrCat(missing.empty() ? "" : ", ", kCpuCounterNames[i]);
  }
  table->doubts.clear();  // they are about latencies
  if (!missing.empty()) table->doubts.push_back(StrCat("not collected: ", missing));
  for (const std::string& doubt : subject.count_doubts) table->doubts.push_back(doubt);
}

// Returns the mean counts of one run.
KernelCounts PerRun(KernelCounts kernel, size_t num_runs) {
  const auto divisor = static_cast<double>(std::max<size_t>(num_runs, 1));
  for (std::optional<double>& count : kernel.counts) {
    if (count) *count /= divisor;
  }
  return kernel;
}

void MakeCounters(const Study&, const Subject& subject, Table* table, Section* section) {
  if (subject.counts.empty()) return;
  KernelCounts all;
  for (const KernelCounts& kernel : subject.counts) all += kernel;
  const auto num_runs = static_cast<double>(std::max<size_t>(subject.num_counted_runs, 1));
  all = PerRun(std::move(all), subject.num_counted_runs);
  table->source = StrCat(subject.num_counted_runs, subject.num_counted_runs == 1 ? " run" : " runs",
                         " with counters");
  AddDoubts(subject, all, table);
  table->columns = {TextColumn("kernel"),
                    RealColumn("calls", "", "of one run, in the mean, as all that is counted")};
  std::vector<CountColumn> columns = AllColumns();
  std::erase_if(columns, [&](const CountColumn& column) {
    return !std::ranges::all_of(column.needs,
                                [&](CpuCounter need) { return all.Of(need).has_value(); });
  });
  for (const CountColumn& column : columns) table->columns.push_back(column.column);
  for (const KernelCounts* kernel : CostliestFirst(subject)) {
    Row row = {kernel->name, Cell(static_cast<double>(kernel->num_calls) / num_runs)};
    const KernelCounts counts = PerRun(*kernel, subject.num_counted_runs);
    for (const CountColumn& column : columns) row.push_back(column.cell(counts, all));
    table->rows.push_back(std::move(row));
  }
  const std::string& first = table->columns[2].name;
  AddBars(*table, StrCat("Kernels by ", first), "kernel", first, section);
}

}  // namespace

std::span<const StackAnalysis> CounterAnalyses() {
  static constexpr StackAnalysis kAnalyses[] = {ForEach(
      23, "kernel-counters", "Counters of kernels", Level::kMetrics, "Counters of the kernels",
      MakeCounters,
      "What threads counted while they ran kernels and blocks of their loops, by the kernel's "
      "name, of one run in the mean: of the processor what the program itself did, not the system "
      "for it.")};
  return kAnalyses;
}

}  // namespace tfrt::profiler
