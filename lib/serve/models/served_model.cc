#include "served_model.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <list>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "lib/api/model/check_inputs.h"
#include "lib/serve/models/batch_rows.h"
#include "lib/serve/models/limited_allocator.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

struct Batch;

// How long a run that was cancelled may go on until it is cancelled again.
constexpr std::chrono::milliseconds kCancelInterval{5};
// Smaller results are not counted: the number of connections bounds them.
constexpr size_t kMinCountedBytes = 4096;

// A request, from its submission until it is answered and no run uses its inputs.
struct Job {
  enum class State : uint8_t { kWaiting, kRunning, kAnswered };

  bool is_answered() const { return state == State::kAnswered; }

  // Set before the job is shared, and never again.
  std::vector<InferTensor> inputs;
  std::vector<const DenseHostTensor*> ordered;  // to `inputs`, in the model's order
  std::vector<size_t> outputs;                  // indices of results
  int64_t num_rows = 1;
  size_t bytes = 0;
  Clock::time_point arrival;
  std::optional<Clock::time_point> deadline;
  std::shared_ptr<InferCancel> cancel;

  // Guarded by the model's mutex.
  State state = State::kWaiting;
  bool can_share = false;
  InferCallback callback;                           // empty when answered
  std::list<std::shared_ptr<Job>>::iterator place;  // while it waits
  std::shared_ptr<Batch> batch;                     // while it runs
  std::optional<TimerQueue::TimerId> timer;
};

// A session and who uses it. Guarded by the model's mutex; the session itself is used by the batch
// that has it.
struct Seat {
  LimitedAllocator::Owner memory;  // of the session; null: no limit
  std::optional<Session> session;  // made when it is first used
  int num_cancelling = 0;          // calls of Session::Cancel that have not returned
  bool is_over = false;            // its batch has ended, but a call of Cancel has not
};

// The requests of one run.
struct Batch {
  std::vector<std::shared_ptr<Job>> jobs;
  Seat* seat = nullptr;
  size_t num_open = 0;         // jobs that are not answered; guarded by the model's mutex
  bool is_in_session = false;  // guarded by the model's mutex

  // The task that runs the batch uses these alone.
  std::vector<DenseHostTensor> joined;
  int64_t num_rows = 0;
  Clock::time_point start;      // the task began
  Clock::time_point run_start;  // the inputs are ready
};

// A callback that is to be called without a lock, and with what.
struct Answer {
  InferCallback callback;
  std::shared_ptr<InferCancel> cancel;
  StatusOr<InferResult> result;

  void Give() {
    if (cancel) (void)cancel->SetAction(nullptr);
    callback(std::move(result));
  }
};

std::chrono::nanoseconds Between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin);
}

// Zeros of the smallest sizes that the input may have.
StatusOr<DenseHostTensor> MakeZeros(const ModelValue& input, HostAllocator* allocator) {
  std::vector<int64_t> sizes;
  if (input.dims) {
    for (const ModelDim& dim : *input.dims) sizes.push_back(dim.size >= 0 ? dim.size : 1);
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(sizes));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor zeros,
                        DenseHostTensor::CreateUninitialized({input.dtype, shape}, allocator));
  if (zeros.size_bytes() > 0) std::memset(zeros.buffer()->data(), 0, zeros.size_bytes());
  return zeros;
}

// Tells which requests a thread may run that must not block: those of a model whose time follows
// from shapes, and whose last runs of the same shapes were short. A few longer ones may be the
// system's doing; one that is much longer ends it for a thousand runs.
class QuickRuns {
 public:
  using Inputs = std::span<const DenseHostTensor* const>;

  QuickRuns(const Model& model, std::chrono::microseconds limit)
      : limit_(model.time_depends_on_values() ? std::chrono::microseconds(0) : limit) {}
  bool Includes(Inputs inputs) const { return trust_ >= kEnough && AreOfShapes(inputs); }
  void Add(Inputs inputs, std::chrono::nanoseconds took) {
    if (limit_.count() == 0) return;
    if (took > kMuchTooLong) {
      trust_ = -1000;
    } else if (took > limit_) {
      if (AreOfShapes(inputs)) Distrust(kEnough - 1);
    } else {
      if (!AreOfShapes(inputs)) {
        Distrust(2 * kEnough);
        shapes_.clear();
        for (const DenseHostTensor* input : inputs) shapes_.push_back(input->shape());
      }
      trust_ = std::min(trust_ + 1, 2 * kEnough);
    }
  }

 private:
  static constexpr int kEnough = 4;
  static constexpr std::chrono::milliseconds kMuchTooLong{10};

  bool AreOfShapes(Inputs inputs) const {
    return std::ranges::equal(inputs, shapes_,
                              [](const DenseHostTensor* input, const TensorShape& shape) {
                                return input->shape() == shape;
                              });
  }
  // Below what is enough it begins anew.
  void Distrust(int by) {
    trust_ -= by;
    if (trust_ < kEnough) trust_ = std::min(trust_ + by, 0);
  }

  std::chrono::nanoseconds limit_;   // of a short run; 0: there are none
  std::vector<TensorShape> shapes_;  // of the inputs of the last short run
  int trust_ = 0;
};

// Whether this thread runs a request that it submitted. If the answer makes it submit another one,
// that one is a task, or the stack would grow with each.
thread_local bool submits_here = false;

// Errors are none of the model: zeros may be no input that it can take.
void WarmUp(Session& session, std::chrono::milliseconds limit) {
  const Model model = session.model();
  std::vector<DenseHostTensor> zeros;
  for (const ModelValue& input : model.inputs()) {
    StatusOr<DenseHostTensor> tensor = MakeZeros(input, model.host()->allocator());
    if (!tensor.ok()) return;
    zeros.push_back(*std::move(tensor));
  }
  std::vector<const DenseHostTensor*> pointers;
  for (const DenseHostTensor& tensor : zeros) pointers.push_back(&tensor);
  (void)session.RunInOrder(pointers, {.deadline = Clock::now() + limit});
}

}  // namespace

// All functions with `lock` in their name are called with the mutex held. No other lock of this
// library is taken meanwhile, and no code of callers runs. The timer queue has a lock of its own,
// which it does not hold while it calls back.
struct ServedModel::Impl {
  using Started = std::vector<std::shared_ptr<Batch>>;

  Impl(const Model& model, const ModelConfig& config, const ModelLimits& limits)
      : model(model), config(config), limits(limits), quick_runs(model, limits.max_run_on_caller) {}

  StatusOr<std::shared_ptr<Job>> MakeJob(InferRequest request);
  Status AddLocked(const std::shared_ptr<ServedModel>& self, const std::shared_ptr<Job>& job,
                   InferCallback* callback);
  // Makes batches of what waits, while sessions are idle.
  void ScheduleLocked(const std::shared_ptr<ServedModel>& self, Started* started);
  std::shared_ptr<Batch> NextBatchLocked(const std::shared_ptr<ServedModel>& self);
  // When a run must begin to meet the job's deadline.
  Clock::time_point LatestStartLocked(const Job& job) const {
    if (!job.deadline) return Clock::time_point::max();
    if (usual_run.count() == 0) return job.arrival;  // unknown yet
    return *job.deadline - 2 * usual_run - std::chrono::milliseconds(1);
  }
  void ArmLocked(const std::shared_ptr<ServedModel>& self, Clock::time_point time);
  // Ends the job and takes what is to be called; nothing if it is answered.
  std::optional<Answer> TakeLocked(Job& job, StatusOr<InferResult> result);
  void CountLocked(const Job& job, const Status& status);
  void ReleaseSeatLocked(Seat* seat);
  StatusOr<Session> MakeSession(const Seat& seat) const {
    return Session::Create(model, {.allocator = seat.memory.get()});
  }
  // The error of a run that has ended on the seat, which may be that of the limit of memory.
  Status ErrorOfRun(Seat& seat, const Status& status) const;

  static void Start(const std::shared_ptr<ServedModel>& self, const Started& started);
  static void Run(const std::shared_ptr<ServedModel>& self, const std::shared_ptr<Batch>& batch);
  static void Finish(const std::shared_ptr<ServedModel>& self, const std::shared_ptr<Batch>& batch,
                     StatusOr<std::vector<DenseHostTensor>> results);
  static void EndEarly(const std::shared_ptr<ServedModel>& self, const std::shared_ptr<Job>& job,
                       Status status);
  // Ends the run of a batch that nobody waits for.
  static void CancelRun(const std::shared_ptr<ServedModel>& self,
                        const std::shared_ptr<Batch>& batch);

  bool PrepareRun(Batch& batch);
  Status JoinInputs(Batch& batch);
  // The results of each job; an error if the run must be repeated for each job alone.
  StatusOr<std::vector<StatusOr<InferResult>>> Split(const Batch& batch,
                                                     std::span<const DenseHostTensor> results);
  void RepeatAloneLocked(Batch& batch);
  // The key of ModelStatistics::runs.
  int64_t RowsToCount(int64_t num_rows) const {
    if (num_rows <= ModelStatistics::kMaxCountedRows) return num_rows;
    if (num_rows > int64_t{1} << 62) return INT64_MAX;
    const auto next = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(num_rows)));
    return num_rows <= max_rows ? std::min(next, max_rows) : next;
  }

  const Model model;
  const ModelConfig config;
  const ModelLimits limits;
  int64_t max_rows = 0;
  size_t max_waiting = 0;

  mutable std::mutex mutex;
  std::vector<std::unique_ptr<Seat>> seats;  // constant after Create
  std::vector<Seat*> idle;                   // the last is used first: its memory is warm
  std::list<std::shared_ptr<Job>> waiting;   // oldest first
  size_t waiting_bytes = 0;
  const std::shared_ptr<ResultBytes::Sum> result_bytes = std::make_shared<ResultBytes::Sum>(0);
  size_t num_running = 0;
  bool rows_depend = false;  // a run did not return as many rows as it received
  QuickRuns quick_runs;
  std::optional<Clock::time_point> armed_for;
  std::chrono::nanoseconds usual_run{0};
  ModelStatistics counts;
};

StatusOr<std::shared_ptr<Job>> ServedModel::Impl::MakeJob(InferRequest request) {
  auto job = std::make_shared<Job>();
  job->arrival = Clock::now();
  job->inputs = std::move(request.inputs);
  job->cancel = std::move(request.cancel);
  job->deadline = request.deadline;
  std::vector<NamedTensor> named;
  named.reserve(job->inputs.size());
  for (const InferTensor& input : job->inputs) {
    named.push_back({input.name, input.tensor});
    job->bytes += input.tensor.size_bytes();
  }
  TFRT_ASSIGN_OR_RETURN(job->ordered, OrderInputs(model.inputs(), named));
  TFRT_RETURN_IF_ERROR(CheckInputs(model.inputs(), job->ordered));
  const std::span<const ModelValue> results = model.outputs();
  for (const std::string& name : request.outputs) {
    const auto found = std::ranges::find(results, name, &ModelValue::name);
    if (found == results.end()) {
      return InvalidArgumentError(StrCat("the model has no output ", name));
    }
    const auto index = static_cast<size_t>(found - results.begin());
    // A small request would otherwise get as many copies of a large result as it has names.
    if (std::ranges::find(job->outputs, index) != job->outputs.end()) {
      return InvalidArgumentError(StrCat("output ", name, " is asked for twice"));
    }
    job->outputs.push_back(index);
  }
  if (request.outputs.empty()) {
    for (size_t i = 0; i < results.size(); ++i) job->outputs.push_back(i);
  }
  if (max_rows > 0) {
    job->num_rows = job->ordered[0]->shape().dim(0);
    job->can_share = job->num_rows >= 1 && job->num_rows <= max_rows;
    for (const DenseHostTensor* input : job->ordered) {
      job->can_share &= input->shape().dim(0) == job->num_rows;
    }
  }
  if (!job->deadline && config.default_timeout.count() > 0) {
    job->deadline = job->arrival + config.default_timeout;
  }
  if (job->deadline && *job->deadline <= job->arrival) {
    return DeadlineExceededError("deadline exceeded");
  }
  return job;
}

Status ServedModel::Impl::AddLocked(const std::shared_ptr<ServedModel>& self,
                                    const std::shared_ptr<Job>& job, InferCallback* callback) {
  if (waiting.size() >= max_waiting) {
    return ResourceExhaustedError(
        StrCat("the queue of the model is full: ", waiting.size(), " requests wait"));
  }
  // relaxed: results that are received meanwhile may count or not.
  const size_t held = waiting_bytes + result_bytes->load(std::memory_order_relaxed);
  if (held + job->bytes > limits.max_waiting_bytes && held > 0) {
    return ResourceExhaustedError(StrCat("the requests of the model hold ", held, " bytes, and ",
                                         job->bytes, " more are above the limit ",
                                         limits.max_waiting_bytes));
  }
  job->callback = std::exchange(*callback, nullptr);
  waiting_bytes += job->bytes;
  job->place = waiting.insert(waiting.end(), job);
  if (job->deadline) {
    job->timer = model.host()->timer_queue().ScheduleTimer(*job->deadline, [self, job] {
      EndEarly(self, job, DeadlineExceededError("deadline exceeded"));
    });
  }
  return OkStatus();
}

void ServedModel::Impl::ArmLocked(const std::shared_ptr<ServedModel>& self,
                                  Clock::time_point time) {
  // An earlier one calls this again. A later one is of no use, but does no harm.
  if (armed_for && *armed_for <= time) return;
  armed_for = time;
  model.host()->timer_queue().ScheduleTimer(time, [self, time] {
    Started started;
    {
      std::lock_guard lock(self->impl_->mutex);
      if (self->impl_->armed_for == time) self->impl_->armed_for.reset();
      self->impl_->ScheduleLocked(self, &started);
    }
    Start(self, started);
  });
}

std::shared_ptr<Batch> ServedModel::Impl::NextBatchLocked(
    const std::shared_ptr<ServedModel>& self) {
  const std::shared_ptr<Job>& oldest = waiting.front();
  auto batch = std::make_shared<Batch>();
  batch->jobs.push_back(oldest);
  batch->num_rows = oldest->num_rows;
  if (oldest->can_share && !rows_depend) {
    Clock::time_point latest_start = oldest->arrival + config.max_queue_delay;
    latest_start = std::min(latest_start, LatestStartLocked(*oldest));
    for (auto it = std::next(waiting.begin()); it != waiting.end(); ++it) {
      if (batch->num_rows >= max_rows) break;
      Job& job = **it;
      if (!job.can_share || batch->num_rows + job.num_rows > max_rows ||
          !CanShareRun(oldest->ordered, job.ordered)) {
        continue;
      }
      latest_start = std::min(latest_start, LatestStartLocked(job));
      batch->num_rows += job.num_rows;
      batch->jobs.push_back(*it);
    }
    if (batch->num_rows < max_rows && config.max_queue_delay.count() > 0 &&
        Clock::now() < latest_start) {
      ArmLocked(self, latest_start);
      return nullptr;
    }
  }
  return batch;
}

void ServedModel::Impl::ScheduleLocked(const std::shared_ptr<ServedModel>& self, Started* started) {
  while (!idle.empty() && !waiting.empty()) {
    std::shared_ptr<Batch> batch = NextBatchLocked(self);
    if (!batch) return;
    for (const std::shared_ptr<Job>& job : batch->jobs) {
      waiting.erase(job->place);
      job->state = Job::State::kRunning;
      job->batch = batch;
    }
    batch->num_open = batch->jobs.size();
    num_running += batch->jobs.size();
    batch->seat = idle.back();
    idle.pop_back();
    started->push_back(std::move(batch));
  }
}

void ServedModel::Impl::Start(const std::shared_ptr<ServedModel>& self, const Started& started) {
  for (const std::shared_ptr<Batch>& batch : started) {
    internal::AddTaskTo(self->impl_->model.host()->work_queue(),
                        [self, batch] { Run(self, batch); });
  }
}

std::optional<Answer> ServedModel::Impl::TakeLocked(Job& job, StatusOr<InferResult> result) {
  if (job.is_answered()) return std::nullopt;
  job.state = Job::State::kAnswered;
  CountLocked(job, result.status());
  if (job.timer) (void)model.host()->timer_queue().CancelTimer(*job.timer);
  return Answer{std::exchange(job.callback, nullptr), job.cancel, std::move(result)};
}

void ServedModel::Impl::CountLocked(const Job& job, const Status& status) {
  const auto took = Between(job.arrival, Clock::now());
  (status.ok() ? counts.success : counts.failure).Add(took);
  ++counts.answers_by_code[static_cast<size_t>(status.code())];
}

void ServedModel::Impl::ReleaseSeatLocked(Seat* seat) {
  if (seat->num_cancelling > 0) {
    seat->is_over = true;  // the last call of Cancel releases it: it must not end the next run
  } else {
    seat->is_over = false;
    idle.push_back(seat);
  }
}

Status ServedModel::Impl::JoinInputs(Batch& batch) {
  if (batch.jobs.size() == 1) return OkStatus();
  for (size_t i = 0; i < model.inputs().size(); ++i) {
    std::vector<const DenseHostTensor*> parts;
    for (const std::shared_ptr<Job>& job : batch.jobs) parts.push_back(job->ordered[i]);
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor joined, JoinRows(parts, model.host()->allocator()));
    batch.joined.push_back(std::move(joined));
  }
  return OkStatus();
}

// Leaves out the jobs that were answered since the batch was made. False if none is left.
bool ServedModel::Impl::PrepareRun(Batch& batch) {
  std::vector<std::shared_ptr<Job>> answered;  // destroyed after the lock
  std::lock_guard lock(mutex);
  std::erase_if(batch.jobs, [&](std::shared_ptr<Job>& job) {
    if (!job->is_answered()) return false;
    batch.num_rows -= job->num_rows;
    waiting_bytes -= job->bytes;
    --num_running;
    job->batch = nullptr;
    answered.push_back(std::move(job));
    return true;
  });
  return !batch.jobs.empty();
}

void ServedModel::Impl::Run(const std::shared_ptr<ServedModel>& self,
                            const std::shared_ptr<Batch>& batch) {
  Impl& impl = *self->impl_;
  batch->start = Clock::now();
  batch->run_start = batch->start;
  if (!impl.PrepareRun(*batch)) return Finish(self, batch, CancelledError("nobody waits"));
  Status status = impl.JoinInputs(*batch);
  if (!status.ok()) return Finish(self, batch, std::move(status));
  // The seat is this batch's alone; the lock is for those who cancel or count.
  if (!batch->seat->session) {
    StatusOr<Session> session = impl.MakeSession(*batch->seat);
    if (!session.ok()) return Finish(self, batch, session.status());
    std::lock_guard lock(impl.mutex);
    batch->seat->session.emplace(*std::move(session));
  }
  bool is_wanted = false;
  {
    std::lock_guard lock(impl.mutex);
    is_wanted = batch->is_in_session = batch->num_open > 0;
  }
  if (!is_wanted) return Finish(self, batch, CancelledError("nobody waits"));
  std::vector<const DenseHostTensor*> inputs;
  if (batch->joined.empty()) {
    inputs = batch->jobs[0]->ordered;
  } else {
    for (const DenseHostTensor& input : batch->joined) inputs.push_back(&input);
  }
  if (batch->seat->memory) (void)batch->seat->memory->TakeRefused();
  batch->run_start = Clock::now();
  std::optional<StatusOr<std::vector<DenseHostTensor>>> results =
      batch->seat->session->RunOrStart(inputs, [&]() -> Session::Callback {
        return [self, batch](StatusOr<std::vector<DenseHostTensor>> later) {
          Finish(self, batch, std::move(later));
        };
      });
  if (results) Finish(self, batch, *std::move(results));
}

StatusOr<std::vector<StatusOr<InferResult>>> ServedModel::Impl::Split(
    const Batch& batch, std::span<const DenseHostTensor> results) {
  const bool is_shared = batch.jobs.size() > 1;
  for (const DenseHostTensor& result : results) {
    if (!is_shared) break;
    if (result.shape().rank() == 0 || result.shape().dim(0) != batch.num_rows) {
      return FailedPreconditionError(
          StrCat("a run of ", batch.num_rows, " rows returned ", result.shape().ToString()));
    }
  }
  std::vector<StatusOr<InferResult>> parts;
  int64_t begin = 0;
  for (const std::shared_ptr<Job>& job : batch.jobs) {
    const auto part = [&]() -> StatusOr<InferResult> {
      InferResult result;
      for (size_t index : job->outputs) {
        StatusOr<DenseHostTensor> tensor = is_shared
                                               ? TakeRows(results[index], begin, job->num_rows)
                                               : StatusOr(results[index].ShareBuffer());
        if (!tensor.ok()) return tensor.status();
        result.outputs.push_back({model.outputs()[index].name, *std::move(tensor)});
      }
      size_t bytes = 0;
      for (const InferTensor& output : result.outputs) bytes += output.tensor.size_bytes();
      if (bytes >= kMinCountedBytes) {
        result.bytes = std::make_shared<ResultBytes>(result_bytes, bytes);
      }
      return result;
    };
    parts.push_back(part());
    begin += job->num_rows;
  }
  return parts;
}

Status ServedModel::Impl::ErrorOfRun(Seat& seat, const Status& status) const {
  if (status.code() != StatusCode::kResourceExhausted || !seat.memory ||
      !seat.memory->TakeRefused()) {
    return status;
  }
  const std::string message = StrCat("the run of the model needs more memory than ",
                                     limits.max_run_bytes, " bytes (--max_run_mb)");
  // relaxed: as above.
  const size_t held = result_bytes->load(std::memory_order_relaxed);
  if (held == 0) return OutOfRangeError(message);
  return ResourceExhaustedError(
      StrCat(message, ", while results that were not received yet have ", held));
}

void ServedModel::Impl::RepeatAloneLocked(Batch& batch) {
  for (auto it = batch.jobs.rbegin(); it != batch.jobs.rend(); ++it) {
    const std::shared_ptr<Job>& job = *it;
    --num_running;
    job->batch = nullptr;
    if (job->is_answered()) {
      waiting_bytes -= job->bytes;
      continue;
    }
    job->state = Job::State::kWaiting;
    job->can_share = false;
    job->place = waiting.insert(waiting.begin(), job);
  }
}

void ServedModel::Impl::Finish(const std::shared_ptr<ServedModel>& self,
                               const std::shared_ptr<Batch>& batch,
                               StatusOr<std::vector<DenseHostTensor>> results) {
  Impl& impl = *self->impl_;
  const Clock::time_point end = Clock::now();
  if (!results.ok()) results = impl.ErrorOfRun(*batch->seat, results.status());
  StatusOr<std::vector<StatusOr<InferResult>>> parts =
      results.ok() ? impl.Split(*batch, *results)
                   : StatusOr<std::vector<StatusOr<InferResult>>>(results.status());
  const Clock::time_point split = Clock::now();
  std::vector<Answer> answers;
  Started started;
  {
    std::lock_guard lock(impl.mutex);
    batch->is_in_session = false;
    if (!parts.ok() && batch->jobs.size() > 1) {
      if (results.ok()) impl.rows_depend = true;
      impl.RepeatAloneLocked(*batch);
    } else {
      if (results.ok()) {
        const auto took = Between(batch->run_start, end);
        if (batch->jobs.size() == 1) impl.quick_runs.Add(batch->jobs[0]->ordered, took);
        impl.usual_run = impl.usual_run.count() == 0 ? took : (impl.usual_run * 7 + took) / 8;
        ++impl.counts.num_runs;
        impl.counts.num_rows += static_cast<uint64_t>(std::max<int64_t>(batch->num_rows, 1));
        RunCounts& runs = impl.counts.runs[impl.RowsToCount(batch->num_rows)];
        runs.compute_input.Add(Between(batch->start, batch->run_start));
        runs.compute_infer.Add(took);
        runs.compute_output.Add(Between(end, split));
        impl.counts.run_times.Add(took);
        impl.counts.last_inference_milliseconds =
            std::chrono::duration_cast<std::chrono::milliseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count();
      }
      for (size_t i = 0; i < batch->jobs.size(); ++i) {
        Job& job = *batch->jobs[i];
        --impl.num_running;
        impl.waiting_bytes -= job.bytes;
        job.batch = nullptr;
        if (job.is_answered()) continue;
        if (results.ok()) {
          impl.counts.queue.Add(Between(job.arrival, batch->start));
          impl.counts.queue_times.Add(Between(job.arrival, batch->start));
          impl.counts.compute_input.Add(Between(batch->start, batch->run_start));
          impl.counts.compute_infer.Add(Between(batch->run_start, end));
          impl.counts.compute_output.Add(Between(end, split));
        }
        std::optional<Answer> answer = impl.TakeLocked(
            job, parts.ok() ? std::move((*parts)[i]) : StatusOr<InferResult>(parts.status()));
        if (answer) answers.push_back(*std::move(answer));
      }
    }
    impl.ReleaseSeatLocked(batch->seat);
    impl.ScheduleLocked(self, &started);
  }
  Start(self, started);
  for (Answer& answer : answers) answer.Give();
}

void ServedModel::Impl::EndEarly(const std::shared_ptr<ServedModel>& self,
                                 const std::shared_ptr<Job>& job, Status status) {
  Impl& impl = *self->impl_;
  std::optional<Answer> answer;
  std::shared_ptr<Batch> unwanted;
  {
    std::lock_guard lock(impl.mutex);
    if (job->is_answered()) return;
    if (job->state == Job::State::kWaiting) {
      impl.waiting.erase(job->place);
      impl.waiting_bytes -= job->bytes;
    } else if (--job->batch->num_open == 0) {
      unwanted = job->batch;
    }
    answer = impl.TakeLocked(*job, std::move(status));
  }
  if (unwanted) CancelRun(self, unwanted);
  if (answer) answer->Give();
}

void ServedModel::Impl::CancelRun(const std::shared_ptr<ServedModel>& self,
                                  const std::shared_ptr<Batch>& batch) {
  Impl& impl = *self->impl_;
  Seat* const seat = batch->seat;
  {
    std::lock_guard lock(impl.mutex);
    if (!batch->is_in_session) return;  // the run is over, or will not begin
    ++seat->num_cancelling;
  }
  // Without the lock: what waits for the run's values may run in here. The seat gets no other run
  // meanwhile.
  seat->session->Cancel();
  Started started;
  bool goes_on = false;
  {
    std::lock_guard lock(impl.mutex);
    if (--seat->num_cancelling == 0 && seat->is_over) {
      impl.ReleaseSeatLocked(seat);
      impl.ScheduleLocked(self, &started);
    }
    goes_on = batch->is_in_session;
  }
  Start(self, started);
  if (!goes_on) return;
  // The session does not end a run that is about to begin, so that this one may still need it.
  impl.model.host()->timer_queue().ScheduleTimer(Clock::now() + kCancelInterval,
                                                 [self, batch] { CancelRun(self, batch); });
}

ServedModel::ServedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

// Nothing runs: a run keeps the model. Requests may wait whose timer the host dropped at its end.
ServedModel::~ServedModel() {
  std::vector<Answer> answers;
  {
    std::lock_guard lock(impl_->mutex);
    for (const std::shared_ptr<Job>& job : impl_->waiting) {
      auto answer = impl_->TakeLocked(*job, UnavailableError("the server ends"));
      if (answer) answers.push_back(*std::move(answer));
    }
    impl_->waiting.clear();
  }
  for (Answer& answer : answers) answer.Give();
}

StatusOr<std::shared_ptr<ServedModel>> ServedModel::Create(const Model& model,
                                                           const ModelConfig& config,
                                                           const ModelLimits& limits) {
  auto impl = std::make_unique<Impl>(model, config, limits);
  if (config.max_batch_size.value_or(0) > 0) {
    Status status = CheckHasRows(model);
    if (!status.ok()) {
      return InvalidArgumentError(
          StrCat("max_batch_size is ", *config.max_batch_size, ", but ", status.message()));
    }
    impl->max_rows = *config.max_batch_size;
  } else if (!config.max_batch_size && limits.max_batch_size > 0 && HasNamedRows(model)) {
    impl->max_rows = limits.max_batch_size;
  }
  if (impl->max_rows == 0 && config.max_queue_delay.count() > 0) {
    return InvalidArgumentError("max_queue_delay_microseconds needs max_batch_size above 0");
  }
  impl->max_waiting = static_cast<size_t>(config.max_queue_size.value_or(limits.max_queue_size));
  const int64_t num_seats = config.num_sessions.value_or(limits.num_sessions);
  for (int64_t i = 0; i < num_seats; ++i) {
    impl->seats.push_back(std::make_unique<Seat>());
    if (limits.max_run_bytes > 0) {
      impl->seats.back()->memory =
          LimitedAllocator::Create(model.host()->allocator(), limits.max_run_bytes);
    }
    impl->idle.push_back(impl->seats.back().get());
  }
  TFRT_ASSIGN_OR_RETURN(Session session, impl->MakeSession(*impl->seats.back()));
  if (limits.max_warm_up.count() > 0) WarmUp(session, limits.max_warm_up);
  impl->seats.back()->session.emplace(std::move(session));
  return std::shared_ptr<ServedModel>(new ServedModel(std::move(impl)));
}

void ServedModel::Submit(InferRequest request, InferCallback callback) {
  Impl& impl = *impl_;
  const Clock::time_point arrival = Clock::now();
  const auto refuse = [&](const Status& status) {
    {
      std::lock_guard lock(impl.mutex);
      impl.counts.failure.Add(Between(arrival, Clock::now()));
      ++impl.counts.answers_by_code[static_cast<size_t>(status.code())];
    }
    callback(status);
  };
  StatusOr<std::shared_ptr<Job>> made = impl.MakeJob(std::move(request));
  if (!made.ok()) return refuse(made.status());
  const std::shared_ptr<Job> job = *std::move(made);
  const std::shared_ptr<ServedModel> self = shared_from_this();
  Impl::Started started;
  Status status;
  bool runs_here = false;
  {
    std::lock_guard lock(impl.mutex);
    status = impl.AddLocked(self, job, &callback);
    if (status.ok()) impl.ScheduleLocked(self, &started);
    // An older request may have started, whose wait for others has just ended.
    runs_here = started.size() == 1 && started[0]->jobs.size() == 1 && started[0]->jobs[0] == job &&
                !job->can_share && !submits_here && impl.quick_runs.Includes(job->ordered);
  }
  if (!status.ok()) return refuse(status);
  if (runs_here) {
    submits_here = true;
    Impl::Run(self, started[0]);
    submits_here = false;
  } else {
    Impl::Start(self, started);
  }
  // Weak: the request holds the InferCancel. It may be answered by now, which does no harm.
  if (job->cancel && !job->cancel->SetAction([self = weak_from_this(), job = std::weak_ptr(job)] {
        const std::shared_ptr<ServedModel> model = self.lock();
        const std::shared_ptr<Job> request = job.lock();
        if (model && request) Impl::EndEarly(model, request, CancelledError("cancelled"));
      })) {
    Impl::EndEarly(self, job, CancelledError("cancelled"));
  }
}

const Model& ServedModel::model() const { return impl_->model; }
const ModelConfig& ServedModel::config() const { return impl_->config; }
int64_t ServedModel::max_batch_size() const { return impl_->max_rows; }
int64_t ServedModel::num_sessions() const { return static_cast<int64_t>(impl_->seats.size()); }

ModelStatistics ServedModel::statistics() const {
  std::lock_guard lock(impl_->mutex);
  ModelStatistics statistics = impl_->counts;
  statistics.num_waiting = impl_->waiting.size();
  statistics.waiting_bytes = impl_->waiting_bytes;
  statistics.result_bytes = impl_->result_bytes->load(std::memory_order_relaxed);  // a figure
  statistics.num_running = impl_->num_running;
  statistics.num_sessions = impl_->seats.size();
  for (const std::unique_ptr<Seat>& seat : impl_->seats) {
    if (seat->session) statistics.session_bytes += seat->session->memory().pool_bytes;
  }
  return statistics;
}

}  // namespace tfrt::serve
