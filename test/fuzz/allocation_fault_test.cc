// Every program of the corpus is run as often as it asks the HostAllocator for memory, and each
// time another request fails. The program must go on or end with an error that says so, and nothing
// may be left over.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "test/fuzz/corpus.h"
#include "test/fuzz/run_bef.h"
#include "tfrt/async/async_value.h"

namespace tfrt {
namespace {

constexpr int64_t kNever = -1;

struct Counters {
  int64_t fail_at = kNever;  // the request that fails, counted from 0
  int64_t num_requests = 0;
  int64_t num_alive = 0;
  int num_exhausted = 0;  // diagnostics
};

class FailingAllocator : public HostAllocator {
 public:
  explicit FailingAllocator(Counters* counters) : counters_(counters) {}
  void* AllocateBytes(size_t size, size_t alignment) override {
    if (counters_->num_requests++ == counters_->fail_at) return nullptr;
    void* block = size > kMaxBytes ? nullptr : malloc_->AllocateBytes(size, alignment);
    if (block != nullptr) ++counters_->num_alive;
    return block;
  }
  void DeallocateBytes(void* block, size_t size) override {
    if (block != nullptr) --counters_->num_alive;
    malloc_->DeallocateBytes(block, size);
  }

 private:
  static constexpr size_t kMaxBytes = size_t{16} << 20;
  Counters* counters_;
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

// Runs the program on a host of its own. Everything it made must be gone afterwards.
Counters RunWithFault(const CorpusProgram& program, int64_t fail_at) {
  Counters counters{.fail_at = fail_at};
  int64_t values_before = NumLiveAsyncValues();
  {
    BefRunner runner(std::make_unique<FailingAllocator>(&counters),
                     [&](const DecodedDiagnostic& diagnostic) {
                       if (diagnostic.status.code() == StatusCode::kResourceExhausted) {
                         ++counters.num_exhausted;
                       }
                     });
    runner.Run(program.bytes);
  }
  EXPECT_EQ(counters.num_alive, 0) << program.name << ", request " << fail_at << " failing";
  EXPECT_EQ(NumLiveAsyncValues(), values_before)
      << program.name << ", request " << fail_at << " failing";
  return counters;
}

TEST(AllocationFaultTest, EachRequestFailsOnceAndNothingIsLeft) {
  int64_t num_faults = 0;
  testing::internal::CaptureStdout();  // the programs print
  testing::internal::CaptureStderr();
  for (const CorpusProgram& program : ReadCorpus(SIZE_MAX)) {
    Counters clean = RunWithFault(program, kNever);
    for (int64_t request = 0; request < clean.num_requests; ++request) {
      Counters faulty = RunWithFault(program, request);
      if (faulty.num_requests <= request) continue;  // the budget of time ended it before
      ++num_faults;
      // Whoever has another way may ask once more, and gets it.
      EXPECT_TRUE(faulty.num_exhausted > clean.num_exhausted ||
                  faulty.num_requests == clean.num_requests + 1)
          << program.name << " says nothing of its failed request " << request;
    }
  }
  std::string output = testing::internal::GetCapturedStdout();
  std::string errors = testing::internal::GetCapturedStderr();
  if (HasFailure()) {
    std::fputs(output.c_str(), stdout);  // failures are told there
    std::fputs(errors.c_str(), stderr);
  }
  std::printf("%lld failed requests\n", static_cast<long long>(num_faults));
  EXPECT_GT(num_faults, 20);
}

}  // namespace
}  // namespace tfrt
