// Systems of equations, inverses, determinants and factors of matrices.
//
// Ops that read one triangle of a symmetric matrix have a gradient there alone: what symmetric
// changes of the matrix have, with the other triangle's part added.

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "gradient_families.h"

namespace tfrt::gradients {
namespace {

using Value = GradientValue;

Value Product(GradientCall& call, Value a, Value b, bool transpose_a = false,
              bool transpose_b = false) {
  const GradientAttr attrs[] = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}};
  return call.Call("batch_matmul", {a, b}, attrs);
}

Value Transposed(GradientCall& call, Value matrices) {
  const size_t rank = call.RankOf(matrices);
  if (rank < 2) return kNoGradient;  // it has failed
  std::vector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return call.Call("transpose", {matrices, call.Integers(permutation)});
}

Value WithDim(GradientCall& call, Value value, int64_t axis) {
  const int64_t axes[] = {axis};
  return call.Call("expand_dims", {value, call.Integers(axes)});
}

// One triangle, the diagonal included or not.
Value Triangle(GradientCall& call, Value matrices, bool upper, bool with_diagonal) {
  const int64_t beside = upper ? 1 : -1;
  const int64_t diagonal[] = {with_diagonal ? 0 : beside};
  const GradientAttr attrs[] = {{"upper", upper}};
  return call.Call("triangle", {matrices, call.Integers(diagonal)}, attrs);
}

// The sum of a triangle with its diagonal and the same without it.
Value TwiceTriangle(GradientCall& call, Value matrices, bool upper) {
  return call.Add(Triangle(call, matrices, upper, true), Triangle(call, matrices, upper, false));
}

// g * A^-T for each matrix of the first argument.
void SetScaledInverse(GradientCall& call, Value g) {
  const Value inverse = Transposed(call, call.Call("inverse", {call.argument(0)}));
  call.SetGradient(0, call.Mul(WithDim(call, WithDim(call, g, -1), -1), inverse));
}

}  // namespace

void Solve(GradientCall& call) {
  const Value a = call.argument(0), y = call.result(0);
  const bool transposed = call.Attr<bool>("transpose_a");
  const GradientAttr attrs[] = {{"transpose_a", !transposed}};
  const Value b_gradient = call.Call("solve", {a, call.gradient(0)}, attrs);
  const Value product = transposed ? Product(call, y, b_gradient, false, true)
                                   : Product(call, b_gradient, y, false, true);
  call.SetGradient(0, call.SumTo(call.Neg(product), a));
  call.SetGradient(1, call.SumTo(b_gradient, call.argument(1)));
}

void Inverse(GradientCall& call) {
  const Value y = call.result(0);
  const Value left = Product(call, y, call.gradient(0), true, false);
  call.SetGradient(0, call.Neg(Product(call, left, y, false, true)));
}

void Determinant(GradientCall& call) {
  SetScaledInverse(call, call.Mul(call.gradient(0), call.result(0)));
}

// Signs do not change.
void Slogdet(GradientCall& call) { SetScaledInverse(call, call.gradient(1)); }

// Murray, "Differentiation of the Cholesky decomposition" (2016), equations 8 to 10.
void Cholesky(GradientCall& call) {
  const bool upper = call.Attr<bool>("upper");
  const Value y = call.result(0), half = call.Number(0.5);
  // y is L, or its transpose; the products below are of L.
  const Value product = upper ? Transposed(call, Product(call, call.gradient(0), y, false, true))
                              : Product(call, y, call.gradient(0), true, false);
  const Value middle = call.Mul(half, TwiceTriangle(call, product, false));
  const Value inverse = call.Call("inverse", {y});
  const Value sum =
      Product(call, Product(call, inverse, middle, !upper, false), inverse, false, upper);
  const Value both = call.Add(sum, Transposed(call, sum));
  call.SetGradient(0, call.Mul(half, TwiceTriangle(call, both, false)));
}

void Eigvalsh(GradientCall& call) {
  const bool lower = call.Attr<bool>("lower");
  const Value vectors = call.CallAll("eigh", {call.argument(0)}, call.SameAttrs({"lower"}))[1];
  const Value scaled = call.Mul(vectors, WithDim(call, call.gradient(0), -2));
  call.SetGradient(0, TwiceTriangle(call, Product(call, scaled, vectors, false, true), !lower));
}

void Svdvals(GradientCall& call) {
  const GradientAttr attrs[] = {{"full_matrices", false}};
  const std::vector<Value> factors = call.CallAll("svd", {call.argument(0)}, attrs);
  const Value scaled = call.Mul(factors[0], WithDim(call, call.gradient(0), -2));
  call.SetGradient(0, Product(call, scaled, factors[2]));
}

}  // namespace tfrt::gradients
