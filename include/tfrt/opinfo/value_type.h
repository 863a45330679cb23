// ValueType: what is known of a tensor before it is computed. It holds the element type and the
// sizes, each of which may be known, unknown or a symbol. For small integer tensors it also holds
// the elements.
#ifndef TFRT_OPINFO_VALUE_TYPE_H_
#define TFRT_OPINFO_VALUE_TYPE_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/opinfo/element_type.h"

namespace tfrt {

// A size, or an element of an integer tensor from which sizes are computed. It is a known number, a
// symbol, or unknown. The same symbol stands for the same number wherever it occurs.
class Dim {
 public:
  constexpr Dim() = default;                                      // unknown
  constexpr Dim(int64_t value) : value_(value), kind_(kKnown) {}  // NOLINT: implicit by design
  static constexpr Dim Symbol(uint32_t id) {
    Dim dim(id);
    dim.kind_ = kSymbol;
    return dim;
  }

  constexpr bool is_known() const { return kind_ == kKnown; }
  constexpr bool is_symbol() const { return kind_ == kSymbol; }
  constexpr bool is_unknown() const { return kind_ == kUnknown; }
  constexpr bool is(int64_t value) const { return is_known() && value_ == value; }
  constexpr int64_t value() const {
    assert(is_known());
    return value_;
  }
  constexpr uint32_t symbol() const {
    assert(is_symbol());
    return static_cast<uint32_t>(value_);
  }

  // Certainly the same number.
  constexpr bool IsSameAs(Dim other) const { return !is_unknown() && *this == other; }
  // Certainly another number. A symbol may stand for any.
  constexpr bool Contradicts(Dim other) const {
    return is_known() && other.is_known() && value_ != other.value_;
  }
  // The same in all that is known. Two unknown ones are.
  friend constexpr bool operator==(Dim a, Dim b) = default;

  std::string ToString() const;  // "3", "s0", "?"

 private:
  enum Kind : uint8_t { kUnknown, kKnown, kSymbol };
  int64_t value_ = 0;
  Kind kind_ = kUnknown;
};

// A shape of which the rank or sizes may be unknown.
class SymbolicShape {
 public:
  SymbolicShape() = default;  // nothing is known
  explicit SymbolicShape(std::vector<Dim> dims) : dims_(std::move(dims)), has_rank_(true) {}
  SymbolicShape(std::initializer_list<Dim> dims) : dims_(dims), has_rank_(true) {}
  // Returns a shape with `rank` sizes that are all unknown.
  static SymbolicShape OfRank(size_t rank) { return SymbolicShape(std::vector<Dim>(rank)); }

  bool has_rank() const { return has_rank_; }
  size_t rank() const {
    assert(has_rank_);
    return dims_.size();
  }
  std::span<const Dim> dims() const { return dims_; }
  Dim dim(size_t index) const { return dims_[index]; }
  bool is_known() const;
  // The product of the sizes, if it is known and fits; 0 if one is 0.
  Dim num_elements() const;

  friend bool operator==(const SymbolicShape& a, const SymbolicShape& b) = default;
  std::string ToString() const;  // "[2, s0, ?]"; "[*]" if the rank is unknown

 private:
  std::vector<Dim> dims_;
  bool has_rank_ = false;
};

struct ValueType {
  // Elements of a tensor of at most so many are worth following.
  static constexpr size_t kMaxElements = 64;

  DType dtype = DType::kUnsupported;  // kUnsupported: unknown
  SymbolicShape shape = {};
  // For an integer tensor of known shape: what is known of its elements, row-major.
  std::optional<std::vector<Dim>> elements = {};

  bool has_dtype() const { return dtype != DType::kUnsupported; }
  // True if a tensor of this kind can be what `other` describes: nothing known of both differs.
  bool IsCompatibleWith(const ValueType& other) const;
  friend bool operator==(const ValueType& a, const ValueType& b) = default;
  std::string ToString() const;  // "f32 [2, ?]", "i32 [2] {3, s0}"
};

// Returns what is known of a number that is both, or nothing if they contradict each other.
std::optional<Dim> Unify(Dim a, Dim b);

}  // namespace tfrt

#endif  // TFRT_OPINFO_VALUE_TYPE_H_
