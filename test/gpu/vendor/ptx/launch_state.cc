#include "launch_state.h"

#include <algorithm>

namespace tfrt::gpu::ptx {

LaunchState::LaunchState(const Instance& instance, const LaunchRequest& request, Memory& memory,
                         const LaunchLimits& limits)
    : program_(instance.module().program()),
      request_(request),
      limits_(limits),
      function_(
          program_.entry_functions[static_cast<size_t>(request.entry - program_.entries.data())]),
      global_(memory),
      constants_(new uint64_t[program_.constants.size() * kWarpLanes]) {
  // Only what this kernel can reach is written, and so becomes real memory.
  std::vector<bool> seen(program_.functions.size());
  FillConstants(function_, seen, instance.addresses());
}

void LaunchState::FillConstants(uint32_t first, std::vector<bool>& seen,
                                std::span<const uint64_t> addresses) {
  std::vector<uint32_t> work = {first};
  seen[first] = true;
  while (!work.empty()) {
    const Function& function = program_.functions[work.back()];
    work.pop_back();
    for (uint32_t i = function.first_constant; i < function.end_constant; ++i) {
      std::fill_n(constants_.get() + i * kWarpLanes, kWarpLanes,
                  ValueOf(program_.constants[i], addresses));
    }
    for (uint32_t callee : function.callees) {
      if (!seen[callee]) work.push_back(callee);
      seen[callee] = true;
    }
  }
  // Addresses of functions may come out of memory, too, where initialisers or other kernels have
  // put them.
  bool has_addresses =
      std::any_of(program_.initial.begin(), program_.initial.end(),
                  [&](const VariableBytes& bytes) {
                    return std::any_of(bytes.relocations.begin(), bytes.relocations.end(),
                                       [](const Relocation& it) { return it.is_function; });
                  }) ||
      std::any_of(program_.constants.begin(), program_.constants.end(),
                  [](const Constant& it) { return it.kind == Constant::Kind::kFunction; });
  if (!has_addresses) return;
  for (uint32_t i = 0; i < program_.functions.size(); ++i) {
    if (program_.functions[i].kind != Function::Kind::kDevice || seen[i]) continue;
    FillConstants(i, seen, addresses);
  }
}

uint64_t LaunchState::ValueOf(const Constant& constant, std::span<const uint64_t> addresses) const {
  switch (constant.kind) {
    case Constant::Kind::kValue:
      return constant.value;
    case Constant::Kind::kVariable:
      return addresses[constant.index] + constant.value;
    case Constant::Kind::kFunction:
      return FunctionAddress(constant.index) + constant.value;
    case Constant::Kind::kDynamicShared:
      return layout().dynamic_offset + constant.value;
    case Constant::Kind::kShared:
      break;
  }
  const auto& offsets = layout().offsets;
  auto found =
      std::lower_bound(offsets.begin(), offsets.end(), constant.index,
                       [](const auto& entry, uint32_t index) { return entry.first < index; });
  // A function of another kernel's may name what this kernel has no room for.
  if (found == offsets.end() || found->first != constant.index) return kSharedWindow - 1;
  return found->second + constant.value;
}

void LaunchState::Report(Fault fault) {
  if (EndsLaunch(fault.kind)) {
    if (!result_.fault) result_.fault = std::move(fault);
    return;
  }
  ++result_.num_reports;
  for (const Fault& known : result_.reports) {
    if (known.kind == fault.kind && known.line == fault.line) return;
  }
  if (result_.reports.size() < limits_.reports) result_.reports.push_back(std::move(fault));
}

}  // namespace tfrt::gpu::ptx
