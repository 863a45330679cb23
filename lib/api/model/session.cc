#include <algorithm>
#include <atomic>
#include <mutex>

#include "check_inputs.h"
#include "lib/base/support/inline_vector.h"
#include "lib/format/bef/bef_reader.h"
#include "lib/ops/op_call/call_sites.h"
#include "lib/ops/op_call/run_resources.h"
#include "lib/runtime/host/function_call.h"
#include "lib/runtime/host/planned_allocator.h"
#include "lib/runtime/host/pooled_allocator.h"
#include "model_impl.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/request_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

using ModelHandle = std::shared_ptr<Model::Impl>;

// Holds the state that runs of a session share. A request keeps it, because a session may be
// destroyed before its run is over.
struct RunState {
  RunState(ModelHandle handle, const SessionOptions& options)
      : model(std::move(handle)),
        add_data(options.add_data),
        pool(PooledAllocator::Create(options.allocator ? options.allocator
                                                       : model->host->allocator())),
        arena(PlannedAllocator::Create(pool.get())),
        call_sites(model->num_kernels) {}

  const ModelHandle model;
  const std::function<void(RequestContextBuilder&)> add_data;
  PooledAllocator::Owner pool;
  PlannedAllocator::Owner arena;
  CallSites call_sites;
};

// The first of a request's data, and so the last to go: says that nothing of the run is left.
class RunEnd {
 public:
  RunEnd(std::shared_ptr<RunState> state, AsyncValueRef<Chain> over)
      : state_(std::move(state)), over_(std::move(over)) {}
  RunEnd(RunEnd&&) = default;
  ~RunEnd() {
    state_ = nullptr;  // before whoever waits may end what the state stands on
    if (over_) over_.emplace();
  }

 private:
  std::shared_ptr<RunState> state_;
  AsyncValueRef<Chain> over_;
};

// One run, from its checked inputs to its results. When these are there kernels may go on, and
// tasks have values still: the run is over with its request, which they all keep.
struct ModelRun {
  bool has_results() const {
    return std::ranges::all_of(results, [](const auto& result) { return result->IsAvailable(); });
  }

  // The caller's memory for each result, where it gave some; empty: it gave none.
  std::vector<std::optional<DenseHostTensor>> given;
  std::vector<RCReference<AsyncValue>> arguments;
  std::vector<RCReference<AsyncValue>> results;
  RCReference<RequestContext> request;
  AsyncValueRef<Chain> over = MakeUnconstructedAsyncValueRef<Chain>();
  std::optional<TimerQueue::TimerId> timer;
};

// A run, until its results are there. Its batch is the first size of the first input that has one.
constexpr tracing::RecordType kRunRecord = {
    .name = "model.run",
    .level = tracing::StackLevel::kModel,
    .arguments = {{{"batch", tracing::ArgumentSpec::Type::kInteger}}}};

int64_t BatchOf(std::span<const DenseHostTensor* const> inputs) {
  for (const DenseHostTensor* input : inputs) {
    if (input->shape().rank() > 0) return input->shape().dim(0);
  }
  return 1;
}

// Whoever gets a result may write it, and keep it for longer than the model.
bool SharesMemory(const ModelRun& run, const DenseHostTensor& tensor,
                  std::span<const DenseHostTensor> earlier) {
  if (tensor.is_read_only()) return true;
  return std::ranges::any_of(
             earlier, [&](const DenseHostTensor& other) { return Overlap(tensor, other); }) ||
         std::ranges::any_of(run.arguments, [&](const RCReference<AsyncValue>& argument) {
           return argument->IsType<DenseHostTensor>() &&
                  Overlap(tensor, argument->get<DenseHostTensor>());
         });
}

}  // namespace

struct Session::Impl {
  Impl(const ModelHandle& model, const SessionOptions& options)
      : state(std::make_shared<RunState>(model, options)) {}

  HostContext* host() const { return state->model->host; }
  Status Begin(std::span<const DenseHostTensor* const> inputs, const RunOptions& options,
               ModelRun* run);
  // Takes the results when all are there, and nothing else of the run is kept here.
  StatusOr<std::vector<DenseHostTensor>> Release(ModelRun* run);
  // When the run is over: the session is ready for another one.
  void End(bool has_succeeded);
  StatusOr<std::vector<DenseHostTensor>> TakeResults(const ModelRun& run) const;
  StatusOr<DenseHostTensor> TakeResult(const ModelRun& run, size_t index,
                                       std::span<const DenseHostTensor> earlier) const;
  // Keeps a run that goes on after its caller returns. Calls back when it is over.
  struct Later;
  static void EndLater(std::shared_ptr<Impl> impl, ModelRun run, Callback callback,
                       uint64_t record_id);
  static void CallBackWhenOver(std::shared_ptr<Later> later);

  const std::shared_ptr<RunState> state;
  std::atomic<bool> is_running{false};
  std::mutex mutex;
  RCReference<RequestContext> request;  // of the run; guarded by the mutex
};

struct Session::Impl::Later {
  std::shared_ptr<Impl> impl;
  ModelRun run;
  Callback callback;
  uint64_t record_id;
  std::atomic<size_t> num_missing;  // results
  StatusOr<std::vector<DenseHostTensor>> results = std::vector<DenseHostTensor>();
};

Status Session::Impl::Begin(std::span<const DenseHostTensor* const> inputs,
                            const RunOptions& options, ModelRun* run) {
  const Model::Impl& model = *state->model;
  TFRT_RETURN_IF_ERROR(CheckInputs(model.inputs, inputs));
  TFRT_RETURN_IF_ERROR(CheckGiven(model.outputs, options.outputs, model.inputs, inputs));
  if (options.deadline && *options.deadline <= std::chrono::steady_clock::now()) {
    return DeadlineExceededError("deadline exceeded");
  }
  // acquire: what the run before has done is over.
  if (is_running.exchange(true, std::memory_order_acquire)) {
    return FailedPreconditionError("the session is running: make another one for another run");
  }
  for (const DenseHostTensor* given : options.outputs) {
    run->given.push_back(given ? std::optional(given->ShareBuffer()) : std::nullopt);
  }
  InlineVector<int64_t, 16> sizes;
  run->arguments.reserve(inputs.size() + model.loaded.size());
  for (const DenseHostTensor* input : inputs) {
    for (int64_t size : input->shape().dims()) sizes.push_back(size);
    run->arguments.push_back(
        MakeAvailableAsyncValueRef<DenseHostTensor>(input->ShareBuffer()).ReleaseRCRef());
  }
  // Written before the session was made, and never again.
  run->arguments.insert(run->arguments.end(), model.loaded.begin(), model.loaded.end());
  run->results.resize(model.function->num_results());

  RequestContextBuilder builder(model.host, nullptr);
  builder.AddData(RunEnd(state, run->over.CopyRef()));
  builder.AddData(RunResources{.allocator = state->arena.get(),
                               .call_sites = &state->call_sites,
                               .weights = model.file->view().weights(),
                               .locate_errors = model.locate_errors});
  if (state->add_data) state->add_data(builder);
  run->request = std::move(builder).Build();
  {
    std::lock_guard lock(mutex);
    request = run->request;
  }
  // Asked when Cancel sees the run, so that one of both ends it.
  if (options.part_of && options.part_of->IsCancelled()) run->request->Cancel();
  if (options.deadline) {
    run->timer = model.host->timer_queue().ScheduleTimer(
        *options.deadline,
        [request = run->request] { request->Cancel(DeadlineExceededError("deadline exceeded")); });
  }
  state->arena->BeginRun(sizes);
  return OkStatus();
}

StatusOr<std::vector<DenseHostTensor>> Session::Impl::Release(ModelRun* run) {
  if (run->timer) (void)host()->timer_queue().CancelTimer(*run->timer);
  StatusOr<std::vector<DenseHostTensor>> results = TakeResults(*run);
  run->results.clear();
  run->arguments.clear();
  {
    std::lock_guard lock(mutex);
    request = nullptr;
  }
  run->request = nullptr;
  return results;
}

void Session::Impl::End(bool has_succeeded) {
  if (has_succeeded) {
    state->arena->EndRun();
  } else {
    state->arena->AbandonRun();
  }
  // release: to the next run.
  is_running.store(false, std::memory_order_release);
}

StatusOr<std::vector<DenseHostTensor>> Session::Impl::TakeResults(const ModelRun& run) const {
  for (const RCReference<AsyncValue>& result : run.results) {
    if (result->IsError()) return result->GetError();
  }
  std::vector<DenseHostTensor> taken;
  taken.reserve(run.results.size());
  for (size_t i = 0; i < run.results.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, TakeResult(run, i, taken));
    taken.push_back(std::move(tensor));
  }
  return taken;
}

StatusOr<DenseHostTensor> Session::Impl::TakeResult(
    const ModelRun& run, size_t index, std::span<const DenseHostTensor> earlier) const {
  const ModelValue& output = state->model->outputs[index];
  if (!run.results[index]->IsType<DenseHostTensor>()) {
    return InternalError(StrCat("output ", output.name, " is no dense tensor"));
  }
  const auto& tensor = run.results[index]->get<DenseHostTensor>();
  if (!run.given.empty() && run.given[index]) {
    DenseHostTensor given = run.given[index]->ShareBuffer();
    if (given.metadata() != tensor.metadata()) {
      return InvalidArgumentError(StrCat("output ", output.name, " is ", DTypeName(tensor.dtype()),
                                         " ", tensor.shape().ToString(),
                                         ", but the memory given for it is ",
                                         DTypeName(given.dtype()), " ", given.shape().ToString()));
    }
    TFRT_RETURN_IF_ERROR(tensor.CopyTo(given));
    return given;
  }
  if (!SharesMemory(run, tensor, earlier)) return tensor.ShareBuffer();
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor copy, DenseHostTensor::CreateUninitialized(
                                                  tensor.metadata(), state->arena.get()));
  TFRT_RETURN_IF_ERROR(tensor.CopyTo(copy));
  return copy;
}

StatusOr<Session> Session::Create(const Model& model, const SessionOptions& options) {
  TFRT_RETURN_IF_ERROR(model.Load());
  return Session(std::make_shared<Impl>(model.impl_, options));
}

Session::Session(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Model Session::model() const { return Model(impl_->state->model); }

StatusOr<std::vector<DenseHostTensor>> Session::RunInOrder(
    std::span<const DenseHostTensor* const> inputs, const RunOptions& options) {
  ModelRun run;
  TFRT_RETURN_IF_ERROR(impl_->Begin(inputs, options, &run));
  tracing::RecordScope record(kRunRecord, impl_->state->model->name, {},
                              [&] { return BatchOf(inputs); });
  const Function& function = *impl_->state->model->function;
  function.Execute(ExecutionContext(run.request), Borrow(run.arguments), run.results);
  HostContext* host = impl_->host();
  host->Await(Borrow(run.results));
  StatusOr<std::vector<DenseHostTensor>> results = impl_->Release(&run);
  AsyncValue* over = run.over.GetAsyncValue();
  host->Await({&over, 1});
  impl_->End(results.ok());
  return results;
}

StatusOr<std::vector<DenseHostTensor>> Session::Run(std::span<const NamedTensor> inputs,
                                                    const RunOptions& options) {
  TFRT_ASSIGN_OR_RETURN(std::vector<const DenseHostTensor*> ordered,
                        OrderInputs(impl_->state->model->inputs, inputs));
  return RunInOrder(ordered, options);
}

void Session::RunAsync(std::span<const NamedTensor> inputs, Callback callback,
                       const RunOptions& options) {
  auto ordered = OrderInputs(impl_->state->model->inputs, inputs);
  if (!ordered.ok()) return callback(ordered.status());
  ModelRun run;
  Status status = impl_->Begin(*ordered, options, &run);
  if (!status.ok()) return callback(std::move(status));
  const Model::Impl& model = *impl_->state->model;
  tracing::RecordScope record(kRunRecord, model.name, {}, [&] { return BatchOf(*ordered); });
  record.SetReadyLater();
  model.function->ExecuteAsync(ExecutionContext(run.request), Borrow(run.arguments), run.results);
  const uint64_t record_id = record.id();
  record.End();
  Impl::EndLater(impl_, std::move(run), std::move(callback), record_id);
}

std::optional<StatusOr<std::vector<DenseHostTensor>>> Session::RunOrStart(
    std::span<const DenseHostTensor* const> inputs, const std::function<Callback()>& later,
    const RunOptions& options) {
  ModelRun run;
  Status status = impl_->Begin(inputs, options, &run);
  if (!status.ok()) return status;
  const Model::Impl& model = *impl_->state->model;
  tracing::RecordScope record(kRunRecord, model.name, {}, [&] { return BatchOf(inputs); });
  model.function->Execute(ExecutionContext(run.request), Borrow(run.arguments), run.results);
  StatusOr<std::vector<DenseHostTensor>> results = std::vector<DenseHostTensor>();
  const bool has_results = run.has_results();
  if (has_results) {
    results = impl_->Release(&run);
    if (run.over.IsAvailable()) {
      impl_->End(results.ok());
      return results;
    }
  }
  const uint64_t record_id = record.id();
  record.SetReadyLater();
  record.End();
  // The session may be somebody else's once the run is over.
  std::shared_ptr<Impl> impl = impl_;
  if (has_results) {
    Impl::CallBackWhenOver(std::shared_ptr<Impl::Later>(new Impl::Later{
        std::move(impl), std::move(run), later(), record_id, 0, std::move(results)}));
  } else {
    Impl::EndLater(std::move(impl), std::move(run), later(), record_id);
  }
  return std::nullopt;
}

void Session::Impl::EndLater(std::shared_ptr<Impl> impl, ModelRun run, Callback callback,
                             uint64_t record_id) {
  // One more than there are results, for this function.
  const size_t num_missing = run.results.size() + 1;
  std::shared_ptr<Later> later(
      new Later{std::move(impl), std::move(run), std::move(callback), record_id, num_missing});
  // The last result's waiter takes them from under the others.
  const std::vector<RCReference<AsyncValue>> results = later->run.results;
  auto finish = [later] {
    // acq_rel: the last one sees all results.
    if (later->num_missing.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    later->results = later->impl->Release(&later->run);
    CallBackWhenOver(later);
  };
  for (const RCReference<AsyncValue>& result : results) result->AndThen(finish);
  finish();
}

void Session::Impl::CallBackWhenOver(std::shared_ptr<Later> later) {
  AsyncValue* over = later->run.over.GetAsyncValue();
  over->AndThen([later = std::move(later)] {
    later->impl->End(later->results.ok());
    tracing::RecordReady(later->record_id);
    // Whoever is called may end all that the session stands on.
    later->impl = nullptr;
    later->callback(std::move(later->results));
  });
}

void Session::Cancel() {
  std::lock_guard lock(impl_->mutex);
  if (impl_->request) impl_->request->Cancel();
}

Session::Memory Session::memory() const {
  const PlannedAllocator::Statistics arena = impl_->state->arena->statistics();
  const PooledAllocator::Statistics pool = impl_->state->pool->statistics();
  return {.arena_bytes = arena.arena_bytes,
          .arena_lower_bound = arena.lower_bound_bytes,
          .pool_bytes = pool.bytes,
          .peak_bytes = pool.peak_bytes,
          .host_requests = pool.upstream_requests};
}

}  // namespace tfrt
