#include "stream.h"

#include <algorithm>
#include <cassert>
#include <thread>
#include <utility>

#include "context.h"
#include "event_pool.h"
#include "stream_pool.h"
#include "stream_slots.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

constinit tracing::DeviceGate internal::command_gate{0};
constinit thread_local int Stream::calls_of_thread_ = 0;

Stream::Stream(Context* context, cuda::Stream handle, uint32_t id, uint64_t first_number,
               int priority)
    : context_(context),
      handle_(std::move(handle)),
      id_(id),
      priority_(priority),
      name_(StrCat(context->name(), "/stream ", id)),
      last_number_(first_number),
      attributions_(std::make_unique<Attribution[]>(kAttributions)),
      seen_(MakeRef<internal::SeenClock>()) {}

Stream::~Stream() {
  for (EventRecord* record : records_) {
    assert(record->pins == 0 && "somebody waits on a stream that goes");
    record->is_listed = false;
    context_->events_->GiveBack(record);
  }
  internal::GiveBackStreamSlot(id_, tail().number);
}

void Stream::Retire() {
  Context* context = context_;
  context->streams_->GiveBack(this);
  context->DropRef();
}

Status Stream::End(cuda::CUresult result, std::string_view call, std::string_view subject) {
  if (result != cuda::CUDA_SUCCESS) [[unlikely]]
    return context_->Check(result, call, subject);
  if (context_->options().launch_blocking) [[unlikely]]
    return Wait();
  return OkStatus();
}

namespace {

// Notes the command in the memories that a launch uses.
auto NoteUses(std::span<const LaunchArgument> arguments) {
  return [arguments](auto note) {
    for (const LaunchArgument& argument : arguments) {
      if (argument.memory) note(*argument.memory);
    }
  };
}
auto NoteUses(std::span<const Memory* const> memories) {
  return [memories](auto note) {
    for (const Memory* memory : memories) {
      if (memory) note(*memory);
    }
  };
}

}  // namespace

StatusOr<Point> Stream::Launch(const Function& function, const LaunchShape& shape,
                               std::span<const LaunchArgument> arguments) {
  // Unusual or invalid launches are handled elsewhere, so that the usual ones stay short.
  constexpr size_t kFew = 16;
  void* parameters[kFew];
  bool is_plain = &function.module().context() == context_ && !context_->is_lost() &&
                  arguments.size() <= kFew && function.Fits(shape, arguments.size());
  if (is_plain) [[likely]] {
    const uint32_t* sizes = function.parameter_sizes_.data();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (function.knows_parameters_) is_plain &= arguments[i].size_bytes == sizes[i];
      parameters[i] = const_cast<void*>(arguments[i].value);
    }
  }
  if (!is_plain) [[unlikely]]
    return LaunchSlow(function, shape, arguments);
  TFRT_RETURN_IF_ERROR(context_->native().MakeCurrent());
  if (tracing::IsDeviceObserved(internal::command_gate)) [[unlikely]]
    return LaunchObserved(function, shape, parameters, NoteUses(arguments));
  return EnqueueKernel(function, shape, parameters, NoteUses(arguments));
}

StatusOr<Point> Stream::LaunchSlow(const Function& function, const LaunchShape& shape,
                                   std::span<const LaunchArgument> arguments) {
  if (&function.module().context() != context_) {
    return OfAnotherContext(StrCat("kernel '", function.name(), "'"));
  }
  TFRT_RETURN_IF_ERROR(function.Check(shape, arguments));
  TFRT_RETURN_IF_ERROR(context_->Enter());
  std::vector<void*> parameters;
  for (const LaunchArgument& argument : arguments) {
    parameters.push_back(const_cast<void*>(argument.value));
  }
  return LaunchObserved(function, shape, parameters.data(), NoteUses(arguments));
}

StatusOr<Point> Stream::LaunchChecked(const Function& function, const LaunchShape& shape,
                                      void** parameters, std::span<const Memory* const> memories) {
  assert(&function.module().context() == context_);
  TFRT_RETURN_IF_ERROR(context_->Enter());
  if (tracing::IsDeviceObserved(internal::command_gate)) [[unlikely]]
    return LaunchObserved(function, shape, parameters, NoteUses(memories));
  return EnqueueKernel(function, shape, parameters, NoteUses(memories));
}

template <typename F>
[[gnu::noinline]] StatusOr<Point> Stream::LaunchObserved(const Function& function,
                                                         const LaunchShape& shape,
                                                         void** parameters, F&& uses) {
  std::optional<tracing::CommandScope> observed = Observe();
  return EnqueueKernel(function, shape, parameters, uses);
}

template <typename F>
[[gnu::always_inline]] inline StatusOr<Point> Stream::EnqueueKernel(const Function& function,
                                                                    const LaunchShape& shape,
                                                                    void** parameters, F&& uses) {
  Point point;
  const cuda::CUresult result = context_->Call([&] {
    std::lock_guard lock(order_);
    AwaitEndOfCall();
    point = {id_, Begin(function.name())};
    cuda::CUresult launched = context_->driver().cuLaunchKernel(
        function.handle(), shape.grid[0], shape.grid[1], shape.grid[2], shape.block[0],
        shape.block[1], shape.block[2], shape.shared_bytes, handle(), parameters, nullptr);
    uses([point](const Memory& memory) { memory.uses_.NoteLast(point); });
    return launched;
  });
  if (result != cuda::CUDA_SUCCESS || context_->options().launch_blocking) [[unlikely]]
    TFRT_RETURN_IF_ERROR(End(result, "cuLaunchKernel", function.name()));
  return point;
}

Status Stream::OfAnotherContext(std::string_view what) const {
  return InvalidArgumentError(
      StrCat(what, " belongs to another context than ", name_, ", which is to use it"));
}

Status Stream::BeginCall(std::string_view what, Point* point) {
  for (;;) {
    // Whoever waits meanwhile for what came before finds a record in front of the library's
    // commands.
    TFRT_RETURN_IF_ERROR(Record().status());
    std::lock_guard lock(order_);
    AwaitEndOfCall();
    const Point before = tail();
    if (!IsKnownDone(before) && !FindRecord(before.number)) continue;
    *point = {id_, Begin(what)};
    call_goes_on_ = true;
    caller_ = std::this_thread::get_id();
    return OkStatus();
  }
}

StatusOr<Point> Stream::EnqueueCall(std::string_view what, std::span<const Memory* const> memories,
                                    Status (*call)(void*), void* argument) {
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  std::optional<tracing::CommandScope> observed = Observe();
  Point point;
  TFRT_RETURN_IF_ERROR(BeginCall(what, &point));
  ++calls_of_thread_;
  Status status = call(argument);
  --calls_of_thread_;
  // A library may leave any context current.
  cuda::Context::ForgetCurrent();
  {
    std::lock_guard lock(order_);
    for (const Memory* memory : memories) memory->uses_.NoteLast(point);
    call_goes_on_ = false;
  }
  call_ended_.notify_all();
  TFRT_RETURN_IF_ERROR(status);
  TFRT_RETURN_IF_ERROR(End(cuda::CUDA_SUCCESS, what, {}));
  return point;
}

void Stream::AwaitEndOfCallSlow() {
  assert(caller_ != std::this_thread::get_id() && "a library's call waits for its own end");
  std::unique_lock lock(order_, std::adopt_lock);
  call_ended_.wait(lock, [this] { return !call_goes_on_; });
  (void)lock.release();
}

StatusOr<Point> Stream::Record() {
  Point point = tail();
  {
    std::lock_guard lock(order_);
    TrimRecords();
    point = tail();
    if (IsKnownDone(point) || FindRecord(point.number)) return point;
  }
  TFRT_RETURN_IF_ERROR(context_->Enter());
  TFRT_ASSIGN_OR_RETURN(EventRecord * record, context_->events_->Acquire());
  const cuda::CUresult result = context_->Call([&] {
    std::lock_guard lock(order_);
    AwaitEndOfCall();
    point = tail();
    return PushRecord(record);
  });
  if (result == cuda::CUDA_SUCCESS) return point;
  context_->events_->GiveBack(record);
  return context_->Check(result, "cuEventRecord");
}

Status Stream::WaitFor(Point point) {
  if (HasSeen(point)) return context_->is_lost() ? context_->Unavailable() : OkStatus();
  TFRT_RETURN_IF_ERROR(context_->Enter());
  RCReference<Context> other;
  Stream* from = internal::StreamOf(point.stream, context_);
  if (!from) [[unlikely]] {
    other = internal::ContextOf(point.stream);
    if (!other) return internal::AwaitGoing(point);
    from = internal::StreamOf(point.stream, other.get());
  }
  TFRT_ASSIGN_OR_RETURN(EventRecord * record, from->PinRecordBehind(point.number));
  if (!record) return OkStatus();  // it has been reached meanwhile
  // The record may have been made in another context.
  Status entered = context_->Enter();
  cuda::CUresult result = cuda::CUDA_SUCCESS;
  if (entered.ok()) {
    result = context_->Call([&] {
      std::lock_guard lock(order_);
      AwaitEndOfCall();
      // Another thread may have been here meanwhile.
      if (HasSeen(point)) return cuda::CUDA_SUCCESS;
      Begin("wait");
      cuda::CUresult enqueued = context_->driver().cuStreamWaitEvent(handle(), record->event.get(),
                                                                     cuda::CU_EVENT_WAIT_DEFAULT);
      if (enqueued != cuda::CUDA_SUCCESS) return enqueued;
      RCReference<const internal::SeenClock> seen = SeenWith(*record);
      // release: see HasSeen.
      last_wait_.store((uint64_t{record->point.stream} << kNumberBits) | record->point.number,
                       std::memory_order_release);
      std::lock_guard light(light_);
      std::swap(seen_, seen);
      return enqueued;
    });
  }
  from->Unpin(record);
  TFRT_RETURN_IF_ERROR(entered);
  return End(result, "cuStreamWaitEvent", {});
}

Status Stream::WaitForUses(const Memory& memory) {
  for (Point point : memory.UsesOfBytes()) TFRT_RETURN_IF_ERROR(WaitFor(point));
  return OkStatus();
}

bool Stream::HasSeenSlow(Point point) const {
  if (IsKnownDone(point)) return true;
  std::lock_guard light(light_);
  return seen_->clock.Covers(point);
}

RCReference<const internal::SeenClock> Stream::SeenWith(const EventRecord& record) const {
  auto seen = MakeRef<internal::SeenClock>();
  auto join = [&](const Clock& clock) {
    for (Point point : clock.points()) {
      if (!IsKnownDone(point)) seen->clock.Raise(point);
    }
  };
  join(seen_->clock);
  join(record.seen->clock);
  seen->clock.Raise(record.point);
  return seen;
}

AsyncValueRef<Chain> Stream::Synchronize(ConcurrentWorkQueue* queue) {
  return context_->WhenDone(tail(), queue);
}

Status Stream::Wait() { return context_->Wait(tail()); }

StatusOr<EventRecord*> Stream::PinRecordBehind(uint64_t number) {
  // True if there is no more to be done.
  EventRecord* found = nullptr;
  auto look = [&] {
    TrimRecords();
    if (IsKnownDone({id_, number})) return true;
    found = FindRecord(number);
    if (found) ++found->pins;
    return found != nullptr;
  };
  {
    std::lock_guard lock(order_);
    if (look()) return found;
  }
  TFRT_RETURN_IF_ERROR(context_->Enter());
  TFRT_ASSIGN_OR_RETURN(EventRecord * fresh, context_->events_->Acquire());
  const cuda::CUresult result = context_->Call([&] {
    std::lock_guard lock(order_);
    if (look()) return cuda::CUDA_SUCCESS;
    AwaitEndOfCall();
    cuda::CUresult recorded = PushRecord(fresh);
    if (recorded == cuda::CUDA_SUCCESS) {
      found = std::exchange(fresh, nullptr);
      ++found->pins;
    }
    return recorded;
  });
  if (fresh) context_->events_->GiveBack(fresh);
  TFRT_RETURN_IF_ERROR(context_->Check(result, "cuEventRecord"));
  return found;
}

void Stream::Unpin(EventRecord* record) {
  std::lock_guard lock(order_);
  assert(record->pins > 0);
  if (--record->pins == 0 && !record->is_listed) context_->events_->GiveBack(record);
}

EventRecord* Stream::FindRecord(uint64_t number) {
  auto found = std::ranges::lower_bound(records_, number, {},
                                        [](EventRecord* record) { return record->point.number; });
  return found == records_.end() ? nullptr : *found;
}

cuda::CUresult Stream::PushRecord(EventRecord* record) {
  const cuda::DriverTable& driver = context_->driver();
  if (records_.size() > kManyRecords &&
      driver.cuEventQuery(records_.front()->event.get()) == cuda::CUDA_SUCCESS &&
      NoteDoneIfOwn(*records_.front())) {
    TrimRecords();
  }
  cuda::CUresult result = driver.cuEventRecord(record->event.get(), handle());
  if (result != cuda::CUDA_SUCCESS) return result;
  record->point = tail();
  record->seen = seen_;
  record->is_listed = true;
  records_.push_back(record);
  return result;
}

void Stream::TrimRecords() {
  size_t count = 0;
  for (; count < records_.size() && IsKnownDone(records_[count]->point); ++count) {
    EventRecord* record = records_[count];
    record->is_listed = false;
    if (record->pins == 0) context_->events_->GiveBack(record);
  }
  records_.erase(records_.begin(), records_.begin() + static_cast<ptrdiff_t>(count));
}

void Stream::Poll() {
  std::unique_lock lock(order_);
  TrimRecords();
  while (!records_.empty()) {
    EventRecord* first = records_.front();
    if (context_->driver().cuEventQuery(first->event.get()) != cuda::CUDA_SUCCESS) return;
    if (!NoteDoneIfOwn(*first)) {
      ++first->pins;
      lock.unlock();
      const bool is_done = NoteDone(*first).ok();
      Unpin(first);
      (void)context_->native().MakeCurrent();
      if (!is_done) return;
      lock.lock();
    }
    TrimRecords();
  }
  // No record would tell of launches behind the last one. A library's commands have a number before
  // the stream has them.
  if (call_goes_on_ || IsKnownDone(tail()) || !IsOfContext(seen_->clock)) return;
  if (context_->driver().cuStreamQuery(handle()) == cuda::CUDA_SUCCESS) {
    NoteAllDone(seen_->clock, tail());
  }
}

void Stream::NoteAllDone(const Clock& seen, Point point) {
  for (Point before : seen.points()) internal::NoteKnownDone(before);
  internal::NoteKnownDone(point);
}

bool Stream::IsOfContext(const Clock& seen) const {
  return std::ranges::all_of(seen.points(), [this](Point point) {
    return IsKnownDone(point) || internal::StreamOf(point.stream, context_);
  });
}

bool Stream::NoteDoneIfOwn(const EventRecord& record) {
  if (!IsOfContext(record.seen->clock)) return false;
  NoteAllDone(record.seen->clock, record.point);
  return true;
}

Status Stream::NoteDone(const EventRecord& record) {
  TFRT_RETURN_IF_ERROR(CheckSeen(record.seen->clock));
  NoteAllDone(record.seen->clock, record.point);
  return OkStatus();
}

Status Stream::CheckSeen(const Clock& seen) const {
  for (Point point : seen.points()) {
    if (internal::StreamOf(point.stream, context_)) continue;
    TFRT_RETURN_IF_ERROR(internal::CheckPassed(point));
  }
  return OkStatus();
}

Status Stream::CheckEnd() const {
  RCReference<const internal::SeenClock> seen;
  {
    std::lock_guard light(light_);
    seen = seen_;
  }
  return CheckSeen(seen->clock);
}

uint64_t Stream::AppendAttributions(uint64_t done, uint64_t end, std::vector<Attribution>* out) {
  std::lock_guard lock(order_);
  uint64_t first = end > kAttributions ? std::max(done, end - kAttributions) : done;
  uint64_t num_forgotten = first - done;
  for (uint64_t number = first + 1; number <= end; ++number) {
    const Attribution& attribution = attributions_[number % kAttributions];
    if (attribution.number == number) {
      out->push_back(attribution);
    } else {
      ++num_forgotten;
    }
  }
  return num_forgotten;
}

void Stream::ForgetLocations(const LocationHandler& handler) {
  std::lock_guard lock(order_);
  for (size_t i = 0; i < kAttributions; ++i) {
    if (attributions_[i].location.handler() == &handler) attributions_[i].location = Location();
  }
}

}  // namespace tfrt::gpu
