// Reads the messages of onnx.proto that graphs are made of: nodes, attributes, tensors, types.
#ifndef TFRT_LIB_COMPILER_ONNX_GRAPH_MESSAGES_H_
#define TFRT_LIB_COMPILER_ONNX_GRAPH_MESSAGES_H_

#include <cstdint>
#include <span>

#include "fields.h"
#include "model.h"

namespace tfrt::onnx {

// All throw a FormatError, or the exceptions of protozero. Their results are views of the bytes.
Attribute ReadAttribute(FileReading& reading, std::span<const uint8_t> bytes);
Node ReadNode(FileReading& reading, std::span<const uint8_t> bytes);
// Adds to the graph.
void ReadGraph(FileReading& reading, std::span<const uint8_t> bytes, Graph& graph);

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_GRAPH_MESSAGES_H_
