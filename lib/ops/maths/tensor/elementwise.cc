#include "lib/ops/maths/elementwise.h"

#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lib/ops/maths/cpu/broadcast.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/runtime/tensor/cast.h"
#include "operand_checks.h"
#include "tfrt/support/half.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using cpu::BinaryOp;
using cpu::UnaryOp;

constexpr size_t kCostOfArithmetic = sizeof(float);
constexpr size_t kCostOfFunction = 8 * kCostOfArithmetic;

size_t CostOf(UnaryOp op) { return op == UnaryOp::kRelu ? kCostOfArithmetic : kCostOfFunction; }

template <typename T>
void UnaryElements(UnaryOp op, const T* in, T* out, size_t size) {
  if constexpr (std::is_same_v<T, int32_t>) {
    assert(op == UnaryOp::kRelu);
    cpu::ReluI32(in, out, static_cast<int64_t>(size));
  } else {
    cpu::Unary(op, in, out, static_cast<int64_t>(size));
  }
}

// A context is an ExecutionContext, or OnThisThread.
template <typename T, typename Context>
Completion RunUnary(UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out,
                    const Context& context) {
  std::string_view name = Name(op);
  TFRT_RETURN_IF_ERROR(CheckOutputShape(name, out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(name, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<T>::Create(out, "the output"));
  return RunBlocks(context, x.size(), ItemsPerBlock(CostOf(op)), {&in, &out},
                   [op, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     UnaryElements(op, x + begin, y + begin, end - begin);
                   });
}

template <typename T, typename Context>
Completion RunBinary(BinaryOp op, const DenseHostTensor& a, const DenseHostTensor& b,
                     DenseHostTensor& out, const Context& context) {
  std::string_view name = Name(op);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, BroadcastShape(a.shape(), b.shape()));
  TFRT_RETURN_IF_ERROR(CheckOutputShape(name, out, shape));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(name, out, {&a, &b}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<T>::Create(a, "the first input"));
  TFRT_ASSIGN_OR_RETURN(auto y, DenseView<T>::Create(b, "the second input"));
  TFRT_ASSIGN_OR_RETURN(auto z, MutableDenseView<T>::Create(out, "the output"));
  if (z.size() == 0) return GetReadyChain();
  cpu::BroadcastPlan plan(a.shape(), b.shape(), out.shape());
  size_t units = plan.num_units();
  size_t block = ItemsPerBlock(plan.unit_size() * kCostOfArithmetic);
  return RunBlocks(context, units, block, {&a, &b, &out},
                   [op, plan = std::move(plan), x = x.data(), y = y.data(), z = z.data()](
                       size_t begin, size_t end) { plan.Run(op, x, y, z, begin, end); });
}

}  // namespace

template <typename T>
Completion Unary(UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out,
                 const ExecutionContext& exec_ctx) {
  return RunUnary<T>(op, in, out, exec_ctx);
}
#define TFRT_INSTANTIATE(name, T)                                                 \
  template Completion Unary<T>(UnaryOp, const DenseHostTensor&, DenseHostTensor&, \
                               const ExecutionContext&);
TFRT_CPP_REALS(TFRT_INSTANTIATE)
#undef TFRT_INSTANTIATE

Status UnaryOnThisThread(UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out) {
  return RunUnary<float>(op, in, out, OnThisThread()).status();
}

template <typename T>
Completion Binary(BinaryOp op, const DenseHostTensor& a, const DenseHostTensor& b,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  return RunBinary<T>(op, a, b, out, exec_ctx);
}
template Completion Binary<float>(BinaryOp, const DenseHostTensor&, const DenseHostTensor&,
                                  DenseHostTensor&, const ExecutionContext&);
template Completion Binary<int32_t>(BinaryOp, const DenseHostTensor&, const DenseHostTensor&,
                                    DenseHostTensor&, const ExecutionContext&);

Status BinaryOnThisThread(BinaryOp op, const DenseHostTensor& a, const DenseHostTensor& b,
                          DenseHostTensor& out) {
  return RunBinary<float>(op, a, b, out, OnThisThread()).status();
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
