// tfrt_cpu.* and tf_sync.*: element-wise operations. They may write over an input.

#include <cstdint>
#include <string>
#include <type_traits>

#include "kernel_groups.h"
#include "lib/ops/maths/elementwise.h"
#include "lib/runtime/tensor/conversion.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using maths::Completion;
using Op = ElementwiseOp;

template <Op op, DType dtype>
Completion Unary(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                 const ExecutionContext& exec_ctx) {
  return maths::Elementwise(op, dtype, {&in}, out, exec_ctx);
}

template <Op op>
Status SyncUnary(const DenseHostTensor& in, DenseHostTensor& out) {
  return maths::ElementwiseOnThisThread(op, DType::kF32, {&in}, out);
}

Completion Gelu(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                Attribute<bool> approximate, const ExecutionContext& exec_ctx) {
  const Op op = *approximate ? Op::kGeluTanh : Op::kGelu;
  return maths::Elementwise(op, DType::kF32, {&in}, out, exec_ctx);
}

template <Op op, DType dtype>
Completion Binary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                  const Chain&, const ExecutionContext& exec_ctx) {
  return maths::Elementwise(op, dtype, {&a, &b}, out, exec_ctx);
}

// A dense tensor as it is; another one, as of one value for all elements, converted into `made`.
StatusOr<const DenseHostTensor*> DenseOperand(const Tensor& tensor, AsyncValueRef<Tensor>& made,
                                              const ExecutionContext& exec_ctx) {
  const Tensor* dense = &tensor;
  if (tensor.tensor_type() != kDenseHostTensorType) {
    auto& conversions = exec_ctx.host()->GetOrCreateSharedContext<ConversionRegistry>();
    made = conversions.Convert(tensor, kDenseHostTensorType, exec_ctx);
    if (!made.IsAvailable()) {
      return InvalidArgumentError(
          "a tensor that takes time to convert is no operand of a sync kernel");
    }
    if (made.IsError()) return made.GetError();
    dense = &made.get();
  }
  return static_cast<const DenseHostTensor*>(dense);
}

template <Op op>
Status SyncBinary(const Tensor& a, const Tensor& b, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  AsyncValueRef<Tensor> made[2];
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* x, DenseOperand(a, made[0], exec_ctx));
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* y, DenseOperand(b, made[1], exec_ctx));
  return maths::ElementwiseOnThisThread(op, DType::kF32, {x, y}, out);
}

template <typename From, typename To>
Completion Cast(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                const ExecutionContext& exec_ctx) {
  return maths::Cast(DTypeOf<From>(), DTypeOf<To>(), in, out, exec_ctx);
}

template <Op op>
void RegisterBinary(KernelRegistry* registry) {
  std::string name = StrCat("tfrt_cpu.", RowOf(op));
  registry->AddKernel(name + ".f32", TFRT_KERNEL(Binary<op, DType::kF32>));
  // Integers may divide by zero.
  if constexpr (op != Op::kDiv) {
    registry->AddKernel(name + ".i32", TFRT_KERNEL(Binary<op, DType::kI32>));
  }
}

template <Op op>
void RegisterUnary(KernelRegistry* registry) {
  registry->AddKernel(StrCat("tfrt_cpu.", RowOf(op), ".f32"), TFRT_KERNEL(Unary<op, DType::kF32>));
}

// Calls fn with the name of each dtype that can be converted, and a null pointer to its C++ type.
template <typename F>
void ForEachCastType(F fn) {
  fn("f32", static_cast<float*>(nullptr));
  fn("f64", static_cast<double*>(nullptr));
  fn("i8", static_cast<int8_t*>(nullptr));
  fn("i32", static_cast<int32_t*>(nullptr));
  fn("i64", static_cast<int64_t*>(nullptr));
  fn("ui8", static_cast<uint8_t*>(nullptr));
  fn("bool", static_cast<bool*>(nullptr));
}

void RegisterCasts(KernelRegistry* registry) {
  ForEachCastType([&]<typename From>(std::string_view from, From*) {
    ForEachCastType([&]<typename To>(std::string_view to, To*) {
      if constexpr (!std::is_same_v<From, To>) {
        registry->AddKernel(StrCat("tfrt_cpu.cast.", from, "_to_", to),
                            TFRT_KERNEL(Cast<From, To>));
      }
    });
  });
}

}  // namespace

void RegisterCpuElementwiseKernels(KernelRegistry* registry) {
  RegisterUnary<Op::kRelu>(registry);
  RegisterUnary<Op::kTanh>(registry);
  RegisterUnary<Op::kSigmoid>(registry);
  RegisterUnary<Op::kExp>(registry);
  RegisterUnary<Op::kSqrt>(registry);
  RegisterUnary<Op::kRsqrt>(registry);
  RegisterUnary<Op::kLog>(registry);
  registry->AddKernel("tfrt_cpu.gelu.f32", TFRT_KERNEL(Gelu));
  registry->AddKernel("tfrt_cpu.relu.i32", TFRT_KERNEL(Unary<Op::kRelu, DType::kI32>));
  RegisterBinary<Op::kAdd>(registry);
  RegisterBinary<Op::kSub>(registry);
  RegisterBinary<Op::kMul>(registry);
  RegisterBinary<Op::kDiv>(registry);
  RegisterBinary<Op::kMaximum>(registry);
  RegisterBinary<Op::kMinimum>(registry);
  RegisterBinary<Op::kReluGrad>(registry);
  RegisterCasts(registry);

  registry->AddSyncKernel("tf_sync.AddV2.f32", TFRT_SYNC_KERNEL(SyncBinary<Op::kAdd>));
  registry->AddSyncKernel("tf_sync.Sub.f32", TFRT_SYNC_KERNEL(SyncBinary<Op::kSub>));
  registry->AddSyncKernel("tf_sync.Mul.f32", TFRT_SYNC_KERNEL(SyncBinary<Op::kMul>));
  registry->AddSyncKernel("tf_sync.RealDiv.f32", TFRT_SYNC_KERNEL(SyncBinary<Op::kDiv>));
  registry->AddSyncKernel("tf_sync.Log.f32", TFRT_SYNC_KERNEL(SyncUnary<Op::kLog>));
  registry->AddSyncKernel("tf_sync.Log1p.f32", TFRT_SYNC_KERNEL(SyncUnary<Op::kLog1p>));
  registry->AddSyncKernel("tf_sync.Rsqrt.f32", TFRT_SYNC_KERNEL(SyncUnary<Op::kRsqrt>));
  registry->AddSyncKernel("tf_sync.Sigmoid.f32", TFRT_SYNC_KERNEL(SyncUnary<Op::kSigmoid>));
}

}  // namespace tfrt
