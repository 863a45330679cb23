// The text of a set of attributes.

#include <algorithm>
#include <vector>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr size_t kMaxElements = 5;  // of an array

constexpr AttributeCode ElementCode(AttributeCode code) { return code & ~bef::kArrayFlag; }
constexpr bool IsArray(AttributeCode code) { return (code & bef::kArrayFlag) != 0; }

std::string_view TypeText(AttributeCode code) {
  return ElementTypeOf(DTypeFromCode(code)).log_name;
}

std::string_view KindText(const OpAttr& attr) {
  switch (attr.code) {
    case StringAttribute::kCode:
      return attr.is_function ? "FUNC" : "CHAR";
    case ShapeAttribute::kCode:
      return "SHAPE";
    case DenseAttribute::kCode:
      return "DENSE";
    case AggregateAttribute::kCode:
      return "AGGREGATE";
  }
  if (ElementCode(attr.code) == TypeAttribute::kCode) return "DTYPE";
  return TypeText(ElementCode(attr.code));
}

// One number or type. 8-bit integers are characters.
void AppendScalar(AttributeCode code, const uint8_t* data, std::string* out) {
  DType dtype = DTypeFromCode(code);
  if (code == TypeAttribute::kCode) {
    *out += TypeText(*data);
  } else if (dtype == DType::kI8 || dtype == DType::kUI8) {
    *out += static_cast<char>(*data);
  } else {
    AppendElement(dtype, data, out);
  }
}

// "[a, b, c, d, e...]": append(i) for the first elements of `size`.
template <typename Append>
void AppendList(size_t size, std::string* out, Append append) {
  *out += '[';
  for (size_t i = 0; i < std::min(size, kMaxElements); ++i) {
    if (i > 0) *out += ", ";
    append(i);
  }
  *out += size > kMaxElements ? "...]" : "]";
}

void AppendShape(ShapeAttribute shape, std::string* out) {
  if (!shape.has_rank()) {
    *out += "<*>";
    return;
  }
  *out += '<';
  bool first = true;
  for (int64_t dim : shape.dimensions()) {
    *out += first ? StrCat(dim) : StrCat("x", dim);
    first = false;
  }
  *out += '>';
}

void AppendDense(DenseAttribute dense, std::string* out) {
  *out += StrCat("dtype=", TypeText(dense.element_code()), ", rank=", dense.shape().size(),
                 ", elt_count=", dense.num_elements());
}

// Nested as deep as the attributes are, which files limit.
void AppendAggregate(AggregateAttribute aggregate, std::string* out) {
  *out += StrCat("elt_count=", aggregate.size(), " [");
  for (size_t i = 0; i < aggregate.size(); ++i) {
    *out += i == 0 ? "{" : ", {";
    switch (aggregate.element_code(i)) {
      case DenseAttribute::kCode:
        AppendDense(DenseAttribute(aggregate.element_data(i)), out);
        break;
      case AggregateAttribute::kCode:
        AppendAggregate(AggregateAttribute(aggregate.element_data(i)), out);
        break;
      default:
        *out += "unknown";
    }
    *out += '}';
  }
  *out += ']';
}

void AppendValue(const OpAttr& attr, std::string* out) {
  switch (attr.code) {
    case StringAttribute::kCode: {
      std::string_view text = StringAttribute(attr.data).get();
      return AppendList(text.size(), out, [&](size_t i) {
        if (attr.is_function) *out += "FUNC function_name: ";
        *out += text[i];
      });
    }
    case ShapeAttribute::kCode:
      return AppendShape(ShapeAttribute(attr.data), out);
    case DenseAttribute::kCode:
      return AppendDense(DenseAttribute(attr.data), out);
    case AggregateAttribute::kCode:
      return AppendAggregate(AggregateAttribute(attr.data), out);
  }
  AttributeCode element = ElementCode(attr.code);
  if (!IsArray(attr.code)) return AppendScalar(element, attr.data, out);
  size_t size = bef::ElementSize(static_cast<bef::TypeCode>(element));
  const uint8_t* elements = bef::CountedBytes::Elements(attr.data);
  AppendList(bef::CountedBytes::Count(attr.data), out,
             [&](size_t i) { AppendScalar(element, elements + i * size, out); });
}

std::vector<const OpAttr*> Sorted(const OpAttrsRef& attrs) {
  std::vector<const OpAttr*> sorted;
  for (const OpAttr& attr : attrs.attrs()) sorted.push_back(&attr);
  std::ranges::sort(sorted, {}, &OpAttr::name);
  return sorted;
}

}  // namespace

std::string OpAttrsRef::ToShortString() const {
  std::string text;
  for (const OpAttr* attr : Sorted(*this)) {
    text += StrCat(text.empty() ? "" : ",", attr->name, "=");
    AppendValue(*attr, &text);
  }
  return text;
}

std::string OpAttrsRef::ToString() const {
  if (empty()) return "OpAttrs is empty\n";
  std::string text = StrCat("OpAttrs contains ", size(), " entries:\n");
  for (const OpAttr* attr : Sorted(*this)) {
    text += StrCat("  '", attr->name, "' type=", KindText(*attr), " value=");
    AppendValue(*attr, &text);
    text += '\n';
  }
  text += '\n';
  return text;
}

}  // namespace tfrt
