// Gradients of functions, as functions. Called with tensors, they are traced, compiled and cached
// as any Function. Called while another function is traced, they become part of its program. So a
// whole step of training is one program (docs/functions.md#gradients).
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

// Selects the arguments and variables of the derivative; the first argument if none are named.
struct GradOptions {
  // Parameters by number: tensors of floats, lists of them (with a gradient for each), Variables.
  std::vector<size_t> arguments = {};
  // Variables that the function uses, with their values when the gradient is called.
  std::vector<Variable> variables = {};
};

// Returns the gradients of a function with any parameters, as a function of the same arguments. Its
// results are those of `loss`, if `with_value`; the first of them must be a float of one element.
// Then follows the gradient of that first result for each of GradOptions::arguments and
// ::variables, in their order. A gradient has the type of its argument or variable, and is zero if
// the loss does not depend on it.
//
// The function `loss` is traced, never run, also where functions run eagerly. Its other work,
// besides computing its first result, takes place once per call: it may assign variables and have
// effects. Arguments by number are those of the call; a list is one argument with all its parts.
// The sizes `parameter_sizes` give the number of arguments of each parameter, if one consists of
// several (internal::kAnyNumber: a list).
//
// Errors name the line of `where` or of the op. Calls fail for arguments that have no gradient and
// for a loss that is no float of one element. On the way to the loss they fail for host calls, for
// ops without a rule (docs/reference/eager_ops.md), and for missing facts that a rule needs.
AnyFunction MakeGradFunction(std::string name, AnyFunction::Body loss, GradOptions what,
                             bool with_value, FunctionOptions options = {},
                             std::vector<size_t> parameter_sizes = {}, Location where = Here());

// Makes a loss of `function`: the functions that it calls become part of the gradient's program.
AnyFunction::Body BodyOf(const AnyFunction& function);

// The results of a call of ValueAndGrad. The `gradients` have one tensor for each argument and
// variable; a list has one for each of its tensors. All are errors if the call fails.
template <typename R>
struct ValueAndGradients {
  typename internal::Results<R>::Type value;
  std::vector<Tensor> gradients;
};

namespace internal {

// The number of arguments of a parameter.
template <typename P>
inline constexpr size_t kArgumentsOf = 1;
template <size_t N>
inline constexpr size_t kArgumentsOf<std::array<Tensor, N>> = N;
template <>
inline constexpr size_t kArgumentsOf<std::vector<Tensor>> = kAnyNumber;

// Counts the gradients of a call; parameters are given by their number of arguments.
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

// Returns `made`, or `count` errors if it is one error.
inline std::vector<Tensor> AtLeast(size_t count, std::vector<Tensor> made) {
  while (made.size() < count) made.push_back(made.back());
  return made;
}

}  // namespace internal

// The result of Grad: calls return the gradients alone. A handle, as AnyFunction.
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

// The result of ValueAndGrad.
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

// Makes gradients of functions of the program and of Functions.
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

// Returns the gradients of a function of the program, for example a lambda. The rules for Function
// apply, and its first result is the loss.
template <typename F>
auto Grad(std::string name, F loss, GradOptions what = {}, FunctionOptions options = {},
          Location where = Here()) {
  using Signature = typename internal::SignatureOf<F>::Type;
  return internal::MakeGrad<GradFunction, false>(
      std::move(name), Function<Signature>::BodyOf(std::move(loss)), what, std::move(options),
      where, internal::SignaturePointer<F>());
}
// Returns the loss, the other results of the function, and the gradients.
template <typename F>
auto ValueAndGrad(std::string name, F loss, GradOptions what = {}, FunctionOptions options = {},
                  Location where = Here()) {
  using Signature = typename internal::SignatureOf<F>::Type;
  return internal::MakeGrad<ValueAndGradFunction, true>(
      std::move(name), Function<Signature>::BodyOf(std::move(loss)), what, std::move(options),
      where, internal::SignaturePointer<F>());
}

// As above, for a Function, with its options.
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
