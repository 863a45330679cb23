// Gradient rules give the gradients of an op's arguments, as calls of ops of the table. They are
// beside the descriptions, so that an author who adds an op adds its rule (docs/extending.md):
//
//   void TanhGradient(GradientCall& call) {
//     GradientValue y = call.result(0), one = call.Number(1);
//     call.SetGradient(0, call.Mul(call.gradient(0), call.Sub(one, call.Mul(y, y))));
//   }
//
// Rules are pure and thread-safe. The caller decides what they build: gradients of traced graphs
// are one example (lib/format/traced_graph/gradients/gradients.h).
#ifndef TFRT_LIB_FORMAT_OP_TABLE_GRADIENT_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_GRADIENT_RULES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/status.h"

namespace tfrt {

// A tensor of the program that is built.
using GradientValue = uint32_t;
inline constexpr GradientValue kNoGradient = UINT32_MAX;

struct GradientAttr {
  std::string_view name;  // canonical
  OpAttrValue value;
};

// Makes calls. The first one that cannot be is the status, and all values are kNoGradient from then
// on, which rules may pass on.
class GradientBuilder {
 public:
  virtual ~GradientBuilder() = default;
  // All results of a row of the table; as many as it has, also after an error.
  virtual std::vector<GradientValue> Call(const OpDescription& op,
                                          std::span<const GradientValue> arguments,
                                          std::span<const GradientAttr> attrs) = 0;
  virtual const ValueType& TypeOf(GradientValue value) const = 0;
  // A vector of i64, and a scalar.
  virtual GradientValue Integers(std::span<const int64_t> numbers) = 0;
  virtual GradientValue Number(DType dtype, double number) = 0;
  virtual void Fail(Status error) = 0;
};

// One call of an op whose results have gradients.
class GradientCall {
 public:
  GradientCall(GradientBuilder& builder, const OpDescription& op,
               std::span<const GradientValue> arguments, const OpAttrReader& attrs,
               std::span<const GradientValue> results, std::span<const GradientValue> gradients)
      : builder_(builder),
        op_(op),
        arguments_(arguments),
        attrs_(attrs),
        results_(results),
        gradients_(gradients),
        argument_gradients_(arguments.size(), kNoGradient) {}

  size_t num_arguments() const { return arguments_.size(); }
  // kNoGradient: left out.
  GradientValue argument(size_t index) const {
    return index < arguments_.size() ? arguments_[index] : kNoGradient;
  }
  GradientValue result(size_t index) const { return results_[index]; }
  // Returns the gradient of a result; zeros if nothing depends on it.
  GradientValue gradient(size_t index);
  bool has_gradient(size_t index) const { return gradients_[index] != kNoGradient; }
  const ValueType& TypeOf(GradientValue value) const { return builder_.TypeOf(value); }

  // An attribute of the call, or its default; of another type than T it is an error.
  template <typename T>
  T Attr(std::string_view name) {
    StatusOr<OpAttrValue> value = FindAttr(name);
    if (value.ok() && std::holds_alternative<T>(*value)) return std::get<T>(*std::move(value));
    Fail("the attribute '" + std::string(name) + "' is not known");
    return T();
  }
  // Those of the call, for an op that has them, too.
  std::vector<GradientAttr> SameAttrs(std::initializer_list<std::string_view> names);

  void SetGradient(size_t argument, GradientValue gradient) {
    argument_gradients_[argument] = gradient;
  }
  std::span<const GradientValue> argument_gradients() const { return argument_gradients_; }
  // "matmul: the gradient ..."
  void Fail(const std::string& why);

  // --- What rules are made of.
  std::vector<GradientValue> CallAll(std::string_view op,
                                     std::initializer_list<GradientValue> arguments,
                                     std::span<const GradientAttr> attrs = {});
  GradientValue Call(std::string_view op, std::initializer_list<GradientValue> arguments,
                     std::span<const GradientAttr> attrs = {}) {
    return CallAll(op, arguments, attrs)[0];
  }
  GradientValue Add(GradientValue a, GradientValue b) { return Call("add", {a, b}); }
  GradientValue Sub(GradientValue a, GradientValue b) { return Call("sub", {a, b}); }
  GradientValue Mul(GradientValue a, GradientValue b) { return Call("mul", {a, b}); }
  GradientValue Div(GradientValue a, GradientValue b) { return Call("div", {a, b}); }
  GradientValue Neg(GradientValue a) { return Call("neg", {a}); }
  GradientValue Select(GradientValue condition, GradientValue a, GradientValue b) {
    return Call("select", {condition, a, b});
  }
  // A scalar of the dtype of the first result.
  GradientValue Number(double number);
  GradientValue Number(DType dtype, double number) { return builder_.Number(dtype, number); }
  GradientValue Integers(std::span<const int64_t> numbers) { return builder_.Integers(numbers); }
  // The sizes as i64: a constant if they are known.
  GradientValue ShapeOf(GradientValue value);
  GradientValue ZerosLike(GradientValue value);
  GradientValue Reshape(GradientValue value, GradientValue like) {
    return Call("reshape", {value, ShapeOf(like)});
  }
  GradientValue BroadcastTo(GradientValue value, GradientValue like) {
    return Call("broadcast_to", {value, ShapeOf(like)});
  }
  // The sum over what broadcasting has added; `value` itself if it is certain that there is
  // nothing.
  GradientValue SumTo(GradientValue value, GradientValue like);

  // The elements of an argument. Not known: it fails, and there are none.
  std::vector<int64_t> ElementsOf(size_t argument);
  // All sizes, or the rank, likewise.
  std::vector<int64_t> SizesOf(GradientValue value);
  size_t RankOf(GradientValue value);

 private:
  StatusOr<OpAttrValue> FindAttr(std::string_view name) const;

  GradientBuilder& builder_;
  const OpDescription& op_;
  const std::span<const GradientValue> arguments_;
  const OpAttrReader& attrs_;
  const std::span<const GradientValue> results_;
  const std::span<const GradientValue> gradients_;
  std::vector<GradientValue> argument_gradients_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_GRADIENT_RULES_H_
