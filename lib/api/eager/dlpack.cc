// Arrays from and for other libraries, in the DLPack format.

#include "dlpack.h"

#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "context_impl.h"
#include "deferred_releases.h"
#include "lib/base/support/call_guarded.h"
#include "lib/runtime/tensor/array_exchange.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

static_assert(dlpack::kInt == static_cast<int>(NumberKind::kSigned) &&
                  dlpack::kUInt == static_cast<int>(NumberKind::kUnsigned) &&
                  dlpack::kFloat == static_cast<int>(NumberKind::kFloat) &&
                  dlpack::kBfloat == static_cast<int>(NumberKind::kBFloat) &&
                  dlpack::kComplex == static_cast<int>(NumberKind::kComplex) &&
                  dlpack::kBool == static_cast<int>(NumberKind::kBool),
              "the kinds of numbers are DLPack's codes");

dlpack::DataType DlpackOf(const ElementType& type) {
  return {static_cast<uint8_t>(type.kind), static_cast<uint8_t>(8 * type.size_bytes), 1};
}

StatusOr<DType> DTypeOfDlpack(dlpack::DataType type) {
  for (size_t i = 0; i < kNumElementTypes; ++i) {
    dlpack::DataType known = DlpackOf(kElementTypes[i]);
    if (kElementTypes[i].kind != NumberKind::kNone &&
        std::memcmp(&known, &type, sizeof(type)) == 0) {
      return static_cast<DType>(i);
    }
  }
  return InvalidArgumentError(StrCat("no dtype for the DLPack type of code ",
                                     static_cast<int>(type.code), ", ", static_cast<int>(type.bits),
                                     " bits and ", type.lanes, " lanes"));
}

StatusOr<dlpack::DataType> DlpackOf(DType dtype) {
  const ElementType& type = kElementTypes[static_cast<size_t>(dtype)];
  if (type.kind != NumberKind::kNone) return DlpackOf(type);
  return InvalidArgumentError(StrCat("DLPack has no type for ", DTypeName(dtype)));
}

// An array, wherever it is.
struct Incoming {
  DType dtype;
  TensorShape shape;
  std::span<const int64_t> dims;
  const int64_t* strides;  // null: row-major
  const std::byte* data;
  size_t bytes;

  bool CanBeBorrowed() const {
    return !strides && reinterpret_cast<uintptr_t>(data) % DTypeAlignment(dtype) == 0;
  }
  static size_t DTypeAlignment(DType dtype) { return std::min<size_t>(8, DTypeSize(dtype)); }
};

bool IsRowMajor(std::span<const int64_t> dims, const int64_t* strides) {
  std::vector<int64_t> expected(dims.size());
  RowMajorStrides(dims, expected);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != 1 && strides[i] != expected[i]) return false;
  }
  return true;
}

// InvalidArgument if an element is farther from the first one than bytes of memory can be.
Status CheckStrides(const Incoming& in) {
  for (size_t i = 0; in.strides && i < in.dims.size(); ++i) {
    int64_t reach;
    if (__builtin_mul_overflow(in.strides[i], in.dims[i], &reach) ||
        __builtin_mul_overflow(reach, static_cast<int64_t>(DTypeSize(in.dtype)), &reach)) {
      return InvalidArgumentError(StrCat("a DLPack array of shape ", in.shape.ToString(),
                                         " has the stride ", in.strides[i], " in dimension ", i));
    }
  }
  return OkStatus();
}

StatusOr<Incoming> Check(const dlpack::Array& array) {
  if (array.ndim < 0 || (array.ndim > 0 && !array.shape)) {
    return InvalidArgumentError(
        StrCat("a DLPack array of ", array.ndim, " dimensions has no shape"));
  }
  Incoming in;
  TFRT_ASSIGN_OR_RETURN(in.dtype, DTypeOfDlpack(array.dtype));
  in.dims = {array.shape, static_cast<size_t>(array.ndim)};
  TFRT_ASSIGN_OR_RETURN(in.shape, TensorShape::Create(in.dims));
  int64_t elements = in.shape.num_elements();
  if (__builtin_mul_overflow(static_cast<size_t>(elements), DTypeSize(in.dtype), &in.bytes)) {
    return InvalidArgumentError(StrCat("a DLPack array of ", DTypeName(in.dtype),
                                       " with the shape ", in.shape.ToString(),
                                       " has more bytes than memory can have"));
  }
  if (in.bytes > 0 && !array.data) {
    return InvalidArgumentError(
        StrCat("a DLPack array of shape ", in.shape.ToString(), " has no data"));
  }
  bool row_major = !array.strides || elements <= 1 || IsRowMajor(in.dims, array.strides);
  in.strides = row_major ? nullptr : array.strides;
  auto address = reinterpret_cast<uintptr_t>(array.data);
  if (array.data && __builtin_add_overflow(address, array.byte_offset, &address)) {
    return InvalidArgumentError(StrCat("a DLPack array begins ", array.byte_offset,
                                       " bytes behind its data, past the end of all addresses"));
  }
  in.data = reinterpret_cast<const std::byte*>(address);
  TFRT_RETURN_IF_ERROR(CheckStrides(in));
  return in;
}

// Appends the elements from dimension `dim` on, which begin at the address `from`. Returns the end
// of `to`.
std::byte* Gather(const Incoming& in, size_t dim, uintptr_t from, std::byte* to) {
  size_t size = DTypeSize(in.dtype);
  if (dim == in.dims.size()) {
    std::memcpy(to, reinterpret_cast<const std::byte*>(from), size);
    return to + size;
  }
  for (int64_t i = 0; i < in.dims[dim]; ++i) {
    to = Gather(in, dim + 1, from, to);
    // A number, as the place behind the last element may be no address.
    from += static_cast<uintptr_t>(in.strides[dim]) * size;
  }
  return to;
}

HostArray Copied(const Incoming& in) {
  if (!in.strides) return HostArray(in.dtype, in.dims, {in.data, in.bytes});
  std::vector<std::byte> elements(in.bytes);
  Gather(in, 0, reinterpret_cast<uintptr_t>(in.data), elements.data());
  return HostArray(in.dtype, in.dims, elements);
}

// Returns null if arrays on the device are in host memory.
const ArrayExchange* ExchangeOf(const ContextCore& core, uint8_t device) {
  return core.conversions.FindExchange(core.devices[device].device->kind());
}

dlpack::Device DlpackDeviceOf(const ContextCore& core, uint8_t device) {
  const ArrayExchange* exchange = ExchangeOf(core, device);
  if (!exchange) return {dlpack::kCpu, 0};
  return {exchange->dlpack_memory_type(),
          DeviceName::Parse(core.devices[device].device->name())->ordinal};
}

// A device of the thread's scope.
struct ScopeDevice {
  Scope::State* scope;
  uint8_t number;
  const ArrayExchange* exchange;

  Device& device() const { return *scope->core->devices[number].device; }
};

// Finds a device that is not the host.
StatusOr<ScopeDevice> FindDevice(dlpack::Device wanted, Location where) {
  Scope::State* scope = CurrentScopeForCall(where);
  if (!scope) return FailedPreconditionError("this thread has no tfrt::eager::Scope");
  TFRT_RETURN_IF_ERROR(scope->status);
  if (AsyncValue* cancelled = scope->exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return cancelled->GetError();
  }
  const ContextCore& core = *scope->core;
  for (size_t at = 0; at < core.devices.size(); ++at) {
    const auto i = static_cast<uint8_t>(at);
    const ArrayExchange* exchange = ExchangeOf(core, i);
    if (!exchange) continue;
    const dlpack::Device device = DlpackDeviceOf(core, i);
    if (device.type == wanted.type && device.id == wanted.id)
      return ScopeDevice{scope, i, exchange};
  }
  return InvalidArgumentError(StrCat(
      "a DLPack array on device ", wanted.id, " of type ", wanted.type,
      " is neither in host memory nor on a device of the context: ", scope->context.DeviceNames()));
}

// The array becomes the tensor's if the result is OK.
StatusOr<Tensor> ImportOnDevice(const dlpack::Array& array, ForeignStream stream,
                                std::function<void()> release, Location where) {
  TFRT_ASSIGN_OR_RETURN(ScopeDevice on, FindDevice(array.device, where));
  TFRT_ASSIGN_OR_RETURN(Incoming in, Check(array));
  if (in.strides) {
    return InvalidArgumentError(StrCat("a DLPack array of shape ", in.shape.ToString(), " on ",
                                       on.device().name(),
                                       " is not row-major, and not copied: make it contiguous"));
  }
  TaskFunction release_task(
      [release = std::move(release)]() mutable { DeferredReleases::Run(std::move(release)); });
  TensorMetadata metadata{in.dtype, std::move(in.shape)};
  TFRT_ASSIGN_OR_RETURN(AsyncValueRef<tfrt::Tensor> value,
                        on.exchange->Borrow(on.device(), metadata, const_cast<std::byte*>(in.data),
                                            stream, release_task));
  return Tensor(TakeRef(new TensorState(on.scope->ShareCore(), on.number, std::move(metadata),
                                        value.ReleaseRCRef())));
}

// As above, of an array anywhere.
StatusOr<Tensor> Import(const dlpack::Array& array, ForeignStream stream,
                        std::function<void()> release, Location where) {
  if (array.device.type != dlpack::kCpu) {
    return ImportOnDevice(array, stream, std::move(release), where);
  }
  TFRT_ASSIGN_OR_RETURN(Incoming in, Check(array));
  if (in.CanBeBorrowed()) {
    return Tensor::FromArray(
        HostArray::Borrow(in.dtype, in.dims, {in.data, in.bytes}, std::move(release)), where);
  }
  Tensor tensor = Tensor::FromArray(Copied(in), where);
  CallNoexcept(release);
  return tensor;
}

template <typename Managed>
std::function<void()> ReleaseOf(Managed* managed) {
  return [managed] {
    if (managed->deleter) managed->deleter(managed);
  };
}

// Holds the memory and the tensor behind an array that was exported to another library.
template <typename Managed>
struct Exported {
  Managed managed = {};
  std::vector<int64_t> dims, strides;
  Tensor tensor;
  // Lent the elements for the stream; null for those in host memory.
  const ArrayExchange* exchange = nullptr;
  ForeignStream stream = ForeignStream::kNone;

  ~Exported() {
    if (exchange) exchange->TakeBack(tensor.state()->value()->template get<tfrt::Tensor>(), stream);
  }
};

// An array over elements that live as long as the state of `tensor`.
template <typename Managed>
StatusOr<std::unique_ptr<Exported<Managed>>> MakeExported(const Tensor& tensor,
                                                          const TensorMetadata& metadata,
                                                          const void* elements,
                                                          dlpack::Device device) {
  TFRT_ASSIGN_OR_RETURN(dlpack::DataType type, DlpackOf(metadata.dtype));
  auto exported = std::make_unique<Exported<Managed>>();
  ShapeDims dims = metadata.shape.dims();
  exported->dims.assign(dims.begin(), dims.end());
  exported->strides.resize(dims.size());
  RowMajorStrides(exported->dims, exported->strides);
  exported->tensor = tensor;
  dlpack::Array& out = exported->managed.array;
  out.data = const_cast<void*>(elements);
  out.device = device;
  out.ndim = static_cast<int32_t>(exported->dims.size());
  out.dtype = type;
  out.shape = exported->dims.data();
  out.strides = exported->strides.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  if constexpr (std::is_same_v<Managed, dlpack::ManagedArrayVersioned>) {
    exported->managed.version = dlpack::kVersion;
    exported->managed.flags = dlpack::kReadOnly;
    if (device.type == dlpack::kCpu && tensor.state()->device() != kHostDevice) {
      exported->managed.flags |= dlpack::kIsCopied;
    }
  }
  return exported;
}

template <typename Managed>
StatusOr<Managed*> ExportFromHost(const Tensor& tensor, Location where) {
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, tensor.HostElements(where));
  TFRT_ASSIGN_OR_RETURN(auto exported, MakeExported<Managed>(tensor, dense->metadata(),
                                                             dense->data(), {dlpack::kCpu, 0}));
  return &exported.release()->managed;
}

// Returns null if the tensor is exported in host memory.
const ArrayExchange* ExchangeOf(const Tensor& tensor) {
  const TensorState* state = tensor.state();
  return state && state->core() ? ExchangeOf(*state->core(), state->device()) : nullptr;
}

}  // namespace

template <typename Managed>
StatusOr<Managed*> Tensor::Export(ForeignStream stream, Location where) const {
  const ArrayExchange* exchange = ExchangeOf(*this);
  if (!exchange) return ExportFromHost<Managed>(*this, where);
  TFRT_ASSIGN_OR_RETURN(const tfrt::Tensor* tensor, TensorOnDevice());
  // Texts are in host memory, and have no type here.
  TFRT_RETURN_IF_ERROR(DlpackOf(tensor->dtype()).status());
  TFRT_ASSIGN_OR_RETURN(void* elements, exchange->Lend(*tensor, stream));
  TFRT_ASSIGN_OR_RETURN(auto exported, MakeExported<Managed>(*this, tensor->metadata(), elements,
                                                             dlpack::DeviceOf(*this)));
  exported->exchange = exchange;
  exported->stream = stream;
  return &exported.release()->managed;
}

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensor* array, ForeignStream stream, Location where) {
  if (!array) return InvalidArgumentError("a DLPack array is null");
  dlpack::ManagedArray& managed = dlpack::LayoutOf(array);
  return Import(managed.array, stream, ReleaseOf(&managed), where);
}

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensorVersioned* array, ForeignStream stream,
                                    Location where) {
  if (!array) return InvalidArgumentError("a DLPack array is null");
  dlpack::ManagedArrayVersioned& managed = dlpack::LayoutOf(array);
  if (managed.version.major != dlpack::kVersion.major) {
    return InvalidArgumentError(StrCat("a DLPack array of version ", managed.version.major, ".",
                                       managed.version.minor, " is not of version ",
                                       dlpack::kVersion.major));
  }
  return Import(managed.array, stream, ReleaseOf(&managed), where);
}

StatusOr<DLManagedTensor*> Tensor::ToDlpack(ForeignStream stream, Location where) const {
  TFRT_ASSIGN_OR_RETURN(auto* managed, Export<dlpack::ManagedArray>(stream, where));
  return dlpack::HandleOf(managed);
}

StatusOr<DLManagedTensorVersioned*> Tensor::ToDlpackVersioned(ForeignStream stream,
                                                              Location where) const {
  TFRT_ASSIGN_OR_RETURN(auto* managed, Export<dlpack::ManagedArrayVersioned>(stream, where));
  return dlpack::HandleOf(managed);
}

namespace dlpack {

Device DeviceOf(const Tensor& tensor) {
  if (!ExchangeOf(tensor)) return {kCpu, 0};
  return DlpackDeviceOf(*tensor.state()->core(), tensor.state()->device());
}

StatusOr<DLManagedTensor*> ToHostDlpack(const Tensor& tensor, Location where) {
  TFRT_ASSIGN_OR_RETURN(auto* managed, ExportFromHost<ManagedArray>(tensor, where));
  return HandleOf(managed);
}

StatusOr<DLManagedTensorVersioned*> ToHostDlpackVersioned(const Tensor& tensor, Location where) {
  TFRT_ASSIGN_OR_RETURN(auto* managed, ExportFromHost<ManagedArrayVersioned>(tensor, where));
  return HandleOf(managed);
}

StatusOr<ForeignStream> StreamForProducers(Device device, Location where) {
  if (device.type == kCpu) return ForeignStream::kNone;
  TFRT_ASSIGN_OR_RETURN(ScopeDevice on, FindDevice(device, where));
  return on.exchange->StreamForProducers(on.device());
}

}  // namespace dlpack
}  // namespace tfrt::eager
