#include "read_op_attrs.h"

#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// One ["key", value] of the attributes of an op.
struct KeyValue {
  std::string_view key;
  AttributeCode code;
  const uint8_t* data;
};

StatusOr<KeyValue> ReadPair(std::string_view noun, AggregateAttribute pairs, size_t index) {
  if (pairs.element_code(index) == AggregateAttribute::kCode) {
    AggregateAttribute pair(pairs.element_data(index));
    if (pair.size() == 2 && pair.element_code(0) == StringAttribute::kCode) {
      return KeyValue{*StringAttribute(pair.element_data(0)), pair.element_code(1),
                      pair.element_data(1)};
    }
  }
  return InvalidArgumentError(
      StrCat("each ", noun, " should be a key-value pair, where the key is a string, but number ",
             index, " is not"));
}

}  // namespace

Status ReadOpAttrs(AggregateAttribute op_attrs, AggregateAttribute op_func_attrs, OpAttrs* attrs) {
  for (size_t i = 0; i < op_attrs.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(KeyValue attr, ReadPair("op_attr", op_attrs, i));
    if (attr.code == CompilationUnitAttribute::kCode) {
      return InvalidArgumentError(
          StrCat("the op attribute '", attr.key, "' refers to a compiled module"));
    }
    if (!attrs->SetExternal(attr.key, attr.code, attr.data)) {
      return InvalidArgumentError(StrCat("the op attribute '", attr.key, "' is given twice"));
    }
  }
  for (size_t i = 0; i < op_func_attrs.size(); ++i) {
    TFRT_ASSIGN_OR_RETURN(KeyValue attr, ReadPair("op_func_attr", op_func_attrs, i));
    if (attr.code != StringAttribute::kCode) {
      return InvalidArgumentError(
          StrCat("the function attribute '", attr.key, "' is not the name of a function"));
    }
    if (!attrs->SetFunction(attr.key, *StringAttribute(attr.data))) {
      return InvalidArgumentError(StrCat("the op attribute '", attr.key, "' is given twice"));
    }
  }
  return OkStatus();
}

}  // namespace tfrt
