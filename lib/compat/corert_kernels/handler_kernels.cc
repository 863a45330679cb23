// Kernels that make, register and find op handlers.

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "kernel_groups.h"
#include "lib/compat/handles/core_runtime.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/ops/op_call/op_runner.h"
#include "lib/ops/op_call/run_on_host.h"
#include "tfrt/core_runtime/op_log.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Handlers live as long as the host. So that a program may make them again in each of its runs,
// those without a state of their own are made once.
class SharedOpHandlers : public SharedContext {
 public:
  explicit SharedOpHandlers(HostContext* host) : host_(host) {}

  OpHandler* Null() {
    std::lock_guard lock(mutex_);
    if (!null_) null_ = CoreRuntime::Of(host_).TakeOpHandler(CreateNullOpHandler());
    return null_;
  }
  OpHandler* Cpu(OpHandler* fallback) {
    std::lock_guard lock(mutex_);
    OpHandler*& handler = cpu_[fallback];
    if (!handler) {
      CoreRuntime& runtime = CoreRuntime::Of(host_);
      handler = runtime.TakeOpHandler(CreateCpuOpHandler(
          host_, host_->GetOrCreateSharedContext<CpuOps>().ops(), runtime.host_device(), fallback));
    }
    return handler;
  }
  // For a device of another kind than "cpu".
  StatusOr<OpHandler*> OfDevice(const RCReference<Device>& device, OpHandler* fallback) {
    TFRT_ASSIGN_OR_RETURN(OpPlace place, OpPlace::On(host_, device));
    std::lock_guard lock(mutex_);
    OpHandler*& handler = of_devices_[{device.get(), fallback}];
    if (!handler) {
      TFRT_ASSIGN_OR_RETURN(auto made,
                            CreateDeviceOpHandler(host_, OpsOf(*place.runner), device, fallback));
      handler = CoreRuntime::Of(host_).TakeOpHandler(std::move(made));
    }
    return handler;
  }

 private:
  // Returns the ops that programs have on the runner's devices: its own ones and those of the host
  // that it has. Needs the lock.
  const OpRegistry& OpsOf(const OpRunner& runner) {
    std::unique_ptr<OpRegistry>& ops = ops_[&runner];
    if (ops) return *ops;
    ops = std::make_unique<OpRegistry>();
    if (const OpRegistry* own = runner.program_ops()) {
      for (const OpDefinition& op : own->ops()) ops->Add(op);
    }
    for (const OpDefinition& op : host_->GetOrCreateSharedContext<CpuOps>().ops().ops()) {
      if (ops->Find(op.name)) continue;
      if (op.name == kMadeOnHost) {
        OpDefinition made = op;
        made.composite = &RunOnHost;
        ops->Add(made);
      } else if (op.composite || runner.Has(op)) {
        ops->Add(op);
      }
    }
    return *ops;
  }

  // Programs make tensors on each device; elements are written on the host and then copied.
  static constexpr std::string_view kMadeOnHost = "tfrt_test.create_dense_tensor";

  HostContext* const host_;
  std::mutex mutex_;
  OpHandler* null_ = nullptr;
  std::map<OpHandler*, OpHandler*> cpu_;                             // by fallback
  std::map<std::pair<Device*, OpHandler*>, OpHandler*> of_devices_;  // by device and fallback
  std::map<const OpRunner*, std::unique_ptr<OpRegistry>> ops_;
};

SharedOpHandlers& Handlers(const ExecutionContext& exec_ctx) {
  return exec_ctx.host()->GetOrCreateSharedContext<SharedOpHandlers>();
}

OpHandler* CreateNull(const ExecutionContext& exec_ctx) { return Handlers(exec_ctx).Null(); }

OpHandler* CreateCpu(Argument<OpHandler*> fallback, const ExecutionContext& exec_ctx) {
  return Handlers(exec_ctx).Cpu(*fallback);
}

// The ops run on the host's device all the same.
StatusOr<OpHandler*> CreateCpuWithOrdinal(Argument<OpHandler*> fallback, int32_t ordinal,
                                          const ExecutionContext& exec_ctx) {
  if (ordinal < 0) {
    return InvalidArgumentError(StrCat("a device cannot have the number ", ordinal));
  }
  TFRT_RETURN_IF_ERROR(
      exec_ctx.host()->device_manager().GetOrCreateDevice(StrCat("cpu:", ordinal)).status());
  return Handlers(exec_ctx).Cpu(*fallback);
}

// Makes the device, which programs find from then on.
StatusOr<OpHandler*> CreateGpu(int32_t ordinal, Argument<OpHandler*> fallback,
                               const ExecutionContext& exec_ctx) {
  if (ordinal < 0) {
    return InvalidArgumentError(StrCat("a device cannot have the number ", ordinal));
  }
  TFRT_ASSIGN_OR_RETURN(
      RCReference<Device> device,
      exec_ctx.host()->device_manager().GetOrCreateDevice(StrCat("gpu:", ordinal)));
  return Handlers(exec_ctx).OfDevice(device, *fallback);
}

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

StatusOr<OpHandler*> CreateLogging(Argument<OpHandler*> fallback, Attribute<bool> sync_log_results,
                                   const ExecutionContext& exec_ctx) {
  OpLogOptions options;
  options.log_results = *sync_log_results;
  options.metadata_prefix = FromEnvironment("LOGGING_DEV_METADATA_DUMP_PREFIX");
  options.tensor_prefix = FromEnvironment("LOGGING_DEV_TENSOR_DUMP_PREFIX");
  TFRT_ASSIGN_OR_RETURN(auto handler, CreateLoggingOpHandler(exec_ctx.host(), *fallback, options));
  return CoreRuntime::Of(exec_ctx.host()).TakeOpHandler(std::move(handler));
}

Chain RegisterNamedHandler(Argument<OpHandler*> handler, StringAttribute name,
                           const ExecutionContext& exec_ctx) {
  CoreRuntime::Of(exec_ctx.host()).RegisterOpHandler(*name, *handler);
  return {};
}

StatusOr<OpHandler*> Get(Argument<Chain>, StringAttribute name, const ExecutionContext& exec_ctx) {
  return CoreRuntime::Of(exec_ctx.host()).GetOpHandler(*name);
}

}  // namespace

void RegisterOpHandlerKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.create_null_op_handler", TFRT_KERNEL(CreateNull));
  registry->AddKernel("corert.create_cpu_op_handler", TFRT_KERNEL(CreateCpu));
  registry->AddKernel("corert.create_cpu_op_handler_with_ordinal",
                      TFRT_KERNEL(CreateCpuWithOrdinal));
  registry->AddKernel("corert.create_gpu_op_handler", TFRT_KERNEL(CreateGpu));
  registry->AddKernel("corert.create_logging_op_handler", TFRT_KERNEL(CreateLogging));
  registry->AddKernel("corert.register_op_handler", TFRT_KERNEL(RegisterNamedHandler));
  registry->AddKernel("corert.get_op_handler", TFRT_KERNEL(Get));
}

}  // namespace tfrt
