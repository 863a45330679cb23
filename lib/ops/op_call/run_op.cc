#include "run_op.h"

#include <algorithm>

#include "convert_tensor.h"
#include "infer_metadata.h"
#include "lib/base/tracing/tracing.h"
#include "lib/runtime/tensor/coo_host_tensor.h"
#include "quick_op.h"
#include "run_resources.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

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

constexpr tracing::RecordType kMetadataRecord = {.name = "op.metadata",
                                                 .level = tracing::StackLevel::kOp,
                                                 .sink_level = tracing::Level::kVerbose};

// Holds the facts of a call that a sink of level kDebug reads.
struct DispatchDetails {
  std::span<AsyncValue* const> arguments;
  std::span<const TensorMetadata> results;  // empty: not known
  const OpAttrsRef& attrs;
};

std::string DispatchText(const tracing::RecordText& text) {
  if (!tracing::IsEnabled(tracing::Level::kDebug)) return StrCat("RunDispatch: ", text.name);
  const auto& details = *static_cast<const DispatchDetails*>(text.extra);
  auto separated = [](std::string& list, std::string_view entry) {
    list += StrCat(list.empty() ? "" : ",", entry);
  };
  std::string inputs, results;
  for (const AsyncValue* argument : details.arguments) {
    separated(inputs, argument ? argument->get<Tensor>().metadata().ToString() : "none");
  }
  for (const TensorMetadata& result : details.results) separated(results, result.ToString());
  return StrCat("RunDispatchFunction: ", text.name, "#op_name=", text.name, ",Inputs=(", inputs,
                "),Results=(", results, "),Attributes={", details.attrs.ToShortString(), "}#");
}
constexpr tracing::RecordType kDispatchRecord = {.name = "op.dispatch",
                                                 .level = tracing::StackLevel::kKernel,
                                                 .sink_level = tracing::Level::kDefault,
                                                 .text = &DispatchText};

}  // namespace

Status ComputeOpMetadata(const OpDefinition& op, OpMetadataArguments arguments,
                         const OpAttrsRef& attrs, std::span<TensorMetadata> results) {
  tracing::RecordScope record(kMetadataRecord, "RunMetadataFunction");
  if (op.metadata) [[likely]]
    return op.metadata(arguments, attrs, results);
  return InferMetadata(op, arguments, attrs, results);
}

bool AcceptsTensor(const OpDefinition& op, const Tensor& tensor) {
  TensorType type = tensor.tensor_type();
  if (type == kDenseHostTensorType) return true;
  if (tensor.dtype() == DType::kResource) return true;  // not to be converted
  if (type == kScalarHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsScalar);
  if (type == kStringHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsString);
  if (type == kCooHostTensorType) return HasFlag(op.flags, OpFlags::kAllowsCoo);
  if (type == kPackedFilterTensorType || type == kPackedMatrixTensorType) {
    return HasFlag(op.flags, OpFlags::kAllowsPacked);
  }
  return op.description->reads_metadata_alone();
}

AsyncValueRef<Tensor> ConvertForOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                   const AsyncValueRef<Tensor>& tensor) {
  TensorType type = tensor->tensor_type();
  if (type != kScalarHostTensorType && type != kCooHostTensorType) {
    return AsyncValueRef<Tensor>(
        EmitError(exec_ctx, InvalidArgumentError(StrCat("Cannot implictly convert ", type.name(),
                                                        " to ", kDenseHostTensorType.name()))));
  }
  HostContext* host = exec_ctx.host();
  Device& device = *host->GetHostDevice();
  return ConvertTensor(*tensor, {device, device, host->allocator()}, kDenseHostTensorType,
                       exec_ctx);
}

namespace {

OpOutcome CallOpFunction(const OpDefinition& op, const ExecutionContext& exec_ctx,
                         HostAllocator* allocator, std::span<AsyncValue* const> arguments,
                         uint64_t last_uses, const OpAttrsRef& attrs,
                         std::span<const TensorMetadata> result_metadata,
                         std::span<RCReference<AsyncValue>> results,
                         const ParsedOpAttrs* parsed_attrs) {
  const DispatchDetails details{arguments, result_metadata, attrs};
  tracing::RecordScope record(kDispatchRecord, op.name, {.extra = &details});
  if (op.quick && results.size() == 1) {
    results[0] = RunQuickOp(op, arguments, last_uses, allocator);
    if (results[0]) return {};
  }
  OpCall::Parts parts{.op = &op,
                      .exec_ctx = &exec_ctx,
                      .allocator = allocator,
                      .attrs = &attrs,
                      .parsed_attrs = parsed_attrs,
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

// With metadata that follow from elements, too.
[[gnu::noinline]] OpOutcome InferAndCallOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                                           HostAllocator* allocator,
                                           std::span<AsyncValue* const> arguments,
                                           uint64_t last_uses, const OpAttrsRef& attrs,
                                           std::span<RCReference<AsyncValue>> results) {
  CallSite call;
  Status status = InferResultMetadata(op, arguments, attrs, results.size(), &call);
  if (status.ok()) {
    return CallOpFunction(op, exec_ctx, allocator, arguments, last_uses, attrs, call.results,
                          results, nullptr);
  }
  return FailedCall(exec_ctx, std::move(status), results);
}

}  // namespace

OpOutcome RunOp(const OpDefinition& op, const ExecutionContext& exec_ctx, HostAllocator* allocator,
                std::span<AsyncValue* const> arguments, uint64_t last_uses, const OpAttrsRef& attrs,
                std::span<const TensorMetadata> result_metadata,
                std::span<RCReference<AsyncValue>> results, const ParsedOpAttrs* parsed_attrs) {
  if (op.infers_metadata && result_metadata.empty()) [[unlikely]] {
    return InferAndCallOp(op, exec_ctx, allocator, arguments, last_uses, attrs, results);
  }
  return CallOpFunction(op, exec_ctx, allocator, arguments, last_uses, attrs, result_metadata,
                        results, parsed_attrs);
}

Status ReportWrongMetadata(const OpDefinition& op, const ExecutionContext& exec_ctx, size_t index,
                           const TensorMetadata& actual, const TensorMetadata& promised) {
  return EmitError(exec_ctx, InternalError(StrCat(op.name, ": result ", index, " is ",
                                                  actual.ToString(), ", but its metadata function ",
                                                  "promised ", promised.ToString())));
}

Status UnsetResult(const OpDefinition& op, std::span<const RCReference<AsyncValue>> results) {
  if (results.size() > op.results.size()) {
    return internal::WrongResultCount(op.name, op.results.size(), results.size());
  }
  const auto unset = std::ranges::find_if(results, [](const auto& result) { return !result; });
  return InternalError(StrCat(op.name, ": result ", unset - results.begin(), " is not set"));
}

OpOutcome FailedCall(const ExecutionContext& exec_ctx, Status error,
                     std::span<RCReference<AsyncValue>> results) {
  OpOutcome outcome{.error = EmitError(exec_ctx, AtItsPlace(exec_ctx, std::move(error)))};
  std::ranges::fill(results, MakeErrorAsyncValue(outcome.error));
  return outcome;
}

Status FinishFailedOp(const OpDefinition& op, const ExecutionContext& exec_ctx,
                      const OpCall& call) {
  Status error = call.error();
  if (error.ok()) error = UnsetResult(op, call.parts().results);
  if (call.is_error_reported()) return error;
  return EmitError(exec_ctx, AtItsPlace(exec_ctx, std::move(error)));
}

}  // namespace tfrt
