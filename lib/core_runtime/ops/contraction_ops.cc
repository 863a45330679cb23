// Matrix products and convolutions.

#include "kernel_op.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

StatusOr<TensorMetadata> MatMulMetadata(const TensorMetadata& a, const TensorMetadata& b,
                                        const OpAttrsRef& attrs) {
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
  auto transpose_a = attrs.Get<bool>("transpose_a");
  auto transpose_b = attrs.Get<bool>("transpose_b");
  if (!transpose_a) {
    return InvalidArgumentError("'transpose_a' attribute is not specified for MatMul op");
  }
  if (!transpose_b) {
    return InvalidArgumentError("'transpose_b' attribute is not specified for MatMul op");
  }
  if (a.shape.dim(*transpose_a ? 0 : 1) != b.shape.dim(*transpose_b ? 1 : 0)) {
    return InvalidArgumentError(StrCat("matmul arguments have incompatible shapes: In[0]: ",
                                       a.shape.ToString(), ", In[1]: ", b.shape.ToString(),
                                       ". transpose_a: ", *transpose_a ? 1 : 0,
                                       ", transpose_b: ", *transpose_b ? 1 : 0));
  }
  return TensorMetadata{a.dtype, TensorShape{a.shape.dim(*transpose_a ? 1 : 0),
                                             b.shape.dim(*transpose_b ? 0 : 1)}};
}

Status MatMul(OpArgument<DenseHostTensor> a, OpArgument<DenseHostTensor> b,
              const OpAttrsRef& attrs, const TensorMetadata& result, OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("tfrt_cpu.matmul.f32");
  if (result.dtype != DType::kF32) {
    return InvalidArgumentError(StrCat("Unsupported input dtype: ", DTypeName(result.dtype)));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  RunKernel(call, kernel, {a.value(), b.value()},
            {attrs.Find("transpose_a")->data, attrs.Find("transpose_b")->data}, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterContractionOps(OpRegistry* registry) {
  using AttrKind = OpAttrSpec::Kind;
  registry->Add({.name = "tf.MatMul",
                 .summary = "The product of two matrices.",
                 .arguments = {{"a"}, {"b"}},
                 .attrs = {{"transpose_a", AttrKind::kBool, "false"},
                           {"transpose_b", AttrKind::kBool, "false"}},
                 .results = {"product"},
                 .metadata = TFRT_OP_METADATA(MatMulMetadata),
                 .function = TFRT_OP(MatMul)});
}

}  // namespace tfrt
