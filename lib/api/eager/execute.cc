// From a call of an op to its execution: canonicalise, prepare (or find) the kernel, place, copy,
// compute metadata, run or schedule.

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "call_log.h"
#include "context_impl.h"
#include "execute.h"
#include "lib/base/async/pool_vector.h"
#include "lib/ops/op_call/infer_metadata.h"
#include "lib/ops/op_call/op_function_scope.h"
#include "lib/ops/op_call/op_task.h"
#include "lib/ops/op_call/run_op.h"
#include "messages.h"
#include "node.h"
#include "op_scope.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tracing/record.h"
#include "traced_state.h"

namespace tfrt::eager {
namespace {

constexpr size_t kInline = CallKey::kPacked;  // arguments of most ops

// One call, in the steps of eager tracing (docs/eager.md).
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
        is_recorded_(tracing::IsAnythingActive()),
        records_steps_(is_recorded_ && RecordsSteps()),
        details_(records_steps_ && RecordsDetails()),
        id_(records_steps_ ? tracing::NewOpId() : 0),
        values_(arguments.size()),
        known_(arguments.size()) {}

  [[gnu::noinline]] Status Execute() {
    Step call(is_recorded_, kCallStep, subject());
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
    AsyncValue* error_argument = nullptr;
    {
      Step step(details_, kCanonicaliseStep, subject());
      if (Status status = Read(&error_argument); !status.ok()) return Fail(status);
    }
    if (error_argument) return SetErrors(FormRef(error_argument));
    if (Status status = FindPlace(); !status.ok()) return Fail(status);
    if (has_unknown_) [[unlikely]] {
      if (Status status = FindPlaceOfUnknown(&error_argument); !status.ok()) return Fail(status);
      if (error_argument) return SetErrors(FormRef(error_argument));
    }
    if (MayBeMisplaced()) [[unlikely]] {
      if (Status status = CopyMisplaced(&error_argument); !status.ok()) return Fail(status);
      if (error_argument) return SetErrors(FormRef(error_argument));
    }
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

  Status SetErrors(const RCReference<AsyncValue>& error) {
    for (Tensor& result : results_) {
      result = Tensor(TakeRef(new TensorState(scope_.ShareCore(), kHostDevice, error)));
    }
    return error->GetError();
  }

  // All tensors are there, and of this context; in SYNC mode their values are available. Sets what
  // the call is known by, and may be called again.
  Status Read(AsyncValue** error_argument) {
    // relaxed: see GetIfPlain.
    const uint32_t dense = tfrt::internal::kind_of<DenseHostTensor>.load(std::memory_order_relaxed);
    packed_ = 0;
    rest_.clear();
    has_unknown_ = has_late_argument_ = has_array_ = is_spread_ = false;
    all_dense_ = small_integers_ = true;
    on_ = kNoDevice;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      const TensorMetadata* metadata = nullptr;
      CallKey::Word word = CallKey::kAbsent;
      if (state && state->core() == scope_.core) [[likely]] {
        AsyncValue* value = values_[i] = state->value();
        if (auto* tensor = value->GetIfPlain<DenseHostTensor>(dense)) [[likely]] {
          metadata = &tensor->metadata();
        } else {
          all_dense_ = false;
          if (!value->IsConcrete()) TFRT_RETURN_IF_ERROR(ReadPending(value, error_argument));
          metadata = state->metadata();
        }
        word = WordOf(metadata, state->device(), state->has_late_metadata());
      } else {
        TFRT_ASSIGN_OR_RETURN(metadata, ReadOther(i, error_argument));
        if (metadata) word = WordOf(metadata, kHostDevice, false);
      }
      known_[i] = metadata;
      if (i < CallKey::kPacked) [[likely]] {
        packed_ |= uint64_t{word} << 16 * i;
      } else {
        rest_.push_back(word);
      }
    }
    small_integers_ = small_integers_ && on_ != kNoDevice;
    return OkStatus();
  }

  // Returns the word by which a call with such an argument is recognised.
  CallKey::Word WordOf(const TensorMetadata* metadata, uint8_t device, bool has_late_metadata) {
    is_spread_ |= on_ != kNoDevice && on_ != device;
    on_ = device;
    has_late_argument_ |= has_late_metadata;
    has_unknown_ |= !metadata;
    small_integers_ = small_integers_ && metadata && !has_late_metadata &&
                      IsSmallIntegers(context_, *metadata, device);
    return CallKey::WordOf(metadata ? metadata->dtype : DType::kUnsupported, device);
  }

  [[gnu::noinline]] Status ReadPending(AsyncValue* value, AsyncValue** error_argument) {
    if (IsSync(scope_)) TFRT_RETURN_IF_ERROR(AwaitArgument(value));
    if (value->IsError() && !*error_argument) *error_argument = value;
    return OkStatus();
  }

  // The metadata of an argument that is an array, which becomes a tensor where the op runs; null if
  // it is left out.
  [[gnu::noinline]] StatusOr<const TensorMetadata*> ReadOther(size_t index,
                                                              AsyncValue** error_argument) {
    const TensorArgument& argument = arguments_[index];
    if (argument.array()) {
      if (!argument.array()->tensor().ok()) {
        return InvalidArgumentError(StrCat(NameOfArgument(op_, index), " is no array: ",
                                           argument.array()->tensor().status().message()));
      }
      has_array_ = true;
      return &(*argument.array()->tensor()).metadata();
    }
    const TensorState* state = argument.state();
    if (!state) {
      if (IsOptional(index)) return static_cast<const TensorMetadata*>(nullptr);
      return InvalidArgumentError(
          StrCat(NameOfArgument(op_, index), " is not a tensor; has it been moved from?"));
    }
    // Errors of threads without a scope have no context.
    if (state->value()->IsError()) {
      if (!*error_argument) *error_argument = state->value();
      return static_cast<const TensorMetadata*>(nullptr);
    }
    return InvalidArgumentError(
        StrCat(NameOfArgument(op_, index), " belongs to ",
               state->core()->context() ? "another context" : "a context that has ended"));
  }

  bool IsOptional(size_t index) const {
    return index < op_.arguments.size() &&
           op_.arguments[index].kind == OpArgumentSpec::Kind::kOptional;
  }

  // Where it runs may depend on what was not known when the place was chosen: waits for that.
  [[gnu::noinline]] Status FindPlaceOfUnknown(AsyncValue** error_argument) {
    bool waits = false;
    const bool reads_elements = !op_.description->reads_metadata_alone();
    for (size_t i = 0; reads_elements && i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      waits |= state && !state->metadata() && state->device() != device_ && !StaysOnHost(i);
    }
    // It may be a resource, which decides, and which cannot be copied.
    for (size_t i = 0; waits && i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      if (!state || state->metadata()) continue;
      TFRT_RETURN_IF_ERROR(AwaitArgument(state->value()));
      if (state->value()->IsError() && !*error_argument) *error_argument = state->value();
    }
    if (*error_argument) return OkStatus();
    AsyncValue* later = nullptr;  // an error that has come meanwhile becomes the results'
    TFRT_RETURN_IF_ERROR(Read(&later));
    return FindPlace();
  }

  Status FindPlace() {
    const CallKey key(op_, attrs_, packed_,
                      CallKey::CallOf(arguments_.size(), scope_.device, small_integers_), rest_);
    Placement placement;
    const bool is_kept = IsKeptAtPlace();
    entry_ = FormRef(is_kept ? scope_.calls->FindAt(where_, key) : nullptr);
    uint64_t hash = 0;
    if (!entry_) {
      hash = key.Hash();
      // The reference comes first: SetAt drops the last call's entry, whose end may run other code.
      entry_ = FormRef(scope_.FindCall(key, hash));
      if (entry_ && is_kept) scope_.calls->SetAt(where_, *entry_);
    }
    if (entry_) [[likely]] {
      TFRT_RETURN_IF_ERROR(CheckResultCount(op_, results_.size()));
      CountHit(scope_);
      if (details_) [[unlikely]]
        RecordStep(kCacheHitStep, subject());
      placement = entry_->placement;
    } else {
      scope_.misses.store(scope_.misses.load(std::memory_order_relaxed) + 1,
                          std::memory_order_relaxed);
      Step step(details_, kBuildOpStep, subject());
      TFRT_RETURN_IF_ERROR(CheckCall(op_, arguments_.size(), results_.size(), attrs_));
      TFRT_ASSIGN_OR_RETURN(placement, ChoosePlacement(scope_, key, where_));
      entry_ = FormRef(scope_.calls->Add(context_.cache, key, hash, placement));
    }
    device_ = placement.device;
    is_direct_ = placement.direct_device == device_;
    if (details_) [[unlikely]] {
      RecordStep(
          kPlaceStep, subject(), [&] { return context_.devices[device_].recorded_name(); },
          [&] { return ReasonName(placement.reason); });
    }
    return OkStatus();
  }

  // Whether an argument is not where the op runs, or is read on the host meanwhile.
  bool MayBeMisplaced() const {
    return has_array_ || is_spread_ || (on_ != kNoDevice && on_ != device_) ||
           (device_ != kHostDevice && op_.description->has_host_values());
  }

  // True for what the op reads on the host while it runs elsewhere.
  bool StaysOnHost(size_t index) const {
    return device_ != kHostDevice && op_.description->is_host_value(index, arguments_.size());
  }

  // All arguments are where the op needs them, or will be.
  [[gnu::noinline]] Status CopyMisplaced(AsyncValue** error_argument) {
    const bool reads_elements = !op_.description->reads_metadata_alone();
    for (size_t i = 0; i < arguments_.size(); ++i) {
      TensorState* state = arguments_[i].state();
      if (const HostArray* array = arguments_[i].array()) {
        uint8_t device = StaysOnHost(i) ? kHostDevice : device_;
        SetArgument(i, MakeConstant(scope_, *array->tensor(), device, where_), error_argument);
        state = arguments_[i].state();
      }
      if (state && state->device() != device_ && reads_elements && !StaysOnHost(i)) {
        TFRT_RETURN_IF_ERROR(CheckMayCopy(scope_, op_, i, *state, device_, where_));
        Copy(i, device_, error_argument);
      }
    }
    if (device_ != kHostDevice) CopyHostValues(error_argument);
    return OkStatus();
  }

  // Those that are elsewhere come to the host, whatever the scope says to copies: they are few, and
  // a program may not know which they are.
  void CopyHostValues(AsyncValue** error_argument) {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const TensorState* state = arguments_[i].state();
      if (!state || !StaysOnHost(i) || state->device() == kHostDevice) continue;
      Copy(i, kHostDevice, error_argument);
    }
  }

  void Copy(size_t index, uint8_t device, AsyncValue** error_argument) {
    SetArgument(
        index,
        Tensor(CopyToDevice(scope_, *arguments_[index].state(), device, where_, {id_, op_.name})),
        error_argument);
  }
  void SetArgument(size_t index, Tensor tensor, AsyncValue** error_argument) {
    arguments_[index] = TensorArgument(std::move(tensor));
    const TensorState* state = arguments_[index].state();
    values_[index] = state->value();
    known_[index] = state->metadata();
    has_unknown_ |= !known_[index];
    all_dense_ = false;
    if (state->value()->IsError() && !*error_argument) *error_argument = state->value();
  }

  // Whether a look at the last call at this place is cheaper than to hash the attributes and to
  // infer the results again.
  bool IsKeptAtPlace() const {
    return (!attrs_.empty() || (op_.infers_metadata && !op_.has_early_metadata)) &&
           arguments_.size() <= CallSite::kMaxArguments;
  }
  // Returns what the last such call was like; null if nothing is remembered. Valid until something
  // else is called.
  CallSite* LastCall() {
    return entry_ && !details_ ? scope_.calls->SiteAt(where_, *entry_) : nullptr;
  }

  // The results' metadata. Needs that of the arguments; false if some are not known yet. If they
  // are wrong, the call has failed.
  [[gnu::always_inline]] StatusOr<bool> ComputeMetadata(std::span<TensorMetadata> metadata) {
    if (has_unknown_) return false;
    const bool is_kept = IsKeptAtPlace();
    if (is_kept && RecallMetadata(metadata)) return true;
    if (!op_.has_early_metadata) return false;
    Status status = op_.metadata && !details_
                        ? op_.metadata(known_.span(), attrs_, metadata)
                        : ComputeOpMetadata(op_, known_.span(), attrs_, metadata);
    if (!status.ok()) [[unlikely]]
      return Fail(WithArguments(op_, known_.span(), status), status);
    if (CallSite* last = is_kept ? LastCall() : nullptr) last->Remember(known_.span(), metadata);
    return true;
  }

  // False if the last call was another one. Where metadata follow from elements, which are there in
  // SYNC mode, they are inferred here. If that fails, this is false, and the op's run says why.
  [[gnu::noinline]] bool RecallMetadata(std::span<TensorMetadata> metadata) {
    CallSite* last = LastCall();
    if (!last || op_.has_early_metadata) return last && last->Recall(known_.span(), metadata);
    const bool is_now = op_.infers_metadata && !op_.has_side_effects() && is_direct_ &&
                        all_dense_ && IsSync(scope_);
    is_inferred_ =
        is_now && InferResultMetadata(op_, values_.span(), attrs_, metadata.size(), last).ok();
    const bool is_known = is_inferred_ && last->results.size() == metadata.size();
    if (is_known) std::ranges::copy(last->results, metadata.begin());
    return is_known;
  }

  Status RunNow() {
    SmallArray<TensorMetadata, 1> metadata(results_.size());
    StatusOr<bool> known = ComputeMetadata(metadata.span());
    if (!known.ok()) [[unlikely]]
      return known.status();
    AsyncValueRef<Chain> effect_over;
    if (op_.has_side_effects() && !in_op_function) [[unlikely]] {
      effect_over = MakeUnconstructedAsyncValueRef<Chain>();
      Await(context_.ExchangeLastEffect(effect_over.CopyRef()).GetAsyncValue());
      if (AsyncValue* cancelled = scope_.exec_ctx.request_ctx()->GetCancelAsyncValue()) {
        effect_over.AsPtr().emplace();
        return SetErrors(FormRef(cancelled));
      }
    }
    SmallArray<RCReference<AsyncValue>, 1> values(results_.size());
    Status error = RunKernel(*known ? metadata.span() : std::span<TensorMetadata>(), values.span());
    if (effect_over) effect_over.AsPtr().emplace();
    for (size_t i = 0; i < results_.size(); ++i) results_[i] = MakeTensor(std::move(values[i]));
    return error;
  }

  // By the device; null: nothing.
  std::shared_ptr<const PreparedOp> Prepared() const {
    if (is_direct_ || !entry_) return nullptr;
    return entry_->Prepared(context_.devices[device_]);
  }

  // Sets `values`, which are available then. The error of the op, or the first one of these.
  Status RunKernel(std::span<const TensorMetadata> promised,
                   std::span<RCReference<AsyncValue>> values) {
    const ContextDevice& on = context_.devices[device_];
    if (!all_dense_) [[unlikely]] {
      if (Status status = ConvertArguments(on); !status.ok()) return SetAll(values, status);
    }
    HostAllocator* allocator = records_steps_ ? on.memory->recording_allocator() : on.allocator;
    const uint64_t last_uses = LastUses(arguments_);
    AsyncValueRef<Chain> chain;
    Status error;
    bool is_explained = false;
    // Without metadata RunOp infers them, unless that was done and left them open. It records more.
    if (is_direct_ && !details_ && (!promised.empty() || is_inferred_)) [[likely]] {
      OpCall::Parts parts{.op = &op_,
                          .exec_ctx = &scope_.exec_ctx,
                          .allocator = allocator,
                          .attrs = entry_ ? &entry_->direct.attrs : &attrs_,
                          .parsed_attrs = entry_ ? entry_->direct.parsed_attrs.get() : nullptr,
                          .arguments = values_.span(),
                          .last_uses = last_uses,
                          .result_metadata = promised,
                          .results = values};
      OpCall call(parts);
      {
        OpFunctionScope in_op;
        Step step(is_recorded_, kKernelStep, subject(), [&] { return on.recorded_name(); });
        (entry_ ? entry_->direct.function : op_.function)(call);
      }
      bool is_set = call.error().ok();
      for (const auto& value : values) is_set &= static_cast<bool>(value);
      if (!is_set) [[unlikely]] {
        error = FinishFailedOp(op_, scope_.exec_ctx, call);
        return SetAll(values,
                      ExplainError(op_, where_, known_.span(), call.TakeRefused().get(), error));
      }
      chain = call.TakeChain();
    } else {
      Step step(is_recorded_, kKernelStep, subject(), [&] { return on.recorded_name(); });
      OpOutcome outcome = RunOpOn(on, {.op = op_,
                                       .device = *on.device,
                                       .allocator = allocator,
                                       .exec_ctx = scope_.exec_ctx,
                                       .arguments = values_.span(),
                                       .last_uses = last_uses,
                                       .attrs = attrs_,
                                       .result_metadata = promised,
                                       .results = values,
                                       .explain = &ExplainError,
                                       .prepared = Prepared().get()});
      error = std::move(outcome.error);
      chain = std::move(outcome.chain);
      is_explained = outcome.is_explained;
    }
    // Effects of an op that failed may not be over, either.
    if (chain) [[unlikely]]
      Await(chain.GetAsyncValue());
    if (!error.ok()) [[unlikely]]
      return error;
    bool may_be_wrong = false;
    for (size_t i = 0; i < values.size(); ++i) {
      Await(values[i].get());
      may_be_wrong |= values[i]->IsError();
      if (may_be_wrong || promised.empty()) continue;
      const TensorMetadata& made = values[i]->get<tfrt::Tensor>().metadata();
      if (made == promised[i]) [[likely]]
        continue;
      return SetAll(values,
                    ExplainError(op_, where_, known_.span(), nullptr,
                                 ReportWrongMetadata(op_, scope_.exec_ctx, i, made, promised[i])));
    }
    if (!chain && !may_be_wrong) [[likely]]
      return OkStatus();
    return FinishLate(chain, is_explained, values);
  }

  // Late values may be errors, which are explained.
  [[gnu::noinline]] Status FinishLate(const AsyncValueRef<Chain>& chain, bool is_explained,
                                      std::span<RCReference<AsyncValue>> values) {
    Status error;
    if (chain && chain.IsError()) {
      error = chain.GetError();
      if (!is_explained) error = ExplainError(op_, where_, {}, nullptr, error);
    }
    Status first =
        ExplainErrors(op_, where_, is_explained ? nullptr : &ExplainError, values_.span(), values);
    return error.ok() ? first : error;
  }

  // Makes the error, which is explained, of each.
  static Status SetAll(std::span<RCReference<AsyncValue>> values, Status error) {
    std::ranges::fill(values, MakeErrorAsyncValue(error));
    return error;
  }

  // Arguments become what the op takes.
  [[gnu::noinline]] Status ConvertArguments(const ContextDevice& on) {
    for (size_t i = 0; i < values_.size(); ++i) {
      AsyncValue* value = values_[i];
      if (!value || on.runner->Accepts(op_, value->get<tfrt::Tensor>())) continue;
      AsyncValueRef<tfrt::Tensor> converted =
          ConvertForOp(op_, scope_.exec_ctx, AsyncValueRef<tfrt::Tensor>(FormRef(value)));
      Await(converted.GetAsyncValue());
      if (converted.IsError()) {
        return ExplainError(op_, where_, known_.span(), nullptr, converted.GetError());
      }
      values_[i] = converted.GetAsyncValue();
      converted_.push_back(std::move(converted));
    }
    AsyncValue* cancelled = scope_.exec_ctx.request_ctx()->GetCancelAsyncValue();
    return cancelled ? cancelled->GetError() : OkStatus();
  }

  // Waits for what has begun on this thread.
  void Await(AsyncValue* value) {
    if (value->IsAvailable()) [[likely]]
      return;
    Step step(records_steps_, kStallStep, subject());
    AwaitBegun(context_.host, value);
  }

  // True if the results are late (see TensorState).
  bool has_late_metadata() const { return has_late_argument_ || !op_.has_early_metadata; }

  Tensor MakeTensor(RCReference<AsyncValue> value) {
    Step step(details_, kHandleStep, subject());
    return Tensor(TakeRef(
        new TensorState(scope_.ShareCore(), device_, std::move(value), has_late_metadata())));
  }

  Status AwaitArgument(AsyncValue* value) {
    if (value->IsAvailable()) return OkStatus();
    Step step(records_steps_, kStallStep, subject());
    return AwaitOthers(context_.host, value);
  }

  Status RunLater() {
    SmallArray<TensorMetadata, 1> metadata(results_.size());
    StatusOr<bool> known = ComputeMetadata(metadata.span());
    if (!known.ok()) return known.status();
    uint8_t epoch;
    if (Status room = context_.CountBegin(&epoch); !room.ok()) return Fail(room);
    auto* node = new Node(context_, epoch, id_, op_, device_, scope_.exec_ctx, results_.size());
    node->attrs = attrs_.Freeze();
    if (std::shared_ptr<const PreparedOp> prepared = Prepared()) {
      node->SetPrepared(std::move(prepared));
    }
    node->arguments.reserve(arguments_.size());
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i].is_last_use() && i < 64) node->last_uses |= uint64_t{1} << i;
      node->arguments.push_back(arguments_[i].TakeState());
    }
    if (*known) node->SetMetadata(metadata.span());
    {
      Step step(details_, kHandleStep, subject());
      for (size_t i = 0; i < results_.size(); ++i) {
        RCReference<AsyncValue> value = node->results[i];
        auto* state = *known ? new TensorState(scope_.ShareCore(), device_, std::move(metadata[i]),
                                               std::move(value), has_late_metadata())
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
  const bool is_recorded_;    // somebody may want records, of whatever level
  const bool records_steps_;  // of steps
  const bool details_;        // of all of them
  const uint64_t id_;
  SmallArray<AsyncValue*, kInline> values_;           // of the arguments; null: left out
  SmallArray<const TensorMetadata*, kInline> known_;  // theirs; null: left out, or not known yet
  PoolVector<AsyncValueRef<tfrt::Tensor>> converted_;
  uint64_t packed_;
  std::vector<CallKey::Word> rest_;
  uint16_t on_;               // where the last argument lies; kNoDevice: there is none
  bool is_spread_;            // others lie elsewhere
  bool has_array_;            // an argument is one
  bool all_dense_;            // the arguments are
  bool small_integers_;       // the arguments are
  bool has_unknown_;          // an argument of which neither type nor shape is known
  bool has_late_argument_;    // an argument is
  bool is_direct_ = false;    // the device runs the op's function itself
  bool is_inferred_ = false;  // the results' metadata are, from elements, as far as they follow
  uint8_t device_ = kHostDevice;
  // The entry that is remembered of such calls; null for none. Calls inside of this one may drop it
  // elsewhere.
  RCReference<const KernelCacheEntry> entry_;
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
  } else {
    status = EagerCall(*scope, op, arguments, attrs, results, where).Execute();
  }
  for (TensorArgument& argument : arguments) argument.DropMoved();
  return status;
}

}  // namespace tfrt::eager
