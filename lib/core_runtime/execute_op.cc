#include "tfrt/core_runtime/execute_op.h"

#include <memory>
#include <vector>

#include "convert_tensor.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/coo_host_tensor.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

// Most calls have few arguments and results.
constexpr size_t kInline = 6;

template <typename T>
using CallArray = SmallArray<T, kInline>;

Status CheckHandles(const OpDefinition& op, std::span<const TensorHandle> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].valid()) continue;
    if (i < op.arguments.size() && op.arguments[i].kind == OpArgumentSpec::Kind::kOptional)
      continue;
    return InvalidArgumentError(StrCat(
        op.name, ": argument ", i, " is a handle without a tensor; it may have been moved from"));
  }
  return OkStatus();
}

// A call that waits for its arguments.
struct PendingCall {
  PendingCall(const OpDefinition& op, const OpPlace& place, const ExecutionContext& exec_ctx)
      : op(op), place(place), exec_ctx(exec_ctx) {}

  const OpDefinition& op;
  OpPlace place;
  ExecutionContext exec_ctx;
  OpAttrsRef attrs;
  std::vector<TensorHandle> arguments;
  std::vector<TensorMetadata> metadata;                        // of the results, once known
  std::vector<TensorHandle::AsyncMetadata> metadata_promises;  // if they were not known at the call
  bool awaits_metadata = false;  // the metadata function has still to run
  Status metadata_error;
  std::vector<RCReference<IndirectAsyncValue>> results;
  RCReference<IndirectAsyncValue> chain;  // null: nobody asked
  AsyncValueRef<Chain> chain_in;

  void SetErrors(const RCReference<AsyncValue>& error) {
    SetMetadataErrors(error->GetError());
    for (auto& result : results) result->ForwardTo(error);
    if (chain) chain->ForwardTo(error);
  }

  // The first error among what the call needs; null if there is none.
  AsyncValue* FirstError() const {
    for (const TensorHandle& argument : arguments) {
      if (argument.valid() && argument.IsError()) return argument.async_tensor();
    }
    if (chain_in && chain_in.IsError()) return chain_in.GetAsyncValue();
    return nullptr;
  }

  // The arguments' metadata are there.
  void ComputeMetadata() {
    CallArray<const TensorMetadata*> known(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].valid()) continue;
      known[i] = arguments[i].AvailableMetadata();
      if (!known[i]) {
        SetMetadataErrors(arguments[i].async_metadata()->GetError());
        return;  // the tensor is the same error, or will be
      }
    }
    metadata.resize(results.size());
    Status status = ComputeOpMetadata(op, known.span(), attrs, metadata);
    if (!status.ok()) {
      metadata_error = EmitError(exec_ctx, std::move(status));
      return SetMetadataErrors(metadata_error);
    }
    awaits_metadata = false;
    for (size_t i = 0; i < metadata_promises.size(); ++i) {
      if (!metadata_promises[i].IsAvailable()) metadata_promises[i].emplace(metadata[i]);
    }
  }
  void SetMetadataErrors(const Status& error) {
    for (auto& promise : metadata_promises) {
      if (!promise.IsAvailable()) promise.SetError(error);
    }
  }

  // Everything is there.
  void Run() {
    if (AsyncValue* error = FirstError()) return SetErrors(FormRef(error));
    if (awaits_metadata && metadata_error.ok()) ComputeMetadata();
    if (!metadata_error.ok()) return SetErrors(MakeErrorAsyncValue(metadata_error));
    if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
      return SetErrors(FormRef(cancelled));
    }
    CallArray<AsyncValue*> values(arguments.size());
    uint64_t last_uses = 0;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (!arguments[i].valid()) continue;
      values[i] = arguments[i].async_tensor();
      // Ours may be the last handle; the values' own counts tell.
      if (i < 64) last_uses |= uint64_t{1} << i;
    }
    CallArray<RCReference<AsyncValue>> out(results.size());
    OpOutcome outcome =
        RunOp(op, exec_ctx, place.allocator, values.span(), last_uses, attrs, metadata, out.span());
    arguments.clear();  // before anybody hears of the results
    for (size_t i = 0; i < results.size(); ++i) results[i]->ForwardTo(std::move(out[i]));
    if (!chain) return;
    if (!outcome.error.ok()) return chain->ForwardTo(MakeErrorAsyncValue(outcome.error));
    AsyncValueRef<Chain> done = outcome.chain ? std::move(outcome.chain) : GetReadyChain();
    chain->ForwardTo(done.ReleaseRCRef());
  }

  // True if a tensor must be converted before the op can take it.
  bool ConvertArguments() {
    bool any = false;
    for (TensorHandle& argument : arguments) {
      if (!argument.valid() || !argument.tensor().IsConcrete()) continue;
      if (AcceptsTensor(op, *argument.tensor())) continue;
      argument = TensorHandle(place.device, ConvertForOp(op, exec_ctx, argument.tensor()));
      any = true;
    }
    return any;
  }

  std::vector<AsyncValue*> Awaited() const {
    std::vector<AsyncValue*> values;
    for (const TensorHandle& argument : arguments) {
      if (argument.valid() && !argument.tensor().IsAvailable()) {
        values.push_back(argument.async_tensor());
      }
    }
    if (chain_in && !chain_in.IsAvailable()) values.push_back(chain_in.GetAsyncValue());
    return values;
  }
};

void RunWhenArgumentsAreThere(std::shared_ptr<PendingCall> call) {
  std::vector<AsyncValue*> awaited = call->Awaited();
  RunWhenReady(awaited, [call] {
    if (!call->FirstError() && call->ConvertArguments()) {
      std::vector<AsyncValue*> converted = call->Awaited();
      RunWhenReady(converted, [call] { call->Run(); });
    } else {
      call->Run();
    }
  });
}

// The call cannot be run at once. `metadata` are the results' if known_metadata.
void ExecuteLater(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation,
                  bool known_metadata, std::span<const TensorMetadata> metadata) {
  auto call = std::make_shared<PendingCall>(op, place, invocation.exec_ctx);
  call->attrs = invocation.attrs.Freeze();
  for (TensorHandle& argument : invocation.arguments) {
    call->arguments.push_back(std::move(argument));
  }
  for (size_t i = 0; i < invocation.results.size(); ++i) {
    call->results.push_back(MakeIndirectAsyncValue());
  }
  if (invocation.chain) {
    if (op.has_side_effects()) {
      call->chain = MakeIndirectAsyncValue();
      call->chain_in = std::move(*invocation.chain);
      *invocation.chain = AsyncValueRef<Chain>(RCReference<AsyncValue>(call->chain));
    } else if (!invocation.chain->IsAvailable()) {
      call->chain_in = invocation.chain->CopyRef();
    }
  }
  bool later_metadata = op.metadata && !known_metadata;
  call->awaits_metadata = later_metadata;
  if (known_metadata) call->metadata.assign(metadata.begin(), metadata.end());
  for (size_t i = 0; i < call->results.size(); ++i) {
    AsyncValueRef<Tensor> tensor{RCReference<AsyncValue>(call->results[i])};
    if (known_metadata) {
      invocation.results[i] = TensorHandle(place.device, metadata[i], std::move(tensor));
    } else if (later_metadata) {
      call->metadata_promises.push_back(MakeUnconstructedAsyncValueRef<TensorMetadata>());
      invocation.results[i] =
          TensorHandle(place.device, call->metadata_promises.back().CopyRef(), std::move(tensor));
    } else {
      invocation.results[i] = TensorHandle(place.device, std::move(tensor));
    }
  }
  if (later_metadata) {
    std::vector<AsyncValue*> awaited;
    for (const TensorHandle& argument : call->arguments) {
      if (!argument.valid()) continue;
      if (AsyncValue* pending = argument.async_metadata()) awaited.push_back(pending);
    }
    // The metadata first, then, perhaps much later, the tensors.
    RunWhenReady(awaited, [call] {
      call->ComputeMetadata();
      RunWhenArgumentsAreThere(call);
    });
  } else {
    RunWhenArgumentsAreThere(std::move(call));
  }
}

std::string Describe(const TensorMetadata& metadata) {
  return StrCat(DTypeName(metadata.dtype), " ", metadata.shape.ToString());
}

// `value`, which is not there yet, or an error if it comes with other metadata.
RCReference<AsyncValue> CheckedLater(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                     size_t index, const TensorMetadata& promised,
                                     RCReference<AsyncValue> value) {
  RCReference<IndirectAsyncValue> checked = MakeIndirectAsyncValue();
  AsyncValue* awaited = value.get();
  awaited->AndThen([&op, exec_ctx, index, promised, checked, value = std::move(value)]() mutable {
    if (!value->IsError() && value->get<Tensor>().metadata() != promised) {
      value = MakeErrorAsyncValue(
          ReportWrongMetadata(op, exec_ctx, index, value->get<Tensor>().metadata(), promised));
    }
    checked->ForwardTo(std::move(value));
  });
  return checked;
}

// OK, or why the results that are there are not what was promised.
Status CheckResults(const OpDefinition& op, const ExecutionContext& exec_ctx,
                    std::span<const TensorMetadata> promised,
                    std::span<RCReference<AsyncValue>> results) {
  for (size_t i = 0; i < promised.size(); ++i) {
    AsyncValue* value = results[i].get();
    if (value->IsConcrete()) [[likely]] {
      const TensorMetadata& actual = value->get<Tensor>().metadata();
      if (actual == promised[i]) [[likely]]
        continue;
      return ReportWrongMetadata(op, exec_ctx, i, actual, promised[i]);
    }
    if (value->IsError()) continue;
    results[i] = CheckedLater(op, exec_ctx, i, promised[i], std::move(results[i]));
  }
  return OkStatus();
}

}  // namespace

namespace {

constexpr tracing::RecordType kMetadataRecord = {.name = "op.metadata",
                                                 .level = tracing::StackLevel::kOp,
                                                 .sink_level = tracing::Level::kVerbose};

std::string DispatchText(const tracing::RecordText& text) {
  return StrCat("RunDispatch: ", text.name);
}
constexpr tracing::RecordType kDispatchRecord = {.name = "op.dispatch",
                                                 .level = tracing::StackLevel::kKernel,
                                                 .sink_level = tracing::Level::kDefault,
                                                 .text = &DispatchText};

}  // namespace

Status ComputeOpMetadata(const OpDefinition& op, OpMetadataArguments arguments,
                         const OpAttrsRef& attrs, std::span<TensorMetadata> results) {
  tracing::RecordScope record(kMetadataRecord, "RunMetadataFunction");
  return op.metadata(arguments, attrs, results);
}

bool AcceptsTensor(const OpDefinition& op, const Tensor& tensor) {
  TensorType type = tensor.tensor_type();
  if (type == kDenseHostTensorType) return true;
  if (tensor.dtype() == DType::kResource) return true;  // not to be converted
  if (type == kScalarHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsScalar);
  if (type == kStringHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsString);
  if (type == kCooHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsCoo);
  return false;
}

AsyncValueRef<Tensor> ConvertForOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                   const AsyncValueRef<Tensor>& tensor) {
  TensorType type = tensor->tensor_type();
  if (type != kScalarHostTensorType && type != kCooHostTensorType) {
    return AsyncValueRef<Tensor>(
        EmitError(exec_ctx, InvalidArgumentError(StrCat("Cannot implictly convert ", type.name(),
                                                        " to ", kDenseHostTensorType.name()))));
  }
  return ConvertTensor(*tensor, kDenseHostTensorType, exec_ctx);
}

OpOutcome RunOp(const OpDefinition& op, const ExecutionContext& exec_ctx, HostAllocator* allocator,
                std::span<AsyncValue* const> arguments, uint64_t last_uses, const OpAttrsRef& attrs,
                std::span<const TensorMetadata> result_metadata,
                std::span<RCReference<AsyncValue>> results) {
  tracing::RecordScope record(kDispatchRecord, op.name);
  if (op.quick && results.size() == 1 && arguments.size() == op.arguments.size()) {
    results[0] = op.quick(arguments, last_uses, allocator);
    if (results[0]) return {};
  }
  OpCall::Parts parts{.op = &op,
                      .exec_ctx = &exec_ctx,
                      .allocator = allocator,
                      .attrs = &attrs,
                      .arguments = arguments,
                      .last_uses = last_uses,
                      .result_metadata = result_metadata,
                      .results = results};
  OpCall call(parts);
  op.function(call);
  OpOutcome outcome;
  bool all_set = true;
  for (const auto& result : results) all_set &= static_cast<bool>(result);
  if (call.error().ok() && all_set) [[likely]] {
    outcome.chain = call.TakeChain();
    outcome.error = CheckResults(op, exec_ctx, result_metadata, results);
    if (outcome.error.ok()) [[likely]]
      return outcome;
    for (auto& result : results) result = nullptr;
  } else {
    outcome.error = FinishFailedOp(op, exec_ctx, call);
    outcome.refused = call.TakeRefused();
  }
  RCReference<AsyncValue> error = MakeErrorAsyncValue(outcome.error);
  for (auto& result : results) {
    if (!result) result = error;
  }
  return outcome;
}

Status ReportWrongMetadata(const OpDefinition& op, const ExecutionContext& exec_ctx, size_t index,
                           const TensorMetadata& actual, const TensorMetadata& promised) {
  return EmitError(exec_ctx, InternalError(StrCat(op.name, ": result ", index, " is ",
                                                  Describe(actual), ", but its metadata function ",
                                                  "promised ", Describe(promised))));
}

Status FinishFailedOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                      const OpCall& call) {
  Status error = call.error();
  if (error.ok()) {
    error = internal::WrongResultCount(op.name, op.results.size(), call.num_results());
  }
  return call.is_error_reported() ? error : EmitError(exec_ctx, std::move(error));
}

void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation) {
  std::span<TensorHandle> arguments = invocation.arguments;
  if (!op.function) {
    return invocation.ReportError(
        NotFoundError(StrCat(op.name, " was not supported by NullOpHandler.")));
  }
  if (Status valid = CheckHandles(op, arguments); !valid.ok()) {
    return invocation.ReportError(std::move(valid));
  }
  bool ready = !invocation.chain || invocation.chain->IsAvailable();
  bool know_metadata = true;
  CallArray<AsyncValue*> values(arguments.size());
  CallArray<const TensorMetadata*> argument_metadata(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].valid()) continue;
    const AsyncValueRef<Tensor>& tensor = arguments[i].tensor();
    if (tensor.IsError()) return invocation.SetErrors(tensor.CopyRCRef());
    values[i] = tensor.GetAsyncValue();
    argument_metadata[i] = arguments[i].AvailableMetadata();
    if (!argument_metadata[i]) know_metadata = false;
    if (!tensor.IsConcrete() || !AcceptsTensor(op, *tensor)) ready = false;
  }
  if (invocation.chain && invocation.chain->IsAvailable() && invocation.chain->IsError()) {
    return invocation.SetErrors(invocation.chain->CopyRCRef());
  }
  if (AsyncValue* cancelled = invocation.exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return invocation.SetErrors(FormRef(cancelled));
  }
  CallArray<TensorMetadata> metadata(invocation.results.size());
  know_metadata = know_metadata && op.metadata;
  if (know_metadata) {
    Status status =
        ComputeOpMetadata(op, argument_metadata.span(), invocation.attrs, metadata.span());
    if (!status.ok()) return invocation.ReportError(std::move(status));
  }
  auto known = know_metadata ? metadata.span() : std::span<TensorMetadata>();
  if (!ready) return ExecuteLater(op, place, invocation, know_metadata, known);

  // A handle with the last reference to its tensor gives that up with this call.
  uint64_t last_uses =
      arguments.size() >= 64 ? ~uint64_t{0} : (uint64_t{1} << arguments.size()) - 1;
  CallArray<RCReference<AsyncValue>> out(invocation.results.size());
  OpOutcome outcome = RunOp(op, invocation.exec_ctx, place.allocator, values.span(), last_uses,
                            invocation.attrs, known, out.span());
  for (size_t i = 0; i < out.span().size(); ++i) {
    AsyncValueRef<Tensor> tensor(std::move(out[i]));
    invocation.results[i] =
        know_metadata ? TensorHandle(place.device, std::move(metadata[i]), std::move(tensor))
                      : TensorHandle(place.device, std::move(tensor));
  }
  // The chain of an op without side effects is passed through, here as in calls that wait.
  if (!invocation.chain || !op.has_side_effects()) return;
  if (!outcome.error.ok()) {
    *invocation.chain = AsyncValueRef<Chain>(outcome.error);
  } else if (outcome.chain) {
    *invocation.chain = std::move(outcome.chain);
  }
}

}  // namespace tfrt
