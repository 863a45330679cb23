#include "stack_analyses.h"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <utility>

#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

void MakeTables(const StackAnalysis& analysis, const Study& study, Section* section) {
  size_t number = 0;
  for (const Subject* subject : Wanted(study)) {
    ++number;
    Table table{.id = number == 1 ? std::string(analysis.id) : StrCat(analysis.id, "-", number),
                .title = StrCat(analysis.table_title, " of ", subject->Title()),
                .doubts = subject->doubts,
                .num_shown = study.options.top,
                .subject = subject->Title()};
    table.source = subject->SourceText(analysis.level == Level::kModel   ? subject->model_level
                                       : analysis.level == Level::kLayer ? subject->layer_level
                                                                         : subject->kernel_level);
    const size_t num_charts = section->charts.size();
    analysis.make_table(study, *subject, &table, section);
    if (table.rows.empty()) {
      section->charts.resize(num_charts);
    } else {
      section->tables.push_back(std::move(table));
    }
  }
  if (section->tables.empty()) {
    section->text +=
        StrCat(section->text.empty() ? "" : " ", "Nothing was recorded for it: it needs ",
               "runs at level ", LevelName(analysis.level), ".");
  }
}

}  // namespace

Section StackAnalysis::Run(const Experiment& experiment, const AnalysisOptions& options) const {
  const Study study{experiment, options};
  Section section{.id = std::string(id), .title = std::string(title), .text = std::string(text)};
  if (make) {
    make(study, &section);
  } else {
    MakeTables(*this, study, &section);
  }
  return section;
}

std::span<const StackAnalysis> StackAnalyses() {
  static const auto& all = *new std::vector<StackAnalysis>([] {
    std::vector<StackAnalysis> made;
    for (std::span<const StackAnalysis> part :
         {ModelAnalyses(), LayerAnalyses(), KernelAnalyses(), StageAnalyses(), CounterAnalyses()}) {
      made.insert(made.end(), part.begin(), part.end());
    }
    std::ranges::sort(made, {}, &StackAnalysis::number);
    return made;
  }());
  return all;
}

const StackAnalysis* FindStackAnalysis(int number) {
  const auto found = std::ranges::find(StackAnalyses(), number, &StackAnalysis::number);
  return found == StackAnalyses().end() ? nullptr : &*found;
}

Section RunAnalysis(std::string_view id, const Experiment& experiment,
                    const AnalysisOptions& options) {
  const auto found = std::ranges::find(StackAnalyses(), id, &StackAnalysis::id);
  assert(found != StackAnalyses().end());
  return found->Run(experiment, options);
}

bool IsConvolution(std::string_view op) {
  std::string lower(op);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const size_t at = lower.find("conv");
  return at != std::string::npos && lower.compare(at, 5, "conve") != 0;  // converted
}

std::vector<Chart::Roof> RoofsFor(const Subject& subject, const AnalysisOptions& options) {
  if (!options.roofs.empty()) return options.roofs;
  const RunMachine& machine = subject.machine;
  if (machine.peak_flops <= 0 || machine.peak_bandwidth <= 0) return {};
  // A program that computes with fewer threads reaches their part of the arithmetic; of the
  // bandwidth one thread may take all.
  const bool is_part = machine.num_threads > 0 && machine.num_threads < machine.peak_threads;
  const double part = is_part ? machine.num_threads / machine.peak_threads : 1;
  std::string how = machine.peak_source.empty() ? "" : StrCat(", ", machine.peak_source);
  if (is_part) {
    how += StrCat(", ", FixedText(machine.num_threads, 0), " of ",
                  FixedText(machine.peak_threads, 0), " threads");
  }
  std::vector<Chart::Roof> roofs;
  for (const auto& [name, peak] :
       {std::pair("f32", machine.peak_flops), std::pair("f64", machine.peak_flops_f64),
        std::pair("int8", machine.peak_ops_int8), std::pair("bf16", machine.peak_flops_bf16)}) {
    if (peak <= 0) continue;
    roofs.push_back({.name = name + how,
                     .peak = peak * part * 1e-9,
                     .bandwidth = machine.peak_bandwidth * 1e-9});
  }
  return roofs;
}

}  // namespace tfrt::profiler
