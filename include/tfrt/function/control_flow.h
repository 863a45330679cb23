// Control flow on tensors, for functions that are traced. Outside of a trace these functions act at
// once.
//
//   Tensor y = Cond(Sum(x, {0}) > 0.0f, [&] { return x; }, [&] { return x * -1.0f; });
//   auto [i, sum] = WhileLoop([](Tensor i, Tensor) { return i < 10; },
//                             [](Tensor i, Tensor sum) { return std::array{i + 1, sum + i}; },
//                             Tensor::Scalar(0), Tensor::Scalar(0));
#ifndef TFRT_FUNCTION_CONTROL_FLOW_H_
#define TFRT_FUNCTION_CONTROL_FLOW_H_

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/eager/tensor.h"
#include "tfrt/function/argument.h"
#include "tfrt/function/host_function.h"
#include "tfrt/function/options.h"
#include "tfrt/support/location.h"

namespace tfrt::function {

// --- For any number of tensors. On a failure they return one error tensor per result, or just one.
// An exception of a function passed to these becomes such an error (Internal).

using Branch = std::function<StatusOr<std::vector<Tensor>>()>;
using LoopBody = std::function<StatusOr<std::vector<Tensor>>(std::span<const Tensor>)>;

// Returns the results of `then_branch` if the condition, an i1 of one element, is true, otherwise
// those of `else_branch`. In a trace both are called, once each. Both must return as many tensors,
// of the same dtypes.
std::vector<Tensor> CondList(const Tensor& condition, const Branch& then_branch,
                             const Branch& else_branch, Location where);
// Repeats `body` while `condition` returns true. The condition returns one i1 of one element; the
// body returns new values of the same dtypes. In a trace each is called once, or twice if a shape
// changes between runs.
std::vector<Tensor> WhileList(const LoopBody& condition, const LoopBody& body,
                              std::vector<Tensor> carried, Location where);

struct ForOptions {
  Tensor count = {};                 // i64; no tensor: as many as `scanned` has rows
  std::vector<Tensor> scanned = {};  // with equal numbers of rows
};
// Runs `body` with the number of the run, an i64, the carried values and the rows of `scanned`. The
// body returns the carried values, followed by rows that are stacked. Returns both.
std::vector<Tensor> ForList(const ForOptions& options, const LoopBody& body,
                            std::vector<Tensor> carried, Location where);

namespace internal {

// Returns the results of a branch or a body, of whatever type, as a list.
template <typename R>
StatusOr<std::vector<Tensor>> ListOf(R made) {
  return Results<R>::List(std::move(made));
}
// Converts the list of a call that made an R.
template <typename R>
typename Results<R>::Type FromList(std::vector<Tensor> list) {
  if constexpr (Results<R>::kCount == kAnyNumber) {
    return list;
  } else {
    // After an error one error tensor may stand for all.
    while (list.size() < Results<R>::kCount) list.push_back(list.empty() ? Tensor() : list[0]);
    return Results<R>::Of(list, list.empty() ? OkStatus() : list[0].status());
  }
}
template <size_t N, typename F, size_t... i>
auto CallWith(F& function, std::span<const Tensor> tensors, std::index_sequence<i...>) {
  return function(tensors[i]...);
}
// Converts a loop's function of N tensors to one of a list.
template <size_t N, typename F>
LoopBody BodyOf(F& function) {
  return [&function](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return ListOf(CallWith<N>(function, tensors, std::make_index_sequence<N>()));
  };
}
// The result of a loop of N values: the tensor, or an array.
template <size_t N>
using Carried = std::conditional_t<N == 1, Tensor, std::array<Tensor, N>>;

}  // namespace internal

// As CondList, for all return types of branches: Tensor, std::array, std::pair, std::tuple,
// std::vector.
template <typename Then, typename Else>
auto Cond(const Tensor& condition, Then then_branch, Else else_branch, Location where = Here()) {
  using R = std::invoke_result_t<Then&>;
  return internal::FromList<R>(CondList(
      condition, [&] { return internal::ListOf<R>(then_branch()); },
      [&] { return internal::ListOf<std::invoke_result_t<Else&>>(else_branch()); }, where));
}

// As WhileList; `where` is the location of the call, given last in the form below.
template <typename Condition, typename Body, typename... Ts>
  requires(std::is_same_v<std::remove_cvref_t<Ts>, Tensor> && ...)
auto WhileLoopAt(Location where, Condition condition, Body body, Ts&&... carried) {
  constexpr size_t N = sizeof...(Ts);
  return internal::FromList<internal::Carried<N>>(WhileList(internal::BodyOf<N>(condition),
                                                            internal::BodyOf<N>(body),
                                                            {std::forward<Ts>(carried)...}, where));
}
template <typename Condition, typename Body>
auto WhileLoop(Condition condition, Body body, Tensor a, Location where = Here()) {
  return WhileLoopAt(where, std::move(condition), std::move(body), std::move(a));
}
template <typename Condition, typename Body>
auto WhileLoop(Condition condition, Body body, Tensor a, Tensor b, Location where = Here()) {
  return WhileLoopAt(where, std::move(condition), std::move(body), std::move(a), std::move(b));
}
template <typename Condition, typename Body>
auto WhileLoop(Condition condition, Body body, Tensor a, Tensor b, Tensor c,
               Location where = Here()) {
  return WhileLoopAt(where, std::move(condition), std::move(body), std::move(a), std::move(b),
                     std::move(c));
}
template <typename Condition, typename Body>
auto WhileLoop(Condition condition, Body body, Tensor a, Tensor b, Tensor c, Tensor d,
               Location where = Here()) {
  return WhileLoopAt(where, std::move(condition), std::move(body), std::move(a), std::move(b),
                     std::move(c), std::move(d));
}

// Calls `body(i, x)` for i of i64 from 0 to count - 1; x is the result of the run before.
template <typename Body>
Tensor ForRange(const TensorArgument& count, Body body, Tensor x, Location where = Here());
template <typename Body>
std::array<Tensor, 2> ForRange(const TensorArgument& count, Body body, Tensor x, Tensor y,
                               Location where = Here());

// Calls `body(x, row)` for each row of `rows`, its first dimension; returns the last x.
template <typename Body>
Tensor ForEach(Tensor rows, Body body, Tensor x, Location where = Here()) {
  auto list = [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return internal::ListOf<Tensor>(body(tensors[1], tensors[2]));
  };
  return internal::FromList<Tensor>(
      ForList({.scanned = {std::move(rows)}}, list, {std::move(x)}, where));
}
// As above, with two carried values: `body(x, y, row)` returns both.
template <typename Body>
std::array<Tensor, 2> ForEach(Tensor rows, Body body, Tensor x, Tensor y, Location where = Here()) {
  using R = std::invoke_result_t<Body&, Tensor, Tensor, Tensor>;
  auto list = [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return internal::ListOf<R>(body(tensors[1], tensors[2], tensors[3]));
  };
  return internal::FromList<std::array<Tensor, 2>>(
      ForList({.scanned = {std::move(rows)}}, list, {std::move(x), std::move(y)}, where));
}

// The result of Scan. `body(x, row)` returns the next x and a row of the result, as std::array or
// std::pair.
struct Scanned {
  Tensor carried;  // the last x
  Tensor stacked;  // [rows, ...]
};
template <typename Body>
Scanned Scan(Body body, Tensor x, Tensor rows, Location where = Here()) {
  using R = std::invoke_result_t<Body&, Tensor, Tensor>;
  auto list = [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return internal::ListOf<R>(body(tensors[1], tensors[2]));
  };
  auto made = internal::FromList<std::array<Tensor, 2>>(
      ForList({.scanned = {std::move(rows)}}, list, {std::move(x)}, where));
  return {std::move(made[0]), std::move(made[1])};
}

// --- Calls of the program's own functions

// Calls `function` once, in the order of side effects, on a thread that may block. A traced program
// calls it in each of its calls. The results must match `results`. A function with host calls
// cannot be saved. `name` is for messages.
std::vector<Tensor> HostCall(const std::string& name, HostFunction function,
                             std::span<const Tensor> inputs, std::span<const TensorSpec> results,
                             Location where = Here());
// The same with one result.
Tensor HostCall(const std::string& name, HostFunction function,
                std::initializer_list<Tensor> inputs, const TensorSpec& result,
                Location where = Here());

// Calls `next` for rows until it has none, once per run and call. Each row must match `row`.
// `body(x, row)` is as in ForEach.
using RowSource = std::function<StatusOr<std::optional<Tensor>>()>;
Tensor ForEachOf(RowSource next, const TensorSpec& row,
                 const std::function<Tensor(Tensor x, Tensor row)>& body, Tensor x,
                 Location where = Here());

// --- Lists

// A list of tensors of one dtype and shape that grows: a value that changes with each Write. To
// carry one through a loop, carry its tensor().
class TensorArray {
 public:
  // Makes an empty list. Tensors that are written later are like `element`, whose sizes are known.
  explicit TensorArray(const TensorSpec& element, Location where = Here());
  // Makes a list of the rows of a tensor.
  explicit TensorArray(Tensor rows) : rows_(std::move(rows)) {}

  // Writes a tensor at an index, an integer of one element. The list grows if the index is at its
  // end or beyond; the elements between are 0.
  void Write(TensorArgument index, TensorArgument value, Location where = Here());
  Tensor Read(TensorArgument index, Location where = Here()) const;
  // [size, ...]
  const Tensor& tensor() const& { return rows_; }
  Tensor tensor() && { return std::move(rows_); }
  Tensor Stack() const { return rows_; }
  // An i64.
  Tensor Size(Location where = Here()) const;

 private:
  Tensor rows_;
};

// --- Implementation

namespace internal {
// Returns an i64 of one element.
Tensor CountOf(const TensorArgument& count, Location where);
}  // namespace internal

template <typename Body>
Tensor ForRange(const TensorArgument& count, Body body, Tensor x, Location where) {
  auto list = [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return internal::ListOf<Tensor>(body(tensors[0], tensors[1]));
  };
  return internal::FromList<Tensor>(
      ForList({.count = internal::CountOf(count, where)}, list, {std::move(x)}, where));
}
template <typename Body>
std::array<Tensor, 2> ForRange(const TensorArgument& count, Body body, Tensor x, Tensor y,
                               Location where) {
  using R = std::invoke_result_t<Body&, Tensor, Tensor, Tensor>;
  auto list = [&](std::span<const Tensor> tensors) -> StatusOr<std::vector<Tensor>> {
    return internal::ListOf<R>(body(tensors[0], tensors[1], tensors[2]));
  };
  return internal::FromList<std::array<Tensor, 2>>(ForList(
      {.count = internal::CountOf(count, where)}, list, {std::move(x), std::move(y)}, where));
}

}  // namespace tfrt::function

#endif  // TFRT_FUNCTION_CONTROL_FLOW_H_
