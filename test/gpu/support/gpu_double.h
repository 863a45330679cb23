// The test double's driver in this process: its reports, and what it was asked to do.
#ifndef TFRT_TEST_GPU_SUPPORT_GPU_DOUBLE_H_
#define TFRT_TEST_GPU_SUPPORT_GPU_DOUBLE_H_

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/wrapper/cuda_driver.h"

namespace tfrt::gpu {

// Opened once in a process, with the settings of TFRT_GPU_DOUBLE or, without, those below. With
// TFRT_TEST_GPU_DRIVER=found it is whichever driver is found. One of a GPU reports nothing, and
// counts nothing.
class GpuDouble {
 public:
  static GpuDouble& Get() {
    static GpuDouble& one = *new GpuDouble;
    return one;
  }

  const cuda::Driver& driver() const { return *driver_; }
  bool is_double() const { return inject_ != nullptr; }

  std::vector<std::string> TakeReports() {
    std::vector<std::string> reports;
    if (!num_reports_) return reports;
    for (size_t i = 0; i < num_reports_(); ++i) {
      std::string text(4096, '\0');
      text.resize(std::min(report_(i, text.data(), text.size()), text.size()));
      reports.push_back(std::move(text));
    }
    clear_reports_();
    return reports;
  }
  uint64_t NumCalls(const char* function) const { return num_calls_ ? num_calls_(function) : 0; }
  void ClearCalls() {
    if (clear_calls_) clear_calls_();
  }
  uint64_t NumLive(const char* kind) const { return num_live_ ? num_live_(kind) : 0; }
  // Makes a call fail: see docs/reference/gpu_double.md. "" takes that back. Only on the double.
  int Inject(const char* fault) { return inject_(fault); }

 private:
  GpuDouble() {
    setenv("TFRT_GPU_DOUBLE", "mode=lazy,seed=1,devices=2,memory=512M", /*overwrite=*/0);
    const char* which = std::getenv("TFRT_TEST_GPU_DRIVER");
    const bool is_found = which && which == std::string_view("found");
    // Doubles of other libraries lie beside that of the driver. Real ones must not meet it.
    if (!is_found) setenv("TFRT_GPU_LIBRARY_PATH", TFRT_TEST_GPU_DOUBLE_DIR, /*overwrite=*/0);
    StatusOr<const cuda::Driver*> driver =
        is_found ? cuda::Driver::Get()
                 : cuda::Driver::Open({.before_loader = {{TFRT_TEST_GPU_DOUBLE_DIR, "the test"}},
                                       .loader = false});
    EXPECT_TRUE(driver.ok()) << driver.status().ToString();
    driver_ = *driver;
    void* library = dlopen(driver_->path().c_str(), RTLD_NOW | RTLD_NOLOAD);
    Find(library, "tfrtDoubleNumReports", &num_reports_);
    Find(library, "tfrtDoubleReport", &report_);
    Find(library, "tfrtDoubleClearReports", &clear_reports_);
    Find(library, "tfrtDoubleNumCalls", &num_calls_);
    Find(library, "tfrtDoubleClearCalls", &clear_calls_);
    Find(library, "tfrtDoubleNumLive", &num_live_);
    Find(library, "tfrtDoubleInject", &inject_);
    EXPECT_TRUE(is_found || inject_) << driver_->path() << " is not the test double";
  }
  template <typename F>
  static void Find(void* library, const char* name, F** function) {
    *function = reinterpret_cast<F*>(dlsym(library, name));
  }

  const cuda::Driver* driver_;
  size_t (*num_reports_)();
  size_t (*report_)(size_t, char*, size_t);
  void (*clear_reports_)();
  uint64_t (*num_calls_)(const char*);
  void (*clear_calls_)();
  uint64_t (*num_live_)(const char*);
  int (*inject_)(const char*);
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_SUPPORT_GPU_DOUBLE_H_
