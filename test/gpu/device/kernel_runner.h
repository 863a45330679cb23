// Runs the library's device code, the very bytes that a driver would get, on the executor of PTX,
// which checks each access.
#ifndef TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_
#define TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gpu/double/ptx/launch.h"
#include "gpu/double/ptx/memory.h"
#include "gpu/double/ptx/module.h"
#include "tfrt/gpu/device/launch.h"

namespace tfrt::gpu {

// The name of a buffer on the device.
struct Pointer {
  uint64_t address = 0;  // 0: null
};

// Device memory and modules. Failures are reported as failures of the current test. One thread.
class KernelRunner : private ptx::Memory {
 public:
  KernelRunner();
  ~KernelRunner() override;

  // A buffer with these elements.
  template <typename T>
  Pointer In(const std::vector<T>& elements) {
    Pointer pointer = Allocate(elements.size() * sizeof(T), true);
    std::memcpy(Bytes(pointer), elements.data(), elements.size() * sizeof(T));
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
    std::vector<T> elements(SizeOf(pointer) / sizeof(T));
    ExpectDefined(pointer);
    std::memcpy(elements.data(), Bytes(pointer), elements.size() * sizeof(T));
    return elements;
  }
  // Frees all buffers.
  void Clear() { buffers_.clear(); }

  // Launches a kernel with these arguments: Pointers and numbers, of the sizes that it declares.
  // Any report of the executor is a failure. False if there was one.
  template <typename... Args>
  bool Run(std::string_view kernel, const DeviceLaunch& launch, Args... args) {
    return RunKernel(kernel, launch, {Argument::Of(args)...});
  }

 private:
  struct Argument {
    std::byte bytes[8] = {};
    size_t size = 0;

    template <typename T>
    static Argument Of(const T& value) {
      static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
      Argument argument;
      std::memcpy(argument.bytes, &value, sizeof(T));
      argument.size = sizeof(T);
      return argument;
    }
  };
  struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
    std::vector<bool> is_defined;  // of bytes
  };

  Pointer Allocate(size_t size, bool is_defined);
  Buffer& BufferAt(Pointer pointer);
  std::byte* Bytes(Pointer pointer) { return BufferAt(pointer).bytes.get(); }
  size_t SizeOf(Pointer pointer) { return BufferAt(pointer).size; }
  void ExpectDefined(Pointer pointer);
  bool RunKernel(std::string_view kernel, const DeviceLaunch& launch,
                 const std::vector<Argument>& arguments);
  const ptx::Module* Load(std::string_view family, std::string_view text);

  std::optional<Region> Find(uint64_t address) override;
  void ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) override;
  void Touched(uint64_t begin, uint64_t end, ptx::Access access) override;

  std::map<uint64_t, Buffer> buffers_;  // by address
  std::map<std::string, std::unique_ptr<const ptx::Module>, std::less<>> modules_;
  uint64_t next_address_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_KERNEL_RUNNER_H_
