// Helpers for the generated functions of ops.cc.
#ifndef TFRT_LIB_API_EAGER_OP_FUNCTION_H_
#define TFRT_LIB_API_EAGER_OP_FUNCTION_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "execute.h"
#include "tfrt/eager/context.h"

namespace tfrt::eager {

// The call of an op failed: reports the error at its line, and returns a tensor that is the error.
Tensor ErrorTensor(const OpDefinition& op, Location where, const Status& error);

// Calls an op with kResults results. With an error of its own all results are that error.
template <size_t kResults>
auto Call(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
          Location where) {
  if constexpr (kResults == 0) {
    return ExecuteComplete(op, arguments, attrs, {}, where);
  } else if constexpr (kResults == 1) {
    Tensor result;
    (void)ExecuteComplete(op, arguments, attrs, {&result, 1}, where);
    return result;
  } else {
    std::array<Tensor, kResults> results;
    (void)ExecuteComplete(op, arguments, attrs, results, where);
    return results;
  }
}
template <size_t kResults>
auto Call(const OpDefinition& op, std::span<TensorArgument> arguments, const OpAttrsRef& attrs,
          Location where, const Status& status) {
  if (status.ok()) return Call<kResults>(op, arguments, attrs, where);
  static_assert(kResults == 1, "ops with constants have one result");
  return ErrorTensor(op, where, status);
}

// The same by name; `name` is that of an op of the host.
template <size_t size>
struct OpName {
  constexpr OpName(const char (&text)[size]) {  // NOLINT: implicit by design
    std::copy_n(text, size, chars);
  }
  char chars[size];
};
template <OpName name, size_t kResults, typename... Arguments>
[[gnu::always_inline]] inline auto CallOf(Location where, const OpAttrsRef& attrs,
                                          Arguments&&... arguments) {
  static const OpDefinition& op = HostOp(name.chars);
  std::array<TensorArgument, sizeof...(arguments)> list = {std::move(arguments)...};
  return Call<kResults>(op, list, attrs, where);
}

// Sets a dense attribute, or says why the array is none.
Status SetDense(OpAttrs& attrs, std::string_view name, const HostArray& array);

// Arguments of which the last ones are any number.
template <typename... Fixed>
std::vector<TensorArgument> Arguments(std::span<const Tensor> rest, Fixed... fixed) {
  std::vector<TensorArgument> arguments;
  arguments.reserve(sizeof...(fixed) + rest.size());
  (arguments.push_back(std::move(fixed)), ...);
  for (const Tensor& tensor : rest) arguments.emplace_back(tensor);
  return arguments;
}

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_OP_FUNCTION_H_
