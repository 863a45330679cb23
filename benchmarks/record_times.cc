// What a record costs beside two reads of the clock, and what a run with records costs beside one
// without: ratios of medians taken in turns in one process.
//
// usage: tfrt_record_times [ROUNDS [EAGER_CASE]]

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench_host.h"
#include "case.h"
#include "graph.h"
#include "paired.h"
#include "tfrt/tracing/session.h"

namespace tfrt::bench {
namespace {

constexpr tracing::RecordType kKernel = {
    .name = "bench.kernel",
    .level = tracing::StackLevel::kKernel,
    .arguments = {{{"i", tracing::ArgumentSpec::Type::kInteger}}}};
constexpr int kRecords = 10000;

// Enough for one measured run; ended and begun again between runs, outside of the time.
std::unique_ptr<tracing::Session> StartSession(bool details = true) {
  auto session = tracing::Session::Start({.details = details, .buffer_bytes = size_t{16} << 20});
  if (session.ok()) return *std::move(session);
  std::fprintf(stderr, "%s\n", session.status().ToString().c_str());
  std::exit(1);
}

// Median seconds of `run` with and without a session, in turns.
struct Turns {
  double off, on;
  uint64_t allocations = 0;  // of one run with a session
  uint64_t dropped = 0;
};
Turns MeasureTurns(const std::function<void()>& run, int rounds) {
  std::vector<double> off, on;
  Turns turns{};
  for (int i = 0; i < rounds; ++i) {
    off.push_back(Seconds(run, 1));
    auto session = StartSession();
    run();  // whatever the first run needs
    uint64_t before = NumAllocations();
    on.push_back(Seconds(run, 1));
    turns.allocations = NumAllocations() - before;
    turns.dropped += session->Read().num_dropped;
  }
  turns.off = Median(off);
  turns.on = Median(on);
  return turns;
}

// The nanoseconds of two readings of the clock.
double MeasureRecords(int rounds) {
  tracing::Name name = tracing::InternName("kernel");
  auto clock = [] {
    for (int i = 0; i < kRecords; ++i) {
      Keep(tracing::Now());
      Keep(tracing::Now());
    }
  };
  auto named = [&] {
    for (int i = 0; i < kRecords; ++i) tracing::RecordScope scope(kKernel, name, {}, i);
  };
  auto text = [] {
    for (int i = 0; i < kRecords; ++i) tracing::RecordScope scope(kKernel, "kernel", {}, i);
  };
  auto event = [&] {
    for (int i = 0; i < kRecords; ++i) tracing::RecordEvent(kKernel, name, {}, i);
  };
  std::vector<double> of_clock;
  for (int i = 0; i < rounds; ++i) of_clock.push_back(Seconds(clock, 2));
  double two_reads = Median(of_clock) / kRecords * 1e9;
  std::printf("two reads of the clock            %7.1f ns\n", two_reads);
  auto print = [&](const char* what, const std::function<void()>& run) {
    Turns turns = MeasureTurns(run, rounds);
    std::printf("%-32s  %7.1f ns  %5.2f x two reads  off %6.2f ns  %llu allocations%s\n", what,
                turns.on / kRecords * 1e9, turns.on / kRecords * 1e9 / two_reads,
                turns.off / kRecords * 1e9, static_cast<unsigned long long>(turns.allocations),
                turns.dropped != 0 ? "  (dropped some)" : "");
  };
  print("a scope, name interned", named);
  print("a scope, name a text", text);
  print("an event", event);
  return two_reads;
}

void MeasureRuns(int rounds) {
  constexpr uint32_t kKernels = 1000;
  bef::BefBuilder builder;
  builder.AddFunction(ToFunction(ChainGraph(kKernels), "main"));
  Program program(builder, "main");
  Turns turns = MeasureTurns([&] { program.Run(); }, rounds);
  std::printf(
      "a static run, per kernel          off %5.1f ns  on %5.1f ns  (+%.1f ns)  %llu allocations\n",
      turns.off / kKernels * 1e9, turns.on / kKernels * 1e9,
      (turns.on - turns.off) / kKernels * 1e9, static_cast<unsigned long long>(turns.allocations));
}

// The caller's part of ASYNC ops, and the whole of SYNC ones, with what profiles record of them: no
// details. In readings of the clock, to which the limit is four.
void MeasureEager(int rounds, double one_read, std::string_view only) {
  Cases cases;
  AddEagerCases(&cases);
  for (const Case& eager : cases) {
    if (!only.empty() && eager.name != only) continue;
    const bool is_call = eager.name == "eager/add";
    if (!is_call && !eager.prepare_timed) continue;
    std::function<double()> run = eager.prepare_timed ? eager.prepare_timed() : nullptr;
    if (is_call) run = [call = eager.prepare()] { return Seconds(call, 1); };
    std::vector<double> off, on;
    for (int i = 0; i < rounds; ++i) {
      // Each for the second time: a session that begins clears its memory, and with it the caches.
      run();
      off.push_back(run());
      auto session = StartSession(/*details=*/false);
      run();
      on.push_back(run());
      if (session->num_dropped() > 0) std::printf("(dropped some)\n");
    }
    const double more = (Median(on) - Median(off)) / eager.units * 1e9;
    std::printf("%-32s  off %6.1f ns  on %6.1f ns  +%5.1f ns  %4.1f reads of the clock\n",
                std::string(eager.name).c_str(), Median(off) / eager.units * 1e9,
                Median(on) / eager.units * 1e9, more, more / one_read);
  }
}

int Main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 101;
  const double two_reads = MeasureRecords(rounds);
  if (argc <= 2) MeasureRuns(rounds);
  MeasureEager(rounds, two_reads / 2, argc > 2 ? argv[2] : "");
  return 0;
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) { return tfrt::bench::Main(argc, argv); }
