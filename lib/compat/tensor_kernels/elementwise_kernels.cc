// Element-wise math of tfrt_test.*: one output element per input element of the same position.

#include <algorithm>
#include <string>
#include <type_traits>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

// Integers wrap: their arithmetic happens in the unsigned type.
template <typename T>
struct ArithmeticOf {
  using type = T;
};
template <typename T>
  requires std::is_integral_v<T>
struct ArithmeticOf<T> : std::make_unsigned<T> {};
template <typename T>
using Arithmetic = typename ArithmeticOf<T>::type;

template <typename T>
struct Add {
  static constexpr std::string_view kName = "add";
  static T Apply(T a, T b) { return T(Arithmetic<T>(a) + Arithmetic<T>(b)); }
};
template <typename T>
struct Equal {
  static constexpr std::string_view kName = "equal";
  static T Apply(T a, T b) { return a == b ? T(1) : T(0); }
};
template <typename T>
struct SubtractFromSecond {
  static constexpr std::string_view kName = "subtract";
  static T Apply(T a, T b) { return T(Arithmetic<T>(b) - Arithmetic<T>(a)); }
};
template <typename T>
struct ReluGrad {
  static constexpr std::string_view kName = "relu_grad";
  static T Apply(T activation, T gradient) { return activation > T(0) ? gradient : T(0); }
};
template <typename T>
struct Relu {
  static constexpr std::string_view kName = "relu";
  static T Apply(T a) { return std::max(a, T(0)); }
};
template <typename T>
struct Identity {
  static constexpr std::string_view kName = "cast";
  static T Apply(T a) { return a; }
};

Status CheckSameShape(std::string_view op, const Tensor& a, const Tensor& b) {
  if (a.shape() == b.shape()) return OkStatus();
  return InvalidArgumentError(StrCat(op, " of tensors of different shapes: ", a.shape().ToString(),
                                     " and ", b.shape().ToString()));
}

// out = Op(a).
template <typename In, typename Out, typename Op>
StatusOr<Chain> Unary(const DenseHostTensor& a, DenseHostTensor& out) {
  TFRT_RETURN_IF_ERROR(CheckSameShape(Op::kName, a, out));
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<In>::Create(a, "the input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<Out>::Create(out, "the output"));
  std::transform(a_view.data(), a_view.data() + a_view.size(), out_view.data(),
                 [](In x) { return static_cast<Out>(Op::Apply(x)); });
  return Chain();
}

// out = Op(out).
template <typename T, typename Op>
StatusOr<Chain> UnaryInPlace(DenseHostTensor& out) {
  return Unary<T, T, Op>(out, out);
}

// out = Op(a, b).
template <typename T, typename Op>
StatusOr<Chain> Binary(const DenseHostTensor& a, const DenseHostTensor& b, DenseHostTensor& out) {
  TFRT_RETURN_IF_ERROR(CheckSameShape(Op::kName, a, b));
  TFRT_RETURN_IF_ERROR(CheckSameShape(Op::kName, a, out));
  TFRT_ASSIGN_OR_RETURN(auto a_view, DenseView<T>::Create(a, "the first input"));
  TFRT_ASSIGN_OR_RETURN(auto b_view, DenseView<T>::Create(b, "the second input"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<T>::Create(out, "the output"));
  std::transform(a_view.data(), a_view.data() + a_view.size(), b_view.data(), out_view.data(),
                 &Op::Apply);
  return Chain();
}

// out = Op(a, out).
template <typename T, typename Op>
StatusOr<Chain> BinaryInPlace(const DenseHostTensor& a, DenseHostTensor& out) {
  return Binary<T, Op>(a, out, out);
}

// out -= gradient * learning_rate.
StatusOr<Chain> GradientDescent(const DenseHostTensor& gradient,
                                const DenseHostTensor& learning_rate, DenseHostTensor& out,
                                const Chain&) {
  if (learning_rate.num_elements() != 1) {
    return InvalidArgumentError("GradientDescent lr should have only one element");
  }
  TFRT_RETURN_IF_ERROR(CheckSameShape("gradient descent", gradient, out));
  TFRT_ASSIGN_OR_RETURN(auto gradient_view, DenseView<float>::Create(gradient, "the gradient"));
  TFRT_ASSIGN_OR_RETURN(auto rate, DenseView<float>::Create(learning_rate, "the learning rate"));
  TFRT_ASSIGN_OR_RETURN(auto out_view, MutableDenseView<float>::Create(out, "the output"));
  std::transform(gradient_view.data(), gradient_view.data() + gradient_view.size(), out_view.data(),
                 out_view.data(),
                 [rate = rate[0]](float gradient, float x) { return x - gradient * rate; });
  return Chain();
}

template <typename T>
void RegisterElementwise(KernelRegistry* registry, const std::string& dtype) {
  auto add = [&](std::string_view name, AsyncKernelDefinition kernel) {
    registry->AddKernel(StrCat("tfrt_test.", name, ".", dtype), kernel);
  };
  add("relu", TFRT_KERNEL(Unary<T, T, Relu<T>>));
  add("relu_inplace", TFRT_KERNEL(UnaryInPlace<T, Relu<T>>));
  add("add", TFRT_KERNEL(Binary<T, Add<T>>));
  add("add_inplace", TFRT_KERNEL(BinaryInPlace<T, Add<T>>));
  add("equal", TFRT_KERNEL(Binary<T, Equal<T>>));
  add("equal_inplace", TFRT_KERNEL(BinaryInPlace<T, Equal<T>>));
  add("relu_grad_inplace", TFRT_KERNEL(BinaryInPlace<T, ReluGrad<T>>));
}

}  // namespace

void RegisterElementwiseKernels(KernelRegistry* registry) {
  RegisterElementwise<float>(registry, "f32");
  RegisterElementwise<int32_t>(registry, "i32");
  RegisterElementwise<int64_t>(registry, "i64");
  registry->AddKernel("tfrt_test.subtract_inplace.f32",
                      TFRT_KERNEL(BinaryInPlace<float, SubtractFromSecond<float>>));
  registry->AddKernel("tfrt_test.gradient_descent.f32", TFRT_KERNEL(GradientDescent));
  registry->AddKernel("tfrt_test.cast.i32_to_f32",
                      TFRT_KERNEL(Unary<int32_t, float, Identity<int32_t>>));
}

}  // namespace tfrt
