// Kernels that pass values on, and one that asks who else holds them.

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

bool CheckSameCount(RemainingArguments values, RemainingResults results,
                    KernelErrorHandler handler) {
  if (values.size() == results.size()) return true;
  handler.ReportError(InvalidArgumentError(
      StrCat("cannot forward ", values.size(), " values to ", results.size(), " results")));
  return false;
}

void MultiArgResult(RemainingArguments values, RemainingResults results,
                    KernelErrorHandler handler) {
  if (!CheckSameCount(values, results, handler)) return;
  for (size_t i = 0; i < values.size(); ++i) results.Set(i, FormRef(values[i]));
}

void Identity(Argument<Chain>, RemainingArguments values, RemainingResults results,
              KernelErrorHandler handler) {
  MultiArgResult(values, results, handler);
}

void MakeIndirect(RemainingArguments values, RemainingResults results, KernelErrorHandler handler) {
  if (!CheckSameCount(values, results, handler)) return;
  for (size_t i = 0; i < values.size(); ++i) {
    results.AllocateIndirect(i)->ForwardTo(FormRef(values[i]));
  }
}

// Has one result per value, or one fewer when the last operand is a chain to wait for.
void GetUniqueness(RemainingArguments values, RemainingResults results,
                   KernelErrorHandler handler) {
  bool waits = values.size() == results.size() + 1 && values[results.size()]->IsType<Chain>();
  if (!waits && !CheckSameCount(values, results, handler)) return;
  for (size_t i = 0; i < results.size(); ++i) results.Emplace<bool>(i, values.IsUnique(i));
}

std::tuple<RCReference<AsyncValue>, RCReference<AsyncValue>> ShareToTwo(
    Argument<AsyncValue> value) {
  return {value.ValueRef(), value.ValueRef()};
}

Chain AsChain(RemainingArguments) { return {}; }

}  // namespace

void RegisterForwardingTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.identity", TFRT_KERNEL(Identity));
  registry->AddKernel("tfrt_test.multi_arg_result", TFRT_KERNEL(MultiArgResult));
  registry->AddKernel("tfrt_test.make_indirect", TFRT_KERNEL(MakeIndirect));
  registry->AddKernel("tfrt_test.get_uniqueness", TFRT_KERNEL(GetUniqueness));
  registry->AddKernel("tfrt_test.share_to_two", TFRT_KERNEL(ShareToTwo));
  registry->AddKernel("tfrt_test.as_chain", TFRT_KERNEL(AsChain));
}

}  // namespace tfrt
