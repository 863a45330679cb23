// Kernels by a driver: that of a GPU, or the one that takes its place.

#include <cstring>
#include <functional>
#include <utility>

#include "gpu/wrapper/cuda_context.h"
#include "gpu/wrapper/cuda_driver.h"
#include "gpu/wrapper/cuda_status.h"
#include "kernel_machine.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

class DriverMachine : public KernelMachine {
 public:
  static StatusOr<KernelMachine*> Open() {
    TFRT_ASSIGN_OR_RETURN(const cuda::Driver* driver, cuda::Driver::Get());
    TFRT_ASSIGN_OR_RETURN(cuda::CUdevice device, driver->FindDevice(0));
    TFRT_ASSIGN_OR_RETURN(auto context, cuda::Context::RetainPrimary(driver->table(), device));
    return new DriverMachine(driver->table(), std::move(context));
  }

  std::vector<std::string> Run(const DeviceKernel& kernel, const DeviceLaunch& launch,
                               std::span<const KernelArgument> arguments,
                               KernelBuffers& buffers) override {
    std::vector<Copy> copies;
    Status status = Launch(kernel, launch, {arguments.begin(), arguments.end()}, buffers, &copies);
    for (const Copy& copy : copies) {
      if (copy.address) driver_.cuMemFree_v2(copy.address);
    }
    if (status.ok()) return {};
    return {std::string(status.message())};
  }

 private:
  // A buffer on the device.
  struct Copy {
    uint64_t name = 0;
    cuda::CUdeviceptr address = 0;
    KernelBuffer* buffer = nullptr;
  };

  DriverMachine(const cuda::DriverTable& driver, std::unique_ptr<cuda::Context> context)
      : driver_(driver), context_(std::move(context)) {}

  Status Call(cuda::CUresult result, std::string_view what) {
    return cuda::StatusOf(driver_, result, what);
  }

  // Whatever happens, `copies` has what is to be freed.
  Status Launch(const DeviceKernel& kernel, const DeviceLaunch& launch,
                std::vector<KernelArgument> arguments, KernelBuffers& buffers,
                std::vector<Copy>* copies) {
    TFRT_RETURN_IF_ERROR(context_->MakeCurrent());
    TFRT_ASSIGN_OR_RETURN(cuda::CUmodule module, Load(*kernel.module));
    cuda::CUfunction function = nullptr;
    const std::string name(kernel.entry->name);
    TFRT_RETURN_IF_ERROR(
        Call(driver_.cuModuleGetFunction(&function, module, name.c_str()), "cuModuleGetFunction"));
    std::vector<void*> pointers;
    for (KernelArgument& argument : arguments) {
      if (argument.is_pointer) TFRT_RETURN_IF_ERROR(Upload(&argument, buffers, copies));
      pointers.push_back(argument.bytes);
    }
    TFRT_RETURN_IF_ERROR(Call(driver_.cuLaunchKernel(function, launch.blocks, 1, 1, launch.threads,
                                                     1, 1, 0, nullptr, pointers.data(), nullptr),
                              "cuLaunchKernel"));
    TFRT_RETURN_IF_ERROR(Call(driver_.cuCtxSynchronize(), "cuCtxSynchronize"));
    for (const Copy& copy : *copies) {
      if (copy.buffer->size == 0) continue;
      TFRT_RETURN_IF_ERROR(Call(driver_.cuMemcpyDtoHAsync_v2(copy.buffer->bytes.get(), copy.address,
                                                             copy.buffer->size, nullptr),
                                "cuMemcpyDtoHAsync_v2"));
      copy.buffer->is_defined.assign(copy.buffer->size, true);
    }
    return Call(driver_.cuCtxSynchronize(), "cuCtxSynchronize");
  }

  // Makes the name of a buffer, or a place within it, the address in its copy on the device. What
  // has no value is not copied.
  Status Upload(KernelArgument* argument, KernelBuffers& buffers, std::vector<Copy>* copies) {
    uint64_t name;
    std::memcpy(&name, argument->bytes, sizeof(name));
    if (name == 0) return OkStatus();
    auto found = buffers.upper_bound(name);
    if (found == buffers.begin()) return InternalError(StrCat("there is no buffer ", name));
    --found;
    const uint64_t offset = name - found->first;
    auto set_address = [&](const Copy& copy) {
      const uint64_t address = copy.address + offset;
      std::memcpy(argument->bytes, &address, sizeof(address));
    };
    for (const Copy& copy : *copies) {
      if (copy.name != found->first) continue;
      set_address(copy);
      return OkStatus();
    }
    Copy& copy = copies->emplace_back(Copy{found->first, 0, &found->second});
    const size_t size = copy.buffer->size;
    TFRT_RETURN_IF_ERROR(
        Call(driver_.cuMemAlloc_v2(&copy.address, size == 0 ? 1 : size), "cuMemAlloc_v2"));
    set_address(copy);
    if (size == 0 || !(copy.buffer->is_defined[0] || copy.buffer->is_scratch)) return OkStatus();
    return Call(driver_.cuMemcpyHtoDAsync_v2(copy.address, copy.buffer->bytes.get(), size, nullptr),
                "cuMemcpyHtoDAsync_v2");
  }

  StatusOr<cuda::CUmodule> Load(const DeviceModule& module) {
    cuda::CUmodule& loaded = modules_[std::string(module.family)];
    if (loaded) return loaded;
    TFRT_RETURN_IF_ERROR(
        Call(driver_.cuModuleLoadDataEx(&loaded, module.ptx.data(), 0, nullptr, nullptr),
             StrCat("cuModuleLoadDataEx of ", module.family)));
    return loaded;
  }

  const cuda::DriverTable& driver_;
  const std::unique_ptr<cuda::Context> context_;
  std::map<std::string, cuda::CUmodule> modules_;
};

}  // namespace

StatusOr<KernelMachine*> GetKernelMachine() {
  static const auto* const machine = new StatusOr<KernelMachine*>(DriverMachine::Open());
  return *machine;
}

}  // namespace tfrt::gpu
