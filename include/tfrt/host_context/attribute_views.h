// Attribute views: small views through which kernels read the encoded bytes in the BEF file
// (docs/reference/bef_format.md). The bytes were checked when the function was bound, so reading
// needs no checks. They live as long as the file.
#ifndef TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_
#define TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_

#include <cassert>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tfrt/bef/attribute_codec.h"

namespace tfrt {

using AttributeCode = uint8_t;

namespace internal {

// Returns the code of a scalar's type; 0 for any other type.
template <typename T>
constexpr AttributeCode ScalarCode() {
  constexpr auto code = static_cast<bef::TypeCode>(DTypeOf<T>());
  return bef::IsScalarCode(code) ? static_cast<AttributeCode>(code) : 0;
}

constexpr AttributeCode CodeFor(bef::TypeCode code) { return static_cast<AttributeCode>(code); }

}  // namespace internal

// One scalar: bool, a fixed-width integer, Fp16, Bf16, float or double.
template <typename T>
class Attribute {
 public:
  static constexpr AttributeCode kCode = internal::ScalarCode<T>();
  static_assert(kCode != 0, "not a scalar attribute type");
  explicit Attribute(const uint8_t* data) : data_(data) {}
  T get() const {
    if constexpr (std::is_same_v<T, bool>) return *data_ != 0;
    if constexpr (!std::is_same_v<T, bool>) return bef::LoadNumber<T>(data_);
  }
  T operator*() const { return get(); }

 private:
  const uint8_t* data_;
};

// An array of scalars.
template <typename T>
class ArrayAttribute {
 public:
  static constexpr AttributeCode kCode = internal::ScalarCode<T>() | bef::kArrayFlag;
  static_assert(internal::ScalarCode<T>() != 0, "not an array element type");
  explicit ArrayAttribute(const uint8_t* data) : data_(data) {}
  size_t size() const { return bef::CountedBytes::Count(data_); }
  std::span<const T> span() const {
    return {reinterpret_cast<const T*>(bef::CountedBytes::Elements(data_)), size()};
  }
  T operator[](size_t index) const { return span()[index]; }
  auto begin() const { return span().begin(); }
  auto end() const { return span().end(); }

 private:
  const uint8_t* data_;
};

class StringAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kString);
  explicit StringAttribute(const uint8_t* data) : data_(data) {}
  std::string_view get() const {
    return {reinterpret_cast<const char*>(bef::CountedBytes::Elements(data_)),
            bef::CountedBytes::Count(data_)};
  }
  std::string_view operator*() const { return get(); }

 private:
  const uint8_t* data_;
};

// A type: the element code of 8.6.
class TypeAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kType);
  explicit TypeAttribute(const uint8_t* data) : data_(data) {}
  AttributeCode element_code() const { return *data_; }

 private:
  const uint8_t* data_;
};

// A shape, possibly of unknown rank; unknown dimensions are -1.
class ShapeAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kShape);
  explicit ShapeAttribute(const uint8_t* data) : data_(data) {}
  bool has_rank() const { return bef::ShapeBytes::IsRanked(data_); }
  // Needs has_rank().
  std::span<const int64_t> dimensions() const {
    assert(has_rank());
    return bef::ShapeBytes::Dims(data_);
  }

 private:
  const uint8_t* data_;
};

// A dense tensor constant, row-major; i1 elements take one byte each.
class DenseAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kDense);
  explicit DenseAttribute(const uint8_t* data) : data_(data) {}
  AttributeCode element_code() const { return internal::CodeFor(bef::DenseBytes::Element(data_)); }
  std::span<const int64_t> shape() const { return bef::DenseBytes::Dims(data_); }
  size_t num_elements() const { return bef::DenseBytes::NumElements(data_); }
  // Returns the elements' bytes: 8-aligned, and 64-aligned if this project's compiler wrote 256
  // bytes or more.
  std::span<const uint8_t> bytes() const { return bef::DenseBytes::Elements(data_); }
  template <typename T>
  std::span<const T> elements() const {
    assert(element_code() == internal::ScalarCode<T>());
    return {reinterpret_cast<const T*>(bytes().data()), num_elements()};
  }

 private:
  const uint8_t* data_;
};

// An array whose elements differ in type or size. An empty array, although encoded as an array of
// scalars, may also be read as one.
class AggregateAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kAggregate);
  explicit AggregateAttribute(const uint8_t* data) : data_(data) {}
  size_t size() const { return bef::AggregateBytes::CountIfAny(data_); }
  AttributeCode element_code(size_t index) const {
    return internal::CodeFor(bef::AggregateBytes::Code(element_data(index)));
  }
  // Returns the element's first byte, for the constructor of the view that element_code() names.
  const uint8_t* element_data(size_t index) const {
    assert(index < size());
    return data_ + bef::AggregateBytes::Offset(data_, index);
  }

 private:
  const uint8_t* data_;
};

// A reference into a module kept as text for a compiler at run time (8.8).
class CompilationUnitAttribute {
 public:
  static constexpr AttributeCode kCode = internal::CodeFor(bef::TypeCode::kSymbolRef);
  explicit CompilationUnitAttribute(const uint8_t* data)
      : view_(bef::SymbolRefBytes::Decode(data)) {}
  uint64_t id() const { return view_.number; }
  std::string_view root_symbol() const { return view_.root; }
  const std::vector<std::string_view>& nested_symbols() const { return view_.nested; }
  std::string_view module_text() const { return view_.module_text; }

 private:
  bef::SymbolRefView view_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_
