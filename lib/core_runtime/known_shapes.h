// What shape rules (tfrt/opinfo/shape_inference.h) need of calls of which all is known: the same
// names as for symbolic shapes, on TensorShape. Where a rule asks whether something is known the
// compiler drops the question.
#ifndef TFRT_LIB_CORE_RUNTIME_KNOWN_SHAPES_H_
#define TFRT_LIB_CORE_RUNTIME_KNOWN_SHAPES_H_

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tfrt/core_runtime/op_attr_values.h"
#include "tfrt/core_runtime/op_call.h"
#include "tfrt/opinfo/shape_inference.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// A size, as Dim has it.
class KnownDim {
 public:
  KnownDim() = default;
  constexpr KnownDim(int64_t value) : value_(value) {}  // NOLINT: implicit by design
  static constexpr bool is_known() { return true; }
  constexpr bool is(int64_t value) const { return value_ == value; }
  constexpr int64_t value() const { return value_; }
  constexpr bool IsSameAs(KnownDim other) const { return value_ == other.value_; }
  constexpr bool Contradicts(KnownDim other) const { return value_ != other.value_; }
  std::string ToString() const { return StrCat(value_); }

 private:
  int64_t value_;
};

// Sizes on the stack.
class KnownDims {
 public:
  KnownDims() {}  // NOLINT: the array stays uninitialised
  void push_back(KnownDim dim) {
    assert(size_ < kCapacity);
    dims_[size_++] = dim.value();
  }
  std::span<const int64_t> span() const { return {dims_, size_}; }

 private:
  // What is made of two shapes.
  static constexpr size_t kCapacity = 2 * TensorShape::kMaxRank;
  size_t size_ = 0;
  int64_t dims_[kCapacity];
};

constexpr bool HasRank(const TensorShape&) { return true; }
inline KnownDim DimOf(const TensorShape& shape, size_t index) { return shape.dim(index); }
inline KnownDim DimIfRanked(const TensorShape& shape, size_t index) { return shape.dim(index); }

inline bool Unite(KnownDim* a, KnownDim b) { return a->IsSameAs(b); }
inline bool Unite(TensorShape* a, const TensorShape& b) { return *a == b; }
inline bool Unite(TensorShape* a, size_t index, KnownDim* b) { return b->is(a->dim(index)); }

class KnownCall {
 public:
  using Value = TensorMetadata;
  using Size = KnownDim;
  using Dims = KnownDims;

  KnownCall(OpMetadataArguments arguments, const OpAttrsRef& attrs)
      : arguments_(arguments), attrs_(attrs) {}
  size_t num_arguments() const { return arguments_.size(); }
  const TensorMetadata& argument(size_t index) const { return *arguments_[index]; }

  template <typename T>
  std::optional<T> Attr(RuleAttr name) const {
    if constexpr (std::is_same_v<T, DType>) {
      return attrs_.GetType(name.spelled);
    } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
      return IntegersOf(attrs_, name.spelled);
    } else {
      return attrs_.Get<T>(name.spelled);
    }
  }
  std::optional<std::string_view> TextAttr(RuleAttr name, std::string_view if_absent) const {
    return attrs_.Find(name.spelled) ? attrs_.GetString(name.spelled) : if_absent;
  }
  size_t NumStrings(RuleAttr name) const {
    auto strings = attrs_.GetAggregate(name.spelled);
    return strings ? strings->size() : 0;
  }
  [[gnu::cold]] static Status Lacks(RuleAttr name, std::string_view op) {
    return InvalidArgumentError(
        StrCat("'", name.spelled, "' attribute is not specified for ", op, " op"));
  }

  static Status MakeShape(const KnownDims& dims, TensorShape* shape) {
    StatusOr<TensorShape> made = TensorShape::Create(dims.span());
    if (!made.ok()) [[unlikely]]
      return made.status();
    *shape = *std::move(made);
    return OkStatus();
  }
  static bool MayHaveOneElement(const TensorMetadata& value) {
    return value.shape.num_elements() == 1;
  }
  static bool MayBeEmptyVector(const TensorShape& shape) { return shape == TensorShape{0}; }

 private:
  OpMetadataArguments arguments_;
  const OpAttrsRef& attrs_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_CORE_RUNTIME_KNOWN_SHAPES_H_
