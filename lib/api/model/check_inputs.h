// Whether tensors are what a model takes, and memory what its results can be written to.
#ifndef TFRT_LIB_API_MODEL_CHECK_INPUTS_H_
#define TFRT_LIB_API_MODEL_CHECK_INPUTS_H_

#include <span>
#include <vector>

#include "tfrt/model/model.h"

namespace tfrt {

// The tensors in the order of the inputs. InvalidArgument: one is missing, twice there or unknown.
StatusOr<std::vector<const DenseHostTensor*>> OrderInputs(std::span<const ModelValue> inputs,
                                                          std::span<const NamedTensor> tensors);

// InvalidArgument: their number, a dtype or a size is wrong, sizes of one name differ, or one is
// null or has been moved from.
Status CheckInputs(std::span<const ModelValue> inputs,
                   std::span<const DenseHostTensor* const> tensors);

// Checks memory for results (null: none) in runs whose inputs have been checked. InvalidArgument if
// there is not one for each result. InvalidArgument also if one cannot be written, or is that of an
// input or of another result.
Status CheckGiven(std::span<const ModelValue> outputs, std::span<DenseHostTensor* const> given,
                  std::span<const ModelValue> inputs,
                  std::span<const DenseHostTensor* const> tensors);

// True if they have bytes in common.
bool Overlap(const DenseHostTensor& a, const DenseHostTensor& b);

}  // namespace tfrt

#endif  // TFRT_LIB_API_MODEL_CHECK_INPUTS_H_
