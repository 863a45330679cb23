// OpRunner: how ops run on the devices of a kind. One small interface for who makes a kind of
// device known, registered by kind; that of the CPU calls the op's function (RunOp).
#ifndef TFRT_LIB_OPS_OP_CALL_OP_RUNNER_H_
#define TFRT_LIB_OPS_OP_CALL_OP_RUNNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "run_op.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/memory_space.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt {

class HostContext;
class PreparedOp;

// Builds the caller's version of an op's error, for example with the line of the call and the op's
// arguments. Null `arguments` are left out. The value `refused` is the tensor for which memory was
// missing, or null.
using OpErrorText = Status (*)(const OpDefinition& op, Location where,
                               OpMetadataArguments arguments, const TensorMetadata* refused,
                               const Status& error);

// One call. A view, valid until Run returns; what is needed later is copied.
struct OpRun {
  const OpDefinition& op;    // which the device has; outlives the work
  Device& device;            // of the results; outlives the work or is kept by a reference
  HostAllocator* allocator;  // of memory of the device that the host can read
  const ExecutionContext& exec_ctx;
  // Available tensors that are no errors; null where left out. They are on the device, or in host
  // memory for the op to read there: a few integers such as axes and shapes, texts, resources. On a
  // device with timelines, elements of tensors may still be in flight, or become an error
  // (Tensor::elements).
  std::span<AsyncValue* const> arguments;
  uint64_t last_uses = 0;  // see OpCall
  const OpAttrsRef& attrs;
  std::span<const TensorMetadata> result_metadata;  // empty for an op without a metadata function
  std::span<RCReference<AsyncValue>> results;       // null
  // For errors of this call that come after Run has returned, of results, elements and the chain:
  // the caller takes them as they are. Null: they need none. Not used by a runner that is_direct.
  OpErrorText explain = nullptr;
  // The result of the runner's Prepare for such calls; null: nothing. Valid until Run returns.
  const PreparedOp* prepared = nullptr;
};

// Holds what a runner has found out about calls of one op with the same attributes and dtypes on
// one device. Examples are decoded attributes and a loaded kernel. Immutable; thread-safe. Callers
// keep it from one call to the next and destroy it before the device.
class PreparedOp {
 public:
  virtual ~PreparedOp() = default;
  // As OpRunner::Run.
  virtual OpOutcome Run(const OpRun& run) const = 0;
};

// Thread-safe; lives with the host.
class OpRunner {
 public:
  virtual ~OpRunner() = default;
  // Whether Run can run the op, which is no composite one: whether devices of the kind have it.
  // Asked when a call is placed or an op is looked up, not at each call; must not change.
  virtual bool Has(const OpDefinition& op) const = 0;
  // Whether ops that the kind does not have are left to the host by design. Otherwise the kind has
  // no kernel for them.
  virtual bool LeavesToHost(const OpDefinition&) const { return false; }
  // Whether there is a kernel for calls of an op that it Has with these attributes and dtypes
  // (kUnsupported: left out). Asked when a call is placed; the rest is as for Prepare.
  virtual bool HasKernel(const OpDefinition&, Device&, const OpAttrsRef&,
                         std::span<const DType>) const {
    return true;
  }
  // Whether Run takes the tensor as it is. Others are converted to dense tensors of the host first.
  virtual bool Accepts(const OpDefinition& op, const Tensor& tensor) const = 0;
  // Runs the op, or enqueues it on the device's timeline, and sets all results, as RunOp does. On a
  // device with timelines, results with known metadata are available once the op is enqueued. Later
  // failures become the error of their elements. Other results become available when the op has
  // run. The outcome's chain is that of an op with side effects, or null.
  virtual OpOutcome Run(const OpRun& run) const = 0;
  // For calls of an op that Has with these attributes and dtypes (kUnsupported: left out), called
  // once for all of them that are remembered. Null: Run has nothing to gain, or reports the error.
  // Calls no ops, and waits for no task of the host's: other threads that have such a call wait for
  // it.
  virtual std::unique_ptr<const PreparedOp> Prepare(const OpDefinition&, Device&, const OpAttrsRef&,
                                                    std::span<const DType>) const {
    return nullptr;
  }
  // True if Run does no more than RunOp: callers may call the op's function themselves.
  virtual bool is_direct() const { return false; }
};

// Where an op runs.
struct OpPlace {
  RCReference<Device> device;  // of the results
  HostAllocator* allocator;    // of its memory that the host can read
  const OpRunner* runner;      // how ops run there; the host's

  // Whether ops compute in the host's memory there.
  bool is_on_host() const { return &device->memory_space() == &MemorySpace::Host(); }
  // Whether the op can run there.
  bool Has(const OpDefinition& op) const;
  // Whether a run there is no more than a call of the op's function.
  bool IsDirect(const OpDefinition& op) const;

  // On a device, with its own allocator. Unimplemented if the device's kind has no registered
  // OpRunner.
  static StatusOr<OpPlace> On(HostContext* host, RCReference<Device> device);
};

// The runners of a host. Thread-safe, but for Add, which comes before the first device of the kind.
class OpRunnerRegistry final : public SharedContext {
 public:
  // With that of the CPU.
  explicit OpRunnerRegistry(HostContext*);

  // AlreadyExists if the kind has a runner, which then stays.
  Status Add(std::string_view device_kind, std::unique_ptr<const OpRunner> runner);
  // Null if there is none.
  const OpRunner* Find(std::string_view device_kind) const;

 private:
  std::map<std::string, std::unique_ptr<const OpRunner>, std::less<>> runners_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_OP_RUNNER_H_
