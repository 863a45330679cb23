// A device that does not have the ops of the host: handlers, ops that run themselves, and calls of
// graphs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lib/compat/handles/core_runtime.h"
#include "lib/compat/handles/execute_op.h"
#include "lib/devices/sim/device/sim_tensor.h"
#include "lib/ops/graph_kernels/graph_call.h"
#include "lib/ops/op_call/op_task.h"
#include "lib/ops/op_call/run_on_host.h"
#include "lib/ops/op_call/run_resources.h"
#include "test/support/order_checker/order_checker.h"
#include "test/unit/sim/gate.h"
#include "test/unit/sim/unlike_host.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/location.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::sim {
namespace {

using testing::ElementsAre;
using Values = std::vector<RCReference<AsyncValue>>;

TensorMetadata Same(const TensorMetadata& x) { return x; }
StatusOr<DenseHostTensor> Copy(const DenseHostTensor& x, const TensorMetadata& result,
                               OpCall& call) {
  if (*static_cast<const float*>(x.data()) < 0) return InternalError("negative");
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor made, call.Allocate(result));
  TFRT_RETURN_IF_ERROR(x.CopyTo(made));
  return made;
}

class DeviceOpsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(RegisterSimDevices(
                    host_, {.num_devices = 2, .memory_bytes = 1 << 20, .observer = &checker_},
                    std::make_unique<UnlikeHostRunner>(
                        &counts_, std::vector<std::string_view>{"test.HostOnly", "test.Copied",
                                                                "test.Effect"}))
                    .ok());
    sim_ = *OpPlace::On(&host_, *host_.device_manager().GetOrCreateDevice("sim:0"));
    cpu_ = *OpPlace::On(&host_, host_.GetHostDevice());
  }
  void TearDown() override {
    host_.Quiesce();
    for (const OrderReport& report : checker_.TakeReports()) ADD_FAILURE() << report.ToString();
  }

  AsyncValueRef<Tensor> Floats(std::vector<float> values) {
    auto tensor = DenseHostTensor::CreateUninitialized(
        {DType::kF32, {static_cast<int64_t>(values.size())}}, host_.allocator());
    std::ranges::copy(values, static_cast<float*>(*tensor->MutableData()));
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor));
  }
  TensorHandle On(const OpPlace& place, AsyncValueRef<Tensor> tensor) {
    TensorHandle handle = TensorHandle(cpu_.device, std::move(tensor))
                              .TransferToInferredType(exec_ctx_, place.device);
    AsyncValue* value = handle.async_tensor();
    host_.Await({&value, 1});
    return handle;
  }
  // The elements of a value that lies on sim:0; none, and a failure, for an error.
  std::vector<float> Read(RCReference<AsyncValue> value) {
    AsyncValue* awaited = value.get();
    host_.Await({&awaited, 1});
    if (value->IsError()) {
      ADD_FAILURE() << value->GetError().message();
      return {};
    }
    EXPECT_EQ(value->get<Tensor>().tensor_type(), kDenseSimTensorType);
    TensorHandle back = TensorHandle(sim_.device, AsyncValueRef<Tensor>(std::move(value)))
                            .TransferToInferredType(exec_ctx_, cpu_.device);
    awaited = back.async_tensor();
    host_.Await({&awaited, 1});
    const auto& dense = static_cast<const DenseHostTensor&>(*back.tensor());
    auto* data = static_cast<const float*>(dense.data());
    return {data, data + dense.num_elements()};
  }
  std::string ErrorOf(const RCReference<AsyncValue>& value) {
    AsyncValue* awaited = value.get();
    host_.Await({&awaited, 1});
    return value->IsError() ? std::string(value->GetError().message()) : "(no error)";
  }
  RCReference<AsyncValue> CallGraph(const OpDefinition& op, const OpPlace& place,
                                    AsyncValueRef<Tensor> argument, CallSites* sites = nullptr) {
    Values results(1);
    PlacedGraphCall call{
        .op = op, .place = place, .exec_ctx = exec_ctx_, .sites = sites, .key = &op};
    call.arguments.push_back(std::move(argument).ReleaseRCRef());
    RunPlacedGraphCall(std::move(call), /*attrs=*/{}, results);
    return std::move(results[0]);
  }

  OrderChecker checker_;
  UnlikeHostCounts counts_;
  HostContext host_{[](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                    CreateMultiThreadedWorkQueue(2, 2)};
  ExecutionContext exec_ctx_{RequestContextBuilder(&host_, nullptr).Build()};
  OpPlace sim_, cpu_;
  const OpDefinition device_only_ = UnlikeHostRunner::DeviceOnly();
  const OpDefinition host_only_ = CustomOp{.name = "test.HostOnly",
                                           .arguments = {{"x"}},
                                           .results = {"y"},
                                           .metadata = TFRT_OP_METADATA(Same),
                                           .function = TFRT_OP(Copy)};
  const OpDefinition copied_ = CustomOp{.name = "test.Copied",
                                        .arguments = {{"x"}},
                                        .results = {"y"},
                                        .metadata = TFRT_OP_METADATA(Same),
                                        .function = TFRT_OP(Copy),
                                        .composite = &RunOnHost};
};

TEST_F(DeviceOpsTest, HandlersPassOnWhatTheirDeviceDoesNotHave) {
  OpRegistry ops;
  ops.Add(device_only_);
  ops.Add(host_only_);
  CoreRuntime& runtime = CoreRuntime::Of(&host_);
  OpHandler* null = runtime.TakeOpHandler(CreateNullOpHandler());
  OpHandler* cpu = runtime.TakeOpHandler(CreateCpuOpHandler(&host_, ops, cpu_.device, null));
  OpHandler* sim = runtime.TakeOpHandler(*CreateDeviceOpHandler(&host_, ops, sim_.device, cpu));
  auto run = [&](OpHandler* handler, std::string_view op) {
    std::vector<TensorHandle> arguments = {TensorHandle(cpu_.device, Floats({1, 2}))}, results(1);
    runtime.Execute(
        op, handler,
        {.exec_ctx = exec_ctx_, .arguments = arguments, .attrs = {}, .results = results});
    AsyncValue* value = results[0].async_tensor();
    host_.Await({&value, 1});
    return results[0];
  };
  EXPECT_EQ(run(sim, "test.DeviceOnly").AvailableDevice(), sim_.device);
  EXPECT_EQ(run(sim, "test.HostOnly").AvailableDevice(), cpu_.device);
  EXPECT_EQ(run(cpu, "test.DeviceOnly").tensor().GetError().message(),
            "test.DeviceOnly was not supported by NullOpHandler.");
}

TEST_F(DeviceOpsTest, CallsOfAGraphArePreparedOnceAtTheirPlace) {
  CallSites sites(4);
  AsyncValueRef<Tensor> x = On(sim_, Floats({1, 2})).tensor().CopyRef();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Read(CallGraph(device_only_, sim_, x.CopyRef(), &sites)), ElementsAre(2, 4));
  }
  // At another size, too, and with an argument that lies elsewhere.
  EXPECT_THAT(Read(CallGraph(device_only_, sim_, Floats({3}), &sites)), ElementsAre(6));
  EXPECT_EQ(counts_.prepared, 1);
  EXPECT_EQ(counts_.ran_prepared, 4);
  // Where nothing is remembered nothing is prepared.
  EXPECT_THAT(Read(CallGraph(device_only_, sim_, x.CopyRef())), ElementsAre(2, 4));
  EXPECT_EQ(counts_.prepared, 1);
  EXPECT_EQ(counts_.ran, 1);
  const int32_t number = 0;
  auto integer = DenseHostTensor::CreateFromBuffer(
      {DType::kI32, {1}}, HostBuffer::CreateFromConstant(&number, sizeof(number)));
  RCReference<AsyncValue> other = CallGraph(
      device_only_, sim_, MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(integer)), &sites);
  EXPECT_EQ(ErrorOf(other), "(no error)");
  EXPECT_EQ(counts_.prepared, 2);
}

TEST_F(DeviceOpsTest, ACallIsPreparedForTheDeviceOfItsRun) {
  RCReference<Device> other = *host_.device_manager().GetOrCreateDevice("sim:1");
  const OpPlace places[] = {sim_, *OpPlace::On(&host_, other)};
  CallSites sites(4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(Read(CallGraph(device_only_, places[i / 2], Floats({1, 2}), &sites)),
                ElementsAre(2, 4));
  }
  EXPECT_EQ(counts_.prepared, 2);
  EXPECT_EQ(counts_.ran_elsewhere, 0);
  // Runs on several threads share the site; one that finds it taken prepares nothing.
  std::vector<std::thread> threads;
  for (const OpPlace& place : places) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        EXPECT_THAT(Read(CallGraph(device_only_, place, Floats({1, 2}), &sites)),
                    ElementsAre(2, 4));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts_.ran_elsewhere, 0);
}

// A device of which it is known whether it is alive, and a runner whose prepared calls use it.
class WatchedDevice final : public Device {
 public:
  WatchedDevice(HostAllocator* allocator, bool* is_alive)
      : Device("watched:0"), allocator_(allocator), is_alive_(*is_alive) {
    is_alive_ = true;
  }
  ~WatchedDevice() override { is_alive_ = false; }
  HostAllocator* allocator() override { return allocator_; }
  std::string_view tensor_type_name() const override { return kDenseHostTensorType.name(); }

 private:
  HostAllocator* const allocator_;
  bool& is_alive_;
};
class WatchedRunner final : public OpRunner {
 public:
  explicit WatchedRunner(const bool* is_alive) : is_alive_(*is_alive) {}
  bool Has(const OpDefinition&) const override { return true; }
  bool Accepts(const OpDefinition&, const Tensor&) const override { return true; }
  OpOutcome Run(const OpRun& run) const override {
    run.results[0] = FormRef(run.arguments[0]);
    return {};
  }
  std::unique_ptr<const PreparedOp> Prepare(const OpDefinition&, Device&, const OpAttrsRef&,
                                            std::span<const DType>) const override {
    return std::make_unique<Prepared>(*this);
  }

 private:
  class Prepared final : public PreparedOp {
   public:
    explicit Prepared(const WatchedRunner& runner) : runner_(runner) {}
    ~Prepared() override { EXPECT_TRUE(runner_.is_alive_); }
    OpOutcome Run(const OpRun& run) const override { return runner_.Run(run); }

   private:
    const WatchedRunner& runner_;
  };

  const bool& is_alive_;
};

TEST_F(DeviceOpsTest, APreparedCallKeepsItsDevice) {
  bool is_alive = false;
  const WatchedRunner runner(&is_alive);
  auto call = [&](CallSites* sites) {
    const OpPlace place{TakeRef<Device>(new WatchedDevice(cpu_.allocator, &is_alive)),
                        cpu_.allocator, &runner};
    EXPECT_EQ(ErrorOf(CallGraph(device_only_, place, Floats({1}), sites)), "(no error)");
  };
  {
    CallSites sites(4);
    call(&sites);
    EXPECT_TRUE(is_alive);
    EXPECT_THAT(Read(CallGraph(device_only_, sim_, Floats({1, 2}), &sites)), ElementsAre(2, 4));
    EXPECT_FALSE(is_alive);
    call(&sites);
  }
  EXPECT_FALSE(is_alive);
}

TEST_F(DeviceOpsTest, AGraphNamesTheDeviceThatDoesNotHaveAnOp) {
  EXPECT_EQ(ErrorOf(CallGraph(device_only_, cpu_, Floats({1}))),
            "test.DeviceOnly: the device cpu:0 does not have the op");
  EXPECT_EQ(ErrorOf(CallGraph(host_only_, sim_, Floats({1}))),
            "test.HostOnly: the device sim:0 does not have the op");
}

TEST_F(DeviceOpsTest, AnOpOfTheHostRunsThereForAnotherDevice) {
  EXPECT_THAT(Read(CallGraph(copied_, sim_, Floats({1, 2}))), ElementsAre(1, 2));
  EXPECT_EQ(ErrorOf(CallGraph(copied_, sim_, Floats({-1}))), "negative");
  EXPECT_EQ(counts_.prepared, 0);
  // Errors are explained once, though they come later.
  Values results(1);
  RCReference<AsyncValue> argument = On(sim_, Floats({-1})).tensor().CopyRCRef();
  AsyncValue* arguments[] = {argument.get()};
  OpOutcome outcome = RunOpOn(
      sim_, {.op = copied_,
             .device = *sim_.device,
             .allocator = sim_.allocator,
             .exec_ctx = exec_ctx_,
             .arguments = arguments,
             .attrs = {},
             .results = results,
             .explain = [](const OpDefinition& op, Location, OpMetadataArguments,
                           const TensorMetadata*, const Status& error) {
               return InternalError(std::string(op.name) + ": " + std::string(error.message()));
             }});
  EXPECT_TRUE(outcome.is_explained);
  EXPECT_EQ(ErrorOf(results[0]), "test.Copied: negative");
}

TEST_F(DeviceOpsTest, LateErrorsOfAGraphHaveTheirPlace) {
  struct Places : LocationHandler {
    DecodedLocation DecodeLocation(uint64_t data) const override {
      return {.file = "step.cc", .line = static_cast<uint32_t>(data), .column = 1, .name = {}};
    }
  } places;
  RequestContextBuilder builder(&host_, nullptr);
  builder.AddData(RunResources{.locate_errors = true});
  ExecutionContext exec_ctx(std::move(builder).Build(), Location(&places, 7));
  for (const OpDefinition* op : {&copied_, &device_only_}) {
    counts_.leaves_unset = true;
    Values results(1);
    CallSites sites(2);
    PlacedGraphCall call{.op = *op,
                         .place = sim_,
                         .exec_ctx = exec_ctx,
                         .sites = &sites,
                         .key = op,
                         .locates_errors = true};
    call.arguments.push_back(On(sim_, Floats({-1})).tensor().CopyRCRef());
    RunPlacedGraphCall(std::move(call), /*attrs=*/{}, results);
    EXPECT_EQ(ErrorOf(results[0]), op == &copied_
                                       ? "step.cc:7:1: negative"
                                       : "step.cc:7:1: test.DeviceOnly: result 0 is not set");
  }
}

TEST_F(DeviceOpsTest, AttributesOfACallWithoutResultsLiveUntilItRan) {
  auto seen = MakeUnconstructedAsyncValueRef<int64_t>();
  CustomOp custom{.name = "test.NoResult",
                  .arguments = {{.name = "x", .host_value = OpArgumentSpec::HostValue::kYes}},
                  .attrs = {{"number", OpAttrSpec::Kind::kI64}}};
  custom.closure = MakeOpClosure([&](const DenseHostTensor&, const OpAttrsRef& attrs) {
    seen.emplace(*attrs.Get<int64_t>("number"));
  });
  const OpDefinition op(std::move(custom));
  RCReference<AsyncValue> on_device = On(sim_, Floats({1})).tensor().CopyRCRef();
  Gate gate;
  gate.Hold(static_cast<SimDevice&>(*sim_.device).accelerator().d2h());
  int64_t number = 7;
  {
    const OpAttr attr{"number", reinterpret_cast<const uint8_t*>(&number),
                      Attribute<int64_t>::kCode};
    PlacedGraphCall call{.op = op, .place = sim_, .exec_ctx = exec_ctx_};
    call.arguments.push_back(std::move(on_device));
    RunPlacedGraphCall(std::move(call), OpAttrsRef(std::span(&attr, 1)), {});
  }
  EXPECT_FALSE(seen.IsAvailable());
  number = 8;  // as the next kernel's attributes may lie there
  gate.Open();
  AsyncValue* value = seen.GetAsyncValue();
  host_.Await({&value, 1});
  EXPECT_EQ(seen.get(), 7);
}

TEST_F(DeviceOpsTest, EffectsOfAnOpOfTheHostEndItsChain) {
  std::atomic<int> effects = 0;
  CustomOp custom{.name = "test.Effect", .arguments = {{"x"}}, .flags = OpFlags::kSideEffects};
  custom.closure = MakeOpClosure([&](const DenseHostTensor&) { ++effects; });
  custom.composite = &RunOnHost;
  const OpDefinition op(std::move(custom));
  AsyncValueRef<Chain> chain = GetReadyChain();
  std::vector<TensorHandle> arguments = {On(sim_, Floats({1}))};
  ExecuteOp(
      op, sim_,
      {.exec_ctx = exec_ctx_, .arguments = arguments, .attrs = {}, .results = {}, .chain = &chain});
  AsyncValue* end = chain.GetAsyncValue();
  host_.Await({&end, 1});
  EXPECT_TRUE(chain.IsConcrete());
  EXPECT_EQ(effects, 1);
}

}  // namespace
}  // namespace tfrt::sim
