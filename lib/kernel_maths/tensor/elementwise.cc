#include "tfrt/kernel_maths/elementwise.h"

#include <array>
#include <cassert>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tfrt/kernel_maths/cpu/broadcast.h"
#include "tfrt/kernel_maths/cpu/parallel_blocks.h"
#include "tfrt/kernel_maths/operand_checks.h"
#include "tfrt/kernel_maths/shape_functions.h"
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
Completion CastElements(const DenseHostTensor& in, DenseHostTensor& out,
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

using CastFunction = Completion (*)(const DenseHostTensor& in, DenseHostTensor& out,
                                    const ExecutionContext& exec_ctx);
using CastTypes = std::tuple<float, double, int8_t, int32_t, int64_t, uint8_t, bool>;
constexpr size_t kNumCastTypes = std::tuple_size_v<CastTypes>;

// The conversion of each pair of types; null where both are the same.
template <size_t... kPairs>
constexpr std::array<CastFunction, sizeof...(kPairs)> MakeCasts(std::index_sequence<kPairs...>) {
  auto cast = []<size_t kPair>(std::index_sequence<kPair>) -> CastFunction {
    using From = std::tuple_element_t<kPair / kNumCastTypes, CastTypes>;
    using To = std::tuple_element_t<kPair % kNumCastTypes, CastTypes>;
    if constexpr (std::is_same_v<From, To>) {
      return nullptr;
    } else {
      return &CastElements<From, To>;
    }
  };
  return {cast(std::index_sequence<kPairs>())...};
}

size_t CastIndex(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return 0;
    case DType::kF64:
      return 1;
    case DType::kI8:
      return 2;
    case DType::kI32:
      return 3;
    case DType::kI64:
      return 4;
    case DType::kUI8:
      return 5;
    case DType::kI1:
      return 6;
    default:
      return kNumCastTypes;
  }
}

CastFunction CastBetween(DType from, DType to) {
  static constexpr auto kCasts =
      MakeCasts(std::make_index_sequence<kNumCastTypes * kNumCastTypes>());
  const size_t i = CastIndex(from), j = CastIndex(to);
  return i < kNumCastTypes && j < kNumCastTypes ? kCasts[i * kNumCastTypes + j] : nullptr;
}

}  // namespace

template <typename T>
Completion Unary(UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out,
                 const ExecutionContext& exec_ctx) {
  return RunUnary<T>(op, in, out, exec_ctx);
}
#define TFRT_INSTANTIATE(T)                                                       \
  template Completion Unary<T>(UnaryOp, const DenseHostTensor&, DenseHostTensor&, \
                               const ExecutionContext&);
TFRT_INSTANTIATE(Fp16)
TFRT_INSTANTIATE(Bf16)
TFRT_INSTANTIATE(float)
TFRT_INSTANTIATE(double)
TFRT_INSTANTIATE(int8_t)
TFRT_INSTANTIATE(int16_t)
TFRT_INSTANTIATE(int32_t)
TFRT_INSTANTIATE(int64_t)
TFRT_INSTANTIATE(uint8_t)
TFRT_INSTANTIATE(uint16_t)
TFRT_INSTANTIATE(uint32_t)
TFRT_INSTANTIATE(uint64_t)
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

bool CanCast(DType from, DType to) { return CastBetween(from, to) != nullptr; }

Completion Cast(DType from, DType to, const DenseHostTensor& in, DenseHostTensor& out,
                const ExecutionContext& exec_ctx) {
  CastFunction cast = CastBetween(from, to);
  assert(cast && "a conversion that does not exist");
  return cast(in, out, exec_ctx);
}

}  // namespace tfrt::maths
