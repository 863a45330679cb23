#include "kernel_runner.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "gtest/gtest.h"
#include "tfrt/gpu/device/device_code.h"

namespace tfrt::gpu {
namespace {

constexpr uint64_t kFirstAddress = uint64_t{1} << 40;
constexpr uint64_t kAlignment = 256;
constexpr uint64_t kGap = 4096;  // after each buffer: belongs to nobody

}  // namespace

KernelRunner::KernelRunner() : next_address_(kFirstAddress) {}
KernelRunner::~KernelRunner() = default;

Pointer KernelRunner::Allocate(size_t size, bool is_defined) {
  const uint64_t address = next_address_;
  next_address_ += (size + kGap + kAlignment - 1) / kAlignment * kAlignment;
  buffers_[address] = {std::make_unique<std::byte[]>(size), size,
                       std::vector<bool>(size, is_defined)};
  return {address};
}

KernelRunner::Buffer& KernelRunner::BufferAt(Pointer pointer) {
  auto found = buffers_.find(pointer.address);
  if (found == buffers_.end()) ADD_FAILURE() << "no buffer at " << pointer.address;
  return found->second;
}

void KernelRunner::ExpectDefined(Pointer pointer) {
  const Buffer& buffer = BufferAt(pointer);
  const auto first = std::find(buffer.is_defined.begin(), buffer.is_defined.end(), false);
  EXPECT_EQ(first, buffer.is_defined.end())
      << "byte " << first - buffer.is_defined.begin() << " of " << buffer.size << " is not written";
}

const ptx::Module* KernelRunner::Load(std::string_view family, std::string_view text) {
  auto found = modules_.find(family);
  if (found != modules_.end()) return found->second.get();
  auto parsed = ptx::Module::Parse(text);
  if (auto* error = std::get_if<ptx::ParseError>(&parsed)) {
    ADD_FAILURE() << family << ": " << error->Log();
    return nullptr;
  }
  auto& module = std::get<std::unique_ptr<const ptx::Module>>(parsed);
  EXPECT_TRUE(module->variables().empty()) << family << " has variables";
  return modules_.emplace(family, std::move(module)).first->second.get();
}

bool KernelRunner::RunKernel(std::string_view name, const DeviceLaunch& launch,
                             const std::vector<Argument>& arguments) {
  auto kernel = FindDeviceKernel(name);
  if (!kernel.ok()) {
    ADD_FAILURE() << kernel.status().ToString();
    return false;
  }
  const ptx::Module* module = Load(kernel->module->family, kernel->module->ptx);
  const ptx::Entry* entry = module ? module->FindEntry(name) : nullptr;
  if (!entry || entry->parameters.size() != arguments.size()) {
    ADD_FAILURE() << name << " takes other parameters: " << kernel->entry->parameters;
    return false;
  }
  std::vector<std::byte> parameters(entry->parameter_bytes);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ptx::Parameter& parameter = entry->parameters[i];
    EXPECT_EQ(parameter.size, arguments[i].size) << name << ": argument " << i;
    std::memcpy(parameters.data() + parameter.offset, arguments[i].bytes, parameter.size);
  }
  ptx::LaunchRequest request;
  request.entry = entry;
  request.grid = {launch.blocks, 1, 1};
  request.block = {launch.threads, 1, 1};
  request.parameters = parameters;
  const ptx::LaunchResult result = ptx::Launch(ptx::Instance(*module, {}), request, *this);
  if (result.fault) ADD_FAILURE() << name << ": " << result.fault->Text();
  for (const ptx::Fault& report : result.reports) ADD_FAILURE() << name << ": " << report.Text();
  return result.ok();
}

std::optional<ptx::Memory::Region> KernelRunner::Find(uint64_t address) {
  auto after = buffers_.upper_bound(address);
  if (after == buffers_.begin()) return std::nullopt;
  auto& [begin, buffer] = *std::prev(after);
  if (address >= begin + buffer.size) return std::nullopt;
  return Region{begin, begin + buffer.size, buffer.bytes.get(), true};
}

void KernelRunner::ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) {
  const auto& [first, buffer] = *std::prev(buffers_.upper_bound(begin));
  for (uint64_t i = 0; i < end - begin; ++i) {
    if (buffer.is_defined[begin - first + i]) bits[i / 64] |= uint64_t{1} << (i % 64);
  }
}

void KernelRunner::Touched(uint64_t begin, uint64_t end, ptx::Access access) {
  if (access == ptx::Access::kRead) return;
  auto& [first, buffer] = *std::prev(buffers_.upper_bound(begin));
  for (uint64_t i = begin - first; i < end - first; ++i) buffer.is_defined[i] = true;
}

}  // namespace tfrt::gpu
