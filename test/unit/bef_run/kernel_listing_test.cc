#include "lib/compat/bef_run/kernel_listing.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "lib/compat/bef_run/bef_executor.h"
#include "lib/runtime/tensor/fixed_rank_shape.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

int32_t Add(int32_t a, int32_t) { return a; }
Chain Many(uint8_t, double, const std::string&, const Chain&, RemainingArguments) { return {}; }
std::pair<bool, int64_t> Attributes(Attribute<float>, ArrayAttribute<int64_t>, StringAttribute,
                                    TypeAttribute, ShapeAttribute, DenseAttribute,
                                    AggregateAttribute) {
  return {};
}
void Functions(const Function*, const Function*, RemainingResults) {}
void AllFunctions(RemainingFunctions, RepeatedAttributes<Attribute<int32_t>>) {}
void Unknown(AsyncKernelFrame*) {}
int32_t AddSync(int32_t a, int32_t) { return a; }
struct Fraction {
  static constexpr std::string_view kProgramTypeName = "fraction";
};
Fraction Half() { return {}; }
std::unique_ptr<Fraction> Unnamed(const std::atomic<int32_t>&) { return nullptr; }
ScalarHostTensor<float> Splat(const FixedRankShape<2>& shape, const TensorType&) {
  return {shape.ToShape(), 0};
}
void AnyValue(Argument<AsyncValue>) {}

TEST(KernelListingTest, Signatures) {
  KernelRegistry registry;
  registry.AddKernel("t.add", TFRT_KERNEL(Add));
  registry.AddKernel("t.many", TFRT_KERNEL(Many));
  registry.AddKernel("t.attributes", TFRT_KERNEL(Attributes));
  registry.AddKernel("t.functions", TFRT_KERNEL(Functions));
  registry.AddKernel("t.all_functions", TFRT_KERNEL(AllFunctions));
  registry.AddKernel("t.unknown", {&Unknown, nullptr});
  registry.AddKernel("t.half", TFRT_KERNEL(Half));
  registry.AddKernel("t.unnamed", TFRT_KERNEL(Unnamed));
  registry.AddKernel("t.any", TFRT_KERNEL(AnyValue));
  registry.AddKernel("t.splat", TFRT_KERNEL(Splat));
  registry.AddSyncKernel("t.add_s", TFRT_SYNC_KERNEL(AddSync));
  EXPECT_EQ(KernelListing(registry),
            "t.add (i32, i32) -> (i32)\n"
            "t.add_s sync (i32, i32) -> (i32)\n"
            "t.all_functions () {i32, ...} @... -> ()\n"
            "t.any (any) -> ()\n"
            "t.attributes () {f32, i64[], string, type, shape, dense, array} -> (i1, i64)\n"
            "t.functions () @2 -> (...)\n"
            "t.half () -> (fraction)\n"
            "t.many (ui8, f64, string, chain, ...) -> (chain)\n"
            "t.splat (fixed-rank shape, tensor type) -> (scalar tensor)\n"
            "t.unknown ?\n"
            "t.unnamed (std::atomic<int>) -> (fraction)\n");
}

TEST(KernelListingTest, ToolListsAndStops) {
  BefExecutorOptions options;
  options.input_file = "does_not_exist";
  options.list_kernels = true;
  options.register_kernels = [](KernelRegistry* registry) {
    registry->AddKernel("t.add", TFRT_KERNEL(Add));
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunBefExecutor(options), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "t.add (i32, i32) -> (i32)\n");
}

TEST(KernelListingTest, LibraryThatCannotBeLoaded) {
  BefExecutorOptions options;
  options.list_kernels = true;
  options.shared_libs = {"does_not_exist.so"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(RunBefExecutor(options), 1);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("bef_executor: couldn't load library"),
            std::string::npos);
}

}  // namespace
}  // namespace tfrt
