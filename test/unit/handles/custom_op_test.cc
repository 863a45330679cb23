// The example of docs/compatibility.md: an op of one's own, and a handler in front of the host's.

#include "eager_test.h"
#include "lib/ops/host_ops/cpu_ops.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

TensorMetadata LikeIts(const TensorMetadata& in) { return in; }

StatusOr<TensorMetadata> AddMetadata(const TensorMetadata& a, const TensorMetadata& b) {
  if (a != b) return InvalidArgumentError("the arguments of my.Add must be alike");
  if (a.dtype != DType::kF32) return InvalidArgumentError("my.Add adds numbers of type f32");
  return a;
}

StatusOr<DenseHostTensor> Add(const DenseHostTensor& a, const DenseHostTensor& b,
                              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {0, 1}));
  TFRT_ASSIGN_OR_RETURN(void* data, out.MutableData());
  auto* sum = static_cast<float*>(data);
  auto* x = static_cast<const float*>(a.data());
  auto* y = static_cast<const float*>(b.data());
  for (int64_t i = 0; i < out.num_elements(); ++i) sum[i] = x[i] + y[i];
  return out;
}

void RegisterMyOps(OpRegistry* registry) {
  registry->Add({.name = "my.Add",
                 .summary = "The sum of two tensors.",
                 .arguments = {{"a"}, {"b"}},
                 .results = {"sum"},
                 .metadata = TFRT_OP_METADATA(AddMetadata),
                 .function = TFRT_OP(Add)});
}

class CustomOpTest : public EagerTest {};

TEST_F(CustomOpTest, Example) {
  OpRegistry my_ops;
  RegisterMyOps(&my_ops);
  CoreRuntime& runtime = CoreRuntime::Of(host());
  OpHandler* null = runtime.TakeOpHandler(CreateNullOpHandler());
  OpHandler* cpu_handler = runtime.TakeOpHandler(CreateCpuOpHandler(
      host(), host()->GetOrCreateSharedContext<CpuOps>().ops(), runtime.host_device(), null));
  OpHandler* handler =
      runtime.TakeOpHandler(CreateCpuOpHandler(host(), my_ops, runtime.host_device(), cpu_handler));
  runtime.RegisterOpHandler("mine", handler);

  ExecutionContext context = exec_ctx();
  auto call = [&](std::string_view op, std::vector<TensorHandle> arguments) {
    TensorHandle result;
    runtime.Execute(
        op, *runtime.GetOpHandler("mine"),
        {.exec_ctx = context, .arguments = arguments, .attrs = {}, .results = {&result, 1}});
    return result;
  };
  TensorHandle sum = call("my.Add", {Handle({1, -5}), Handle({2, 3})});
  EXPECT_THAT(ValuesOf(sum), ElementsAre(3, -2));
  EXPECT_THAT(ValuesOf(call("tf.Relu", {sum})), ElementsAre(3, 0));
  EXPECT_EQ(ErrorOf(call("my.Add", {Handle({1}), Handle({2, 3})})),
            "the arguments of my.Add must be alike");
}

// Two ops of one function with different captures.
TEST_F(CustomOpTest, Closures) {
  auto alive = std::make_shared<int>(0);
  std::weak_ptr<int> watch = alive;
  {
    auto scaled_by = [&](float factor) -> OpDefinition {
      return CustomOp{.name = "my.Scale",
                      .arguments = {{"x"}},
                      .results = {"y"},
                      .metadata = TFRT_OP_METADATA(LikeIts),
                      .closure = MakeOpClosure(
                          [factor, alive](const DenseHostTensor& x, const TensorMetadata& result,
                                          OpCall& call) -> StatusOr<DenseHostTensor> {
                            TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
                            TFRT_ASSIGN_OR_RETURN(void* to, out.MutableData());
                            auto* from = static_cast<const float*>(x.data());
                            for (int64_t i = 0; i < out.num_elements(); ++i) {
                              static_cast<float*>(to)[i] = factor * from[i];
                            }
                            return out;
                          })};
    };
    const OpDefinition twice = scaled_by(2), thrice = scaled_by(3);
    EXPECT_THAT(ValuesOf(Run(twice, {Handle({1, 2})}, 1)[0]), ElementsAre(2, 4));
    EXPECT_THAT(ValuesOf(Run(thrice, {Handle({1, 2})}, 1)[0]), ElementsAre(3, 6));
    // A copy shares what is captured.
    OpRegistry registry;
    registry.Add(twice);
    EXPECT_THAT(ValuesOf(Run(*registry.Find("my.Scale"), {Handle({1, 2})}, 1)[0]),
                ElementsAre(2, 4));
    alive.reset();
    EXPECT_FALSE(watch.expired());
  }
  EXPECT_TRUE(watch.expired());
}

TEST_F(CustomOpTest, HasADescriptionOfItsOwn) {
  OpRegistry my_ops;
  RegisterMyOps(&my_ops);
  const OpDefinition& op = *my_ops.Find("my.Add");
  EXPECT_EQ(op.description->name, "my.Add");
  EXPECT_EQ(op.description->summary, "The sum of two tensors.");
  ASSERT_EQ(op.description->arguments.size(), 2u);
  EXPECT_EQ(op.description->arguments[1].name, "b");
  EXPECT_EQ(op.description->results.size(), 1u);
}

TEST_F(CustomOpTest, AnImplementationOfARowHasTheRowsSignature) {
  OpRegistry my_ops;
  my_ops.Implement("tf.Cast", {.function = [](OpCall&) noexcept {}});
  const OpDefinition& op = *my_ops.Find("tf.Cast");
  EXPECT_EQ(op.description, FindOpDescription("cast"));
  EXPECT_EQ(op.arguments[0].name, "x");
  // As the spelling names it.
  ASSERT_EQ(op.attrs.size(), 1u);
  EXPECT_EQ(op.attrs[0].name, "DstT");
  EXPECT_EQ(op.description->attrs[0].name, "dtype");
}

}  // namespace
}  // namespace tfrt
