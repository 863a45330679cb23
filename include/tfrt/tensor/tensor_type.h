// TensorType: how a tensor holds its elements. Identified by its name, so that a plug-in can add
// one.
#ifndef TFRT_TENSOR_TENSOR_TYPE_H_
#define TFRT_TENSOR_TENSOR_TYPE_H_

#include <compare>
#include <string_view>

namespace tfrt {

class TensorType {
 public:
  static constexpr std::string_view kProgramTypeName = "tensor type";
  // `name` lives as long as the program: a literal.
  constexpr explicit TensorType(std::string_view name) : name_(name) {}

  // "DenseHost", "ScalarHost", ...
  constexpr std::string_view name() const { return name_; }

  friend constexpr bool operator==(TensorType, TensorType) = default;
  friend constexpr auto operator<=>(TensorType a, TensorType b) { return a.name_ <=> b.name_; }

 private:
  std::string_view name_;
};

inline constexpr TensorType kDenseHostTensorType{"DenseHost"};
inline constexpr TensorType kScalarHostTensorType{"ScalarHost"};
inline constexpr TensorType kStringHostTensorType{"StringHost"};
inline constexpr TensorType kCooHostTensorType{"CooHost"};
// Weights in a library's layout (lib/ops/maths/contraction/packed_weights.h).
inline constexpr TensorType kPackedFilterTensorType{"PackedFilter"};
inline constexpr TensorType kPackedMatrixTensorType{"PackedMatrix"};
inline constexpr TensorType kUnknownTensorType{"Unknown"};

// Returns the host tensor type of this name, or kUnknownTensorType if there is none.
constexpr TensorType HostTensorTypeNamed(std::string_view name) {
  for (TensorType type :
       {kDenseHostTensorType, kScalarHostTensorType, kStringHostTensorType, kCooHostTensorType}) {
    if (type.name() == name) return type;
  }
  return kUnknownTensorType;
}

}  // namespace tfrt

#endif  // TFRT_TENSOR_TENSOR_TYPE_H_
