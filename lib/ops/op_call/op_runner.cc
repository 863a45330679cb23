#include "op_runner.h"

#include <utility>

#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

class CpuOpRunner final : public OpRunner {
 public:
  bool Has(const OpDefinition& op) const override { return op.function != nullptr; }
  bool Accepts(const OpDefinition& op, const Tensor& tensor) const override {
    return AcceptsTensor(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override {
    return RunOp(run.op, run.exec_ctx, run.allocator, run.arguments, run.last_uses, run.attrs,
                 run.result_metadata, run.results);
  }
  bool is_direct() const override { return true; }
};

}  // namespace

StatusOr<OpPlace> OpPlace::On(HostContext* host, RCReference<Device> device) {
  const OpRunner* runner = host->GetOrCreateSharedContext<OpRunnerRegistry>().Find(device->kind());
  if (!runner) {
    return UnimplementedError(StrCat("the device ", device->name(),
                                     " cannot run ops: nobody has said how devices of the kind '",
                                     device->kind(), "' do (OpRunnerRegistry)"));
  }
  HostAllocator* allocator = device->allocator();
  return OpPlace{std::move(device), allocator, runner};
}

bool OpPlace::Has(const OpDefinition& op) const { return op.composite || runner->Has(op); }

bool OpPlace::IsDirect(const OpDefinition& op) const {
  return runner->is_direct() && runner->Has(op);
}

OpRunnerRegistry::OpRunnerRegistry(HostContext*) {
  runners_.emplace("cpu", std::make_unique<CpuOpRunner>());
}

Status OpRunnerRegistry::Add(std::string_view device_kind, std::unique_ptr<const OpRunner> runner) {
  if (runners_.try_emplace(std::string(device_kind), std::move(runner)).second) return OkStatus();
  return AlreadyExistsError(
      StrCat("how ops run on devices of the kind '", device_kind, "' is registered twice"));
}

const OpRunner* OpRunnerRegistry::Find(std::string_view device_kind) const {
  auto found = runners_.find(device_kind);
  return found == runners_.end() ? nullptr : found->second.get();
}

}  // namespace tfrt
