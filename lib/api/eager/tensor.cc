#include "tfrt/eager/tensor.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "context_impl.h"
#include "deferred_releases.h"
#include "lib/base/support/call_guarded.h"
#include "lib/runtime/host/timeline.h"
#include "node.h"
#include "op_function.h"
#include "op_scope.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/support/str_cat.h"
#include "traced_state.h"
#include "tracer.h"

namespace tfrt::eager {
namespace {

Status NoTensor() { return InvalidArgumentError("this is not a tensor; has it been moved from?"); }

bool IsAligned(const void* data, DType dtype) {
  size_t alignment = std::min<size_t>(8, std::max<size_t>(1, DTypeSize(dtype)));
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

enum class Awaited : uint8_t { kTensor, kElements };

// Returns when the tensor is there, perhaps with its elements, or an error. The elements of a
// tensor on a device are asked for only if they are awaited: the answer costs the device something.
Status Await(const TensorState& state, Awaited what) {
  AsyncValue* value = state.value();
  auto elements_of = [&] { return what == Awaited::kElements ? state.elements() : nullptr; };
  AsyncValue* elements = elements_of();
  if (value->IsAvailable() && (!elements || elements->IsAvailable())) return OkStatus();
  bool is_recorded = RecordsSteps();
  Step step(is_recorded, kStallStep, {0, "wait"});
  const ContextCore::Read read(state.core());
  if (read.context()) {
    HostContext* host = read.context()->host();
    TFRT_RETURN_IF_ERROR(read.context()->impl().CheckProcess());
    TFRT_RETURN_IF_ERROR(AwaitOthers(host, value));
    elements = elements_of();
    return elements ? AwaitElements(host, elements) : OkStatus();
  }
  // The context is ending, and what was pending when that began is over. So nobody waits here but
  // for what others resolve.
  if (in_op_function || TimelineScope::IsActive()) {
    return FailedPreconditionError("the tensor's context is ending");
  }
  TimelineScope::SleepUntil(value);
  elements = elements_of();
  if (elements) TimelineScope::SleepUntil(elements);
  return OkStatus();
}

// Returns the error of the tensor, or of its elements if they are awaited.
Status AwaitStatus(const TensorState& state, Awaited what) {
  TFRT_RETURN_IF_ERROR(Await(state, what));
  if (state.value()->IsError()) {
    return state.is_traced() ? ReadError(state) : state.value()->GetError();
  }
  AsyncValue* elements = what == Awaited::kElements ? state.elements() : nullptr;
  return elements && elements->IsError() ? elements->GetError() : OkStatus();
}

}  // namespace

StatusOr<DenseHostTensor> HostArray::Wrap(DType dtype, std::span<const int64_t> dims,
                                          RCReference<HostBuffer> buffer) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, DenseHostTensor::CreateFromBuffer(
                                                    {dtype, std::move(shape)}, std::move(buffer)));
  if (dtype == DType::kI1) {
    // Other bytes than these are no bool.
    std::span bytes(static_cast<const uint8_t*>(tensor.data()), tensor.size_bytes());
    auto bad = std::ranges::find_if(bytes, [](uint8_t byte) { return byte > 1; });
    if (bad != bytes.end()) {
      return InvalidArgumentError(
          StrCat("element ", bad - bytes.begin(), " of an i1 array is ", int{*bad}));
    }
  }
  return tensor;
}

HostArray::HostArray(DType dtype, std::span<const int64_t> dims, std::span<const std::byte> bytes)
    : HostArray([&]() -> StatusOr<DenseHostTensor> {
        RCReference<HostBuffer> buffer = HostBuffer::CreateUninitialized(
            bytes.size(), DenseHostTensor::kAlignment, ArrayAllocator());
        if (!buffer) {
          return ResourceExhaustedError(StrCat("Cannot allocate tensor: ", bytes.size(),
                                               " bytes for an array of ", DTypeName(dtype)));
        }
        if (!bytes.empty()) std::memcpy(buffer->data(), bytes.data(), bytes.size());
        return Wrap(dtype, dims, std::move(buffer));
      }()) {}

HostArray HostArray::Borrow(DType dtype, std::span<const int64_t> dims,
                            std::span<const std::byte> bytes, std::function<void()> release) {
  if (!IsAligned(bytes.data(), dtype)) {
    HostArray copy(dtype, dims, bytes);
    if (release) CallNoexcept(release);
    return copy;
  }
  HostBuffer::Deallocator deallocator;
  if (release) {
    deallocator = [release = std::move(release)](void*, size_t) { DeferredReleases::Run(release); };
  }
  return HostArray(
      Wrap(dtype, dims,
           HostBuffer::CreateFromConstant(bytes.data(), bytes.size(), std::move(deallocator))));
}

Tensor Tensor::FromArray(const HostArray& array, Location where) {
  Scope::State* scope = CurrentScopeForCall(where);
  if (!scope) {
    return ErrorTensor(ConstOp(), where,
                       FailedPreconditionError("this thread has no tfrt::eager::Scope"));
  }
  if (!scope->status.ok()) {
    if (scope->tracer && scope->device_status.ok()) return scope->tracer->Constant(array, where);
    return ErrorTensor(ConstOp(), where, scope->status);
  }
  if (!array.tensor().ok()) return ErrorTensor(ConstOp(), where, array.tensor().status());
  if (AsyncValue* cancelled = scope->exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return Tensor(TakeRef(new TensorState(scope->ShareCore(), kHostDevice, FormRef(cancelled))));
  }
  return MakeConstant(*scope, *array.tensor(), DeviceOf(*scope), where);
}

Status Tensor::status() const {
  return state_ ? AwaitStatus(*state_, Awaited::kElements) : NoTensor();
}

bool Tensor::IsAvailable() const {
  return state_ && state_->value()->IsAvailable() && !state_->is_traced();
}
bool Tensor::IsError() const { return state_ && state_->IsError() && !state_->is_traced(); }

StatusOr<DType> Tensor::dtype() const {
  if (!state_) return NoTensor();
  if (state_->is_traced()) return TracedDType(*state_);
  if (!state_->metadata() || IsError()) TFRT_RETURN_IF_ERROR(status());
  return state_->metadata()->dtype;
}

StatusOr<TensorShape> Tensor::shape() const {
  if (!state_) return NoTensor();
  if (state_->is_traced()) return TracedShape(*state_);
  if (!state_->metadata() || IsError()) TFRT_RETURN_IF_ERROR(status());
  return state_->metadata()->shape;
}

std::string_view Tensor::device() const {
  if (!state_ || !state_->core() || IsError()) return "";
  return state_->core()->devices[state_->device()].name();
}

StatusOr<const DenseHostTensor*> Tensor::HostTensor(DType expected, Location where) const {
  if (!state_) return NoTensor();
  // A copy waits for the elements on the device itself, and becomes their error.
  const bool is_copied = state_->device() != kHostDevice;
  TFRT_RETURN_IF_ERROR(AwaitStatus(*state_, is_copied ? Awaited::kTensor : Awaited::kElements));
  DType dtype = state_->metadata()->dtype;
  if (dtype != expected && expected != DType::kUnsupported) {
    return InvalidArgumentError(StrCat("the tensor has elements of ", DTypeName(dtype), ", but ",
                                       DTypeName(expected), " are asked for"));
  }
  AsyncValue* value = state_->value();
  if (state_->device() == kHostDevice && value->IsType<DenseHostTensor>()) {
    return &value->get<DenseHostTensor>();
  }
  if (DTypeSize(dtype) == 0) {
    return InvalidArgumentError(StrCat("a ", value->get<tfrt::Tensor>().tensor_type().name(),
                                       " tensor of ", DTypeName(dtype),
                                       " has no elements of a fixed size"));
  }
  // Copies that are pinned live as long as the tensor.
  const TensorState* state = state_.get();
  const ContextCore::Read read(state->core());
  Context* context = read.context();
  std::optional<TracerScope> scope;
  if (context) scope.emplace(*context, nullptr, "");
  auto copy_to_host = [&]() -> Status {
    RCReference<TensorState> copy =
        context ? CopyToDevice(*CurrentScopeForCall(where), *state, kHostDevice, where, {}, true)
                : CopyWithoutContext(*state, where);
    if (copy->value()->IsError()) return copy->value()->GetError();
    state = copy.get();
    return OkStatus();
  };
  if (state->device() != kHostDevice) TFRT_RETURN_IF_ERROR(copy_to_host());
  if (!state->value()->IsType<DenseHostTensor>()) TFRT_RETURN_IF_ERROR(copy_to_host());
  return &state->value()->get<DenseHostTensor>();
}

StatusOr<const tfrt::Tensor*> Tensor::TensorOnDevice() const {
  if (!state_) return NoTensor();
  TFRT_RETURN_IF_ERROR(AwaitStatus(*state_, Awaited::kTensor));
  return &state_->value()->get<tfrt::Tensor>();
}

Status Tensor::NotOneElement(size_t count) {
  return InvalidArgumentError(StrCat("the tensor has ", count, " elements, not one"));
}

std::string Tensor::ToString() const {
  Status error = status();
  if (!error.ok()) return StrCat("error: ", error.message());
  if (state_->device() == kHostDevice) return state_->value()->get<tfrt::Tensor>().ToString();
  StatusOr<const DenseHostTensor*> host =
      HostTensor(DType::kUnsupported, std::source_location::current());
  // Texts are where they are.
  if (!host.ok()) return state_->value()->get<tfrt::Tensor>().ToString();
  return (*host)->ToString();
}

Tensor Tensor::CopyTo(std::string_view device, Location where) const {
  auto error = [&](const Status& status) { return ErrorTensor(CopyOp(), where, status); };
  if (!state_) return error(NoTensor());
  // The program that is traced has one device.
  if (IsError() || state_->is_traced()) return *this;
  Scope::State* scope = CurrentScopeForCall(where);
  if (!scope || scope->core != state_->core()) {
    return error(FailedPreconditionError(state_->core() && !state_->core()->context()
                                             ? "the tensor's context has ended"
                                             : "this thread has no scope of the tensor's context"));
  }
  uint16_t to = scope->context.FindDevice(device);
  if (to == kNoDevice) {
    return error(scope->context.NoDevice(device));
  }
  if (AsyncValue* cancelled = scope->exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return Tensor(TakeRef(new TensorState(scope->ShareCore(), kHostDevice, FormRef(cancelled))));
  }
  if (to == state_->device()) return *this;
  return Tensor(CopyToDevice(*scope, *state_, static_cast<uint8_t>(to), where));
}

}  // namespace tfrt::eager
