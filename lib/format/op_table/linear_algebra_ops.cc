// Decompositions of matrices, systems of equations, determinants. Each op works on the matrices in
// the last two dimensions of its arguments.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "op_families.h"
#include "shape_inference.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// f32 and f64, which the libraries compute with.
Status CheckFloats(const OpShapeCall& call, const ValueType& value) {
  if (!value.has_dtype() || value.dtype == DType::kF32 || value.dtype == DType::kF64) {
    return OkStatus();
  }
  return ShapeError(call, "there are matrices of f32 and f64, not of ", DTypeName(value.dtype));
}

Status CheckMatrices(const OpShapeCall& call, const ValueType& value) {
  TFRT_RETURN_IF_ERROR(CheckFloats(call, value));
  if (!value.shape.has_rank() || value.shape.rank() >= 2) return OkStatus();
  return ShapeError(call, "the shape ", value.shape.ToString(),
                    " is not of matrices, which have rank 2 or more");
}

// The size of square matrices.
StatusOr<Dim> CheckSquare(const OpShapeCall& call, const ValueType& value) {
  TFRT_RETURN_IF_ERROR(CheckMatrices(call, value));
  if (!value.shape.has_rank()) return Dim();
  const size_t rank = value.shape.rank();
  if (auto size = Unify(value.shape.dim(rank - 2), value.shape.dim(rank - 1))) return *size;
  return ShapeError(call, "the matrices are not square: the shape is ", value.shape.ToString());
}

// The leading dimensions of matrices, and these; nothing is known if the rank is not.
SymbolicShape BatchOf(const SymbolicShape& matrices, std::vector<Dim> last) {
  if (!matrices.has_rank()) return SymbolicShape();
  std::vector<Dim> dims(matrices.dims().begin(), matrices.dims().end() - 2);
  dims.insert(dims.end(), last.begin(), last.end());
  return SymbolicShape(std::move(dims));
}

// Arguments and results are square matrices of one size.
Status SquareShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(Dim n, CheckSquare(call, x));
  results[0] = {x.dtype, BatchOf(x.shape, {n, n})};
  return OkStatus();
}

// All results are numbers of square matrices.
Status DeterminantShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_RETURN_IF_ERROR(CheckSquare(call, x).status());
  for (ValueType& result : results) result = {x.dtype, BatchOf(x.shape, {})};
  return OkStatus();
}

// Results: eigenvalues, and vectors if there is a second result.
Status EighShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_RETURN_IF_ERROR(call.Attr<bool>("lower").status());
  TFRT_ASSIGN_OR_RETURN(Dim n, CheckSquare(call, x));
  results[0] = {x.dtype, BatchOf(x.shape, {n})};
  if (results.size() > 1) results[1] = {x.dtype, BatchOf(x.shape, {n, n})};
  return OkStatus();
}

Status CholeskyShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(call.Attr<bool>("upper").status());
  return SquareShape(call, results);
}

// Rows, columns and the smaller of both; unknown without a rank.
struct Sizes {
  Dim m, n, k;
};
StatusOr<Sizes> SizesOf(const OpShapeCall& call, const ValueType& x) {
  TFRT_RETURN_IF_ERROR(CheckMatrices(call, x));
  if (!x.shape.has_rank()) return Sizes();
  const size_t rank = x.shape.rank();
  Sizes sizes{x.shape.dim(rank - 2), x.shape.dim(rank - 1), Dim()};
  if (sizes.m.is_known() && sizes.n.is_known()) {
    sizes.k = std::min(sizes.m.value(), sizes.n.value());
  } else if (sizes.m.IsSameAs(sizes.n)) {
    sizes.k = sizes.m;
  }
  return sizes;
}

Status QrShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(bool complete, call.Attr<bool>("complete"));
  TFRT_ASSIGN_OR_RETURN(Sizes sizes, SizesOf(call, x));
  const Dim inner = complete ? sizes.m : sizes.k;
  results[0] = {x.dtype, BatchOf(x.shape, {sizes.m, inner})};
  results[1] = {x.dtype, BatchOf(x.shape, {inner, sizes.n})};
  return OkStatus();
}

Status SvdShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(bool full, call.Attr<bool>("full_matrices"));
  TFRT_ASSIGN_OR_RETURN(Sizes sizes, SizesOf(call, x));
  results[0] = {x.dtype, BatchOf(x.shape, {sizes.m, full ? sizes.m : sizes.k})};
  results[1] = {x.dtype, BatchOf(x.shape, {sizes.k})};
  results[2] = {x.dtype, BatchOf(x.shape, {full ? sizes.n : sizes.k, sizes.n})};
  return OkStatus();
}

Status SvdvalsShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& x = call.argument(0);
  TFRT_ASSIGN_OR_RETURN(Sizes sizes, SizesOf(call, x));
  results[0] = {x.dtype, BatchOf(x.shape, {sizes.k})};
  return OkStatus();
}

// Square matrices and right sides, whose leading dimensions are broadcast.
Status SolveShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType &a = call.argument(0), &b = call.argument(1);
  TFRT_RETURN_IF_ERROR(call.Attr<bool>("transpose_a").status());
  TFRT_ASSIGN_OR_RETURN(Dim n, CheckSquare(call, a));
  TFRT_RETURN_IF_ERROR(CheckMatrices(call, b));
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, a.dtype, b.dtype));
  if (!b.shape.has_rank()) return OkStatus();
  const size_t rank = b.shape.rank();
  const auto rows = Unify(n, b.shape.dim(rank - 2));
  if (!rows) {
    return ShapeError(call, "matrices of the shape ", a.shape.ToString(),
                      " have no right side of the shape ", b.shape.ToString());
  }
  if (!a.shape.has_rank()) return OkStatus();
  TFRT_ASSIGN_OR_RETURN(SymbolicShape batch,
                        Broadcast(call, BatchOf(a.shape, {}), BatchOf(b.shape, {})));
  std::vector<Dim> dims(batch.dims().begin(), batch.dims().end());
  dims.insert(dims.end(), {*rows, b.shape.dim(rank - 1)});
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

constexpr OpArgumentSpec kEquations[] = {{"a"}, {"b"}};
constexpr OpAttrSpec kUpper[] = {{"upper", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kComplete[] = {{"complete", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kFullMatrices[] = {{"full_matrices", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kLower[] = {{"lower", AttrKind::kBool, "true"}};
constexpr OpAttrSpec kTransposeA[] = {{"transpose_a", AttrKind::kBool, "false"}};
constexpr std::string_view kQrResults[] = {"q", "r"};
constexpr std::string_view kSvdResults[] = {"u", "s", "vh"};
constexpr std::string_view kSingularValues[] = {"s"};
constexpr std::string_view kEighResults[] = {"eigenvalues", "eigenvectors"};
constexpr std::span<const std::string_view> kEigenvalues = std::span(kEighResults).first(1);
constexpr std::string_view kSlogdetResults[] = {"sign", "logabsdet"};

constexpr OpCostFormula kDecomposes = UnknownCost("it is a decomposition");
constexpr OpGradient kFreeSigns("the signs of its vectors are free, and no rule is written for it");

constexpr OpDescription kLinearAlgebraOps[] = {
    {.name = "cholesky",
     .summary = "The triangular factor L with `x = L L^T` of positive definite matrices, or L^T if "
                "`upper`; the lower triangle of `x` is read.",
     .arguments = kX,
     .attrs = kUpper,
     .results = kY,
     .cost = kDecomposes,
     .shape = CholeskyShape,
     .gradient = gradients::Cholesky},
    {.name = "qr",
     .summary = "`x = q r` with orthonormal columns of `q` and upper triangular `r`; `complete` "
                "makes `q` square.",
     .arguments = kX,
     .attrs = kComplete,
     .results = kQrResults,
     .cost = kDecomposes,
     .shape = QrShape,
     .gradient = kFreeSigns},
    {.name = "svd",
     .summary = "`x = u diag(s) vh` with orthonormal columns of `u` and rows of `vh` and falling "
                "`s`; `full_matrices` makes both square.",
     .arguments = kX,
     .attrs = kFullMatrices,
     .results = kSvdResults,
     .cost = kDecomposes,
     .shape = SvdShape,
     .gradient = kFreeSigns},
    {.name = "svdvals",
     .summary = "The singular values of matrices, the largest first.",
     .arguments = kX,
     .results = kSingularValues,
     .cost = kDecomposes,
     .shape = SvdvalsShape,
     .gradient = gradients::Svdvals},
    {.name = "eigh",
     .summary = "The eigenvalues of symmetric matrices, the smallest first, and their vectors as "
                "columns; one triangle of `x` is read, the lower one if `lower`.",
     .arguments = kX,
     .attrs = kLower,
     .results = kEighResults,
     .cost = kDecomposes,
     .shape = EighShape,
     .gradient = kFreeSigns},
    {.name = "eigvalsh",
     .summary = "The eigenvalues of symmetric matrices, the smallest first; one triangle of `x` is "
                "read, the lower one if `lower`.",
     .arguments = kX,
     .attrs = kLower,
     .results = kEigenvalues,
     .cost = kDecomposes,
     .shape = EighShape,
     .gradient = gradients::Eigvalsh},
    {.name = "solve",
     .summary = "The matrices `y` with `a y = b`, or `a^T y = b` if `transpose_a`; the other "
                "dimensions of `a` and `b` are broadcast.",
     .arguments = kEquations,
     .attrs = kTransposeA,
     .results = kY,
     .cost = kDecomposes,
     .shape = SolveShape,
     .gradient = gradients::Solve},
    {.name = "inverse",
     .summary = "The inverse matrices.",
     .arguments = kX,
     .results = kY,
     .cost = kDecomposes,
     .shape = SquareShape,
     .gradient = gradients::Inverse},
    {.name = "determinant",
     .summary = "The determinants of matrices.",
     .arguments = kX,
     .results = kY,
     .cost = kDecomposes,
     .shape = DeterminantShape,
     .gradient = gradients::Determinant},
    {.name = "slogdet",
     .summary = "The signs of determinants, and the logarithms of their magnitudes: 0 and -inf of "
                "singular matrices.",
     .arguments = kX,
     .results = kSlogdetResults,
     .cost = kDecomposes,
     .shape = DeterminantShape,
     .gradient = gradients::Slogdet},
};

}  // namespace

OpFamily LinearAlgebraOps() { return {kLinearAlgebraOps, {}}; }

}  // namespace tfrt
