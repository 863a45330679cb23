// Kernels on the executor of PTX, which reports each access outside of a buffer, each read of what
// was not written, each race in shared memory.

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "kernel_machine.h"
#include "test/gpu/vendor/ptx/launch.h"
#include "test/gpu/vendor/ptx/memory.h"
#include "test/gpu/vendor/ptx/module.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

class BufferMemory : public ptx::Memory {
 public:
  explicit BufferMemory(KernelBuffers& buffers) : buffers_(buffers) {}

  std::optional<Region> Find(uint64_t address) override {
    auto after = buffers_.upper_bound(address);
    if (after == buffers_.begin()) return std::nullopt;
    auto& [begin, buffer] = *std::prev(after);
    if (address >= begin + buffer.size) return std::nullopt;
    return Region{begin, begin + buffer.size, buffer.bytes.get(), true};
  }
  void ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) override {
    const auto& [first, buffer] = *std::prev(buffers_.upper_bound(begin));
    for (uint64_t i = 0; i < end - begin; ++i) {
      if (buffer.is_defined[begin - first + i]) bits[i / 64] |= uint64_t{1} << (i % 64);
    }
  }
  void Touched(uint64_t begin, uint64_t end, ptx::Access access) override {
    if (access == ptx::Access::kRead) return;
    auto& [first, buffer] = *std::prev(buffers_.upper_bound(begin));
    for (uint64_t i = begin - first; i < end - first; ++i) buffer.is_defined[i] = true;
  }

 private:
  KernelBuffers& buffers_;
};

class ExecutorMachine : public KernelMachine {
 public:
  std::vector<std::string> Run(const DeviceKernel& kernel, const DeviceLaunch& launch,
                               std::span<const KernelArgument> arguments,
                               KernelBuffers& buffers) override {
    std::vector<std::string> errors;
    const ptx::Module* module = Load(*kernel.module, &errors);
    if (!module) return errors;
    const ptx::Entry* entry = module->FindEntry(kernel.entry->name);
    if (!entry || entry->parameters.size() != arguments.size()) return {"other parameters"};
    std::vector<std::byte> parameters(entry->parameter_bytes);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ptx::Parameter& parameter = entry->parameters[i];
      if (parameter.size != arguments[i].size) return {StrCat("argument ", i, " has another size")};
      std::memcpy(parameters.data() + parameter.offset, arguments[i].bytes, parameter.size);
    }
    ptx::LaunchRequest request;
    request.entry = entry;
    request.grid = {launch.blocks, 1, 1};
    request.block = {launch.threads, 1, 1};
    request.parameters = parameters;
    BufferMemory memory(buffers);
    const ptx::LaunchResult result = ptx::Launch(ptx::Instance(*module, {}), request, memory);
    last_traffic_ = {result.traffic.read_bytes, result.traffic.written_bytes,
                     result.traffic.sectors * 32};
    if (result.fault) errors.push_back(result.fault->Text());
    for (const ptx::Fault& report : result.reports) errors.push_back(report.Text());
    return errors;
  }
  KernelTraffic last_traffic() const override { return last_traffic_; }

 private:
  const ptx::Module* Load(const DeviceModule& module, std::vector<std::string>* errors) {
    auto found = modules_.find(module.family);
    if (found != modules_.end()) return found->second.get();
    auto parsed = ptx::Module::Parse(module.ptx);
    if (auto* error = std::get_if<ptx::ParseError>(&parsed)) {
      errors->push_back(error->Log());
      return nullptr;
    }
    auto& loaded = std::get<std::unique_ptr<const ptx::Module>>(parsed);
    if (!loaded->variables().empty()) {
      errors->push_back("the module has variables");
      return nullptr;
    }
    return modules_.emplace(module.family, std::move(loaded)).first->second.get();
  }

  std::map<std::string, std::unique_ptr<const ptx::Module>, std::less<>> modules_;
  KernelTraffic last_traffic_;
};

}  // namespace

StatusOr<KernelMachine*> GetKernelMachine() {
  static auto* const machine = new ExecutorMachine;
  return machine;
}

}  // namespace tfrt::gpu
