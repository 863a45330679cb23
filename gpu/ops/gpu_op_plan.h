// GpuOpPlan: the commands of a call, for all calls whose arguments have the same sizes. An op
// writes them down once (gpu_op.h). A call then allocates memory and enqueues them, and looks at
// nothing else.
#ifndef TFRT_GPU_OPS_GPU_OP_PLAN_H_
#define TFRT_GPU_OPS_GPU_OP_PLAN_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "gpu/runtime/block_cache.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/launch.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/module.h"
#include "gpu/runtime/spin_lock.h"
#include "gpu/tensor/dense_gpu_tensor.h"
#include "lib/ops/op_call/op_runner.h"
#include "tfrt/async/async_value.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::gpu {

// Bytes that commands use: a part of an argument, of a result, or of memory of the call alone.
// Their address is another one in each call. The default is no bytes, which kernels see as null.
struct OpBytes {
  static constexpr uint32_t kNowhere = 0xFFFFFFFF;

  size_t size_bytes = 0;
  int64_t offset_bytes = 0;     // in the place; may be negative while an op computes it
  uint32_t place = kNowhere;    // among those of the plan
  uint32_t place_low_bits = 0;  // see low_bits

  // Returns the lowest bits of the address, which are the same in all calls of the plan. Kernels
  // choose the width of their accesses by them.
  uint64_t low_bits() const {
    return (place_low_bits + static_cast<uint64_t>(offset_bytes)) & kLowBits;
  }
  static constexpr uint64_t kLowBits = 15;  // the widest access has 16 bytes
};

// Returns the bytes from `offset_bytes` on, which may be negative.
inline OpBytes Shifted(OpBytes bytes, int64_t offset_bytes) {
  bytes.offset_bytes += offset_bytes;
  return bytes;
}

// A command that a vendor's library enqueues (GpuOpCall::CallLibrary). Immutable; thread-safe.
class LibraryCommand {
 public:
  virtual ~LibraryCommand() = default;
  // Enqueues the command on these bytes, which are those of GpuOpCall::CallLibrary at their places
  // in this call. Leases what it needs before the stream's call begins.
  virtual StatusOr<Point> Enqueue(Stream& stream, std::span<const MemoryRange> bytes) const = 0;
};

// The arguments of a call: tensors of the device, and of the host where the op reads them. Null:
// left out. A view, except for the list.
class GpuOpArguments {
 public:
  GpuOpArguments(const GpuOpArguments&) = delete;
  GpuOpArguments& operator=(const GpuOpArguments&) = delete;
  explicit GpuOpArguments(std::span<AsyncValue* const> values) : values_(values) {
    if (values.size() > kFew) [[unlikely]] {
      many_ = std::make_unique<const DenseGpuTensor*[]>(values.size());
      on_device_ = many_.get();
    }
    // relaxed: see GetIfPlain.
    const uint32_t plain = tfrt::internal::kind_of<DenseGpuTensor>.load(std::memory_order_relaxed);
    for (size_t i = 0; i < values.size(); ++i) {
      AsyncValue* value = values[i];
      const DenseGpuTensor* tensor = value ? value->GetIfPlain<DenseGpuTensor>(plain) : nullptr;
      if (value && !tensor) [[unlikely]]
        tensor = OnDevice(*value);
      on_device_[i] = tensor;
    }
  }

  size_t size() const { return values_.size(); }
  std::span<AsyncValue* const> values() const { return values_; }
  // Returns a tensor of the device; null if the argument is left out, or one of the host.
  const DenseGpuTensor* on_device(size_t index) const { return on_device_[index]; }
  // Makes the next commands of the stream run after all these tensors are written.
  Status OrderReads(Stream& stream) const;

 private:
  static constexpr size_t kFew = 6;
  static const DenseGpuTensor* OnDevice(const AsyncValue& value);

  const std::span<AsyncValue* const> values_;
  const DenseGpuTensor* few_[kFew];  // not initialised
  std::unique_ptr<const DenseGpuTensor*[]> many_;
  const DenseGpuTensor** on_device_ = few_;
};

// The facts that a plan depends on beside the op's attributes and dtypes. Immutable.
class GpuOpPlanKey {
 public:
  // Copies the elements of host tensors, which may be a program's that changes them later.
  explicit GpuOpPlanKey(const GpuOpArguments& arguments);

  // Whether the plan may be kept for other calls: the elements of host tensors are few.
  bool is_worth_keeping() const { return is_worth_keeping_; }
  // Whether these arguments are like those of the key.
  bool Matches(const GpuOpArguments& arguments) const {
    if (arguments.size() != num_arguments_) return false;
    for (size_t i = 0; i < num_arguments_; ++i) {
      const Argument& known = arguments_[i];
      const DenseGpuTensor* tensor = arguments.on_device(i);
      if (tensor ? !Matches(i, *tensor) : !MatchesHost(known, arguments, i)) return false;
    }
    return true;
  }
  // The same for one argument of the device.
  bool Matches(size_t index, const DenseGpuTensor& tensor) const {
    const Argument& known = arguments_[index];
    return known.kind == Kind::kDevice && tensor.metadata() == known.metadata &&
           LowBitsOf(tensor) == known.low_bits;
  }

  // Returns what two keys that are equal have in common.
  static uint64_t Hash(const GpuOpArguments& arguments);

  size_t num_arguments() const { return num_arguments_; }
  // Returns the lowest bits of the address of an argument of the device.
  uint32_t low_bits(size_t argument) const { return arguments_[argument].low_bits; }

 private:
  enum class Kind : uint8_t { kNone, kDevice, kHost };
  struct Argument {
    TensorMetadata metadata;
    Kind kind = Kind::kNone;
    uint32_t low_bits = 0;
    std::vector<uint8_t> elements = {};  // of a host tensor
  };
  static constexpr size_t kMaxElementBytes = 256;

  static uint32_t LowBitsOf(const DenseGpuTensor& tensor) {
    return static_cast<uint32_t>(tensor.range().address & OpBytes::kLowBits);
  }
  static bool MatchesHost(const Argument& known, const GpuOpArguments& arguments, size_t index);

  const size_t num_arguments_;
  const std::unique_ptr<Argument[]> arguments_;
  bool is_worth_keeping_ = true;
};

// Made by one GpuOpCall, immutable afterwards. Thread-safe.
class GpuOpPlan final : public ReferenceCounted<GpuOpPlan> {
 public:
  // `results`: the metadata.
  GpuOpPlan(const GpuOpArguments& arguments, std::span<const TensorMetadata> results)
      : key_(arguments), metadata_(results.begin(), results.end()), results_(results.size()) {}

  const GpuOpPlanKey& key() const { return key_; }
  std::span<const TensorMetadata> results() const { return metadata_; }
  // Whether it may be kept for other calls. Memory of the host, which a plan with constants holds,
  // is too little for that.
  bool is_worth_keeping() const;
  // Whether it keeps memory of the device, of results that all calls share.
  bool has_shared_results() const;

  // Enqueues the commands in the device's compute stream, behind what other streams have enqueued
  // to write the arguments. Sets `results` to tensors that are written when the last command has
  // run, and leaves those alone that the op has not set. After an error they are unset; if there
  // was no memory for a result, `refused` becomes its metadata then.
  Status Enqueue(GpuDevice& device, const GpuOpArguments& arguments,
                 std::span<RCReference<AsyncValue>> results,
                 std::optional<TensorMetadata>* refused) const;

 private:
  friend class GpuOpCall;
  friend class GpuOpPlans;

  // A parameter of a kernel: an address in a place, or the bits of a number.
  struct Parameter {
    uint64_t value = 0;  // the offset or the number
    uint32_t place = OpBytes::kNowhere;
    uint32_t size_bytes = sizeof(value);
  };
  // Parameters that are addresses: each call has others.
  struct Address {
    uint32_t parameter;
    uint32_t place;
    uint64_t offset_bytes;
  };
  struct Launch {
    const Function* function = nullptr;
    RCReference<const Module> module = {};  // of the function
    LaunchShape shape = {};
    uint32_t num_parameters = 0, num_addresses = 0;
    std::unique_ptr<void*[]> parameters = {};  // of numbers: in `numbers`
    std::unique_ptr<Address[]> addresses = {};
    std::unique_ptr<uint64_t[]> numbers = {};
  };
  struct Copy {
    OpBytes to, from;
  };
  struct Fill {
    OpBytes bytes;
    uint32_t pattern;
  };
  struct Library {
    std::unique_ptr<const LibraryCommand> command;
    std::vector<OpBytes> bytes;
  };
  using Command = std::variant<Launch, Copy, Fill, Library>;
  struct Result {
    enum class Kind : uint8_t { kUnset, kAllocated, kView, kShared };
    Kind kind = Kind::kUnset;
    OpBytes bytes = {};               // of a view: a part of an argument
    RCReference<Memory> memory = {};  // of a shared one
    Point written = {};               // the same
  };
  // Where the bytes of a place are in a call.
  struct Place {
    Memory* memory;
    cuda::CUdeviceptr address;
  };

  // Places: the arguments, the results, and then this.
  struct Extra {
    size_t size_bytes = 0;            // of memory of the call alone
    RCReference<Memory> memory = {};  // or the plan's; null: allocated by each call
  };
  static constexpr size_t kMaxParameters = 64;  // of the device code's kernels

  size_t num_places() const { return key_.num_arguments() + results_.size() + extras_.size(); }
  // Called when all is written down.
  void Finish();
  // The shortest way. Finds the places of arguments. False if they are not like those of the key,
  // or the stream must wait for one.
  bool FindPlaces(std::span<AsyncValue* const> arguments, const Stream& stream,
                  Place* places) const;
  // The rest of it: `memory` is that of the result.
  Status EnqueueOneLaunch(Stream& compute, RCReference<Memory> memory, Place* places,
                          RCReference<AsyncValue>* result) const;
  static StatusOr<Point> Enqueue(Stream& stream, const Launch& launch, const Place* places);
  static StatusOr<Point> Enqueue(Stream& stream, const Library& library, const Place* places);
  static MemoryRange RangeOf(const OpBytes& bytes, const Place* places);

  const GpuOpPlanKey key_;
  const std::vector<TensorMetadata> metadata_;  // of the results
  std::vector<Result> results_;
  std::vector<Extra> extras_;
  std::vector<Command> commands_;
  // Most plans are one launch that writes the only result.
  bool is_one_launch_ = false;
  SizeClass size_class_ = {};  // of that result
};

// The outcome of a call that failed with `error`. Reports it, and makes it the results.
OpOutcome FailedGpuCall(const ExecutionContext& exec_ctx,
                        std::span<RCReference<AsyncValue>> results, Status error,
                        std::optional<TensorMetadata> refused = {});

// The plans of an op for calls that come again. Holds those of so many sizes; others take the place
// of the ones that were made longest ago. Thread-safe.
class GpuOpPlans {
 public:
  // Returns the plan of calls that have such arguments, and so many results; null if there is none.
  RCReference<const GpuOpPlan> Find(const GpuOpArguments& arguments, size_t num_results) const;
  void Add(RCReference<const GpuOpPlan> plan, const GpuOpArguments& arguments) const;
  // Forgets plans that keep memory of the device. Returns whether there were any.
  bool DropShared() const;
  // PreparedOp::RunAgain: false if there is no plan of such calls.
  bool Play(const KnownOpRun& run, std::optional<OpOutcome>* failure) const;

 private:
  static constexpr size_t kSets = 32, kWays = 2;
  using Set = std::array<RCReference<const GpuOpPlan>, kWays>;  // the newest first

  RCReference<const GpuOpPlan> Get(const RCReference<const GpuOpPlan>& place) const {
    std::lock_guard lock(lock_);
    return place.CopyRef();
  }
  bool PlayOther(const KnownOpRun& run, std::optional<OpOutcome>* failure) const;

  mutable internal::SpinLock lock_;
  mutable RCReference<const GpuOpPlan> last_;  // the one of the last call; under lock_
  mutable std::array<Set, kSets> sets_;        // by GpuOpPlanKey::Hash; under lock_
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_GPU_OP_PLAN_H_
