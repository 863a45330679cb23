#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<TensorMetadata> Product(const TensorMetadata& a, const TensorMetadata& b, bool transpose_a,
                                 bool transpose_b) {
  if (a.shape.dim(transpose_a ? 0 : 1) != b.shape.dim(transpose_b ? 1 : 0)) {
    return InvalidArgumentError(
        StrCat("matmul arguments have incompatible shapes: In[0]: ", a.shape.ToString(),
               ", In[1]: ", b.shape.ToString(), ". transpose_a: ", transpose_a ? 1 : 0,
               ", transpose_b: ", transpose_b ? 1 : 0));
  }
  const int64_t dims[] = {a.shape.dim(transpose_a ? 1 : 0), b.shape.dim(transpose_b ? 0 : 1)};
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  return TensorMetadata{a.dtype, std::move(shape)};
}

Status CheckMatrices(const TensorMetadata& a, const TensorMetadata& b) {
  if (a.dtype != b.dtype) {
    return InvalidArgumentError(StrCat("incompatible dtypes for MatMul: In[0]: ",
                                       DTypeName(a.dtype), ", In[1]: ", DTypeName(b.dtype)));
  }
  const TensorMetadata* arguments[] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    if (arguments[i]->shape.rank() == 2) continue;
    return InvalidArgumentError(StrCat("argument ", i,
                                       " of matmul op is not a rank-2 tensor. Actual rank is ",
                                       arguments[i]->shape.rank()));
  }
  return OkStatus();
}

Status CheckBias(const TensorMetadata& product, const TensorMetadata& bias) {
  if (bias.dtype != product.dtype) {
    return InvalidArgumentError(
        StrCat("incompatible dtypes for MatMul: In[0]: ", DTypeName(product.dtype),
               ", bias: ", DTypeName(bias.dtype)));
  }
  return CheckMatMulBias(bias.shape, product.shape.dim(1));
}

}  // namespace

StatusOr<TensorMetadata> MatMulOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                          const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckMatrices(a, b));
  auto transpose_a = attrs.Get<bool>("transpose_a");
  auto transpose_b = attrs.Get<bool>("transpose_b");
  if (!transpose_a) {
    return InvalidArgumentError("'transpose_a' attribute is not specified for MatMul op");
  }
  if (!transpose_b) {
    return InvalidArgumentError("'transpose_b' attribute is not specified for MatMul op");
  }
  return Product(a, b, *transpose_a, *transpose_b);
}

StatusOr<TensorMetadata> FusedMatMulOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                               VariadicOpMetadata extra, const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(TensorMetadata product, MatMulOpMetadata(a, b, attrs));
  auto fused = attrs.GetAggregate("fused_ops");
  if (!fused || fused->size() == 0) {
    return InvalidArgumentError("FusedMatMul must specify fused operations");
  }
  if (extra.size() == 0) {
    return InvalidArgumentError("FusedMatMul with BiasAdd takes a bias, but has 2 arguments");
  }
  TFRT_RETURN_IF_ERROR(CheckBias(product, extra[0]));
  return product;
}

StatusOr<TensorMetadata> MatMulBiasOpMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                              const TensorMetadata& bias, const OpAttrsRef& attrs) {
  TFRT_RETURN_IF_ERROR(CheckMatrices(a, b));
  TFRT_ASSIGN_OR_RETURN(TensorMetadata product,
                        Product(a, b, attrs.Get<bool>("transpose_a").value_or(false),
                                attrs.Get<bool>("transpose_b").value_or(false)));
  TFRT_RETURN_IF_ERROR(CheckBias(product, bias));
  return product;
}

StatusOr<TensorMetadata> BatchMatMulOpMetadata(const TensorMetadata& x, const TensorMetadata& y,
                                               const OpAttrsRef& attrs) {
  if (x.dtype != y.dtype) {
    return InvalidArgumentError(StrCat("incompatible dtypes for BatchMatMul: In[0]: ",
                                       DTypeName(x.dtype), ", In[1]: ", DTypeName(y.dtype)));
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        BatchMatMulShape(x.shape, y.shape, attrs.Get<bool>("adj_x").value_or(false),
                                         attrs.Get<bool>("adj_y").value_or(false)));
  return TensorMetadata{x.dtype, std::move(shape)};
}

}  // namespace tfrt
