// tfrt_run --compare: how far the results of two models are apart.
#ifndef TFRT_TOOLS_TFRT_RUN_COMPARE_H_
#define TFRT_TOOLS_TFRT_RUN_COMPARE_H_

#include <vector>

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// Opens the model that --compare names. Fails with InvalidArgument unless its inputs and results
// have the numbers, names and element types of those of `model`.
StatusOr<Model> OpenCompared(const Model& model, const CommandLine& line);

// Runs `other` and prints for each result of `model` how far it is from that of `other`, which is
// the reference. Fails with InvalidArgument for results of different sizes, and for those that are
// no numbers. Returns whether they are alike; always true if the command line has no tolerance.
StatusOr<bool> Compare(const Model& model, const std::vector<DenseHostTensor>& results,
                       const Model& other, std::span<const DenseHostTensor* const> inputs,
                       const CommandLine& line);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_COMPARE_H_
