// Made by scripts/make_eager_ops.py. Do not edit.

#include "tfrt/eager/ops.h"

#include "op_function.h"

namespace tfrt::eager {

Tensor Relu(TensorArgument x, std::source_location where) {
  static const OpDefinition& op = HostOp("tf.Relu");
  const OpAttrsRef op_attrs;
  TensorArgument arguments[] = {std::move(x)};
  return Call<1>(op, arguments, op_attrs, where);
}

Tensor MatMul(TensorArgument a, TensorArgument b, const MatMulAttrs& attrs,
              std::source_location where) {
  static const OpDefinition& op = HostOp("tf.MatMul");
  OpAttrs op_attrs;
  op_attrs.Set("transpose_a", attrs.transpose_a);
  op_attrs.Set("transpose_b", attrs.transpose_b);
  TensorArgument arguments[] = {std::move(a), std::move(b)};
  return Call<1>(op, arguments, op_attrs, where);
}


}  // namespace tfrt::eager
