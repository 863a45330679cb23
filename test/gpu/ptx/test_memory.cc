#include "test/gpu/ptx/test_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tfrt::gpu::ptx {

uint64_t TestMemory::Allocate(uint64_t size, bool writable) {
  uint64_t address = next_;
  next_ += (size + 4096 + 4095) / 4096 * 4096;
  Allocation& allocation = allocations_[address];
  allocation.bytes.resize(size, std::byte{0xcb});
  allocation.defined.resize((size + 63) / 64);
  allocation.writable = writable;
  return address;
}

void TestMemory::Write(uint64_t address, const void* bytes, uint64_t size) {
  Allocation& allocation = allocations_.at(address);
  if (size > 0) std::memcpy(allocation.bytes.data(), bytes, size);
  Define(allocation, 0, size);
}

void TestMemory::Define(Allocation& allocation, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end;) {
    if (i % 64 == 0 && end - i >= 64) {
      allocation.defined[i / 64] = ~uint64_t{0};
      i += 64;
    } else {
      allocation.defined[i / 64] |= uint64_t{1} << (i % 64);
      ++i;
    }
  }
}

std::optional<Memory::Region> TestMemory::Find(uint64_t address) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return std::nullopt;
  auto& [begin, allocation] = *--after;
  if (address - begin >= allocation.bytes.size()) return std::nullopt;
  return Region{begin, begin + allocation.bytes.size(), allocation.bytes.data(),
                allocation.writable};
}

void TestMemory::ReadDefined(uint64_t begin, uint64_t end, uint64_t* bits) {
  auto& [base, allocation] = *--allocations_.upper_bound(begin);
  // Pages begin at words of the bits.
  std::copy_n(allocation.defined.begin() + static_cast<ptrdiff_t>((begin - base) / 64),
              (end - begin + 63) / 64, bits);
}

void TestMemory::Touched(uint64_t begin, uint64_t end, Access access) {
  touched_.push_back({begin, end, access});
  if (access == Access::kRead) return;
  auto& [base, allocation] = *--allocations_.upper_bound(begin);
  Define(allocation, begin - base, end - base);
}

TestModule::TestModule(std::string_view text, TestMemory& memory, bool contracts)
    : memory_(memory) {
  auto parsed = Module::Parse(text, contracts);
  if (auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->Log();
    return;
  }
  module_ = std::move(std::get<std::unique_ptr<const Module>>(parsed));
  for (const Variable& variable : module_->variables()) {
    addresses_.push_back(memory.Allocate(variable.size, !variable.constant));
  }
  for (size_t i = 0; i < addresses_.size(); ++i) {
    std::vector<std::byte> bytes = module_->InitialBytes(i, addresses_);
    memory.Write(addresses_[i], bytes.data(), bytes.size());
  }
}

void TestModule::Arguments::Add(const void* bytes, size_t size) {
  const auto* begin = static_cast<const std::byte*>(bytes);
  values_.emplace_back(begin, begin + size);
}

std::vector<std::byte> TestModule::Arguments::LayOut(const Entry& entry) const {
  std::vector<std::byte> buffer(entry.parameter_bytes);
  EXPECT_EQ(values_.size(), entry.parameters.size()) << entry.name;
  for (size_t i = 0; i < values_.size() && i < entry.parameters.size(); ++i) {
    EXPECT_EQ(values_[i].size(), entry.parameters[i].size) << entry.parameters[i].name;
    size_t size = std::min<size_t>(values_[i].size(), entry.parameters[i].size);
    std::memcpy(buffer.data() + entry.parameters[i].offset, values_[i].data(), size);
  }
  return buffer;
}

LaunchResult TestModule::Launch(std::string_view kernel, Dim3 grid, Dim3 block,
                                const Arguments& arguments, uint32_t dynamic_shared_bytes,
                                const LaunchLimits& limits, bool cooperative) {
  LaunchResult failed;
  failed.fault.emplace();
  if (!ok()) return failed;
  const Entry* entry = module_->FindEntry(kernel);
  if (entry == nullptr) {
    ADD_FAILURE() << "no kernel '" << kernel << "'";
    return failed;
  }
  Instance instance(*module_, addresses_);
  std::vector<std::byte> parameters = arguments.LayOut(*entry);
  LaunchRequest request;
  request.entry = entry;
  request.grid = grid;
  request.block = block;
  request.dynamic_shared_bytes = dynamic_shared_bytes;
  request.cooperative = cooperative;
  request.parameters = parameters;
  return ptx::Launch(instance, request, memory_, limits);
}

std::string Findings(const LaunchResult& result) {
  std::string text;
  if (result.fault) text += result.fault->Text() + "\n";
  for (const Fault& report : result.reports) text += report.Text() + "\n";
  return text;
}

}  // namespace tfrt::gpu::ptx
