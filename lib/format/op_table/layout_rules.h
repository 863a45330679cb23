// Shape rules (lib/format/op_table/shape_inference.h) of ops that ask for shapes, change them, or
// take parts.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_LAYOUT_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_LAYOUT_RULES_H_

#include "shape_inference.h"

namespace tfrt {

struct ZerosLikeRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  static constexpr OpSpelling::Rename kDType = {"T", "dtype"};
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    std::optional<DType> dtype = call.template Attr<DType>(kDType);
    if (!dtype) return call.Lacks(kDType, "ZerosLike");
    results[0].dtype = *dtype;
    results[0].shape = call.argument(0).shape;
    return OkStatus();
  }
};

// The sizes of the argument are the elements.
struct ShapeOfRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  static constexpr OpSpelling::Rename kDType = {"out_type", "dtype"};
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& in = call.argument(0).shape;
    std::optional<DType> dtype = call.template Attr<DType>(kDType);
    if (!dtype) return call.Lacks(kDType, "Shape");
    if (*dtype != DType::kI32 && *dtype != DType::kI64) {
      return InvalidArgumentError(StrCat("Unsupported `out_type` value: ", DTypeName(*dtype)));
    }
    results[0].dtype = *dtype;
    typename Call::Dims dims;
    using Size = typename Call::Size;
    dims.push_back(HasRank(in) ? Size(static_cast<int64_t>(in.rank())) : Size());
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
  static void Follow(const OpShapeCall& call, std::span<ValueType> results);
};

// The result lacks the dimensions that an attribute lists, or all of size 1.
struct SqueezeRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  static constexpr OpSpelling::Rename kAxes = {"squeeze_dims", "axes"};
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& in = call.argument(0);
    results[0].dtype = in.dtype;
    if (!HasRank(in.shape)) return OkStatus();
    const auto rank = static_cast<int64_t>(in.shape.rank());
    const auto axes =
        call.template Attr<std::vector<int64_t>>(kAxes).value_or(std::vector<int64_t>());
    std::vector<bool> squeezed(in.shape.rank());
    for (int64_t axis : axes) {
      if (axis < -rank || axis >= rank) {
        return InvalidArgumentError(
            StrCat("axis ", axis, " is out of range for the shape ", in.shape.ToString()));
      }
      const auto index = static_cast<size_t>(axis < 0 ? axis + rank : axis);
      const auto size = DimOf(in.shape, index);
      if (size.is_known() && !size.is(1)) {
        return InvalidArgumentError(StrCat("tf.Squeeze cannot remove dimension ", index,
                                           " of the shape ", in.shape.ToString(), ": its size is ",
                                           size.ToString()));
      }
      squeezed[index] = true;
    }
    typename Call::Dims dims;
    for (size_t i = 0; i < in.shape.rank(); ++i) {
      const auto size = DimOf(in.shape, i);
      if (axes.empty() && !size.is_known()) return OkStatus();  // perhaps 1
      if (axes.empty() ? size.is(1) : squeezed[i]) continue;
      dims.push_back(size);
    }
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
  static void Follow(const OpShapeCall& call, std::span<ValueType> results);
};

// The last dimension of the indices is that of places along the first dimensions of the argument.
struct GatherNdRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &in = call.argument(0), &indices = call.argument(1);
    TFRT_RETURN_IF_ERROR(CheckIsInteger("tf.GatherNd", "indices", indices.dtype));
    results[0].dtype = in.dtype;
    if (!HasRank(indices.shape)) return OkStatus();
    if (indices.shape.rank() == 0) {
      return InvalidArgumentError("indices of the shape [] have no last dimension");
    }
    const size_t last = indices.shape.rank() - 1;
    const auto depth = DimOf(indices.shape, last);
    if (!HasRank(in.shape) || !depth.is_known()) return OkStatus();
    if (static_cast<uint64_t>(depth.value()) > in.shape.rank()) {
      return InvalidArgumentError(StrCat("indices of the shape ", indices.shape.ToString(),
                                         " are too many for the shape ", in.shape.ToString()));
    }
    typename Call::Dims dims;
    for (size_t i = 0; i < last; ++i) dims.push_back(DimOf(indices.shape, i));
    for (auto i = static_cast<size_t>(depth.value()); i < in.shape.rank(); ++i) {
      dims.push_back(DimOf(in.shape, i));
    }
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

// Images [n,h,w,c]: [n,c].
struct GlobalAveragePoolRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& in = call.argument(0);
    if (HasRank(in.shape) && in.shape.rank() != 4) {
      return InvalidArgumentError(
          StrCat("the pooling input has the shape ", in.shape.ToString(), ", expected rank 4"));
    }
    results[0].dtype = in.dtype;
    typename Call::Dims dims;
    dims.push_back(DimIfRanked(in.shape, 0));
    dims.push_back(DimIfRanked(in.shape, 3));
    return call.MakeShape(std::move(dims), &results[0].shape);
  }
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_LAYOUT_RULES_H_
