// Matrix products: eigen.matmul.*, tfrt_test.matmul.*, tfrt_cpu.matmul.*,
// tfrt_cpu.batch_matmul.f32, tfrt_cpu.pack_matrix.f32, tf_sync._FusedMatMul.f32.

#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "activation.h"
#include "contractions.h"
#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/batch_broadcast.h"
#include "tfrt/kernels/matmul_fusion.h"
#include "tfrt/kernels/shape_functions.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"
#include "weights.h"

namespace tfrt {
namespace {

using contraction::Activation;
using contraction::Compute;
using contraction::ComputeEach;
using contraction::MatMulProblem;
using contraction::Operands;
using contraction::PackedMatrix;
using MatrixWeights = contraction::Weights<MatMulProblem>;

constexpr std::string_view kFirst = "the first matmul input";
constexpr std::string_view kSecond = "the second matmul input";
constexpr std::string_view kOutput = "the matmul output";

// A matrix as a product reads it: [rows, columns], after transposition.
struct MatrixSize {
  int64_t rows;
  int64_t columns;
};

MatrixSize SizeOf(const TensorShape& shape, bool transpose) {
  size_t rank = shape.rank();
  MatrixSize size{shape.dim(rank - 2), shape.dim(rank - 1)};
  return transpose ? MatrixSize{size.columns, size.rows} : size;
}

Status CheckInnerDimensions(const TensorShape& a, MatrixSize a_size, const TensorShape& b,
                            MatrixSize b_size) {
  if (a_size.columns == b_size.rows) return OkStatus();
  return InvalidArgumentError(StrCat(
      "MatMul input tensors inner dimension mismatch: ", a.ToString(), " vs. ", b.ToString()));
}

Status CheckOutput(const TensorShape& a, MatrixSize a_size, const TensorShape& b, MatrixSize b_size,
                   const TensorShape& out) {
  MatrixSize out_size = SizeOf(out, false);
  if (out_size.rows == a_size.rows && out_size.columns == b_size.columns) return OkStatus();
  return InvalidArgumentError(StrCat("MatMul output shape ", out.ToString(),
                                     " does not match product shape of inputs: ", a.ToString(),
                                     " * ", b.ToString()));
}

// The problem's sizes and strides, for matrices that lie densely.
void SetSizes(MatMulProblem& problem, MatrixSize a, MatrixSize b) {
  problem.m = a.rows;
  problem.k = a.columns;
  problem.n = b.columns;
  problem.a_row_stride = problem.transpose_a ? a.rows : a.columns;
  problem.b_row_stride = problem.transpose_b ? b.rows : b.columns;
  problem.out_row_stride = b.columns;
}

// A copy that the output does not overlap; the tensor itself if it does not.
StatusOr<DenseHostTensor> ApartFrom(const DenseHostTensor& out, const DenseHostTensor& input,
                                    const ExecutionContext& exec_ctx) {
  if (!contraction::Overlap(out, input)) return input.ShareBuffer();
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor copy, DenseHostTensor::CreateUninitialized(
                                                  input.metadata(), exec_ctx.host()->allocator()));
  TFRT_ASSIGN_OR_RETURN(void* data, copy.MutableData());
  std::memcpy(data, input.data(), input.size_bytes());
  return copy;
}

// Keeps a tensor that is no argument alive.
RCReference<AsyncValue> ValueOf(DenseHostTensor tensor) {
  return MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(tensor)).ReleaseRCRef();
}

// out [M,N] = alpha * a [M,K] * b [K,N] + beta * out. Beta 0 ignores what `out` holds, even NaN.
// The output may share memory with the inputs.
StatusOr<AsyncValueRef<Chain>> EigenMatMulF32(float alpha, Argument<DenseHostTensor> a,
                                              Argument<DenseHostTensor> b, float beta,
                                              Argument<DenseHostTensor> out, const Chain&,
                                              const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckRank(*a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(*b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(CheckRank(*out, 2, kOutput));
  TFRT_RETURN_IF_ERROR(CheckDType(*a, DType::kF32, kFirst));
  TFRT_RETURN_IF_ERROR(CheckDType(*b, DType::kF32, kSecond));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(*out, kOutput));
  MatrixSize a_size = SizeOf(a->shape(), false), b_size = SizeOf(b->shape(), false);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a->shape(), a_size, b->shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a->shape(), a_size, b->shape(), b_size, out->shape()));
  MatMulProblem problem;
  problem.alpha = alpha;
  problem.beta = beta;
  problem.is_transient = alpha != 1 || (beta != 0 && beta != 1);
  SetSizes(problem, a_size, b_size);
  Operands operands;
  operands.out = out_view.data();
  if (contraction::Overlap(*a, *out) || contraction::Overlap(*b, *out)) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor a_apart, ApartFrom(*out, *a, exec_ctx));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor b_apart, ApartFrom(*out, *b, exec_ctx));
    operands.a = static_cast<const float*>(a_apart.data());
    operands.b = static_cast<const float*>(b_apart.data());
    RCReference<AsyncValue> a_value = ValueOf(std::move(a_apart));
    RCReference<AsyncValue> b_value = ValueOf(std::move(b_apart));
    return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr,
                                  {a_value.get(), b_value.get(), out.value()});
  }
  operands.a = static_cast<const float*>(a->data());
  operands.b = static_cast<const float*>(b->data());
  return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr,
                                {a.value(), b.value(), out.value()});
}

// In which the arithmetic of T wraps, if T is an integer.
template <typename T>
struct ArithmeticOf : std::make_unsigned<T> {};
template <>
struct ArithmeticOf<double> {
  using type = double;
};

// The same for other element types, at once. Integers wrap.
template <typename T>
StatusOr<Chain> EigenMatMul(T alpha, const DenseHostTensor& a, const DenseHostTensor& b, T beta,
                            DenseHostTensor& out, const Chain&) {
  using Number = typename ArithmeticOf<T>::type;
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, kOutput));
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<T>::Create(a, kFirst));
  TFRT_ASSIGN_OR_RETURN(auto b_view, DenseView<T>::Create(b, kSecond));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<T>::Create(out, kOutput));
  MatrixSize a_size = SizeOf(a.shape(), false), b_size = SizeOf(b.shape(), false);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b.shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b.shape(), b_size, out.shape()));
  auto map = [](const T* data, MatrixSize size) {
    return Eigen::Map<const Matrix>(reinterpret_cast<const Number*>(data), size.rows, size.columns);
  };
  Eigen::Map<Matrix> result(reinterpret_cast<Number*>(out_view.data()), a_size.rows,
                            b_size.columns);
  // Eigen makes the product in memory of its own first: the output may share memory with the
  // inputs.
  Matrix product =
      static_cast<Number>(alpha) * (map(a_view.data(), a_size) * map(b_view.data(), b_size));
  if (beta == 0) {
    result = product;
  } else {
    result = product + static_cast<Number>(beta) * result;
  }
  return Chain();
}

// The tensor that the tfrt_cpu kernels write, checked to share no memory with what they read.
StatusOr<float*> OutputData(DenseHostTensor& out,
                            std::initializer_list<const DenseHostTensor*> inputs) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, kOutput));
  for (const DenseHostTensor* input : inputs) {
    if (input && contraction::Overlap(out, *input)) {
      return InvalidArgumentError("the matmul output shares memory with an input");
    }
  }
  return view.data();
}

// A product whose operands fit together.
struct CheckedMatMul {
  MatMulProblem problem;
  Operands operands;
};

// out [M,N] = activation(a [M,K] * b [K,N] + bias [N]), a and b transposed in memory as the flags
// say. The bias may be null.
StatusOr<CheckedMatMul> CheckMatMul(const DenseHostTensor& a, const MatrixWeights& weights,
                                    const DenseHostTensor* bias, DenseHostTensor& out,
                                    Activation activation, bool transpose_a, bool transpose_b) {
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, kOutput));
  TFRT_RETURN_IF_ERROR(CheckDType(a, DType::kF32, kFirst));
  CheckedMatMul checked;
  MatMulProblem& problem = checked.problem;
  problem.transpose_a = transpose_a;
  problem.transpose_b = transpose_b;
  problem.activation = activation;
  Operands& operands = checked.operands;
  TensorShape b_shape;
  if (weights.packed) {
    const MatMulProblem& packed = weights.packed->problem();
    if (packed.transpose_b != transpose_b) {
      return InvalidArgumentError("the packed matrix and the matmul differ in transpose_b");
    }
    b_shape = transpose_b ? TensorShape{packed.n, packed.k} : TensorShape{packed.k, packed.n};
    problem.packed_b = true;
  } else {
    TFRT_RETURN_IF_ERROR(CheckRank(*weights.plain, 2, kSecond));
    TFRT_RETURN_IF_ERROR(CheckDType(*weights.plain, DType::kF32, kSecond));
    b_shape = weights.plain->shape();
    operands.b = static_cast<const float*>(weights.plain->data());
  }
  MatrixSize a_size = SizeOf(a.shape(), transpose_a), b_size = SizeOf(b_shape, transpose_b);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b_shape, b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b_shape, b_size, out.shape()));
  SetSizes(problem, a_size, b_size);
  if (bias) {
    TFRT_RETURN_IF_ERROR(CheckDType(*bias, DType::kF32, "the matmul bias"));
    if (bias->shape() != TensorShape{b_size.columns}) {
      return InvalidArgumentError(StrCat("the matmul bias has the shape ", bias->shape().ToString(),
                                         ", expected [", b_size.columns, "]"));
    }
    problem.has_bias = true;
    operands.bias = static_cast<const float*>(bias->data());
  }
  operands.a = static_cast<const float*>(a.data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(out, {&a, weights.plain, bias}));
  return checked;
}

// `b` may be packed.
StatusOr<AsyncValueRef<Chain>> RunMatMul(const ExecutionContext& exec_ctx,
                                         Argument<DenseHostTensor> a, Argument<AsyncValue> b,
                                         AsyncValue* bias, Argument<DenseHostTensor> out,
                                         Activation activation, bool transpose_a,
                                         bool transpose_b) {
  TFRT_ASSIGN_OR_RETURN(auto weights, contraction::GetWeights<MatMulProblem>(
                                          b, kSecond, "a matrix of tfrt_cpu.pack_matrix.f32"));
  TFRT_ASSIGN_OR_RETURN(CheckedMatMul checked,
                        CheckMatMul(*a, weights, bias ? &bias->get<DenseHostTensor>() : nullptr,
                                    *out, activation, transpose_a, transpose_b));
  return Compute<MatMulProblem>(exec_ctx, checked.problem, checked.operands, weights.packed,
                                {a.value(), b.value(), bias ? bias : a.value(), out.value()});
}

StatusOr<AsyncValueRef<Chain>> MatMul(Argument<DenseHostTensor> a, Argument<AsyncValue> b,
                                      Argument<DenseHostTensor> out, const Chain&,
                                      Attribute<bool> transpose_a, Attribute<bool> transpose_b,
                                      const ExecutionContext& exec_ctx) {
  return RunMatMul(exec_ctx, a, b, nullptr, out, Activation::kNone, *transpose_a, *transpose_b);
}

StatusOr<AsyncValueRef<Chain>> MatMulBias(Argument<DenseHostTensor> a, Argument<AsyncValue> b,
                                          Argument<DenseHostTensor> bias,
                                          Argument<DenseHostTensor> out, const Chain&,
                                          StringAttribute activation, Attribute<bool> transpose_a,
                                          Attribute<bool> transpose_b,
                                          const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Activation parsed, contraction::ParseActivation(*activation));
  return RunMatMul(exec_ctx, a, b, bias.value(), out, parsed, *transpose_a, *transpose_b);
}

// tf._FusedMatMul: the fusion follows the bias.
Status SyncFusedMatMul(const DenseHostTensor& a, const DenseHostTensor& b,
                       const DenseHostTensor& bias, DenseHostTensor& out,
                       AggregateAttribute fused_ops, Attribute<bool> transpose_a,
                       Attribute<bool> transpose_b, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(MatMulFusion fusion, ParseMatMulFusion(fused_ops));
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(CheckMatMulBias(bias.shape(), SizeOf(b.shape(), *transpose_b).columns));
  const Activation activation =
      fusion == MatMulFusion::kRelu ? Activation::kRelu : Activation::kNone;
  TFRT_ASSIGN_OR_RETURN(CheckedMatMul checked,
                        CheckMatMul(a, {&b}, &bias, out, activation, *transpose_a, *transpose_b));
  TFRT_RETURN_IF_ERROR(ComputeOnThisThread(exec_ctx, checked.problem, checked.operands));
  FinishMatMulFusion(fusion, checked.operands.out, out.num_elements());
  return OkStatus();
}

// What the leading dimensions [...] of out [...,M,N] = a [...,M,K] * b [...,K,N] should be.
Status CheckLeadingDimensions(const TensorShape& a, const TensorShape& b, const TensorShape& out) {
  bool fits = out.rank() == std::max(a.rank(), b.rank());
  for (size_t back = 2; fits && back < out.rank(); ++back) {
    const int64_t x = back < a.rank() ? a.dim(a.rank() - 1 - back) : 1;
    const int64_t y = back < b.rank() ? b.dim(b.rank() - 1 - back) : 1;
    fits = (x == y || x == 1 || y == 1) && out.dim(out.rank() - 1 - back) == (x == 1 ? y : x);
  }
  if (fits) return OkStatus();
  return InvalidArgumentError(StrCat("the leading dimensions of a batch matmul do not fit: ",
                                     a.ToString(), " * ", b.ToString(), " = ", out.ToString()));
}

// Makes `problem`, the product of single matrices, that of all the innermost ones that a plan can
// compute at once; `dims` are left for the others.
void TakeInnermost(MatMulProblem& problem, std::vector<BatchBroadcast::Dim>& dims) {
  int64_t a_taken = 1;
  if (!dims.empty() && !problem.transpose_a && dims.back().a_stride == 1 &&
      dims.back().b_stride == 0) {
    // Matrices below each other times one matrix: one tall matrix.
    a_taken = dims.back().size;
    problem.m *= a_taken;
    dims.pop_back();
  }
  if (!dims.empty() && dims.back().a_stride == a_taken && dims.back().b_stride == 1) {
    problem.batch = dims.back().size;
    dims.pop_back();
  }
}

// out [...,M,N] = alpha * a [...,M,K] * b [...,K,N] for every index of the leading dimensions,
// which are broadcast.
StatusOr<AsyncValueRef<Chain>> BatchMatMul(Argument<DenseHostTensor> a, Argument<DenseHostTensor> b,
                                           Argument<DenseHostTensor> out, const Chain&,
                                           Attribute<float> alpha, Attribute<bool> transpose_a,
                                           Attribute<bool> transpose_b,
                                           const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(*a, DType::kF32, kFirst));
  TFRT_RETURN_IF_ERROR(CheckDType(*b, DType::kF32, kSecond));
  for (auto [shape, name] :
       {std::pair{&a->shape(), kFirst}, {&b->shape(), kSecond}, {&out->shape(), kOutput}}) {
    if (shape->rank() >= 2) continue;
    return InvalidArgumentError(
        StrCat(name, " has the shape ", shape->ToString(), ", expected at least rank 2"));
  }
  TFRT_RETURN_IF_ERROR(CheckLeadingDimensions(a->shape(), b->shape(), out->shape()));
  MatMulProblem problem;
  problem.alpha = *alpha;
  problem.is_transient = std::isnan(*alpha);
  problem.transpose_a = *transpose_a;
  problem.transpose_b = *transpose_b;
  MatrixSize a_size = SizeOf(a->shape(), *transpose_a), b_size = SizeOf(b->shape(), *transpose_b);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a->shape(), a_size, b->shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a->shape(), a_size, b->shape(), b_size, out->shape()));
  SetSizes(problem, a_size, b_size);
  Operands operands;
  operands.a = static_cast<const float*>(a->data());
  operands.b = static_cast<const float*>(b->data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(*out, {&*a, &*b}));
  if (out->num_elements() == 0) return GetReadyChain();
  BatchBroadcast batch(a->shape(), b->shape());
  TakeInnermost(problem, batch.dims);
  const auto keep_alive = {a.value(), b.value(), out.value()};
  if (batch.dims.empty()) {
    return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr, keep_alive);
  }
  std::vector<Operands> products(batch.size(), operands);
  const int64_t out_size = problem.batch * problem.m * problem.n;
  for (size_t i = 0; i < products.size(); ++i) {
    BatchBroadcast::Pair pair = batch.At(static_cast<int64_t>(i));
    products[i].a += pair.a * a_size.rows * a_size.columns;
    products[i].b += pair.b * b_size.rows * b_size.columns;
    products[i].out += static_cast<int64_t>(i) * out_size;
  }
  return ComputeEach(exec_ctx, problem, products, keep_alive);
}

// b [K,N] (or [N,K] if transpose_b) in the layout that products of `rows` rows read fastest.
// Products of other numbers of rows may use it as well.
StatusOr<PackedMatrix> PackMatrix(const DenseHostTensor& b, Attribute<int64_t> rows,
                                  Attribute<bool> transpose_b, const ExecutionContext& exec_ctx) {
  constexpr std::string_view kName = "the matrix to pack";
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kName));
  TFRT_RETURN_IF_ERROR(CheckDType(b, DType::kF32, kName));
  constexpr int64_t kMaxRows = std::numeric_limits<int32_t>::max();
  if (*rows < 1 || *rows > kMaxRows) {
    return InvalidArgumentError(
        StrCat("rows must be between 1 and ", kMaxRows, ", but is ", *rows));
  }
  MatMulProblem problem;
  problem.transpose_b = *transpose_b;
  problem.packed_b = true;
  MatrixSize size = SizeOf(b.shape(), *transpose_b);
  SetSizes(problem, {*rows, size.rows}, size);
  return contraction::Contractions::Of(exec_ctx).Pack(problem, static_cast<const float*>(b.data()),
                                                      static_cast<size_t>(b.num_elements()));
}

}  // namespace

void RegisterEigenMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.matmul.f32", TFRT_KERNEL(EigenMatMulF32));
  registry->AddKernel("eigen.matmul.i32", TFRT_KERNEL(EigenMatMul<int32_t>));
}

void RegisterTestMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.matmul.f32.2", TFRT_KERNEL(EigenMatMulF32));
  registry->AddKernel("tfrt_test.matmul.f64.2", TFRT_KERNEL(EigenMatMul<double>));
  registry->AddKernel("tfrt_test.matmul.i32.2", TFRT_KERNEL(EigenMatMul<int32_t>));
  registry->AddKernel("tfrt_test.matmul.i64.2", TFRT_KERNEL(EigenMatMul<int64_t>));
}

void RegisterCpuMatMulKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.matmul.f32", TFRT_KERNEL(MatMul));
  registry->AddKernel("tfrt_cpu.matmul.bias.f32", TFRT_KERNEL(MatMulBias));
  registry->AddSyncKernel("tf_sync._FusedMatMul.f32", TFRT_SYNC_KERNEL(SyncFusedMatMul));
  registry->AddKernel("tfrt_cpu.batch_matmul.f32", TFRT_KERNEL(BatchMatMul));
  registry->AddKernel("tfrt_cpu.pack_matrix.f32", TFRT_KERNEL(PackMatrix));
}

}  // namespace tfrt
