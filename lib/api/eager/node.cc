#include "node.h"

#include <bit>
#include <optional>

#include "deferred_releases.h"
#include "lib/ops/op_call/run_op.h"
#include "messages.h"
#include "op_scope.h"
#include "steps.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {

Status ExplainError(const OpDefinition& op, Location where, OpMetadataArguments arguments,
                    const TensorMetadata* refused, const Status& error) {
  return LocatedError(op, where, WithArguments(op, arguments, WithMemory(refused, error)));
}

std::string LinePrefix(Location where) {
  if (!where) return "";
  DecodedLocation decoded = where.Decode();
  if (!decoded.is_file_location()) return StrCat(decoded.ToString(), ": ");
  return StrCat(decoded.file, ":", decoded.line, ": ");
}

Status LocatedError(const OpDefinition& op, Location where, const Status& error) {
  std::string_view message = error.message();
  // Many messages begin with the op.
  bool names_op = message.starts_with(op.name);
  return Status(error.code(),
                StrCat(LinePrefix(where), names_op ? "" : op.name, names_op ? "" : ": ", message));
}

namespace {

thread_local constinit int running_nodes = 0;  // on this thread's stack

struct RunningNode {
  RunningNode() { ++running_nodes; }
  ~RunningNode() { --running_nodes; }
  const OnTopScope on_top;
};

}  // namespace

bool IsRunningNode() { return running_nodes > 0; }

Node::Node(Context::Impl& context, uint8_t epoch, uint64_t id, const OpDefinition& op,
           uint8_t device, const ExecutionContext& exec_ctx, size_t num_results, Kind kind)
    : OpTask(op, exec_ctx, /*takes_dense=*/true),
      device(device),
      kind(kind),
      epoch(epoch),
      context(context),
      id(id) {
  results.reserve(num_results);
  for (size_t i = 0; i < num_results; ++i) results.push_back(MakeIndirectAsyncValue());
}

PoolVector<AsyncValue*> Node::Arguments() const {
  PoolVector<AsyncValue*> values;
  values.reserve(arguments.size());
  for (const auto& argument : arguments) {
    values.push_back(argument ? argument->value() : nullptr);
  }
  return values;
}

PoolVector<AsyncValue*> Node::Awaited() const {
  PoolVector<AsyncValue*> values;
  for (const auto& argument : arguments) {
    if (argument && !argument->value()->IsAvailable()) values.push_back(argument->value());
  }
  if (chain_in && !chain_in.IsAvailable()) values.push_back(chain_in.GetAsyncValue());
  return values;
}

AsyncValueRef<tfrt::Tensor> Node::Converted(size_t index, AsyncValue* value) {
  return kind == Kind::kOp ? OpTask::Converted(index, value) : nullptr;
}

OpOutcome Node::Execute(OpRun& run) {
  RunningNode running;
  const ContextDevice& on = context.devices[device];
  const bool is_recorded = RecordsSteps();
  OpOutcome outcome;
  switch (kind) {
    case Kind::kOp: {
      // The last holder of a tensor may be this node.
      for (uint64_t bits = run.last_uses; bits != 0; bits &= bits - 1) {
        const int index = std::countr_zero(bits);
        if (!arguments[index]->IsUnique()) run.last_uses &= ~(uint64_t{1} << index);
      }
      if (is_recorded) [[unlikely]]
        run.allocator = on.memory->recording_allocator();
      Step step(is_recorded, kKernelStep, {id, op, &attrs}, [&] { return on.recorded_name(); });
      return RunOpOn(on, run);
    }
    case Kind::kCopy:
      run.results[0] = ComputeCopy(context, arguments[0]->device(), device, exec_ctx, id,
                                   is_recorded, run.arguments[0]);
      break;
    case Kind::kConst:
      Step step(is_recorded, kKernelStep, {id, op}, [&] { return on.recorded_name(); });
      run.results[0] = FormRef(run.arguments[0]);
  }
  if (run.results[0]->IsError()) outcome.error = run.results[0]->GetError();
  return outcome;
}

void Node::Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)()) {
  if (!context.fifo()) return OpTask::Proceed(values, next);
  RunningNode running;
  context.host->Await(values);
  (this->*next)();
}

void Node::Publish(Outcome outcome) {
  Context::Impl& of = context;
  uint8_t counted_in = epoch;
  if (results.empty() || op.hides_results) [[unlikely]]
    of.NoteError(outcome.error);
  // An op that fails does not keep later ones from having their effects.
  outcome.error = OkStatus();
  outcome.chain = nullptr;
  {
    DeferredReleases until_published;
    RecordStep(kPublishStep, {id, op});
    arguments.clear();
    PublishResults(outcome);
  }
  RecordStep(kPublishedStep, {id, op});
  // The context may go as soon as it knows, so the node goes before.
  delete this;
  of.CountEnd(counted_in);
}

namespace {

// A task of the work queue, which keeps no records of its own of it: eager.enqueue and eager.begin
// say the same. `caller` is what the thread did that scheduled the node.
struct RecordedNodeTask {
  static constexpr bool kRecordsItself = true;
  Node* node;
  tracing::RecordContext caller;

  void operator()() const {
    tracing::ContextScope scope(caller);
    RecordStep(kBeginStep, {node->id, node->op});
    node->Run();
  }
};

}  // namespace

void Schedule(Node* node) {
  bool is_recorded = RecordsSteps();
  StepSubject subject{node->id, node->op, &node->attrs};
  Step step(is_recorded, kScheduleStep, subject);
  Context::Impl& context = node->context;
  if (is_recorded) RecordStep(kEnqueueStep, subject);
  if (FifoExecutor* fifo = context.fifo()) {
    // The node may be gone as soon as it is in the queue.
    uint64_t id = node->id;
    const OpDefinition& op = node->op;
    size_t depth = fifo->Add(node);
    if (is_recorded) RecordStep(kQueueDepthStep, {id, op}, depth);
    return;
  }
  auto enqueue = [node, host = context.host] {
    ConcurrentWorkQueue& queue = host->work_queue();
    if (tracing::IsRecording()) [[unlikely]] {
      // Also of a waiter, which runs on behalf of who has made it.
      return queue.AddTask(RecordedNodeTask{node, tracing::CurrentContext()});
    }
    queue.AddTask([node] {
      RecordStep(kBeginStep, {node->id, node->op});
      node->Run();
    });
  };
  PoolVector<AsyncValue*> awaited = node->Awaited();
  if (awaited.empty()) {
    enqueue();
  } else {
    RunWhenReady(awaited, enqueue);
  }
}

FifoExecutor::~FifoExecutor() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.Join();
}

size_t FifoExecutor::Add(Node* node) {
  size_t depth;
  {
    std::lock_guard lock(mutex_);
    if (node->id != 0 && tracing::IsRecording()) [[unlikely]]
      callers_.emplace_back(node->id, tracing::CurrentContext());
    queue_.push_back(node);
    depth = queue_.size();
  }
  changed_.notify_one();
  return depth;
}

size_t FifoExecutor::depth() const {
  std::lock_guard lock(mutex_);
  return queue_.size();
}

void FifoExecutor::Loop() {
  while (true) {
    Node* node;
    size_t depth;
    tracing::RecordContext caller_context;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      node = queue_.front();
      queue_.pop_front();
      depth = queue_.size();
      if (!callers_.empty() && callers_.front().first == node->id) [[unlikely]] {
        caller_context = callers_.front().second;
        callers_.pop_front();
      }
    }
    std::optional<tracing::ContextScope> caller;
    if (tracing::IsRecording()) [[unlikely]]
      caller.emplace(caller_context);
    if (RecordsSteps()) {
      RecordStep(kDequeueStep, {node->id, node->op, &node->attrs}, depth);
    }
    PoolVector<AsyncValue*> awaited = node->Awaited();
    if (!awaited.empty()) node->context.host->Await(awaited);
    node->Run();
  }
}

}  // namespace tfrt::eager
