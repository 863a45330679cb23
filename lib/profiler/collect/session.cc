#include "tfrt/profiler/session.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "counter_source.h"
#include "lib/profiler/perfetto/perfetto_writer.h"
#include "process_facts.h"
#include "record_stream.h"
#include "sources.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/session.h"

namespace tfrt::profiler {
namespace {

// How long records lie where they were made. Shorter takes more of the processor from the program,
// longer more room: 10^7 records a second are 1 GB.
constexpr std::chrono::milliseconds kPeriod(10);

StackLevel DeepestOf(Level level) {
  switch (level) {
    case Level::kModel:
      return StackLevel::kModel;
    case Level::kLayer:
      return StackLevel::kOp;
    case Level::kKernel:
    case Level::kMetrics:
      break;
  }
  return StackLevel::kDevice;
}

}  // namespace

struct Session::Impl {
  Impl(std::unique_ptr<ProfileConsumer> to, std::unique_ptr<tracing::Session> from)
      : consumer(std::move(to)),
        records(std::move(from)),
        stream(consumer.get()),
        record_stream(&stream) {}

  static StatusOr<std::unique_ptr<tracing::Session>> StartRecords(const SessionOptions& options);
  static std::unique_ptr<Session> Begin(const SessionOptions& options,
                                        std::unique_ptr<ProfileConsumer> consumer,
                                        std::unique_ptr<tracing::Session> records);
  // The thread, until Finish.
  void Run();
  void DrainOnce();
  void Finish();

  // The process that all this belongs to: a fork has the memory, but neither the thread nor the
  // file.
  const pid_t process = getpid();
  const std::unique_ptr<ProfileConsumer> consumer;
  const std::unique_ptr<tracing::Session> records;
  EventStream stream;
  RecordStream record_stream;
  std::vector<std::unique_ptr<Source>> sources;
  std::atomic<uint64_t> num_events{0};

  std::mutex mutex;
  std::condition_variable stopping;
  bool is_stopping = false;                                     // guarded by the mutex
  std::vector<std::pair<std::string, std::string>> properties;  // guarded by it: not written yet
  std::thread thread;
  bool has_stopped = false;
  Status status;
};

void Session::Impl::DrainOnce() {
  {
    std::lock_guard lock(mutex);
    for (const auto& [key, value] : std::exchange(properties, {})) {
      consumer->AddProperty(key, value);
    }
  }
  record_stream.FollowClock();
  records->Drain([&](std::span<const tracing::Record> drained, const tracing::ProfileThread& from) {
    record_stream.Add(drained, from);
  });
  for (const std::unique_ptr<Source>& source : sources) source->Drain(stream);
  // relaxed: a number.
  num_events.store(record_stream.num_events(), std::memory_order_relaxed);
  consumer->Flush();
}

void Session::Impl::Run() {
  std::unique_lock lock(mutex);
  while (!is_stopping) {
    if (stopping.wait_for(lock, kPeriod, [&] { return is_stopping; })) return;
    lock.unlock();
    DrainOnce();
    lock.lock();
  }
}

void Session::Impl::Finish() {
  records->Stop();
  {
    std::lock_guard lock(mutex);
    is_stopping = true;
  }
  stopping.notify_one();
  thread.join();
  // Not before: the thread may have been in a source's Drain.
  for (const std::unique_ptr<Source>& source : sources) source->Stop();
  DrainOnce();
  if (uint64_t dropped = records->num_dropped()) {
    consumer->AddProblem(
        {.kind = Problem::Kind::kDropped,
         .count = dropped,
         .text = StrCat(dropped, " records found no room: ask for a larger buffer")});
  }
  sources.clear();
  status = consumer->Finish();
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Session::~Session() {
  (void)Stop();
  // In a fork nothing of it may be waited for, written or closed.
  if (impl_->process != getpid()) (void)impl_.release();
}

StatusOr<std::unique_ptr<tracing::Session>> Session::Impl::StartRecords(
    const SessionOptions& options) {
  return tracing::Session::Start({.max_level = DeepestOf(options.level),
                                  .queue_events = options.level >= Level::kKernel,
                                  .details = options.level >= Level::kMetrics,
                                  .buffer_bytes = options.buffer_bytes});
}

std::unique_ptr<Session> Session::Impl::Begin(const SessionOptions& options,
                                              std::unique_ptr<ProfileConsumer> consumer,
                                              std::unique_ptr<tracing::Session> records) {
  auto impl = std::make_unique<Impl>(std::move(consumer), std::move(records));
  AddProcessFacts(impl->consumer.get());
  impl->consumer->AddProperty(property::kLevel, LevelName(options.level));
  for (const auto& [key, value] : options.properties) impl->consumer->AddProperty(key, value);
  for (std::string& error : OpenSourcePlugins()) {
    impl->consumer->AddProblem({.kind = Problem::Kind::kUnavailable, .text = std::move(error)});
  }
  std::vector<NamedSource> all = MakeSources();
  if (options.level >= Level::kMetrics) {
    all.push_back({"counters of kernels", std::make_unique<CounterSource>()});
  }
  for (NamedSource& made : all) {
    Status status = made.source->Start(options.level);
    if (status.ok()) {
      impl->sources.push_back(std::move(made.source));
    } else {
      impl->consumer->AddProblem(
          {.kind = Problem::Kind::kUnavailable, .text = StrCat(made.name, ": ", status.message())});
    }
  }
  impl->thread = std::thread([&impl = *impl] { impl.Run(); });
  return std::unique_ptr<Session>(new Session(std::move(impl)));
}

StatusOr<std::unique_ptr<Session>> Session::Start(const SessionOptions& options) {
  // If there can be no records, a file that is there stays as it is.
  TFRT_ASSIGN_OR_RETURN(auto records, Impl::StartRecords(options));
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer,
                        PerfettoWriter::Create(options.path));
  return Impl::Begin(options, std::move(writer), std::move(records));
}

StatusOr<std::unique_ptr<Session>> Session::Start(const SessionOptions& options,
                                                  std::unique_ptr<ProfileConsumer> consumer) {
  TFRT_ASSIGN_OR_RETURN(auto records, Impl::StartRecords(options));
  return Impl::Begin(options, std::move(consumer), std::move(records));
}

Status Session::Stop() {
  if (impl_->process != getpid()) {
    impl_->records->Stop();  // this process records nothing more
    return FailedPreconditionError("this process is a fork of the one that records");
  }
  if (!impl_->has_stopped) impl_->Finish();
  impl_->has_stopped = true;
  return impl_->status;
}

void Session::SetProperty(std::string_view key, std::string_view value) {
  std::lock_guard lock(impl_->mutex);
  impl_->properties.emplace_back(key, value);
}

Session::Counts Session::counts() const {
  return {.num_events = impl_->num_events.load(std::memory_order_relaxed),
          .num_dropped = impl_->records->num_dropped()};
}

}  // namespace tfrt::profiler
