// The command `kernels`: the library's kernels, launched as the library does.
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "gpu/device_code/device_code.h"
#include "gpu/device_code/launch.h"
#include "test/gpu/hardware/gpu_day.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::day {
namespace {

class Bench {
 public:
  explicit Bench(Session& session) : s_(session), stream_(session.MakeStream()) {}

  // Memory with small numbers of any type: bytes 0.
  uint64_t Numbers(size_t size_bytes) {
    const CUdeviceptr address = s_.Allocate(size_bytes);
    if (address) {
      s_.Check(s_.d.cuMemsetD8Async(address, 0, size_bytes, stream_.get()), "cuMemsetD8Async");
    }
    return address;
  }

  // A launch; a parameter of 32 bits is the lower half of its word.
  void Launch(const std::string& kernel, const DeviceLaunch& launch,
              std::vector<uint64_t> parameters) {
    if (!s_.status.ok() || launch.blocks == 0) return;
    std::vector<void*> pointers;
    for (uint64_t& parameter : parameters) pointers.push_back(&parameter);
    s_.Launch(Find(kernel), launch.blocks, launch.threads, pointers.data(), stream_.get());
  }

  // Measures what `work` enqueues, several times: `num_bytes` must be moved, and `num_operations`
  // computed.
  template <typename Work>
  void Measure(const std::string& name, double num_bytes, double num_operations, Work work) {
    const int launches = s_.is_short ? 1 : 10;
    const double ms = Median([&] {
                        for (int i = 0; i < launches; ++i) work();
                        s_.Wait(stream_.get());
                      }) /
                      launches;
    members_ += StrCat(members_.empty() ? "" : ", ", "\"", name, "\": {\"us\": ", Number(ms * 1e3),
                       ", \"gb_per_s\": ", Number(num_bytes / ms / 1e6));
    if (num_operations != 0) {
      members_ += StrCat(", \"gflops\": ", Number(num_operations / ms / 1e6));
    }
    members_ += "}";
  }
  const std::string& members() const { return members_; }

 private:
  CUfunction Find(const std::string& kernel) {
    CUfunction& function = functions_[kernel];
    if (function) return function;
    auto found = FindDeviceKernel(kernel);
    if (!found.ok()) {
      if (s_.status.ok()) s_.status = found.status();
      return nullptr;
    }
    cuda::Module& module = modules_[(*found).module];
    if (!module) module = s_.Load(found->module->ptx.data());
    if (s_.status.ok()) function = s_.Find(module, kernel.c_str());
    return function;
  }

  Session& s_;
  std::map<const DeviceModule*, cuda::Module> modules_;
  std::map<std::string, CUfunction> functions_;
  const cuda::Stream stream_;
  std::string members_;
};

void MeasureMoves(Session& s, Bench& bench, const std::string& type, int64_t type_bytes) {
  const int64_t side = s.is_short ? 64 : 8192, size = side * side;
  const auto bytes = static_cast<size_t>(size * type_bytes);
  const uint64_t x = bench.Numbers(bytes), y = bench.Numbers(bytes), out = bench.Numbers(bytes);
  const uint64_t scratch = bench.Numbers(size_t{1} << 24);
  const auto one = static_cast<double>(bytes);
  const auto n = static_cast<uint64_t>(size), rows = static_cast<uint64_t>(side);
  const DeviceLaunch elements = ElementwiseLaunch(size);
  for (const char* op : {"exp", "relu"}) {
    const std::string kernel = StrCat(op, "_", type);
    bench.Measure(kernel, 2 * one, 0, [&] { bench.Launch(kernel, elements, {out, x, n}); });
  }
  bench.Measure("add_" + type, 3 * one, 0,
                [&] { bench.Launch("add_" + type, elements, {out, x, y, n, 1, 1}); });
  auto reduce = [&](const char* name, int64_t outer, int64_t reduced, int64_t inner) {
    const ReductionLaunch plan = PlanReduction(outer, reduced, inner);
    const auto parts = static_cast<uint64_t>(plan.parts);
    const auto o = static_cast<uint64_t>(outer), r = static_cast<uint64_t>(reduced),
               i = static_cast<uint64_t>(inner);
    bench.Measure(StrCat(name, "_", type), one, 0, [&] {
      bench.Launch("sum_" + type, plan.first, {parts > 1 ? scratch : out, x, o, r, i, parts});
      bench.Launch("sum_parts_" + type, plan.combine, {out, scratch, o, r, i, parts});
    });
  };
  reduce("sum_of_rows", side, side, 1);
  reduce("sum_of_all", 1, size, 1);
  reduce("sum_of_columns", 1, side, side);
  bench.Measure("softmax_" + type, 2 * one, 0, [&] {
    bench.Launch("softmax_" + type, SoftmaxLaunch(side, side), {out, x, rows, rows});
  });
  const std::string transpose = StrCat("transpose_b", 8 * type_bytes);
  bench.Measure(transpose, 2 * one, 0, [&] {
    bench.Launch(transpose, TransposeLaunch(1, side, side), {out, x, 1, rows, rows});
  });
}

void MeasureProducts(Session& s, Bench& bench, const std::string& type, int64_t type_bytes) {
  struct Sizes {
    int64_t m, n, k;
  };
  const std::initializer_list<Sizes> all = {
      {4096, 4096, 4096}, {1, 4096, 4096}, {8, 4096, 4096}, {128, 768, 3072}, {64, 64, 1 << 20}};
  for (Sizes sizes : all) {
    if (s.is_short) sizes = {std::min<int64_t>(sizes.m, 64), 64, 256};
    const auto [m, n, k] = sizes;
    auto numbers = [&](int64_t size) {
      return bench.Numbers(static_cast<size_t>(size * type_bytes));
    };
    const uint64_t a = numbers(m * k), b = numbers(k * n), out = numbers(m * n);
    const MatMulLaunch plan = PlanMatMul(1, m, n, k);
    const uint64_t sums = bench.Numbers(static_cast<size_t>(plan.scratch_bytes) + 1);
    const auto parts = static_cast<uint64_t>(plan.parts);
    const auto um = static_cast<uint64_t>(m), un = static_cast<uint64_t>(n),
               uk = static_cast<uint64_t>(k);
    const std::string kernel = StrCat("matmul_", plan.has_few_rows ? "few_rows_" : "", type);
    bench.Measure(
        StrCat("matmul_", type, "_", m, "x", n, "x", k),
        static_cast<double>((m * k + k * n + m * n) * type_bytes),
        2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k), [&] {
          bench.Launch(kernel, plan.first,
                       {parts > 1 ? sums : out, a, b, 0, 1, um, un, uk, 0, 0, 0, 0, parts});
          bench.Launch("matmul_parts_" + type, plan.combine, {out, sums, 0, 1, um, un, 0, parts});
        });
  }
}

}  // namespace

std::string Kernels(Session& s) {
  Bench bench(s);
  for (auto [type, type_bytes] : {std::pair{"f32", 4}, {"f16", 2}}) {
    MeasureMoves(s, bench, type, type_bytes);
    MeasureProducts(s, bench, type, type_bytes);
  }
  return bench.members();
}

}  // namespace tfrt::gpu::day
