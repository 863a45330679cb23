// Matrix products.

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "activation.h"
#include "gpu_ops.h"
#include "kernels.h"
#include "lib/ops/maths/shapes/batch_broadcast.h"
#include "library_products.h"
#include "tfrt/host_context/attribute_views.h"
#include "widen_kernel.h"

namespace tfrt::gpu {
namespace {

struct ProductSizes {
  int64_t m, n, k;
};

// One product, or many of the same sizes.
class MatMulKernel {
 public:
  static StatusOr<MatMulKernel> Make(GpuOpSetup& setup, bool transpose_a, bool transpose_b) {
    const DType dtype = setup.dtype(0);
    for (size_t i = 1; i < setup.num_arguments(); ++i) {
      if (setup.has(i) && setup.dtype(i) != dtype) {
        return setup.DifferentDTypes(dtype, setup.dtype(i));
      }
    }
    return MakeOf(setup, dtype, transpose_a, transpose_b);
  }
  static StatusOr<MatMulKernel> MakeOf(GpuOpSetup& setup, DType dtype, bool transpose_a,
                                       bool transpose_b) {
    TFRT_ASSIGN_OR_RETURN(const Function* tiles, setup.TypedKernel("matmul", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* few_rows, setup.TypedKernel("matmul_few_rows", dtype));
    TFRT_ASSIGN_OR_RETURN(const Function* parts, setup.TypedKernel("matmul_parts", dtype));
    TFRT_ASSIGN_OR_RETURN(ProductLibrary library, ProductLibrary::Make(dtype));
    return MatMulKernel(tiles, few_rows, parts, library, transpose_a, transpose_b);
  }

  // Returns those of the matrices, which are the last two dimensions.
  ProductSizes SizesOf(const TensorShape& a, const TensorShape& b) const {
    const size_t rank_a = a.rank(), rank_b = b.rank();
    return {.m = a.dim(rank_a - (transpose_a_ ? 1 : 2)),
            .n = b.dim(rank_b - (transpose_b_ ? 2 : 1)),
            .k = a.dim(rank_a - (transpose_a_ ? 2 : 1))};
  }

  // Enqueues `batch` products, whose matrices are so many elements apart: 0 repeats one.
  Status Run(GpuOpCall& call, const OpBytes& out, const OpBytes& a, const OpBytes& b,
             const OpBytes& bias, const ProductSizes& sizes, int32_t activation, int64_t batch = 1,
             int64_t a_step = 0, int64_t b_step = 0) const {
    const auto [m, n, k] = sizes;
    TFRT_ASSIGN_OR_RETURN(
        bool is_served, library_.Add(call, {.m = m,
                                            .n = n,
                                            .k = k,
                                            .transpose_a = transpose_a_,
                                            .transpose_b = transpose_b_,
                                            .a = a,
                                            .b = b,
                                            .result = out,
                                            .bias = bias,
                                            .activation = static_cast<MatMulActivation>(activation),
                                            .batch = batch,
                                            .a_step = a_step,
                                            .b_step = b_step}));
    if (is_served) return OkStatus();
    const int32_t transposed =
        (transpose_a_ ? kMatMulTransposedA : 0) | (transpose_b_ ? kMatMulTransposedB : 0);
    const MatMulLaunch plan = PlanMatMul(batch, m, n, k);
    const Function& function = plan.has_few_rows ? *few_rows_ : *tiles_;
    if (plan.parts == 1) {
      return call.Launch(function, plan.first, out, a, b, bias, batch, m, n, k, a_step, b_step,
                         transposed, activation, plan.parts);
    }
    TFRT_ASSIGN_OR_RETURN(OpBytes sums, call.Scratch(static_cast<size_t>(plan.scratch_bytes)));
    TFRT_RETURN_IF_ERROR(call.Launch(function, plan.first, sums, a, b, bias, batch, m, n, k, a_step,
                                     b_step, transposed, activation, plan.parts));
    return call.Launch(*parts_, plan.combine, out, sums, bias, batch, m, n, activation, plan.parts);
  }

  // Enqueues the products of the last two dimensions of arguments 0 and 1; the others are
  // broadcast. `a` and `b` are their elements, of so many bytes.
  Status RunBatch(GpuOpCall& call, const OpBytes& out, int64_t out_element_bytes, const OpBytes& a,
                  const OpBytes& b, int64_t element_bytes, const OpBytes& bias,
                  int32_t activation) const {
    const TensorShape &a_shape = call.argument(0).shape, &b_shape = call.argument(1).shape;
    const BatchBroadcast batch(a_shape, b_shape);
    const ProductSizes sizes = SizesOf(a_shape, b_shape);
    const int64_t a_size = sizes.m * sizes.k, b_size = sizes.k * sizes.n;
    const int64_t out_size = sizes.m * sizes.n;
    // A launch for all matrices along the last dimension.
    const BatchBroadcast::Dim last =
        batch.dims.empty() ? BatchBroadcast::Dim{1, 0, 0} : batch.dims.back();
    const int64_t num_matrices = batch.size();
    for (int64_t i = 0; i < num_matrices; i += last.size) {
      const BatchBroadcast::Pair first = batch.At(i);
      TFRT_RETURN_IF_ERROR(Run(call, Shifted(out, i * out_size * out_element_bytes),
                               Shifted(a, first.a * a_size * element_bytes),
                               Shifted(b, first.b * b_size * element_bytes), bias, sizes,
                               activation, last.size, last.a_stride * a_size,
                               last.b_stride * b_size));
    }
    return OkStatus();
  }

 private:
  MatMulKernel(const Function* tiles, const Function* few_rows, const Function* parts,
               ProductLibrary library, bool transpose_a, bool transpose_b)
      : tiles_(tiles),
        few_rows_(few_rows),
        parts_(parts),
        library_(library),
        transpose_a_(transpose_a),
        transpose_b_(transpose_b) {}

  const Function* tiles_;
  const Function* few_rows_;
  const Function* parts_;
  ProductLibrary library_;  // where it serves a product
  bool transpose_a_, transpose_b_;
};

// activation(a * b + bias) of two matrices.
class MatMul final : public GpuOp {
 public:
  MatMul(MatMulKernel kernel, Activation activation) : kernel_(kernel), activation_(activation) {}

  static MadeOp Make(GpuOpSetup& setup, std::string_view activation) {
    TFRT_ASSIGN_OR_RETURN(MatMulKernel kernel,
                          MatMulKernel::Make(setup, setup.Attr<bool>("transpose_a"),
                                             setup.Attr<bool>("transpose_b")));
    TFRT_ASSIGN_OR_RETURN(Activation made, Activation::Make(setup, activation));
    return std::make_unique<MatMul>(kernel, made);
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    const OpBytes bias = call.num_arguments() > 2 ? call.bytes(2) : OpBytes();
    const ProductSizes sizes = kernel_.SizesOf(call.argument(0).shape, call.argument(1).shape);
    TFRT_RETURN_IF_ERROR(
        kernel_.Run(call, out, call.bytes(0), call.bytes(1), bias, sizes, activation_.in_kernel()));
    return activation_.Run(call, out, sizes.m * sizes.n);
  }

 private:
  const MatMulKernel kernel_;
  const Activation activation_;
};

// Products of the last two dimensions; the others are broadcast.
class BatchMatMul final : public GpuOp {
 public:
  explicit BatchMatMul(MatMulKernel kernel) : kernel_(kernel) {}

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const auto element_bytes = static_cast<int64_t>(DTypeSize(call.result(0).dtype));
    return kernel_.RunBatch(call, out, element_bytes, call.bytes(0), call.bytes(1), element_bytes,
                            {}, 0);
  }

 private:
  const MatMulKernel kernel_;
};

// activation(scale * batch_matmul + bias + addend). A scale or an addend is the work of a second
// launch, which reads the sums before they are rounded.
class FusedBatchMatMul final : public GpuOp {
 public:
  FusedBatchMatMul(MatMulKernel kernel, Activation activation, const Function* epilogue,
                   CopyKernel copy, float scale)
      : kernel_(kernel),
        activation_(activation),
        epilogue_(epilogue),
        copy_(std::move(copy)),
        scale_(scale) {}

  static MadeOp Make(GpuOpSetup& setup) {
    const DType dtype = setup.dtype(0);
    const OpAttrsRef& attrs = setup.attrs();
    const auto scale = setup.Attr<float>("scale");
    TFRT_ASSIGN_OR_RETURN(MatMulKernel kernel,
                          MatMulKernel::Make(setup, setup.Attr<bool>("transpose_a"),
                                             setup.Attr<bool>("transpose_b")));
    TFRT_ASSIGN_OR_RETURN(Activation activation,
                          Activation::Make(setup, attrs.GetString("activation").value(),
                                           setup.Attr<float>("alpha"), setup.Attr<float>("beta")));
    TFRT_ASSIGN_OR_RETURN(CopyKernel copy, CopyKernel::Make(setup, dtype));
    const Function* epilogue = nullptr;
    if (scale != 1 || setup.has(3)) {
      TFRT_ASSIGN_OR_RETURN(epilogue, setup.TypedKernel("epilogue", dtype));
    }
    return std::make_unique<FusedBatchMatMul>(kernel, activation, epilogue, std::move(copy), scale);
  }

  Status Run(GpuOpCall& call) const override {
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    const TensorShape& shape = call.result(0).shape;
    const auto element_bytes = static_cast<int64_t>(DTypeSize(call.result(0).dtype));
    const OpBytes bias = call.has(2) ? call.bytes(2) : OpBytes();
    if (!epilogue_) {
      TFRT_RETURN_IF_ERROR(kernel_.RunBatch(call, out, element_bytes, call.bytes(0), call.bytes(1),
                                            element_bytes, bias, activation_.in_kernel()));
      return activation_.Run(call, out, shape.num_elements());
    }
    const int64_t sum_bytes = element_bytes < 4 ? 4 : element_bytes;
    OpBytes sums = out;
    if (sum_bytes != element_bytes) {
      TFRT_ASSIGN_OR_RETURN(sums,
                            call.Scratch(static_cast<size_t>(shape.num_elements() * sum_bytes)));
    }
    TFRT_RETURN_IF_ERROR(kernel_.RunBatch(call, sums, sum_bytes, call.bytes(0), call.bytes(1),
                                          element_bytes, {},
                                          static_cast<int32_t>(MatMulActivation::kSumsAlone)));
    OpBytes addend;
    if (call.has(3)) {
      TFRT_ASSIGN_OR_RETURN(addend,
                            copy_.Broadcast(call, call.bytes(3), call.argument(3).shape, shape));
    }
    TFRT_RETURN_IF_ERROR(call.Launch(*epilogue_, ElementwiseLaunch(shape.num_elements()), out, sums,
                                     bias, addend, scale_, shape.num_elements(),
                                     shape.dim(shape.rank() - 1), activation_.in_kernel()));
    return activation_.Run(call, out, shape.num_elements());
  }

 private:
  const MatMulKernel kernel_;
  const Activation activation_;
  const Function* const epilogue_;  // null: none is needed
  const CopyKernel copy_;
  const float scale_;
};

// batch_matmul of bytes minus their zero points, in i32.
class MatMulInteger final : public GpuOp {
 public:
  MatMulInteger(MatMulKernel kernel, WidenKernel a, WidenKernel b)
      : kernel_(kernel), a_(a), b_(b) {}

  static MadeOp Make(GpuOpSetup& setup) {
    TFRT_ASSIGN_OR_RETURN(WidenKernel a, WidenKernel::Make(setup, 0, 2));
    TFRT_ASSIGN_OR_RETURN(WidenKernel b, WidenKernel::Make(setup, 1, 3));
    TFRT_ASSIGN_OR_RETURN(MatMulKernel kernel,
                          MatMulKernel::MakeOf(setup, DType::kI32, false, false));
    return std::make_unique<MatMulInteger>(kernel, a, b);
  }

  Status Run(GpuOpCall& call) const override {
    const TensorShape &a_shape = call.argument(0).shape, &b_shape = call.argument(1).shape;
    const ProductSizes sizes = kernel_.SizesOf(a_shape, b_shape);
    // Zero points of rows may be those of one matrix, or of all.
    const int64_t all_rows = sizes.k == 0 ? sizes.m : a_shape.num_elements() / sizes.k;
    const bool is_for_all = call.has(2) && call.argument(2).shape.num_elements() == all_rows;
    TFRT_ASSIGN_OR_RETURN(OpBytes a,
                          a_.Run(call, "the rows", is_for_all ? all_rows : sizes.m, sizes.k));
    TFRT_ASSIGN_OR_RETURN(OpBytes b, b_.Run(call, "the columns", sizes.n, 1));
    TFRT_ASSIGN_OR_RETURN(OpBytes out, call.Allocate(0));
    if (out.size_bytes == 0) return OkStatus();
    return kernel_.RunBatch(call, out, sizeof(int32_t), a, b, sizeof(int32_t), {}, 0);
  }

 private:
  const MatMulKernel kernel_;
  const WidenKernel a_, b_;
};

MadeOp MakeMatMul(GpuOpSetup& setup) { return MatMul::Make(setup, "none"); }

MadeOp MakeMatMulBias(GpuOpSetup& setup) {
  return MatMul::Make(setup, setup.attrs().GetString("activation").value());
}

// The fused ops are "BiasAdd" and perhaps an activation.
MadeOp MakeFusedMatMul(GpuOpSetup& setup) {
  const AggregateAttribute fused = setup.attrs().GetAggregate("fused_ops").value();
  auto op = [&](size_t i) { return StringAttribute(fused.element_data(i)).get(); };
  std::optional<std::string_view> activation;
  if (fused.size() == 1) activation = "none";
  if (fused.size() == 2) {
    if (op(1) == "Relu") activation = "relu";
    if (op(1) == "Relu6") activation = "relu6";
    if (op(1) == "Elu") activation = "elu";
  }
  if (fused.size() == 0 || op(0) != "BiasAdd" || !activation || setup.num_arguments() != 3) {
    return InvalidArgumentError(StrCat(setup.op_name(),
                                       " takes a bias, and fuses BiasAdd and then "
                                       "perhaps Relu, Relu6 or Elu"));
  }
  return MatMul::Make(setup, *activation);
}

MadeOp MakeBatchMatMul(GpuOpSetup& setup) {
  TFRT_ASSIGN_OR_RETURN(
      MatMulKernel kernel,
      MatMulKernel::Make(setup, setup.Attr<bool>("transpose_a"), setup.Attr<bool>("transpose_b")));
  return std::make_unique<BatchMatMul>(kernel);
}

constexpr GpuOpRow kProductRows[] = {
    {"batch_matmul", MakeBatchMatMul}, {"fused_batch_matmul", FusedBatchMatMul::Make},
    {"fused_matmul", MakeFusedMatMul}, {"matmul", MakeMatMul},
    {"matmul_bias", MakeMatMulBias},   {"matmul_integer", MatMulInteger::Make}};

}  // namespace

std::span<const GpuOpRow> ProductGpuOps() { return kProductRows; }

}  // namespace tfrt::gpu
