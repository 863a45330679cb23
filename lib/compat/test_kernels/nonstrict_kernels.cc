#include "kernel_groups.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Returns the value that the resolved condition selects; an error if it is one.
RCReference<AsyncValue> Select(const ExecutionContext& exec_ctx, AsyncValue* condition,
                               AsyncValue* if_true, AsyncValue* if_false) {
  if (condition->IsError()) return FormRef(condition);
  if (!condition->IsType<bool>()) {
    return MakeErrorAsyncValue(EmitError(
        exec_ctx,
        InvalidArgumentError(StrCat("nonstrict_select needs a condition of type 'bool', not '",
                                    TypeName(condition->type_id()), "'"))));
  }
  return FormRef(condition->get<bool>() ? if_true : if_false);
}

// The result is there as soon as the condition and the selected operand are, whatever becomes of
// the other one.
RCReference<AsyncValue> NonstrictSelect(AsyncValue* condition, AsyncValue* if_true,
                                        AsyncValue* if_false, const ExecutionContext& exec_ctx) {
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  condition->AndThen([result, exec_ctx, condition = FormRef(condition), if_true = FormRef(if_true),
                      if_false = FormRef(if_false)] {
    result->ForwardTo(Select(exec_ctx, condition.get(), if_true.get(), if_false.get()));
  });
  return result;
}

}  // namespace

void RegisterNonstrictTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.nonstrict_select", TFRT_KERNEL(NonstrictSelect),
                      KernelFlags::kNonStrict);
}

}  // namespace tfrt
