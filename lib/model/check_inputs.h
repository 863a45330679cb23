// Whether tensors are what a model takes.
#ifndef TFRT_LIB_MODEL_CHECK_INPUTS_H_
#define TFRT_LIB_MODEL_CHECK_INPUTS_H_

#include <span>
#include <vector>

#include "tfrt/model/model.h"

namespace tfrt {

// The tensors in the order of the inputs. InvalidArgument: one is missing, twice there or unknown.
StatusOr<std::vector<const DenseHostTensor*>> OrderInputs(std::span<const ModelValue> inputs,
                                                          std::span<const NamedTensor> tensors);

// InvalidArgument: their number, a dtype or a size is wrong, or sizes of one name differ.
Status CheckInputs(std::span<const ModelValue> inputs,
                   std::span<const DenseHostTensor* const> tensors);

}  // namespace tfrt

#endif  // TFRT_LIB_MODEL_CHECK_INPUTS_H_
