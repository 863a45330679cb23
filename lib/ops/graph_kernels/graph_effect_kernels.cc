// Effects of graphs: where they begin and end, and calls of the program's own functions. Tokens are
// chains. graph.print and graph.assert are ops of the table (graph_kernels.cc).

#include <memory>
#include <utility>
#include <vector>

#include "graph_kernel_groups.h"
#include "lib/base/support/call_guarded.h"
#include "lib/ops/host_ops/op_output.h"
#include "lib/ops/op_call/host_callbacks.h"
#include "lib/ops/op_call/run_resources.h"
#include "lib/runtime/host/function_call.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

Chain BeginEffects() { return Chain(); }

StatusOr<DenseHostTensor> EndEffects(Chain, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor over,
                        DenseHostTensor::CreateUninitialized({DType::kI1, TensorShape({})},
                                                             exec_ctx.host()->allocator()));
  *WritableData<bool>(over) = true;
  return over;
}

// One call of a callback, until its results are there.
struct HostCall {
  std::shared_ptr<const std::vector<HostCallback>> functions;
  const HostCallback* function;
  ValueRefs inputs;
  Placeholders results;  // the last one is the token
  ExecutionContext exec_ctx;
  std::string name;

  void Fail(Status error) {
    RCReference<AsyncValue> value =
        MakeErrorAsyncValue(EmitError(exec_ctx, AtItsPlace(exec_ctx, std::move(error))));
    ForwardAllTo(results, value);
  }
  void Run() {
    std::vector<const DenseHostTensor*> tensors;
    for (const RCReference<AsyncValue>& input : inputs) {
      tensors.push_back(&input->get<DenseHostTensor>());
    }
    StatusOr<std::vector<DenseHostTensor>> made =
        CallGuarded("the function", [&] { return (*function)(tensors); });
    if (!made.ok()) {
      return Fail(
          Status(made.status().code(), StrCat("callback '", name, "': ", made.status().message())));
    }
    if (made->size() + 1 != results.size()) {
      return Fail(InvalidArgumentError(StrCat("callback '", name, "' makes ", made->size(),
                                              " tensors, expected ", results.size() - 1)));
    }
    for (size_t i = 0; i < made->size(); ++i) {
      if (!(*made)[i].buffer()) {
        return Fail(InvalidArgumentError(
            StrCat("callback '", name, "': tensor ", i, " has been moved from")));
      }
    }
    for (size_t i = 0; i < made->size(); ++i) {
      results[i]->ForwardTo(
          MakeAvailableAsyncValueRef<DenseHostTensor>(std::move((*made)[i])).ReleaseRCRef());
    }
    results.back()->ForwardTo(GetReadyChain().ReleaseRCRef());
  }
};

void CallHost(RemainingArguments arguments, RemainingResults results, Attribute<int64_t> callback,
              StringAttribute name, KernelErrorHandler errors, const ExecutionContext& exec_ctx) {
  const auto* callbacks = exec_ctx.request_ctx()->GetDataIfExists<HostCallbacks>();
  if (!callbacks || !callbacks->functions) {
    return errors.ReportError(FailedPreconditionError(
        StrCat("the callback '", *name, "' is not there: it belongs to the program that traced ",
               "this function")));
  }
  const auto number = static_cast<uint64_t>(*callback);
  if (number >= callbacks->functions->size()) {
    return errors.ReportError(InvalidArgumentError(
        StrCat("callback ", *callback, " ('", *name, "') of ", callbacks->functions->size())));
  }
  if (arguments.size() == 0 || results.size() == 0) {
    return errors.ReportError(InvalidArgumentError("graph.host_call takes and makes a token"));
  }
  auto call = std::make_unique<HostCall>(HostCall{.functions = callbacks->functions,
                                                  .function = &(*callbacks->functions)[number],
                                                  .inputs = arguments.ValueRefs(),
                                                  .results = {},
                                                  .exec_ctx = exec_ctx,
                                                  .name = std::string(*name)});
  call->inputs.pop_back();
  for (size_t i = 0; i < call->inputs.size(); ++i) {
    // A program may call kernels non-strict.
    const AsyncValue& input = *call->inputs[i];
    if (input.IsConcrete() && input.IsType<Tensor>() &&
        input.get<Tensor>().tensor_type() == kDenseHostTensorType) {
      continue;
    }
    return errors.ReportError(InvalidArgumentError(
        StrCat("callback '", *name, "': operand ", i, " is no tensor of the host")));
  }
  call->results = AllocatePlaceholders(results);
  auto shared = std::shared_ptr<HostCall>(std::move(call));
  if (EnqueueBlockingWork(exec_ctx, [shared] { shared->Run(); })) return;
  shared->Fail(ResourceExhaustedError(
      StrCat("callback '", *name, "': the queue for blocking work is full")));
}

}  // namespace

void RegisterGraphEffectKernels(KernelRegistry* registry) {
  registry->AddKernel("graph.begin_effects", TFRT_KERNEL(BeginEffects));
  registry->AddKernel("graph.end_effects", TFRT_KERNEL(EndEffects));
  registry->AddKernel("graph.host_call", TFRT_KERNEL(CallHost));
}

}  // namespace tfrt
