// Arrays from and for other libraries, in the DLPack format.

#include "dlpack.h"

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "context_impl.h"
#include "lib/base/support/call_guarded.h"
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

// An array that is known to be in host memory.
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

StatusOr<Incoming> Check(const dlpack::Array& array) {
  if (array.device.type != dlpack::kCpu) {
    return InvalidArgumentError(
        StrCat("a DLPack array on a device of type ", array.device.type, " is not in host memory"));
  }
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
  in.data = static_cast<const std::byte*>(array.data);
  if (in.data) in.data += array.byte_offset;
  return in;
}

// Appends the elements from dimension `dim` on, which begin at `from`. Returns the end of `to`.
std::byte* Gather(const Incoming& in, size_t dim, const std::byte* from, std::byte* to) {
  size_t size = DTypeSize(in.dtype);
  if (dim == in.dims.size()) {
    std::memcpy(to, from, size);
    return to + size;
  }
  for (int64_t i = 0; i < in.dims[dim]; ++i) {
    to = Gather(in, dim + 1, from, to);
    from += in.strides[dim] * static_cast<int64_t>(size);
  }
  return to;
}

HostArray Copied(const Incoming& in) {
  if (!in.strides) return HostArray(in.dtype, in.dims, {in.data, in.bytes});
  std::vector<std::byte> elements(in.bytes);
  Gather(in, 0, in.data, elements.data());
  return HostArray(in.dtype, in.dims, elements);
}

// The array becomes the tensor's if the result is OK.
StatusOr<Tensor> Import(const dlpack::Array& array, std::function<void()> release, Location where) {
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
};

// An array over the elements `dense` of `tensor`.
template <typename Managed>
StatusOr<Managed*> Export(const Tensor& tensor, const DenseHostTensor& dense) {
  TFRT_ASSIGN_OR_RETURN(dlpack::DataType type, DlpackOf(dense.dtype()));
  auto exported = std::make_unique<Exported<Managed>>();
  ShapeDims dims = dense.shape().dims();
  exported->dims.assign(dims.begin(), dims.end());
  exported->strides.resize(dims.size());
  RowMajorStrides(exported->dims, exported->strides);
  exported->tensor = tensor;
  dlpack::Array& out = exported->managed.array;
  out.data = const_cast<void*>(dense.data());
  out.device = {dlpack::kCpu, 0};
  out.ndim = static_cast<int32_t>(exported->dims.size());
  out.dtype = type;
  out.shape = exported->dims.data();
  out.strides = exported->strides.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

}  // namespace

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensor* array, Location where) {
  if (!array) return InvalidArgumentError("a DLPack array is null");
  dlpack::ManagedArray& managed = dlpack::LayoutOf(array);
  return Import(managed.array, ReleaseOf(&managed), where);
}

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensorVersioned* array, Location where) {
  if (!array) return InvalidArgumentError("a DLPack array is null");
  dlpack::ManagedArrayVersioned& managed = dlpack::LayoutOf(array);
  if (managed.version.major != dlpack::kVersion.major) {
    return InvalidArgumentError(StrCat("a DLPack array of version ", managed.version.major, ".",
                                       managed.version.minor, " is not of version ",
                                       dlpack::kVersion.major));
  }
  return Import(managed.array, ReleaseOf(&managed), where);
}

StatusOr<DLManagedTensor*> Tensor::ToDlpack(Location where) const {
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, HostTensor(DType::kUnsupported, where));
  TFRT_ASSIGN_OR_RETURN(auto* managed, Export<dlpack::ManagedArray>(*this, *dense));
  return dlpack::HandleOf(managed);
}

StatusOr<DLManagedTensorVersioned*> Tensor::ToDlpackVersioned(Location where) const {
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* dense, HostTensor(DType::kUnsupported, where));
  TFRT_ASSIGN_OR_RETURN(auto* managed, Export<dlpack::ManagedArrayVersioned>(*this, *dense));
  managed->version = dlpack::kVersion;
  managed->flags = dlpack::kReadOnly;
  if (state_->device() != kHostDevice) managed->flags |= dlpack::kIsCopied;
  return dlpack::HandleOf(managed);
}

}  // namespace tfrt::eager
