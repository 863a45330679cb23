// Node: a node of an ONNX graph as the functions see it that make ops of the graph dialect of it.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_NODE_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_NODE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "dialects/graph/graph_builder.h"
#include "lib/compiler/onnx/elements.h"
#include "lib/compiler/onnx/model.h"
#include "lib/compiler/onnx/narrow_types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tfrt::compiler::import {

using Attributes = llvm::ArrayRef<mlir::NamedAttribute>;

// In the body of a function: the attributes of its call, by name.
using CallAttributes = llvm::StringMap<const onnx::Attribute*>;

// Imports graphs that are attributes of a node. They see what the node sees.
class Subgraphs {
 public:
  virtual ~Subgraphs() = default;
  // Makes the ops of a graph where the builder is; its inputs are these values.
  virtual llvm::LogicalResult import(const onnx::Graph& graph, llvm::ArrayRef<mlir::Value> inputs,
                                     llvm::SmallVectorImpl<mlir::Value>& outputs) = 0;
};

// The values that are of types without a dtype (narrow.h).
class NarrowValues {
 public:
  // Null for values of other types, and for null.
  const onnx::NarrowType* find(mlir::Value value) const { return types_.lookup(value); }
  void set(mlir::Value value, const onnx::NarrowType& type) { types_[value] = &type; }
  // Nothing changes for types that have a dtype.
  void set(mlir::Value value, onnx::DataType type) {
    if (const onnx::NarrowType* narrow = onnx::FindNarrowType(type)) set(value, *narrow);
  }

 private:
  llvm::DenseMap<mlir::Value, const onnx::NarrowType*> types_;
};

class Node {
 public:
  Node(const onnx::Node& node, int64_t version, const CallAttributes& call,
       onnx::ExternalFiles& files, NarrowValues& narrow, Subgraphs& subgraphs,
       graph::GraphBuilder& graph, llvm::ArrayRef<mlir::Value> inputs, size_t ordinal)
      : graph(graph),
        files(files),
        narrow(narrow),
        subgraphs(subgraphs),
        node_(node),
        version_(version),
        call_(call),
        inputs_(inputs),
        ordinal_(ordinal) {}

  // Returns the version of the opset that the node's op belongs to.
  int64_t version() const { return version_; }
  llvm::StringRef op() const { return llvm::StringRef(node_.op); }
  size_t num_inputs() const { return inputs_.size(); }
  size_t num_outputs() const { return node_.outputs.size(); }
  bool has_output(size_t i) const { return i < num_outputs() && !node_.outputs[i].empty(); }
  // Returns a number that no other node of the model has, nor the same one at another call of its
  // function.
  size_t ordinal() const { return ordinal_; }
  // Null if it is left out.
  mlir::Value input(size_t i) const { return i < inputs_.size() ? inputs_[i] : mlir::Value(); }
  llvm::ArrayRef<mlir::Value> inputs() const { return inputs_; }

  // An error at the node. Later ones are not reported: they follow from the first.
  llvm::LogicalResult fail(const llvm::Twine& message);
  bool has_failed() const { return failed_; }

  // The attribute, or the default. A value of another kind is an error, and the default is given.
  int64_t integer(llvm::StringRef name, int64_t otherwise);
  float number(llvm::StringRef name, float otherwise);
  std::string text(llvm::StringRef name, llvm::StringRef otherwise);
  std::vector<int64_t> integers(llvm::StringRef name, std::vector<int64_t> otherwise = {});
  std::vector<float> numbers(llvm::StringRef name, std::vector<float> otherwise = {});
  std::vector<std::string> texts(llvm::StringRef name);
  const onnx::TensorData* tensor(llvm::StringRef name);
  const onnx::Graph* subgraph(llvm::StringRef name);
  bool has(llvm::StringRef name) const { return lookUp(name) != nullptr; }

  // Elements of an input that must be known: those of a constant, or computed from sizes that are
  // known. Empty, and an error, if they are not; `what` is for the message.
  std::optional<std::vector<int64_t>> known(size_t input, llvm::StringRef what);
  // Its rank. An error if it is not known.
  std::optional<size_t> rank(mlir::Value value);
  // 0 <= axis < rank; an error otherwise.
  std::optional<size_t> axis(int64_t axis, size_t rank);
  // The node's attribute `axis`, or the default, as one of the value's dimensions; an error
  // otherwise.
  std::optional<int64_t> axisOf(mlir::Value value, int64_t otherwise);
  // The type that an attribute says by ONNX's number. Null after an error: "no window of INT4".
  mlir::Type elementNamed(llvm::StringRef attribute, onnx::DataType otherwise,
                          llvm::StringRef error);

  // The next output. Success if it is not null.
  llvm::LogicalResult give(mlir::Value output) {
    outputs.push_back(output);
    return mlir::success(static_cast<bool>(output));
  }
  // The results are the next outputs. Success if the op is not null.
  llvm::LogicalResult giveAll(mlir::Operation* op) {
    if (op) outputs.append(op->result_begin(), op->result_end());
    return mlir::success(op != nullptr);
  }
  // The outputs are the results of an op of the table.
  llvm::LogicalResult giveOp(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                             Attributes attributes = {}) {
    return giveAll(graph.create(name, arguments, attributes));
  }

  // The first result of an op of the table. Null after an error here or before, so that the result
  // of many in a row has to be looked at once: give() does.
  mlir::Value make(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                   Attributes attributes = {});
  // The element type. Null after an error.
  mlir::Type elementOf(mlir::Value value);
  // A scalar of the element type that the value has.
  mlir::Value numberLike(mlir::Value value, double number);

  graph::GraphBuilder& graph;
  onnx::ExternalFiles& files;
  NarrowValues& narrow;
  Subgraphs& subgraphs;
  llvm::SmallVector<mlir::Value> outputs;  // those that there are; null: not made

 private:
  const onnx::Attribute* lookUp(llvm::StringRef name) const;
  const onnx::Attribute* find(llvm::StringRef name, onnx::Attribute::Kind kind);

  const onnx::Node& node_;
  const int64_t version_;
  const CallAttributes& call_;
  const llvm::ArrayRef<mlir::Value> inputs_;
  const size_t ordinal_;
  bool failed_ = false;
};

// Makes ops of a node and sets its outputs; an error has been reported.
using NodeFunction = llvm::LogicalResult (*)(Node& node);

// The import of an ONNX op from one opset on.
struct NodeRow {
  llvm::StringRef op;
  int since;  // the op's version: the opset it came with
  NodeFunction function;
  // The first so many inputs are needed. After the schemas of ONNX, but for what writers leave out
  // nevertheless: the regions of Resize 11, the summand of Gemm.
  int inputs = 1;
  llvm::StringRef limits = {};  // what of the op is not supported, for people
  int until = 28;               // the last opset of which this is known to be right
};
// Any number of inputs, at least one, of which none may be left out.
inline constexpr int kAllInputs = -1;

// Rows of one domain. That of ONNX's own ops is empty.
struct NodeFamily {
  llvm::StringRef domain;
  llvm::ArrayRef<NodeRow> rows;
};
llvm::ArrayRef<NodeRow> activationRows();
llvm::ArrayRef<NodeRow> attentionRows();
llvm::ArrayRef<NodeRow> controlFlowRows();
llvm::ArrayRef<NodeRow> einsumRows();
llvm::ArrayRef<NodeRow> elementwiseRows();
llvm::ArrayRef<NodeRow> layerRows();
llvm::ArrayRef<NodeRow> lossRows();
// Those of the domain com.microsoft, which quantisers and optimisers write.
llvm::ArrayRef<NodeRow> microsoftAttentionRows();
llvm::ArrayRef<NodeRow> microsoftLayerRows();
llvm::ArrayRef<NodeRow> microsoftNormalizationRows();
llvm::ArrayRef<NodeRow> microsoftQuantizationRows();
llvm::ArrayRef<NodeRow> movementRows();
llvm::ArrayRef<NodeRow> normalizationRows();
llvm::ArrayRef<NodeRow> quantizationRows();
llvm::ArrayRef<NodeRow> randomnessRows();
llvm::ArrayRef<NodeRow> recurrentRows();
llvm::ArrayRef<NodeRow> reductionRows();
llvm::ArrayRef<NodeRow> resizingRows();
llvm::ArrayRef<NodeRow> rotaryRows();
llvm::ArrayRef<NodeRow> samplingRows();
llvm::ArrayRef<NodeRow> selectionRows();
llvm::ArrayRef<NodeRow> signalRows();
llvm::ArrayRef<NodeRow> slicingRows();
llvm::ArrayRef<NodeRow> stateRows();
llvm::ArrayRef<NodeRow> windowRows();

// The name of a table's op as an argument of a template.
template <size_t size>
struct OpName {
  // NOLINTNEXTLINE: implicit by design
  consteval OpName(const char (&name)[size]) { std::copy_n(name, size, text); }
  char text[size];
};

// An attribute of a table's op, float, bool or int64_t, that is one of the node, or the default. A
// truth is a number there. `from` is the node's name for it, where that is another.
template <size_t size, typename T, size_t from_size = 1>
struct Attr {
  consteval Attr(const char (&name)[size], T otherwise, const char (&from)[from_size] = "")
      : name(name), otherwise(otherwise), from(from) {}
  mlir::NamedAttribute of(Node& node) const {
    const char* given = from_size > 1 ? from.text : name.text;
    if constexpr (std::is_same_v<T, float>) {
      return node.graph.attribute(name.text, node.number(given, otherwise));
    } else if constexpr (std::is_same_v<T, bool>) {
      return node.graph.attribute(name.text, node.integer(given, otherwise) != 0);
    } else {
      return node.graph.attribute(name.text, node.integer(given, otherwise));
    }
  }

  OpName<size> name;
  T otherwise;
  OpName<from_size> from;
};

// The table's op of the same arguments, with these attributes of the node.
template <OpName name, Attr... attributes>
llvm::LogicalResult same(Node& node) {
  return node.giveOp(name.text, node.inputs(), {attributes.of(node)...});
}

// Helpers that more than one family needs. Values may be null after an error, and so may be the
// results.

// The value with these dimensions, given by their old places.
mlir::Value transpose(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> permutation);
// In another shape: sizes that are known, or -1 for one that is left.
mlir::Value reshape(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> sizes);
// The product of so many sizes of a value, from a dimension on, as a vector of one.
mlir::Value productOf(Node& node, mlir::Value value, size_t first, size_t count);
// In the shape that another value has.
mlir::Value reshapeLike(Node& node, mlir::Value value, mlir::Value like);
// Elements of a constant tensor attribute as an MLIR constant, perhaps of a narrow type. Null after
// an error.
mlir::Value constantOf(Node& node, const onnx::TensorData& tensor);
// The sizes of a value as a vector of i64, and one of them as a scalar.
mlir::Value shapeOf(Node& node, mlir::Value value);
mlir::Value sizeOf(Node& node, mlir::Value value, size_t axis);
// A piece of a vector.
mlir::Value pieceOf(Node& node, mlir::Value vector, int64_t begin, int64_t size);
mlir::Value concat(Node& node, llvm::ArrayRef<mlir::Value> values, int64_t axis);
mlir::Value cast(Node& node, mlir::Value value, mlir::Type element);
// As i64, if it is not.
mlir::Value wide(Node& node, mlir::Value value);
// With new dimensions of size 1 in front of these ones of the result, which are in order.
mlir::Value expand(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> axes);
mlir::Value reduce(Node& node, llvm::StringRef name, mlir::Value value,
                   llvm::ArrayRef<int64_t> axes, bool keep_dims);
// Returns the value, which must have this shape; -1 stands for any size. It is an error here if the
// known facts contradict the shape, otherwise an error of the run. The text `what` names the value:
// "the scale".
mlir::Value ofShape(Node& node, mlir::Value value, llvm::ArrayRef<int64_t> sizes,
                    llvm::StringRef what);
// 0, 1, ... as i64.
mlir::Value range(Node& node, mlir::Value count);
// [B,S,H*D] as [B,S,H,D].
mlir::Value inHeads(Node& node, mlir::Value value, int64_t heads);
// The permutations that move one dimension to a place, and back. The axis is a scalar of i64, which
// the run may have.
struct AxisMoves {
  mlir::Value there, back;
};
AxisMoves movesOfAxis(Node& node, mlir::Value axis, size_t rank, size_t place);
// Softmax or log_softmax over one axis.
mlir::Value softmaxAlong(Node& node, llvm::StringRef name, mlir::Value value, size_t axis);

// As MatMul has it: vectors are matrices of one row or column.
mlir::Value matrixProduct(Node& node, mlir::Value a, mlir::Value b);
// Returns a convolution's attributes as in the table. Empty after an error.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> convolutionAttributes(Node& node);
// Returns a pool's attributes as in the table, without those of its kind. Empty after an error.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> poolAttributes(Node& node);
// Returns a recurrent layer's attributes as in the table, without those of its kind. Empty after an
// error.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> recurrentAttributes(Node& node);

// (value - zero) * scale, and its inverse, whose result is of the zero point's type or `dtype`. The
// zero point may be null.
mlir::Value dequantized(Node& node, mlir::Value value, mlir::Value scale, mlir::Value zero,
                        int64_t axis, int64_t block = 0);
mlir::Value quantized(Node& node, mlir::Value value, mlir::Value scale, mlir::Value zero,
                      int64_t axis, int64_t block = 0, mlir::Type dtype = {});

// A product of matrices of 8-bit integers. Zero points and the addend, of i32, may be null.
struct IntegerProduct {
  mlir::Value a, b, a_scale, b_scale, a_zero, b_zero;
  mlir::Value addend = {};
  float alpha = 1;
};
// ((a - a_zero) * (b - b_zero) + addend) * alpha * a_scale * b_scale, with exact sums.
mlir::Value integerProduct(Node& node, const IntegerProduct& product);

// Softmax or its relatives over the node's axis, or over it and all that follow.
mlir::Value softmaxOver(Node& node, llvm::StringRef name, mlir::Value value, bool flattens);

// The angles by which rotary embeddings turn pairs, [positions, D/2], or [B,S,D/2] if there are no
// positions.
struct Rotation {
  mlir::Value cos, sin, positions;
  int64_t heads = 0;   // of a value [B,S,N*H]; one of [B,N,S,H] has no need
  int64_t turned = 0;  // that many elements of each head; 0: all
  bool interleaved = false;
};
mlir::Value rotated(Node& node, mlir::Value value, const Rotation& rotation);

// The input that is a convolution's filter, whose sizes are those of kernel_shape where that is
// there. Null after an error.
mlir::Value filterOf(Node& node, size_t input);

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_NODE_H_
