#include "op_task.h"

#include <utility>

#include "op_function_scope.h"
#include "run_op.h"
#include "run_resources.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt {

namespace {

// Reports that the code that runs ops has left results unset.
[[gnu::cold]] void SetUnsetResults(const OpRun& run, OpOutcome& outcome) {
  if (outcome.error.ok()) {
    outcome.error =
        EmitError(run.exec_ctx, AtItsPlace(run.exec_ctx, UnsetResult(run.op, run.results)));
  }
  const RCReference<AsyncValue> error = MakeErrorAsyncValue(outcome.error);
  for (auto& result : run.results) {
    if (!result) result = error;
  }
}

}  // namespace

OpOutcome RunOpOn(const OpPlace& place, const OpRun& run) {
  OpOutcome outcome;
  {
    OpFunctionScope in_op;
    if (run.prepared) {
      outcome = run.prepared->Run(run);
    } else if (!run.op.composite || place.runner->Has(run.op)) [[likely]] {
      outcome = place.runner->Run(run);
      outcome.is_explained = !place.runner->is_direct();
    } else {
      outcome = run.op.composite(run);
    }
  }
  for (const auto& result : run.results) {
    if (result) [[likely]]
      continue;
    SetUnsetResults(run, outcome);
    break;
  }
  if (!run.explain) return outcome;
  outcome.is_explained |= !outcome.error.ok() || run.prepared;
  if (outcome.error.ok()) [[likely]]
    return outcome;
  outcome.error = run.explain(run.op, run.exec_ctx.location(), MetadataOf(run.arguments),
                              outcome.refused.get(), outcome.error);
  RCReference<AsyncValue> value = MakeErrorAsyncValue(outcome.error);
  for (auto& result : run.results) result = value;
  return outcome;
}

PoolVector<const TensorMetadata*> MetadataOf(std::span<AsyncValue* const> values) {
  PoolVector<const TensorMetadata*> metadata(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] && values[i]->IsConcrete()) metadata[i] = &values[i]->get<Tensor>().metadata();
  }
  return metadata;
}

bool IsErrorOfElements(std::span<AsyncValue* const> arguments, const Status& error) {
  for (AsyncValue* argument : arguments) {
    if (!argument || !argument->IsConcrete()) continue;
    AsyncValue* elements = argument->get<Tensor>().elements();
    if (elements && elements->IsAvailable() && elements->IsError() &&
        elements->GetError() == error) {
      return true;
    }
  }
  return false;
}

Status ExplainErrors(const OpDefinition& op, Location where, OpErrorText explain,
                     std::span<AsyncValue* const> arguments,
                     std::span<RCReference<AsyncValue>> values) {
  Status first;
  for (RCReference<AsyncValue>& value : values) {
    if (!value->IsError()) [[likely]]
      continue;
    Status error = value->GetError();
    if (explain && !IsErrorOfElements(arguments, error)) {
      error = explain(op, where, MetadataOf(arguments), nullptr, error);
      value = MakeErrorAsyncValue(error);
    }
    if (first.ok()) first = std::move(error);
  }
  return first;
}

PoolVector<AsyncValue*> OpTask::Awaited() const {
  PoolVector<AsyncValue*> values = Arguments();
  if (chain_in) values.push_back(chain_in.GetAsyncValue());
  std::erase_if(values, [](AsyncValue* value) { return !value || value->IsAvailable(); });
  return values;
}

AsyncValue* OpTask::FirstError(std::span<AsyncValue* const> arguments) const {
  for (AsyncValue* argument : arguments) {
    if (argument && argument->IsError()) return argument;
  }
  return chain_in && chain_in.IsError() ? chain_in.GetAsyncValue() : nullptr;
}

Status OpTask::Explained(OpMetadataArguments known, const TensorMetadata* refused,
                         const Status& error) const {
  OpErrorText text = explain();
  return text ? text(op, exec_ctx.location(), known, refused, error) : error;
}

Status OpTask::ComputeMetadata(OpMetadataArguments known) {
  metadata_.resize(results.size());
  Status status = ComputeOpMetadata(op, known, attrs, metadata_);
  knows_metadata_ = status.ok();
  if (status.ok()) [[likely]]
    return status;
  return Explained(known, nullptr, EmitError(exec_ctx, std::move(status)));
}

void OpTask::Run() {
  PoolVector<AsyncValue*> arguments = Arguments();
  if (AsyncValue* error = FirstError(arguments)) return Fail(FormRef(error));
  if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return Fail(FormRef(cancelled));
  }
  if (op.has_early_metadata && !knows_metadata_) {
    Status status = ComputeMetadata(MetadataOf(arguments));
    if (!status.ok()) return Fail(MakeErrorAsyncValue(std::move(status)));
  }
  PoolVector<AsyncValue*> awaited;
  for (size_t i = 0; i < arguments.size(); ++i) {
    AsyncValue* value = arguments[i];
    if (!value || (takes_dense_ && value->GetIfPlain<DenseHostTensor>())) [[likely]]
      continue;
    AsyncValueRef<Tensor> converted = Converted(i, value);
    if (!converted) continue;
    if (!converted.IsAvailable()) awaited.push_back(converted.GetAsyncValue());
    if (!later_) later_ = std::make_unique<Later>();
    later_->conversions.push_back({i, std::move(converted)});
  }
  if (awaited.empty()) [[likely]]
    return RunOn(std::move(arguments));
  Proceed(awaited, &OpTask::RunConverted);
}

void OpTask::RunConverted() {
  // Conversions may take long.
  if (AsyncValue* cancelled = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return Fail(FormRef(cancelled));
  }
  RunOn(Arguments());
}

AsyncValueRef<Tensor> OpTask::Converted(size_t, AsyncValue* value) {
  if (place().runner->Accepts(op, value->get<Tensor>())) return nullptr;
  return ConvertForOp(op, exec_ctx, AsyncValueRef<Tensor>(FormRef(value)));
}

OpOutcome OpTask::Execute(OpRun& run) { return RunOpOn(place(), run); }

void OpTask::RunOn(PoolVector<AsyncValue*> arguments) {
  std::unique_ptr<Later> converted = std::move(later_);
  if (converted) [[unlikely]] {
    for (const Conversion& conversion : converted->conversions) {
      if (!conversion.value.IsError()) continue;
      Status error = Explained(MetadataOf(arguments), nullptr, conversion.value.GetError());
      converted = nullptr;  // before anybody hears of it
      return Fail(MakeErrorAsyncValue(std::move(error)));
    }
    for (const Conversion& conversion : converted->conversions) {
      arguments[conversion.index] = conversion.value.GetAsyncValue();
    }
  }
  Outcome outcome;
  outcome.values.resize(results.size());
  OpRun run{.op = op,
            .device = *place().device,
            .allocator = place().allocator,
            .exec_ctx = exec_ctx,
            .arguments = arguments,
            .last_uses = last_uses,
            .attrs = attrs,
            .result_metadata = metadata_,
            .results = outcome.values,
            .explain = explain(),
            .prepared = converted ? converted->prepared.get() : nullptr};
  OpOutcome done = Execute(run);
  converted = nullptr;
  outcome.chain = std::move(done.chain);
  outcome.error = std::move(done.error);
  outcome.is_explained = done.is_explained;
  // Effects of an op that failed may not be over, and others come behind them.
  const bool is_over = !outcome.chain || outcome.chain.IsAvailable();
  if (!run.explain || (!outcome.error.ok() && is_over)) return Publish(std::move(outcome));
  PoolVector<AsyncValue*> awaited;
  bool may_be_wrong = static_cast<bool>(outcome.chain);
  for (const auto& value : outcome.values) {
    if (value->IsConcrete()) [[likely]]
      continue;
    may_be_wrong = true;
    if (!value->IsAvailable()) awaited.push_back(value.get());
  }
  if (!may_be_wrong) [[likely]]
    return Publish(std::move(outcome));
  if (outcome.chain && !outcome.chain.IsAvailable()) {
    awaited.push_back(outcome.chain.GetAsyncValue());
  }
  later_ = std::make_unique<Later>();
  later_->outcome = std::move(outcome);
  if (awaited.empty()) return Finish();
  Proceed(awaited, &OpTask::Finish);
}

void OpTask::Finish() {
  Outcome outcome = std::move(later_->outcome);
  OpErrorText text = outcome.is_explained ? nullptr : explain();
  const Location where = exec_ctx.location();
  if (outcome.error.ok() && outcome.chain && outcome.chain.IsError()) {
    outcome.error = outcome.chain.GetError();
    if (text) outcome.error = text(op, where, {}, nullptr, outcome.error);
  }
  Status first = ExplainErrors(op, where, text, Arguments(), outcome.values);
  if (outcome.error.ok()) outcome.error = std::move(first);
  Publish(std::move(outcome));
}

void OpTask::Fail(const RCReference<AsyncValue>& error) {
  later_ = nullptr;
  Outcome outcome;
  outcome.values.assign(results.size(), error);
  outcome.error = error->GetError();
  Publish(std::move(outcome));
}

void OpTask::Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)()) {
  RunWhenReady(values, [this, next] { (this->*next)(); });
}

void OpTask::PublishResults(Outcome& outcome) {
  for (size_t i = 0; i < results.size(); ++i) {
    // Nor does the task hold the results any longer than it must.
    RCReference<IndirectAsyncValue> result = std::move(results[i]);
    result->ForwardTo(std::move(outcome.values[i]));
  }
  if (chain) chain->ForwardTo(TokenOf(outcome).ReleaseRCRef());
}

AsyncValueRef<Chain> OpTask::TokenOf(Outcome& outcome) {
  if (!outcome.error.ok()) return AsyncValueRef<Chain>(outcome.error);
  return outcome.chain ? std::move(outcome.chain) : GetReadyChain();
}

}  // namespace tfrt
