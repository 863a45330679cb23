// From a call of an op to its execution: canonicalise, prepare (or find) the kernel, place, copy,
// compute metadata, run or schedule.

#include <algorithm>
#include <mutex>
#include <utility>

#include "call_log.h"
#include "context_impl.h"
#include "execute.h"
#include "messages.h"
#include "node.h"
#include "op_scope.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/core_runtime/run_op.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"
#include "traced_state.h"

namespace tfrt::eager {
namespace {

constexpr size_t kInline = 4;  // arguments and results of most ops

// What has begun is waited for on this thread.
class CallNow final : public ContextTask {
 public:
  CallNow(Context::Impl& context, uint64_t id, const OpDefinition& op, uint8_t device,
          const ExecutionContext& exec_ctx, size_t num_results,
          std::span<const TensorArgument> arguments)
      : ContextTask(context, id, op, device, exec_ctx), arguments_(arguments) {
    results.resize(num_results);
  }

  // The error of the results, or of the op. They are there.
  Status RunNow() {
    Run();
    return outcome_.error;
  }
  RCReference<AsyncValue> TakeResult(size_t index) { return std::move(outcome_.values[index]); }

  void Await(AsyncValue* value) {
    if (value->IsAvailable()) [[likely]]
      return;
    Step step(TracesSteps(), kStallStep, {id, op, &attrs});
    AwaitBegun(context.host, value);
  }

 private:
  void Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)()) override {
    for (AsyncValue* value : values) Await(value);
    (this->*next)();
  }
  PoolVector<AsyncValue*> Arguments() const override {
    PoolVector<AsyncValue*> values;
    for (const TensorArgument& argument : arguments_) {
      values.push_back(argument.state() ? argument.state()->value() : nullptr);
    }
    return values;
  }
  void Publish(Outcome outcome) override { outcome_ = std::move(outcome); }

  const std::span<const TensorArgument> arguments_;
  Outcome outcome_;
};

class EagerCall {
 public:
  EagerCall(Scope::State& scope, const OpDefinition& op, std::span<TensorArgument> arguments,
            const OpAttrsRef& attrs, std::span<Tensor> results, Location where)
      : scope_(scope),
        context_(scope.context),
        op_(op),
        arguments_(arguments),
        attrs_(attrs),
        results_(results),
        where_(where),
        traced_(TracesSteps()),
        id_(traced_ ? tracing::NewOpId() : 0) {}

  Status Execute() {
    Step call(traced_, kCallStep, subject());
    if (!context_.log) [[likely]]
      return ExecuteSteps();
    uint64_t number = LogCall(scope_, op_, arguments_, results_.size(), attrs_);
    Status status = ExecuteSteps();
    LogResults(scope_, number, op_, results_);
    return status;
  }

  Status ExecuteSteps() {
    if (AsyncValue* cancelled = scope_.exec_ctx.request_ctx()->GetCancelAsyncValue()) {
      return SetErrors(FormRef(cancelled));
    }
    AsyncValue* poison = nullptr;
    {
      Step step(traced_, kCanonicaliseStep, subject());
      if (Status status = Canonicalise(&poison); !status.ok()) return Fail(status);
    }
    if (poison) return SetErrors(FormRef(poison));
    if (Status status = Prepare(&poison); !status.ok()) return Fail(status);
    if (poison) return SetErrors(FormRef(poison));
    if (Status status = CopyMisplaced(&poison); !status.ok()) return Fail(status);
    if (poison) return SetErrors(FormRef(poison));
    return IsSync(scope_) ? RunNow() : RunLater();
  }

  // The call failed before anything ran; with `error`, or with what that says to programs.
  Status Fail(const Status& error) { return Fail(error, error); }
  Status Fail(const Status& error, const Status& reported) {
    Status located = LocatedError(op_, where_, error);
    (void)context_.host->EmitError(where_, reported);
    return SetErrors(MakeErrorAsyncValue(std::move(located)));
  }

 private:
  StepSubject subject() const { return {id_, op_, &attrs_}; }

  Status SetErrors(RCReference<AsyncValue> error) {
    for (Tensor& result : results_) {
      result = Tensor(TakeRef(new TensorState(scope_.ShareCore(), kHostDevice, error)));
    }
    return error->GetError();
  }

  // All tensors are there, and of this context; in SYNC mode their values are.
  Status Canonicalise(AsyncValue** poison) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      TensorArgument& argument = arguments_[i];
      if (argument.array()) [[unlikely]] {
        if (!argument.array()->tensor().ok()) {
          return InvalidArgumentError(StrCat(NameOfArgument(op_, i), " is no array: ",
                                             argument.array()->tensor().status().message()));
        }
        continue;  // becomes a tensor where the op runs
      }
      TensorState* state = argument.state();
      if (!state) [[unlikely]] {
        if (IsOptional(i)) continue;
        return InvalidArgumentError(
            StrCat(NameOfArgument(op_, i), " is not a tensor; has it been moved from?"));
      }
      AsyncValue* value = state->value();
      if (state->core() != scope_.core) [[unlikely]] {
        // Errors of threads without a scope have no context.
        if (value->IsError()) {
          if (!*poison) *poison = value;
          continue;
        }
        return InvalidArgumentError(
            StrCat(NameOfArgument(op_, i), " belongs to ",
                   state->core()->context() ? "another context" : "a context that has ended"));
      }
      if (!value->IsConcrete()) [[unlikely]] {
        if (IsSync(scope_)) TFRT_RETURN_IF_ERROR(AwaitArgument(value));
        if (value->IsError() && !*poison) *poison = value;
      }
    }
    return OkStatus();
  }

  bool IsOptional(size_t index) const {
    return index < op_.arguments.size() &&
           op_.arguments[index].kind == OpArgumentSpec::Kind::kOptional;
  }

  // Finds out where the op runs. If it may depend on what is not known yet, waits for that.
  Status Prepare(AsyncValue** poison) {
    TFRT_RETURN_IF_ERROR(FindPlace());
    if (!has_unknown_) [[likely]]
      return OkStatus();
    bool waits = false;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      waits |= state && !state->metadata() && state->device() != device_ && !StaysOnHost(i);
    }
    // What is known by now may not have been when the place was chosen.
    if (!waits) return FindPlace();
    // It may be a resource, which decides, and which cannot be copied.
    for (const TensorArgument& argument : arguments_) {
      const TensorState* state = argument.state();
      if (!state || state->metadata()) continue;
      TFRT_RETURN_IF_ERROR(AwaitArgument(state->value()));
      if (state->value()->IsError() && !*poison) *poison = state->value();
    }
    return *poison ? OkStatus() : FindPlace();
  }

  Status FindPlace() {
    SmallArray<CallKey::Word, kInline> words(arguments_.size());
    bool any = false, integers = true;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      const HostArray* array = arguments_[i].array();
      if (!state && !array) {
        words[i] = CallKey::kAbsent;
        continue;
      }
      any = true;
      // An array is a value on the host.
      const TensorMetadata* metadata = array ? &(*array->tensor()).metadata() : state->metadata();
      uint8_t device = array ? kHostDevice : state->device();
      bool late = state && state->is_late();
      late_ |= late;
      has_unknown_ |= !metadata;
      words[i] = CallKey::WordOf(metadata ? metadata->dtype : DType::kUnsupported, device);
      integers = integers && metadata && !late && IsSmallIntegers(context_, *metadata, device);
    }
    CallKey key(op_, attrs_, words.span(), scope_.device, any && integers);
    uint64_t hash = key.Hash();
    Placement placement;
    const KernelCacheEntry* entry = scope_.FindCall(key, hash);
    if (entry) [[likely]] {
      TFRT_RETURN_IF_ERROR(CheckResultCount(op_, results_.size()));
      CountHit(scope_);
      if (traced_) [[unlikely]]
        RecordStep(kCacheHitStep, subject());
      placement = entry->placement;
    } else {
      scope_.misses.store(scope_.misses.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
      Step step(traced_, kBuildOpStep, subject());
      TFRT_RETURN_IF_ERROR(CheckCall(op_, arguments_.size(), results_.size(), attrs_));
      TFRT_ASSIGN_OR_RETURN(placement, Place(context_, key));
      entry = scope_.calls->Add(context_.cache, key, hash, placement);
    }
    device_ = placement.device;
    if (entry && placement.direct_device == Placement::kNotDirect) {
      prepared_ = entry->Prepared(context_.devices[device_]);
    }
    if (traced_) [[unlikely]] {
      RecordStep(
          kPlaceStep, subject(), [&] { return context_.devices[device_].recorded_name(); },
          [&] { return ReasonName(placement.reason); });
    }
    return OkStatus();
  }

  // True for what the op reads on the host while it runs elsewhere.
  bool StaysOnHost(size_t index) const {
    return device_ != kHostDevice && op_.description->is_host_value(index, arguments_.size());
  }

  // All arguments are where the op needs them, or will be.
  Status CopyMisplaced(AsyncValue** poison) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      TensorState* state = arguments_[i].state();
      if (const HostArray* array = arguments_[i].array()) [[unlikely]] {
        uint8_t device = StaysOnHost(i) ? kHostDevice : device_;
        arguments_[i] = TensorArgument(MakeConstant(scope_, *array->tensor(), device, where_));
        state = arguments_[i].state();
        if (state->value()->IsError() && !*poison) *poison = state->value();
      }
      if (state && state->device() != device_ && !StaysOnHost(i)) [[unlikely]] {
        TFRT_RETURN_IF_ERROR(CheckMayCopy(scope_, op_, i, *state, device_, where_));
        Copy(i, device_, poison);
      }
    }
    if (device_ != kHostDevice) CopyHostValues(poison);
    return OkStatus();
  }

  // Those that are elsewhere come to the host, whatever the scope says to copies: they are few, and
  // a program may not know which they are.
  void CopyHostValues(AsyncValue** poison) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      if (!state || !StaysOnHost(i) || state->device() == kHostDevice) continue;
      Copy(i, kHostDevice, poison);
    }
  }

  void Copy(size_t index, uint8_t device, AsyncValue** poison) {
    arguments_[index] = TensorArgument(
        Tensor(CopyToDevice(scope_, *arguments_[index].state(), device, where_, {id_, op_.name})));
    AsyncValue* value = arguments_[index].state()->value();
    if (value->IsError() && !*poison) *poison = value;
  }

  // The results' metadata. Needs that of the arguments; false if some are not known yet. If they
  // are wrong, the call has failed.
  StatusOr<bool> ComputeMetadata(std::span<TensorMetadata> metadata) {
    if (!op_.has_early_metadata) return false;
    SmallArray<const TensorMetadata*, kInline> known(arguments_.size());
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      known[i] = state ? state->metadata() : nullptr;
      if (state && !known[i]) return false;
    }
    Status status = ComputeOpMetadata(op_, known.span(), attrs_, metadata);
    if (status.ok()) [[likely]]
      return true;
    return Fail(WithArguments(op_, known.span(), status), status);
  }

  Status RunNow() {
    CallNow call(context_, id_, op_, device_, scope_.exec_ctx, results_.size(), arguments_);
    call.attrs = attrs_;
    if (prepared_) call.SetPrepared(std::move(prepared_));
    call.last_uses = LastUses(arguments_);
    AsyncValueRef<Chain> effect_over;
    if (op_.has_side_effects() && !in_op_function) {
      // A call that is known to be wrong does not wait for its turn, as in ASYNC mode.
      SmallArray<TensorMetadata, kInline> metadata(results_.size());
      StatusOr<bool> known = ComputeMetadata(metadata.span());
      if (!known.ok()) return known.status();
      if (*known) call.SetMetadata(metadata.span());
      effect_over = MakeUnconstructedAsyncValueRef<Chain>();
      call.Await(context_.ExchangeLastEffect(effect_over.CopyRef()).GetAsyncValue());
    }
    Status error = call.RunNow();
    if (effect_over) effect_over.AsPtr().emplace();
    for (size_t i = 0; i < results_.size(); ++i) results_[i] = MakeTensor(call.TakeResult(i));
    return error;
  }

  // Of the results (TensorState).
  bool is_late() const { return late_ || !op_.has_early_metadata; }

  Tensor MakeTensor(RCReference<AsyncValue> value) {
    Step step(traced_, kHandleStep, subject());
    return Tensor(
        TakeRef(new TensorState(scope_.ShareCore(), device_, std::move(value), is_late())));
  }

  Status AwaitArgument(AsyncValue* value) {
    if (value->IsAvailable()) return OkStatus();
    Step step(traced_, kStallStep, subject());
    return AwaitOthers(context_.host, value);
  }

  Status RunLater() {
    SmallArray<TensorMetadata, kInline> metadata(results_.size());
    StatusOr<bool> known = ComputeMetadata(metadata.span());
    if (!known.ok()) return known.status();
    uint8_t epoch;
    if (Status room = context_.CountBegin(&epoch); !room.ok()) return Fail(room);
    auto* node = new Node(context_, epoch, id_, op_, device_, scope_.exec_ctx, results_.size());
    node->attrs = attrs_.Freeze();
    if (prepared_) node->SetPrepared(std::move(prepared_));
    node->arguments.reserve(arguments_.size());
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].is_last_use() && i < 64) node->last_uses |= uint64_t{1} << i;
      node->arguments.push_back(arguments_[i].TakeState());
    }
    if (*known) node->SetMetadata(metadata.span());
    {
      Step step(traced_, kScheduledHandleStep, subject());
      for (size_t i = 0; i < results_.size(); ++i) {
        RCReference<AsyncValue> value = node->results[i];
        auto* state = *known ? new TensorState(scope_.ShareCore(), device_, std::move(metadata[i]),
                                               std::move(value), is_late())
                             : new TensorState(scope_.ShareCore(), device_, std::move(value), true);
        results_[i] = Tensor(TakeRef(state));
      }
    }
    std::unique_lock<std::mutex> in_queue;
    if (op_.has_side_effects()) {
      if (context_.fifo()) in_queue = std::unique_lock(context_.effects_in_queue_mutex());
      node->chain = MakeIndirectAsyncValue();
      node->chain_in =
          context_.ExchangeLastEffect(AsyncValueRef<Chain>(RCReference<AsyncValue>(node->chain)));
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
  Location where_;
  const bool traced_;
  const uint64_t id_;
  uint8_t device_ = kHostDevice;
  std::shared_ptr<const PreparedOp> prepared_;  // by the device; null: nothing
  bool has_unknown_ = false;  // an argument of which neither type nor shape was known
  bool late_ = false;         // an argument is
};

}  // namespace

Status NoScope(std::string_view op_name, Location where) {
  return FailedPreconditionError(
      StrCat(LinePrefix(where), op_name, ": this thread has no tfrt::eager::Scope"));
}

void SetErrors(Scope::State* scope, const Status& error, std::span<Tensor> results) {
  for (Tensor& result : results) {
    result = Tensor(TakeRef(new TensorState(scope ? scope->ShareCore() : nullptr, kHostDevice,
                                            MakeErrorAsyncValue(error))));
  }
}

Status ExecuteComplete(const OpDefinition& op, std::span<TensorArgument> arguments,
                       const OpAttrsRef& attrs, std::span<Tensor> results, Location where) {
  Scope::State* scope = CurrentScopeForCall(where);
  Status status;
  if (!scope) [[unlikely]] {
    status = NoScope(op.name, where);
    SetErrors(nullptr, status, results);
  } else if (!scope->status.ok()) [[unlikely]] {
    if (scope->tracer && scope->device_status.ok()) {
      status = TraceCall(*scope, op, arguments, attrs, results, where);
    } else {
      status = EagerCall(*scope, op, arguments, attrs, results, where).Fail(scope->status);
    }
  } else if (results.size() != 1 || !IsSync(*scope) ||
             !ExecutePrepared(*scope, op, arguments, attrs, results[0], where, &status)) {
    status = EagerCall(*scope, op, arguments, attrs, results, where).Execute();
  }
  for (TensorArgument& argument : arguments) argument.DropMoved();
  return status;
}

}  // namespace tfrt::eager
