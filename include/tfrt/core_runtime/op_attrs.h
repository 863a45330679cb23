// OpAttrs: the attributes of one call of an eager op, by name.
//
//   OpAttrs attrs;
//   attrs.Set("transpose_b", true);
//   attrs.SetArray("strides", std::span(strides));
//   op(..., attrs, ...);
//
// Values are encoded as in BEF files (docs/reference/bef_format.md). The attributes of a program
// are therefore used in place, kernels can read them as their own, and two sets compare by their
// bytes.
#ifndef TFRT_CORE_RUNTIME_OP_ATTRS_H_
#define TFRT_CORE_RUNTIME_OP_ATTRS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/bef/attribute_codec.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/tensor/dtype.h"

namespace tfrt {

// A named value: its type code (docs/reference/bef_format.md; array = element code + 128) and its
// bytes.
struct OpAttr {
  std::string_view name;
  const uint8_t* data = nullptr;
  AttributeCode code = 0;
  bool is_function = false;  // a string that names a function

  // Bytes of the encoded value.
  size_t size_bytes() const { return bef::EncodedSize(static_cast<bef::TypeCode>(code), data); }
  // The same name and the same encoded value.
  friend bool operator==(const OpAttr& a, const OpAttr& b);
};

class ImmutableOpAttrs;

// The attributes as ops read them: a view of a set, which must outlive it unless it is frozen.
// Small; copied freely. The getters return empty if no attribute has this name and type.
class OpAttrsRef {
 public:
  static constexpr std::string_view kProgramTypeName = "frozen op attributes";
  OpAttrsRef() = default;
  explicit OpAttrsRef(RCReference<ImmutableOpAttrs> frozen);
  // The attributes must have different names.
  explicit OpAttrsRef(std::span<const OpAttr> attrs) : OpAttrsRef(attrs.data(), attrs.size()) {}

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Sorted by name if frozen; else in the order in which they were set.
  std::span<const OpAttr> attrs() const { return {attrs_, size_}; }

  // Null if there is none.
  const OpAttr* Find(std::string_view name) const {
    for (uint32_t i = 0; i < size_; ++i) {
      if (attrs_[i].name == name) return &attrs_[i];
    }
    return nullptr;
  }

  // A scalar: bool, a fixed-width integer, Fp16, Bf16, float or double.
  template <typename T>
  std::optional<T> Get(std::string_view name) const {
    const OpAttr* attr = FindOfCode(name, Attribute<T>::kCode);
    return attr ? std::optional<T>(Attribute<T>(attr->data).get()) : std::nullopt;
  }
  // An array of scalars. An empty one is an array of anything.
  template <typename T>
  std::optional<std::span<const T>> GetArray(std::string_view name) const {
    const OpAttr* attr = Find(name);
    if (!attr) return std::nullopt;
    if (attr->code != ArrayAttribute<T>::kCode &&
        !bef::IsEmptyArray(static_cast<bef::TypeCode>(attr->code), attr->data)) {
      return std::nullopt;
    }
    return ArrayAttribute<T>(attr->data).span();
  }
  std::optional<std::string_view> GetString(std::string_view name) const;
  std::optional<std::string_view> GetFunction(std::string_view name) const;
  std::optional<DType> GetType(std::string_view name) const;
  std::optional<ShapeAttribute> GetShape(std::string_view name) const;
  std::optional<DenseAttribute> GetDense(std::string_view name) const;
  std::optional<AggregateAttribute> GetAggregate(std::string_view name) const;

  // The same attributes in memory of their own, which the result keeps alive.
  OpAttrsRef Freeze() const;
  bool is_frozen() const { return static_cast<bool>(owner_); }

  // Independent of the order in which they were set.
  uint64_t Hash() const;
  // The same names with the same encoded values.
  friend bool operator==(const OpAttrsRef& a, const OpAttrsRef& b);

  // The text of tfrt_test.corert.op_attrs_print (docs/compatibility.md), which ends in a newline.
  std::string ToString() const;
  // The same on one line: "axis=1,shape=<2x3>".
  std::string ToShortString() const;

 private:
  friend class OpAttrs;
  OpAttrsRef(const OpAttr* attrs, size_t size)
      : attrs_(attrs), size_(static_cast<uint32_t>(size)) {}
  const OpAttr* FindOfCode(std::string_view name, AttributeCode code) const {
    const OpAttr* attr = Find(name);
    return attr && attr->code == code ? attr : nullptr;
  }

  const OpAttr* attrs_ = nullptr;
  uint32_t size_ = 0;
  RCReference<ImmutableOpAttrs> owner_;  // null: borrowed
};

// A set that can be added to. Up to kInlineAttrs attributes with kInlineBytes bytes of values lie
// in the object itself. Not thread-safe. Names are borrowed: literals, or texts that outlive the
// set and what is not frozen of it.
//
// The setters return false, and change nothing, if the name is taken.
class OpAttrs {
 public:
  static constexpr size_t kInlineAttrs = 6;
  static constexpr size_t kInlineBytes = 128;

  OpAttrs() {}  // NOLINT: the arrays stay uninitialised
  OpAttrs(const OpAttrs&) = delete;
  OpAttrs& operator=(const OpAttrs&) = delete;

  template <typename T>
  bool Set(std::string_view name, T value) {
    static_assert(Attribute<T>::kCode != 0);
    return SetEncoded(name, Attribute<T>::kCode, &value, sizeof(T),
                      bef::ScalarPlacement(sizeof(T)));
  }
  template <typename T>
  bool SetArray(std::string_view name, std::span<const T> values) {
    return SetCounted(name, ArrayAttribute<T>::kCode, values.data(), values.size(), sizeof(T));
  }
  bool SetString(std::string_view name, std::string_view value) {
    return SetCounted(name, StringAttribute::kCode, value.data(), value.size(), 1);
  }
  // `function` is the name of a function.
  bool SetFunction(std::string_view name, std::string_view function);
  bool SetType(std::string_view name, DType type);
  // Unknown dimensions are -1.
  bool SetShape(std::string_view name, std::span<const int64_t> dims);
  bool SetUnrankedShape(std::string_view name);
  // Elements row-major, DTypeSize(dtype) bytes each; their number is the product of `dims`.
  bool SetDense(std::string_view name, DType dtype, std::span<const int64_t> dims,
                std::span<const uint8_t> elements);
  bool SetStringArray(std::string_view name, std::span<const std::string_view> values);
  // An encoded value, which is not copied and must outlive the set and what is not frozen of it.
  bool SetExternal(std::string_view name, AttributeCode code, const uint8_t* data);
  // The same for an attribute of another set, whose name is borrowed, too.
  bool SetExternal(const OpAttr& attr);

  size_t size() const { return size_; }
  operator OpAttrsRef() const { return {attrs(), size_}; }  // NOLINT: implicit by design
  OpAttrsRef Freeze() const { return OpAttrsRef(*this).Freeze(); }
  std::string ToString() const { return OpAttrsRef(*this).ToString(); }

 private:
  const OpAttr* attrs() const { return spilled_.empty() ? inline_attrs() : spilled_.data(); }
  OpAttr* inline_attrs() const {
    return reinterpret_cast<OpAttr*>(const_cast<std::byte*>(inline_attrs_));
  }
  uint8_t* Allocate(size_t size, bef::Placement at);
  bool SetEncoded(std::string_view name, AttributeCode code, const void* value, size_t size,
                  bef::Placement at);
  bool SetCounted(std::string_view name, AttributeCode code, const void* values, size_t count,
                  size_t element_size);
  bool Add(const OpAttr& attr);

  alignas(OpAttr) std::byte inline_attrs_[kInlineAttrs * sizeof(OpAttr)];  // the first size_
  alignas(16) uint8_t inline_bytes_[kInlineBytes];
  uint32_t size_ = 0;
  uint32_t bytes_used_ = 0;
  std::vector<OpAttr> spilled_;  // all of them, once they are more than kInlineAttrs
  std::vector<std::unique_ptr<uint8_t[]>> spilled_bytes_;
};

// Attributes sorted by name, in one block of memory with their names and values. Thread-safe.
class ImmutableOpAttrs : public ReferenceCounted<ImmutableOpAttrs> {
 public:
  static RCReference<ImmutableOpAttrs> Create(std::span<const OpAttr> attrs);
  std::span<const OpAttr> attrs() const { return attrs_; }

 private:
  ImmutableOpAttrs() = default;
  std::vector<OpAttr> attrs_;
  std::unique_ptr<uint64_t[]> bytes_;
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_ATTRS_H_
