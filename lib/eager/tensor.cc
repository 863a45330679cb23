#include "tfrt/eager/tensor.h"

#include <cstring>

#include "context_impl.h"
#include "node.h"
#include "prepare.h"
#include "steps.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

Status NoTensor() { return InvalidArgumentError("this is not a tensor; has it been moved from?"); }

bool IsAligned(const void* data, DType dtype) {
  size_t alignment = std::min<size_t>(8, std::max<size_t>(1, DTypeSize(dtype)));
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

// The memory of arrays that no context has made room for.
HostAllocator* ArrayAllocator() {
  static HostAllocator* const allocator =
      new SmallBlockAllocator(CreateMallocAllocator().release());
  return allocator;
}

void Await(const TensorState& state) {
  AsyncValue* value = state.value();
  if (value->IsAvailable()) return;
  bool traced = TracesSteps();
  Step step(traced, "stall", {0, "wait"});
  state.context()->host()->Await({&value, 1});
}

}  // namespace

StatusOr<DenseHostTensor> HostArray::Wrap(DType dtype, std::span<const int64_t> dims,
                                          RCReference<HostBuffer> buffer) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return DenseHostTensor::CreateFromBuffer({dtype, std::move(shape)}, std::move(buffer));
}

HostArray::HostArray(DType dtype, std::span<const int64_t> dims, std::span<const std::byte> bytes)
    : HostArray([&]() -> StatusOr<DenseHostTensor> {
        RCReference<HostBuffer> buffer = HostBuffer::CreateUninitialized(
            bytes.size(), DenseHostTensor::kAlignment, ArrayAllocator());
        if (!buffer) return ResourceExhaustedError("Cannot allocate tensor");
        if (!bytes.empty()) std::memcpy(buffer->data(), bytes.data(), bytes.size());
        return Wrap(dtype, dims, std::move(buffer));
      }()) {}

HostArray HostArray::Borrow(DType dtype, std::span<const int64_t> dims,
                            std::span<const std::byte> bytes, std::function<void()> release) {
  if (!IsAligned(bytes.data(), dtype)) {
    HostArray copy(dtype, dims, bytes);
    if (release) release();
    return copy;
  }
  HostBuffer::Deallocator deallocator;
  if (release) {
    deallocator = [release = std::move(release)](void*, size_t) { release(); };
  }
  return HostArray(Wrap(dtype, dims,
                        HostBuffer::CreateFromConstant(bytes.data(), bytes.size(),
                                                       std::move(deallocator))));
}

Tensor Tensor::FromArray(const HostArray& array, std::source_location where) {
  Scope::State* scope = CurrentScope();
  auto error = [&](Context* context, Status status) {
    return Tensor(TakeRef(new TensorState(
        context, kHostDevice,
        MakeErrorAsyncValue(LocatedError(ConstOp(), where, std::move(status))))));
  };
  if (!scope) {
    return error(nullptr, FailedPreconditionError("this thread has no tfrt::eager::Scope"));
  }
  Context* context = scope->context.context;
  if (!scope->status.ok()) return error(context, scope->status);
  if (!array.tensor().ok()) return error(context, array.tensor().status());
  return MakeConstant(*scope, *array.tensor(), where);
}

Status Tensor::status() const {
  if (!state_) return NoTensor();
  Await(*state_);
  return state_->value()->IsError() ? state_->value()->GetError() : OkStatus();
}

bool Tensor::IsAvailable() const { return state_ && state_->value()->IsAvailable(); }
bool Tensor::IsError() const { return state_ && state_->value()->IsError(); }

StatusOr<DType> Tensor::dtype() const {
  if (!state_) return NoTensor();
  if (!state_->metadata()) TFRT_RETURN_IF_ERROR(status());
  return state_->metadata()->dtype;
}

StatusOr<TensorShape> Tensor::shape() const {
  if (!state_) return NoTensor();
  if (!state_->metadata()) TFRT_RETURN_IF_ERROR(status());
  return state_->metadata()->shape;
}

std::string_view Tensor::device() const {
  if (!state_ || !state_->context() || IsError()) return "";
  return state_->context()->impl().devices[state_->device()].name;
}

StatusOr<const DenseHostTensor*> Tensor::HostTensor(DType expected) const {
  TFRT_RETURN_IF_ERROR(status());
  DType dtype = state_->metadata()->dtype;
  if (dtype != expected && expected != DType::kUnsupported) {
    return InvalidArgumentError(StrCat("the tensor has elements of ", DTypeName(dtype),
                                       ", but ", DTypeName(expected), " are asked for"));
  }
  const TensorState* state = state_.get();
  if (state->device() != kHostDevice || !state->value()->IsType<DenseHostTensor>()) {
    // In host memory, as a dense tensor. The copy lives as long as the state.
    Context* context = state->context();
    Scope scope(*context);
    state = CopyToDevice(*CurrentScope(), *state, kHostDevice, std::source_location::current(), 0)
                .get();
    if (state->value()->IsError()) return state->value()->GetError();
  }
  if (!state->value()->IsType<DenseHostTensor>()) {
    return InvalidArgumentError(
        StrCat("a ", state->value()->get<tfrt::Tensor>().tensor_type().name(),
               " tensor has no elements of a fixed size"));
  }
  return &state->value()->get<DenseHostTensor>();
}

Status Tensor::NotOneElement(size_t count) {
  return InvalidArgumentError(StrCat("the tensor has ", count, " elements, not one"));
}

std::string Tensor::ToString() const {
  Status error = status();
  if (!error.ok()) return StrCat("error: ", error.message());
  if (state_->device() == kHostDevice) return state_->value()->get<tfrt::Tensor>().ToString();
  StatusOr<const DenseHostTensor*> host = HostTensor(DType::kUnsupported);
  // Texts are where they are.
  if (!host.ok()) return state_->value()->get<tfrt::Tensor>().ToString();
  return (*host)->ToString();
}

Tensor Tensor::CopyTo(std::string_view device, std::source_location where) const {
  auto error = [&](Status status) {
    Context* context = state_ ? state_->context() : nullptr;
    return Tensor(TakeRef(new TensorState(
        context, kHostDevice, MakeErrorAsyncValue(LocatedError(CopyOp(), where, status)))));
  };
  if (!state_) return error(NoTensor());
  if (IsError()) return *this;
  Scope::State* scope = CurrentScope();
  if (!scope || scope->context.context != state_->context()) {
    return error(FailedPreconditionError("this thread has no scope of the tensor's context"));
  }
  uint16_t to = scope->context.FindDevice(device);
  if (to == kNoDevice) {
    return error(NotFoundError(StrCat("there is no device ", device, "; the devices are ",
                                      scope->context.DeviceNames())));
  }
  if (to == state_->device()) return *this;
  return Tensor(CopyToDevice(*scope, *state_, static_cast<uint8_t>(to), where, 0));
}

}  // namespace tfrt::eager
