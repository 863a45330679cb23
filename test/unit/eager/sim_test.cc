// What is special about a device with timelines: its work goes on behind the back of the host. What
// it has in common with others is tested with these (EagerModesTest).

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

#include "lib/api/eager/dlpack.h"
#include "test/unit/eager/eager_fixture.h"
#include "tfrt/eager/variable.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr ModeAndOrder kSimModes[] = {
    {ExecutionMode::kSync, ExecutionOrder::kDataflow, "sim:0"},
    {ExecutionMode::kAsync, ExecutionOrder::kDataflow, "sim:0"},
    {ExecutionMode::kAsync, ExecutionOrder::kFifo, "sim:0"},
};

class EagerSimTest : public EagerModesTest {
 protected:
  sim::Accelerator& accelerator(Context& context, std::string_view name = "sim:0") {
    RCReference<Device> device = context.host()->device_manager().GetDevice(name);
    return static_cast<sim::SimDevice&>(*device).accelerator();
  }
  size_t BytesInUse() {
    EXPECT_TRUE(accelerator(*context_).Synchronize().ok());
    return accelerator(*context_).memory_statistics().bytes_in_use;
  }
};

Tensor MakeLarge(float value, int64_t count = 1000) {
  const int64_t dims[] = {count};
  return Tensor::FromArray(HostArray::Take(std::span<const int64_t>(dims),
                                           std::vector<float>(static_cast<size_t>(count), value)));
}

bool HasElements(const Tensor& tensor) {
  AsyncValue* elements = tensor.state()->elements();
  return !elements || elements->IsAvailable();
}

// Until the value itself is there, which in ASYNC mode a thread sees to.
void AwaitEnqueued(const Tensor& tensor) {
  while (!tensor.IsAvailable()) std::this_thread::yield();
}

TEST_P(EagerSimTest, AvailableMeansEnqueued) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = CallOp("test.Gate", {Make({2}, {-1.0f, 2.0f})});
  Tensor y = Relu(x);
  AwaitEnqueued(y);
  EXPECT_FALSE(HasElements(x));
  EXPECT_FALSE(HasElements(y));
  EXPECT_EQ(y.device(), "sim:0");
  EXPECT_EQ(y.shape().value(), TensorShape{2});
  TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(0, 2));
  EXPECT_THAT(y.ToString(), HasSubstr("DenseHostTensor dtype = f32, shape = [2], values = [0"));
  EXPECT_EQ(&y.state()->value()->get<tfrt::Tensor>().memory_space(),
            &context_->host()->device_manager().GetDevice("sim:0")->memory_space());
}

TEST_P(EagerSimTest, AllOfAKindAndTheirMemory) {
  auto context = Context::Create(
      {.devices = {"sim:*"},
       .register_devices =
           [](HostContext& host) { return sim::RegisterSimDevices(host, {.num_devices = 2}); },
       .accelerator = {.memory_limit_bytes = 1 << 20},
       .device_priority = {"sim:*", "cpu:0"}});
  ASSERT_TRUE(context.ok()) << context.status().message();
  EXPECT_THAT((*context)->devices(), ElementsAre("cpu:0", "sim:0", "sim:1"));
  auto statistics = [&] { return *(*context)->memory_statistics("sim:0"); };
  EXPECT_EQ(statistics().limit_bytes, size_t{1} << 20);
  Scope scope(**context, {.mode = mode()});
  {
    Tensor x = Relu(MakeLarge(1));
    EXPECT_EQ(x.device(), "sim:0");
    EXPECT_EQ(x.status(), OkStatus());
    EXPECT_EQ(statistics().bytes_in_use, 4000u);
  }
  (*context)->Wait();
  EXPECT_EQ(statistics().bytes_in_use, 0u);
  EXPECT_EQ(statistics().peak_bytes_in_use, 8000u);
  EXPECT_EQ((*context)->TrimMemory("sim:0"), OkStatus());
  EXPECT_EQ(MakeLarge(1, 1 << 20).CopyTo("sim:0").status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ((*context)->memory_statistics("cpu:0").status().message(),
            "cpu:0 does not count its memory");
  for (const Status& status :
       {(*context)->memory_statistics("sim:2").status(), (*context)->TrimMemory("sim:2")}) {
    EXPECT_EQ(status.message(), "there is no device sim:2; the devices are cpu:0, sim:0, sim:1");
  }
}

TEST_P(EagerSimTest, WaitAndQuiesceCountWhatIsEnqueued) {
  for (bool quiesce : {false, true}) {
    TestOps(*context_).CloseGate();
    Scope scope(*context_, On("sim:0"));
    Tensor x = Relu(CallOp("test.Gate", {Make({1}, {1.0f})}));
    AwaitEnqueued(x);
    std::thread opens([&] { TestOps(*context_).OpenGate(); });
    quiesce ? context_->host()->Quiesce() : context_->Wait();
    EXPECT_TRUE(HasElements(x));
    opens.join();
  }
}

TEST_P(EagerSimTest, ErrorsAreThoseOfElements) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({2}, {1.0f, 2.0f});
  Tensor bad = CallOp("test.Error", {x});
  uint32_t line = __LINE__ - 1;
  Tensor good = Relu(x);
  AwaitEnqueued(bad);
  Status error = bad.status();
  EXPECT_EQ(TFRT_MESSAGE_AT(error, line), "test.Error: failed");
  EXPECT_TRUE(bad.IsError());
  EXPECT_EQ(bad.device(), "");
  // Whatever is computed of it is the same error, in the stream or after it, there or elsewhere.
  EXPECT_EQ(Relu(bad).status(), error);
  EXPECT_EQ(Add(x, Relu(bad)).status(), error);
  EXPECT_EQ(CallOp("test.Same", {bad}).status(), error);
  EXPECT_EQ(bad.CopyTo("cpu:0").status(), error);
  EXPECT_EQ(bad.Values<float>().status(), error);
  {
    Scope host(*context_, On("cpu:0"));
    EXPECT_EQ(Relu(bad).status(), error);
  }
  Status effect = CallEffect("test.Effect", bad);
  EXPECT_EQ(effect, is_sync() ? error : OkStatus());
  // All else goes on.
  EXPECT_THAT(ValuesOf<float>(good), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<float>(Relu(x)), ElementsAre(1, 2));
}

TEST_P(EagerSimTest, ErrorsOfOpsThatTellTheirShapeWhenTheyRun) {
  Scope scope(*context_, On("sim:0"));
  Tensor tiled = Tile(Make({2}, {1.0f, 2.0f}), HostArray({2}, {1, 2}));
  Status error = tiled.status();
  EXPECT_EQ(error.code(), StatusCode::kInvalidArgument);
  std::string message = TFRT_MESSAGE_AT(error, __LINE__ - 3);
  EXPECT_TRUE(message.starts_with("tf.Tile: ")) << message;
  EXPECT_EQ(message.find("tf.Tile", 1), std::string::npos) << message;
  EXPECT_EQ(CallEffect("test.FailingEffect", tiled), error);
  Status failed = CallEffect("test.FailingEffect", Make({1}, {1.0f}));
  if (is_sync()) {
    EXPECT_EQ(TFRT_MESSAGE_AT(failed, __LINE__ - 2), "test.FailingEffect: no effect");
  }
}

TEST_P(EagerSimTest, ShapesThatDependOnData) {
  Scope scope(*context_, On("sim:0"));
  Tensor tiled = Tile(Make({2}, {1.0f, 2.0f}), HostArray({1}, {2}));
  EXPECT_THAT(ValuesOf<float>(tiled), ElementsAre(1, 2, 1, 2));
  EXPECT_EQ(tiled.device(), "sim:0");
  // An argument that the stream has not written yet.
  if (is_sync()) TestOps(*context_).OpenGate();  // the call waits for the shape
  Tensor late = CallOp("test.Gate", {Make({2}, {1, 3})});
  Tensor same = CallOp("test.Same", {Add(late, late)});
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<int32_t>(same), ElementsAre(2, 6));
}

TEST_P(EagerSimTest, AFewIntegersAreReadWhereTheyAre) {
  Tensor axes;
  {
    Scope scope(*context_, On("cpu:0"));
    axes = Make({1}, {1});
  }
  Scope scope(
      *context_,
      {.mode = mode(), .device = "sim:0", .misplaced_input = MisplacedInputPolicy::kExplicit});
  Tensor x = Make({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f});
  Tensor sum = Sum(x, axes);
  EXPECT_THAT(ValuesOf<float>(sum), ElementsAre(3, 7));
  EXPECT_EQ(sum.device(), "sim:0");
  EXPECT_THAT(ValuesOf<float>(Sum(x, {0})), ElementsAre(4, 6));
  EXPECT_FALSE(axes.state()->FindCopy(1));
  // What moved there may be gone before the stream reads it.
  if (is_sync()) TestOps(*context_).OpenGate();
  Tensor gated = CallOp("test.Gate", {x});
  Tensor later = Sum(gated, std::move(axes));
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(later), ElementsAre(3, 7));
}

TEST_P(EagerSimTest, OperandsMayGoBeforeTheStreamIsThere) {
  Scope scope(*context_, On("sim:0"));
  Tensor y;
  {
    Tensor x = CallOp("test.Gate", {MakeLarge(1)});
    y = Add(x, x);
    AwaitEnqueued(y);
  }
  // Takes memory that is free by then in the order of the stream.
  Tensor z = Relu(MakeLarge(5));
  TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(y), Each(2));
  EXPECT_THAT(ValuesOf<float>(z), Each(5));
}

TEST_P(EagerSimTest, MemoryIsGivenBack) {
  {
    Scope scope(*context_, On("sim:0"));
    Tensor x = MakeLarge(1);
    for (int i = 0; i < 10; ++i) x = Relu(Add(x, x));
    EXPECT_THAT(ValuesOf<float>(x), Each(1024));
    EXPECT_TRUE(CallOp("test.Error", {x}).status().code() == StatusCode::kInternal);
    EXPECT_GT(BytesInUse(), 0u);
  }
  context_->Wait();
  context_->host()->Quiesce();
  EXPECT_EQ(BytesInUse(), 0u);
}

TEST_P(EagerSimTest, CopiesMakeRoomInTheMemoryOfTheDevice) {
  auto context =
      Context::Create({.devices = {"sim:0"},
                       .register_devices =
                           [&](HostContext& host) {
                             return sim::RegisterSimDevices(
                                 host, {.memory_bytes = 64 << 10, .observer = &devices_.checker()});
                           },
                       .order = GetParam().order});
  ASSERT_TRUE(context.ok());
  std::vector<Tensor> on_host;
  {
    Scope scope(**context, On("cpu:0"));
    for (int i = 0; i < 12; ++i) on_host.push_back(MakeLarge(1, 4000));
  }
  Scope scope(**context, On("sim:0"));
  // Each leaves a copy of 16,000 bytes, of which there is room for four.
  for (const Tensor& x : on_host) {
    EXPECT_THAT(ValuesOf<float>(Relu(x)), Each(1));
    (*context)->Wait();
  }
  (*context)->DropCopies();
  Tensor large = MakeLarge(1, 10000);
  EXPECT_TRUE(large.status().ok());
  (*context)->Wait();
  Tensor refused = Relu(large);
  EXPECT_EQ(refused.status().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(TFRT_MESSAGE_AT(refused.status(), __LINE__ - 2),
            "tf.Relu: Cannot allocate tensor: 40000 bytes for f32 [10000]");
}

TEST_P(EagerSimTest, TwoAccelerators) {
  auto context = MakeContext(Options({}, {"sim:1"}));
  Tensor x, bad;
  {
    Scope scope(*context, On("sim:0"));
    x = CallOp("test.Gate", {Make({2}, {1.0f, -2.0f})});
    bad = CallOp("test.Error", {x});
  }
  Scope scope(*context, On("sim:1"));
  Tensor y = Relu(x);
  Tensor worse = Relu(bad);
  AwaitEnqueued(worse);
  TestOps(*context).OpenGate();
  EXPECT_THAT(ValuesOf<float>(y), ElementsAre(1, 0));
  EXPECT_THAT(ValuesOf<float>(y.CopyTo("sim:0")), ElementsAre(1, 0));
  EXPECT_EQ(worse.status(), bad.status());
  EXPECT_EQ(worse.status().code(), StatusCode::kInternal);
}

TEST_P(EagerSimTest, DlpackArraysAreCopies) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = Relu(Make({2}, {1.0f, -2.0f}));
  StatusOr<DLManagedTensorVersioned*> exported = x.ToDlpackVersioned();
  ASSERT_TRUE(exported.ok());
  auto& array = dlpack::LayoutOf(*exported);
  EXPECT_EQ(array.flags, dlpack::kReadOnly | dlpack::kIsCopied);
  EXPECT_EQ(static_cast<const float*>(array.array.data)[0], 1);
  StatusOr<Tensor> back = Tensor::FromDlpack(*exported);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->device(), "sim:0");
  EXPECT_THAT(ValuesOf<float>(*back), ElementsAre(1, 0));
}

TEST_P(EagerSimTest, ArraysOfOthersAreGivenBackByTheQueue) {
  std::atomic<bool> released = false;
  float elements[] = {1, 2};
  const int64_t dims[] = {2};
  {
    Scope scope(*context_, On("sim:0"));
    Tensor x = Tensor::FromArray(HostArray::Borrow(std::span<const int64_t>(dims),
                                                   std::span<const float>(elements),
                                                   [&] { released = true; }));
    EXPECT_THAT(ValuesOf<float>(Add(x, x)), ElementsAre(2, 4));
  }
  context_->Wait();
  context_->host()->Quiesce();
  EXPECT_TRUE(released);
}

// tf.Reshape gives its argument's memory on, and says only when it has run what its result is like:
// the result is copied when the stream may have used that memory for something else.
TEST_P(EagerSimTest, ResultsInTheMemoryOfAnArgumentOutliveIt) {
  accelerator(*context_).h2d().set_delay({.at_least = std::chrono::milliseconds(20)});
  Scope scope(*context_, On("sim:0"));
  Tensor a = MakeLarge(7), x = MakeLarge(3);
  EXPECT_TRUE(a.status().ok());
  EXPECT_TRUE(x.status().ok());
  const int64_t rows_and_columns[] = {10, 100};
  Tensor shape = Tensor::FromArray(HostArray({2}, std::span<const int64_t>(rows_and_columns)));
  Tensor y = Reshape(std::move(x), shape);
  AwaitEnqueued(y);
  Tensor z = Add(a, a);  // in the block that x had
  EXPECT_TRUE(z.status().ok());
  EXPECT_THAT(ValuesOf<float>(y), Each(3.0f));
  EXPECT_THAT(ValuesOf<float>(z), Each(14.0f));
}

TensorMetadata LikeX(const TensorMetadata& x) { return x; }

// Updates of a variable, in the function of an op of the host.
Context* nested_context = nullptr;
Variable* updated = nullptr;
StatusOr<DenseHostTensor> UpdateTwice(const DenseHostTensor& x, const TensorMetadata& result,
                                      OpCall& call) {
  Scope scope(*nested_context, {.device = "sim:0"});
  for (int i = 0; i < 2; ++i) {
    TFRT_RETURN_IF_ERROR(updated->AssignAdd(HostArray({1}, {1.0f})).status());
  }
  TFRT_RETURN_IF_ERROR(Relu(updated->Read()).status());
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  TFRT_RETURN_IF_ERROR(x.CopyTo(out));
  return out;
}

TEST_P(EagerSimTest, OpFunctionsOfTheHostUpdateVariables) {
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.UpdateTwice",
                                .summary = "",
                                .arguments = {{"x"}},
                                .results = {"y"},
                                .metadata = TFRT_OP_METADATA(LikeX),
                                .function = TFRT_OP(UpdateTwice)})
                  .ok());
  accelerator(*context_).compute().set_delay({.at_least = std::chrono::milliseconds(5)});
  nested_context = context_.get();
  Variable variable;
  {
    Scope scope(*context_, On("sim:0"));
    Tensor initial = Make({1}, {40.0f});
    EXPECT_TRUE(initial.status().ok());  // op functions do not wait for those of others
    variable = Variable(std::move(initial));
  }
  updated = &variable;
  Scope scope(*context_, On("cpu:0"));
  EXPECT_THAT(ValuesOf<float>(CallOp("test.UpdateTwice", {Make({1}, {5.0f})})), ElementsAre(5));
  EXPECT_THAT(ValuesOf<float>(variable.Read()), ElementsAre(42));
}

// What an op function calls, and where.
struct Nested {
  Context* context = nullptr;
  const char* device = "";
  Tensor foreign;
};
Nested nested;

StatusOr<DenseHostTensor> CallRelu(const DenseHostTensor& x) {
  Scope scope(*nested.context, {.device = nested.device});
  Tensor made = Relu(HostArray({2}, {3.0f, *static_cast<const float*>(x.data())}));
  TFRT_RETURN_IF_ERROR(made.status());
  TFRT_RETURN_IF_ERROR(made.Values<float>().status());
  return made.state()->value()->get<DenseHostTensor>().ShareBuffer();
}

TEST_P(EagerSimTest, OpsInAStreamCallOpsOfTheHostOnly) {
  CustomOp op{.name = "test.Nested", .summary = "", .arguments = {{"x"}}, .results = {"y"}};
  op.function = TFRT_OP(CallRelu);
  ASSERT_TRUE(context_->RegisterOp(std::move(op)).ok());
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({1}, {-1.0f});
  nested = {.context = context_.get(), .device = "cpu:0"};
  EXPECT_THAT(ValuesOf<float>(CallOp("test.Nested", {x})), ElementsAre(3, 0));
  // One on the same stream would wait for itself.
  nested = {.context = context_.get(), .device = "sim:0"};
  Status error = CallOp("test.Nested", {x}).status();
  EXPECT_EQ(error.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(error.message()),
              HasSubstr("cannot be part of what runs on a timeline of a device"));
  nested = {};
}

StatusOr<DenseHostTensor> WaitForForeign(const DenseHostTensor& x, const TensorMetadata& result,
                                         OpCall& call) {
  TFRT_RETURN_IF_ERROR(nested.foreign.status());
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  TFRT_RETURN_IF_ERROR(x.CopyTo(out));
  return out;
}

TEST_P(EagerSimTest, OpFunctionsWaitForStreamsFromOutsideOnly) {
  ASSERT_TRUE(context_
                  ->RegisterOp({.name = "test.NestedWait",
                                .summary = "",
                                .arguments = {{"x"}},
                                .results = {"y"},
                                .metadata = TFRT_OP_METADATA(LikeX),
                                .function = TFRT_OP(WaitForForeign)})
                  .ok());
  Tensor x;
  {
    Scope scope(*context_, On("sim:0"));
    x = Make({1}, {-1.0f});
    nested.foreign = CallOp("test.Gate", {x});
    AwaitEnqueued(nested.foreign);
  }
  {
    Scope scope(*context_, On("cpu:0"));
    std::thread opens([&] { TestOps(*context_).OpenGate(); });
    EXPECT_THAT(ValuesOf<float>(CallOp("test.NestedWait", {x})), ElementsAre(-1));
    opens.join();
  }
  TestOps(*context_).CloseGate();
  Scope scope(*context_, On("sim:0"));
  AwaitEnqueued(CallOp("test.Gate", {x}));
  Tensor waits = CallOp("test.NestedWait", {x});
  AwaitEnqueued(waits);
  nested.foreign = Relu(x);  // behind what waits for it
  AwaitEnqueued(nested.foreign);
  TestOps(*context_).OpenGate();
  Status error = waits.status();
  EXPECT_EQ(error.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(error.message()),
              HasSubstr("to wait for elements on a device cannot be part of what runs on"));
  EXPECT_THAT(ValuesOf<float>(nested.foreign), ElementsAre(0));
  nested = {};
}

TEST_P(EagerSimTest, CancelsWhatTheStreamHasNotBegun) {
  Scope scope(*context_, On("sim:0"));
  Tensor x = CallOp("test.Gate", {Make({1}, {1.0f})});
  Tensor y = Relu(x);
  AwaitEnqueued(y);
  context_->Cancel();
  TestOps(*context_).OpenGate();
  EXPECT_EQ(y.status().code(), StatusCode::kCancelled);
  EXPECT_EQ(y.status().message(), "Cancelled");
  context_->Restart();
  EXPECT_EQ(Relu(Make({1}, {1.0f})).Item<float>().value(), 1);
}

TEST_P(EagerSimTest, AnUpdateThatFailsInTheStreamLeavesTheValue) {
  Scope scope(*context_, On("sim:0"));
  Variable variable(Tensor::Of({1.0f, 2.0f}));
  if (is_sync()) TestOps(*context_).OpenGate();  // the next update waits for the outcome
  Tensor failed = variable.Update(
      [&](const Tensor& old) { return CallOp("test.Error", {CallOp("test.Gate", {old})}); });
  Tensor next = variable.AssignAdd(1.0f);
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_EQ(failed.status().code(), StatusCode::kInternal);
  EXPECT_THAT(ValuesOf<float>(next), ElementsAre(2, 3));
}

TEST_P(EagerSimTest, TheHostCannotReadThere) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Scope scope(*context_, On("sim:0"));
  Tensor x = Make({1}, {1.0f});
  const void* address = AddressOf(x);
  EXPECT_DEATH(std::fprintf(stderr, "%f", *static_cast<const volatile float*>(address)), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerSimTest, testing::ValuesIn(kSimModes), ModeName);

// --- Does the checker find what a runner of ops forgets? ---

// Does something before each tf.Relu.
class FaultyRunner final : public OpRunner {
 public:
  using Fault = std::function<void(const sim::SimBuffer& argument, sim::SimDevice& device)>;
  explicit FaultyRunner(Fault fault) : fault_(std::move(fault)) {}
  bool Has(const OpDefinition& op) const override { return inner_->Has(op); }
  bool Accepts(const OpDefinition& op, const tfrt::Tensor& tensor) const override {
    return inner_->Accepts(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override {
    if (run.op.name == "tf.Relu") {
      const auto& tensor = run.arguments[0]->get<tfrt::Tensor>();
      fault_(*static_cast<const sim::DenseSimTensor&>(tensor).buffer(),
             static_cast<sim::SimDevice&>(run.device));
    }
    return inner_->Run(run);
  }

 private:
  const Fault fault_;
  const std::unique_ptr<const OpRunner> inner_ = sim::MakeSimOpRunner();
};

class EagerPlantedDefectTest : public EagerModesTest {
 protected:
  void Plant(FaultyRunner::Fault fault) {
    context_ =
        MakeContext({.devices = {"cpu:0", "sim:0"},
                     .register_devices =
                         [&](HostContext& host) {
                           return sim::RegisterSimDevices(host, {.observer = &devices_.checker()},
                                                          std::make_unique<FaultyRunner>(fault));
                         },
                     .order = GetParam().order});
  }
  // What has been found, but for what follows from it.
  OrderReport Found() {
    std::vector<OrderReport> reports = devices_.checker().TakeReports();
    EXPECT_FALSE(reports.empty()) << "nothing was found";
    return reports.empty() ? OrderReport() : reports.front();
  }
  static void ReadAt(const void* address, size_t size_bytes, sim::Stream& stream) {
    stream.Launch("planted", {{address, size_bytes, sim::Operand::Use::kRead}},
                  [](std::span<std::byte* const>) { return OkStatus(); });
  }
};

TEST_P(EagerPlantedDefectTest, AMissingWait) {
  Plant([](const sim::SimBuffer& x, sim::SimDevice& device) {
    // Who reads on the compute stream must wait for the copy on another one.
    ReadAt(x.address(), x.size_bytes(), device.accelerator().compute());
  });
  // So late that nobody has seen its end when the reader is enqueued, which would order them.
  RCReference<Device> device = context_->host()->device_manager().GetDevice("sim:0");
  static_cast<sim::SimDevice&>(*device).accelerator().h2d().set_delay(
      {.at_least = std::chrono::milliseconds(20)});
  {
    Scope scope(*context_, On("sim:0"));
    EXPECT_THAT(ValuesOf<float>(Relu(Make({2}, {1.0f, -2.0f}))), ElementsAre(1, 0));
  }
  context_->Wait();
  OrderReport report = Found();
  EXPECT_EQ(report.defect, Defect::kUnordered) << report;
  EXPECT_EQ(report.operation, "planted");
  EXPECT_EQ(report.timeline, "sim:0/compute");
  EXPECT_EQ(report.earlier_operation, "copy from host");
  EXPECT_EQ(report.earlier_timeline, "sim:0/h2d");
}

TEST_P(EagerPlantedDefectTest, AUseAfterFree) {
  const void* first = nullptr;
  size_t size_bytes = 0;
  Plant([&](const sim::SimBuffer& x, sim::SimDevice& device) {
    if (first) return ReadAt(first, size_bytes, device.accelerator().compute());
    first = x.address();
    size_bytes = x.size_bytes();
  });
  {
    Scope scope(*context_, On("sim:0"));
    Tensor x = Make({2}, {1.0f, -2.0f}), y = Make({2}, {3.0f, 4.0f});
    EXPECT_TRUE(y.status().ok());
    EXPECT_THAT(ValuesOf<float>(Relu(std::move(x))), ElementsAre(1, 0));
    context_->Wait();
    EXPECT_THAT(ValuesOf<float>(Relu(y)), ElementsAre(3, 4));
  }
  context_->Wait();
  OrderReport report = Found();
  EXPECT_EQ(report.defect, Defect::kUseAfterFree) << report;
  EXPECT_EQ(report.operation, "planted");
}

TEST_P(EagerPlantedDefectTest, TheWrongMemory) {
  float on_host = 1;
  Plant([&](const sim::SimBuffer&, sim::SimDevice& device) {
    ReadAt(&on_host, sizeof(on_host), device.accelerator().compute());
  });
  testing::internal::CaptureStderr();  // the device says that it has stopped
  Status error;
  {
    Scope scope(*context_, On("sim:0"));
    error = Relu(Make({2}, {1.0f, -2.0f})).status();
  }
  context_.reset();
  (void)testing::internal::GetCapturedStderr();
  OrderReport report = Found();
  EXPECT_EQ(report.defect, Defect::kWrongMemory) << report;
  EXPECT_EQ(report.operation, "planted");
  // What the device then drops says so.
  EXPECT_EQ(error.code(), StatusCode::kInternal);
  EXPECT_EQ(error.message(), "tf.Relu: sim:0 has stopped before the op ran");
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerPlantedDefectTest, testing::ValuesIn(kSimModes), ModeName);

}  // namespace
}  // namespace tfrt::eager
