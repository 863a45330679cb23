#include "counter_probe.h"

#include <pthread.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

using tracing::ProbeRecord;
using tracing::ProbeSample;

namespace {

// A thread's group. Its own mutex is for whoever ends the session while the thread reads.
struct Thread {
  Thread() { Join(); }
  ~Thread();
  void Join();

  std::mutex mutex;
  CounterGroup group;                        // under the mutex
  const CountingSession* session = nullptr;  // under the mutex: which the group is of
  uint64_t num_forks_before = 0;             // when it joined
};

// The threads that have a group, for whoever ends the session. Never destroyed.
struct Threads {
  std::mutex mutex;
  std::vector<Thread*> all;  // under the mutex
  // How many forks this process comes from since it first counted. Only changed in a new process,
  // by its one thread.
  uint64_t num_forks = 0;
};
Threads& AllThreads() {
  static auto& threads = *new Threads;
  return threads;
}

// In a fork there is no other thread, whose group another one might wait for.
void BeforeFork() { AllThreads().mutex.lock(); }
void AfterForkInParent() { AllThreads().mutex.unlock(); }
void AfterForkInChild() {
  Threads& threads = AllThreads();
  ++threads.num_forks;
  threads.all.clear();
  threads.mutex.unlock();
}

// Whether the thread's group has been destroyed: destructors that run later may still record.
thread_local constinit bool has_ended = false;

// The types of a set's records, made once and there until the process ends.
const tracing::RecordType* TypeOf(CounterSet set) {
  if (set == 0) return nullptr;
  static std::mutex mutex;
  static auto& types = *new std::array<const tracing::RecordType*, kAllCounters + 1>{};
  std::lock_guard lock(mutex);
  if (!types[set]) {
    const bool is_hardware = (set & kHardwareCounters) != 0;
    auto* type =
        new tracing::RecordType{.name = is_hardware ? kHardwareCountersType : kSystemCountersType,
                                .level = tracing::StackLevel::kKernel,
                                .kind = tracing::RecordKind::kEvent};
    size_t count = 0;
    for (size_t i = 0; i < kNumCpuCounters; ++i) {
      if (!Has(set, i)) continue;
      type->arguments[count++] = {.name = kCpuCounterNames[i],
                                  .type = tracing::ArgumentSpec::Type::kInteger};
    }
    types[set] = type;
  }
  return types[set];
}

void Thread::Join() {
  Threads& threads = AllThreads();
  std::lock_guard lock(threads.mutex);
  threads.all.push_back(this);
  num_forks_before = threads.num_forks;
}

Thread::~Thread() {
  has_ended = true;
  Threads& threads = AllThreads();
  // After a fork it is in no list, and its files are copies.
  if (num_forks_before != threads.num_forks) return;
  std::lock_guard lock(threads.mutex);
  std::erase(threads.all, this);
  group.Close();
}

// Sessions that have been, too.
const CountingSession* MakeSession(PerfCalls* calls, CounterSet counters) {
  static auto& sessions = *new std::deque<CountingSession>;
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  return &sessions.emplace_back(CountingSession{
      .calls = calls,
      .counters = counters,
      .types = {TypeOf(counters & kHardwareCounters), TypeOf(counters & ~kHardwareCounters)}});
}

}  // namespace

CounterProbe& CounterProbe::Get() {
  static auto& probe = *new CounterProbe;
  return probe;
}

CounterSet CounterProbe::Examine(PerfCalls* calls, std::array<int, kNumCpuCounters>* errors) {
  CounterGroup group;
  return group.Open(calls, kAllCounters, errors);
}

std::vector<Problem> CounterProbe::Begin(PerfCalls* calls) {
  static const int registered = pthread_atfork(&BeforeFork, &AfterForkInParent, &AfterForkInChild);
  (void)registered;
  std::array<int, kNumCpuCounters> errors;
  const CounterSet counters = Examine(calls, &errors);
  for (auto* number :
       {&num_estimates_, &num_without_registers_, &num_unreadable_, &num_threads_without_}) {
    number->store(0, std::memory_order_relaxed);
  }
  thread_error_.store(0, std::memory_order_relaxed);
  if (counters != 0) {
    session_.store(MakeSession(calls, counters), std::memory_order_release);
    tracing::SetScopeProbe(this);
  }
  // Those that are missing for one reason are told of together.
  std::vector<std::pair<CounterFailure, std::string>> failures;
  for (size_t i = 0; i < kNumCpuCounters; ++i) {
    if (Has(counters, i)) continue;
    CounterFailure failure = CounterFailureOf(errors[i], static_cast<CpuCounter>(i));
    auto same = std::ranges::find_if(failures, [&](const auto& other) {
      return other.first.reason == failure.reason && other.first.remedy == failure.remedy;
    });
    if (same == failures.end()) {
      failures.emplace_back(std::move(failure), kCpuCounterNames[i]);
    } else {
      same->second += StrCat(", ", kCpuCounterNames[i]);
    }
  }
  std::vector<Problem> problems;
  for (const auto& [failure, names] : failures) {
    problems.push_back({.kind = Problem::Kind::kUnavailable,
                        .text = StrCat(kCountersProblem, "no ", names, ": ", failure.reason, "; ",
                                       failure.remedy)});
  }
  return problems;
}

std::vector<Problem> CounterProbe::End() {
  if (!session_.load(std::memory_order_relaxed)) return {};
  tracing::SetScopeProbe(nullptr);
  session_.store(nullptr, std::memory_order_relaxed);
  {
    Threads& threads = AllThreads();
    std::lock_guard lock(threads.mutex);
    for (Thread* thread : threads.all) {
      // A thread that has seen the session before sees, with its mutex, that it is over.
      std::lock_guard thread_lock(thread->mutex);
      thread->group.Close();
      thread->session = nullptr;
    }
  }
  std::vector<Problem> problems;
  auto tell = [&](const std::atomic<uint64_t>& number, std::string_view what) {
    // relaxed: a number.
    const uint64_t count = number.load(std::memory_order_relaxed);
    if (count > 0) {
      problems.push_back({.kind = Problem::Kind::kUnavailable,
                          .count = count,
                          .text = StrCat(kCountersProblem, count, what)});
    }
  };
  tell(num_estimates_,
       " kernels have estimates: other programs counted at the same time; stop them");
  tell(num_without_registers_,
       " kernels have none: other programs had the processor's registers; stop them");
  tell(num_unreadable_, " kernels have none: reading them failed");
  if (const int error = thread_error_.load(std::memory_order_relaxed); error != 0) {
    const CounterFailure failure = CounterFailureOf(error, CpuCounter::kCycles);
    tell(num_threads_without_,
         StrCat(" threads have none: ", failure.reason, "; ", failure.remedy));
  }
  return problems;
}

bool CounterProbe::Read(ProbeSample* sample) {
  const CountingSession* session = session_.load(std::memory_order_acquire);
  if (!session || has_ended) return false;
  thread_local Thread thread;
  // In a fork the list is a new one.
  if (thread.num_forks_before != AllThreads().num_forks) thread.Join();
  std::lock_guard lock(thread.mutex);
  if (thread.session != session) {
    // Not for a session that is over: nobody would close it. End stores first, then locks.
    if (session_.load(std::memory_order_relaxed) != session) return false;
    thread.session = session;
    std::array<int, kNumCpuCounters> errors;
    if (thread.group.Open(session->calls, session->counters, &errors) != session->counters) {
      thread.group.Close();
      num_threads_without_.fetch_add(1, std::memory_order_relaxed);
      thread_error_.store(*std::ranges::find_if(errors, [](int error) { return error != 0; }),
                          std::memory_order_relaxed);
    }
  }
  if (!thread.group.is_open()) return false;
  GroupReading reading;
  if (!thread.group.Read(&reading)) {
    num_unreadable_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  sample->source = reinterpret_cast<uintptr_t>(session);
  static_assert(GroupReading::kNumWords <= tracing::kMaxProbeValues);
  std::ranges::copy(reading.words, sample->values.begin());
  return true;
}

size_t CounterProbe::Compare(const ProbeSample& begin, const ProbeSample& end,
                             std::span<ProbeRecord, tracing::kMaxProbeRecords> records) {
  const auto& session = *reinterpret_cast<const CountingSession*>(begin.source);
  GroupReading from, to;
  std::ranges::copy_n(begin.values.begin(), GroupReading::kNumWords, from.words.begin());
  std::ranges::copy_n(end.values.begin(), GroupReading::kNumWords, to.words.begin());
  bool is_estimate;
  const std::optional<CounterValues> values = Difference(session.counters, from, to, &is_estimate);
  if (!values) {
    num_without_registers_.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }
  if (is_estimate) num_estimates_.fetch_add(1, std::memory_order_relaxed);
  size_t num_records = 0;
  size_t begin_of_type = 0;
  for (const auto& [type, end_of_type] : {std::pair(session.types[0], kNumHardwareCounters),
                                          std::pair(session.types[1], kNumCpuCounters)}) {
    if (type) {
      ProbeRecord& record = records[num_records++];
      record.type = type;
      size_t argument = 0;
      for (size_t i = begin_of_type; i < end_of_type; ++i) {
        if (Has(session.counters, i)) record.arguments[argument++] = (*values)[i];
      }
    }
    begin_of_type = end_of_type;
  }
  return num_records;
}

}  // namespace tfrt::profiler
