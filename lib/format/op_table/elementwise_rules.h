// Shape rules (lib/format/op_table/shape_inference.h) of ops on elements, and of those that only
// look at a tensor.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_RULES_H_

#include "shape_inference.h"

namespace tfrt {

// The result is like the argument.
struct SameRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    results[0].dtype = call.argument(0).dtype;
    results[0].shape = call.argument(0).shape;
    return OkStatus();
  }
};

// The result is the argument.
struct IdentityRule : SameRule {
  static void Follow(const OpShapeCall& call, std::span<ValueType> results) {
    results[0].elements = call.argument(0).elements;
  }
};
struct PassOnFirstRule : IdentityRule {
  static constexpr bool kTakesMore = true;
};

// Two arguments of one dtype.
struct BroadcastRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &a = call.argument(0), &b = call.argument(1);
    auto& result = results[0];
    result.dtype = a.dtype;
    if (!Unite(&result.dtype, b.dtype)) [[unlikely]] {
      return InvalidArgumentError("incompatible dtypes for binary operation");
    }
    if (a.shape == b.shape) [[likely]] {  // also in what is not known
      result.shape = a.shape;
      return OkStatus();
    }
    return InferShape(call, a.shape, b.shape, &result.shape);
  }

 private:
  template <typename Call, typename Shape>
  static Status InferShape(const Call& call, const Shape& a, const Shape& b, Shape* result) {
    if (!HasRank(a) || !HasRank(b)) return OkStatus();
    typename Call::Dims dims;
    if (auto misfit = AppendBroadcast(a, a.rank(), b, b.rank(), &dims)) [[unlikely]] {
      return InvalidArgumentError(StrCat("Dimensions must be equal, but are ",
                                         misfit->first.ToString(), " and ",
                                         misfit->second.ToString()));
    }
    return call.MakeShape(std::move(dims), result);
  }
};

// Elements of sizes, too: of a vector and a vector or a scalar.
namespace internal {
Dim SumOf(Dim a, Dim b);
Dim DifferenceOf(Dim a, Dim b);
Dim ProductOf(Dim a, Dim b);
Dim QuotientOf(Dim a, Dim b);
void FollowArithmetic(const OpShapeCall& call, Dim (*apply)(Dim, Dim),
                      std::span<ValueType> results);
}  // namespace internal
template <Dim (*apply)(Dim, Dim)>
struct ArithmeticRule : BroadcastRule {
  static void Follow(const OpShapeCall& call, std::span<ValueType> results) {
    internal::FollowArithmetic(call, apply, results);
  }
};
using AddRule = ArithmeticRule<internal::SumOf>;
using SubRule = ArithmeticRule<internal::DifferenceOf>;
using MulRule = ArithmeticRule<internal::ProductOf>;
using DivRule = ArithmeticRule<internal::QuotientOf>;

struct ComparisonRule : BroadcastRule {
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    Status status = BroadcastRule::Infer(call, results);
    results[0].dtype = DType::kI1;
    return status;
  }
};

// Whether sizes are equal, as programs ask that choose between them: 1 or 0, if that is certain.
struct EqualRule : ComparisonRule {
  static void Follow(const OpShapeCall& call, std::span<ValueType> results);
};

struct CastRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  static constexpr OpSpelling::Rename kDType = {"DstT", "dtype"};
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& in = call.argument(0);
    std::optional<DType> dtype = call.template Attr<DType>(kDType);
    if (!dtype) return call.Lacks(kDType, "Cast");
    if (DTypeSize(*dtype) == 0) {
      return InvalidArgumentError(
          StrCat("cannot cast a tensor of ", DTypeName(in.dtype), " to ", DTypeName(*dtype)));
    }
    results[0].dtype = *dtype;
    results[0].shape = in.shape;
    return OkStatus();
  }
  static void Follow(const OpShapeCall& call, std::span<ValueType> results);
};

namespace internal {
template <typename Call>
Status CheckBiasDataFormat(const Call& call) {
  if (call.TextAttr("data_format", "NHWC") == "NHWC") return OkStatus();
  return InvalidArgumentError("invalid data format. Currently only support NHWC");
}
}  // namespace internal

// A vector that is added along the last dimension.
struct BiasAddRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &value = call.argument(0), &bias = call.argument(1);
    auto& result = results[0];
    result.dtype = value.dtype;
    if (!Unite(&result.dtype, bias.dtype)) {
      return InvalidArgumentError("incompatible dtypes for tf.BiasAdd");
    }
    TFRT_RETURN_IF_ERROR(internal::CheckBiasDataFormat(call));
    if (HasRank(bias.shape) && bias.shape.rank() != 1) {
      return InvalidArgumentError("bias must be 1-D");
    }
    if (!HasRank(value.shape)) return OkStatus();
    const size_t rank = value.shape.rank();
    if (rank < 2 || rank > 5) {
      return InvalidArgumentError(StrCat(
          "tf.BiasAdd takes values of rank 2 to 5, but the shape is ", value.shape.ToString()));
    }
    result.shape = value.shape;
    auto size = DimIfRanked(bias.shape, 0);
    if (Unite(&result.shape, rank - 1, &size)) return OkStatus();
    return InvalidArgumentError("bias must has the size of the last dimension of value");
  }
};

struct BiasAddGradRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& gradient = call.argument(0);
    TFRT_RETURN_IF_ERROR(internal::CheckBiasDataFormat(call));
    results[0].dtype = gradient.dtype;
    typename Call::Dims dims;
    if (HasRank(gradient.shape)) {
      const size_t rank = gradient.shape.rank();
      if (rank < 2) {
        return InvalidArgumentError(
            StrCat("tf.BiasAddGrad takes gradients of rank 2 or more, but the shape is ",
                   gradient.shape.ToString()));
      }
      dims.push_back(DimOf(gradient.shape, rank - 1));
    } else {
      dims.push_back(typename Call::Size());
    }
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_ELEMENTWISE_RULES_H_
