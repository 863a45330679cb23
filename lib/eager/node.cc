#include "node.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "deferred_releases.h"
#include "messages.h"
#include "op_scope.h"
#include "steps.h"
#include "tfrt/core_runtime/execute_op.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
bool IsErrorOfElements(std::span<AsyncValue* const> arguments, const Status& error) {
  for (AsyncValue* argument : arguments) {
    if (!argument || !argument->IsConcrete()) continue;
    AsyncValue* elements = argument->get<tfrt::Tensor>().elements();
    if (elements && elements->IsAvailable() && elements->IsError() &&
        elements->GetError() == error) {
      return true;
    }
  }
  return false;
}

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

Status LocateErrors(const OpDefinition& op, Location where, std::span<AsyncValue* const> arguments,
                    std::span<RCReference<AsyncValue>> values) {
  Status first;
  for (RCReference<AsyncValue>& value : values) {
    if (!value->IsError()) [[likely]]
      continue;
    Status error = value->GetError();
    if (!IsErrorOfElements(arguments, error)) {
      error = LocatedError(op, where, WithArguments(op, arguments, error));
      value = MakeErrorAsyncValue(error);
    }
    if (first.ok()) first = std::move(error);
  }
  return first;
}

CallOutcome ComputeCall(Context::Impl& context, const OpDefinition& op, uint8_t device,
                        const ExecutionContext& exec_ctx, Location where, uint64_t id, bool traced,
                        std::span<AsyncValue*> arguments, uint64_t last_uses,
                        const OpAttrsRef& attrs, std::span<const TensorMetadata> metadata,
                        std::span<RCReference<AsyncValue>> results) {
  const ContextDevice& place = context.devices[device];
  std::vector<AsyncValueRef<tfrt::Tensor>> converted;
  for (AsyncValue*& argument : arguments) {
    if (!argument || argument->GetIfPlain<DenseHostTensor>()) continue;
    if (place.runner->Accepts(op, argument->get<tfrt::Tensor>())) continue;
    converted.push_back(ConvertForOp(op, exec_ctx, AsyncValueRef<tfrt::Tensor>(FormRef(argument))));
    AsyncValue* dense = converted.back().GetAsyncValue();
    AwaitBegun(context.host, dense);
    if (!dense->IsError()) {
      argument = dense;
      continue;
    }
    Status error = LocatedError(op, where, WithArguments(op, arguments, dense->GetError()));
    RCReference<AsyncValue> value = MakeErrorAsyncValue(error);
    for (auto& result : results) result = value;
    return {std::move(error), nullptr};
  }
  HostAllocator* allocator = traced ? place.memory->traced_allocator() : place.allocator;
  OpOutcome outcome;
  {
    Step step(traced, kKernelStep, {id, op.name, &attrs}, place.name());
    OpFunctionScope in_op;
    outcome = place.runner->Run({.op = op,
                                 .device = *place.device,
                                 .allocator = allocator,
                                 .exec_ctx = exec_ctx,
                                 .arguments = arguments,
                                 .last_uses = last_uses,
                                 .attrs = attrs,
                                 .result_metadata = metadata,
                                 .results = results,
                                 .explain = &ExplainError});
  }
  if (outcome.error.ok()) [[likely]]
    return {{}, std::move(outcome.chain), !place.runner->is_direct()};
  Status error = LocatedError(
      op, where, WithArguments(op, arguments, WithMemory(outcome.refused.get(), outcome.error)));
  RCReference<AsyncValue> value = MakeErrorAsyncValue(error);
  for (auto& result : results) result = value;
  return {std::move(error), std::move(outcome.chain)};
}

PoolVector<AsyncValue*> Node::Awaited() const {
  PoolVector<AsyncValue*> values;
  for (const auto& argument : arguments) {
    if (argument && !argument->value()->IsAvailable()) values.push_back(argument->value());
  }
  if (chain_in && !chain_in.IsAvailable()) values.push_back(chain_in.GetAsyncValue());
  return values;
}

PoolVector<AsyncValue*> Node::Outcome::Awaited() const {
  PoolVector<AsyncValue*> awaited;
  for (const auto& value : values) {
    if (!value->IsAvailable()) awaited.push_back(value.get());
  }
  if (chain && !chain.IsAvailable()) awaited.push_back(chain.GetAsyncValue());
  return awaited;
}

namespace {

thread_local constinit int running_nodes = 0;  // on this thread's stack

struct RunningNode {
  RunningNode() { ++running_nodes; }
  ~RunningNode() { --running_nodes; }
};

}  // namespace

bool IsRunningNode() { return running_nodes > 0; }

Node::Outcome Node::Compute() {
  RunningNode running;
  Outcome outcome;
  outcome.values.resize(results.size());
  auto fail = [&](RCReference<AsyncValue> error) {
    for (auto& value : outcome.values) value = error;
    return std::move(outcome);
  };
  PoolVector<AsyncValue*> tensors;
  uint64_t reusable = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    AsyncValue* value = arguments[i] ? arguments[i]->value() : nullptr;
    if (value && value->IsError()) return fail(FormRef(value));
    // The last holder of the tensor may be this node.
    if (value && i < 64 && arguments[i]->IsUnique()) reusable |= uint64_t{1} << i;
    tensors.push_back(value);
  }
  if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return fail(FormRef(cancelled));
  }
  if (kind == Kind::kConst) {
    Step step(TracesSteps(), kKernelStep, {id, op.name}, context.devices[device].name());
    outcome.values[0] = FormRef(tensors[0]);
    return outcome;
  }
  if (kind == Kind::kCopy) {
    outcome.values[0] = ComputeCopy(context, arguments[0]->device(), device, exec_ctx, where, id,
                                    TracesSteps(), tensors[0]);
    outcome.ran = !outcome.values[0]->IsError();
    return outcome;
  }
  if (op.metadata && metadata.empty() && !results.empty()) {
    PoolVector<const TensorMetadata*> known;
    for (const auto& argument : arguments) {
      known.push_back(argument ? argument->metadata() : nullptr);
    }
    metadata.resize(results.size());
    Status status = ComputeOpMetadata(op, known, attrs, metadata);
    if (!status.ok()) {
      (void)context.host->EmitError(exec_ctx.location(), status);
      status = LocatedError(op, where, WithArguments(op, OpMetadataArguments(known), status));
      return fail(MakeErrorAsyncValue(std::move(status)));
    }
  }
  CallOutcome call = ComputeCall(context, op, device, exec_ctx, where, id, TracesSteps(), tensors,
                                 reusable & last_uses, attrs, metadata, outcome.values);
  outcome.chain = std::move(call.chain);
  outcome.ran = call.error.ok() && !call.is_explained;
  return outcome;
}

void Node::Finish(Outcome outcome) {
  Context::Impl& of = context;
  uint8_t counted_in = epoch;
  Publish(std::move(outcome));
  // The context may go as soon as it knows, so the node goes before.
  delete this;
  of.CountEnd(counted_in);
}

void Node::Publish(Outcome outcome) {
  DeferredReleases until_published;
  auto is_error = [](const auto& value) { return value->IsError(); };
  if (outcome.ran && std::ranges::any_of(outcome.values, is_error)) [[unlikely]] {
    PoolVector<AsyncValue*> given;
    for (const auto& argument : arguments) given.push_back(argument ? argument->value() : nullptr);
    (void)LocateErrors(op, where, given, outcome.values);
  }
  RecordStep(kPublishStep, {id, op.name});
  arguments.clear();  // before anybody hears of the results: they may be reused
  for (size_t i = 0; i < results.size(); ++i) {
    // Nor does the node hold the results any longer than it must.
    RCReference<IndirectAsyncValue> result = std::move(results[i]);
    result->ForwardTo(std::move(outcome.values[i]));
  }
  // An op that fails does not keep later ones from having their effects.
  if (chain) chain->ForwardTo(GetReadyChain().ReleaseRCRef());
}

void Node::Run() {
  Outcome outcome = Compute();
  PoolVector<AsyncValue*> awaited = outcome.Awaited();
  if (awaited.empty()) return Finish(std::move(outcome));
  RunWhenReady(awaited,
               [this, outcome = std::move(outcome)]() mutable { Finish(std::move(outcome)); });
}

void Node::RunToEnd() {
  Outcome outcome = Compute();
  PoolVector<AsyncValue*> awaited = outcome.Awaited();
  if (!awaited.empty()) context.host->Await(awaited);
  Finish(std::move(outcome));
}

void Schedule(Node* node) {
  bool traced = TracesSteps();
  StepSubject subject{node->id, node->op.name, &node->attrs};
  Step step(traced, kScheduleStep, subject);
  Context::Impl& context = node->context;
  if (FifoExecutor* fifo = context.fifo()) {
    // The node may be gone as soon as it is in the queue.
    uint64_t id = node->id;
    std::string_view name = node->op.name;
    if (traced) RecordStep(kEnqueueStep, subject);
    size_t depth = fifo->Add(node);
    if (traced) RecordStep(kQueueDepthStep, {id, name}, depth);
    return;
  }
  auto enqueue = [node, host = context.host] {
    tfrt::internal::AddTaskTo(host->work_queue(), [node] { node->Run(); });
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
  thread_.join();
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
    if (TracesSteps()) {
      RecordStep(kDequeueStep, {node->id, node->op.name, &node->attrs}, depth);
    }
    PoolVector<AsyncValue*> awaited = node->Awaited();
    if (!awaited.empty()) node->context.host->Await(awaited);
    node->RunToEnd();
  }
}

}  // namespace tfrt::eager
