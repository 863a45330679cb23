#include "tfrt/profiler/session.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "process_facts.h"
#include "record_stream.h"
#include "sources.h"
#include "tfrt/profiler/event_stream.h"
#include "tfrt/profiler/perfetto_writer.h"
#include "tfrt/profiler/trace_properties.h"
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
  Impl(std::unique_ptr<TraceConsumer> to, std::unique_ptr<tracing::Session> from)
      : consumer(std::move(to)),
        records(std::move(from)),
        stream(consumer.get()),
        record_stream(&stream, tracing::CalibrateClock()) {}

  // The thread: until Stop, and once more.
  void Run();
  void DrainOnce();

  const std::unique_ptr<TraceConsumer> consumer;
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
  records->Drain([&](std::span<const tracing::Record> drained, const tracing::TraceThread& from) {
    record_stream.Add(drained, from);
  });
  for (const std::unique_ptr<Source>& source : sources) source->Drain(stream);
  // relaxed: a number.
  num_events.store(record_stream.num_events(), std::memory_order_relaxed);
  consumer->Flush();
}

void Session::Impl::Run() {
  std::unique_lock lock(mutex);
  while (true) {
    stopping.wait_for(lock, kPeriod, [&] { return is_stopping; });
    for (const auto& [key, value] : std::exchange(properties, {})) {
      consumer->AddProperty(key, value);
    }
    if (is_stopping) return;
    lock.unlock();
    DrainOnce();
    lock.lock();
  }
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Session::~Session() { (void)Stop(); }

StatusOr<std::unique_ptr<Session>> Session::Start(const SessionOptions& options) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<TraceConsumer> writer,
                        PerfettoWriter::Create(options.path));
  return Start(options, std::move(writer));
}

StatusOr<std::unique_ptr<Session>> Session::Start(const SessionOptions& options,
                                                  std::unique_ptr<TraceConsumer> consumer) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<tracing::Session> records,
                        tracing::Session::Start({.max_level = DeepestOf(options.level),
                                                 .queue_events = options.level >= Level::kKernel,
                                                 .buffer_bytes = options.buffer_bytes}));
  auto impl = std::make_unique<Impl>(std::move(consumer), std::move(records));
  AddProcessFacts(impl->consumer.get());
  impl->consumer->AddProperty(property::kLevel, LevelName(options.level));
  for (const auto& [key, value] : options.properties) impl->consumer->AddProperty(key, value);
  for (std::string& error : OpenSourcePlugins()) {
    impl->consumer->AddProblem({.kind = Problem::Kind::kUnavailable, .text = std::move(error)});
  }
  for (NamedSource& made : MakeSources()) {
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

Status Session::Stop() {
  if (impl_->has_stopped) return impl_->status;
  impl_->records->Stop();
  for (const std::unique_ptr<Source>& source : impl_->sources) source->Stop();
  {
    std::lock_guard lock(impl_->mutex);
    impl_->is_stopping = true;
  }
  impl_->stopping.notify_one();
  impl_->thread.join();
  impl_->DrainOnce();
  if (uint64_t dropped = impl_->records->num_dropped()) {
    impl_->consumer->AddProblem(
        {.kind = Problem::Kind::kDropped,
         .count = dropped,
         .text = StrCat(dropped, " records found no room: ask for a larger buffer")});
  }
  impl_->sources.clear();
  impl_->status = impl_->consumer->Finish();
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
