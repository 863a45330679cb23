// Ops that make one element of several.

#include "elementwise_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// Argument 1 lists the dimensions. None reduce nothing.
Status ReduceShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &in = call.argument(0), &indices = call.argument(1);
  TFRT_ASSIGN_OR_RETURN(bool keep_dims, call.Attr<bool>("keep_dims"));
  results[0] = {in.dtype};
  if (!in.shape.has_rank()) return OkStatus();
  const size_t rank = in.shape.rank();
  auto axes = KnownElements(indices);
  if (!axes) {
    Dim count = NumElementsOf(indices);
    if (keep_dims || count.is(0)) {
      results[0].shape = count.is(0) ? in.shape : SymbolicShape::OfRank(rank);
    } else if (count.is_known()) {
      if (count.value() > static_cast<int64_t>(rank)) {
        return ShapeError(call, count.value(), " dimensions of ", rank, " are reduced");
      }
      results[0].shape = SymbolicShape::OfRank(rank - static_cast<size_t>(count.value()));
    }
    return OkStatus();
  }
  std::vector<bool> reduced(rank);
  for (int64_t axis : *axes) {
    TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizedAxis(call, axis, rank));
    if (reduced[normal]) return ShapeError(call, "axis ", axis, " is reduced twice");
    reduced[normal] = true;
  }
  std::vector<Dim> dims;
  for (size_t i = 0; i < rank; ++i) {
    if (!reduced[i]) dims.push_back(in.shape.dim(i));
    if (reduced[i] && keep_dims) dims.push_back(1);
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

Status ArgmaxShape(const OpShapeCall& call, std::span<ValueType> results) {
  const SymbolicShape& in = call.argument(0).shape;
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, call.Attr<DType>("dtype"));
  TFRT_ASSIGN_OR_RETURN(Dim axis, OneElement(call, call.argument(1), "the dimension"));
  if (!in.has_rank()) return OkStatus();
  if (in.rank() == 0) return ShapeError(call, "a tensor of rank 0 has no dimension");
  std::vector<Dim> dims(in.rank() - 1);
  if (axis.is_known()) {
    TFRT_ASSIGN_OR_RETURN(size_t normal, NormalizedAxis(call, axis.value(), in.rank()));
    dims.assign(in.dims().begin(), in.dims().end());
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(normal));
  }
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

constexpr OpArgumentSpec kReduce[] = {{"input"}, HostArgument("reduction_indices")};
constexpr OpArgumentSpec kArgmax[] = {{"input"}, HostArgument("dimension")};
constexpr OpArgumentSpec kBiasGrad[] = {{"out_backprop"}};
constexpr OpAttrSpec kReduceAttrs[] = {{"keep_dims", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kArgmaxAttrs[] = {{"dtype", AttrKind::kType, "DType::kI64"}};

constexpr OpDescription Reduction(std::string_view name, OpGradient gradient,
                                  std::string_view summary) {
  return {.name = name,
          .summary = summary,
          .arguments = kReduce,
          .attrs = kReduceAttrs,
          .results = kOutput,
          .cost = PerArgumentElement(1),
          .shape = ReduceShape,
          .gradient = gradient};
}

constexpr OpDescription kReductionOps[] = {
    Reduction("reduce_mean", gradients::ReduceMean,
              "The mean over the dimensions that the indices name."),
    Reduction("reduce_sum", gradients::ReduceSum,
              "The sum over the dimensions that the indices name; integers wrap."),
    Reduction("reduce_max", gradients::ReduceExtreme,
              "The largest element over the dimensions that the indices name."),
    Reduction("reduce_min", gradients::ReduceExtreme,
              "The smallest element over the dimensions that the indices name."),
    Reduction("reduce_prod", gradients::ReduceProd,
              "The product over the dimensions that the indices name."),
    Reduction("reduce_l1", gradients::ReduceL1,
              "The sum of absolute values over the dimensions that the indices name."),
    Reduction("reduce_l2", gradients::ReduceL2,
              "The root of the sum of squares over the dimensions that the indices name."),
    Reduction("reduce_sum_square", gradients::ReduceSumSquare,
              "The sum of squares over the dimensions that the indices name."),
    Reduction("reduce_log_sum", gradients::ReduceLogSum,
              "The logarithm of the sum over the dimensions that the indices name."),
    Reduction("reduce_log_sum_exp", gradients::ReduceLogSumExp,
              "The logarithm of the sum of exponentials over the dimensions that the indices "
              "name."),
    {.name = "argmax",
     .summary = "Where the largest element along a dimension is: the first of several, the first "
                "NaN if there is one.",
     .arguments = kArgmax,
     .attrs = kArgmaxAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ArgmaxShape,
     .gradient = kNoFloats},
    {.name = "argmin",
     .summary = "Where the smallest element along a dimension is: the first of several, the first "
                "NaN if there is one.",
     .arguments = kArgmax,
     .attrs = kArgmaxAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ArgmaxShape,
     .gradient = kNoFloats},
    {.name = "bias_add_grad",
     .summary = "The gradient of a bias: the sum over all dimensions but the last.",
     .arguments = kBiasGrad,
     .attrs = kBiasAddAttrs,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<BiasAddGradRule>,
     .gradient = gradients::BiasAddGrad},
};

constexpr OpSpelling::Rename kArgmaxNames[] = {{"output_type", "dtype"}};

constexpr OpSpelling kReductionSpellings[] = {
    {"tf.Mean", "reduce_mean"},
    {"tf.Sum", "reduce_sum"},
    {"tf.Max", "reduce_max"},
    {"tf.Min", "reduce_min"},
    {.name = "_tf.Mean",
     .op = "reduce_mean",
     .folded_argument = "reduction_indices",
     .summary = "`tf.Mean` with the indices as an attribute, of any rank."},
    {.name = "tf.ArgMax", .op = "argmax", .attrs = kArgmaxNames},
    {"tf.BiasAddGrad", "bias_add_grad"},
};

}  // namespace

OpFamily ReductionOps() { return {kReductionOps, kReductionSpellings}; }

}  // namespace tfrt
