// Random: the choices that a seed makes.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_RANDOM_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_RANDOM_H_

#include <cstdint>

namespace tfrt::gpu::cuda_double {

// splitmix64: short, and the same on every machine. Not thread-safe.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t number = state_ += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
  }
  // One of 0 to n - 1, where n is at least 1.
  uint64_t Below(uint64_t n) { return Next() % n; }

 private:
  uint64_t state_;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_RANDOM_H_
