// What programs in text cannot reach: values that come later, damaged attributes, shared memory,
// and functions of other types; test/lit/corert has the rest.

#include "tfrt/core_runtime/core_runtime_kernels.h"

#include <gmock/gmock.h>

#include "eager_test.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "test/unit/kernels/kernel_runner.h"
#include "tfrt/host_context/enqueue.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kChain = "!tfrt.chain";
constexpr std::string_view kHandle = "!corert.tensorhandle";

// The array [["key", value], ...] as a file has it. `value` is 4 bytes or more and is aligned by 4.
struct Pair {
  std::string key;
  AttributeCode code;
  Bytes value;
};
Bytes Padded(Bytes bytes) {
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}
void Put(Bytes* out, uint32_t value) {
  Bytes bytes = ScalarBytes(value);
  out->insert(out->end(), bytes.begin(), bytes.end());
}
// Elements with their codes in the byte before them.
Bytes Aggregate(const std::vector<std::pair<AttributeCode, Bytes>>& elements) {
  if (elements.empty()) return ScalarBytes<uint32_t>(0);
  uint32_t header = 12 + 4 * static_cast<uint32_t>(elements.size());
  Bytes body;
  std::vector<uint32_t> offsets;
  for (const auto& [code, bytes] : elements) {
    body.insert(body.end(), {0, 0, 0, code});
    offsets.push_back(header + static_cast<uint32_t>(body.size()));
    Bytes padded = Padded(bytes);
    body.insert(body.end(), padded.begin(), padded.end());
  }
  Bytes result = {4, 0, static_cast<uint8_t>(header), static_cast<uint8_t>(header >> 8)};
  Put(&result, header + static_cast<uint32_t>(body.size()));
  Put(&result, static_cast<uint32_t>(elements.size()));
  for (uint32_t offset : offsets) Put(&result, offset);
  result.insert(result.end(), body.begin(), body.end());
  return result;
}
Bytes Pairs(const std::vector<Pair>& pairs) {
  std::vector<std::pair<AttributeCode, Bytes>> elements;
  for (const Pair& pair : pairs) {
    elements.push_back(
        {AggregateAttribute::kCode,
         Aggregate({{StringAttribute::kCode, StringBytes(pair.key)}, {pair.code, pair.value}})});
  }
  return Aggregate(elements);
}
const Bytes kNone = Pairs({});

// Ops of the tests: "test.Later" gives its argument back when `release` is called.
std::vector<RCReference<IndirectAsyncValue>>* released_later = nullptr;
void LaterOp(OpCall& call) noexcept {
  auto result = MakeIndirectAsyncValue();
  released_later->push_back(result);
  call.SetResult(0, result);
}
TensorMetadata SameMetadata(const TensorMetadata& in) { return in; }
void AttrsOp(OpCall& call) noexcept {
  call.ReportError(InternalError(call.attrs().ToString()));  // tells what it got
}
void AddressOp(OpCall& call) noexcept {
  call.ReportError(InternalError(call.IsReusable(0) ? "reusable" : "not reusable"));
}

class CoreRuntimeKernelsTest : public testing::Test {
 protected:
  CoreRuntimeKernelsTest() : CoreRuntimeKernelsTest("s") {}
  explicit CoreRuntimeKernelsTest(const std::string& queue) : runner_(queue) {
    released_later = &later_;
    RegisterCoreRuntimeKernels(&runner_.host().kernel_registry());
    EXPECT_TRUE(runner_.host().kernel_registry().first_error().ok());
    ops_.Add(
        {.name = "test.Later", .metadata = TFRT_OP_METADATA(SameMetadata), .function = LaterOp});
    ops_.Add({.name = "test.Attrs", .function = AttrsOp});
    ops_.Add({.name = "test.Address", .function = AddressOp});
    CoreRuntime& runtime = CoreRuntime::Of(&runner_.host());
    OpHandler* null = runtime.TakeOpHandler(CreateNullOpHandler());
    handler_ = runtime.TakeOpHandler(
        CreateCpuOpHandler(&runner_.host(), ops_, runtime.host_device(), null));
  }
  ~CoreRuntimeKernelsTest() override { released_later = nullptr; }

  RCReference<AsyncValue> HandlerValue() { return MakeValue<OpHandler*>(handler_); }
  AsyncValueRef<Tensor> Tensor1(DType dtype, const void* element) {
    auto tensor = DenseHostTensor::CreateUninitialized({dtype, {1}}, runner_.host().allocator());
    std::memcpy(*tensor->MutableData(), element, DTypeSize(dtype));
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor));
  }
  AsyncValueRef<Tensor> Float(float value) { return Tensor1(DType::kF32, &value); }
  TensorHandle Handle(AsyncValueRef<Tensor> tensor) {
    return TensorHandle(CoreRuntime::Of(&runner_.host()).host_device(), std::move(tensor));
  }
  RCReference<AsyncValue> FloatHandle(float value) { return MakeValue(Handle(Float(value))); }
  RCReference<AsyncValue> IntHandle(int32_t value) {
    return MakeValue(Handle(Tensor1(DType::kI32, &value)));
  }
  static float ValueOf(const RCReference<AsyncValue>& value) {
    if (!value->IsConcrete()) {
      ADD_FAILURE() << "no handle";
      return -1;
    }
    auto& tensor = static_cast<DenseHostTensor&>(*value->get<TensorHandle>().tensor());
    return *static_cast<const float*>(tensor.data());
  }
  KernelCall OpCallOf(std::string_view op, Values arguments, Bytes op_attrs = kNone,
                      Bytes op_func_attrs = kNone) {
    arguments.insert(arguments.begin(), HandlerValue());
    return {.arguments = std::move(arguments),
            .attributes = {std::move(op_attrs), std::move(op_func_attrs), StringBytes(op)}};
  }

  KernelRunner runner_;
  OpRegistry ops_;
  OpHandler* handler_;
  std::vector<RCReference<IndirectAsyncValue>> later_;
};

TEST_F(CoreRuntimeKernelsTest, ResultsResolveWithTheirTensors) {
  Values results = runner_.Start("corert.executeop", OpCallOf("test.Later", {FloatHandle(1)}));
  EXPECT_FALSE(results[0]->IsAvailable());
  later_[0]->ForwardTo(Float(5).ReleaseRCRef());
  EXPECT_EQ(ValueOf(results[0]), 5);

  results = runner_.Start("corert.executeop", OpCallOf("test.Later", {FloatHandle(1)}));
  later_[1]->ForwardTo(MakeErrorAsyncValue(InternalError("never")));
  ASSERT_TRUE(results[0]->IsError());
  EXPECT_EQ(results[0]->GetError().message(), "never");
}

TEST_F(CoreRuntimeKernelsTest, AHandleMayComeBeforeItsTensor) {
  // From a host program: values of graphs resolve with their tensors.
  RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
  auto pending = MakeValue(Handle(AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor))));
  auto number = runner_.Start("corert.tensorhandle_to_int32", {.arguments = {pending}});
  auto shape = runner_.Start("corert.tensorhandle_to_shape", {.arguments = {pending}});
  EXPECT_FALSE(number[0]->IsAvailable());
  EXPECT_EQ(runner_.Output("corert.print_tensorhandle", {.arguments = {pending}}),
            "fully future TensorHandle with unresolved metadata\n");
  TestFunction yes("yes", {kChain}, {kChain, "i32"},
                   [](auto&, auto arguments) { return Values{FormRef(arguments[0]), I32(1)}; });
  TestFunction no("no", {kChain}, {kChain, "i32"},
                  [](auto&, auto arguments) { return Values{FormRef(arguments[0]), I32(0)}; });
  auto cond = runner_.Start(
      "corert.cond",
      {.arguments = {pending, ReadyChain()}, .num_results = 2, .functions = {&yes, &no}});
  EXPECT_FALSE(cond[1]->IsAvailable());
  int32_t value = 3;
  tensor->ForwardTo(Tensor1(DType::kI32, &value).ReleaseRCRef());
  EXPECT_EQ(number[0]->get<int32_t>(), 3);
  EXPECT_EQ(shape[0]->get<TensorShape>(), TensorShape{1});
  EXPECT_EQ(cond[1]->get<int32_t>(), 1);

  tensor = MakeIndirectAsyncValue();
  pending = MakeValue(Handle(AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor))));
  cond = runner_.Start(
      "corert.cond",
      {.arguments = {pending, ReadyChain()}, .num_results = 2, .functions = {&yes, &no}});
  tensor->ForwardTo(MakeErrorAsyncValue(InternalError("no predicate")));
  EXPECT_EQ(cond[0]->GetError().message(), "no predicate");
  EXPECT_EQ(cond[1]->GetError().message(), "no predicate");
}

TEST_F(CoreRuntimeKernelsTest, UniqueArgumentsGiveUpTheirTensors) {
  auto call = [&](RCReference<AsyncValue> handle) {
    KernelCall call = OpCallOf("test.Address", {});
    call.arguments.push_back(std::move(handle));
    return runner_.Error("corert.executeop", call);
  };
  EXPECT_EQ(call(FloatHandle(1)), "reusable");
  RCReference<AsyncValue> shared = FloatHandle(1);
  EXPECT_EQ(call(shared), "not reusable");
  EXPECT_EQ(ValueOf(shared), 1);
  // The handle is not shared, but its tensor is.
  AsyncValueRef<Tensor> tensor = Float(1);
  EXPECT_EQ(call(MakeValue(Handle(tensor.CopyRef()))), "not reusable");
}

TEST_F(CoreRuntimeKernelsTest, OpAttributesAreRead) {
  EXPECT_EQ(runner_.Error("corert.executeop",
                          OpCallOf("test.Attrs", {},
                                   Pairs({{"b", Attribute<int32_t>::kCode, ScalarBytes(7)},
                                          {"a", StringAttribute::kCode, StringBytes("xy")}}),
                                   Pairs({{"f", StringAttribute::kCode, StringBytes("g")}}))),
            "OpAttrs contains 3 entries:\n"
            "  'a' type=CHAR value=[x, y]\n"
            "  'b' type=I32 value=7\n"
            "  'f' type=FUNC value=[FUNC function_name: g]\n\n");
}

TEST_F(CoreRuntimeKernelsTest, DamagedOpAttributes) {
  auto error = [&](Bytes op_attrs, Bytes op_func_attrs) {
    return runner_.Error("corert.executeop",
                         OpCallOf("test.Attrs", {}, std::move(op_attrs), std::move(op_func_attrs)));
  };
  auto pair_error = [](std::string_view noun, int number) {
    return "each " + std::string(noun) +
           " should be a key-value pair, where the key is a string, but number " +
           std::to_string(number) + " is not";
  };
  constexpr AttributeCode kI32 = Attribute<int32_t>::kCode;
  EXPECT_EQ(error(Aggregate({{StringAttribute::kCode, StringBytes("a")}}), kNone),
            pair_error("op_attr", 0));
  EXPECT_EQ(error(kNone, Aggregate({{kI32, ScalarBytes(1)}})), pair_error("op_func_attr", 0));
  Bytes no_key = Aggregate({{kI32, ScalarBytes(1)}, {kI32, ScalarBytes(1)}});
  EXPECT_EQ(error(Aggregate({{AggregateAttribute::kCode, no_key}}), kNone),
            pair_error("op_attr", 0));
  Bytes no_value = Aggregate({{StringAttribute::kCode, StringBytes("a")}});
  EXPECT_EQ(error(Aggregate({{AggregateAttribute::kCode, no_value}}), kNone),
            pair_error("op_attr", 0));
  EXPECT_EQ(error(Pairs({{"m", CompilationUnitAttribute::kCode, ScalarBytes(0)}}), kNone),
            "the op attribute 'm' refers to a compiled module");
  EXPECT_EQ(error(Pairs({{"x", kI32, ScalarBytes(1)}, {"x", kI32, ScalarBytes(1)}}), kNone),
            "the op attribute 'x' is given twice");
  EXPECT_EQ(error(kNone, Pairs({{"f", kI32, ScalarBytes(1)}})),
            "the function attribute 'f' is not the name of a function");
}

TEST_F(CoreRuntimeKernelsTest, StringTensorsOfNumbers) {
  Bytes values = Aggregate({{Attribute<int32_t>::kCode, ScalarBytes(1)}});
  EXPECT_EQ(runner_.Error("corert.const_string_tensor",
                          {.attributes = {ArrayBytes<int64_t>({}), values}}),
            "value 0 of the string tensor is no string");
}

TEST_F(CoreRuntimeKernelsTest, OpsThatSetNoResult) {
  CoreRuntimeOp op =
      CoreRuntime::Of(&runner_.host()).MakeNativeCompositeOp([](const OpInvocation&) {});
  EXPECT_EQ(runner_.Error("corert.execute_crt_op",
                          {.arguments = {MakeValue(op)}, .attributes = {kNone, kNone}}),
            "an op has not set its result");
}

TEST_F(CoreRuntimeKernelsTest, HandlersAreMadeOnce) {
  auto null = runner_.Get<OpHandler*>("corert.create_null_op_handler", {});
  EXPECT_EQ(runner_.Get<OpHandler*>("corert.create_null_op_handler", {}), null);
  KernelCall with_null = {.arguments = {MakeValue(null)}};
  auto cpu = runner_.Get<OpHandler*>("corert.create_cpu_op_handler", with_null);
  EXPECT_EQ(runner_.Get<OpHandler*>("corert.create_cpu_op_handler", with_null), cpu);
  EXPECT_NE(
      runner_.Get<OpHandler*>("corert.create_cpu_op_handler", {.arguments = {MakeValue(cpu)}}),
      cpu);
}

// --- corert.while ---

class WhileTest : public CoreRuntimeKernelsTest {
 protected:
  KernelCall Loop(const Function* cond, const Function* body, Values arguments) {
    size_t num_results = arguments.size();
    return {
        .arguments = std::move(arguments), .num_results = num_results, .functions = {cond, body}};
  }
};

int32_t IntOf(AsyncValue* value) {
  auto& tensor = static_cast<DenseHostTensor&>(*value->get<TensorHandle>().tensor());
  return *static_cast<const int32_t*>(tensor.data());
}

TEST_F(WhileTest, LongLoopsDoNotNest) {
  TestFunction cond("cond", {kChain, kHandle}, {kChain, kHandle}, [](auto&, auto arguments) {
    return Values{FormRef(arguments[0]), FormRef(arguments[1])};
  });
  TestFunction body("body", {kChain, kHandle}, {kChain, kHandle}, [&](auto&, auto arguments) {
    return Values{FormRef(arguments[0]), IntHandle(IntOf(arguments[1]) - 1)};
  });
  // Predicates that come in tasks of their own.
  TestFunction later("later", {kChain, kHandle}, {kChain, kHandle},
                     [&](const ExecutionContext& exec_ctx, auto arguments) {
                       auto result = MakeIndirectAsyncValue();
                       EnqueueWork(exec_ctx, [result, value = FormRef(arguments[1])] {
                         result->ForwardTo(value);
                       });
                       return Values{FormRef(arguments[0]), result};
                     });
  for (const Function* condition : {&cond, &later}) {
    Values results =
        runner_.Run("corert.while", Loop(condition, &body, {ReadyChain(), IntHandle(100000)}));
    EXPECT_TRUE(results[0]->IsConcrete());
    EXPECT_EQ(IntOf(results[1].get()), 0);
  }
}

TEST_F(WhileTest, ErrorsReachTheChainAfterTheLoopValues) {
  auto pending = MakeUnconstructedAsyncValueRef<TensorHandle>();
  TestFunction cond("cond", {kChain, kHandle}, {kChain, kHandle}, [](auto&, auto arguments) {
    return Values{FormRef(arguments[0]), MakeErrorAsyncValue(InternalError("no predicate"))};
  });
  TestFunction body("body", {kChain, kHandle}, {kChain, kHandle},
                    [](auto&, auto) { return Values{}; });
  Values results =
      runner_.Start("corert.while", Loop(&cond, &body, {ReadyChain(), pending.CopyRCRef()}));
  ASSERT_TRUE(results[1]->IsError());
  EXPECT_EQ(results[1]->GetError().message(), "no predicate");
  EXPECT_FALSE(results[0]->IsAvailable());
  pending.emplace(Handle(Float(1)));
  ASSERT_TRUE(results[0]->IsError());
  EXPECT_THAT(runner_.diagnostics(), IsEmpty());
}

TEST_F(WhileTest, ErrorsOfTheConditionsChain) {
  TestFunction cond("cond", {kChain, kHandle}, {kChain, kHandle}, [](auto&, auto arguments) {
    return Values{MakeErrorAsyncValue(InternalError("no chain")), FormRef(arguments[1])};
  });
  TestFunction body("body", {kChain, kHandle}, {kChain, kHandle},
                    [](auto&, auto) { return Values{}; });
  Values results = runner_.Run("corert.while", Loop(&cond, &body, {ReadyChain(), IntHandle(1)}));
  EXPECT_EQ(results[0]->GetError().message(), "no chain");
  EXPECT_EQ(results[1]->GetError().message(), "no chain");
}

TEST_F(WhileTest, Cancellation) {
  TestFunction cond("cond", {kChain, kHandle}, {kChain, kHandle}, [](auto&, auto arguments) {
    return Values{FormRef(arguments[0]), FormRef(arguments[1])};
  });
  TestFunction body("body", {kChain, kHandle}, {kChain, kHandle}, [&](auto&, auto arguments) {
    if (IntOf(arguments[1]) == 5) runner_.request().Cancel();
    return Values{FormRef(arguments[0]), IntHandle(IntOf(arguments[1]) - 1)};
  });
  Values results = runner_.Run("corert.while", Loop(&cond, &body, {ReadyChain(), IntHandle(10)}));
  EXPECT_EQ(results[0]->GetError().message(), "Cancelled");
  EXPECT_EQ(results[1]->GetError().message(), "Cancelled");
}

TEST_F(WhileTest, FunctionsOfOtherTypes) {
  TestFunction good("good", {kChain, kHandle}, {kChain, kHandle}, [](auto&, auto arguments) {
    return Values{FormRef(arguments[0]), FormRef(arguments[1])};
  });
  TestFunction number("number", {kChain, kHandle}, {kChain, "i32"},
                      [](auto&, auto arguments) { return Values{FormRef(arguments[0]), I32(1)}; });
  TestFunction chain("chain", {kChain, kHandle}, {kChain}, [](auto&, auto) { return Values{}; });
  auto error = [&](const Function* cond, const Function* body, Values arguments) {
    return runner_.Error("corert.while", Loop(cond, body, std::move(arguments)));
  };
  EXPECT_EQ(error(&number, &good, {ReadyChain(), IntHandle(1)}),
            "corert.while needs a tensor handle as its predicate, but 'number' returned 'int'");
  EXPECT_EQ(error(&chain, &good, {ReadyChain(), IntHandle(1)}),
            "corert.while needs a condition with 2 arguments that returns a chain and a predicate, "
            "but 'chain' has 2 arguments and 1 results");
  EXPECT_EQ(error(&good, &chain, {ReadyChain(), IntHandle(1)}),
            "corert.while needs a body with 2 arguments and results, but 'chain' has 2 and 1");
  EXPECT_EQ(error(&good, &good, {ReadyChain()}),
            "corert.while needs a body with 1 arguments and results, but 'good' has 2 and 2");
  KernelCall call = Loop(&good, &good, {ReadyChain(), IntHandle(1)});
  call.num_results = 1;
  EXPECT_EQ(runner_.Error("corert.while", call),
            "corert.while takes a chain and returns as many values as it takes, but takes 2 and "
            "returns 1");
}

}  // namespace
}  // namespace tfrt
