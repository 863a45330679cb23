// TracedGraph: a program as it was traced, call by call, and its bytes. Plain data. Tracers
// write it; the compiler service and the transformations of
// lib/format/traced_graph/gradients/gradients.h read it.
//
//   TracedGraph graph;
//   TracedFunction& main = graph.functions.emplace_back();
//   main.name = "double";
//   const ValueId x = main.AddValue({DType::kF32, {{-1, 4}}});
//   main.body.arguments = {x};
//   main.num_inputs = 1;
//   TracedOp& add = main.body.ops.emplace_back();
//   add.op = "tf.AddV2";
//   add.arguments = {x, x};
//   add.results = {main.AddValue({DType::kF32, {{-1, 4}}})};
//   main.body.results = add.results;
//   TFRT_RETURN_IF_ERROR(Verify(graph));
//   EncodedGraph bytes = Encode(graph);
//
// Not thread-safe; many threads may read parts that no thread writes.
#ifndef TFRT_LIB_FORMAT_TRACED_GRAPH_TRACED_GRAPH_H_
#define TFRT_LIB_FORMAT_TRACED_GRAPH_TRACED_GRAPH_H_

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

// Identifies a value of one function. It is made once: as an argument of a body, or as a result of
// an op.
using ValueId = uint32_t;
// Stands for an optional argument that is left out.
inline constexpr ValueId kLeftOut = UINT32_MAX;
inline constexpr uint32_t kNoLocation = UINT32_MAX;

// The facts about a tensor that are known when it is traced.
struct TracedType {
  DType dtype = DType::kUnsupported;
  // -1: unknown size. nullopt: unknown rank.
  std::optional<std::vector<int64_t>> dims = {};
  bool operator==(const TracedType&) const = default;
  std::string ToString() const;  // "f32 [2, ?]", "i64 [*]"
};

// Returns the type in the form for shape functions.
ValueType ToValueType(const TracedType& type);
// Drops elements and symbols.
TracedType TracedTypeOf(const ValueType& type);

// Dense elements, row-major. All sizes are known.
struct TracedConstant {
  TracedType type;
  std::shared_ptr<const void> owner = {};  // owns the elements; null: the graph's owner keeps them
  std::span<const uint8_t> data = {};
};

// A variable, by reference: a call reads its value when it begins and assigns the last one when it
// ends.
struct TracedVariable {
  std::string name;
  TracedType type;
};

struct TracedAttr {
  std::string name;
  OpAttrValue value;
  bool operator==(const TracedAttr&) const = default;
};

struct TracedOp;

// Ops in the order in which they were called. Those of a body may use the values around it.
struct TracedBody {
  std::vector<ValueId> arguments;
  std::vector<TracedOp> ops;
  std::vector<ValueId> results;
};

// The kinds of ops that have bodies or no row in the op table. `index`, `arguments`, `results` and
// `bodies` of each:
//
// kTable      A call of `op` in the spelling of programs ("tf.MatMul", "graph.conv"), with its
//             attributes in their spelling. Those with a default may be left out. Ops with side
//             effects (tf.Print, tf.Assert) have them in the order of the program.
// kConstant   () -> (1): constants[index].
// kRead       () -> (1): variables[index].
// kAssign     (1) -> (): variables[index].
// kIf         (condition, i1 of one element) -> (n). Bodies: then, else; () -> (n) each.
// kWhile      (n carried) -> (n carried; k stacked). Bodies: the condition, (n) -> (i1); the body,
//             (n) -> (n; k). Each run makes one row of the stacked results.
// kFor        (count, i64, or left out; n carried; m scanned) -> (n carried; k stacked), where
//             n is `index`. Body: (i, i64; n; m slices) -> (n; k). It runs `count` times, or once
//             for each row of the first scanned value. Run i receives row i of the scanned values
//             and makes row i of the stacked results.
// kHostCall   (n) -> (m): the callback callbacks[index], once, on the blocking queue, in the order
//             of side effects. The results have the types of their values.
// kCall       (n) -> (m): functions[index], which must come after the caller; its n arguments.
//
// A list of tensors of one type is a tensor with a first dimension. The op tfrt.ListWrite writes a
// row at an index, tf.GatherV2 reads one, the value itself is the stack.
enum class TracedOpKind : uint8_t {
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

struct TracedOp {
  TracedOpKind kind = TracedOpKind::kTable;
  std::string op = {};  // for kTable
  uint32_t index = 0;
  std::vector<ValueId> arguments = {};  // kLeftOut only for optional arguments of the op table
  std::vector<TracedAttr> attrs = {};
  std::vector<ValueId> results = {};
  std::vector<TracedBody> bodies = {};
  uint32_t location = kNoLocation;  // in TracedGraph::locations
};

struct TracedFunction {
  std::string name;
  std::vector<TracedType> values;  // by ValueId
  // The arguments of its body: `num_inputs` inputs, then the values that it captured when it was
  // traced. These are passed at each call.
  uint32_t num_inputs = 0;
  std::vector<std::string> argument_names;  // of all, or empty; unique
  std::vector<std::string> result_names;    // of all, or empty; unique
  TracedBody body;

  ValueId AddValue(TracedType type) {
    values.push_back(std::move(type));
    return static_cast<ValueId>(values.size() - 1);
  }
};

struct TracedOptions {
  bool exact = false;  // no pass changes the rounding
  bool fuse = true;    // false: each op remains a separate kernel
  bool pack = true;    // constant filters and matrices are arranged for the fastest reading by
                       // kernels
  bool operator==(const TracedOptions&) const = default;
};

struct TracedGraph {
  std::vector<TracedFunction> functions;  // the first one is compiled
  std::vector<TracedConstant> constants;
  std::vector<TracedVariable> variables;
  std::vector<std::string> callbacks;  // names, for messages; unique
  std::vector<DecodedLocation> locations;
  TracedOptions options;
};

// Returns InvalidArgument for a graph that breaks the rules of this file. It checks that each value
// is made once and used where it is visible. It checks types of arguments and results of structural
// ops, indices and names. It rejects ops that are missing in the op table or whose shape function
// rejects the call. The message begins with the op's location, if it has one: "step.cc:7:12:
// matmul: ...".
Status Verify(const TracedGraph& graph);

// The calling convention of the compiled @main. Arguments: inputs and captures, the values of
// `variables`, and the results of @load. Results: the function's, the last values of `assigned`,
// and, if `has_effects`, an i1. The i1 becomes available when all effects are over, or becomes the
// first error of one.
struct CallConvention {
  std::vector<uint32_t> variables;  // read or assigned, ascending
  std::vector<uint32_t> assigned;   // assigned, perhaps only in a branch
  bool has_effects = false;
  std::vector<uint32_t> callbacks;  // called ones
  uint32_t first_callback_location = kNoLocation;
};
// Returns the convention of the first function and all its callees. The graph must be one that
// Verify accepts.
CallConvention ConventionOf(const TracedGraph& graph);

// --- Bytes

// The numbers and names, and the elements of large constants, which are not copied.
struct EncodedGraph {
  std::vector<uint8_t> bytes;
  std::vector<std::span<const uint8_t>> blobs;
};
inline constexpr uint32_t kTracedGraphVersion = 1;
EncodedGraph Encode(const TracedGraph& graph);

// Fails with InvalidArgument for bytes that Encode does not write; the bytes need not be trusted.
// Constants view `bytes` and `blobs`, which must live as long as the graph. Does not Verify.
StatusOr<TracedGraph> Decode(std::span<const uint8_t> bytes,
                             std::span<const std::span<const uint8_t>> blobs);

// Returns one line for each op, with types: for tests and messages.
std::string ToString(const TracedGraph& graph);

}  // namespace tfrt::function

#endif  // TFRT_LIB_FORMAT_TRACED_GRAPH_TRACED_GRAPH_H_
