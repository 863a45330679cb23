// Which operand a kernel may overwrite to make its result, by op name.
#ifndef TFRT_OPINFO_IN_PLACE_H_
#define TFRT_OPINFO_IN_PLACE_H_

#include <optional>
#include <string_view>

namespace tfrt {

// The operand number that `op_name` writes through, if it works in place: its result chain stands for
// the new contents. Empty for ops that only read their operands.
std::optional<int> LookUpInPlaceOperand(std::string_view op_name);

}  // namespace tfrt

#endif  // TFRT_OPINFO_IN_PLACE_H_
