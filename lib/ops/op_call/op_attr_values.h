// The encoded attributes of a call as values of the op table (tfrt/opinfo/attr_value.h), and back.
#ifndef TFRT_LIB_OPS_OP_CALL_OP_ATTR_VALUES_H_
#define TFRT_LIB_OPS_OP_CALL_OP_ATTR_VALUES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/opinfo/attr_value.h"

namespace tfrt {

// Reads the attributes of a call for shape functions. Borrows them. Thread-safe.
class OpAttrsReader : public OpAttrReader {
 public:
  explicit OpAttrsReader(const OpAttrsRef& attrs) : attrs_(attrs) {}
  std::optional<OpAttrValue> Get(std::string_view name) const override;

 private:
  const OpAttrsRef& attrs_;
};

// The numbers of an attribute that is an array or a dense constant of i32 or i64; empty without
// one.
std::optional<std::vector<int64_t>> IntegersOf(const OpAttrsRef& attrs, std::string_view name);

// Sets the attribute to a value of its kind. False, and nothing has happened, if the name is taken
// or the kind has no such value.
bool SetAttr(OpAttrs& attrs, std::string_view name, OpAttrSpec::Kind kind,
             const OpAttrValue& value);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_OP_ATTR_VALUES_H_
