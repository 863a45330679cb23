// ScalarHostTensor<T>: a tensor of any shape whose elements all have one value.
#ifndef TFRT_TENSOR_SCALAR_HOST_TENSOR_H_
#define TFRT_TENSOR_SCALAR_HOST_TENSOR_H_

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/type_id.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// The base of scalar tensors of all element types.
class AnyScalarHostTensor : public Tensor {
 public:
  using AsyncValueBases = BaseTypes<Tensor>;

  TensorType tensor_type() const override { return kScalarHostTensorType; }
  // Returns the value: DTypeSize(dtype()) bytes.
  const void* data() const { return value_; }
  // Returns "ScalarHostTensor dtype = f32, shape = [2, 3], value = 1.000000e+00".
  std::string ToString() const override;

 protected:
  AnyScalarHostTensor(TensorMetadata metadata, const void* value, size_t size_bytes)
      : Tensor(std::move(metadata)) {
    std::memcpy(value_, value, size_bytes);
  }
  AnyScalarHostTensor(AnyScalarHostTensor&&) = default;
  AnyScalarHostTensor& operator=(AnyScalarHostTensor&&) = default;

 private:
  alignas(8) unsigned char value_[16] = {};  // large enough for any dtype
};

template <typename T>
class ScalarHostTensor final : public AnyScalarHostTensor {
  static_assert(DTypeOf<T>() != DType::kUnsupported, "not an element type");
  static_assert(sizeof(T) <= 16 && alignof(T) <= 8);

 public:
  static constexpr std::string_view kProgramTypeName = "scalar tensor";
  using AsyncValueBases = BaseTypes<AnyScalarHostTensor, Tensor>;

  ScalarHostTensor(TensorShape shape, T value)
      : AnyScalarHostTensor({DTypeOf<T>(), std::move(shape)}, &value, sizeof(T)) {}
  ScalarHostTensor(ScalarHostTensor&&) = default;
  ScalarHostTensor& operator=(ScalarHostTensor&&) = default;

  T value() const {
    T value;
    std::memcpy(&value, data(), sizeof(T));
    return value;
  }
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_SCALAR_HOST_TENSOR_H_
