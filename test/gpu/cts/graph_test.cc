// Statements about graphs.
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "test/gpu/cts/cts.h"

namespace tfrt::gpu::test {
namespace {

constexpr uint32_t kGraphElements = 256;

// A graph that runs `add_one` on n elements once.
struct AddOne {
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  CUdeviceptr data;
  uint32_t n = kGraphElements;
  void* pointers[2];
  AddOne(CUfunction function, CUdeviceptr to) : data(to), pointers{&data, &n} {
    parameters.func = function;
    parameters.gridDimX = 2;
    parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = 128;
    parameters.blockDimY = parameters.blockDimZ = 1;
    parameters.kernelParams = pointers;
  }
};
CUDA_MEMSET_NODE_PARAMS Fill(CUdeviceptr to, unsigned value, size_t n) {
  return {.dst = to, .pitch = 0, .value = value, .elementSize = 4, .width = n, .height = 1};
}

class GraphCts : public Cts {};
#undef TFRT_CTS
#define TFRT_CTS(number, name, function, promise)                                        \
  static_assert(sizeof(&tfrt::gpu::test::RawDriver::function) > 0);                      \
  static const AddStatement add_statement_##number({number, #name, #function, promise}); \
  TEST_F(GraphCts, S##number##_##name)

TFRT_CTS(260, NewGraphIsEmpty, cuGraphCreate, "Makes an empty graph; the flags must be 0") {
  CUgraph graph = nullptr;
  size_t count = 99;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(0u, count);
  OK(d().cuGraphDestroy(graph));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGraphCreate(&graph, 1));
}
TFRT_CTS(261, GraphsAreDestroyed, cuGraphDestroy,
         "Destroys the graph and its nodes; executable graphs made from it stay") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(5u, Download(stream, data, 1)[0]);
  OK(d().cuGraphExecDestroy(exec));
}
TFRT_CTS(262, NodesAreListed, cuGraphGetNodes,
         "Gives the nodes; with room for more than there are, the rest is set to null") {
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr, second = nullptr;
  CUgraphNode listed[3] = {};
  size_t count = 3;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, graph, &first, 1));
  OK(d().cuGraphGetNodes(graph, listed, &count));
  EXPECT_EQ(2u, count);
  EXPECT_EQ(nullptr, listed[2]);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(263, EdgesAreListed, cuGraphGetEdges,
         "Gives the edges as two lists: from[i] comes before to[i]") {
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr, second = nullptr, from = nullptr, to = nullptr;
  size_t count = 1;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, graph, &first, 1));
  OK(d().cuGraphGetEdges(graph, &from, &to, &count));
  EXPECT_EQ(1u, count);
  EXPECT_EQ(first, from);
  EXPECT_EQ(second, to);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(264, TypesOfNodes, cuGraphNodeGetType,
         "Tells whether a node is a kernel, a copy, a fill, ...") {
  CUgraph graph = nullptr;
  CUgraphNode nodes[3] = {};
  CUgraphNodeType type = {};
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 1));
  AddOne add(Kernel("add_one"), data);
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&nodes[0], graph, nullptr, 0));
  OK(d().cuGraphAddKernelNode_v2(&nodes[1], graph, nullptr, 0, &add.parameters));
  OK(d().cuGraphAddMemsetNode(&nodes[2], graph, nullptr, 0, &fill, context_));
  const CUgraphNodeType types[] = {CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_KERNEL,
                                   CU_GRAPH_NODE_TYPE_MEMSET};
  for (int i = 0; i < 3; ++i) {
    OK(d().cuGraphNodeGetType(nodes[i], &type));
    EXPECT_EQ(types[i], type);
  }
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(265, KernelNodes, cuGraphAddKernelNode_v2,
         "Adds a kernel behind other nodes; its parameters are copied at the call") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphNode set = nullptr, node = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 1));
  AddOne add(Kernel("add_one"), data);
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 10, kGraphElements);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&set, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphAddKernelNode_v2(&node, graph, &set, 1, &add.parameters));
  add.n = 0;
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(std::vector<uint32_t>(kGraphElements, 11), Download(stream, data, kGraphElements));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(266, ParametersOfNodes, cuGraphKernelNodeGetParams_v2,
         "Gives function, shape and parameters of a kernel node") {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUDA_KERNEL_NODE_PARAMS told = {};
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 1));
  AddOne add(Kernel("add_one"), data);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &add.parameters));
  OK(d().cuGraphKernelNodeGetParams_v2(node, &told));
  EXPECT_EQ(add.parameters.func, told.func);
  EXPECT_EQ(2u, told.gridDimX);
  EXPECT_EQ(128u, told.blockDimX);
  EXPECT_EQ(data, *static_cast<CUdeviceptr*>(told.kernelParams[0]));
  EXPECT_EQ(kGraphElements, *static_cast<uint32_t*>(told.kernelParams[1]));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(267, CopyNodes, cuGraphAddMemcpyNode, "Adds a copy, described as for three dimensions") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr from = Upload({1, 2, 3, 4}), to = Upload({0, 0, 0, 0});
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstDevice = to;
  copy.WidthInBytes = 16;
  copy.Height = copy.Depth = 1;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ((std::vector<uint32_t>{1, 2, 3, 4}), Download(stream, to, 4));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(268, RowsOfFillNodes, cuGraphAddMemsetNode,
         "Fills height rows of width elements, the pitch apart") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr data = Upload(std::vector<uint32_t>(8, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {
      .dst = data, .pitch = 16, .value = 6, .elementSize = 4, .width = 2, .height = 2};
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ((std::vector<uint32_t>{6, 6, 0, 0, 6, 6, 0, 0}), Download(stream, data, 8));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(269, NoNodeTwice, cuGraphAddEmptyNode,
         "Dependencies must be nodes of the graph, each only once: else an invalid value") {
  CUgraph graph = nullptr, other = nullptr;
  CUgraphNode first = nullptr, foreign = nullptr, node = nullptr;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphCreate(&other, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&foreign, other, nullptr, 0));
  CUgraphNode twice[] = {first, first};
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGraphAddEmptyNode(&node, graph, twice, 2));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGraphAddEmptyNode(&node, graph, &foreign, 1));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphDestroy(other));
}
TFRT_CTS(270, BadInstantiateFlags, cuGraphInstantiateWithFlags,
         "Flags that do not exist are an invalid value") {
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  OK(d().cuGraphCreate(&graph, 0));
  CODE(CUDA_ERROR_INVALID_VALUE, d().cuGraphInstantiateWithFlags(&exec, graph, 0x1000));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(271, ExecIsACopy, cuGraphInstantiateWithFlags,
         "Later changes of the graph do not reach what was instantiated from it") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr, later = nullptr;
  CUgraphExec exec = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1), more = Fill(data, 6, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphAddMemsetNode(&later, graph, &node, 1, &more, context_));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(5u, Download(stream, data, 1)[0]);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(272, LaunchesAgainAndAgain, cuGraphLaunch,
         "Launches run behind the stream's earlier work and one after the other") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 0));
  CUfunction add_one = Kernel("add_one");
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(Launch(stream, add_one, 2, 128, data, kGraphElements));
  OK(Launch(stream, add_one, 2, 128, data, kGraphElements));
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuMemsetD32Async(data, 100, kGraphElements, stream));
  for (int i = 0; i < 5; ++i) OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(std::vector<uint32_t>(kGraphElements, 110), Download(stream, data, kGraphElements));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(273, LaunchesInTwoStreams, cuGraphLaunch,
         "Launches of one executable graph are ordered, also in different streams") {
  CUstream a = MakeStream(), b = MakeStream();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 0));
  CUfunction add_one = Kernel("add_one");
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(Launch(a, add_one, 2, 128, data, kGraphElements));
  OK(d().cuStreamEndCapture(a, &graph));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, a));
  OK(d().cuGraphLaunch(exec, b));
  EXPECT_EQ(std::vector<uint32_t>(kGraphElements, 2), Download(b, data, kGraphElements));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(
    274, BranchesMeet, cuGraphLaunch,
    "Nodes without a path between them may run at once; a node runs behind all it depends on") {
  CUstream a = MakeStream(), b = MakeStream();
  CUevent forked = MakeEvent(), joined = MakeEvent();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr x = Allocate(kGraphElements * 4), y = Allocate(kGraphElements * 4),
              z = Allocate(kGraphElements * 4);
  CUfunction fill = Kernel("fill"), copy = Kernel("copy"), add_one = Kernel("add_one");
  OK(d().cuStreamBeginCapture_v2(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(Launch(a, fill, 2, 128, x, uint32_t{1}, kGraphElements));
  OK(d().cuEventRecord(forked, a));
  OK(d().cuStreamWaitEvent(b, forked, 0));
  OK(Launch(b, copy, 2, 128, y, x, kGraphElements));
  OK(Launch(b, add_one, 2, 128, y, kGraphElements));
  OK(Launch(a, copy, 2, 128, z, x, kGraphElements));
  OK(d().cuEventRecord(joined, b));
  OK(d().cuStreamWaitEvent(a, joined, 0));
  OK(Launch(a, copy, 2, 128, x, y, kGraphElements));
  OK(d().cuStreamEndCapture(a, &graph));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, a));
  EXPECT_EQ(std::vector<uint32_t>(kGraphElements, 2), Download(a, x, kGraphElements));
  EXPECT_EQ(std::vector<uint32_t>(kGraphElements, 1), Download(a, z, kGraphElements));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(275, UploadBeforeLaunch, cuGraphUpload,
         "Uploads the executable graph in the order of the stream, without running it") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphUpload(exec, stream));
  EXPECT_EQ(1u, Download(stream, data, 1)[0]);
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(5u, Download(stream, data, 1)[0]);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(276, UpdateTakesParameters, cuGraphExecUpdate_v2,
         "Takes the parameters of a graph with the same nodes and edges") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1, 1});
  CUgraph graph = nullptr, other = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphExecUpdateResultInfo info = {};
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1), changed = Fill(data + 4, 6, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphCreate(&other, 0));
  OK(d().cuGraphAddMemsetNode(&node, other, nullptr, 0, &changed, context_));
  OK(d().cuGraphExecUpdate_v2(exec, other, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_SUCCESS, info.result);
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ((std::vector<uint32_t>{1, 6}), Download(stream, data, 2));
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphDestroy(other));
}
TFRT_CTS(277, UpdateRefusesOtherCounts, cuGraphExecUpdate_v2,
         "Another number of nodes is a changed topology, with no node to blame") {
  CUgraph graph = nullptr, other = nullptr;
  CUgraphNode first = nullptr, second = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphExecUpdateResultInfo info = {};
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphCreate(&other, 0));
  OK(d().cuGraphAddEmptyNode(&first, other, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, other, &first, 1));
  CODE(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, d().cuGraphExecUpdate_v2(exec, other, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, info.result);
  EXPECT_EQ(nullptr, info.errorNode);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphDestroy(other));
}
TFRT_CTS(278, UpdateRefusesOtherTypes, cuGraphExecUpdate_v2,
         "A node of another type is named, as one whose type has changed") {
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr, other = nullptr;
  CUgraphNode node = nullptr, changed = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphExecUpdateResultInfo info = {};
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphCreate(&other, 0));
  OK(d().cuGraphAddEmptyNode(&changed, other, nullptr, 0));
  CODE(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, d().cuGraphExecUpdate_v2(exec, other, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, info.result);
  EXPECT_EQ(changed, info.errorNode);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphDestroy(other));
}
TFRT_CTS(279, UpdateRefusesOtherEdges, cuGraphExecUpdate_v2,
         "A node with another number of dependencies is named, as a changed topology") {
  CUgraph graph = nullptr, other = nullptr;
  CUgraphNode first = nullptr, second = nullptr;
  CUgraphExec exec = nullptr;
  CUgraphExecUpdateResultInfo info = {};
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, graph, &first, 1));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphCreate(&other, 0));
  OK(d().cuGraphAddEmptyNode(&first, other, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, other, nullptr, 0));
  CODE(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, d().cuGraphExecUpdate_v2(exec, other, &info));
  EXPECT_EQ(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, info.result);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
  OK(d().cuGraphDestroy(other));
}
TFRT_CTS(280, OneNodesParameters, cuGraphExecKernelNodeSetParams_v2,
         "Sets the parameters of one kernel of the executable graph, for launches from now on") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr x = Upload(std::vector<uint32_t>(kGraphElements, 1)),
              y = Upload(std::vector<uint32_t>(kGraphElements, 1));
  AddOne add(Kernel("add_one"), x), changed(Kernel("add_one"), y);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &add.parameters));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphExecKernelNodeSetParams_v2(exec, node, &changed.parameters));
  OK(d().cuGraphLaunch(exec, stream));
  EXPECT_EQ(1u, Download(stream, x, kGraphElements)[0]);
  EXPECT_EQ(2u, Download(stream, y, kGraphElements)[0]);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(281, ExecMayGoEarly, cuGraphExecDestroy,
         "An executable graph may be destroyed while a launch of it is under way") {
  CUstream stream = MakeStream();
  CUdeviceptr data = Upload({1});
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill = Fill(data, 5, 1);
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context_));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  OK(d().cuGraphLaunch(exec, stream));
  OK(d().cuGraphExecDestroy(exec));
  EXPECT_EQ(5u, Download(stream, data, 1)[0]);
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(282, GraphAsPicture, cuGraphDebugDotPrint,
         "Writes the graph to a file in the language DOT") {
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUdeviceptr data = Upload(std::vector<uint32_t>(kGraphElements, 1));
  AddOne add(Kernel("add_one"), data);
  std::string path = std::filesystem::temp_directory_path() /
                     ("gpu_cts_" + std::to_string(reinterpret_cast<uintptr_t>(&node)) + ".dot");
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &add.parameters));
  OK(d().cuGraphDebugDotPrint(graph, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path.c_str());
  EXPECT_NE(std::string::npos, text.str().find("digraph"));
  EXPECT_NE(std::string::npos, text.str().find("add_one"));
  OK(d().cuGraphDestroy(graph));
}
TFRT_CTS(283, NodesHaveIds, cuGraphNodeGetToolsId,
         "Gives a number by which tools know the node; no two nodes have the same") {
  if (!d().cuGraphNodeGetToolsId) GTEST_SKIP() << "the driver is older than 13.1";
  CUgraph graph = nullptr;
  CUgraphNode first = nullptr, second = nullptr;
  unsigned long long a = 0, b = 0;
  OK(d().cuGraphCreate(&graph, 0));
  OK(d().cuGraphAddEmptyNode(&first, graph, nullptr, 0));
  OK(d().cuGraphAddEmptyNode(&second, graph, nullptr, 0));
  OK(d().cuGraphNodeGetToolsId(first, &a));
  OK(d().cuGraphNodeGetToolsId(second, &b));
  EXPECT_NE(a, b);
  OK(d().cuGraphDestroy(graph));
}

TFRT_CTS(296, NothingRunsBetweenNodes, cuGraphLaunch,
         "What is added to the stream behind the launch runs behind all of the graph") {
  CUstream stream = MakeStream();
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUdeviceptr data = Upload({0});
  struct State {
    std::atomic<bool> runs{false}, called{false};
  } state;
  OK(d().cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK(d().cuLaunchHostFunc(
      stream,
      [](void* data) {
        auto* state = static_cast<State*>(data);
        state->runs = true;
        while (!state->called) std::this_thread::yield();
      },
      &state));
  OK(d().cuMemsetD32Async(data, 1, 1, stream));
  OK(d().cuStreamEndCapture(stream, &graph));
  OK(d().cuGraphInstantiateWithFlags(&exec, graph, 0));
  std::thread other([&] {
    CODE(CUDA_SUCCESS, d().cuCtxSetCurrent(context_));
    while (!state.runs) std::this_thread::yield();
    CODE(CUDA_SUCCESS, d().cuMemsetD32Async(data, 2, 1, stream));
    state.called = true;
  });
  CODE(CUDA_SUCCESS, d().cuGraphLaunch(exec, stream));
  CODE(CUDA_SUCCESS, d().cuStreamSynchronize(stream));
  other.join();
  EXPECT_EQ(2u, Download(stream, data, 1)[0]);
  OK(d().cuGraphExecDestroy(exec));
  OK(d().cuGraphDestroy(graph));
}

}  // namespace
}  // namespace tfrt::gpu::test
