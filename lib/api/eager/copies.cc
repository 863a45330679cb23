// Tensors of one device become tensors of another, and arrays of the program tensors.

#include <utility>
#include <vector>

#include "context_impl.h"
#include "lib/runtime/tensor/conversion.h"
#include "node.h"
#include "op_function.h"
#include "op_scope.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

// Names work that is not an op of a registry, for messages and tracing.
OpDefinition InternalOp(std::string_view name) { return CustomOp{.name = name}; }

// The copy on its way from one device to another.
class Copy {
 public:
  Copy(Scope::State& scope, const TensorState& from, uint8_t device, Location where,
       ServedCall served, CopyMemory memory)
      : scope_(scope),
        context_(scope.context),
        from_(from),
        device_(device),
        where_(where),
        served_(served),
        memory_(memory),
        op_(from.device() == device ? DenseOp() : CopyOp()),
        metadata_(from.metadata()) {}

  RCReference<TensorState> Make() { return IsSync(scope_) ? MakeNow() : MakeLater(); }

 private:
  // Returns it when it is there.
  RCReference<TensorState> MakeNow() {
    while (true) {
      RCReference<TensorState> copy = RecordHit(Find());
      if (!copy) {
        copy = Compute();
        if (copy->value()->IsError()) return copy;
        copy = from_.AddCopy(std::move(copy), memory_);
      }
      // Perhaps another thread's, or one that an ASYNC call wanted.
      if (Status status = AwaitOthers(context_.host, copy->value()); !status.ok()) {
        return Error(status);
      }
      if (!copy->value()->IsError()) return copy;
    }
  }

  // Returns it when it is scheduled. Only then others find it: in FIFO order nobody may wait for
  // what comes later.
  RCReference<TensorState> MakeLater() {
    if (RCReference<TensorState> copy = Find()) return RecordHit(std::move(copy));
    bool is_recorded = RecordsSteps();
    auto id = is_recorded ? tracing::NewOpId() : 0;
    if (is_recorded) {
      RecordStep(kCopyStep, {id, op_}, size_bytes(), DeviceName(from_.device()),
                 DeviceName(device_), served_.op_name);
    }
    uint8_t epoch;
    if (Status room = context_.CountBegin(&epoch); !room.ok()) {
      (void)context_.host->EmitError(where_, room);
      return TakeRef(new TensorState(scope_.ShareCore(), kHostDevice,
                                     MakeErrorAsyncValue(LocatedError(op_, where_, room))));
    }
    auto* node = new Node(context_, epoch, id, op_, device_, scope_.exec_ctx, 1, Node::Kind::kCopy);
    node->arguments.push_back(FormRef(const_cast<TensorState*>(&from_)));
    RCReference<AsyncValue> value = node->results.back();
    RCReference<TensorState> copy = MakeState(value);
    Schedule(node);
    if (from_.device() == kHostDevice && !context_.devices[device_].device->timelines().empty()) {
      context_.BoundUploads(std::move(value), size_bytes());
    }
    return from_.AddCopy(std::move(copy), memory_);
  }

  RCReference<TensorState> Find() const {
    return from_.FindCopy(device_, memory_ == CopyMemory::kPinned);
  }

  RCReference<TensorState> Compute() {
    bool is_recorded = RecordsSteps();
    Step step(is_recorded, kCopyStep, {served_.id, op_}, size_bytes(), DeviceName(from_.device()),
              DeviceName(device_), served_.op_name);
    AsyncValue* value = from_.value();
    if (Status status = AwaitOthers(context_.host, value); !status.ok()) return Error(status);
    RCReference<AsyncValue> out;
    if (value->IsError()) {
      out = FormRef(value);
    } else {
      out = ComputeCopy(context_, from_.device(), device_, scope_.exec_ctx, served_.id,
                        /*is_recorded=*/false, value);
      if (!out->IsAvailable()) {
        AwaitBegun(context_.host, out.get());
        (void)ExplainErrors(op_, where_, &ExplainError, {&value, 1}, {&out, 1});
      }
    }
    return TakeRef(
        new TensorState(scope_.ShareCore(), device_, std::move(out), from_.has_late_metadata()));
  }

  RCReference<TensorState> Error(const Status& error) const {
    return TakeRef(new TensorState(scope_.ShareCore(), device_,
                                   MakeErrorAsyncValue(LocatedError(op_, where_, error)),
                                   from_.has_late_metadata()));
  }

  RCReference<TensorState> MakeState(RCReference<AsyncValue> value) const {
    return TakeRef(metadata_ ? new TensorState(scope_.ShareCore(), device_, *metadata_,
                                               std::move(value), from_.has_late_metadata())
                             : new TensorState(scope_.ShareCore(), device_, std::move(value),
                                               from_.has_late_metadata()));
  }

  // 0 while that is not known.
  size_t size_bytes() const {
    if (!metadata_) return 0;
    return static_cast<size_t>(metadata_->shape.num_elements()) * DTypeSize(metadata_->dtype);
  }
  std::string_view DeviceName(uint8_t device) const { return context_.devices[device].name(); }

  // Says that the copy, if it is one, had been remembered.
  RCReference<TensorState> RecordHit(RCReference<TensorState> copy) const {
    if (copy) {
      RecordStep(kCopyHitStep, {served_.id, served_.op_name}, DeviceName(from_.device()),
                 DeviceName(device_));
    }
    return copy;
  }

  Scope::State& scope_;
  Context::Impl& context_;
  const TensorState& from_;
  const uint8_t device_;
  const Location where_;
  const ServedCall served_;
  const CopyMemory memory_;
  const OpDefinition& op_;
  const TensorMetadata* const metadata_;  // null: not known yet
};

}  // namespace

const OpDefinition& CopyOp() {
  static const OpDefinition op = InternalOp("Copy");
  return op;
}

const OpDefinition& DenseOp() {
  static const OpDefinition op = InternalOp("Dense");
  return op;
}

const OpDefinition& ConstOp() {
  static const OpDefinition op = InternalOp("Const");
  return op;
}

RCReference<AsyncValue> ComputeCopy(const CopyPlace& place, const ExecutionContext& exec_ctx,
                                    AsyncValue* value) {
  const auto& tensor = value->get<tfrt::Tensor>();
  bool moves = place.from.device != place.to.device;
  AsyncValueRef<tfrt::Tensor> made = place.conversions.Convert(
      tensor, {*place.from.device, *place.to.device, place.allocator},
      moves ? CopiedType(tensor.tensor_type(), *place.to.device) : kDenseHostTensorType, exec_ctx);
  if (!made.IsError()) return made.ReleaseRCRef();
  Status error = made.GetError();
  if (IsErrorOfElements({&value, 1}, error)) return made.ReleaseRCRef();
  (void)EmitError(exec_ctx, error);
  const TensorMetadata* metadata = &tensor.metadata();
  return MakeErrorAsyncValue(ExplainError(moves ? CopyOp() : DenseOp(), exec_ctx.location(),
                                          {&metadata, 1}, metadata, error));
}

RCReference<AsyncValue> ComputeCopy(Context::Impl& context, uint8_t from, uint8_t to,
                                    const ExecutionContext& exec_ctx, uint64_t id, bool is_recorded,
                                    AsyncValue* value) {
  const ContextDevice& target = context.devices[to];
  Step step(is_recorded, kKernelStep, {id, from == to ? DenseOp() : CopyOp()},
            [&] { return target.recorded_name(); });
  return ComputeCopy(
      {.from = context.devices[from],
       .to = target,
       .allocator = is_recorded ? target.memory->recording_allocator() : target.allocator,
       .conversions = context.core->conversions},
      exec_ctx, value);
}

RCReference<TensorState> CopyToDevice(Scope::State& scope, const TensorState& from, uint8_t device,
                                      Location where, ServedCall served, bool pin) {
  const CopyMemory memory = pin                                     ? CopyMemory::kPinned
                            : scope.context.options.remember_copies ? CopyMemory::kDroppable
                                                                    : CopyMemory::kNone;
  return Copy(scope, from, device, where, served, memory).Make();
}

RCReference<TensorState> CopyWithoutContext(const TensorState& from, Location where) {
  if (RCReference<TensorState> copy = from.FindCopy(kHostDevice, true)) return copy;
  // A host for the length of the call: conversions between types of tensors ask for one.
  HostContext host([](const DecodedDiagnostic&) {}, ArrayAllocator(),
                   CreateSingleThreadedWorkQueue());
  ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build(), where);
  const std::vector<ContextDevice>& devices = from.core()->devices;
  AsyncValue* value = from.value();
  RCReference<AsyncValue> out = ComputeCopy({.from = devices[from.device()],
                                             .to = devices[kHostDevice],
                                             .allocator = ArrayAllocator(),
                                             .conversions = from.core()->conversions},
                                            exec_ctx, value);
  AsyncValue* awaited = out.get();
  host.Await({&awaited, 1});
  from.core()->AddRefs(1);
  auto copy =
      TakeRef(new TensorState(from.core(), kHostDevice, std::move(out), from.has_late_metadata()));
  return copy->value()->IsError() ? std::move(copy)
                                  : from.AddCopy(std::move(copy), CopyMemory::kPinned);
}

Tensor MakeConstant(Scope::State& scope, const DenseHostTensor& array, uint8_t device,
                    Location where) {
  Context::Impl& context = scope.context;
  Tensor host(TakeRef(new TensorState(
      scope.ShareCore(), kHostDevice,
      MakeAvailableAsyncValueRef<DenseHostTensor>(array.ShareBuffer()).ReleaseRCRef())));
  bool is_recorded = RecordsSteps();
  auto id = is_recorded ? tracing::NewOpId() : 0;
  RCReference<TensorState> source = FormRef(host.state());
  // Whoever has the tensor on the device reads axes and shapes where they come from.
  const bool keeps_host = device != kHostDevice && context.options.remember_copies &&
                          IsSmallIntegers(context, array.metadata(), kHostDevice);
  auto keep_host = [&](const TensorState& made) {
    if (keeps_host) (void)made.AddCopy(FormRef(host.state()), CopyMemory::kDroppable);
  };
  if (device != kHostDevice) {
    // The host's tensor does not remember the copy that remembers it.
    source =
        Copy(scope, *host.state(), device, where, {id, ConstOp().name}, CopyMemory::kNone).Make();
  }
  const OpDefinition& op = ConstOp();
  if (IsSync(scope)) {
    keep_host(*source);
    Step step(is_recorded, kKernelStep, {id, op},
              [&] { return context.devices[device].recorded_name(); });
    return Tensor(std::move(source));
  }
  uint8_t epoch;
  if (Status room = context.CountBegin(&epoch); !room.ok()) return ErrorTensor(op, where, room);
  auto* node = new Node(context, epoch, id, op, device, scope.exec_ctx, 1, Node::Kind::kConst);
  RCReference<AsyncValue> value = node->results.back();
  Tensor result(
      TakeRef(new TensorState(scope.ShareCore(), device, array.metadata(), std::move(value))));
  node->arguments.push_back(std::move(source));
  keep_host(*result.state());
  Schedule(node);
  return result;
}

}  // namespace tfrt::eager
