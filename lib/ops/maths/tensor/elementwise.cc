#include "lib/ops/maths/elementwise.h"

#include <cassert>
#include <span>
#include <string_view>
#include <utility>

#include "element_blocks.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/runtime/tensor/cast.h"
#include "operand_checks.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

// A context is an ExecutionContext, or OnThisThread.
template <typename Context>
Completion Run(ElementwiseOp op, DType dtype, std::initializer_list<const DenseHostTensor*> inputs,
               DenseHostTensor& out, const Context& context) {
  const std::string_view name = RowOf(op);
  const DenseHostTensor &a = *inputs.begin()[0], &b = *inputs.begin()[inputs.size() - 1];
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, BroadcastShape(a.shape(), b.shape()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(name, out, shape));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(name, out, inputs));
  if (inputs.size() == 1) {
    TFRT_RETURN_IF_ERROR(CheckDType(a, dtype, "the input"));
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(a, dtype, "the first input"));
    TFRT_RETURN_IF_ERROR(CheckDType(b, dtype, "the second input"));
  }
  TFRT_RETURN_IF_ERROR(CheckDType(out, dtype, "the output"));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  if (out.num_elements() == 0) return GetReadyChain();
  ElementOperand operands[] = {ElementOperand::Of(a), ElementOperand::Of(b)};
  if (op == ElementwiseOp::kReluGrad) std::swap(operands[0], operands[1]);
  return RunBlocks(context, static_cast<size_t>(out.num_elements()),
                   ItemsPerBlock(cpu::CostOfElement(op, dtype)), {&a, &b, &out},
                   ElementBlocks(op, cpu::FindElementFunction(op, dtype),
                                 std::span(operands).first(inputs.size()), out.metadata(), data));
}

}  // namespace

Completion Elementwise(ElementwiseOp op, DType dtype,
                       std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  return Run(op, dtype, inputs, out, exec_ctx);
}

Status ElementwiseOnThisThread(ElementwiseOp op, DType dtype,
                               std::initializer_list<const DenseHostTensor*> inputs,
                               DenseHostTensor& out) {
  return Run(op, dtype, inputs, out, OnThisThread()).status();
}

Completion Cast(DType from, DType to, const DenseHostTensor& in, DenseHostTensor& out,
                const ExecutionContext& exec_ctx) {
  const CastFunction cast = FindCast(from, to);
  assert(cast && "a conversion that does not exist");
  TFRT_RETURN_IF_ERROR(CheckOutputShape("cast", out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame("cast", out, {&in}));
  TFRT_RETURN_IF_ERROR(CheckDType(in, from, "the input"));
  TFRT_RETURN_IF_ERROR(CheckDType(out, to, "the output"));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  const size_t from_size = DTypeSize(from), to_size = DTypeSize(to);
  return RunBlocks(exec_ctx, static_cast<size_t>(in.num_elements()), ItemsPerBlock(to_size),
                   {&in, &out},
                   [=, x = static_cast<const char*>(in.data()), y = static_cast<char*>(data)](
                       size_t begin, size_t end) {
                     cast(x + begin * from_size, y + begin * to_size, end - begin);
                   });
}

}  // namespace tfrt::maths
