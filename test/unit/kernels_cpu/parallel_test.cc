// Large tensors, which are computed in blocks: the same bits with any number of threads, and memory
// that lives until the last block is done.

#include <cstring>
#include <functional>

#include "test/unit/kernels_cpu/cpu_kernel_runner.h"

namespace tfrt {
namespace {

// Numbers without a pattern, between -2 and 2.
std::vector<float> Numbers(int64_t count, uint32_t seed = 1) {
  std::vector<float> numbers(count);
  uint32_t state = seed * 2654435761u + 1;
  for (float& x : numbers) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(static_cast<int32_t>(state >> 8) - (1 << 23)) / (1 << 22);
  }
  return numbers;
}

struct Input {
  TensorShape shape;
  bool is_index = false;  // i32 in [0, 7)
};

struct LargeCase {
  // Of the bytes of the outputs; the same on every CPU and in every build.
  uint64_t checksum;
  const char* kernel;
  std::vector<Input> inputs;
  std::vector<TensorShape> outputs;
  Attributes attributes = {};
};

Values MakeInputs(CpuKernelRunner* runner, const LargeCase& each) {
  Values inputs;
  uint32_t seed = 1;
  for (const Input& input : each.inputs) {
    std::vector<float> numbers = Numbers(input.shape.num_elements(), seed++);
    if (!input.is_index) {
      inputs.push_back(runner->Tensor(input.shape, numbers));
      continue;
    }
    std::vector<int32_t> indices;
    for (float x : numbers) indices.push_back(static_cast<int32_t>((x + 2) * 1.74f));
    inputs.push_back(runner->Tensor(input.shape, indices));
  }
  return inputs;
}

std::vector<LargeCase> LargeCases() {
  const TensorShape matrix{700, 300};
  const TensorShape images{9, 40, 40, 8};
  const TensorShape pooled{9, 20, 20, 8};
  std::vector<LargeCase> cases = {
      {0xbc0f651bfe41344du, "tfrt_cpu.gelu.f32", {{matrix}}, {matrix}, {Bool(false)}},
      {0xe92adf3d39c397a5u, "tfrt_cpu.exp.f32", {{matrix}}, {matrix}},
      {0xa13e86be85a52685u, "tfrt_cpu.add.f32", {{matrix}, {matrix}}, {matrix}},
      {0x299e555400e54e1du, "tfrt_cpu.mul.f32", {{matrix}, {{300}}}, {matrix}},
      {0x7047d2cbd8db8f21u, "tfrt_cpu.sub.f32", {{{9, 1, 40, 8}}, {{40, 1, 1}}}, {images}},
      {0x2dfca1a16ce5816u, "tfrt_cpu.softmax.f32", {{matrix}}, {matrix}},
      {0x272b78cf1a7d8f11u, "tfrt_cpu.log_softmax.f32", {{matrix}}, {matrix}},
      {0xc6ac10abde29dcf0u,
       "tfrt_cpu.layer_norm.f32",
       {{matrix}, {{300}}, {{300}}},
       {matrix},
       {F32(1e-5f)}},
      {0x64b4dfe76246b32fu,
       "tfrt_cpu.batch_norm.f32",
       {{images}, {{8}}, {{8}}, {{8}}, {{8}}},
       {images},
       {F32(3.0f)}},
      {0x69544f070ae156dbu,
       "tfrt_cpu.reduce_sum.f32",
       {{matrix}},
       {{300}},
       {I64s({0}), Bool(false)}},
      {0x897da633a3e84505u,
       "tfrt_cpu.reduce_mean.f32",
       {{matrix}},
       {{700}},
       {I64s({1}), Bool(false)}},
      {0xe947c503c9d755bdu,
       "tfrt_cpu.reduce_max.f32",
       {{images}},
       {{40, 8}},
       {I64s({0, 1}), Bool(false)}},
      {0x94cec72d8346fd91u,
       "tfrt_cpu.reduce_sum.f32",
       {{{4, 3, 50000}}},
       {{4, 50000}},
       {I64s({1}), Bool(false)}},
      {0x9111064348918c6eu, "tfrt_cpu.transpose.f32", {{matrix}}, {{300, 700}}, {I64s({1, 0})}},
      {0xbf550283e9235562u,
       "tfrt_cpu.transpose.f32",
       {{images}},
       {{9, 8, 40, 40}},
       {I64s({0, 3, 1, 2})}},
      {0xd7bac05ddf5228fcu,
       "tfrt_cpu.gather.f32",
       {{{7, 900}}, {{200}, true}},
       {{200, 900}},
       {I64(0)}},
      {0x13b3dca65a7a0752u,
       "tfrt_cpu.pad.f32",
       {{matrix}},
       {{702, 303}},
       {I64s({1, 1, 2, 1}), F32(0.5f)}},
      {0x9270690eb73ef8a5u, "tfrt_cpu.one_hot.f32", {{{30000}, true}}, {{30000, 7}}},
      {0x650062d3a584da15u, "tfrt_cpu.argmax.f32", {{matrix}}, {}, {I64(1)}},
      {0xa9b63c38e3367c19u,
       "tfrt_cpu.max_pool2d.f32",
       {{images}},
       {pooled},
       {I64s({2, 2}), Text("valid"), I64s({2, 2})}},
      {0x5ae35acd62412cb0u,
       "tfrt_cpu.avg_pool2d.f32",
       {{images}},
       {pooled},
       {I64s({3, 3}), Text("same"), I64s({2, 2})}},
      {0xb60bd1f82b399f3au, "tfrt_cpu.global_average_pool.f32", {{images}}, {{9, 8}}},
      {0x6fd90ec02e189902u,
       "tfrt_cpu.softmax_cross_entropy.f32",
       {{{9000, 7}}, {{9000}, true}},
       {{9000}}},
      {0x589b6a4f38f55757u,
       "tfrt_cpu.softmax_cross_entropy_grad.f32",
       {{{9000, 7}}, {{9000}, true}, {{9000}}},
       {{9000, 7}}},
      {0x385342402ced1541u, "tfrt_cpu.sgd_update.f32", {{matrix}, {{1}}}, {matrix}},
      {0xa9b63c38e3367c19u,
       "eigen.max_pooling_2d.f32",
       {{images}},
       {pooled},
       {Text("valid"), I64s({2, 2}), I64s({2, 2})}},
      {0x5e1ae50a3f047edeu,
       "eigen.conv2d.grad.filter.f32",
       {{{9, 40, 40, 6}}, {images}},
       {{3, 3, 8, 6}},
       {Text("same"), I64s({1, 1})}},
      {0xc5902776d53dc560u,
       "eigen.conv2d.grad.input.f32",
       {{{9, 40, 40, 6}}, {{3, 3, 8, 6}}},
       {images},
       {Text("same"), I64s({1, 1})}},
  };
  return cases;
}

// The bytes of the outputs.
std::string Compute(CpuKernelRunner* runner, const LargeCase& each) {
  Values arguments = MakeInputs(runner, each);
  Values outputs;
  for (const TensorShape& shape : each.outputs) {
    outputs.push_back(runner->Tensor(shape, Numbers(shape.num_elements(), 99)));
  }
  if (outputs.empty()) outputs.push_back(runner->Ints({each.inputs[0].shape.dim(0)}));
  for (const auto& output : outputs) arguments.push_back(output);
  arguments.push_back(ChainValue());
  Values results = runner->Run(each.kernel, arguments, each.attributes);
  if (results.empty() || results[0]->IsError()) {
    ADD_FAILURE() << each.kernel << ": " << results[0]->GetError().message();
    return "";
  }
  std::string bytes;
  for (const auto& output : outputs) {
    const auto& tensor = output->get<DenseHostTensor>();
    bytes.append(static_cast<const char*>(tensor.data()), tensor.size_bytes());
  }
  return bytes;
}

TEST(CpuKernelsParallelTest, ThreadsDoNotChangeABit) {
  CpuKernelRunner one("s"), two("mstd:2"), four("mstd:4");
  for (const LargeCase& each : LargeCases()) {
    SCOPED_TRACE(each.kernel);
    std::string bytes = Compute(&one, each);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(Compute(&two, each) == bytes);
      EXPECT_TRUE(Compute(&four, each) == bytes);
    }
  }
}

// FNV-1a, of 64 bits.
uint64_t Checksum(const std::string& bytes) {
  uint64_t hash = 14695981039346656037u;
  for (char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return hash;
}

TEST(CpuKernelsParallelTest, EveryCpuComputesTheSameBits) {
  CpuKernelRunner runner("s");
  for (const LargeCase& each : LargeCases()) {
    EXPECT_EQ(Checksum(Compute(&runner, each)), each.checksum) << each.kernel;
  }
}

TEST(CpuKernelsParallelTest, ConcatCopiesInBlocks) {
  CpuKernelRunner one("s"), four("mstd:4");
  auto run = [](CpuKernelRunner* runner) {
    Values arguments = {runner->Floats({500, 310}), ChainValue(),
                        runner->Tensor<float>({500, 300}, Numbers(150000)),
                        runner->Tensor<float>({500, 10}, Numbers(5000, 2))};
    runner->Run("tfrt_cpu.concat.f32", arguments, {I64(1)});
    return Elements<float>(arguments[0]);
  };
  std::vector<float> elements = run(&one);
  EXPECT_EQ(elements, run(&four));
  EXPECT_EQ(elements[310], Numbers(150000)[300]);
  EXPECT_EQ(elements[300], Numbers(5000, 2)[0]);
}

// The caller lets go of the operands before the blocks have run: the kernel keeps their memory.
TEST(CpuKernelsParallelTest, OperandsLiveUntilTheLastBlockIsDone) {
  auto queue = CreateWorkQueue("mstd:2");
  ASSERT_TRUE(queue.ok());
  HostContext host([](const DecodedDiagnostic&) {}, CreateMallocAllocator(), *std::move(queue));
  RegisterCpuKernels(&host.kernel_registry());
  ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
  const KernelEntry* kernel = host.kernel_registry().FindKernel("tfrt_cpu.tanh.f32");
  ASSERT_NE(kernel, nullptr);
  for (int i = 0; i < 50; ++i) {
    auto make = [&] {
      auto tensor = DenseHostTensor::CreateUninitialized({DType::kF32, {200000}}, host.allocator());
      auto view = MutableDenseView<float>::Create(*tensor, "it");
      std::fill_n(view->data(), view->size(), 0.5f);
      return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
    };
    RCReference<AsyncValue> in = make(), out = make(), chain = ChainValue();
    RCReference<HostBuffer> result_buffer = out->get<DenseHostTensor>().buffer();
    AsyncValue* registers[] = {in.get(), out.get(), chain.get()};
    uint32_t indices[] = {0, 1, 2};
    AsyncValue* result = nullptr;
    KernelCallSite site;
    site.arguments = indices;
    site.num_arguments = 3;
    site.num_results = 1;
    AsyncKernelFrame::Tables tables;
    internal::BorrowedContext kernel_ctx(exec_ctx);
    AsyncKernelFrame::Parts parts;
    parts.site = &site;
    parts.registers = registers;
    parts.results = &result;
    parts.exec_ctx = &kernel_ctx;
    parts.tables = &tables;
    AsyncKernelFrame frame(parts);
    kernel->async_function(&frame);
    in.reset();
    out.reset();
    auto done = TakeRef(result);
    host.Await({&result, 1});
    EXPECT_TRUE(result_buffer->IsExclusiveDataOwner());
    EXPECT_FLOAT_EQ(static_cast<const float*>(result_buffer->data())[199999], std::tanh(0.5f));
  }
  host.Quiesce();
}

}  // namespace
}  // namespace tfrt
