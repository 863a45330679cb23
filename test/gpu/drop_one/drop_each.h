// Leaves out one wait of a program after the other.
#ifndef TFRT_TEST_GPU_DROP_ONE_DROP_EACH_H_
#define TFRT_TEST_GPU_DROP_ONE_DROP_EACH_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "test/gpu/drop_one/dropping_driver.h"
#include "test/gpu/support/raw_driver.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::test {

// A run of a program, of which one call may have been left out.
struct DropOutcome {
  Status status;
  std::vector<std::string> calls, reports;
  std::set<int> used;

  // Calls of the program so far; later ones are of no interest.
  void NoteCalls(const DroppingDriver& dropping) {
    calls = dropping.calls();
    used = dropping.used();
  }
};

// Runs the program in contexts of its own, and without the call number `dropped`; -1: with all.
using DroppingProgram = std::function<DropOutcome(const RawDriver& driver, int dropped)>;

inline void ExpectNoReportWithoutADrop(const RawDriver& driver, const DroppingProgram& program) {
  DropOutcome outcome = program(driver, -1);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_EQ(std::vector<std::string>(), outcome.reports);
  EXPECT_GE(outcome.used.size(), 1u);
}

// All waits are left out, and all records that are waited for; with `only_of_streams` only the
// waits of streams. The double must report what is not ordered any more, or the numbers must be
// wrong.
inline void ExpectEachDropIsNoticed(const RawDriver& driver, const DroppingProgram& program,
                                    bool only_of_streams) {
  const size_t num_calls = program(driver, -1).calls.size();
  size_t num_noticed = 0;
  for (size_t i = 0; i < num_calls; ++i) {
    // Numbers that are right by luck do not tell: the other thread was faster. So a drop that is
    // not noticed is tried again.
    constexpr int kTries = 4;
    DropOutcome outcome;
    bool counts = false, is_noticed = false;
    for (int n = 0; n < kTries && !is_noticed; ++n) {
      outcome = program(driver, static_cast<int>(i));
      // By its own account: the host asks before it waits, so that not all runs make the same
      // calls.
      counts = outcome.used.contains(static_cast<int>(i)) &&
               !(only_of_streams && outcome.calls[i] != "cuStreamWaitEvent");
      is_noticed = !counts || !outcome.reports.empty() || !outcome.status.ok();
    }
    if (!counts) continue;
    ++num_noticed;
    EXPECT_TRUE(is_noticed) << "call " << i << ", " << outcome.calls[i] << ", was left out of "
                            << testing::PrintToString(outcome.calls);
  }
  EXPECT_GE(num_noticed, 1u);
}

}  // namespace tfrt::gpu::test

#endif  // TFRT_TEST_GPU_DROP_ONE_DROP_EACH_H_
