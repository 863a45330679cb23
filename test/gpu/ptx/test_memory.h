#ifndef TFRT_TEST_GPU_PTX_TEST_MEMORY_H_
#define TFRT_TEST_GPU_PTX_TEST_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "test/gpu/vendor/ptx/launch.h"
#include "test/gpu/vendor/ptx/memory.h"
#include "test/gpu/vendor/ptx/module.h"

namespace tfrt::gpu::ptx {

// Device memory of a test: allocations at addresses of its own, each byte known as defined or not.
class TestMemory final : public Memory {
 public:
  struct Touch {
    uint64_t begin;
    uint64_t end;
    Access access;
    bool operator==(const Touch&) const = default;
  };

  // The address of `size` bytes that nothing has written, a multiple of 256. Between allocations
  // lies nothing.
  uint64_t Allocate(uint64_t size, bool writable = true);
  // The same, with the bytes of `values`.
  template <class T>
  uint64_t Upload(std::span<const T> values) {
    uint64_t address = Allocate(values.size_bytes());
    Write(address, values.data(), values.size_bytes());
    return address;
  }
  void Write(uint64_t address, const void* bytes, uint64_t size);
  // The bytes of an allocation.
  template <class T>
  std::vector<T> Download(uint64_t address) {
    const Allocation& allocation = allocations_.at(address);
    const T* values = reinterpret_cast<const T*>(allocation.bytes.data());
    return std::vector<T>(values, values + allocation.bytes.size() / sizeof(T));
  }
  void Free(uint64_t address) { allocations_.erase(address); }
  const std::vector<Touch>& touched() const { return touched_; }

  std::optional<Region> Find(uint64_t address) override;
  void ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) override;
  void Touched(uint64_t begin, uint64_t end, Access access) override;

 private:
  struct Allocation {
    std::vector<std::byte> bytes;
    std::vector<uint64_t> defined;  // a bit for each byte
    bool writable = true;
  };
  static void Define(Allocation& allocation, uint64_t begin, uint64_t end);

  std::map<uint64_t, Allocation> allocations_;
  std::vector<Touch> touched_;
  uint64_t next_ = 0x7f1200000000;
};

// A module in memory: its variables have addresses and values.
class TestModule {
 public:
  // Fails the test if the text is refused.
  TestModule(std::string_view text, TestMemory& memory, bool contracts = false);

  bool ok() const { return module_ != nullptr; }
  const Module& module() const { return *module_; }
  uint64_t address_of(std::string_view variable) const {
    return addresses_[*module_->FindVariable(variable)];
  }

  // Arguments are laid out by the kernel's parameters; each has the size of its parameter.
  class Arguments {
   public:
    template <class... T>
    explicit Arguments(T... values) {
      (Add(&values, sizeof(values)), ...);
    }
    std::vector<std::byte> LayOut(const Entry& entry) const;

   private:
    void Add(const void* bytes, size_t size);
    std::vector<std::vector<std::byte>> values_;
  };
  LaunchResult Launch(std::string_view kernel, Dim3 grid, Dim3 block, const Arguments& arguments,
                      uint32_t dynamic_shared_bytes = 0, const LaunchLimits& limits = {},
                      bool cooperative = false);

 private:
  TestMemory& memory_;
  std::unique_ptr<const Module> module_;
  std::vector<uint64_t> addresses_;
};

// The text of all reports and the fault of a launch, a line each.
std::string Findings(const LaunchResult& result);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_TEST_MEMORY_H_
