// Kernels that execute eager ops.

#include "handle_value.h"
#include "kernel_groups.h"
#include "lib/compat/handles/core_runtime.h"
#include "read_op_attrs.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/small_array.h"

namespace tfrt {

namespace {

using Handles = RepeatedArguments<TensorHandle>;

// An argument that nobody else uses gives up its tensor, whose memory the op may then reuse.
void TakeArguments(Handles from, std::span<TensorHandle> to) {
  for (size_t i = 0; i < to.size(); ++i) {
    TensorHandle& handle = from[i];
    to[i] = from.IsUnique(i) ? std::move(handle) : handle;
  }
}

void SetResults(std::span<TensorHandle> handles, std::span<RCReference<AsyncValue>> results) {
  for (size_t i = 0; i < handles.size(); ++i) {
    results[i] = HandleValue(std::move(handles[i])).ReleaseRCRef();
  }
}

// False if the call is wrong, which has been reported.
bool Call(const CoreRuntimeOp& op, const ExecutionContext& exec_ctx, Handles arguments,
          AggregateAttribute op_attrs, AggregateAttribute op_func_attrs,
          AsyncValueRef<Chain>* chain, std::span<RCReference<AsyncValue>> results,
          KernelErrorHandler errors) {
  OpAttrs attrs;
  Status status = ReadOpAttrs(op_attrs, op_func_attrs, &attrs);
  if (!status.ok()) {
    errors.ReportError(std::move(status));
    return false;
  }
  SmallArray<TensorHandle, 6> argument_handles(arguments.size());
  SmallArray<TensorHandle, 6> result_handles(results.size());
  TakeArguments(arguments, argument_handles.span());
  op({.exec_ctx = exec_ctx,
      .arguments = argument_handles.span(),
      .attrs = attrs,
      .results = result_handles.span(),
      .chain = chain});
  SetResults(result_handles.span(), results);
  return true;
}

void ExecuteOpKernel(Argument<OpHandler*> handler, Handles arguments, RemainingResults results,
                     AggregateAttribute op_attrs, AggregateAttribute op_func_attrs,
                     StringAttribute op_name, KernelErrorHandler errors,
                     const ExecutionContext& exec_ctx) {
  StatusOr<const CoreRuntimeOp*> op = CoreRuntime::Of(exec_ctx.host()).FindOp(*op_name, *handler);
  if (!op.ok()) return errors.ReportError(op.status());
  Call(**op, exec_ctx, arguments, op_attrs, op_func_attrs, nullptr, results.references(), errors);
}

// The first result is the chain.
void ExecuteOpSeq(Argument<OpHandler*> handler, Argument<Chain> chain_in, Handles arguments,
                  Result<Chain> chain_out, RemainingResults results, AggregateAttribute op_attrs,
                  AggregateAttribute op_func_attrs, StringAttribute op_name,
                  KernelErrorHandler errors, const ExecutionContext& exec_ctx) {
  StatusOr<const CoreRuntimeOp*> op = CoreRuntime::Of(exec_ctx.host()).FindOp(*op_name, *handler);
  if (!op.ok()) return errors.ReportError(op.status());
  AsyncValueRef<Chain> chain = chain_in.TypedRef();
  if (Call(**op, exec_ctx, arguments, op_attrs, op_func_attrs, &chain, results.references(),
           errors)) {
    chain_out.Set(std::move(chain));
  }
}

StatusOr<CoreRuntimeOp> MakeCompositeOp(const Function* function,
                                        const ExecutionContext& exec_ctx) {
  return CoreRuntime::Of(exec_ctx.host()).MakeCompositeOp(function);
}

void ExecuteCrtOp(const CoreRuntimeOp& op, Handles arguments, RemainingResults results,
                  AggregateAttribute op_attrs, AggregateAttribute op_func_attrs,
                  KernelErrorHandler errors, const ExecutionContext& exec_ctx) {
  Call(op, exec_ctx, arguments, op_attrs, op_func_attrs, nullptr, results.references(), errors);
}

}  // namespace

void RegisterExecuteKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.executeop", TFRT_KERNEL(ExecuteOpKernel));
  registry->AddKernel("corert.executeop.seq", TFRT_KERNEL(ExecuteOpSeq));
  registry->AddKernel("corert.make_composite_op", TFRT_KERNEL(MakeCompositeOp));
  registry->AddKernel("corert.execute_crt_op", TFRT_KERNEL(ExecuteCrtOp));
}

}  // namespace tfrt
