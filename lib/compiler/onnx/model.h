// An ONNX model as its file says it: messages as structs, texts and elements as views of the bytes.
//
//   TFRT_ASSIGN_OR_RETURN(onnx::Model model, onnx::Model::FromFile("resnet50.onnx"));
//   for (const onnx::Node& node : model.graph.nodes) ...
//
// Only the encoding is checked here. Callers must check that names are bound, that attributes fit
// their op and that tensors have as many bytes as their shapes say. Field numbers and meanings are
// those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
#ifndef TFRT_LIB_COMPILER_ONNX_MODEL_H_
#define TFRT_LIB_COMPILER_ONNX_MODEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"

namespace tfrt::onnx {

struct Graph;

struct KeyValue {
  std::string_view key;
  std::string_view value;
};

// TensorProto.DataType. Other numbers are those of types that came later.
enum class DataType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};

// TensorProto: a tensor and where its elements are (elements.h reads them).
struct TensorData {
  std::string_view name;
  std::vector<int64_t> dims;
  DataType type = DataType::kUndefined;
  // One of these; none if the tensor has no elements.
  std::optional<std::span<const uint8_t>> raw;  // little-endian, row-major
  std::vector<KeyValue> external;               // "location", "offset", "length" of a file
  bool is_external = false;
  // Numbers of a field for the type, as encoded in the file. Writers may cut them into several
  // runs, and each run may have its own tag. The encoding follows from the field's number (0:
  // none).
  std::vector<std::span<const uint8_t>> numbers;
  uint32_t numbers_field = 0;
  bool is_segment = false;  // a part of a tensor, which no exporter writes
};

// A size of a tensor that is an argument or a result.
struct Dim {
  std::optional<int64_t> value;  // any number that a file has, also negative ones
  std::string_view symbol;       // empty: none
};

enum class TypeKind : uint8_t {
  kNone,
  kTensor,
  kSparseTensor,
  kSequence,
  kMap,
  kOptional,
  kOpaque
};

// ValueInfoProto.
struct ValueInfo {
  std::string_view name;
  TypeKind kind = TypeKind::kNone;
  DataType type = DataType::kUndefined;  // of elements
  std::optional<std::vector<Dim>> dims;  // empty: the rank is not known
};

// AttributeProto.
struct Attribute {
  enum class Kind : int32_t {
    kUndefined = 0,
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8,
    kTensors = 9,
    kGraphs = 10,
    kSparseTensor = 11,
    kSparseTensors = 12,
    kTypeProto = 13,
    kTypeProtos = 14,
  };
  // The value of more than a number or a text.
  struct Large {
    std::vector<float> floats;
    std::vector<int64_t> ints;
    std::vector<std::string_view> strings;
    std::vector<TensorData> tensors;  // of kTensor, one
    std::vector<Graph> graphs;        // of kGraph, one
  };
  std::string_view name;
  std::string_view ref;  // in a function: the attribute of the call that this one is
  Kind kind = Kind::kUndefined;
  float f = 0;
  int64_t i = 0;
  std::string_view s;
  std::unique_ptr<Large> large;  // null: none of its fields is there
};

// NodeProto.
struct Node {
  std::string_view op;
  std::string_view domain;  // empty: that of ONNX itself
  std::string_view name;    // may be empty
  std::string_view overload;
  std::vector<std::string_view> inputs;  // an empty name is one that is left out
  std::vector<std::string_view> outputs;
  std::vector<Attribute> attributes;

  // Null if there is none.
  const Attribute* Find(std::string_view attribute) const;
};

// GraphProto.
struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<TensorData> initializers;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> outputs;
  size_t num_sparse_initializers = 0;
};

struct OpsetId {
  std::string_view domain;
  int64_t version = 0;
};

// FunctionProto: an op that the model brings with its body.
struct ModelFunction {
  std::string_view domain;
  std::string_view name;
  std::string_view overload;
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<Attribute> default_attributes;  // those without a default are left out
  std::vector<Node> nodes;
  std::vector<OpsetId> opsets;
};

// ModelProto. Immutable, and thread-safe for reading; views are valid as long as the model, which
// may be moved.
struct Model {
  // Maps the file, which must not change while the model lives. Errors begin with the path and name
  // the offset: of the system, and InvalidArgument for bytes that are no model.
  static StatusOr<Model> FromFile(const std::string& path);
  // The same of bytes that the model takes over. `name` is for errors.
  static StatusOr<Model> FromBytes(FileBytes bytes, std::string name);

  std::string path;
  int64_t ir_version = 0;
  std::string_view producer_name;
  std::string_view producer_version;
  std::vector<OpsetId> opsets;
  std::vector<KeyValue> metadata;
  std::vector<ModelFunction> functions;
  Graph graph;

  // The folder that external data are in: that of the path.
  std::string folder() const;

  FileBytes bytes;
};

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_MODEL_H_
