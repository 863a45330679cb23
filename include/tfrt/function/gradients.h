// Gradients of functions, as functions: called with tensors they are traced, compiled and cached as
// any Function; called while another function is traced they become part of its program, so that a
// whole step of training is one (docs/functions.md#gradients).
//
//   auto gradient = ValueAndGrad("loss", [&](Tensor x, Tensor y) { ...; return Mean(...); },
//                                {.variables = {weights, bias}});
//   Function step("step", [&](Tensor x, Tensor y) {
//     auto [loss, gradients] = gradient(x, y);
//     weights.AssignSub(gradients[0] * 0.1f);
//     bias.AssignSub(gradients[1] * 0.1f);
//     return loss;
//   });
#ifndef TFRT_FUNCTION_GRADIENTS_H_
#define TFRT_FUNCTION_GRADIENTS_H_

#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/function/argument.h"
#include "tfrt/function/function.h"
#include "tfrt/function/options.h"
#include "tfrt/support/location.h"

namespace tfrt::function {

// With respect to what. If it names nothing, with respect to the first argument.
struct GradOptions {
  // Parameters by number: tensors of floats, lists of them (with a gradient for each), Variables.
  std::vector<size_t> arguments = {};
  // Variables that the function uses, with their values when the gradient is called.
  std::vector<Variable> variables = {};
};

// The gradients of a function whatever its parameters are, as a function of the same arguments. Its
// results: those of `loss`, if `with_value`, of which the first must be a float of one element;
// then the gradient of that for each of GradOptions::arguments and ::variables, in their order.
// Gradients have the types of what they are for, and are zeros if the loss does not depend on it.
//
// `loss` is traced, never run, also where functions run eagerly. What it does besides computing its
// first result takes place once per call: it may assign variables and have effects.
// Arguments by number are those of the call, where a list is one with all that is in it;
// `parameter_sizes` says of how many arguments each parameter is made, if one is of several
// (internal::kAnyNumber: a list). Calls fail, with the line of `where` or of the op, for arguments
// that have no gradient, a loss that is no float of one element, and on the way to it for host
// calls, ops without a rule (docs/reference/ops.md) and what a rule needs to know and does not.
AnyFunction MakeGradFunction(std::string name, AnyFunction::Body loss, GradOptions what,
                             bool with_value, FunctionOptions options = {},
                             std::vector<size_t> parameter_sizes = {}, Location where = Here());

// `function` as a loss: what it is called with becomes part of the program of the gradient.
AnyFunction::Body BodyOf(AnyFunction function);

// What a call of ValueAndGrad gives. `gradients` has one tensor for each argument and variable, in
// a list one for each of its tensors; all are errors if the call fails.
template <typename R>
struct ValueAndGradients {
  typename internal::Results<R>::Type value;
  std::vector<Tensor> gradients;
};

namespace internal {

// Of how many arguments a parameter is made.
template <typename P>
inline constexpr size_t kArgumentsOf = 1;
template <size_t N>
inline constexpr size_t kArgumentsOf<std::array<Tensor, N>> = N;
template <>
inline constexpr size_t kArgumentsOf<std::vector<Tensor>> = kAnyNumber;

// How many gradients a call makes; parameters by how many arguments they are.
class GradCounter {
 public:
  GradCounter(const GradOptions& what)  // NOLINT: implicit by design
      : arguments_(what.arguments), num_variables_(what.variables.size()) {
    if (arguments_.empty() && num_variables_ == 0) arguments_ = {0};
  }
  size_t Count(std::span<const size_t> parameters) const {
    size_t count = num_variables_;
    for (size_t i : arguments_) count += i < parameters.size() ? parameters[i] : 1;
    return count;
  }

 private:
  std::vector<size_t> arguments_;
  size_t num_variables_;
};

template <typename P, typename G>
size_t NumTensors(const G& given) {
  return Parameter<P>::Count(given) - (kArgumentsOf<P> == kAnyNumber ? 1 : 0);
}

// `made`, or so many errors if it is one.
inline std::vector<Tensor> AtLeast(size_t count, std::vector<Tensor> made) {
  while (made.size() < count) made.push_back(made.back());
  return made;
}

}  // namespace internal

// What Grad makes of a function: calls return the gradients alone. A handle, as AnyFunction.
template <typename Signature>
class GradFunction;

template <typename R, typename... Ps>
class GradFunction<R(Ps...)> : public Function<std::vector<Tensor>(Ps...)> {
  using Base = Function<std::vector<Tensor>(Ps...)>;

 public:
  GradFunction(AnyFunction function, const GradOptions& what)
      : Base(std::move(function)), counter_(what) {}

  std::vector<Tensor> operator()(typename internal::Parameter<Ps>::Given... given,
                                 Location where = Here()) const {
    const std::array<size_t, sizeof...(Ps)> sizes = {internal::NumTensors<Ps>(given)...};
    return internal::AtLeast(
        counter_.Count(sizes),
        Base::operator()(static_cast<typename internal::Parameter<Ps>::Given&&>(given)..., where));
  }

 private:
  internal::GradCounter counter_;
};

// What ValueAndGrad makes of one.
template <typename Signature>
class ValueAndGradFunction;

template <typename R, typename... Ps>
class ValueAndGradFunction<R(Ps...)> : public Function<std::vector<Tensor>(Ps...)> {
  using Base = Function<std::vector<Tensor>(Ps...)>;
  using Value = internal::Results<R>;
  static_assert(Value::kCount != 0, "a loss returns a tensor");

 public:
  ValueAndGradFunction(AnyFunction function, const GradOptions& what)
      : Base(std::move(function)), counter_(what) {}

  ValueAndGradients<R> operator()(typename internal::Parameter<Ps>::Given... given,
                                  Location where = Here()) const {
    const std::array<size_t, sizeof...(Ps)> sizes = {internal::NumTensors<Ps>(given)...};
    const size_t count = counter_.Count(sizes);
    constexpr size_t kValues = Value::kCount == internal::kAnyNumber ? 1 : Value::kCount;
    std::vector<Tensor> made = internal::AtLeast(
        kValues + count,
        Base::operator()(static_cast<typename internal::Parameter<Ps>::Given&&>(given)..., where));
    const auto end = made.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<Tensor> gradients(std::make_move_iterator(end),
                                  std::make_move_iterator(made.end()));
    made.erase(end, made.end());
    if constexpr (Value::kCount == internal::kAnyNumber) {
      return {std::move(made), std::move(gradients)};
    } else {
      return {Value::Of(made, OkStatus()), std::move(gradients)};
    }
  }

 private:
  internal::GradCounter counter_;
};

namespace internal {

// Of functions of the program and of Functions.
template <template <typename> typename Made, bool kWithValue, typename R, typename... Ps>
Made<R(Ps...)> MakeGrad(std::string name, AnyFunction::Body loss, const GradOptions& what,
                        FunctionOptions options, Location where, R (*)(Ps...)) {
  return Made<R(Ps...)>(MakeGradFunction(std::move(name), std::move(loss), what, kWithValue,
                                         std::move(options), {kArgumentsOf<Ps>...}, where),
                        what);
}

template <typename F>
using SignaturePointer = typename SignatureOf<F>::Type*;

}  // namespace internal

// The gradients of a function of the program: a lambda, say. What is said of Function's holds, and
// its first result is the loss.
template <typename F>
auto Grad(std::string name, F loss, GradOptions what = {}, FunctionOptions options = {},
          Location where = Here()) {
  using Signature = typename internal::SignatureOf<F>::Type;
  return internal::MakeGrad<GradFunction, false>(
      std::move(name), Function<Signature>::BodyOf(std::move(loss)), what, std::move(options),
      where, internal::SignaturePointer<F>());
}
// The loss and what else the function returns, and the gradients.
template <typename F>
auto ValueAndGrad(std::string name, F loss, GradOptions what = {}, FunctionOptions options = {},
                  Location where = Here()) {
  using Signature = typename internal::SignatureOf<F>::Type;
  return internal::MakeGrad<ValueAndGradFunction, true>(
      std::move(name), Function<Signature>::BodyOf(std::move(loss)), what, std::move(options),
      where, internal::SignaturePointer<F>());
}

// Those of a Function, with its options.
template <typename R, typename... Ps>
GradFunction<R(Ps...)> Grad(const Function<R(Ps...)>& loss, GradOptions what = {},
                            Location where = Here()) {
  using Signature = R (*)(Ps...);
  return internal::MakeGrad<GradFunction, false>("gradient of " + loss.name(),
                                                 BodyOf(AnyFunction(loss)), what, loss.options(),
                                                 where, Signature());
}
template <typename R, typename... Ps>
ValueAndGradFunction<R(Ps...)> ValueAndGrad(const Function<R(Ps...)>& loss, GradOptions what = {},
                                            Location where = Here()) {
  using Signature = R (*)(Ps...);
  return internal::MakeGrad<ValueAndGradFunction, true>("gradient of " + loss.name(),
                                                        BodyOf(AnyFunction(loss)), what,
                                                        loss.options(), where, Signature());
}

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_GRADIENTS_H_
