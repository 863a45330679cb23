// Eager ops on a GPU: what one call costs the host beside its launch.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/ops/gpu_op_devices.h"
#include "gpu/wrapper/cuda_driver.h"
#include "gpu_cases.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"

namespace tfrt::bench {
namespace {

constexpr int kCount = 1000;

// A context with a GPU. Its driver outlives it.
struct GpuEager {
  explicit GpuEager(const gpu::cuda::DriverTable& table)
      : driver(table, 12040, "the benchmark's"),
        context(*eager::Context::Create({.work_queue = "s",
                                         .devices = {"cpu:0", "gpu:0"},
                                         .register_devices = [this](HostContext& host) {
                                           return gpu::RegisterGpuOpDevices(host,
                                                                            {.driver = &driver});
                                         }})) {
    eager::Scope scope(*context);
    square = Of({64, 64});
    row = Of({64});
  }
  static eager::Tensor Of(std::vector<int64_t> dims) {
    size_t size = 1;
    for (int64_t dim : dims) size *= static_cast<size_t>(dim);
    const std::vector<float> elements(size, 1);
    return eager::Tensor::FromArray(
               eager::HostArray(std::span<const int64_t>(dims), std::span(elements)))
        .To("gpu:0");
  }

  const gpu::cuda::Driver driver;
  std::unique_ptr<eager::Context> context;
  eager::Tensor square, row;
};

template <typename Op>
std::function<void()> Prepare(const gpu::cuda::DriverTable& driver, Op op) {
  auto e = std::make_shared<GpuEager>(driver);
  return [e, op] {
    eager::Scope scope(*e->context, {.device = "gpu:0"});
    for (int i = 0; i < kCount; ++i) Keep(op(*e).state());
    e->context->Wait();
  };
}

}  // namespace

void AddGpuEagerCases(const gpu::cuda::DriverTable& driver, Cases* cases) {
  auto add = [&](std::string name, auto op) {
    cases->push_back({.name = std::move(name),
                      .unit = "op",
                      .units = kCount,
                      .floor = "floor/gpu_launch_4",
                      .prepare = [op, &driver] { return Prepare(driver, op); }});
  };
  add("gpu/eager_relu", [](const GpuEager& e) { return eager::Relu(e.square); });
  add("gpu/eager_add", [](const GpuEager& e) { return eager::AddV2(e.square, e.row); });
  add("gpu/eager_matmul", [](const GpuEager& e) { return eager::MatMul(e.square, e.square); });
}

}  // namespace tfrt::bench
