// Kernels graph.X as programs from anywhere may call them, and what is remembered of their calls.

#include <random>
#include <thread>

#include "lib/compat/handles/tensor_handle.h"
#include "lib/devices/sim/device/sim_device.h"
#include "lib/devices/sim/device/sim_tensor.h"
#include "lib/ops/op_call/call_sites.h"
#include "test/unit/model/number_programs.h"
#include "tfrt/executor/bef_file.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

class GraphKernelsTest : public testing::Test {
 protected:
  GraphKernelsTest() { RegisterNumberKernels(&host_->kernel_registry()); }

  // The results of the function, which is the model's own.
  std::vector<RCReference<AsyncValue>> Run(bef::FunctionSpec main,
                                           std::vector<DenseHostTensor> inputs,
                                           std::span<const bef::FunctionSpec> others = {}) {
    StatusOr<RCReference<BefFile>> file =
        BefFile::Open(BuildModel(std::move(main), others), host_.get());
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    const Function* function = *(*file)->FindFunction("main");
    CallSites sites(8);
    return Run(*function, std::move(inputs), &sites);
  }
  std::vector<RCReference<AsyncValue>> Run(const Function& function,
                                           std::vector<DenseHostTensor> inputs, CallSites* sites) {
    RequestContextBuilder builder(host_.get(), nullptr);
    builder.AddData(RunResources{.place = place_, .call_sites = sites})
        .set_max_call_depth(max_call_depth_);
    ExecutionContext exec_ctx(std::move(builder).Build());
    std::vector<RCReference<AsyncValue>> arguments, results(function.num_results());
    std::vector<AsyncValue*> pointers, awaited;
    for (DenseHostTensor& input : inputs) {
      arguments.push_back(
          MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(input)).ReleaseRCRef());
      pointers.push_back(arguments.back().get());
    }
    function.Execute(exec_ctx, pointers, results);
    for (const auto& result : results) awaited.push_back(result.get());
    host_->Await(awaited);
    return results;
  }
  DenseHostTensor Integers(const TensorShape& shape, const std::vector<int64_t>& values) {
    auto tensor = DenseHostTensor::CreateUninitialized({DType::kI64, shape}, host_->allocator());
    EXPECT_EQ(static_cast<size_t>(shape.num_elements()), values.size());
    std::copy(values.begin(), values.end(), static_cast<int64_t*>(tensor->buffer()->data()));
    return *std::move(tensor);
  }
  template <typename... Tensors>
  static std::vector<DenseHostTensor> List(Tensors... tensors) {
    std::vector<DenseHostTensor> list;
    (list.push_back(std::move(tensors)), ...);
    return list;
  }
  DenseHostTensor Vector(const std::vector<int64_t>& values) {
    return Integers(TensorShape{static_cast<int64_t>(values.size())}, values);
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost("mstd:2");
  const OpPlace* place_ = nullptr;
  uint32_t max_call_depth_ = RequestOptions().max_call_depth;
};

TEST_F(GraphKernelsTest, OperandsThatAreNoTensors) {
  bef::FunctionSpec main = MakeFunction("main", 1);
  main.returns = {AddCall(main, "graph.add", {0, AddCall(main, "n.plain", {})})};
  auto results = Run(main, List(Vector({1, 2})));
  ASSERT_TRUE(results[0]->IsError());
  EXPECT_EQ(results[0]->GetError().message(), "graph.add: operand 1 is no tensor");
}

TEST_F(GraphKernelsTest, NonStrictCallsDoNotReadWhatIsNotThere) {
  bef::FunctionSpec main = MakeFunction("main", 2);
  const uint32_t later = AddCall(main, "t.wait", {1});
  main.returns = {
      main.AddKernel(
          {.name = "graph.add", .operands = {0, later}, .result_types = {"t"}, .nonstrict = true}),
      main.AddKernel({.name = "graph.if_call",
                      .operands = {later, 0},
                      .result_types = {"t"},
                      .callees = {"main", "main"},
                      .nonstrict = true}),
      main.AddKernel({.name = "graph.if_call",
                      .operands = {AddCall(main, "n.error", {})},
                      .result_types = {"t"},
                      .callees = {"main", "main"},
                      .nonstrict = true})};
  auto never = MakeUnconstructedAsyncValueRef<Chain>();
  gate = never.GetAsyncValue();
  auto results = Run(main, List(Vector({1, 2}), Vector({1, 2})));
  never.emplace(Chain());
  host_->Quiesce();
  ASSERT_TRUE(results[0]->IsError());
  EXPECT_EQ(results[0]->GetError().message(), "graph.add: operand 1 is no tensor");
  for (size_t i : {1, 2}) {
    ASSERT_TRUE(results[i]->IsError());
    EXPECT_EQ(results[i]->GetError().message(), "the condition is no tensor of the host");
  }
}

// Such calls run with a copy of what the program says of them; one is not taken for another.
TEST_F(GraphKernelsTest, NonStrictCallsAreRememberedByTheirPlaces) {
  bef::FunctionSpec main = MakeFunction("main", 2);
  for (const char* op : {"graph.less", "graph.add", "graph.equal", "graph.mul"}) {
    main.returns.push_back(
        main.AddKernel({.name = op, .operands = {0, 1}, .result_types = {"t"}, .nonstrict = true}));
  }
  auto results = Run(main, List(Vector({1, 2}), Vector({3, 1})));
  for (const auto& result : results) {
    ASSERT_FALSE(result->IsError()) << result->GetError().ToString();
  }
  const DType dtypes[] = {DType::kI1, DType::kI64, DType::kI1, DType::kI64};
  for (size_t i = 0; i < results.size(); ++i) {
    ASSERT_EQ(results[i]->get<DenseHostTensor>().dtype(), dtypes[i]) << i;
  }
  EXPECT_THAT(NumbersOf(results[1]->get<DenseHostTensor>()), ElementsAre(4, 3));
  EXPECT_THAT(NumbersOf(results[3]->get<DenseHostTensor>()), ElementsAre(3, 2));
}

TEST_F(GraphKernelsTest, OpsRunOnTheDeviceThatTheResourcesName) {
  ASSERT_TRUE(sim::RegisterSimDevices(*host_).ok());
  const OpPlace place =
      *OpPlace::On(host_.get(), *host_->device_manager().GetOrCreateDevice("sim:0"));
  place_ = &place;
  bef::FunctionSpec main = MakeFunction("main", 3);
  const uint32_t sum = AddCall(main, "graph.add", {0, 1});
  main.returns = {AddCall(main, "graph.mul", {sum, 0}), AddCall(main, "graph.add", {sum, 2})};
  auto results = Run(main, List(Vector({1, 2}), Vector({3, 1}), Vector({1, 2, 3})));
  ASSERT_FALSE(results[0]->IsError()) << results[0]->GetError().ToString();
  EXPECT_EQ(results[0]->get<Tensor>().tensor_type(), sim::kDenseSimTensorType);
  TensorHandle back = TensorHandle(place.device, AsyncValueRef<Tensor>(std::move(results[0])))
                          .TransferToInferredType(
                              ExecutionContext(RequestContextBuilder(host_.get(), nullptr).Build()),
                              host_->GetHostDevice());
  AsyncValue* value = back.async_tensor();
  host_->Await({&value, 1});
  EXPECT_THAT(NumbersOf(static_cast<const DenseHostTensor&>(*back.tensor())), ElementsAre(4, 6));
  ASSERT_TRUE(results[1]->IsError());
  host_->Quiesce();
}

// The attributes outlive the kernel where its arguments come to the device later.
TEST_F(GraphKernelsTest, ResultsThatNobodyAsksForOnADevice) {
  ASSERT_TRUE(sim::RegisterSimDevices(*host_).ok());
  const OpPlace place =
      *OpPlace::On(host_.get(), *host_->device_manager().GetOrCreateDevice("sim:0"));
  place_ = &place;
  bef::FunctionSpec main = MakeFunction("main", 1);
  for (int i = 0; i < 4; ++i) {
    main.AddKernel({.name = "graph.reduce_sum",
                    .operands = {0, 0},
                    .result_types = {},
                    .attributes = {{"keep_dims", bef::BoolAttribute(true)}}});
  }
  main.returns = {AddCall(main, "graph.add", {0, 0})};
  RCReference<BefFile> file = *BefFile::Open(BuildModel(std::move(main), {}), host_.get());
  CallSites sites(8);
  auto results = Run(**file->FindFunction("main"), List(Vector({0})), &sites);
  EXPECT_FALSE(results[0]->IsError()) << results[0]->GetError().ToString();
  // Nobody waits for the calls, which need the file and the sites.
  host_->Quiesce();
}

TEST_F(GraphKernelsTest, ResultsThatNobodyAsksFor) {
  bef::FunctionSpec main = MakeFunction("main", 1);
  AddCall(main, "graph.nonzero", {0}, /*num_results=*/0);
  main.returns = {main.AddKernel({.name = "graph.unique",
                                  .operands = {0},
                                  .result_types = {"t"},
                                  .attributes = {{"axes", bef::ArrayAttribute({})},
                                                 {"sorted", bef::BoolAttribute(true)}}}),
                  0};
  auto results = Run(main, List(Vector({5, 3, 5})));
  ASSERT_FALSE(results[0]->IsError()) << results[0]->GetError().ToString();
  EXPECT_THAT(NumbersOf(results[0]->get<DenseHostTensor>()), ElementsAre(3, 5));
  EXPECT_THAT(NumbersOf(results[1]->get<DenseHostTensor>()), ElementsAre(5, 3, 5));
}

// No compiler makes such functions, but a file may hold them.
TEST_F(GraphKernelsTest, FunctionsThatCallThemselves) {
  max_call_depth_ = 200;
  bef::FunctionSpec body = MakeFunction("body", 4);  // run, condition, value, count
  body.returns = {1, AddLoop(body, {.body = "body", .operands = {3, 2, 3}})};
  bef::FunctionSpec main = MakeFunction("main", 1);
  main.returns = {AddLoop(main, {.body = "body", .operands = {0, 0, 0}})};
  for (int64_t count : {1, 3}) {
    auto results = Run(main, List(MakeNumber(count, host_->allocator())), {&body, 1});
    ASSERT_TRUE(results[0]->IsError());
    EXPECT_EQ(results[0]->GetError().message(), "call depth limit of 200 exceeded in 'body'");
  }

  bef::FunctionSpec branch = MakeFunction("branch", 2);
  const uint32_t condition = AddCall(branch, "graph.less", {0, 1});
  branch.returns = {branch.AddKernel({.name = "graph.if_call",
                                      .operands = {condition, 0, 1},
                                      .result_types = {"t"},
                                      .callees = {"branch", "branch"}})};
  main = branch;
  main.name = "main";
  auto results = Run(main, List(Vector({1}), Vector({2})), {&branch, 1});
  ASSERT_TRUE(results[0]->IsError());
  EXPECT_EQ(results[0]->GetError().message(), "call depth limit of 200 exceeded in 'branch'");
}

// Runs of one program on several threads, with the places of one session: what is inferred for one
// of them is not taken for another's, whose sizes or axes are others.
TEST_F(GraphKernelsTest, CallsOfManySizesOnManyThreads) {
  bef::FunctionSpec main = MakeFunction("main", 3);  // x, y, shape
  const uint32_t sum = AddCall(main, "graph.add", {0, 1});
  main.returns = {AddCall(main, "graph.reshape", {sum, 2})};
  StatusOr<RCReference<BefFile>> file = BefFile::Open(BuildModel(std::move(main), {}), host_.get());
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  const Function* function = *(*file)->FindFunction("main");
  CallSites sites(2);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      auto below = [&](unsigned limit) { return static_cast<int64_t>(random() % limit); };
      for (int round = 0; round < 300; ++round) {
        const int64_t rows = 1 + below(20), columns = 1 + below(20), offset = below(100);
        std::vector<int64_t> x(static_cast<size_t>(rows * columns));
        for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int64_t>(i);
        const bool turned = below(2) == 0;
        auto results = Run(*function,
                           List(Integers(TensorShape{rows, columns}, x), Vector({offset}),
                                turned ? Vector({columns, rows}) : Vector({rows * columns, 1})),
                           &sites);
        ASSERT_FALSE(results[0]->IsError()) << results[0]->GetError().ToString();
        const auto& result = results[0]->get<DenseHostTensor>();
        EXPECT_EQ(result.shape(),
                  turned ? TensorShape({columns, rows}) : TensorShape({rows * columns, 1}));
        for (int64_t& value : x) value += offset;
        EXPECT_EQ(NumbersOf(result), x);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tfrt
