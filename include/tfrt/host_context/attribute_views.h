// What kernels read of their attributes: small views over the encoded bytes in the BEF file
// (docs/bef_format.md). The bytes were checked when the function was bound, so reading needs
// no checks; they live as long as the file.
#ifndef TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_
#define TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_

#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tfrt/support/half.h"

namespace tfrt {

using AttributeCode = uint8_t;

namespace internal {

template <typename T>
T LoadAttribute(const uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

inline constexpr AttributeCode kArrayBit = 128;
inline constexpr AttributeCode kEmptyArrayCode = 136;

// The code of a fixed-size element type (8.6); 0 for any other type.
template <typename T>
constexpr AttributeCode ScalarCode() {
  if constexpr (std::is_same_v<T, bool>) return 5;
  if constexpr (std::is_same_v<T, uint8_t>) return 1;
  if constexpr (std::is_same_v<T, uint16_t>) return 2;
  if constexpr (std::is_same_v<T, uint32_t>) return 3;
  if constexpr (std::is_same_v<T, uint64_t>) return 4;
  if constexpr (std::is_same_v<T, int8_t>) return 6;
  if constexpr (std::is_same_v<T, int16_t>) return 7;
  if constexpr (std::is_same_v<T, int32_t>) return 8;
  if constexpr (std::is_same_v<T, int64_t>) return 9;
  if constexpr (std::is_same_v<T, float>) return 10;
  if constexpr (std::is_same_v<T, double>) return 11;
  if constexpr (std::is_same_v<T, Fp16>) return 14;
  if constexpr (std::is_same_v<T, Bf16>) return 15;
  return 0;
}

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
    if constexpr (!std::is_same_v<T, bool>) return internal::LoadAttribute<T>(data_);
  }
  T operator*() const { return get(); }

 private:
  const uint8_t* data_;
};

// An array of scalars.
template <typename T>
class ArrayAttribute {
 public:
  static constexpr AttributeCode kCode = internal::ScalarCode<T>() | internal::kArrayBit;
  static_assert(internal::ScalarCode<T>() != 0, "not an array element type");
  explicit ArrayAttribute(const uint8_t* data) : data_(data) {}
  size_t size() const { return internal::LoadAttribute<uint32_t>(data_); }
  std::span<const T> span() const { return {reinterpret_cast<const T*>(data_ + 4), size()}; }
  T operator[](size_t index) const { return span()[index]; }
  auto begin() const { return span().begin(); }
  auto end() const { return span().end(); }

 private:
  const uint8_t* data_;
};

class StringAttribute {
 public:
  static constexpr AttributeCode kCode = 16;
  explicit StringAttribute(const uint8_t* data) : data_(data) {}
  std::string_view get() const {
    return {reinterpret_cast<const char*>(data_ + 4), internal::LoadAttribute<uint32_t>(data_)};
  }
  std::string_view operator*() const { return get(); }

 private:
  const uint8_t* data_;
};

// A type: the element code of 8.6.
class TypeAttribute {
 public:
  static constexpr AttributeCode kCode = 25;
  explicit TypeAttribute(const uint8_t* data) : data_(data) {}
  AttributeCode element_code() const { return *data_; }

 private:
  const uint8_t* data_;
};

// A shape, possibly of unknown rank; unknown dimensions are -1.
class ShapeAttribute {
 public:
  static constexpr AttributeCode kCode = 27;
  explicit ShapeAttribute(const uint8_t* data) : data_(data) {}
  bool has_rank() const { return internal::LoadAttribute<uint32_t>(data_) != 0; }
  // Needs has_rank().
  std::span<const int64_t> dimensions() const {
    assert(has_rank());
    return {reinterpret_cast<const int64_t*>(data_ + 12),
            internal::LoadAttribute<uint32_t>(data_ + 8)};
  }

 private:
  const uint8_t* data_;
};

// A dense tensor constant, row-major; i1 elements take one byte each.
class DenseAttribute {
 public:
  static constexpr AttributeCode kCode = 28;
  explicit DenseAttribute(const uint8_t* data) : data_(data) {}
  AttributeCode element_code() const { return data_[1]; }
  std::span<const int64_t> shape() const {
    return {reinterpret_cast<const int64_t*>(data_ + 20),
            internal::LoadAttribute<uint32_t>(data_ + 16)};
  }
  size_t num_elements() const { return internal::LoadAttribute<uint32_t>(data_ + 12); }
  // The elements' bytes: 8-aligned, and 64-aligned when our compiler wrote 256 bytes or more.
  std::span<const uint8_t> bytes() const {
    uint32_t prefix = internal::LoadAttribute<uint32_t>(data_ + 8);
    return {data_ + prefix, internal::LoadAttribute<uint32_t>(data_ + 4) - prefix};
  }
  template <typename T>
  std::span<const T> elements() const {
    assert(element_code() == internal::ScalarCode<T>());
    return {reinterpret_cast<const T*>(bytes().data()), num_elements()};
  }

 private:
  const uint8_t* data_;
};

// An array whose elements differ in type or size. An empty array may be read as one, too, though it
// is encoded as an array of scalars: it starts with a count of 0, where an aggregate's header is
// not 0.
class AggregateAttribute {
 public:
  static constexpr AttributeCode kCode = 30;
  explicit AggregateAttribute(const uint8_t* data) : data_(data) {}
  size_t size() const {
    if (internal::LoadAttribute<uint32_t>(data_) == 0) return 0;
    return internal::LoadAttribute<uint32_t>(data_ + 8);
  }
  AttributeCode element_code(size_t index) const { return element_data(index)[-1]; }
  // The element's first byte, for the constructor of the view that element_code() names.
  const uint8_t* element_data(size_t index) const {
    assert(index < size());
    return data_ + internal::LoadAttribute<uint32_t>(data_ + 12 + 4 * index);
  }

 private:
  const uint8_t* data_;
};

// A reference into a module kept as text for a compiler at run time (8.8).
class CompilationUnitAttribute {
 public:
  static constexpr AttributeCode kCode = 29;
  explicit CompilationUnitAttribute(const uint8_t* data);
  uint64_t id() const { return id_; }
  std::string_view root_symbol() const { return root_symbol_; }
  const std::vector<std::string_view>& nested_symbols() const { return nested_symbols_; }
  std::string_view module_text() const { return module_text_; }

 private:
  uint64_t id_;
  std::string_view root_symbol_;
  std::vector<std::string_view> nested_symbols_;
  std::string_view module_text_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_ATTRIBUTE_VIEWS_H_
