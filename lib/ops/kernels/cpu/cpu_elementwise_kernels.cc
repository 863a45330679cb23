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

using cpu::BinaryOp;
using cpu::UnaryOp;
using maths::Completion;

template <UnaryOp op>
Completion Unary(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                 const ExecutionContext& exec_ctx) {
  return maths::Unary<float>(op, in, out, exec_ctx);
}

template <UnaryOp op>
Status SyncUnary(const DenseHostTensor& in, DenseHostTensor& out) {
  return maths::UnaryOnThisThread(op, in, out);
}

Completion Gelu(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                Attribute<bool> approximate, const ExecutionContext& exec_ctx) {
  const UnaryOp op = *approximate ? UnaryOp::kGeluTanh : UnaryOp::kGelu;
  return maths::Unary<float>(op, in, out, exec_ctx);
}

Completion ReluI32(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                   const ExecutionContext& exec_ctx) {
  return maths::Unary<int32_t>(UnaryOp::kRelu, in, out, exec_ctx);
}

template <typename T, BinaryOp op>
Completion Binary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                  const Chain&, const ExecutionContext& exec_ctx) {
  return maths::Binary<T>(op, a, b, out, exec_ctx);
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

template <BinaryOp op>
Status SyncBinary(const Tensor& a, const Tensor& b, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  AsyncValueRef<Tensor> made[2];
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* x, DenseOperand(a, made[0], exec_ctx));
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* y, DenseOperand(b, made[1], exec_ctx));
  return maths::BinaryOnThisThread(op, *x, *y, out);
}

template <typename From, typename To>
Completion Cast(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                const ExecutionContext& exec_ctx) {
  return maths::Cast(DTypeOf<From>(), DTypeOf<To>(), in, out, exec_ctx);
}

template <BinaryOp op>
void RegisterBinary(KernelRegistry* registry) {
  std::string name = StrCat("tfrt_cpu.", Name(op));
  registry->AddKernel(name + ".f32", TFRT_KERNEL(Binary<float, op>));
  // Integers may divide by zero.
  if constexpr (op != BinaryOp::kDiv) {
    registry->AddKernel(name + ".i32", TFRT_KERNEL(Binary<int32_t, op>));
  }
}

template <UnaryOp op>
void RegisterUnary(KernelRegistry* registry) {
  registry->AddKernel(StrCat("tfrt_cpu.", Name(op), ".f32"), TFRT_KERNEL(Unary<op>));
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
  RegisterUnary<UnaryOp::kRelu>(registry);
  RegisterUnary<UnaryOp::kTanh>(registry);
  RegisterUnary<UnaryOp::kSigmoid>(registry);
  RegisterUnary<UnaryOp::kExp>(registry);
  RegisterUnary<UnaryOp::kSqrt>(registry);
  RegisterUnary<UnaryOp::kRsqrt>(registry);
  RegisterUnary<UnaryOp::kLog>(registry);
  registry->AddKernel("tfrt_cpu.gelu.f32", TFRT_KERNEL(Gelu));
  registry->AddKernel("tfrt_cpu.relu.i32", TFRT_KERNEL(ReluI32));
  RegisterBinary<BinaryOp::kAdd>(registry);
  RegisterBinary<BinaryOp::kSub>(registry);
  RegisterBinary<BinaryOp::kMul>(registry);
  RegisterBinary<BinaryOp::kDiv>(registry);
  RegisterBinary<BinaryOp::kMaximum>(registry);
  RegisterBinary<BinaryOp::kMinimum>(registry);
  RegisterBinary<BinaryOp::kReluGrad>(registry);
  RegisterCasts(registry);

  registry->AddSyncKernel("tf_sync.AddV2.f32", TFRT_SYNC_KERNEL(SyncBinary<BinaryOp::kAdd>));
  registry->AddSyncKernel("tf_sync.Sub.f32", TFRT_SYNC_KERNEL(SyncBinary<BinaryOp::kSub>));
  registry->AddSyncKernel("tf_sync.Mul.f32", TFRT_SYNC_KERNEL(SyncBinary<BinaryOp::kMul>));
  registry->AddSyncKernel("tf_sync.RealDiv.f32", TFRT_SYNC_KERNEL(SyncBinary<BinaryOp::kDiv>));
  registry->AddSyncKernel("tf_sync.Log.f32", TFRT_SYNC_KERNEL(SyncUnary<UnaryOp::kLog>));
  registry->AddSyncKernel("tf_sync.Log1p.f32", TFRT_SYNC_KERNEL(SyncUnary<UnaryOp::kLog1p>));
  registry->AddSyncKernel("tf_sync.Rsqrt.f32", TFRT_SYNC_KERNEL(SyncUnary<UnaryOp::kRsqrt>));
  registry->AddSyncKernel("tf_sync.Sigmoid.f32", TFRT_SYNC_KERNEL(SyncUnary<UnaryOp::kSigmoid>));
}

}  // namespace tfrt
