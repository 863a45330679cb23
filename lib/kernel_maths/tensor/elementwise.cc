// tfrt_cpu.* and tf_sync.*: element-wise operations. They may write over an input.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernel_maths/cpu/broadcast.h"
#include "tfrt/kernel_maths/cpu/elementwise.h"
#include "tfrt/kernel_maths/cpu/parallel_blocks.h"
#include "tfrt/kernel_maths/operand_checks.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using cpu::BinaryOp;
using cpu::UnaryOp;

constexpr size_t kCostOfArithmetic = sizeof(float);
constexpr size_t kCostOfFunction = 8 * kCostOfArithmetic;

size_t CostOf(UnaryOp op) { return op == UnaryOp::kRelu ? kCostOfArithmetic : kCostOfFunction; }

// A context is an ExecutionContext, or OnThisThread.
template <typename Context>
CpuResult RunUnary(UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out,
                   const Context& context) {
  std::string_view name = Name(op);
  TFRT_RETURN_IF_ERROR(CheckOutputShape(name, out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame(name, out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<float>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<float>::Create(out, "the output"));
  return RunBlocks(context, x.size(), ItemsPerBlock(CostOf(op)), {&in, &out},
                   [op, x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::Unary(op, x + begin, y + begin, static_cast<int64_t>(end - begin));
                   });
}

template <UnaryOp op>
CpuResult Unary(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                const ExecutionContext& exec_ctx) {
  return RunUnary(op, in, out, exec_ctx);
}

template <UnaryOp op>
Status SyncUnary(const DenseHostTensor& in, DenseHostTensor& out) {
  return RunUnary(op, in, out, OnThisThread()).status();
}

CpuResult Gelu(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
               Attribute<bool> approximate, const ExecutionContext& exec_ctx) {
  return RunUnary(*approximate ? UnaryOp::kGeluTanh : UnaryOp::kGelu, in, out, exec_ctx);
}

CpuResult ReluI32(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                  const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckOutputShape("relu", out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame("relu", out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<int32_t>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<int32_t>::Create(out, "the output"));
  return RunBlocks(exec_ctx, x.size(), ItemsPerBlock(kCostOfArithmetic), {&in, &out},
                   [x = x.data(), y = y.data()](size_t begin, size_t end) {
                     cpu::ReluI32(x + begin, y + begin, static_cast<int64_t>(end - begin));
                   });
}

template <typename T, BinaryOp op, typename Context>
CpuResult RunBinary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                    const Context& context) {
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
                   [plan = std::move(plan), x = x.data(), y = y.data(), z = z.data()](
                       size_t begin, size_t end) { plan.Run(op, x, y, z, begin, end); });
}

template <typename T, BinaryOp op>
CpuResult Binary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out,
                 const Chain&, const ExecutionContext& exec_ctx) {
  return RunBinary<T, op>(a, b, out, exec_ctx);
}

template <BinaryOp op>
Status SyncBinary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out) {
  return RunBinary<float, op>(a, b, out, OnThisThread()).status();
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

// As C++ converts: integers wrap. But floats that do not fit an integer become the nearest one that
// does, and NaN becomes 0.
template <typename To, typename From>
To Convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    if (value != value) return 0;
    if (value <= static_cast<From>(Limits::min())) return Limits::min();
    // The largest integer may round up to a number that no longer fits.
    if (value >= static_cast<From>(Limits::max())) return Limits::max();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename From, typename To>
CpuResult Cast(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
               const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckOutputShape("cast", out, in.shape()));
  TFRT_RETURN_IF_ERROR(CheckApartOrSame("cast", out, {&in}));
  TFRT_ASSIGN_OR_RETURN(auto x, DenseView<From>::Create(in, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto y, MutableDenseView<To>::Create(out, "the output"));
  return RunBlocks(exec_ctx, x.size(), ItemsPerBlock(sizeof(To)), {&in, &out},
                   [x = x.data(), y = y.data()](size_t begin, size_t end) {
                     // The bytes of a tensor of bool need not be 0 and 1.
                     using Stored =
                         std::conditional_t<std::is_same_v<From, bool>, const uint8_t, const From>;
                     auto* stored = reinterpret_cast<Stored*>(x);
                     for (size_t i = begin; i < end; ++i) {
                       y[i] = Convert<To>(static_cast<From>(stored[i]));
                     }
                   });
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
