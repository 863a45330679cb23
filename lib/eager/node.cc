#include "node.h"

#include <utility>

#include "steps.h"
#include "tfrt/core_runtime/execute_op.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/conversion.h"

namespace tfrt::eager {
namespace {

// The elements in memory of the device that the op runs on.
void CopyToDevice(OpCall& call) {
  auto& tensor = call.argument(0)->get<tfrt::Tensor>();
  if (!call.argument(0)->IsType<DenseHostTensor>()) {
    // One number, or texts and lists of coordinates: what the conversion of a type to itself, or to
    // a dense tensor, makes of it.
    TensorType to =
        tensor.tensor_type() == kCooHostTensorType ? kDenseHostTensorType : tensor.tensor_type();
    return call.SetResult(0, call.exec_ctx()
                                 .host()
                                 ->GetOrCreateSharedContext<ConversionRegistry>()
                                 .Convert(tensor, to, call.exec_ctx())
                                 .ReleaseRCRef());
  }
  StatusOr<DenseHostTensor> copy = call.Allocate(tensor.metadata());
  if (!copy.ok()) return call.ReportError(copy.status());
  Status status = call.argument(0)->get<DenseHostTensor>().CopyTo(*copy);
  if (!status.ok()) return call.ReportError(std::move(status));
  call.SetResult(0, MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(copy)).ReleaseRCRef());
}

// A tensor over memory that is the device's already.
void WrapAsTensor(OpCall& call) { call.SetResult(0, FormRef(call.argument(0))); }

Status SameMetadata(OpMetadataArguments arguments, const OpAttrsRef&,
                    std::span<TensorMetadata> results) {
  results[0] = *arguments[0];
  return OkStatus();
}

OpDefinition InternalOp(std::string_view name, OpFunction function) {
  OpDefinition op{.name = name, .summary = ""};
  op.flags = OpFlags::kAllowsScalar | OpFlags::kAllowsString | OpFlags::kAllowsCoo;
  op.metadata = &SameMetadata;
  op.function = function;
  return op;
}

}  // namespace

const OpDefinition& CopyOp() {
  static const OpDefinition op = InternalOp("Copy", &CopyToDevice);
  return op;
}

const OpDefinition& ConstOp() {
  static const OpDefinition op = InternalOp("Const", &WrapAsTensor);
  return op;
}

Status LocatedError(const OpDefinition& op, std::source_location where, const Status& error) {
  std::string_view message = error.message();
  // Many messages begin with the op.
  bool names_op = message.starts_with(op.name);
  return Status(error.code(), StrCat(where.file_name(), ":", where.line(), ": ",
                                     names_op ? "" : op.name, names_op ? "" : ": ", message));
}

CallOutcome ComputeCall(Context::Impl& context, const OpDefinition& op, uint8_t device,
                        const ExecutionContext& exec_ctx, std::source_location where, uint64_t id,
                        bool traced, std::span<AsyncValue*> arguments, uint64_t last_uses,
                        const OpAttrsRef& attrs, std::span<const TensorMetadata> metadata,
                        std::span<RCReference<AsyncValue>> results) {
  std::vector<AsyncValueRef<tfrt::Tensor>> converted;
  for (AsyncValue*& argument : arguments) {
    if (!argument || argument->GetIfPlain<DenseHostTensor>()) continue;
    if (AcceptsTensor(op, argument->get<tfrt::Tensor>())) continue;
    converted.push_back(ConvertForOp(op, exec_ctx, AsyncValueRef<tfrt::Tensor>(FormRef(argument))));
    argument = converted.back().GetAsyncValue();
    if (!argument->IsAvailable()) context.host->Await({&argument, 1});
    if (!argument->IsError()) continue;
    Status error = LocatedError(op, where, argument->GetError());
    RCReference<AsyncValue> value = MakeErrorAsyncValue(error);
    for (auto& result : results) result = value;
    return {std::move(error), nullptr};
  }
  const EagerDevice& on = context.devices[device];
  HostAllocator* allocator = traced ? on.traced_allocator.get() : on.allocator.get();
  OpOutcome outcome;
  {
    Step step(traced, "kernel", {id, op.name, &attrs}, on.name);
    outcome = RunOp(op, exec_ctx, allocator, arguments, last_uses, attrs, metadata, results);
  }
  if (outcome.error.ok()) [[likely]] return {{}, std::move(outcome.chain)};
  Status error = LocatedError(op, where, outcome.error);
  RCReference<AsyncValue> value = MakeErrorAsyncValue(error);
  for (auto& result : results) result = value;
  return {std::move(error), nullptr};
}

std::vector<AsyncValue*> Node::Awaited() const {
  std::vector<AsyncValue*> values;
  for (const auto& argument : arguments) {
    if (argument && !argument->value()->IsAvailable()) values.push_back(argument->value());
  }
  if (chain_in && !chain_in.IsAvailable()) values.push_back(chain_in.GetAsyncValue());
  return values;
}

std::vector<RCReference<AsyncValue>> Node::Compute(AsyncValueRef<Chain>* chain_out) {
  std::vector<RCReference<AsyncValue>> values(results.size());
  auto fail = [&](RCReference<AsyncValue> error) {
    for (auto& value : values) value = error;
  };
  std::vector<AsyncValue*> tensors;
  uint64_t reusable = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    AsyncValue* value = arguments[i] ? arguments[i]->value() : nullptr;
    if (value && value->IsError()) {
      fail(FormRef(value));
      return values;
    }
    // The last holder of the tensor may be this node.
    if (value && i < 64 && arguments[i]->IsUnique()) reusable |= uint64_t{1} << i;
    tensors.push_back(value);
  }
  if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    fail(FormRef(cancelled));
    return values;
  }
  bool traced = TracesSteps();
  if (op.metadata && metadata.empty() && !results.empty()) {
    std::vector<const TensorMetadata*> known;
    for (const auto& argument : arguments) known.push_back(argument ? argument->metadata() : nullptr);
    metadata.resize(results.size());
    Status status = ComputeOpMetadata(op, known, attrs, metadata);
    if (!status.ok()) {
      context.host->EmitError(exec_ctx.location(), status).ok();
      fail(MakeErrorAsyncValue(LocatedError(op, where, status)));
      return values;
    }
  }
  CallOutcome outcome = ComputeCall(context, op, device, exec_ctx, where, id, traced, tensors,
                                    reusable & last_uses, attrs, metadata, values);
  *chain_out = std::move(outcome.chain);
  return values;
}

void Node::Finish(std::vector<RCReference<AsyncValue>> values, AsyncValueRef<Chain> done) {
  arguments.clear();  // before anybody hears of the results: they may be reused
  for (size_t i = 0; i < results.size(); ++i) results[i]->ForwardTo(std::move(values[i]));
  if (chain) {
    // An op that fails does not keep later ones from having their effects.
    if (!done || done.IsAvailable()) {
      chain->ForwardTo(GetReadyChain().ReleaseRCRef());
    } else {
      AsyncValue* awaited = done.GetAsyncValue();
      awaited->AndThen([done = std::move(done), chain = chain] {
        chain->ForwardTo(GetReadyChain().ReleaseRCRef());
      });
    }
  }
  // Over when all that it makes is there.
  std::vector<AsyncValue*> outputs;
  std::vector<RCReference<AsyncValue>> keep;
  for (const auto& result : results) {
    if (result->IsAvailable()) continue;
    outputs.push_back(result.get());
    keep.push_back(result);
  }
  if (chain && !chain->IsAvailable()) {
    outputs.push_back(chain.get());
    keep.push_back(chain);
  }
  if (outputs.empty()) {
    delete this;
  } else {
    RunWhenReady(outputs, [this, keep = std::move(keep)] { delete this; });
  }
}

void Node::Run() {
  AsyncValueRef<Chain> done;
  std::vector<RCReference<AsyncValue>> values = Compute(&done);
  Finish(std::move(values), std::move(done));
}

void Node::RunToEnd() {
  AsyncValueRef<Chain> done;
  std::vector<RCReference<AsyncValue>> values = Compute(&done);
  std::vector<AsyncValue*> awaited;
  for (const auto& value : values) {
    if (!value->IsAvailable()) awaited.push_back(value.get());
  }
  if (done && !done.IsAvailable()) awaited.push_back(done.GetAsyncValue());
  if (!awaited.empty()) context.host->Await(awaited);
  Finish(std::move(values), std::move(done));
}

void Schedule(Node* node) {
  bool traced = TracesSteps();
  StepSubject subject{node->id, node->op.name, &node->attrs};
  Step step(traced, "schedule", subject);
  Context::Impl& context = node->context;
  if (FifoExecutor* fifo = context.fifo()) {
    // The node may be gone as soon as it is in the queue.
    uint64_t id = node->id;
    std::string_view name = node->op.name;
    size_t depth = fifo->Add(node);
    if (traced) RecordStep("queue_depth", {id, name}, StrCat("depth=", depth));
    return;
  }
  auto enqueue = [node] { node->context.host->work_queue().AddTask([node] { node->Run(); }); };
  std::vector<AsyncValue*> awaited = node->Awaited();
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
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      node = queue_.front();
      queue_.pop_front();
      depth = queue_.size();
    }
    if (TracesSteps()) {
      RecordStep("dequeue", {node->id, node->op.name, &node->attrs}, StrCat("depth=", depth));
    }
    std::vector<AsyncValue*> awaited = node->Awaited();
    if (!awaited.empty()) node->context.host->Await(awaited);
    node->RunToEnd();
  }
}

}  // namespace tfrt::eager
