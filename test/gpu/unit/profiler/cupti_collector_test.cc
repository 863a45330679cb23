// A program runs on the double of a GPU, and its profile says what the device did for which op.
#include "gpu/profiler/cupti_collector.h"

#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/gpu/unit/profiler/double_fixture.h"

namespace tfrt::gpu {
namespace {

using profiler::Event;
using profiler::Problem;
using profiler::Profile;
using testing::IsEmpty;

class CuptiCollectorTest : public ProfiledDoubleTest {
 protected:
  // All commands of a type are those of RunOp's ops, in order, inside of their records.
  void ExpectOneEach(const Profile& profile, std::string_view type) {
    auto events = profile.OfType(type);
    auto ops = profile.OfType("test.op");
    ASSERT_EQ(events.size(), op_ids_.size()) << type;
    ASSERT_EQ(ops.size(), op_ids_.size());
    for (size_t i = 0; i < events.size(); ++i) {
      const Event& event = *events[i];
      EXPECT_EQ(event.op_id, op_ids_[i]) << type;
      EXPECT_EQ(profile.ParentOf(event), ops[i]) << type;
      EXPECT_EQ(profile.Text(event, "op"), profile.NameOf(*ops[i]));
      EXPECT_EQ(profile.TrackOf(event).kind, profiler::Track::Kind::kStream);
      // The clock is that of the records.
      EXPECT_GE(event.begin_ns, ops[i]->begin_ns);
      EXPECT_GT(event.end_ns, event.begin_ns);
    }
  }
};

TEST_F(CuptiCollectorTest, CommandsBelongToTheOpsThatEnqueuedThem) {
  for (auto [settings, version] :
       {std::pair("", 130001), std::pair("", 24), std::pair("late=1", 130001)}) {
    Configure(settings, version);
    op_ids_.clear();
    StartSession();
    MakeContext();
    EXPECT_EQ(CuptiCollector::Get().state(), CuptiCollector::State::kCollecting);
    RunOp("tf.Relu");
    RunOp("tf.MatMul");
    RunOp("tf.Relu");
    ASSERT_EQ(driver_->table().cuStreamSynchronize(stream_->handle()), cuda::CUDA_SUCCESS);
    Profile profile = StopSession();
    EXPECT_THAT(profile.problems(), IsEmpty()) << settings << version;
    for (const char* type : {"device.kernel", "device.copy", "device.fill"}) {
      ExpectOneEach(profile, type);
    }
    for (const Event* kernel : profile.OfType("device.kernel")) {
      EXPECT_EQ(profile.NameOf(*kernel), "add");
      EXPECT_EQ(profile.Text(*kernel, "grid"), "1x1x1");
      // Its launch is a call on the thread that ran the op, with the same correlation id.
      int num_launches = 0;
      for (const Event* launch : profile.OfType("device.launch")) {
        if (launch->correlation_id != kernel->correlation_id) continue;
        ++num_launches;
        EXPECT_EQ(profile.NameOf(*launch), "cuLaunchKernel");
        EXPECT_EQ(launch->parent, kernel->parent);
        EXPECT_EQ(profile.TrackOf(*launch).number,
                  profile.TrackOf(*profile.ParentOf(*launch)).number);
        EXPECT_LE(launch->begin_ns, kernel->begin_ns);
        EXPECT_GE(launch->begin_ns, profile.ParentOf(*launch)->begin_ns);
        EXPECT_LE(launch->end_ns, profile.ParentOf(*launch)->end_ns);
      }
      EXPECT_EQ(num_launches, 1);
    }
    EXPECT_FALSE(profile.OfType("device.sync").empty());
    EXPECT_FALSE(profile.OfType("device.overhead").empty());
    for (const Event* call : profile.OfType("device.call")) {
      EXPECT_NE(profile.NameOf(*call), "cuCtxSetCurrent");
    }
    DropContext();
  }
}

// A program that was at work before the session began.
TEST_F(CuptiCollectorTest, ASessionMayBeginLater) {
  MakeContext();
  RunOp("before");
  ASSERT_TRUE(stream_->Wait().ok());
  op_ids_.clear();
  StartSession();
  EXPECT_EQ(CuptiCollector::Get().state(), CuptiCollector::State::kCollecting);
  RunOp("inside");
  Profile profile = StopSession();
  ExpectOneEach(profile, "device.kernel");
  RunOp("after");
  ASSERT_TRUE(stream_->Wait().ok());
}

TEST_F(CuptiCollectorTest, LevelsAboveKernelsCollectNothing) {
  MakeContext();
  for (profiler::Level level : {profiler::Level::kModel, profiler::Level::kLayer}) {
    StartSession(level);
    EXPECT_EQ(CuptiCollector::Get().state(), CuptiCollector::State::kOff);
    RunOp("op");
    Profile profile = StopSession();
    EXPECT_TRUE(profile.OfType("device.kernel").empty());
    EXPECT_THAT(profile.problems(), IsEmpty());
  }
}

TEST_F(CuptiCollectorTest, CommandsOutsideOfOpsHaveNone) {
  StartSession();
  MakeContext();
  ASSERT_TRUE(Launch().ok());
  Profile profile = StopSession();
  ASSERT_EQ(profile.OfType("device.kernel").size(), 1u);
  const Event& kernel = *profile.OfType("device.kernel")[0];
  EXPECT_EQ(kernel.op_id, 0u);
  EXPECT_EQ(profile.ParentOf(kernel), nullptr);
  EXPECT_EQ(profile.Text(kernel, "op"), "");
}

TEST_F(CuptiCollectorTest, ThreadsAreToldApart) {
  StartSession();
  MakeContext();
  constexpr int kOps = 50;
  std::vector<std::thread> threads;
  for (const char* name : {"a", "b", "c"}) {
    threads.emplace_back([&, name] {
      for (int i = 0; i < kOps; ++i) {
        tracing::RecordScope op(kTestOp, name);
        LaunchScope scope(name, Location());
        EXPECT_TRUE(Launch().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Profile profile = StopSession();
  auto kernels = profile.OfType("device.kernel");
  ASSERT_EQ(kernels.size(), 3u * kOps);
  std::map<uint64_t, int> per_op;
  for (const Event* kernel : kernels) {
    ASSERT_NE(profile.ParentOf(*kernel), nullptr);
    EXPECT_EQ(profile.ParentOf(*kernel)->op_id, kernel->op_id);
    EXPECT_EQ(profile.NameOf(*profile.ParentOf(*kernel)), profile.Text(*kernel, "op"));
    ++per_op[kernel->op_id];
  }
  EXPECT_EQ(per_op.size(), 3u * kOps);
}

// Kernels of a graph belong to the ops that were captured, launch after launch.
TEST_F(CuptiCollectorTest, KernelsOfGraphsBelongToTheCapturedOps) {
  StartSession();
  MakeContext();
  const cuda::DriverTable& driver = driver_->table();
  ASSERT_TRUE(Launch().ok());  // loads the code, which no capture may
  ASSERT_EQ(
      driver.cuStreamBeginCapture_v2(stream_->handle(), cuda::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
      cuda::CUDA_SUCCESS);
  std::vector<uint64_t> captured;
  for (const char* name : {"first", "second"}) {
    tracing::RecordScope op(kTestOp, name);
    captured.push_back(tracing::CurrentContext().op_id);
    LaunchScope scope(name, Location());
    ASSERT_TRUE(Launch().ok());
  }
  cuda::CUgraph graph = nullptr;
  ASSERT_EQ(driver.cuStreamEndCapture(stream_->handle(), &graph), cuda::CUDA_SUCCESS);
  cuda::CUgraphExec exec = nullptr;
  ASSERT_EQ(driver.cuGraphInstantiateWithFlags(&exec, graph, 0), cuda::CUDA_SUCCESS);
  constexpr int kLaunches = 3;
  for (int i = 0; i < kLaunches; ++i) {
    tracing::RecordScope op(kTestOp, "launch");
    ASSERT_TRUE(stream_
                    ->Enqueue("graph", {},
                              [&] {
                                return driver.cuGraphLaunch(exec, stream_->handle()) ==
                                               cuda::CUDA_SUCCESS
                                           ? OkStatus()
                                           : InternalError("launch");
                              })
                    .ok());
  }
  Profile profile = StopSession();
  EXPECT_THAT(profile.problems(), IsEmpty());
  int num_of_graph = 0;
  std::map<std::string, int> per_op;
  for (const Event* kernel : profile.OfType("device.kernel")) {
    if (profile.Integer(*kernel, "graph_node") == 0) continue;
    ++num_of_graph;
    const std::string op(profile.Text(*kernel, "op"));
    ++per_op[op];
    EXPECT_EQ(kernel->op_id, op == "first" ? captured[0] : captured[1]);
    ASSERT_NE(profile.ParentOf(*kernel), nullptr);
    EXPECT_EQ(profile.NameOf(*profile.ParentOf(*kernel)), "launch");
  }
  EXPECT_EQ(num_of_graph, 2 * kLaunches);
  EXPECT_EQ(per_op, (std::map<std::string, int>{{"first", kLaunches}, {"second", kLaunches}}));
  EXPECT_EQ(driver.cuGraphExecDestroy(exec), cuda::CUDA_SUCCESS);
  EXPECT_EQ(driver.cuGraphDestroy(graph), cuda::CUDA_SUCCESS);
}

// Of a graph that was captured before, nobody knows the ops: said, not guessed.
TEST_F(CuptiCollectorTest, GraphsOfBeforeTheSessionHaveNoOps) {
  MakeContext();
  const cuda::DriverTable& driver = driver_->table();
  ASSERT_TRUE(Launch().ok());
  ASSERT_EQ(
      driver.cuStreamBeginCapture_v2(stream_->handle(), cuda::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
      cuda::CUDA_SUCCESS);
  ASSERT_TRUE(Launch().ok());
  cuda::CUgraph graph = nullptr;
  ASSERT_EQ(driver.cuStreamEndCapture(stream_->handle(), &graph), cuda::CUDA_SUCCESS);
  cuda::CUgraphExec exec = nullptr;
  ASSERT_EQ(driver.cuGraphInstantiateWithFlags(&exec, graph, 0), cuda::CUDA_SUCCESS);
  StartSession();
  ASSERT_EQ(driver.cuGraphLaunch(exec, stream_->handle()), cuda::CUDA_SUCCESS);
  ASSERT_EQ(driver.cuStreamSynchronize(stream_->handle()), cuda::CUDA_SUCCESS);
  Profile profile = StopSession();
  ASSERT_EQ(profile.problems().size(), 1u);
  EXPECT_EQ(profile.problems()[0].kind, Problem::Kind::kNoParent);
  EXPECT_THAT(profile.problems()[0].text, testing::HasSubstr("of CUDA graphs have no op"));
  EXPECT_EQ(driver.cuGraphExecDestroy(exec), cuda::CUDA_SUCCESS);
  EXPECT_EQ(driver.cuGraphDestroy(graph), cuda::CUDA_SUCCESS);
}

}  // namespace
}  // namespace tfrt::gpu
