// lenet_times BEF WEIGHTS IMAGES [--seconds S]: times one inference of LeNet-5 (lenet.mlir), as a
// run of the BEF file, as its kernels called one after the other in a loop, and as eager ops, in
// turns. Prints JSON: medians in nanoseconds, and the logits. IMAGES: [N,8,8] grey levels of
// examples/digits, of which it takes the first.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "kernel_call.h"
#include "paired.h"
#include "tfrt/eager/ops.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::bench {
namespace {

using Value = RCReference<AsyncValue>;
using Ints = std::vector<int64_t>;

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "lenet_times: %s\n", message.c_str());
  std::exit(1);
}

std::vector<char> ReadAll(const std::string& path, size_t at_least) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < at_least) Fail("cannot read " + path);
  return bytes;
}

Value Tensor(HostContext* host, const TensorShape& shape, const float* elements) {
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kF32, shape}, host->allocator());
  auto view = MutableDenseView<float>::Create(*tensor, "it");
  if (elements) {
    std::copy_n(elements, view->size(), view->data());
  } else {
    std::fill_n(view->data(), view->size(), 0.0f);
  }
  return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
}

StatusOr<std::span<const float>> Elements(const DenseHostTensor& tensor) {
  TFRT_ASSIGN_OR_RETURN(auto view, DenseView<float>::Create(tensor, "the logits"));
  return view.elements();
}

// As examples/lenet: each pixel becomes 3x3, with a margin of 2.
std::vector<float> Enlarge(const char* image) {
  std::vector<float> large(28 * 28);
  for (size_t y = 0; y < 24; ++y) {
    for (size_t x = 0; x < 24; ++x) {
      auto grey = static_cast<unsigned char>(image[y / 3 * 8 + x / 3]);
      large[(y + 2) * 28 + x + 2] = static_cast<float>(grey) / 16;
    }
  }
  return large;
}

int Main(int argc, char** argv) {
  if (argc < 4) Fail("usage: lenet_times BEF WEIGHTS IMAGES [--seconds S]");
  double seconds = argc > 5 ? std::atof(argv[5]) : 1;
  HostContext host([](const DecodedDiagnostic& d) { Fail(std::string(d.status.message())); },
                   CreateMallocAllocator(), *CreateWorkQueue("s"));
  RegisterBasicKernels(&host.kernel_registry());
  RegisterTensorKernels(&host.kernel_registry());
  RegisterContractionKernels(&host.kernel_registry());
  RegisterCpuKernels(&host.kernel_registry());

  std::vector<char> images = ReadAll(argv[3], 64);
  Value image = Tensor(&host, {1, 28, 28, 1}, Enlarge(images.data()).data());
  const TensorShape shapes[] = {{5, 5, 1, 6}, {6},       {5, 5, 6, 16}, {16},     {400, 120},
                                {120},        {120, 84}, {84},          {84, 10}, {10}};
  std::vector<char> bytes = ReadAll(argv[2], 61706 * sizeof(float));
  const float* next = reinterpret_cast<const float*>(bytes.data());
  std::vector<Value> weights;
  for (const TensorShape& shape : shapes) {
    weights.push_back(Tensor(&host, shape, next));
    next += shape.num_elements();
  }
  Value chain = GetReadyChain().ReleaseRCRef();

  // The run.
  auto bef = BefImage::FromFile(argv[1]);
  if (!bef.ok()) Fail(std::string(bef.status().message()));
  auto file = BefFile::Open(*std::move(bef), &host);
  if (!file.ok()) Fail(std::string(file.status().message()));
  auto function = (*file)->FindFunction("lenet");
  if (!function.ok()) Fail(std::string(function.status().message()));
  std::vector<AsyncValue*> arguments = {image.get()};
  for (const Value& weight : weights) arguments.push_back(weight.get());
  arguments.push_back(chain.get());
  ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
  std::vector<Value> results(2);
  auto run = [&] {
    (*function)->Execute(exec_ctx, arguments, results);
    std::vector<AsyncValue*> values = {results[0].get(), results[1].get()};
    if (!values[0]->IsAvailable() || !values[1]->IsAvailable()) host.Await(values);
  };

  // The same kernels, in a loop, on tensors that stay.
  auto tensor = [&](const TensorShape& shape) { return Tensor(&host, shape, nullptr); };
  Value conv1 = tensor({1, 28, 28, 6}), pool1 = tensor({1, 14, 14, 6});
  Value conv2 = tensor({1, 10, 10, 16}), pool2 = tensor({1, 5, 5, 16}), flat = tensor({1, 400});
  Value fc1 = tensor({1, 120}), fc2 = tensor({1, 84}), logits = tensor({1, 10});
  auto convolution = [](int64_t padding) {
    return std::move(
        Attributes().String("relu").Array(Ints{1, 1}).Array(Ints(4, padding)).Array(Ints{1, 1}));
  };
  auto pool = [] {
    return std::move(Attributes().Array(Ints{2, 2}).String("valid").Array(Ints{2, 2}));
  };
  auto dense = [](const char* activation) {
    return std::move(Attributes().String(activation).Scalar(false).Scalar(false));
  };
  std::vector<std::unique_ptr<KernelCall>> calls;
  auto add = [&](const char* kernel, std::vector<Value> operands, Attributes attributes) {
    operands.push_back(chain);
    calls.push_back(
        std::make_unique<KernelCall>(&host, kernel, std::move(operands), std::move(attributes)));
  };
  add("tfrt_cpu.conv2d.bias.f32", {image, weights[0], weights[1], conv1}, convolution(2));
  add("tfrt_cpu.max_pool2d.f32", {conv1, pool1}, pool());
  add("tfrt_cpu.conv2d.bias.f32", {pool1, weights[2], weights[3], conv2}, convolution(0));
  add("tfrt_cpu.max_pool2d.f32", {conv2, pool2}, pool());
  add("tfrt_cpu.reshape.f32", {pool2, flat}, {});
  add("tfrt_cpu.matmul.bias.f32", {flat, weights[4], weights[5], fc1}, dense("relu"));
  add("tfrt_cpu.matmul.bias.f32", {fc1, weights[6], weights[7], fc2}, dense("relu"));
  add("tfrt_cpu.matmul.bias.f32", {fc2, weights[8], weights[9], logits}, dense("none"));
  auto loop = [&] {
    for (auto& call : calls) call->Run();
  };

  // The same ops, each called as a C++ function that makes its result.
  auto context = eager::Context::Create({.host = &host});
  if (!context.ok()) Fail(std::string(context.status().message()));
  eager::Scope scope(**context);
  auto eager_tensor = [](const Value& value) {
    const auto& tensor = value->get<DenseHostTensor>();
    ShapeDims dims = tensor.shape().dims();
    auto* elements = static_cast<const float*>(tensor.data());
    return eager::Tensor::FromArray(
        eager::HostArray(dims, std::span(elements, static_cast<size_t>(tensor.num_elements()))));
  };
  eager::Tensor eager_image = eager_tensor(image), eager_logits;
  std::vector<eager::Tensor> w;
  for (const Value& weight : weights) w.push_back(eager_tensor(weight));
  eager::Tensor flat_shape = eager::Tensor::FromArray(eager::HostArray({2}, {1, 400}));
  auto op_by_op = [&] {
    using namespace eager;
    eager::Tensor x = Conv2DBias(eager_image, w[0], w[1], "SAME", {.activation = "relu"});
    x = MaxPool(std::move(x), {1, 2, 2, 1}, "VALID", {.strides = {1, 2, 2, 1}});
    x = Conv2DBias(std::move(x), w[2], w[3], "VALID", {.activation = "relu"});
    x = MaxPool(std::move(x), {1, 2, 2, 1}, "VALID", {.strides = {1, 2, 2, 1}});
    x = Reshape(std::move(x), flat_shape);
    x = MatMulBias(std::move(x), w[4], w[5], {.activation = "relu"});
    x = MatMulBias(std::move(x), w[6], w[7], {.activation = "relu"});
    eager_logits = MatMulBias(std::move(x), w[8], w[9]);
  };

  constexpr double kSlice = 2e-3;
  int rounds = std::max(5, static_cast<int>(seconds / (3 * kSlice)));
  Paired times = MeasurePaired({run, loop, op_by_op}, rounds, kSlice);
  std::printf(
      "{\"run_ns\": %.0f, \"kernels_ns\": %.0f, \"kernels_over_run\": %.4f, "
      "\"eager_ns\": %.0f, \"eager_over_run\": %.4f, ",
      times.seconds[0] * 1e9, times.seconds[1] * 1e9, times.over_first[1], times.seconds[2] * 1e9,
      times.over_first[2]);
  auto print = [](const char* name, auto elements) {
    if (!elements.ok()) Fail(std::string(elements.status().message()));
    std::printf("\"%s\": [", name);
    const char* separator = "";
    for (float element : *elements) {
      std::printf("%s%.9g", separator, element);
      separator = ", ";
    }
    std::printf("]");
  };
  run();
  print("logits", Elements(results[0]->get<DenseHostTensor>()));
  std::printf(", ");
  print("eager_logits", eager_logits.Values<float>());
  std::printf("}\n");
  return 0;
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) { return tfrt::bench::Main(argc, argv); }
