#include "tfrt/opinfo/in_place.h"

namespace tfrt {
namespace {

struct Entry {
  std::string_view prefix;  // of the op name, up to its element type
  int operand;
};

constexpr Entry kEntries[] = {
    {"tfrt_dht.fill_tensor_with_constant.", 0},
    {"tfrt_dht.set_tensor_with_constant_values.", 0},
    {"tfrt_test.add_inplace.", 1},
    {"tfrt_test.relu_inplace.", 0},
    {"tfrt_test.softmax_inplace.", 0},
};

}  // namespace

std::optional<int> LookUpInPlaceOperand(std::string_view op_name) {
  for (const Entry& entry : kEntries) {
    if (op_name.starts_with(entry.prefix)) return entry.operand;
  }
  return std::nullopt;
}

}  // namespace tfrt
