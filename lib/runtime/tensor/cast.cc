#include "cast.h"

#include "dtype_dispatch.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

template <typename To, typename From>
void CastElements(const void* from, void* to, size_t count) {
  auto* target = static_cast<To*>(to);
  if constexpr (std::is_same_v<From, bool>) {
    // Bytes of a tensor that need not have been set: read as what they are.
    auto* source = static_cast<const uint8_t*>(from);
    for (size_t i = 0; i < count; ++i) target[i] = CastElement<To>(source[i] != 0);
  } else {
    auto* source = static_cast<const From*>(from);
    for (size_t i = 0; i < count; ++i) target[i] = CastElement<To>(source[i]);
  }
}

}  // namespace

CastFunction FindCast(DType from, DType to) {
  CastFunction cast = nullptr;
  DispatchDType(from, [&]<typename From>(std::type_identity<From>) {
    DispatchDType(to, [&]<typename To>(std::type_identity<To>) {
      if constexpr (internal::kIsComplex<To> || !internal::kIsComplex<From>) {
        cast = &CastElements<To, From>;
      }
    });
  });
  return cast;
}

StatusOr<DenseHostTensor> CastTensor(const DenseHostTensor& tensor, DType dtype,
                                     HostAllocator* allocator) {
  const CastFunction cast = FindCast(tensor.dtype(), dtype);
  if (!cast) {
    return InvalidArgumentError(
        StrCat("cannot cast a tensor of ", DTypeName(tensor.dtype()), " to ", DTypeName(dtype)));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized({dtype, tensor.shape()}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, result.MutableData());
  cast(tensor.data(), data, static_cast<size_t>(tensor.num_elements()));
  return result;
}

}  // namespace tfrt
