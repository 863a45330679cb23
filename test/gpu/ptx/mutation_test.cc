// Changed texts are refused, or their kernels run within a budget: nothing crashes, hangs or leaks.
#include <gtest/gtest.h>

#include "test/gpu/ptx/mutation_run.h"
#include "test/gpu/vendor/ptx/module.h"

namespace tfrt::gpu::ptx {
namespace {

TEST(Mutations, TenThousandTextsAreRefusedOrRun) {
  std::vector<std::string> texts = TextsToChange(TFRT_PTX_KERNELS, TFRT_PTX_FORMS);
  ASSERT_GE(texts.size(), 2000u);
  MutationCounts counts = RunMutations(texts, 1, 10000);
  RecordProperty("accepted", std::to_string(counts.accepted));
  // The changes are worth their time: some get through, most do not, some of those that run fail.
  EXPECT_GT(counts.accepted, 200u);
  EXPECT_GT(counts.refused, 5000u);
  EXPECT_GT(counts.unsupported, 50u);
  EXPECT_GT(counts.faulted, 40u);
}

TEST(Mutations, TextsAsTheyAreRun) {
  for (const std::string& text : ReadTexts(TFRT_PTX_KERNELS)) {
    auto parsed = Module::Parse(text);
    if (auto* error = std::get_if<ParseError>(&parsed)) ADD_FAILURE() << error->Log();
  }
}

}  // namespace
}  // namespace tfrt::gpu::ptx
