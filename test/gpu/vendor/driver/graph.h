// Graph, Node, GraphExec, Capture: work that is described first and run later, again and again.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_GRAPH_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_GRAPH_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "abi.h"
#include "command.h"
#include "context.h"

namespace tfrt::gpu::cuda_double {

struct Driver;
struct Graph;

struct Node {
  CUgraphNode handle = nullptr;
  uint64_t id = 0;  // for tools; no other node of the process has it
  Graph* graph = nullptr;
  Context* context = nullptr;
  std::shared_ptr<const Operation> operation;
  std::vector<Node*> dependencies;
  std::vector<void*> parameter_pointers;  // what was told of a kernel's parameters
};

struct Graph {
  CUgraph handle = nullptr;
  std::vector<std::shared_ptr<Node>> nodes;  // dependencies come first
};

// A graph that can be launched: a copy, which later changes of the graph do not reach. Its launches
// run one after the other.
struct GraphExec {
  struct ExecNode {
    uint64_t id = 0;
    CUgraphNode original = nullptr;  // the node it was made from
    Context* context = nullptr;
    std::shared_ptr<const Operation> operation;
    std::vector<size_t> dependencies;  // indices of earlier nodes
    size_t lane = 0;
  };
  uint64_t id = 0;
  Context* context = nullptr;
  std::vector<ExecNode> nodes;
  std::vector<std::shared_ptr<Lane>> lanes;
  std::shared_ptr<Command> last_launch;  // the command behind all others of it
};

// One sequence of captured calls, from the stream that began it to all that joined. The `graph`
// gets a handle at the end of the capture, or earlier on request.
struct Capture {
  uint64_t id = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  uint64_t thread = 0;  // the number of the one that began
  bool is_invalidated = false;
  std::shared_ptr<Graph> graph;
  Stream* origin = nullptr;
  std::set<Stream*> streams;             // with the origin
  std::vector<CUgraphNode> asked_front;  // what was told of a stream's front; lives until the next
};

// A new node of the graph behind `dependencies`, which are nodes of it.
std::shared_ptr<Node> AddNode(Driver& driver, Graph& graph, Context* context,
                              std::shared_ptr<const Operation> operation,
                              std::vector<Node*> dependencies);
// Returns the contents of `from` in a form that can be launched.
std::shared_ptr<GraphExec> Instantiate(Driver& driver, const Graph& from, Context* context);
// Enqueues one launch of all nodes behind what is in the stream.
void LaunchGraph(Driver& driver, std::unique_lock<std::mutex>& lock, GraphExec& exec,
                 const Stream& stream);
// Whether an update may put `b` in the place of `a`, which is of the same type.
CUgraphExecUpdateResult CompareOperations(const Operation& a, const Operation& b);
// Takes the operations of a graph with the same nodes and edges, or says what differs and where.
CUgraphExecUpdateResultInfo UpdateExec(GraphExec& exec, const Graph& graph);
// Its handle and those of its nodes go.
void DestroyGraph(Driver& driver, Graph& graph);
// The graph in the language of Graphviz.
std::string DebugDot(const Graph& graph, unsigned flags);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_GRAPH_H_
