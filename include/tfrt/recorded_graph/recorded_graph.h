// RecordedGraph: a program as it was recorded, call by call, and its bytes. Plain data: who traces
// writes it, the compiler service and the transformations of tfrt/recorded_graph/gradients.h read
// it.
//
//   RecordedGraph graph;
//   RecordedFunction& main = graph.functions.emplace_back();
//   main.name = "double";
//   const ValueId x = main.AddValue({DType::kF32, {{-1, 4}}});
//   main.body.arguments = {x};
//   main.num_inputs = 1;
//   RecordedOp& add = main.body.ops.emplace_back();
//   add.op = "tf.AddV2";
//   add.arguments = {x, x};
//   add.results = {main.AddValue({DType::kF32, {{-1, 4}}})};
//   main.body.results = add.results;
//   TFRT_RETURN_IF_ERROR(Verify(graph));
//   EncodedGraph bytes = Encode(graph);
//
// Not thread-safe; what is not written may be read by many threads.
#ifndef TFRT_RECORDED_GRAPH_RECORDED_GRAPH_H_
#define TFRT_RECORDED_GRAPH_RECORDED_GRAPH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfrt/opinfo/attr_value.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/opinfo/value_type.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::function {

// A value of one function. It is made once: as an argument of a body, or as a result of an op.
using ValueId = uint32_t;
// An optional argument that is left out.
inline constexpr ValueId kLeftOut = UINT32_MAX;
inline constexpr uint32_t kNoLocation = UINT32_MAX;

// What is known of a tensor when it is recorded.
struct RecordedType {
  DType dtype = DType::kUnsupported;
  // -1: the size is not known. Empty: nor is the rank.
  std::optional<std::vector<int64_t>> dims = {};
  bool operator==(const RecordedType&) const = default;
  std::string ToString() const;  // "f32 [2, ?]", "i64 [*]"
};

// As shape functions see it.
ValueType ToValueType(const RecordedType& type);
// Without elements and symbols.
RecordedType RecordedTypeOf(const ValueType& type);

// Dense elements, row-major. All sizes are known.
struct RecordedConstant {
  RecordedType type;
  std::shared_ptr<const void> owner = {};  // of the elements; empty: who has the graph keeps them
  std::span<const uint8_t> data = {};
};

// By reference: a call reads its value when it begins and gives it the last one when it ends.
struct RecordedVariable {
  std::string name;
  RecordedType type;
};

struct RecordedAttr {
  std::string name;
  OpAttrValue value;
  bool operator==(const RecordedAttr&) const = default;
};

struct RecordedOp;

// Ops in the order in which they were called. Those of a body see the values around it.
struct RecordedBody {
  std::vector<ValueId> arguments;
  std::vector<RecordedOp> ops;
  std::vector<ValueId> results;
};

// What an op with bodies, or without a row in the op table, is. `index`, `arguments`, `results` and
// `bodies` of each:
//
// kTable      A call of `op` as programs spell it ("tf.MatMul", "graph.conv") with its attributes
// as
//             they are spelled; those with a default may be left out. Ops with side effects
//             (tf.Print, tf.Assert) have them in the order of the program.
// kConstant   () -> (1): constants[index].
// kRead       () -> (1): variables[index].
// kAssign     (1) -> (): variables[index].
// kIf         (condition, i1 of one element) -> (n). Bodies: then, else; () -> (n) each.
// kWhile      (n carried) -> (n carried; k stacked). Bodies: the condition, (n) -> (i1); the body,
//             (n) -> (n; k). The rows of the stacked results are what all runs make.
// kFor        (count, i64, or left out; n carried; m scanned) -> (n carried; k stacked), where
//             n is `index`. Body: (i, i64; n; m slices) -> (n; k). It runs `count` times, or as
//             often as the first scanned value is long; run i gets row i of those, and the rows of
//             the stacked results are what all runs make.
// kHostCall   (n) -> (m): the callback callbacks[index], once, on the blocking queue, ordered as
//             side effects are. Results are of the types that their values say.
// kCall       (n) -> (m): functions[index], a later one than the caller; its n arguments.
//
// A list of tensors of one type is a tensor with a first dimension: tfrt.ListWrite puts a row at an
// index, tf.GatherV2 reads one, the value itself is the stack.
enum class RecordedOpKind : uint8_t {
  kTable,
  kConstant,
  kRead,
  kAssign,
  kIf,
  kWhile,
  kFor,
  kHostCall,
  kCall,
};

struct RecordedOp {
  RecordedOpKind kind = RecordedOpKind::kTable;
  std::string op = {};  // of kTable
  uint32_t index = 0;
  std::vector<ValueId> arguments = {};  // kLeftOut only where the op table says optional
  std::vector<RecordedAttr> attrs = {};
  std::vector<ValueId> results = {};
  std::vector<RecordedBody> bodies = {};
  uint32_t location = kNoLocation;  // in RecordedGraph::locations
};

struct RecordedFunction {
  std::string name;
  std::vector<RecordedType> values;  // by ValueId
  // The arguments of its body: `num_inputs` inputs, then what it captured when it was traced and is
  // passed at each call.
  uint32_t num_inputs = 0;
  std::vector<std::string> argument_names;  // of all, or none; unique
  std::vector<std::string> result_names;    // of all, or none; unique
  RecordedBody body;

  ValueId AddValue(RecordedType type) {
    values.push_back(std::move(type));
    return static_cast<ValueId>(values.size() - 1);
  }
};

struct RecordedOptions {
  bool exact = false;  // no pass changes the rounding
  bool fuse = true;    // false: each op stays a kernel of its own
  bool pack = true;    // constant filters and matrices as kernels read them fastest
  bool operator==(const RecordedOptions&) const = default;
};

struct RecordedGraph {
  std::vector<RecordedFunction> functions;  // the first one is what is compiled
  std::vector<RecordedConstant> constants;
  std::vector<RecordedVariable> variables;
  std::vector<std::string> callbacks;  // names, for messages; unique
  std::vector<DecodedLocation> locations;
  RecordedOptions options;
};

// InvalidArgument for a graph that is not as this file says: each value made once and used where it
// can be seen, types of arguments and results of ops of structure, indices, names, ops that the op
// table has not or whose shape function refuses the call. The message begins with the op's
// location, if it has one: "step.cc:7:12: matmul: ...".
Status Verify(const RecordedGraph& graph);

// How the compiled @main is called. Arguments: inputs and captures, the values of
// `variables`, and what @load has made. Results: the function's, the last values of
// `assigned`, and, if `has_effects`, an i1 that is there when all effects are over, or the first
// error of one.
struct CallConvention {
  std::vector<uint32_t> variables;  // that are read or assigned, ascending
  std::vector<uint32_t> assigned;   // those that are, perhaps only in a branch
  bool has_effects = false;
  std::vector<uint32_t> callbacks;  // that are called
  uint32_t first_callback_location = kNoLocation;
};
// Of the first function and all that it calls. The graph must be one that Verify accepts.
CallConvention ConventionOf(const RecordedGraph& graph);

// --- Bytes

// The numbers and names; and the elements of large constants, which stay where they are.
struct EncodedGraph {
  std::vector<uint8_t> bytes;
  std::vector<std::span<const uint8_t>> blobs;
};
inline constexpr uint32_t kRecordedGraphVersion = 1;
EncodedGraph Encode(const RecordedGraph& graph);

// InvalidArgument for bytes that Encode does not write; the bytes need not be trusted. Constants
// view `bytes` and `blobs`, which must live as long as the graph. Does not Verify.
StatusOr<RecordedGraph> Decode(std::span<const uint8_t> bytes,
                               std::span<const std::span<const uint8_t>> blobs);

// One line for each op, with types: for tests and messages.
std::string ToString(const RecordedGraph& graph);

}  // namespace tfrt::function

#endif  // TFRT_RECORDED_GRAPH_RECORDED_GRAPH_H_
