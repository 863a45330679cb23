// Tensors of tfrt_run: from files, random, and whether two are alike.
#ifndef TFRT_TOOLS_TFRT_RUN_TENSORS_H_
#define TFRT_TOOLS_TFRT_RUN_TENSORS_H_

#include <string>
#include <vector>

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// The tensors for the model's inputs, in their order.
StatusOr<std::vector<DenseHostTensor>> MakeInputs(const Model& model, const CommandLine& line);

// The index of the value that a named file belongs to; the name may be left out of the only one.
// `kind`: "input" or "result", for messages.
StatusOr<size_t> FindValue(std::span<const ModelValue> values, const CommandLine::NamedFile& file,
                           std::string_view kind);

// Empty if they are alike; otherwise how they differ.
StatusOr<std::string> Difference(const DenseHostTensor& actual, const DenseHostTensor& expected,
                                 const CommandLine& line);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_TENSORS_H_
