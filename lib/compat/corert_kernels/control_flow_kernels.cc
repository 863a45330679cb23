// corert.cond and corert.while: control flow that tensors decide.

#include <cstring>
#include <memory>
#include <vector>

#include "handle_value.h"
#include "kernel_groups.h"
#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

bool IsInteger(DType dtype) {
  const NumberKind kind = ElementTypeOf(dtype).kind;
  return kind == NumberKind::kSigned || kind == NumberKind::kUnsigned || kind == NumberKind::kBool;
}

// True if the one element of a tensor of integers is not 0.
StatusOr<bool> IsTrue(std::string_view kernel, const DenseHostTensor& tensor) {
  if (tensor.num_elements() != 1) {
    return InvalidArgumentError(StrCat(kernel,
                                       " needs a predicate with one element, but its shape is ",
                                       tensor.shape().ToString()));
  }
  if (!IsInteger(tensor.dtype())) {
    return InvalidArgumentError(StrCat(kernel, " needs a predicate of an integer type, but it is ",
                                       DTypeName(tensor.dtype())));
  }
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data(), DTypeSize(tensor.dtype()));
  return bits != 0;
}

// Returns the predicate's truth once its tensor is available. Reports errors at the context's
// location.
AsyncValueRef<bool> Decide(std::string_view kernel, const TensorHandle& predicate,
                           const ExecutionContext& exec_ctx) {
  auto decide = [kernel, exec_ctx](Tensor& tensor) -> StatusOr<bool> {
    StatusOr<bool> result = IsTrue(kernel, static_cast<const DenseHostTensor&>(tensor));
    if (!result.ok()) return EmitError(exec_ctx, result.status());
    return result;
  };
  const AsyncValueRef<Tensor>& tensor = predicate.tensor();
  if (tensor.IsConcrete() && tensor->tensor_type() == kDenseHostTensorType) {
    return tensor.Map(decide);
  }
  const RCReference<Device>& host = CoreRuntime::Of(exec_ctx.host()).host_device();
  return predicate.TransferTo(exec_ctx, host, kDenseHostTensorType).tensor().Map(decide);
}

void Cond(const TensorHandle& predicate, RemainingArguments arguments, RemainingResults results,
          const Function* true_function, const Function* false_function,
          const ExecutionContext& exec_ctx) {
  AsyncValueRef<bool> decision = Decide("corert.cond", predicate, exec_ctx);
  if (decision.IsConcrete()) [[likely]] {
    const Function* function = *decision ? true_function : false_function;
    return CallFunction(function, exec_ctx, arguments, results);
  }
  if (decision.IsError()) {
    for (size_t i = 0; i < results.size(); ++i) results.Set(i, decision.CopyRCRef());
    return;
  }
  AsyncValue* awaited = decision.GetAsyncValue();
  awaited->AndThen([decision = std::move(decision), arguments = arguments.ValueRefs(),
                    results = AllocatePlaceholders(results),
                    functions = std::pair(FormRef(true_function), FormRef(false_function)),
                    exec_ctx] {
    ValueRefs values(results.size());
    if (decision.IsError()) {
      for (RCReference<AsyncValue>& value : values) value = decision.CopyRCRef();
    } else {
      const auto& function = *decision ? functions.first : functions.second;
      function->Execute(exec_ctx, Borrow(arguments), values);
    }
    ForwardAll(results, std::move(values));
  });
}

// One execution of corert.while. Owned by whatever runs next: the kernel, a task, or the waiter on
// a value; so no two threads ever use it at once. Each iteration is a task of its own, however the
// values come, so that loops do not nest in the stack.
class EagerLoop {
 public:
  EagerLoop(const Function* cond, const Function* body, const ExecutionContext& exec_ctx,
            ValueRefs loop_values, Placeholders results)
      : cond_(FormRef(cond)),
        body_(FormRef(body)),
        exec_ctx_(exec_ctx),
        loop_values_(std::move(loop_values)),
        results_(std::move(results)) {}

  static void Iterate(std::unique_ptr<EagerLoop> loop) {
    if (AsyncValue* cancelled = loop->exec_ctx_.request_ctx()->GetCancelAsyncValue()) {
      return ForwardAllTo(loop->results_, FormRef(cancelled));
    }
    ValueRefs values(loop->cond_->num_results());
    loop->cond_->Execute(loop->exec_ctx_, Borrow(loop->loop_values_), values);
    loop->loop_values_[0] = std::move(values[0]);  // the body comes after the condition's effects
    loop->predicate_ = std::move(values[1]);
    AsyncValue* awaited[] = {loop->loop_values_[0].get(), loop->predicate_.get()};
    RunWhenReady(awaited, [loop = std::move(loop)]() mutable { ReadPredicate(std::move(loop)); });
  }

 private:
  // The predicate's handle and its chain are there.
  static void ReadPredicate(std::unique_ptr<EagerLoop> loop) {
    for (RCReference<AsyncValue>* value : {&loop->loop_values_[0], &loop->predicate_}) {
      if ((*value)->IsError()) return Fail(std::move(loop), *value);
    }
    if (!loop->predicate_->IsType<TensorHandle>()) {
      Status error = InvalidArgumentError(
          StrCat("corert.while needs a tensor handle as its predicate, but '", loop->cond_->name(),
                 "' returned '", TypeName(loop->predicate_->type_id()), "'"));
      auto failed = MakeErrorAsyncValue(EmitError(loop->exec_ctx_, error));
      return Fail(std::move(loop), std::move(failed));
    }
    AsyncValueRef<bool> decision =
        Decide("corert.while", loop->predicate_->get<TensorHandle>(), loop->exec_ctx_);
    loop->predicate_.reset();
    AsyncValue* awaited = decision.GetAsyncValue();
    awaited->AndThen([decision = std::move(decision), loop = std::move(loop)]() mutable {
      if (decision.IsError()) return Fail(std::move(loop), decision.CopyRCRef());
      Step(std::move(loop), *decision);
    });
  }

  static void Step(std::unique_ptr<EagerLoop> loop, bool go_on) {
    if (!go_on) return ForwardAll(loop->results_, std::move(loop->loop_values_));
    ValueRefs values(loop->loop_values_.size());
    // By value, so that the body may reuse the tensors of the iteration before.
    loop->body_->ExecuteByValue(loop->exec_ctx_, loop->loop_values_, values);
    loop->loop_values_ = std::move(values);
    const ExecutionContext exec_ctx = loop->exec_ctx_;
    EnqueueWork(exec_ctx, [loop = std::move(loop)]() mutable { Iterate(std::move(loop)); });
  }

  // All results are the error; the first, which is the chain, not before the loop's values are
  // there.
  static void Fail(std::unique_ptr<EagerLoop> loop, RCReference<AsyncValue> error) {
    for (size_t i = 1; i < loop->results_.size(); ++i) loop->results_[i]->ForwardTo(error);
    std::vector<AsyncValue*> awaited = Borrow(loop->loop_values_);
    RunWhenReady(awaited, [loop = std::move(loop), error = std::move(error)]() mutable {
      loop->results_[0]->ForwardTo(std::move(error));
    });
  }

  const RCReference<const Function> cond_, body_;
  const ExecutionContext exec_ctx_;
  ValueRefs loop_values_;  // the chain first
  RCReference<AsyncValue> predicate_;
  const Placeholders results_;
};

Status CheckLoop(const Function& cond, const Function& body, size_t num_values,
                 size_t num_results) {
  if (num_values == 0 || num_results != num_values) {
    return InvalidArgumentError(
        StrCat("corert.while takes a chain and returns as many values as it "
               "takes, but takes ",
               num_values, " and returns ", num_results));
  }
  if (body.num_arguments() != num_values || body.num_results() != num_values) {
    return InvalidArgumentError(StrCat("corert.while needs a body with ", num_values,
                                       " arguments and results, but '", body.name(), "' has ",
                                       body.num_arguments(), " and ", body.num_results()));
  }
  if (cond.num_arguments() != num_values || cond.num_results() < 2) {
    return InvalidArgumentError(StrCat("corert.while needs a condition with ", num_values,
                                       " arguments that returns a chain and a predicate, but '",
                                       cond.name(), "' has ", cond.num_arguments(),
                                       " arguments and ", cond.num_results(), " results"));
  }
  return OkStatus();
}

void While(RemainingArguments loop_values, RemainingResults results, const Function* cond,
           const Function* body, KernelErrorHandler errors, const ExecutionContext& exec_ctx) {
  Status status = CheckLoop(*cond, *body, loop_values.size(), results.size());
  if (!status.ok()) return errors.ReportError(std::move(status));
  EagerLoop::Iterate(std::make_unique<EagerLoop>(cond, body, exec_ctx, loop_values.ValueRefs(),
                                                 AllocatePlaceholders(results)));
}

}  // namespace

void RegisterEagerControlFlowKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.cond", TFRT_KERNEL(Cond));
  registry->AddKernel("corert.while", TFRT_KERNEL(While));
}

}  // namespace tfrt
