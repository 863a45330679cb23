#include "op_attr_values.h"

#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace tfrt {
namespace {

// With the elements of a small constant of integers.
ValueType TypeOf(DenseAttribute dense) {
  ValueType type{DTypeFromCode(dense.element_code())};
  type.shape = SymbolicShape(std::vector<Dim>(dense.shape().begin(), dense.shape().end()));
  const size_t count = dense.num_elements();
  if (count > ValueType::kMaxElements) return type;
  auto read = [&]<typename T>(T element) {
    type.elements.emplace();
    for (size_t i = 0; i < count; ++i) {
      std::memcpy(&element, dense.bytes().data() + i * sizeof(T), sizeof(T));
      type.elements->push_back(int64_t{element});
    }
  };
  if (type.dtype == DType::kI32) read(int32_t());
  if (type.dtype == DType::kI64) read(int64_t());
  return type;
}

std::optional<OpAttrValue> StringsOf(AggregateAttribute aggregate) {
  std::vector<std::string> strings;
  for (size_t i = 0; i < aggregate.size(); ++i) {
    if (aggregate.element_code(i) != StringAttribute::kCode) return std::nullopt;
    strings.emplace_back(*StringAttribute(aggregate.element_data(i)));
  }
  return strings;
}

template <typename T>
bool SetArrayOf(OpAttrs& attrs, std::string_view name, const OpAttrValue& value) {
  auto* numbers = std::get_if<std::vector<T>>(&value);
  return numbers && attrs.SetArray(name, std::span<const T>(*numbers));
}

}  // namespace

std::optional<OpAttrValue> OpAttrsReader::Get(std::string_view name) const {
  const OpAttr* attr = attrs_.Find(name);
  if (!attr || attr->is_function) return std::nullopt;
  switch (attr->code) {
    case Attribute<bool>::kCode:
      return Attribute<bool>(attr->data).get();
    case Attribute<int32_t>::kCode:
      return int64_t{Attribute<int32_t>(attr->data).get()};
    case Attribute<int64_t>::kCode:
      return Attribute<int64_t>(attr->data).get();
    case Attribute<float>::kCode:
      return Attribute<float>(attr->data).get();
    case StringAttribute::kCode:
      return std::string(*StringAttribute(attr->data));
    case TypeAttribute::kCode:
      return DTypeFromCode(TypeAttribute(attr->data).element_code());
    case DenseAttribute::kCode:
      return TypeOf(DenseAttribute(attr->data));
    case AggregateAttribute::kCode:
      return StringsOf(AggregateAttribute(attr->data));
    case ShapeAttribute::kCode: {
      ShapeAttribute shape(attr->data);
      if (!shape.has_rank()) return std::nullopt;
      return std::vector<int64_t>(shape.dimensions().begin(), shape.dimensions().end());
    }
  }
  if (auto numbers = attrs_.GetArray<int64_t>(name)) {
    return std::vector<int64_t>(numbers->begin(), numbers->end());
  }
  if (auto numbers = attrs_.GetArray<int32_t>(name)) {
    return std::vector<int64_t>(numbers->begin(), numbers->end());
  }
  if (auto numbers = attrs_.GetArray<float>(name)) {
    return std::vector<float>(numbers->begin(), numbers->end());
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> IntegersOf(const OpAttrsRef& attrs, std::string_view name) {
  if (auto numbers = attrs.GetArray<int64_t>(name))
    return std::vector(numbers->begin(), numbers->end());
  if (auto numbers = attrs.GetArray<int32_t>(name))
    return std::vector<int64_t>(numbers->begin(), numbers->end());
  auto dense = attrs.GetDense(name);
  if (!dense) return std::nullopt;
  std::vector<int64_t> result(dense->num_elements());
  auto copy = [&]<typename T>(T) {
    for (size_t i = 0; i < result.size(); ++i) {
      T value;
      std::memcpy(&value, dense->bytes().data() + i * sizeof(T), sizeof(T));
      result[i] = value;
    }
  };
  switch (DTypeFromCode(dense->element_code())) {
    case DType::kI32:
      copy(int32_t());
      return result;
    case DType::kI64:
      copy(int64_t());
      return result;
    default:
      return std::nullopt;
  }
}

bool SetAttr(OpAttrs& attrs, std::string_view name, OpAttrSpec::Kind kind,
             const OpAttrValue& value) {
  using AttrKind = OpAttrSpec::Kind;
  switch (kind) {
    case AttrKind::kBool: {
      auto* given = std::get_if<bool>(&value);
      return given && attrs.Set(name, *given);
    }
    case AttrKind::kI32: {
      auto* given = std::get_if<int64_t>(&value);
      auto narrow = given ? static_cast<int32_t>(*given) : 0;
      return given && narrow == *given && attrs.Set(name, narrow);
    }
    case AttrKind::kI64: {
      auto* given = std::get_if<int64_t>(&value);
      return given && attrs.Set(name, *given);
    }
    case AttrKind::kF32: {
      auto* given = std::get_if<float>(&value);
      return given && attrs.Set(name, *given);
    }
    case AttrKind::kString: {
      auto* given = std::get_if<std::string>(&value);
      return given && attrs.SetString(name, *given);
    }
    case AttrKind::kType: {
      auto* given = std::get_if<DType>(&value);
      return given && attrs.SetType(name, *given);
    }
    case AttrKind::kShape: {
      auto* given = std::get_if<std::vector<int64_t>>(&value);
      return given && attrs.SetShape(name, *given);
    }
    case AttrKind::kI64Array:
      return SetArrayOf<int64_t>(attrs, name, value);
    case AttrKind::kF32Array:
      return SetArrayOf<float>(attrs, name, value);
    case AttrKind::kStringArray: {
      auto* given = std::get_if<std::vector<std::string>>(&value);
      if (!given) return false;
      return attrs.SetStringArray(name,
                                  std::vector<std::string_view>(given->begin(), given->end()));
    }
    case AttrKind::kAny:
    case AttrKind::kDense:
    case AttrKind::kFunction:
      return false;
  }
  return false;
}

}  // namespace tfrt
