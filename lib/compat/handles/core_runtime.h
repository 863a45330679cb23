// CoreRuntime: a host's op handlers by name, and the way from an op's name to its execution.
//
//   CoreRuntime& runtime = CoreRuntime::Of(host);
//   OpHandler* cpu = *runtime.GetOpHandler("cpu");
//   TFRT_ASSIGN_OR_RETURN(CoreRuntimeOp matmul, cpu->MakeOp("tf.MatMul"));  // once
//   matmul({.exec_ctx = exec_ctx, .arguments = arguments, .attrs = attrs, .results = results});
#ifndef TFRT_LIB_COMPAT_HANDLES_CORE_RUNTIME_H_
#define TFRT_LIB_COMPAT_HANDLES_CORE_RUNTIME_H_

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "op_handler.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/shared_context.h"

namespace tfrt {

// Thread-safe.
class CoreRuntime : public SharedContext {
 public:
  explicit CoreRuntime(HostContext* host);
  ~CoreRuntime() override;
  static CoreRuntime& Of(HostContext* host) {
    return host->GetOrCreateSharedContext<CoreRuntime>();
  }
  HostContext* host() const { return host_; }
  const RCReference<Device>& host_device() const { return host_device_; }

  // Keeps the handler as long as the runtime. Fallbacks come before the handlers that use them, and
  // are destroyed after them.
  OpHandler* TakeOpHandler(std::unique_ptr<OpHandler> handler);
  // The first registration of a name wins.
  void RegisterOpHandler(std::string_view name, OpHandler* handler);
  // NotFound "op_handler not found: NAME".
  StatusOr<OpHandler*> GetOpHandler(std::string_view name) const;

  // Returns the result of handler->MakeOp for the name: made at the first call and then found
  // without a lock. It lives as long as the runtime. `handler` must be one of the runtime's. Errors
  // are not kept.
  StatusOr<const CoreRuntimeOp*> FindOp(std::string_view op_name, OpHandler* handler);

  // Looks the op up and calls it. An unknown op becomes the error of all results.
  void Execute(std::string_view op_name, OpHandler* handler, const OpInvocation& invocation);

  // A graph function of type (chain, handles...) -> (chain, handles...) as an op; the function
  // stays alive as long as the op. InvalidArgument for other types.
  StatusOr<CoreRuntimeOp> MakeCompositeOp(const Function* function);
  // A C++ function as an op. It gets the call, with arguments that may not be there yet, and sets
  // all results.
  CoreRuntimeOp MakeNativeCompositeOp(std::function<void(const OpInvocation&)> function);

 private:
  // Ops that have been found, in a hash table of chains that only grow.
  struct FoundOp {
    OpHandler* handler;
    std::string name;
    CoreRuntimeOp op;
    FoundOp* next;
  };
  static constexpr size_t kFoundOpBuckets = 256;
  static const CoreRuntimeOp* FindInChain(const FoundOp* chain, std::string_view name,
                                          OpHandler* handler);

  HostContext* host_;
  const RCReference<Device> host_device_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<OpHandler>> handlers_;
  std::map<std::string, OpHandler*, std::less<>> by_name_;
  std::array<std::atomic<FoundOp*>, kFoundOpBuckets> found_ops_ = {};
};

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_HANDLES_CORE_RUNTIME_H_
