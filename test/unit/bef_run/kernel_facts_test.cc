// The table of kernels against the kernels that there are.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "lib/format/op_table/memory_effects.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/kernels/kernels.h"

namespace tfrt {
namespace {

class KernelFactsTest : public testing::Test {
 protected:
  KernelFactsTest() {
    RegisterAllKernels(&registry_);
    RegisterCoreRuntimeKernels(&registry_);
  }
  KernelRegistry registry_;
};

TEST_F(KernelFactsTest, EveryKernelIsKnown) {
  ASSERT_GT(registry_.KernelNames().size(), 900u);
  for (std::string_view name : registry_.KernelNames()) {
    EXPECT_NE(LookUpKernelStart(name), KernelStart::kUnknown)
        << name
        << " is neither in lib/format/op_table/kernel_table.cc nor in "
           "lib/format/op_table/plain_kernels.cc";
  }
}

TEST_F(KernelFactsTest, KernelsStartAsTheyAreRegistered) {
  for (std::string_view name : registry_.KernelNames()) {
    EXPECT_EQ(StartsAfterItsOperands(name), !registry_.FindKernel(name)->non_strict()) << name;
  }
}

TEST_F(KernelFactsTest, EveryKnownKernelExists) {
  std::set<std::string> beginnings;
  for (std::string_view name : registry_.KernelNames()) {
    beginnings.emplace(name);
    for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
      beginnings.emplace(name.substr(0, dot));
    }
  }
  for (std::string_view stem : KnownKernelStems()) {
    EXPECT_TRUE(beginnings.contains(std::string(stem))) << stem;
  }
}

TEST_F(KernelFactsTest, StemsAreListedOnce) {
  std::vector<std::string_view> stems = KnownKernelStems();
  std::set<std::string_view> unique(stems.begin(), stems.end());
  EXPECT_EQ(unique.size(), stems.size());
}

// What a kernel tells by its results is there.
TEST_F(KernelFactsTest, EffectsFitTheSignatures) {
  for (std::string_view name : registry_.KernelNames()) {
    const KernelEntry& entry = *registry_.FindKernel(name);
    if (!entry.signature || entry.is_sync() || entry.signature->variadic_arguments) continue;
    auto operands = static_cast<unsigned>(entry.signature->arguments.size());
    auto effects = LookUpMemoryEffects(name, operands);
    if (!effects) continue;
    EXPECT_EQ(effects->written >> operands, 0u) << name;
    EXPECT_EQ(effects->may_share >> operands, 0u) << name;
    if (effects->done_result >= 0) {
      EXPECT_LT(static_cast<size_t>(effects->done_result), entry.signature->results.size()) << name;
    }
  }
}

}  // namespace
}  // namespace tfrt
