#include "op_cost.h"

namespace tfrt {

OpCost LookUpOpCost(std::string_view op_name) {
  if (op_name == "tfrt.return" || op_name == "func.return" || op_name == "tfrt.merge.chains") {
    return {OpCost::Kind::kFixed, 1};
  }
  if (op_name == "tfrt_test.test_cost") return {OpCost::Kind::kAttribute, 0, kCostAttribute};
  return {};
}

}  // namespace tfrt
