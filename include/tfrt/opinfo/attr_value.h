// The value of an op's attribute, independent of how a program or a file writes it, and the
// defaults that signatures spell as text.
#ifndef TFRT_OPINFO_ATTR_VALUE_H_
#define TFRT_OPINFO_ATTR_VALUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tfrt/opinfo/element_type.h"
#include "tfrt/opinfo/op_signature.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/status.h"

namespace tfrt {

// i32 and i64 are both int64_t here, and a shape is an array of i64, -1 for what is unknown. A
// dense constant is the type of its tensor, with its elements if they are few integers.
using OpAttrValue = std::variant<bool, int64_t, float, std::string, DType, std::vector<int64_t>,
                                 std::vector<float>, std::vector<std::string>, ValueType>;

// The attributes of one call by name, wherever they are kept.
class OpAttrReader {
 public:
  virtual ~OpAttrReader() = default;
  // Empty if there is none of this name, or if it has no OpAttrValue (functions, other numbers).
  virtual std::optional<OpAttrValue> Get(std::string_view name) const = 0;
};

// Returns the default of the attribute; `spec` must have one. InvalidArgument "the default of the
// attribute 'n', many, is not an i64" if the text is no value of the attribute's kind.
StatusOr<OpAttrValue> ParseDefault(const OpAttrSpec& spec);

}  // namespace tfrt

#endif  // TFRT_OPINFO_ATTR_VALUE_H_
