#include "doctor.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lib/profiler/cpu_counters.h"
#include "lib/profiler/machine.h"
#include "tfrt/profiler/profile.h"
#include "tfrt/profiler/session.h"
#include "tfrt/profiler/source_plugin.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/clock.h"
#include "tfrt/tracing/record.h"

namespace tfrt::profiler {
namespace {

constexpr tracing::RecordType kExampleRecord = {.name = "tfrt_prof.example",
                                                .level = StackLevel::kModel};

double NanosecondsEach(int count, void (*run)()) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i) run();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / count;
}

void AddRow(Table* table, std::string what, std::string state, std::string remedy = "") {
  table->rows.push_back({std::move(what), std::move(state), std::move(remedy)});
}

// Records: whether there are any, and what one costs; and what sources say for themselves.
void ExamineRecords(Table* table) {
  if (!tracing::kRecordsExist) {
    AddRow(table, "records", "none: built with TFRT_MAX_TRACING_LEVEL=none",
           "configure with TFRT_MAX_TRACING_LEVEL=verbose");
    return;
  }
  ProfileBuilder builder;
  auto session = Session::Start({}, std::make_unique<ForwardingConsumer>(&builder));
  if (!session.ok()) {
    AddRow(table, "records", std::string(session.status().message()));
    return;
  }
  auto read_clock = [] { (void)tracing::Now(); };
  auto record = [] { tracing::RecordScope scope(kExampleRecord, "example"); };
  std::vector<double> clock, scope;
  for (int round = 0; round < 5; ++round) {
    clock.push_back(NanosecondsEach(10'000, read_clock));
    scope.push_back(NanosecondsEach(10'000, record));
  }
  (void)(*session)->Stop();
  auto tenths = [](std::vector<double>& values) {
    std::ranges::sort(values);
    return static_cast<int64_t>(values[values.size() / 2] * 10);
  };
  const int64_t clock_tenths = tenths(clock), scope_tenths = tenths(scope);
  AddRow(table, "clock",
         StrCat(tracing::internal::Source() == tracing::internal::ClockSource::kCounter
                    ? "the processor's counter, "
                    : "the system's, ",
                clock_tenths / 10, ".", clock_tenths % 10, " ns a reading"));
  AddRow(table, "records", StrCat(scope_tenths / 10, ".", scope_tenths % 10, " ns a scope"));
  const Profile profile = builder.Build();
  for (const Problem& problem : profile.problems()) {
    if (problem.kind == Problem::Kind::kUnavailable) AddRow(table, "source", problem.text);
  }
}

void ExamineCounters(Table* table) {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string paranoid;
  std::getline(file, paranoid);
  for (const ProcessCounter& counter : ExamineProcessCounters()) {
    if (counter.reason.empty()) {
      AddRow(table, StrCat("counter ", counter.name), "counts");
    } else {
      AddRow(table, StrCat("counter ", counter.name), counter.reason,
             StrCat("formulas of ops are used; perf_event_paranoid is ", paranoid));
    }
  }
}

// Examines the counters that sessions of level metrics read in kernels.
void ExamineKernelCounters(Table* table) {
  for (const CounterState& state : ExamineCpuCounters()) {
    AddRow(table,
           StrCat("counter of kernels ", kCpuCounterNames[static_cast<size_t>(state.counter)]),
           state.reason.empty() ? "counts" : state.reason, state.remedy);
  }
}

void ExamineProcessor(Table* table) {
  const Processor processor = DescribeProcessor();
  AddRow(table, "processor",
         StrCat(processor.name, ": ", processor.num_cores, " cores, ", processor.num_threads,
                " threads, ", VectorUnitsName(processor.units.kind)));
  const Peaks peaks = MeasurePeaks(processor);
  std::string rates;
  for (const auto& [name, rate] : {std::pair("f32", peaks.f32), std::pair("f64", peaks.f64),
                                   std::pair("int8", peaks.int8), std::pair("bf16", peaks.bf16)}) {
    if (rate > 0) rates += StrCat(static_cast<int64_t>(rate / 1e9), " Gflop/s in ", name, ", ");
  }
  AddRow(table, "peaks",
         StrCat(rates, static_cast<int64_t>(peaks.bandwidth / 1e9), " GB/s, ", peaks.source));
}

}  // namespace

Report Examine() {
  Table table{.id = "doctor",
              .title = "What can be recorded here",
              .columns = {{.name = "what", .kind = Column::Kind::kText},
                          {.name = "state", .kind = Column::Kind::kText},
                          {.name = "remedy", .kind = Column::Kind::kText}}};
  ExamineProcessor(&table);
  ExamineRecords(&table);
  ExamineCounters(&table);
  ExamineKernelCounters(&table);
  Section section{.id = "doctor", .title = table.title};
  if (auto tools = OpenDeviceTools(); tools.ok()) {
    section.tables = {std::move(table), (*tools)->states()};
  } else {
    AddRow(&table, "GPUs", std::string(tools.status().message()));
    section.tables = {std::move(table)};
  }
  return {.title = "tfrt_prof doctor", .sections = {std::move(section)}};
}

StatusOr<Report> ListChipMetrics(const std::string& chip) {
  TFRT_ASSIGN_OR_RETURN(const DeviceTools* tools, OpenDeviceTools());
  TFRT_ASSIGN_OR_RETURN(Table table, tools->list_metrics(chip));
  Section section{.id = "metrics", .title = table.title, .tables = {std::move(table)}};
  return Report{.title = StrCat("Counters of ", chip), .sections = {std::move(section)}};
}

}  // namespace tfrt::profiler
