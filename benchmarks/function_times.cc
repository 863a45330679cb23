// function_times: what traced functions cost and save, each against the same ops called one by one,
// in turns; LeNet-5 also against its program run as a model. Loads the compiler from
// TFRT_MODULE_PATH. Prints one line per figure; with
// --calls those of a call alone.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "network.h"  // of examples/eager
#include "paired.h"
#include "tfrt/eager/ops.h"
#include "tfrt/function/function.h"
#include "tfrt/model/model.h"

namespace tfrt::bench {
namespace {

using eager::Context;
using eager::HostArray;
using eager::Scope;
using eager::Tensor;
using function::Argument;
using function::Function;
using function::FunctionOptions;

[[noreturn]] void Fail(std::string_view message) {
  std::fprintf(stderr, "function_times: %.*s\n", static_cast<int>(message.size()), message.data());
  std::exit(1);
}

void Require(const Status& status) {
  if (!status.ok()) Fail(status.message());
}

Tensor Numbers(std::initializer_list<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  std::vector<float> numbers(static_cast<size_t>(count));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.01f * static_cast<float>(i % 17);
  return Tensor::FromArray(HostArray(dims, numbers));
}

void CacheHit() {
  std::vector<Tensor> tensors;
  std::vector<Argument> arguments = {Argument::List(8)};
  for (int i = 0; i < 8; ++i) tensors.push_back(Numbers({4, 4}));
  for (const Tensor& tensor : tensors) arguments.push_back(Argument::Of(tensor));
  Function f("f", [](std::vector<Tensor> xs) { return xs[0] + xs[7]; });
  Require(f(tensors).status());
  bool is_cached = true;
  const Paired times =
      MeasurePaired({[&] { is_cached = is_cached && f.IsCached(arguments); }}, 201);
  if (!is_cached) Fail("the call is not cached");
  std::printf("cache hit, 8 tensors          %10.1f ns\n", times.seconds[0] * 1e9);
  Function one("one", [](Tensor x) { return x; });
  Tensor x = Numbers({4, 4});
  const Paired whole = MeasurePaired({[&] { (void)one(x); }}, 201);
  std::printf("whole call, nothing computed  %10.1f ns\n", whole.seconds[0] * 1e9);
}

void Compare(const char* name, const std::function<Tensor()>& eager,
             const std::function<Tensor()>& traced) {
  Require(traced().status());
  const Paired times = MeasurePaired({[&] { (void)eager(); }, [&] { (void)traced(); }}, 51, 2e-2);
  std::printf("%-29s %10.3f ms eager, %.3f ms traced, eager / traced %.2f\n", name,
              times.seconds[0] * 1e3, times.seconds[1] * 1e3, 1 / times.over_first[1]);
}

// Products of 4x4 matrices and sums of rows, in turns.
Tensor Alternating(Tensor x, const Tensor& w) {
  for (int i = 0; i < 500; ++i) {
    Tensor product = eager::MatMul(w, x);
    x = eager::Sum(product, {1}, {.keep_dims = true});
  }
  return x;
}
Tensor Adds(Tensor x, const Tensor& y) {
  for (int i = 0; i < 1000; ++i) x = x + y;
  return x;
}

void ManyOps() {
  // Products of matrices whose rows sum up to 1 neither grow nor vanish.
  const std::vector<float> quarters(16, 0.25f);
  Tensor x = Tensor::FromArray(HostArray({4, 4}, quarters)), w = x;
  Function plain("products", [](Tensor a, Tensor b) { return Alternating(a, b); }, {.fuse = false});
  Compare(
      "1,000 ops that do not fuse", [&] { return Alternating(x, w); }, [&] { return plain(x, w); });
  Tensor large = Numbers({64, 64});
  Function adds("adds", [](Tensor a, Tensor b) { return Adds(a, b); });
  Compare("1,000 adds of 4x4, fused", [&] { return Adds(x, w); }, [&] { return adds(x, w); });
  Compare(
      "1,000 adds of 64x64, fused", [&] { return Adds(large, large); },
      [&] { return adds(large, large); });
}

void Lenet(HostContext* host) {
  auto network = lenet::EagerNetwork::Create(lenet::InitialWeights());
  if (!network.ok()) Fail(network.status().message());
  Tensor images = Numbers({1, 28, 28, 1});
  Function lenet("lenet", [&](Tensor x) { return network->Logits(x); });
  Compare("LeNet-5", [&] { return network->Logits(images); }, [&] { return lenet(images); });
  const auto statistics = lenet.statistics();
  std::printf("LeNet-5, first call           %10.3f ms traced, %.3f ms compiled\n",
              static_cast<double>(statistics.trace_ns) / 1e6,
              static_cast<double>(statistics.compile_ns) / 1e6);
  // The program by itself, as imported models run.
  const std::string path = "function_times_lenet.bef";
  Require(lenet.Save(path));
  auto model = Model::Open(path, host);
  if (!model.ok()) Fail(model.status().message());
  auto session = Session::Create(*model);
  const DenseHostTensor* input = *images.HostElements(Location());
  const Paired times = MeasurePaired(
      {[&] { (void)session->RunInOrder({&input, 1}); }, [&] { (void)lenet(images); }}, 51, 2e-2);
  std::printf(
      "LeNet-5, model / traced       %10.3f ms model, %.3f ms traced, model / traced %.3f\n",
      times.seconds[0] * 1e3, times.seconds[1] * 1e3, 1 / times.over_first[1]);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace tfrt::bench

int main(int argc, char** argv) {
  auto context = *tfrt::eager::Context::Create({.work_queue = "s"});
  tfrt::eager::Scope scope(*context);
  tfrt::bench::CacheHit();
  if (argc > 1 && std::string_view(argv[1]) == "--calls") return 0;
  tfrt::bench::ManyOps();
  tfrt::bench::Lenet(context->host());
}
