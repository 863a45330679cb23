// Mutants of the corpus, opened, bound and run: every truncation; and at every byte all flips of
// one bit, 00, FF, one more and one less. Nothing of this may crash, hang or leak; the sanitizers
// watch. With TFRT_ALL_MUTANTS=1 in the environment every value of every byte is tried.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include "test/fuzz/corpus.h"
#include "test/fuzz/run_bef.h"

namespace tfrt {
namespace {

constexpr size_t kMaxBytes = 2048;

// Sharded, so that ctest may run the parts side by side.
class MutationRun : public testing::TestWithParam<int> {
 protected:
  static constexpr int kShards = 4;
  template <typename Visit>
  void ForEachProgram(Visit&& visit) {
    std::vector<CorpusProgram> corpus = ReadCorpus(kMaxBytes);
    ASSERT_GT(corpus.size(), 20u);
    // The programs print; only what they do to the process matters.
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    for (size_t i = GetParam(); i < corpus.size(); i += kShards) visit(corpus[i]);
    std::string output = testing::internal::GetCapturedStdout();
    std::string errors = testing::internal::GetCapturedStderr();
    if (testing::Test::HasFailure()) {
      std::fputs(output.c_str(), stdout);  // failures are told there
      std::fputs(errors.c_str(), stderr);
    }
  }
  void Count(RunOutcome outcome) { ++outcomes_[static_cast<int>(outcome)]; }
  void TearDown() override {
    std::printf("%d refused, %d opened, %d run\n", outcomes_[0], outcomes_[1], outcomes_[2]);
  }
  BefRunner runner_{/*files_per_host=*/32};
  int outcomes_[3] = {};
};
INSTANTIATE_TEST_SUITE_P(Shards, MutationRun, testing::Range(0, 4));

TEST_P(MutationRun, Truncations) {
  ForEachProgram([&](const CorpusProgram& program) {
    for (size_t size = 0; size <= program.bytes.size(); ++size) {
      Count(runner_.Run(std::span(program.bytes).first(size)));
    }
  });
  EXPECT_GT(outcomes_[0], 1000);
}

TEST_P(MutationRun, ChangedBytes) {
  bool all = std::getenv("TFRT_ALL_MUTANTS") != nullptr;
  ForEachProgram([&](const CorpusProgram& program) {
    std::vector<uint8_t> mutant = program.bytes;
    for (size_t i = 0; i < mutant.size(); ++i) {
      uint8_t original = program.bytes[i];
      std::set<uint8_t> values = {0x00, 0xFF, uint8_t(original + 1), uint8_t(original - 1)};
      for (int bit = 0; bit < 8; ++bit) values.insert(original ^ uint8_t(1 << bit));
      for (int value = 0; all && value < 256; ++value) values.insert(uint8_t(value));
      values.erase(original);
      for (uint8_t value : values) {
        mutant[i] = value;
        Count(runner_.Run(mutant));
      }
      mutant[i] = original;
    }
  });
  EXPECT_GT(outcomes_[0], 1000);
  EXPECT_GT(outcomes_[2], 100);
}

}  // namespace
}  // namespace tfrt
