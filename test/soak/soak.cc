// Runs random programs for a given time, in rounds of two kinds: one makes a host, opens files (see
// test/support/stress_program.h), runs them from several threads with errors and cancellations,
// checks every result, and closes everything; the other runs eager programs of several threads (see
// test/support/eager_stress.h), each with a context of its own. Prints a line of comma-separated
// values per round. Fails on a wrong result, on a value that outlives its round, and if memory
// grows. Usage: soak SECONDS

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "test/support/deadline.h"
#include "test/support/eager_stress.h"
#include "test/support/outside_thread.h"
#include "test/support/stress_program.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/host_context.h"

namespace {

using namespace tfrt;
using Clock = std::chrono::steady_clock;

struct Setup {
  const char* queue;
  int num_callers;
  bool is_eager = false;
};
// The single-threaded queue has one caller of programs at a time.
constexpr Setup kSetups[] = {{"mstd:2", 3},       {"s", 1},           {"mstd:2", 3, true},
                             {"mstd:1", 2},       {"mstd:4", 2},      {"s", 2, true},
                             {"mstd:4", 4, true}, {"mstd:1", 2, true}};

constexpr double kRoundSeconds = 1;
// A round that takes this long hangs.
constexpr std::chrono::seconds kMaxRound{60};
constexpr size_t kNumPrograms = 32;
// What pools may keep for themselves, and what shows a leak: a round makes thousands of values.
constexpr double kMaxGrowthBytes = 4e6;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double ResidentBytes() {
  long total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// What the program has not given back to malloc. The resident memory says little: threads come and
// go, and each arena of theirs keeps what it once needed.
double BytesInUse() {
  struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

// What was wrong, from any thread; only the first is kept.
class Problem {
 public:
  void Set(const std::string& text) {
    std::lock_guard lock(mutex_);
    if (text_.empty()) text_ = text;
  }
  std::string Get() {
    std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

// Runs for kRoundSeconds. Returns the number of kernels that were to run.
uint64_t RunRound(const Setup& setup, uint32_t seed, Problem* problem) {
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                   *CreateWorkQueue(setup.queue));
  RegisterStressKernels(host.kernel_registry());
  std::mt19937 random(seed);
  std::vector<StressProgram> programs;
  std::vector<RCReference<BefFile>> files;
  std::vector<const Function*> functions;
  for (size_t i = 0; i < kNumPrograms; ++i) {
    programs.emplace_back(random);
    auto bytes = programs.back().Build().Build();
    auto file = BefFile::Open(BefImage::CopyOf(*bytes), &host);
    files.push_back(*std::move(file));
    functions.push_back(*files.back()->FindFunction("f"));
  }
  auto begin = Clock::now();
  std::atomic<uint64_t> num_kernels{0};
  auto call = [&](uint32_t caller_seed) {
    std::mt19937 choose(caller_seed);
    while (SecondsSince(begin) < kRoundSeconds && problem->Get().empty()) {
      size_t i = choose() % kNumPrograms;
      StressRun run = StressRun::Random(choose);
      if (choose() % 64 == 0) run.cancel_after = choose() % 3000;
      std::string wrong = programs[i].RunAndCheck(
          run, *functions[i], ExecutionContext(RequestContextBuilder(&host, nullptr).Build()),
          host);
      if (!wrong.empty()) problem->Set("program " + std::to_string(i) + ": " + wrong);
      num_kernels.fetch_add(programs[i].num_kernels() * static_cast<uint64_t>(run.num_runs()),
                            std::memory_order_relaxed);
    }
  };
  std::vector<std::thread> callers;
  for (int caller = 1; caller < setup.num_callers; ++caller) {
    callers.emplace_back(call, seed + static_cast<uint32_t>(caller));
  }
  call(seed);
  for (std::thread& caller : callers) caller.join();
  OutsideThread::Get().Settle(host);
  return num_kernels.load();
}

// The same of eager programs, whose kernels are ops.
uint64_t RunEagerRound(const Setup& setup, uint32_t seed, Problem* problem) {
  auto begin = Clock::now();
  uint64_t num_ops = 0;
  for (uint32_t program = 0; SecondsSince(begin) < kRoundSeconds; ++program) {
    eager::EagerStress stress{
        .work_queue = setup.queue,
        .order = program % 2 == 0 ? eager::ExecutionOrder::kDataflow : eager::ExecutionOrder::kFifo,
        .num_callers = setup.num_callers,
        .num_steps = 500,
        .seed = seed * 10007 + program};
    std::string wrong = stress.Run();
    if (!wrong.empty()) {
      problem->Set("eager program with the seed " + std::to_string(stress.seed) + ": " + wrong);
      break;
    }
    num_ops += static_cast<uint64_t>(stress.num_ops());
  }
  return num_ops;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

int Soak(double seconds) {
  auto begin = Clock::now();
  Problem problem;
  std::vector<double> in_use;
  uint64_t total_kernels = 0;
  std::printf("seconds,kind,queue,kernels_per_second,resident_megabytes,megabytes_in_use\n");
  for (uint32_t round = 0; SecondsSince(begin) < seconds || in_use.size() < std::size(kSetups);
       ++round) {
    const Setup& setup = kSetups[round % std::size(kSetups)];
    const char* kind = setup.is_eager ? "eager" : "graph";
    std::string name = "round " + std::to_string(round) + ", " + kind + " under " + setup.queue;
    Deadline deadline("soak: " + name, kMaxRound);
    auto round_begin = Clock::now();
    uint64_t num_kernels =
        setup.is_eager ? RunEagerRound(setup, round, &problem) : RunRound(setup, round, &problem);
    double took = SecondsSince(round_begin);
    if (int64_t live = Tracked::live.load(); live != 0) {
      problem.Set(std::to_string(live) + " values are left over");
    }
    if (std::string text = problem.Get(); !text.empty()) {
      std::fprintf(stderr, "soak: %s: %s\n", name.c_str(), text.c_str());
      return 1;
    }
    total_kernels += num_kernels;
    in_use.push_back(BytesInUse());
    std::printf("%.1f,%s,%s,%.0f,%.2f,%.2f\n", SecondsSince(begin), kind, setup.queue,
                static_cast<double>(num_kernels) / took, ResidentBytes() / 1e6,
                in_use.back() / 1e6);
    std::fflush(stdout);
  }
  // The second quarter against the last: the first fills pools and the allocator's caches.
  size_t quarter = in_use.size() / 4;
  auto part = [&](size_t from) {
    return Median({in_use.begin() + static_cast<long>(from),
                   in_use.begin() + static_cast<long>(from + std::max<size_t>(quarter, 1))});
  };
  double growth = part(in_use.size() - std::max<size_t>(quarter, 1)) - part(quarter);
  std::fprintf(stderr, "soak: %.0f s, %zu rounds, %.3g kernels, memory grew by %.2f MB\n",
               SecondsSince(begin), in_use.size(), static_cast<double>(total_kernels),
               growth / 1e6);
  if (growth > kMaxGrowthBytes) {
    std::fprintf(stderr, "soak: more than %.0f MB\n", kMaxGrowthBytes / 1e6);
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  if (argc == 2) {
    const char* end = argv[1] + std::char_traits<char>::length(argv[1]);
    auto [rest, error] = std::from_chars(argv[1], end, seconds);
    if (rest != end || error != std::errc() || !(seconds > 0)) seconds = 0;
  }
  if (seconds == 0) {
    std::fprintf(stderr, "usage: %s SECONDS\n", argv[0]);
    return 2;
  }
  return Soak(seconds);
}
