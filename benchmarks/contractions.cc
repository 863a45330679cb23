// contractions [--rounds N] [--only TEXT]: our matrix products and convolutions against oneDNN and
// Eigen called directly, one thread, and against themselves on two threads. Prints tables for
// README.md. Then products and convolutions of bytes, against ours of f32.
#define EIGEN_MPL2_ONLY
#include <Eigen/Core>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "byte_contractions.h"
#include "contraction_shapes.h"
#include "kernel_call.h"
#include "onednn_floor.h"
#include "paired.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::bench {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::unique_ptr<HostContext> MakeHost(ComputeBackend backend, const std::string& queue = "s") {
  auto host = std::make_unique<HostContext>(
      [](const DecodedDiagnostic& d) {
        std::fprintf(stderr, "%s\n", std::string(d.status.message()).c_str());
      },
      CreateMallocAllocator(), *CreateWorkQueue(queue));
  RegisterContractionKernels(&host->kernel_registry());
  if (!SetComputeBackend(host.get(), backend).ok()) std::abort();
  return host;
}

RCReference<AsyncValue> Tensor(HostContext* host, TensorShape shape) {
  auto tensor =
      DenseHostTensor::CreateUninitialized({DType::kF32, std::move(shape)}, host->allocator());
  auto view = MutableDenseView<float>::Create(*tensor, "it");
  for (size_t i = 0; i < view->size(); ++i) (*view)[i] = static_cast<float>(i % 7) - 3;
  return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
}

RCReference<AsyncValue> ChainValue() { return GetReadyChain().ReleaseRCRef(); }

std::function<void()> Call(HostContext* host, std::string_view name,
                           std::vector<RCReference<AsyncValue>> arguments, Attributes attributes) {
  auto call = std::make_shared<KernelCall>(host, name, std::move(arguments), std::move(attributes));
  return [call] { call->Run(); };
}

std::function<void()> Ours(HostContext* host, const MatMulShape& s, bool packed) {
  if (s.batch > 1) {
    return Call(host, "tfrt_cpu.batch_matmul.f32",
                {Tensor(host, {s.batch, s.m, s.k}), Tensor(host, {s.batch, s.k, s.n}),
                 Tensor(host, {s.batch, s.m, s.n}), ChainValue()},
                std::move(Attributes().Scalar(1.0f).Scalar(false).Scalar(false)));
  }
  RCReference<AsyncValue> b = Tensor(host, {s.k, s.n});
  if (packed) {
    b = KernelCall(host, "tfrt_cpu.pack_matrix.f32", {b},
                   std::move(Attributes().Scalar<int64_t>(s.m).Scalar(false)))
            .Run();
  }
  return Call(host, "tfrt_cpu.matmul.f32",
              {Tensor(host, {s.m, s.k}), std::move(b), Tensor(host, {s.m, s.n}), ChainValue()},
              std::move(Attributes().Scalar(false).Scalar(false)));
}

std::function<void()> Ours(HostContext* host, const ConvolutionShape& s, bool packed) {
  using Ints = std::vector<int64_t>;
  auto attributes = [&] {
    return std::move(Attributes()
                         .Array(Ints{1, 1})
                         .Array(Ints{s.padding, s.padding, s.padding, s.padding})
                         .Array(Ints{s.stride, s.stride}));
  };
  TensorShape image{1, s.size, s.size, s.in_channels};
  RCReference<AsyncValue> filter =
      Tensor(host, {s.filter, s.filter, s.in_channels, s.out_channels});
  if (packed) {
    filter = KernelCall(host, "tfrt_cpu.pack_filter.f32",
                        {filter, MakeAvailableAsyncValueRef<TensorShape>(image).ReleaseRCRef()},
                        attributes())
                 .Run();
  }
  return Call(host, "tfrt_cpu.conv2d.f32",
              {Tensor(host, image), std::move(filter),
               Tensor(host, {1, s.out_size(), s.out_size(), s.out_channels}), ChainValue()},
              attributes());
}

// Eigen called directly.
std::function<void()> EigenFloor(const MatMulShape& s) {
  struct Data {
    std::vector<Matrix> a, b, out;
  };
  auto data = std::make_shared<Data>();
  for (int64_t i = 0; i < s.batch; ++i) {
    data->a.push_back(Matrix::Constant(s.m, s.k, 0.5f));
    data->b.push_back(Matrix::Constant(s.k, s.n, 0.5f));
    data->out.push_back(Matrix::Zero(s.m, s.n));
  }
  return [data] {
    for (size_t i = 0; i < data->a.size(); ++i) data->out[i].noalias() = data->a[i] * data->b[i];
  };
}

// All windows as the rows of one matrix, then one product.
std::function<void()> EigenFloor(const ConvolutionShape& s) {
  struct Data {
    ConvolutionShape s;
    std::vector<float> image;
    Matrix windows, filter, out;
    void Gather() {
      int64_t row_floats = s.filter * s.in_channels;
      for (int64_t y = 0; y < s.out_size(); ++y) {
        for (int64_t x = 0; x < s.out_size(); ++x) {
          float* to = windows.row(y * s.out_size() + x).data();
          for (int64_t i = 0; i < s.filter; ++i, to += row_floats) {
            int64_t row = y * s.stride - s.padding + i;
            for (int64_t j = 0; j < s.filter; ++j) {
              int64_t column = x * s.stride - s.padding + j;
              bool inside = row >= 0 && row < s.size && column >= 0 && column < s.size;
              float* tap = to + j * s.in_channels;
              if (inside) {
                std::copy_n(image.data() + (row * s.size + column) * s.in_channels, s.in_channels,
                            tap);
              } else {
                std::fill_n(tap, s.in_channels, 0.0f);
              }
            }
          }
        }
      }
    }
  };
  int64_t pixels = s.out_size() * s.out_size(), taps = s.filter * s.filter * s.in_channels;
  auto data = std::make_shared<Data>(
      Data{s, std::vector<float>(s.size * s.size * s.in_channels, 0.5f), Matrix(pixels, taps),
           Matrix::Constant(taps, s.out_channels, 0.5f), Matrix(pixels, s.out_channels)});
  return [data] {
    data->Gather();
    data->out.noalias() = data->windows * data->filter;
  };
}

std::function<void()> OneDnn(const MatMulShape& s, bool packed) { return OneDnnMatMul(s, packed); }
std::function<void()> OneDnn(const ConvolutionShape& s, bool packed) {
  return OneDnnConvolution(s, packed);
}

struct Means {
  double log_sum[3] = {};
  double worst[3] = {1e9, 1e9, 1e9};
  int count = 0;
  void Add(int column, double ratio) {
    log_sum[column] += std::log(ratio);
    worst[column] = std::min(worst[column], ratio);
  }
};

template <typename Shape>
void Compare(HostContext* onednn, HostContext* eigen, const Shape& shape, int rounds,
             Means* means) {
  Paired plain = MeasurePaired({Ours(onednn, shape, false), OneDnn(shape, false)}, rounds);
  Paired packed = MeasurePaired({Ours(onednn, shape, true), OneDnn(shape, true)}, rounds);
  Paired with_eigen = MeasurePaired({Ours(eigen, shape, false), EigenFloor(shape)}, rounds);
  const Paired* columns[] = {&plain, &packed, &with_eigen};
  std::printf("| %s | %.2f ", shape.name.c_str(), shape.flops() * 1e-6);
  for (int i = 0; i < 3; ++i) {
    means->Add(i, columns[i]->over_first[1]);
    std::printf("| %.1f | %.1f | %.2f ", columns[i]->seconds[0] * 1e6,
                shape.flops() / columns[i]->seconds[0] * 1e-9, columns[i]->over_first[1]);
  }
  ++means->count;
  std::printf("|\n");
  std::fflush(stdout);
}

void PrintBytes(const std::string& name, double flops, const Paired& times) {
  std::printf("| %s | %.1f | %.1f | %.2f |\n", name.c_str(), times.seconds[0] * 1e6,
              flops / times.seconds[0] * 1e-9, times.over_first[1]);
  std::fflush(stdout);
}

// Bytes, and f32 in the same rounds.
void CompareBytes(HostContext* host, const std::function<bool(const std::string&)>& chosen,
                  int rounds) {
  std::printf("\n| bytes by %s | us | Gop/s | x f32 |\n|---|---:|---:|---:|\n",
              std::string(ByteKernelName()).c_str());
  for (const auto& shape : MatMulShapes()) {
    if (shape.batch > 1 || !chosen(shape.name)) continue;
    PrintBytes(shape.name, shape.flops(),
               MeasurePaired({BytesOf(host, shape), Ours(host, shape, true)}, rounds));
    PrintBytes(shape.name + ", dynamic", shape.flops(),
               MeasurePaired({DynamicBytesOf(host, shape), Ours(host, shape, true)}, rounds));
  }
  for (const auto& shape : ConvolutionShapes()) {
    if (!chosen(shape.name)) continue;
    PrintBytes(shape.name, shape.flops(),
               MeasurePaired({BytesOf(host, shape), Ours(host, shape, true)}, rounds));
  }
}

template <typename Shape>
void CompareThreads(HostContext* one, HostContext* two, const Shape& shape, int rounds) {
  constexpr double kMinFlops = 10e6;
  if (shape.flops() < kMinFlops) return;
  Paired times = MeasurePaired({Ours(two, shape, true), Ours(one, shape, true)}, rounds);
  std::printf("| %s | %.2f |\n", shape.name.c_str(), times.over_first[1]);
  std::fflush(stdout);
}

// How much faster two threads do two independent products than one thread does both.
double ScalingOfTheMachine(int rounds) {
  MatMulShape shape{"", 1, 128, 768, 768};
  std::function<void()> first = OneDnnMatMul(shape, true), second = OneDnnMatMul(shape, true);
  constexpr int kTimes = 4;
  auto together = [&] {
    std::thread other([&] {
      for (int i = 0; i < kTimes; ++i) second();
    });
    for (int i = 0; i < kTimes; ++i) first();
    other.join();
  };
  auto one_by_one = [&] {
    for (int i = 0; i < 2 * kTimes; ++i) first();
  };
  return MeasurePaired({together, one_by_one}, rounds, 2e-2).over_first[1];
}

int Main(int argc, char** argv) {
  int rounds = 15;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--rounds") rounds = std::max(1, std::atoi(argv[i + 1]));
    if (std::string(argv[i]) == "--only") only = argv[i + 1];
  }
  auto chosen = [&](const auto& shape) { return shape.name.find(only) != std::string::npos; };
  auto onednn = MakeHost(ComputeBackend::kOneDnn);
  auto eigen = MakeHost(ComputeBackend::kEigen);
  std::printf(
      "| shape | Mflop | plain: us | Gflop/s | x oneDNN | packed: us | Gflop/s | x oneDNN | "
      "Eigen: us | Gflop/s | x Eigen |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  Means means;
  for (const auto& shape : MatMulShapes()) {
    if (chosen(shape)) Compare(onednn.get(), eigen.get(), shape, rounds, &means);
  }
  for (const auto& shape : ConvolutionShapes()) {
    if (chosen(shape)) Compare(onednn.get(), eigen.get(), shape, rounds, &means);
  }
  for (auto [name, function] :
       {std::pair<const char*, double (*)(const Means&, int)>{
            "geometric mean",
            [](const Means& m, int i) { return std::exp(m.log_sum[i] / m.count); }},
        {"lowest", [](const Means& m, int i) { return m.worst[i]; }}}) {
    std::printf("| **%s** | ", name);
    for (int i = 0; i < 3; ++i) std::printf("| | | %.2f ", function(means, i));
    std::printf("|\n");
  }

  CompareBytes(
      onednn.get(), [&](const std::string& name) { return name.find(only) != std::string::npos; },
      rounds);

  std::printf("\nTwo threads of this machine do two products %.2f times as fast as one.\n\n",
              ScalingOfTheMachine(rounds));
  auto one = MakeHost(ComputeBackend::kOneDnn, "mstd:1");
  auto two = MakeHost(ComputeBackend::kOneDnn, "mstd:2");
  std::printf("| shape, packed | x one thread |\n|---|---:|\n");
  for (const auto& shape : MatMulShapes()) {
    if (chosen(shape)) CompareThreads(one.get(), two.get(), shape, rounds);
  }
  for (const auto& shape : ConvolutionShapes()) {
    if (chosen(shape)) CompareThreads(one.get(), two.get(), shape, rounds);
  }
  return 0;
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) { return tfrt::bench::Main(argc, argv); }
