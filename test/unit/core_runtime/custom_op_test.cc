// The example of docs/core_runtime.md: an op of one's own, and a handler in front of the host's.

#include "eager_test.h"
#include "tfrt/core_runtime/cpu_ops.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

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

}  // namespace
}  // namespace tfrt
