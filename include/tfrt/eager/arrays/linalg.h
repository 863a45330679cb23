// Linear algebra: the extension `linalg` of the array API standard.
//
//   auto [values, vectors] = arrays::linalg::Eigh(x);
//   Tensor y = arrays::linalg::Solve(a, b);
//
// Functions work on the matrices in the last two axes. Decompositions take f32 and f64; a matrix
// with an infinity or a NaN has results of NaN. Norms take all floats. Gradients go through what
// has one result, and Slogdet.
#ifndef TFRT_EAGER_ARRAYS_LINALG_H_
#define TFRT_EAGER_ARRAYS_LINALG_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/arrays/manipulation.h"
#include "tfrt/eager/arrays/products.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"

namespace tfrt::eager::arrays::linalg {

// --- Products, which are those of `arrays` ---

using arrays::Matmul;
using arrays::MatrixTranspose;
using arrays::Outer;
using arrays::Tensordot;
using arrays::Vecdot;

struct CrossOptions {
  int64_t axis = -1;
};
// The cross products of vectors of size 3 along an axis. The other axes are broadcast, dtypes are
// promoted. InvalidArgument for other sizes, and for bools.
Tensor Cross(const Tensor& x1, const Tensor& x2, const CrossOptions& options = {},
             Location where = Here());
// The product of n equal matrices [..., M, M]; of -n inverses, if n < 0; the identity, if it is 0.
Tensor MatrixPower(const Tensor& x, int64_t n, Location where = Here());

// --- Decompositions ---

struct CholeskyOptions {
  bool upper = false;  // the transpose of L
};
// The lower triangular L with `x = L L^T` of positive definite matrices [..., M, M], whose lower
// triangles are read. InvalidArgument, with its number, if a matrix is not positive definite.
Tensor Cholesky(const Tensor& x, const CholeskyOptions& options = {}, Location where = Here());

struct QrOptions {
  std::string_view mode = "reduced";  // "complete": K is M
};
struct QrResult {
  Tensor q, r;
};
// `x = q r` of matrices [..., M, N] with orthonormal columns of q [..., M, K] and upper triangular
// r [..., K, N]. K is the smaller size.
QrResult Qr(const Tensor& x, const QrOptions& options = {}, Location where = Here());

struct SvdOptions {
  bool full_matrices = true;  // without: the last size of u and the first of vh are K
};
struct SvdResult {
  Tensor u, s, vh;
};
// `x = u diag(s) vh` of matrices [..., M, N]. Left vectors are columns of u [..., M, M], right ones
// are rows of vh [..., N, N]. Singular values s [..., K] begin with the largest. K is the smaller
// size.
SvdResult Svd(const Tensor& x, const SvdOptions& options = {}, Location where = Here());
// The singular values alone.
Tensor Svdvals(const Tensor& x, Location where = Here());

struct EighResult {
  Tensor eigenvalues, eigenvectors;
};
// Eigenvalues [..., M], the smallest first, and eigenvectors as columns [..., M, M] of symmetric
// matrices, whose lower triangles are read.
EighResult Eigh(const Tensor& x, Location where = Here());
// The eigenvalues alone.
Tensor Eigvalsh(const Tensor& x, Location where = Here());

// --- Equations ---

// The y with `x1 y = x2`, of x1 [..., M, M]. x2 is one vector [M], or matrices [..., M, K]. The
// axes before the matrices are broadcast. f32 and f64 meet in f64. InvalidArgument, with its
// number, if a matrix is singular.
Tensor Solve(const Tensor& x1, const Tensor& x2, Location where = Here());
// The inverses of matrices [..., M, M]. InvalidArgument, with its number, if one is singular.
Tensor Inv(const Tensor& x, Location where = Here());
struct RankOptions {
  // A number, or one for each matrix; left out: the larger size times the distance of 1 to the next
  // number.
  Operand rtol = {};
};
// The pseudo-inverses [..., N, M] of matrices [..., M, N], which may be complex. Singular values of
// at most `rtol` times the largest count as 0.
Tensor Pinv(const Tensor& x, const RankOptions& options = {}, Location where = Here());
// How many singular values are more than `rtol` times the largest, as i32.
Tensor MatrixRank(const Tensor& x, const RankOptions& options = {}, Location where = Here());

// --- Numbers of matrices ---

// The determinants [...] of matrices [..., M, M].
Tensor Det(const Tensor& x, Location where = Here());
struct SlogdetResult {
  Tensor sign, logabsdet;
};
// The signs of determinants and the logarithms of their magnitudes: 0 and -inf of singular ones.
SlogdetResult Slogdet(const Tensor& x, Location where = Here());

struct DiagonalOptions {
  int64_t offset = 0;  // 1: one column to the right of the main diagonal
};
// The diagonals [..., K] of matrices [..., M, N] of any dtype.
Tensor Diagonal(const Tensor& x, const DiagonalOptions& options = {}, Location where = Here());
struct TraceOptions {
  int64_t offset = 0;
  std::optional<DType> dtype = std::nullopt;  // none: that of Sum
};
// The sums [...] of the diagonals. InvalidArgument for bools.
Tensor Trace(const Tensor& x, const TraceOptions& options = {}, Location where = Here());

// A norm of matrices by its name or number. The text of a name must live as long.
class MatrixOrder {
 public:
  MatrixOrder(const char* name) : name_(name) {}       // NOLINT: implicit by design
  MatrixOrder(std::string_view name) : name_(name) {}  // NOLINT: implicit by design
  template <typename T>
    requires std::is_arithmetic_v<T>
  MatrixOrder(T number) : number_(static_cast<double>(number)) {}  // NOLINT: implicit by design

  std::string_view name() const { return name_; }  // empty: it is a number
  double number() const { return number_; }

 private:
  std::string_view name_;
  double number_ = 0;
};
struct MatrixNormOptions {
  bool keepdims = false;  // [..., 1, 1]
  // "fro" is the root of the sum of squares, "nuc" the sum of singular values. The orders 1 and
  // infinity are the largest sum of magnitudes of a column and of a row. The order 2 is the largest
  // singular value. With -1, -infinity and -2 it is the smallest. Singular values are those of f32
  // and f64.
  MatrixOrder ord = "fro";
};
// A norm [...] of matrices [..., M, N]. InvalidArgument for another order.
Tensor MatrixNorm(const Tensor& x, const MatrixNormOptions& options = {}, Location where = Here());

struct VectorNormOptions {
  Axes axis = {};  // none: all
  bool keepdims = false;
  // Infinity and -infinity: the largest and the smallest magnitude; 0: how many are not 0.
  double ord = 2;
};
// A norm of the vectors along axes: the root `ord` of the sum of magnitudes to the power `ord`.
Tensor VectorNorm(const Tensor& x, const VectorNormOptions& options = {}, Location where = Here());

}  // namespace tfrt::eager::arrays::linalg

#endif  // TFRT_EAGER_ARRAYS_LINALG_H_
