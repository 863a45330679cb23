// The messages of onnx.proto, field by field.
#ifndef TFRT_LIB_COMPILER_ONNX_MESSAGES_H_
#define TFRT_LIB_COMPILER_ONNX_MESSAGES_H_

#include "fields.h"
#include "model.h"

namespace tfrt::onnx {

// All add to the message, throw a FormatError or the exceptions of protozero, and make views of the
// bytes.
void ReadMessage(Fields& fields, KeyValue& pair);
void ReadMessage(Fields& fields, TensorData& tensor);
void ReadMessage(Fields& fields, Dim& dim);
void ReadMessage(Fields& fields, ValueInfo& value);
void ReadMessage(Fields& fields, Attribute& attribute);
void ReadMessage(Fields& fields, Node& node);
void ReadMessage(Fields& fields, Graph& graph);
void ReadMessage(Fields& fields, OpsetId& opset);
void ReadMessage(Fields& fields, ModelFunction& function);
void ReadMessage(Fields& fields, Model& model);

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_MESSAGES_H_
