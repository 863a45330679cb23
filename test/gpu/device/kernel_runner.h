// What tests of kernels are written with: buffers, launches by name, and a fixture that has both.
#ifndef TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_
#define TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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
  // Frees all buffers.
  void Clear() { buffers_.clear(); }

  // Launches a kernel with these arguments: Pointers and numbers, of the sizes that it declares.
  // False if anything went wrong.
  template <typename... Args>
  bool Run(std::string_view kernel, const DeviceLaunch& launch, Args... args) {
    return RunKernel(kernel, launch, {ArgumentOf(args)...});
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
                         std::vector<bool>(size, is_defined)};
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
