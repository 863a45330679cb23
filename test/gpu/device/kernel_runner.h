// What tests of kernels are written with: buffers, launches by name, and a fixture that has both.
#ifndef TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_
#define TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gpu/device_code/device_code.h"
#include "gpu/device_code/launch.h"
#include "gtest/gtest.h"
#include "kernel_machine.h"

namespace tfrt::gpu {

// The name of a buffer.
struct Pointer {
  uint64_t address = 0;  // 0: null

  // So many bytes into the buffer.
  friend Pointer operator+(Pointer pointer, uint64_t bytes) { return {pointer.address + bytes}; }
};

// Runs the library's device code, the very bytes that a driver gets. What goes wrong is a failure
// of the current test. One thread.
class KernelRunner {
 public:
  // A buffer with these elements.
  template <typename T>
  Pointer In(const std::vector<T>& elements) {
    Pointer pointer = Allocate(elements.size() * sizeof(T), true);
    if (!elements.empty()) {
      std::memcpy(At(pointer).bytes.get(), elements.data(), elements.size() * sizeof(T));
    }
    return pointer;
  }
  // A buffer whose elements have no value.
  template <typename T>
  Pointer Out(size_t count) {
    return Allocate(count * sizeof(T), false);
  }
  // The elements of a buffer, which all must have values.
  template <typename T>
  std::vector<T> Read(Pointer pointer) {
    const KernelBuffer& buffer = At(pointer);
    const auto first = std::find(buffer.is_defined.begin(), buffer.is_defined.end(), false);
    EXPECT_EQ(first, buffer.is_defined.end()) << "byte " << first - buffer.is_defined.begin()
                                              << " of " << buffer.size << " is not written";
    std::vector<T> elements(buffer.size / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), buffer.bytes.get(), buffer.size);
    return elements;
  }
  // Memory of so many bytes for what one kernel leaves for another.
  Pointer Scratch(int64_t size) {
    const Pointer pointer = Allocate(static_cast<size_t>(size), false);
    At(pointer).is_scratch = true;
    return pointer;
  }
  // Frees all buffers.
  void Clear() { buffers_.clear(); }

  // Launches a kernel with these arguments: Pointers and numbers, of the sizes that it declares.
  // False if anything went wrong.
  template <typename... Args>
  bool Run(std::string_view kernel, const DeviceLaunch& launch, Args... args) {
    return RunKernel(kernel, launch, {ArgumentOf(args)...});
  }
  // Reduces in [outer,size,inner] to out [outer,inner] as PlanReduction says, or with so many times
  // its blocks. `suffix` is the type, and that of places.
  bool Reduce(const std::string& op, const std::string& suffix, Pointer out, Pointer in,
              int64_t outer, int64_t size, int64_t inner, double of_grid = 1) {
    ReductionLaunch plan = PlanReduction(outer, size, inner);
    for (DeviceLaunch* launch : {&plan.first, &plan.combine}) {
      launch->blocks = static_cast<uint32_t>(std::ceil(launch->blocks * of_grid));
    }
    const Pointer scratch = plan.parts > 1 ? Scratch(plan.scratch_bytes) : out;
    if (!Run(op + "_" + suffix, plan.first, scratch, in, outer, size, inner, plan.parts)) {
      return false;
    }
    return plan.parts == 1 ||
           Run(op + "_parts_" + suffix, plan.combine, out, scratch, outer, size, inner, plan.parts);
  }
  // Multiplies as PlanMatMul says, or with so many times its blocks. `out` [batch,m,n].
  bool MatMul(const std::string& type, Pointer out, Pointer a, Pointer b, Pointer bias,
              int64_t batch, int64_t m, int64_t n, int64_t k, int64_t a_step, int64_t b_step,
              int32_t transposed, MatMulActivation activation, double of_grid = 1) {
    MatMulLaunch plan = PlanMatMul(batch, m, n, k);
    for (DeviceLaunch* launch : {&plan.first, &plan.combine}) {
      launch->blocks = static_cast<uint32_t>(std::ceil(launch->blocks * of_grid));
    }
    const auto act = static_cast<int32_t>(activation);
    const Pointer scratch = plan.parts > 1 ? Scratch(plan.scratch_bytes) : out;
    if (!Run((plan.has_few_rows ? "matmul_few_rows_" : "matmul_") + type, plan.first, scratch, a, b,
             bias, batch, m, n, k, a_step, b_step, transposed, act, plan.parts)) {
      return false;
    }
    return plan.parts == 1 || Run("matmul_parts_" + type, plan.combine, out, scratch, bias, batch,
                                  m, n, act, plan.parts);
  }

 private:
  static constexpr uint64_t kFirstAddress = uint64_t{1} << 40;
  static constexpr uint64_t kAlignment = 256;
  static constexpr uint64_t kGap = 4096;  // after each buffer: belongs to nobody

  template <typename T>
  static KernelArgument ArgumentOf(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
    KernelArgument argument;
    std::memcpy(argument.bytes, &value, sizeof(T));
    argument.size = sizeof(T);
    argument.is_pointer = std::is_same_v<T, Pointer>;
    return argument;
  }

  Pointer Allocate(size_t size, bool is_defined) {
    const uint64_t address = next_address_;
    next_address_ += (size + kGap + kAlignment - 1) / kAlignment * kAlignment;
    buffers_[address] = {std::make_unique<std::byte[]>(size), size,
                         std::vector<bool>(size, is_defined), false};
    return {address};
  }
  KernelBuffer& At(Pointer pointer) { return buffers_.at(pointer.address); }

  bool RunKernel(std::string_view name, const DeviceLaunch& launch,
                 const std::vector<KernelArgument>& arguments) {
    auto kernel = FindDeviceKernel(name);
    auto machine = GetKernelMachine();
    EXPECT_TRUE(kernel.ok()) << kernel.status().ToString();
    EXPECT_TRUE(machine.ok()) << machine.status().ToString();
    if (!kernel.ok() || !machine.ok()) return false;
    const auto errors = (*machine)->Run(*kernel, launch, arguments, buffers_);
    for (const std::string& error : errors) ADD_FAILURE() << name << ": " << error;
    return errors.empty();
  }

  KernelBuffers buffers_;
  uint64_t next_address_ = kFirstAddress;
};

// Skipped without device code, and where there is nothing to run it.
class KernelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (DeviceModules().empty()) GTEST_SKIP() << "built without the compiler for device code";
    auto machine = GetKernelMachine();
    if (IsNotFound(machine.status())) GTEST_SKIP() << machine.status().message();
    ASSERT_TRUE(machine.ok()) << machine.status().ToString();
  }

  KernelRunner runner_;

 private:
  static bool IsNotFound(const Status& status) { return status.code() == StatusCode::kNotFound; }
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_
