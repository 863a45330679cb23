// Tensors of tfrt_run: from files, random, and whether two are alike.
#ifndef TFRT_TOOLS_TFRT_RUN_TENSORS_H_
#define TFRT_TOOLS_TFRT_RUN_TENSORS_H_

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.h"
#include "tfrt/model/model.h"

namespace tfrt {

// The tensors for the model's inputs, in their order.
StatusOr<std::vector<DenseHostTensor>> MakeInputs(const Model& model, const CommandLine& line);

// Whether the model has the sizes and inputs that the command line names; InvalidArgument with the
// names that there are.
Status CheckNames(const Model& model, const CommandLine& line);

// The options --shape of random inputs with sizes that neither the model nor the command line says;
// empty if there are none.
std::string ChosenShapes(const Model& model, const CommandLine& line,
                         const std::vector<DenseHostTensor>& inputs);

// One of the model's values and the file that the command line has for it.
struct ValueFile {
  size_t index;
  std::string file;
};

// Parses "NAME=FILE", or "FILE" for the only value. NAME is the longest name that one of `values`
// has, as names and paths may contain equals signs. For messages, `kind` is "input" or "result".
StatusOr<ValueFile> FindValue(std::span<const ModelValue> values, std::string_view text,
                              std::string_view kind);

// Returns an element as a number, two for complex ones; empty if the dtype has none.
std::optional<std::complex<double>> Number(const DenseHostTensor& tensor, int64_t index);

// Empty if they are alike; otherwise how they differ.
StatusOr<std::string> Difference(const DenseHostTensor& actual, const DenseHostTensor& expected,
                                 const CommandLine& line);

}  // namespace tfrt

#endif  // TFRT_TOOLS_TFRT_RUN_TENSORS_H_
