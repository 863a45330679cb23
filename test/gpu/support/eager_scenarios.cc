#include "test/gpu/support/eager_scenarios.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gpu/ops/gpu_op_devices.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tensor.h"

namespace tfrt::gpu::test {
namespace {

using eager::Context;
using eager::ExecutionMode;
using eager::HostArray;
using eager::Int64List;
using eager::Scope;
using eager::ScopeOptions;
using eager::Tensor;

constexpr int64_t kSide = 32;
// A segment of the allocator.
constexpr size_t kMemoryLimit = size_t{2} << 20;

ScopeOptions OnGpu() { return {.mode = ExecutionMode::kAsync, .device = "gpu:0"}; }

Tensor OnHost(std::initializer_list<int64_t> dims, float value) {
  size_t size = 1;
  for (int64_t dim : dims) size *= static_cast<size_t>(dim);
  return Tensor::FromArray(HostArray::Take(dims, std::vector<float>(size, value)));
}

Tensor Square(float value) { return OnHost({kSide, kSide}, value); }

// Whether each element has this value.
Status Expect(const Tensor& tensor, float value) {
  TFRT_ASSIGN_OR_RETURN(auto values, tensor.Values<float>());
  for (float each : values) {
    if (each != value) return InternalError("the numbers are wrong");
  }
  return OkStatus();
}

Status UploadThenCompute(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  Tensor x = Square(-2).To("gpu:0");
  return Expect(eager::Relu(eager::Neg(x)), 2);
}

// The stream that copies to the host reads a block that the next op is given.
Status ComputeThenDownload(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  const HostArray dims({2}, {kSide, kSide});
  Tensor first = eager::Fill(dims, 3.0f);
  Tensor copy = first.To("cpu:0");
  first = Tensor();
  Tensor second = eager::Neg(eager::Fill(dims, 5.0f));
  TFRT_RETURN_IF_ERROR(Expect(copy, 3));
  return Expect(second, -5);
}

// The op waits for the later upload, and has then waited for both.
Status TwoUploadsAndOneOp(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  Tensor y = Square(3).To("gpu:0"), x = Square(2).To("gpu:0");
  return Expect(eager::MatMul(x, y), 6 * kSide);
}

// There, through an op of the other device, and back.
Status BetweenDevices(std::unique_ptr<Context>& context) {
  Tensor there;
  {
    Scope scope(*context, OnGpu());
    there = eager::Fill(HostArray({2}, {kSide, kSide}), 4.0f).To("gpu:1");
  }
  Tensor back;
  {
    Scope scope(*context, {.mode = ExecutionMode::kAsync, .device = "gpu:1"});
    back = eager::Neg(std::move(there)).To("gpu:0");
  }
  Scope scope(*context, OnGpu());
  return Expect(eager::Abs(std::move(back)), 4);
}

// The second upload takes the memory of the first, which an op reads; there is no other.
Status MemoryOfAnotherStream(std::unique_ptr<Context>& context) {
  Scope scope(*context, {.device = "gpu:0"});
  Tensor most = eager::Fill(HostArray({1}, {128 << 10}), 0.0);  // of the 2,048 KiB 1,024
  Tensor rest = eager::Fill(HostArray({1}, {112 << 10}), 0.0);  // and 896
  const HostArray all({1}, {0});
  auto max = [&](float value) {
    return eager::Max(HostArray::Take({16 << 10}, std::vector<float>(16 << 10, value)), all);
  };
  Tensor first = max(1), second = max(2);
  TFRT_RETURN_IF_ERROR(Expect(eager::AddV2(first, second), 3));
  TFRT_RETURN_IF_ERROR(most.status());
  return rest.status();
}

// The shape of a result is read on the host.
Status ValuesForTheHost(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  Tensor x = Square(7).To("gpu:0");
  Tensor half = Tensor::FromArray(HostArray({2}, {kSide / 4, kSide / 4})).To("gpu:0");
  Tensor part = eager::Slice(eager::Neg(x), HostArray({2}, {0, 8}), eager::AddV2(half, half));
  TFRT_RETURN_IF_ERROR(part.status());
  if (part.shape()->ToString() != "[16, 16]") return InternalError("the shape is wrong");
  return Expect(part, -7);
}

// Nobody has waited for the elements when the context ends.
Status CopiesOutliveTheContext(std::unique_ptr<Context>& context) {
  Tensor copy;
  {
    Scope scope(*context, OnGpu());
    copy = eager::Fill(HostArray({2}, {kSide, kSide}), 9.0f).To("cpu:0");
  }
  context.reset();
  return Expect(copy, 9);
}

// A small network of layers of all kinds.
struct Network {
  Tensor filter = OnHost({3, 3, 1, 2}, 0.25f), bias = OnHost({2}, 0.5f);
  Tensor weights = OnHost({32, 4}, 0.125f), offset = OnHost({4}, -0.5f);

  struct Layers {
    Tensor conv, pooled, flat, logits;
  };
  Layers Forward(const Tensor& images) const {
    const Int64List two = {1, 2, 2, 1};
    Layers out;
    out.conv = eager::Conv2DBias(images, filter, bias, "SAME", {.activation = "relu"});
    out.pooled = eager::MaxPool(out.conv, two, "VALID", {.strides = two});
    out.flat = eager::Reshape(out.pooled, HostArray({2}, {-1, 32}));
    out.logits = eager::MatMulBias(out.flat, weights, offset);
    return out;
  }
};

Status Inference(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  Network network;
  Tensor classes = eager::Softmax(network.Forward(OnHost({2, 8, 8, 1}, 1)).logits);
  return Expect(classes, 0.25f);
}

Status TrainingStep(std::unique_ptr<Context>& context) {
  Scope scope(*context, OnGpu());
  Network network;
  const Tensor images = OnHost({2, 8, 8, 1}, 1);
  const Int64List two = {1, 2, 2, 1};
  Network::Layers out = network.Forward(images);
  auto [losses, d] =
      eager::SparseSoftmaxCrossEntropyWithLogits(out.logits, HostArray({2}, {int32_t{1}, 3}));
  Tensor loss = eager::Mean(losses, HostArray({1}, {0}));
  Tensor dweights = eager::MatMul(out.flat, d, {.transpose_a = true});
  Tensor doffset = eager::BiasAddGrad(d);
  d = eager::Reshape(eager::MatMul(d, network.weights, {.transpose_b = true}),
                     eager::Shape(out.pooled));
  d = eager::MaxPoolGrad(out.conv, out.pooled, d, two, "VALID", {.strides = two});
  d = eager::ReluGrad(std::move(d), out.conv);
  Tensor dfilter = eager::Conv2DBackpropFilter(images, eager::Shape(network.filter), d, "SAME");
  Tensor rate = Tensor::Scalar(0.5f);
  network.filter = eager::SgdUpdate(std::move(network.filter), dfilter, rate);
  network.weights = eager::SgdUpdate(std::move(network.weights), dweights, rate);
  network.offset = eager::SgdUpdate(std::move(network.offset), doffset, rate);
  TFRT_ASSIGN_OR_RETURN(float before, loss.Item<float>());
  if (std::abs(before - std::log(4.0f)) > 1e-5f) return InternalError("the loss is wrong");
  // The classes are as likely as each other; half of the labels are of each of two.
  TFRT_ASSIGN_OR_RETURN(auto offset, network.offset.Values<float>());
  const float expected[] = {-0.75f, -0.25f, -0.75f, -0.25f};
  for (size_t i = 0; i < 4; ++i) {
    if (std::abs(offset[i] - expected[i]) > 1e-5f) return InternalError("the offset is wrong");
  }
  TFRT_RETURN_IF_ERROR(network.weights.status());
  return network.filter.Values<float>().status();
}

// A long tensor, which goes in pieces: to one device, to another one and back, with an op on each.
Status RoundTrip(std::unique_ptr<Context>& context) {
  constexpr int64_t kRows = 512;  // of 128 KiB in all
  std::vector<float> numbers(kRows * 64);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  Tensor x;
  {
    Scope scope(*context, OnGpu());
    x = eager::Neg(Tensor::FromArray(HostArray({kRows, 64}, numbers)).To("gpu:0"));
  }
  {
    Scope scope(*context, {.mode = ExecutionMode::kAsync, .device = "gpu:1"});
    x = eager::Abs(x.To("gpu:1"));
  }
  Scope scope(*context, OnGpu());
  x = eager::Neg(x.To("gpu:0"));
  TFRT_ASSIGN_OR_RETURN(auto values, x.Values<float>());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (values[i] != -numbers[i]) return InternalError("the numbers are wrong");
  }
  return OkStatus();
}

constexpr EagerScenario kOrderScenarios[] = {
    {"UploadThenCompute", UploadThenCompute},
    {"ComputeThenDownload", ComputeThenDownload},
    {"TwoUploadsAndOneOp", TwoUploadsAndOneOp},
    {"BetweenDevices", BetweenDevices, /*needs_two_devices=*/true},
    {"MemoryOfAnotherStream", MemoryOfAnotherStream},
    {"ValuesForTheHost", ValuesForTheHost},
    {"CopiesOutliveTheContext", CopiesOutliveTheContext},
};

constexpr EagerScenario kFaultScenarios[] = {
    {"Inference", Inference},
    {"TrainingStep", TrainingStep},
    {"RoundTrip", RoundTrip, /*needs_two_devices=*/true},
};

}  // namespace

std::span<const EagerScenario> EagerOrderScenarios() { return kOrderScenarios; }
std::span<const EagerScenario> EagerFaultScenarios() { return kFaultScenarios; }

StatusOr<std::unique_ptr<Context>> MakeEagerContext(const cuda::Driver& driver,
                                                    const char* work_queue) {
  TFRT_ASSIGN_OR_RETURN(int num_devices, driver.NumDevices());
  std::vector<std::string> devices = {"cpu:0", "gpu:0"};
  if (num_devices > 1) devices.push_back("gpu:1");
  return Context::Create(
      {.work_queue = work_queue,
       .devices = std::move(devices),
       .register_devices =
           [&driver](HostContext& host) { return RegisterGpuOpDevices(host, {.driver = &driver}); },
       .accelerator = {.memory_limit_bytes = kMemoryLimit}});
}

}  // namespace tfrt::gpu::test
