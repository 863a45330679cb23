// The encoded attributes of a call as values of the op table (tfrt/opinfo/attr_value.h), and back.
#ifndef TFRT_CORE_RUNTIME_OP_ATTR_VALUES_H_
#define TFRT_CORE_RUNTIME_OP_ATTR_VALUES_H_

#include <optional>
#include <string_view>

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

// Sets the attribute to a value of its kind. False, and nothing has happened, if the name is taken
// or the kind has no such value.
bool SetAttr(OpAttrs& attrs, std::string_view name, OpAttrSpec::Kind kind,
             const OpAttrValue& value);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OP_ATTR_VALUES_H_
