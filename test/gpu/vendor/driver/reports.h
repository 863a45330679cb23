// Reports: what the double has found wrong with the program that uses it.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_REPORTS_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_REPORTS_H_

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace tfrt::gpu::cuda_double {

// Each report is a defect of the caller, printed on standard error at once. A program that ends
// with reports which nobody has cleared ends with kExitCode, so that a test cannot pass in spite of
// them. Thread-safe.
class Reports {
 public:
  static constexpr int kExitCode = 70;
  static constexpr size_t kMaxKept = 1000;  // later ones are counted only

  void Add(std::string text);
  size_t count() const;
  // Report `index`, from 0; empty if it is not kept.
  std::string Get(size_t index) const;
  void Clear();

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
  size_t count_ = 0;
};

// The process's. Never destroyed.
Reports& TheReports();

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_REPORTS_H_
