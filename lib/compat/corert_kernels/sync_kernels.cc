// corert_sync.*: eager ops in sync functions, which wait for each op.

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "handle_value.h"
#include "kernel_groups.h"
#include "lib/compat/handles/core_runtime.h"
#include "read_op_attrs.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<OpHandler*> GetOpHandler(StringAttribute name, const ExecutionContext& exec_ctx) {
  return CoreRuntime::Of(exec_ctx.host()).GetOpHandler(*name);
}

StatusOr<OpHandler*> HandlerIn(Value& value, std::string_view kernel) {
  if (value.IsType<OpHandler*>()) return value.get<OpHandler*>();
  return InvalidArgumentError(StrCat("argument 0 of ", kernel, " is no op handler"));
}

Status RegisterOpHandler(Value* value, StringAttribute name, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(OpHandler * handler, HandlerIn(*value, "corert_sync.register_op_handler"));
  CoreRuntime::Of(exec_ctx.host()).RegisterOpHandler(*name, handler);
  return OkStatus();
}

void PrintTensorHandleSync(TensorHandle& handle) {
  std::string text = handle.ToString();
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

// (handler, handles...) -> handles..., with any number of results, which functions cannot have: a
// kernel on the frame itself. All results are there, and the op's side effects over, when it
// returns.
void ExecuteOp(SyncKernelFrame* frame) {
  StatusOr<OpHandler*> handler = HandlerIn(frame->argument(0), "corert_sync.executeop");
  if (!handler.ok()) return frame->ReportError(handler.status());
  const ExecutionContext& exec_ctx = frame->exec_ctx();
  AggregateAttribute op_attrs(frame->attribute(0));
  StringAttribute op_name(frame->attribute(1));
  StatusOr<const CoreRuntimeOp*> op = CoreRuntime::Of(exec_ctx.host()).FindOp(*op_name, *handler);
  if (!op.ok()) return frame->ReportError(op.status());
  SmallArray<TensorHandle, 6> arguments(frame->num_arguments() - 1);
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    Value& value = frame->argument(i + 1);
    if (!value.IsType<TensorHandle>()) {
      return frame->ReportError(InvalidArgumentError(
          StrCat("argument ", i + 1, " of corert_sync.executeop is no tensor handle")));
    }
    arguments[i] = value.get<TensorHandle>();
  }
  OpAttrs attrs;
  const uint8_t no_functions[4] = {};
  Status status = ReadOpAttrs(op_attrs, AggregateAttribute(no_functions), &attrs);
  if (!status.ok()) return frame->ReportError(std::move(status));
  SmallArray<TensorHandle, 6> results(frame->num_results());
  AsyncValueRef<Chain> chain = GetReadyChain();
  (**op)({.exec_ctx = exec_ctx,
          .arguments = arguments.span(),
          .attrs = attrs,
          .results = results.span(),
          .chain = &chain});
  std::vector<AsyncValue*> awaited;
  auto await = [&](AsyncValue* value) {
    if (!value->IsAvailable()) awaited.push_back(value);
  };
  for (const TensorHandle& result : results) {
    if (result.valid()) await(result.async_tensor());
  }
  await(chain.GetAsyncValue());
  if (!awaited.empty()) exec_ctx.host()->Await(awaited);
  // An error that the op has reported ends the function.
  if (chain.IsError()) return frame->SetError(chain.GetError());
  for (const TensorHandle& result : results) {
    if (!result.valid()) {
      return frame->ReportError(InternalError("an op has not set its result"));
    }
    if (result.IsError()) return frame->SetError(result.tensor().GetError());
  }
  for (uint32_t i = 0; i < results.size(); ++i) {
    frame->EmplaceResult<TensorHandle>(i, std::move(results[i]));
  }
}

constexpr TypeIdGetter kExecuteOpArguments[] = {&GetTypeId<OpHandler*>};
constexpr AttributeCode kExecuteOpAttributes[] = {AggregateAttribute::kCode,
                                                  StringAttribute::kCode};
constexpr KernelSignature kExecuteOpSignature = {
    .arguments = kExecuteOpArguments,
    .variadic_arguments = true,
    .variadic_results = true,
    .attributes = kExecuteOpAttributes,
};

}  // namespace

void RegisterSyncCoreRuntimeKernels(KernelRegistry* registry) {
  registry->AddSyncKernel("corert_sync.get_op_handler", TFRT_SYNC_KERNEL(GetOpHandler));
  registry->AddSyncKernel("corert_sync.register_op_handler", TFRT_SYNC_KERNEL(RegisterOpHandler));
  registry->AddSyncKernel("corert_sync.print_tensorhandle",
                          TFRT_SYNC_KERNEL(PrintTensorHandleSync));
  registry->AddSyncKernel("corert_sync.executeop", {&ExecuteOp, &kExecuteOpSignature});
}

}  // namespace tfrt
