// Runs of a program while the test double of the driver fails.
#ifndef TFRT_TEST_GPU_FAULTS_FAULTY_RUNS_H_
#define TFRT_TEST_GPU_FAULTS_FAULTY_RUNS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/abi/cuda_driver_functions.h"
#include "gpu/abi/cuda_driver_table.h"
#include "test/gpu/support/raw_driver.h"

namespace tfrt::gpu::test {

// Base of tests on the double in this process.
template <typename Parameter>
class FaultyRuns : public testing::TestWithParam<Parameter> {
 protected:
  void SetUp() override {
    std::string why;
    driver_ = OpenRawDriver(&why);
    if (!driver_ || !driver_->is_double()) GTEST_SKIP() << "needs the test double: " << why;
  }

  // Runs `program`, which ends all that it makes, with these faults. Nothing may be reported, and
  // nothing may stay in the driver.
  template <typename Program>
  void RunWith(const std::string& faults, const Program& program) {
    EXPECT_EQ(0, driver_->inject(faults.c_str()));
    driver_->clear_calls();
    program();
    NoteCalls();
    EXPECT_EQ(0, driver_->inject(""));
    std::vector<std::string> reports = TakeReports(*driver_);
    // If the last wait before memory goes fails, it goes as it is.
    if (faults.find("cuStreamSynchronize") == std::string::npos) {
      EXPECT_EQ(std::vector<std::string>(), reports);
    }
    // A context that the driver does not end stays; a primary one can be ended later.
    if (faults.find("cuDevicePrimaryCtxRelease") != std::string::npos) {
      for (cuda::CUdevice device : {0, 1}) (void)driver_->cuDevicePrimaryCtxRelease_v2(device);
    }
    if (faults.find("cuCtxDestroy") != std::string::npos) ++num_contexts_left_;
    for (const char* kind : {"contexts", "streams", "events", "modules", "allocations", "pinned"}) {
      EXPECT_EQ(kind == std::string_view("contexts") ? num_contexts_left_ : 0,
                driver_->num_live(kind))
          << kind;
    }
  }

  // The functions that the last run has called, and how often.
  const std::vector<std::pair<std::string, uint64_t>>& calls() const { return calls_; }
  uint64_t NumCalls(const std::string& function) const {
    for (const auto& [name, count] : calls_) {
      if (name == function) return count;
    }
    return 0;
  }
  // What gives back has nobody to tell, as has what waits for a stream, which the runtime does by
  // an event until the context or the memory goes; and who only asks goes another way. A record
  // that a copy lacks is made by whoever waits for it.
  static bool MayPass(const std::string& function) {
    for (const char* part :
         {"Destroy", "Free", "Unload", "Unregister", "Release", "Query", "SetCurrent",
          "cuMemGetInfo", "cuStreamSynchronize", "cuEventRecord"}) {
      if (function.find(part) != std::string::npos) return true;
    }
    return false;
  }

  const RawDriver* driver_ = nullptr;

 private:
  void NoteCalls() {
    calls_.clear();
    for (const auto& function : cuda::kDriverFunctions) {
      uint64_t count = driver_->num_calls(function.name);
      if (count > 0) calls_.emplace_back(function.name, count);
    }
  }

  static inline uint64_t num_contexts_left_ = 0;  // of the process
  std::vector<std::pair<std::string, uint64_t>> calls_;
};

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_FAULTS_FAULTY_RUNS_H_
