// Changed copies of an ONNX model: of its bytes, and of its messages.
#ifndef TFRT_TEST_FUZZ_ONNX_CHANGES_H_
#define TFRT_TEST_FUZZ_ONNX_CHANGES_H_

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt {

using OnnxRandom = std::mt19937_64;

// Some bytes changed, cut out or put in. The lengths of messages stay, so that most are refused by
// the reader.
std::string WithChangedBytes(std::string_view model, OnnxRandom& random);

// A few changes of fields that leave the encoding as it is: other numbers, names, types and ops,
// fields that are gone, twice there or somewhere else. `op_names` are ops that nodes may become.
// Bytes that are no model get changed bytes.
std::string WithChangedFields(std::string_view model, std::span<const std::string> op_names,
                              OnnxRandom& random);

// One of the two, by chance: mostly the second.
std::string WithChanges(std::string_view model, std::span<const std::string> op_names,
                        OnnxRandom& random);

}  // namespace tfrt

#endif  // TFRT_TEST_FUZZ_ONNX_CHANGES_H_
