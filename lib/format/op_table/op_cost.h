// Estimates what an op costs, by op name: plain data for the compiler's stream analysis and, later,
// for profiles.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_OP_COST_H_
#define TFRT_LIB_FORMAT_OP_TABLE_OP_COST_H_

#include <cstdint>
#include <string_view>

namespace tfrt {

struct OpCost {
  enum class Kind : uint8_t {
    kThreshold,  // the threshold of the analysis: worth a stream of its own
    kFixed,      // `fixed`
    kAttribute,  // the value of the integer attribute `attribute`
  };
  Kind kind = Kind::kThreshold;
  int64_t fixed = 0;
  std::string_view attribute = {};
};

// The attribute that carries an op's cost; it is never passed to a kernel.
inline constexpr std::string_view kCostAttribute = "_tfrt_cost";

// Known ops; every other op costs kThreshold.
OpCost LookUpOpCost(std::string_view op_name);

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_OP_COST_H_
