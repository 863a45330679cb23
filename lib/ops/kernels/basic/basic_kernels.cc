#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Chain NewChain() { return {}; }

Chain MergeChains(RemainingArguments) { return {}; }

RCReference<AsyncValue> AliasValue(Argument<Chain>, Argument<AsyncValue> value) {
  return value.ValueRef();
}

StatusOr<RCReference<Device>> GetDevice(Argument<Chain>, StringAttribute device_name,
                                        const ExecutionContext& exec_ctx) {
  RCReference<Device> device = exec_ctx.host()->device_manager().GetDevice(*device_name);
  if (!device) return InternalError(StrCat("cannot find device ", *device_name));
  return device;
}

}  // namespace

void RegisterBasicKernels(KernelRegistry* registry) {
  RegisterConstantKernels(registry);
  RegisterArithmeticKernels(registry);
  RegisterPrintKernels(registry);
  registry->AddKernel("tfrt.new.chain", TFRT_KERNEL(NewChain), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt.merge.chains", TFRT_KERNEL(MergeChains), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt.alias.value", TFRT_KERNEL(AliasValue), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt.get_device", TFRT_KERNEL(GetDevice));
}

}  // namespace tfrt
