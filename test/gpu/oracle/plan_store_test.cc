// Plans of the vendor's cuDNN for a GPU that is not there: built once, kept in files, read back,
// and built anew where a file cannot be used.
#include "gpu/libraries/dnn/plan_store.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpu/libraries/dnn/plan_files.h"
#include "gtest/gtest.h"
#include "lib/base/support/read_file.h"
#include "test/gpu/oracle/graph_cases.h"

namespace tfrt::gpu::dnn {
namespace {

// Null without the library.
const cudnn::Library* TheLibrary() {
  static const cudnn::Library* const library = [] {
    EXPECT_NE(dlopen(PLAN_SHIM, RTLD_NOW | RTLD_GLOBAL), nullptr) << dlerror();
    StatusOr<const cudnn::Library*> opened = cudnn::Library::Get();
    return opened.ok() && (*opened)->version() >= kMinPlanVersion ? *opened : nullptr;
  }();
  return library;
}

std::string Json() {
  std::string text = *ReadFile(DEVICE_JSON);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class PlanStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!TheLibrary()) GTEST_SKIP() << "no cuDNN 9.8 or newer";
    folder_ = testing::TempDir() + "/plans_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  // A store as another process would make it.
  std::unique_ptr<PlanStore> MakeStore(size_t max_plans = PlanStore::kMaxPlans) {
    StatusOr<DeviceDescription> device = DeviceDescription::OfText(TheLibrary()->table(), Json());
    EXPECT_TRUE(device.ok()) << device.status().message();
    return std::make_unique<PlanStore>(TheLibrary(), *std::move(device), folder_, max_plans);
  }

  std::string folder_;
};

GraphForm Form(GraphOperation operation, bool addend, bool bias, GraphActivation activation) {
  return {operation, addend, bias, activation, cudnn::kGraphF16, cudnn::kGraphNhwc};
}

// Some that are precompiled, and one that is not.
std::vector<Graph> SomeGraphs() {
  std::vector<Graph> graphs;
  for (const GraphForm& form :
       {Form(GraphOperation::kConvolution, true, true, GraphActivation::kRelu),
        Form(GraphOperation::kConvolution, false, false, GraphActivation::kNone),
        Form(GraphOperation::kDataGradient, false, false, GraphActivation::kNone),
        Form(GraphOperation::kConvolution, false, true, GraphActivation::kSwish)}) {
    graphs.push_back(*CaseOf(form, 1));
  }
  return graphs;
}

TEST_F(PlanStoreTest, ASecondProcessBuildsNone) {
  const std::vector<Graph> graphs = SomeGraphs();
  std::vector<int64_t> workspaces;
  {
    std::unique_ptr<PlanStore> store = MakeStore();
    for (const Graph& graph : graphs) {
      StatusOr<std::shared_ptr<const Plan>> plan = store->Get(graph, {});
      ASSERT_TRUE(plan.ok()) << plan.status().message();
      workspaces.push_back((*plan)->built.workspace_bytes);
      EXPECT_EQ(store->Get(graph, {})->get(), plan->get());
    }
    EXPECT_EQ(store->counts(), (PlanCounts{.built = graphs.size(), .kept = graphs.size()}));
  }
  std::unique_ptr<PlanStore> store = MakeStore();
  std::vector<double> times_ms;
  for (size_t i = 0; i < graphs.size(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    StatusOr<std::shared_ptr<const Plan>> plan = store->Get(graphs[i], {});
    times_ms.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count());
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    EXPECT_EQ((*plan)->built.workspace_bytes, workspaces[i]);
  }
  EXPECT_EQ(store->counts(), (PlanCounts{.read = graphs.size()}));
  for (double time_ms : times_ms) RecordProperty("read_ms", std::to_string(time_ms));
}

TEST_F(PlanStoreTest, OtherChoicesDevicesAndGraphsHaveOtherPlans) {
  std::unique_ptr<PlanStore> store = MakeStore();
  const std::vector<Graph> graphs = SomeGraphs();
  const std::string key = store->Key(graphs[0], {});
  EXPECT_NE(key, store->Key(graphs[1], {}));
  EXPECT_NE(key, store->Key(graphs[0], {.allow_tf32 = true}));
  std::string json = Json();
  json.replace(json.find(":132,"), 5, ":114,");
  std::string elsewhere = Json();
  elsewhere.replace(elsewhere.find("\"pciDeviceId\":6"), 15, "\"pciDeviceId\":27");
  StatusOr<DeviceDescription> equal = DeviceDescription::OfText(TheLibrary()->table(), elsewhere);
  ASSERT_TRUE(equal.ok()) << equal.status().message();
  EXPECT_EQ(key, PlanStore(TheLibrary(), *std::move(equal), folder_).Key(graphs[0], {}));
  StatusOr<DeviceDescription> other = DeviceDescription::OfText(TheLibrary()->table(), json);
  ASSERT_TRUE(other.ok()) << other.status().message();
  EXPECT_NE(key, PlanStore(TheLibrary(), *std::move(other), folder_).Key(graphs[0], {}));
}

TEST_F(PlanStoreTest, FilesThatCannotBeUsedAreReplaced) {
  const Graph graph = SomeGraphs()[0];
  std::unique_ptr<PlanStore> store = MakeStore();
  const std::string key = store->Key(graph, {});
  const std::string path = PlanPath(folder_, key);
  ASSERT_TRUE(store->Get(graph, {}).ok());
  const std::string good = *ReadFile(path);
  const std::string plan = *ReadPlanFile(path, key);
  auto write = [&](const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; };
  auto expect_built = [&](const std::string& warning) {
    testing::internal::CaptureStderr();
    std::unique_ptr<PlanStore> next = MakeStore();
    StatusOr<std::shared_ptr<const Plan>> built = next->Get(graph, {});
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(built.ok()) << built.status().message();
    EXPECT_EQ(next->counts(), (PlanCounts{.built = 1}));
    EXPECT_NE(log.find("a plan of cuDNN is built anew: "), std::string::npos) << log;
    EXPECT_NE(log.find(warning), std::string::npos) << log;
    EXPECT_TRUE(ReadPlanFile(path, key).ok());
  };
  for (size_t size : {size_t{0}, size_t{5}, size_t{69}, good.size() / 2, good.size() - 1}) {
    write(good.substr(0, size));
    expect_built("' is damaged");
  }
  std::string changed = good;
  changed[good.size() - 100] ^= 1;
  write(changed);
  expect_built("its checksum does not fit");
  // A whole file whose plan the library does not take.
  for (const std::string& text : {std::string("{}"), std::string("no json"), std::string(),
                                  plan.substr(0, plan.size() / 2)}) {
    ASSERT_TRUE(WritePlanFile(path, key, text).ok());
    expect_built("CUDNN_STATUS_");
  }
  // The new file has a mode of its own, so that the next process can use it.
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  expect_built("by another user");
  struct stat facts;
  ASSERT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode, static_cast<mode_t>(S_IFREG | 0600));
  std::unique_ptr<PlanStore> next = MakeStore();
  EXPECT_TRUE(next->Get(graph, {}).ok());
  EXPECT_EQ(next->counts(), (PlanCounts{.read = 1}));
}

TEST_F(PlanStoreTest, AFolderThatCannotBeWrittenIsNoError) {
  std::ofstream(folder_) << "a file";
  std::unique_ptr<PlanStore> store = MakeStore();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(store->Get(SomeGraphs()[0], {}).ok());
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(log.find("a plan of cuDNN is not kept: "), std::string::npos) << log;
}

TEST_F(PlanStoreTest, ThreadsBuildAPlanOnce) {
  std::unique_ptr<PlanStore> store = MakeStore();
  const Graph graph = SomeGraphs()[0];
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { EXPECT_TRUE(store->Get(graph, {}).ok()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->counts(), (PlanCounts{.built = 1, .kept = 7}));
}

TEST_F(PlanStoreTest, TheOldestPlanIsForgotten) {
  const std::vector<Graph> graphs = SomeGraphs();
  std::unique_ptr<PlanStore> store = MakeStore(/*max_plans=*/2);
  std::vector<std::shared_ptr<const Plan>> plans;
  for (size_t i = 0; i < 3; ++i) {
    StatusOr<std::shared_ptr<const Plan>> plan = store->Get(graphs[i], {});
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    plans.push_back(*plan);
  }
  EXPECT_EQ(store->Get(graphs[1], {})->get(), plans[1].get());
  EXPECT_EQ(store->Get(graphs[2], {})->get(), plans[2].get());
  EXPECT_EQ(store->counts(), (PlanCounts{.built = 3, .kept = 2}));
  EXPECT_NE(store->Get(graphs[0], {})->get(), plans[0].get());
  EXPECT_EQ(store->counts(), (PlanCounts{.built = 3, .read = 1, .kept = 2}));
  // Its users have it still.
  EXPECT_EQ(plans[0]->graph, graphs[0]);
  EXPECT_TRUE(PlanText(plans[0]->built).ok());
}

TEST_F(PlanStoreTest, RefusalsAreKept) {
  std::unique_ptr<PlanStore> store = MakeStore();
  // Without TF32 there is no product of f32.
  const Graph graph = *CaseOf({GraphOperation::kMatmul, false, false, GraphActivation::kNone,
                               cudnn::kGraphF32, cudnn::kGraphRows},
                              0);
  for (int i = 0; i < 2; ++i) {
    const Status refused = store->Get(graph, {}).status();
    EXPECT_EQ(refused.code(), StatusCode::kUnimplemented);
    EXPECT_EQ(refused.message(), "cuDNN has no engine for the graph");
  }
  EXPECT_TRUE(store->Get(graph, {.allow_tf32 = true}).ok());
}

TEST_F(PlanStoreTest, EnginesByNumberWithTheirKnobs) {
  std::unique_ptr<PlanStore> store = MakeStore();
  const Graph graph = SomeGraphs()[1];
  StatusOr<std::shared_ptr<const Plan>> best = store->Get(graph, {});
  ASSERT_TRUE(best.ok());
  PlanChoice choice{.engine = (*best)->built.engine, .knobs = {{99, 1}}};  // which no engine has
  StatusOr<std::shared_ptr<const Plan>> named = store->Get(graph, choice);
  ASSERT_TRUE(named.ok()) << named.status().message();
  EXPECT_EQ((*named)->built.engine, (*best)->built.engine);
  choice.engine = 12345;
  const Status refused = store->Get(graph, choice).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnimplemented) << refused.message();
  EXPECT_NE(refused.message().find("cudnnBackend"), std::string_view::npos) << refused.message();
}

TEST_F(PlanStoreTest, DevicesThatAreNone) {
  for (const char* json : {"", "{}", "no json", "{\"deviceVer\":900}"}) {
    StatusOr<DeviceDescription> device = DeviceDescription::OfText(TheLibrary()->table(), json);
    ASSERT_FALSE(device.ok()) << json;
    EXPECT_NE(device.status().message().find("CUDNN_STATUS_"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace tfrt::gpu::dnn
