#include "lib/compiler/conversion/stream_analysis.h"

#include <limits>

#include "gmock/gmock.h"

namespace tfrt::compiler {
namespace {

using ::testing::ElementsAre;

// Data operands by node number.
StreamOp Op(int64_t cost, std::vector<uint32_t> operands, bool is_return = false) {
  StreamOp op{.cost = cost, .is_return = is_return, .operands = {}};
  for (uint32_t node : operands) op.operands.push_back({node, false});
  return op;
}

TEST(StreamAnalysisTest, OnlyAReturn) {
  StreamAssignment result = AssignStreams({Op(1, {}, true)}, {});
  EXPECT_EQ(result.max_cost, 1);
  EXPECT_THAT(result.node_streams, ElementsAre(0, 0));
  EXPECT_EQ(result.streams[0].cost, 2);
  EXPECT_EQ(result.streams[0].parent_stream, Stream::kNone);
}

// The @fan example of docs/compiler.md: cheap work joins the stream that returns.
TEST(StreamAnalysisTest, CheapStreamIsMergedIntoTheReturningOne) {
  StreamAssignment result = AssignStreams({Op(9, {0}), Op(2, {0}), Op(5, {1, 2}), Op(1, {3}, true)},
                                          {.cost_threshold = 4});
  EXPECT_EQ(result.max_cost, 16);
  EXPECT_THAT(result.node_streams, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_EQ(result.streams[0].cost, 18);
}

// As above, but the second op is worth a stream: it branches off the entry.
TEST(StreamAnalysisTest, ExpensiveWorkGetsAStreamOfItsOwn) {
  StreamAssignment result = AssignStreams({Op(9, {0}), Op(4, {0}), Op(5, {1, 2}), Op(1, {3}, true)},
                                          {.cost_threshold = 4});
  EXPECT_THAT(result.node_streams, ElementsAre(0, 0, 1, 0, 0));
  EXPECT_EQ(result.streams[0].cost, 16);
  EXPECT_EQ(result.streams[1].cost, 4);
  EXPECT_EQ(result.streams[1].parent_node, 0);
  EXPECT_EQ(result.streams[1].parent_stream, 0);
}

// from_root: 1+2=3, 1+3=4 and 4+1=5, which is the threshold. Backward: the return gets stream 0 and
// the second op joins it (cost 4); the first op gets stream 1 (cost 2). At the entry 1+4 reaches 5
// and 1+2 does not, so stream 1 stays apart, and the entry joins stream 0 because it returns.
TEST(StreamAnalysisTest, AutomaticThresholdIsTheMaximalCost) {
  StreamAssignment result = AssignStreams({Op(2, {0}), Op(3, {0}), Op(1, {2}, true)}, {});
  EXPECT_EQ(result.max_cost, 5);
  EXPECT_THAT(result.node_streams, ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(result.streams[0].cost, 5);
  EXPECT_EQ(result.streams[1].cost, 2);
}

// The entry's cost counts for ops with operands only.
TEST(StreamAnalysisTest, OpsWithoutOperandsDoNotCountTheEntry) {
  EXPECT_EQ(AssignStreams({Op(7, {})}, {}).max_cost, 7);
  EXPECT_EQ(AssignStreams({Op(7, {0})}, {}).max_cost, 8);
}

// Node 3 uses data of nodes 1 and 2; its parent is node 2. Without the option nodes 1 and {2, 3}
// are two streams; with it the first takes in the second, because they exchange data.
TEST(StreamAnalysisTest, DependentStreamsAreMergedOnRequest) {
  std::vector<StreamOp> ops = {Op(1, {0}), Op(2, {0}), Op(1, {1, 2}), Op(1, {}, true)};
  StreamAssignment apart = AssignStreams(ops, {.cost_threshold = 0});
  EXPECT_NE(apart.node_streams[1], apart.node_streams[3]);
  StreamAssignment merged =
      AssignStreams(ops, {.cost_threshold = 0, .merge_inter_dependent_streams = true});
  EXPECT_EQ(merged.node_streams[1], merged.node_streams[3]);
}

// A chain operand is no exchange of data.
TEST(StreamAnalysisTest, ChainsDoNotMakeStreamsDependent) {
  std::vector<StreamOp> ops = {Op(1, {0}), Op(2, {0}), Op(1, {1, 2}), Op(1, {}, true)};
  ops[2].operands[0].is_chain = true;
  StreamAssignment result =
      AssignStreams(ops, {.cost_threshold = 0, .merge_inter_dependent_streams = true});
  EXPECT_NE(result.node_streams[1], result.node_streams[3]);
}

TEST(StreamAnalysisTest, AnyCostsAreAccepted) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(AssignStreams({Op(kMax, {0}), Op(kMax, {1})}, {}).max_cost, kMax);
  StreamAssignment result = AssignStreams({Op(-5, {0}), Op(0, {1}), Op(1, {2}, true)}, {});
  EXPECT_THAT(result.node_streams, ElementsAre(0, 0, 0, 0));
}

}  // namespace
}  // namespace tfrt::compiler
