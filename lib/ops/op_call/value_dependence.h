// TimeDependsOnValues: whether equal shapes mean equal work.
#ifndef TFRT_LIB_OPS_OP_CALL_VALUE_DEPENDENCE_H_
#define TFRT_LIB_OPS_OP_CALL_VALUE_DEPENDENCE_H_

#include <cstddef>

#include "lib/format/bef/bef_reader.h"

namespace tfrt {

// Returns false if the work of a function of `view` follows from the shapes of its arguments. True
// if it may depend on elements of the first `num_inputs`; later arguments are weights. It may in
// loops, branches and kernels that are no ops of the table. It may in ops whose sizes are inputs,
// such as the length of a range.
bool TimeDependsOnValues(const bef::BefView& view, const bef::DecodedFunction& function,
                         size_t num_inputs);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_OP_CALL_VALUE_DEPENDENCE_H_
