// The eager ops of the host: tf.*, tfrt.*, tfrt_test.* (docs/reference/eager_ops.md).
#ifndef TFRT_LIB_OPS_HOST_OPS_CPU_OPS_H_
#define TFRT_LIB_OPS_HOST_OPS_CPU_OPS_H_

#include <initializer_list>
#include <memory>
#include <string_view>

#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/shared_context.h"

namespace tfrt {

class HostContext;

void RegisterCpuOps(OpRegistry* registry);

// A host's registry of all of them: host->GetOrCreateSharedContext<CpuOps>().ops().
class CpuOps : public SharedContext {
 public:
  explicit CpuOps(HostContext*) : ops_(std::make_unique<OpRegistry>()) {
    RegisterCpuOps(ops_.get());
  }
  // Leaves out the ops whose names begin with one of `prefixes`. Call it before ops() is used: the
  // registry is made again.
  void LeaveOut(std::initializer_list<std::string_view> prefixes);
  const OpRegistry& ops() const { return *ops_; }

 private:
  std::unique_ptr<OpRegistry> ops_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_CPU_OPS_H_
