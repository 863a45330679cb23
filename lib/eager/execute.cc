// From a call of an op to its execution: canonicalise, prepare (or find) the kernel, place, copy,
// compute metadata, run or schedule.

#include <array>
#include <utility>

#include "context_impl.h"
#include "node.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/core_runtime/execute_op.h"
#include "tfrt/support/logging.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

constexpr size_t kInline = 4;  // arguments and results of most ops

class Call {
 public:
  Call(Scope::State& scope, const OpDefinition& op, std::span<TensorArgument> arguments,
       const OpAttrsRef& attrs, std::span<Tensor> results, std::source_location where)
      : scope_(scope),
        context_(scope.context),
        op_(op),
        arguments_(arguments),
        attrs_(attrs),
        results_(results),
        where_(where),
        traced_(TracesSteps()),
        id_(traced_ ? context_.next_op_id.fetch_add(1, std::memory_order_relaxed) : 0),
        values_(arguments.size()) {}

  Status Execute() {
    scope_.exec_ctx.set_location(LocationOf(where_));
    if (AsyncValue* cancelled = scope_.exec_ctx.request_ctx()->GetCancelAsyncValue()) {
      return SetErrors(FormRef(cancelled));
    }
    AsyncValue* poison = nullptr;
    {
      Step step(traced_, "canonicalise", subject());
      if (Status status = Canonicalise(&poison); !status.ok()) return Fail(status);
    }
    if (poison) return SetErrors(FormRef(poison));
    if (Status status = Prepare(); !status.ok()) return Fail(status);
    if (Status status = CopyMisplaced(&poison); !status.ok()) return Fail(status);
    if (poison) return SetErrors(FormRef(poison));
    return scope_.mode == ExecutionMode::kSync ? RunNow() : RunLater();
  }

  // The call failed before anything ran.
  Status Fail(const Status& error) {
    Status located = LocatedError(op_, where_, error);
    (void)context_.host->EmitError(LocationOf(where_), error);
    return SetErrors(MakeErrorAsyncValue(std::move(located)));
  }

 private:
  StepSubject subject() const { return {id_, op_.name, &attrs_}; }

  Status SetErrors(RCReference<AsyncValue> error) {
    for (Tensor& result : results_) {
      result = Tensor(TakeRef(new TensorState(context_.context, kHostDevice, error)));
    }
    return error->GetError();
  }

  // Arrays become tensors. All tensors are there, and of this context; in SYNC mode their values are.
  Status Canonicalise(AsyncValue** poison) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      TensorArgument& argument = arguments_[i];
      if (argument.array()) [[unlikely]] {
        if (!argument.array()->tensor().ok()) {
          return InvalidArgumentError(StrCat("argument ", i, " is no array: ",
                                             argument.array()->tensor().status().message()));
        }
        argument = TensorArgument(Tensor::FromArray(*argument.array(), where_));
      }
      TensorState* state = argument.state();
      if (!state) [[unlikely]] {
        if (IsOptional(i)) continue;
        return InvalidArgumentError(StrCat(
            "argument ", i, " is not a tensor; has it been moved from?"));
      }
      if (state->context() != context_.context) [[unlikely]] {
        return InvalidArgumentError(StrCat("argument ", i, " belongs to another context"));
      }
      AsyncValue* value = state->value();
      if (!value->IsConcrete()) [[unlikely]] {
        if (scope_.mode == ExecutionMode::kSync && !value->IsAvailable()) {
          Step step(traced_, "stall", subject());
          context_.host->Await({&value, 1});
        }
        if (value->IsError() && !*poison) *poison = value;
      }
    }
    return OkStatus();
  }

  bool IsOptional(size_t index) const {
    return index < op_.arguments.size() &&
           op_.arguments[index].kind == OpArgumentSpec::Kind::kOptional;
  }

  // Finds out where the op runs.
  Status Prepare() {
    SmallArray<uint16_t, kInline> words(arguments_.size());
    bool integers = context_.options.max_small_integers > 0 && !arguments_.empty();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      if (!state) {
        words[i] = CallKey::kAbsent;
        continue;
      }
      const TensorMetadata* metadata = state->metadata();
      DType dtype = metadata ? metadata->dtype : DType::kUnsupported;
      words[i] = static_cast<uint16_t>(static_cast<uint16_t>(dtype) | state->device() << 8);
      integers = integers && (dtype == DType::kI32 || dtype == DType::kI64) &&
                 state->device() == kHostDevice &&
                 metadata->shape.num_elements() <= context_.options.max_small_integers;
    }
    CallKey key{&op_, &attrs_, words.span(), scope_.device, integers};
    uint64_t hash = key.Hash();
    const KernelCacheEntry* entry = context_.cache.Find(key, hash);
    std::unique_ptr<KernelCacheEntry> uncached;
    if (entry) [[likely]] {
      // Only this thread writes.
      scope_.hits.store(scope_.hits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } else {
      scope_.misses.store(scope_.misses.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
      Step step(traced_, "build_op", subject());
      TFRT_RETURN_IF_ERROR(CheckCall(op_, arguments_.size(), results_.size(), attrs_));
      TFRT_ASSIGN_OR_RETURN(Placement placement, Place(context_, key));
      entry = context_.cache.Add(key, hash, placement.device, placement.reason, &uncached);
    }
    device_ = entry->device;
    if (traced_) [[unlikely]] {
      RecordStep("place", subject(),
                 StrCat("device=", context_.devices[device_].name,
                        " reason=", ReasonName(entry->reason)));
    }
    return OkStatus();
  }

  // All arguments are on the op's device, or will be.
  Status CopyMisplaced(AsyncValue** poison) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      TensorState* state = arguments_[i].state();
      if (!state) {
        values_[i] = nullptr;
        continue;
      }
      if (state->device() != device_) [[unlikely]] {
        TFRT_RETURN_IF_ERROR(CheckMayCopy(i, *state));
        arguments_[i] = TensorArgument(Tensor(CopyToDevice(scope_, *state, device_, where_, id_)));
        state = arguments_[i].state();
        if (state->value()->IsError() && !*poison) *poison = state->value();
      }
      values_[i] = state->value();
    }
    return OkStatus();
  }

  Status CheckMayCopy(size_t index, const TensorState& state) const {
    MisplacedInputPolicy policy = scope_.misplaced_input;
    if (policy == MisplacedInputPolicy::kSilent) return OkStatus();
    const TensorMetadata* metadata = state.metadata();
    if (policy == MisplacedInputPolicy::kSilentForI32 && metadata &&
        metadata->dtype == DType::kI32) {
      return OkStatus();
    }
    const std::string& from = context_.devices[state.device()].name;
    const std::string& to = context_.devices[device_].name;
    if (policy == MisplacedInputPolicy::kWarn) {
      TFRT_LOG(WARNING) << where_.file_name() << ":" << where_.line() << ": " << op_.name
                        << ": argument " << index << " is copied from " << from << " to " << to;
      return OkStatus();
    }
    return InvalidArgumentError(StrCat("argument ", index, " is on ", from,
                                       ", but the op runs on ", to, "; copy it with CopyTo(\"", to,
                                       "\")"));
  }

  // The bits of arguments that nobody but this call holds.
  uint64_t LastUses() {
    uint64_t bits = 0;
    for (size_t i = 0; i < arguments_.size() && i < 64; ++i) {
      if (arguments_[i].is_last_use()) bits |= uint64_t{1} << i;
    }
    return bits;
  }

  // The results' metadata. Needs that of the arguments; false if some are not known yet.
  StatusOr<bool> ComputeMetadata(std::span<TensorMetadata> metadata) {
    if (!op_.metadata || results_.empty()) return false;
    SmallArray<const TensorMetadata*, kInline> known(arguments_.size());
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      known[i] = state ? state->metadata() : nullptr;
      if (state && !known[i]) return false;
    }
    TFRT_RETURN_IF_ERROR(ComputeOpMetadata(op_, known.span(), attrs_, metadata));
    return true;
  }

  Status RunNow() {
    SmallArray<TensorMetadata, kInline> metadata(results_.size());
    StatusOr<bool> known = ComputeMetadata(metadata.span());
    if (!known.ok()) return Fail(known.status());
    if (op_.has_side_effects()) AwaitChain(context_.ExchangeLastEffect(GetReadyChain()));
    SmallArray<RCReference<AsyncValue>, kInline> out(results_.size());
    CallOutcome outcome =
        ComputeCall(context_, op_, device_, scope_.exec_ctx, where_, id_, traced_, values_.span(),
                    LastUses(), attrs_,
                    *known ? metadata.span() : std::span<TensorMetadata>(), out.span());
    if (outcome.chain) AwaitChain(std::move(outcome.chain));
    Status error = std::move(outcome.error);
    for (size_t i = 0; i < results_.size(); ++i) {
      AsyncValue* value = out[i].get();
      if (!value->IsAvailable()) [[unlikely]] {
        Step step(traced_, "stall", subject());
        context_.host->Await({&value, 1});
      }
      if (value->IsError() && error.ok()) [[unlikely]] {
        error = LocatedError(op_, where_, value->GetError());
        out[i] = MakeErrorAsyncValue(error);
      }
      results_[i] = MakeTensor(std::move(out[i]));
    }
    return error;
  }

  Tensor MakeTensor(RCReference<AsyncValue> value) {
    Step step(traced_, "handle", subject());
    return Tensor(TakeRef(new TensorState(context_.context, device_, std::move(value))));
  }

  void AwaitChain(AsyncValueRef<Chain> chain) {
    if (chain.IsAvailable()) return;
    AsyncValue* value = chain.GetAsyncValue();
    Step step(traced_, "stall", subject());
    context_.host->Await({&value, 1});
  }

  Status RunLater() {
    SmallArray<TensorMetadata, kInline> metadata(results_.size());
    StatusOr<bool> known = ComputeMetadata(metadata.span());
    if (!known.ok()) return Fail(known.status());
    auto* node = new Node(context_, id_, op_, device_, scope_.exec_ctx, where_);
    node->attrs = attrs_.Freeze();
    node->last_uses = 0;
    node->arguments.reserve(arguments_.size());
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].is_last_use() && i < 64) node->last_uses |= uint64_t{1} << i;
      node->arguments.push_back(arguments_[i].TakeState());
    }
    if (*known) node->metadata.assign(metadata.data(), metadata.data() + results_.size());
    node->results.reserve(results_.size());
    {
      Step step(traced_, "handle", subject());
      for (size_t i = 0; i < results_.size(); ++i) {
        node->results.push_back(MakeIndirectAsyncValue());
        RCReference<AsyncValue> value = node->results.back();
        auto* state = *known ? new TensorState(context_.context, device_, std::move(metadata[i]),
                                               std::move(value))
                             : new TensorState(context_.context, device_, std::move(value));
        results_[i] = Tensor(TakeRef(state));
      }
    }
    if (op_.has_side_effects()) {
      node->chain = MakeIndirectAsyncValue();
      node->chain_in = context_.ExchangeLastEffect(
          AsyncValueRef<Chain>(RCReference<AsyncValue>(node->chain)));
    }
    Schedule(node);
    return OkStatus();
  }

  Scope::State& scope_;
  Context::Impl& context_;
  const OpDefinition& op_;
  std::span<TensorArgument> arguments_;
  const OpAttrsRef& attrs_;
  std::span<Tensor> results_;
  std::source_location where_;
  const bool traced_;
  const uint64_t id_;
  SmallArray<AsyncValue*, kInline> values_;
  uint8_t device_ = kHostDevice;
};

// Of a thread without a scope.
Status NoScope(std::string_view op_name, std::source_location where) {
  return FailedPreconditionError(StrCat(where.file_name(), ":", where.line(), ": ", op_name,
                                        ": this thread has no tfrt::eager::Scope"));
}

}  // namespace

RCReference<TensorState> CopyToDevice(Scope::State& scope, const TensorState& from, uint8_t device,
                                      std::source_location where, uint64_t for_id) {
  if (RCReference<TensorState> copy = from.FindCopy(device)) return copy;
  Context::Impl& context = scope.context;
  bool traced = TracesSteps();
  const OpDefinition& op = CopyOp();
  const TensorMetadata* metadata = from.metadata();
  auto details = [&] {
    size_t bytes = metadata ? static_cast<size_t>(metadata->shape.num_elements()) *
                                  DTypeSize(metadata->dtype)
                            : 0;
    return StrCat("bytes=", bytes, " from=", context.devices[from.device()].name,
                  " to=", context.devices[device].name);
  };
  RCReference<TensorState> copy;
  if (scope.mode == ExecutionMode::kSync) {
    Step step(traced, "copy", {for_id, op.name}, traced ? details() : "");
    AsyncValue* value = from.value();
    RCReference<AsyncValue> out;
    if (!value->IsAvailable()) context.host->Await({&value, 1});
    if (value->IsError()) {
      out = FormRef(value);
    } else {
      ComputeCall(context, op, device, scope.exec_ctx, where, for_id, false, {&value, 1}, 0, {},
                  metadata ? std::span(metadata, 1) : std::span<const TensorMetadata>(), {&out, 1});
      AsyncValue* copied = out.get();
      if (!copied->IsAvailable()) context.host->Await({&copied, 1});
    }
    copy = TakeRef(new TensorState(context.context, device, std::move(out)));
  } else {
    auto id = traced ? context.next_op_id.fetch_add(1, std::memory_order_relaxed) : 0;
    if (traced) RecordStep("copy", {id, op.name}, details());
    auto* node = new Node(context, id, op, device, scope.exec_ctx, where);
    node->arguments.push_back(FormRef(const_cast<TensorState*>(&from)));
    node->results.push_back(MakeIndirectAsyncValue());
    RCReference<AsyncValue> value = node->results.back();
    if (metadata) {
      node->metadata.push_back(*metadata);
      copy = TakeRef(new TensorState(context.context, device, *metadata, std::move(value)));
    } else {
      copy = TakeRef(new TensorState(context.context, device, std::move(value)));
    }
    Schedule(node);
  }
  return from.AddCopy(std::move(copy));
}

Tensor MakeConstant(Scope::State& scope, const DenseHostTensor& array, std::source_location where) {
  Context::Impl& context = scope.context;
  uint8_t device = scope.device == kNoDevice ? kHostDevice : static_cast<uint8_t>(scope.device);
  Tensor host(TakeRef(new TensorState(
      context.context, kHostDevice,
      MakeAvailableAsyncValueRef<DenseHostTensor>(array.ShareBuffer()).ReleaseRCRef())));
  bool traced = TracesSteps();
  auto id = traced ? context.next_op_id.fetch_add(1, std::memory_order_relaxed) : 0;
  RCReference<TensorState> source = FormRef(host.state());
  if (device != kHostDevice) {
    source = CopyToDevice(scope, *host.state(), device, where, id);
  }
  const OpDefinition& op = ConstOp();
  if (scope.mode == ExecutionMode::kSync) {
    Step step(traced, "kernel", {id, op.name}, context.devices[device].name);
    return Tensor(std::move(source));
  }
  auto* node = new Node(context, id, op, device, scope.exec_ctx, where);
  node->metadata.push_back(array.metadata());
  node->results.push_back(MakeIndirectAsyncValue());
  RCReference<AsyncValue> value = node->results.back();
  Tensor result(
      TakeRef(new TensorState(context.context, device, array.metadata(), std::move(value))));
  node->arguments.push_back(std::move(source));
  Schedule(node);
  return result;
}

Status Execute(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
               std::span<Tensor> results, std::source_location where) {
  Scope::State* scope = CurrentScope();
  if (!scope) [[unlikely]] {
    Status error = NoScope(op.name, where);
    for (Tensor& result : results) {
      result = Tensor(TakeRef(new TensorState(nullptr, kHostDevice, MakeErrorAsyncValue(error))));
    }
    return error;
  }
  // relaxed: a Restart by another thread is noticed soon.
  if (scope->generation != scope->context.generation.load(std::memory_order_relaxed)) [[unlikely]] {
    scope->context.UpdateRequest(*scope);
  }
  Call call(*scope, op, arguments, attrs, results, where);
  if (!scope->status.ok()) [[unlikely]] return call.Fail(scope->status);
  return call.Execute();
}

Status Execute(std::string_view op_name, std::span<TensorArgument> arguments,
               const OpAttrsRef& attrs, std::span<Tensor> results, std::source_location where) {
  Scope::State* scope = CurrentScope();
  const OpDefinition* op = scope ? scope->context.context->FindOp(op_name) : nullptr;
  if (op) return Execute(*op, arguments, attrs, results, where);
  Status error = !scope ? NoScope(op_name, where)
                        : NotFoundError(StrCat(where.file_name(), ":", where.line(),
                                               ": there is no op '", op_name, "'"));
  Context* context = scope ? scope->context.context : nullptr;
  for (Tensor& result : results) {
    result = Tensor(TakeRef(new TensorState(context, kHostDevice, MakeErrorAsyncValue(error))));
  }
  return error;
}

}  // namespace tfrt::eager
