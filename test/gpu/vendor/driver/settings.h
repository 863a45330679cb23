// Settings: what TFRT_GPU_DOUBLE asks of the test double.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_SETTINGS_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_SETTINGS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::gpu::cuda_double {

enum class Mode : uint8_t {
  kLazy,     // device work happens only while the host waits or queries
  kThreads,  // on worker threads, at once
  kInline,   // at the call
  kNull,     // never: calls are checked and counted
};

// Makes the n-th call of a function, the n-th launch of a kernel or the n-th command of a device
// fail with this code. The `name` is the function's exported name, the kernel's, or the device's
// number.
struct Fault {
  std::string name;
  uint64_t nth = 0;  // from 1
  int code = 0;
  bool of_context = false;  // of a kernel: other contexts go on
  uint64_t num_seen = 0;    // of what it waits for, so far

  // One more has come. Whether it is the one.
  bool Strikes() { return ++num_seen == nth; }
};
struct Faults {
  std::vector<Fault> calls, kernels, devices;
};

struct Settings {
  Mode mode = Mode::kLazy;
  uint64_t seed = 1;
  int num_devices = 1;
  uint64_t memory_bytes = uint64_t{1} << 30;  // of each device
  int major = 9, minor = 0;                   // compute capability
  int num_workers = 4;                        // kThreads
  bool allows_own_writes_after_nc = false;    // see ptx::LaunchLimits
  bool contracts = false;                     // products and sums that PTX lets be fused are
  std::string log_path;                       // empty: no log
  Faults faults;
  std::map<std::string, uint64_t, std::less<>> versions;  // of other libraries, by name
};

// Reads `key=value` pairs with commas between them:
//   mode=lazy|threads|inline|null, seed=N, devices=0..16, memory=BYTES[K|M|G], cc=MAJOR.MINOR,
//   workers=1..64, contract=on|off, nc=own|none, log=FILE, fail=FUNCTION:N:CODE,
//   fault=KERNEL:N:CODE[:context], lost=DEVICE:N:CODE, version=LIBRARY:NUMBER
// The last four may be given again and again. Returns an empty string, or what is wrong, and then
// leaves `settings` partly read. Function names are checked by the caller, who knows them.
std::string ParseSettings(std::string_view text, Settings* settings);

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_SETTINGS_H_
