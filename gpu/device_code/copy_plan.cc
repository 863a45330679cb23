#include "copy_plan.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <functional>
#include <numeric>

#include "lib/base/support/inline_vector.h"

namespace tfrt::gpu {
namespace {

template <size_t rank>
int64_t ProductOf(const std::array<int64_t, rank>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

}  // namespace

int64_t UnitBytes(uint64_t bytes, uint64_t addresses, int64_t most) {
  assert(most <= 16);
  const uint64_t all = bytes | addresses;
  int64_t unit = 1;
  while (unit < most && (all & static_cast<uint64_t>(unit)) == 0) unit *= 2;
  return unit;
}

int64_t CopyPlan::num_units() const { return ProductOf(sizes); }
int64_t PadPlan::num_units() const { return ProductOf(sizes); }

std::optional<CopyPlan> PlanCopy(std::span<const CopyDim> dims, int64_t element_bytes,
                                 uint64_t addresses) {
  InlineVector<CopyDim, 8> groups;  // the fastest first
  for (size_t i = dims.size(); i-- > 0;) {
    const CopyDim& dim = dims[i];
    if (dim.size == 1) continue;
    // Goes on where the group before ends, in both?
    if (!groups.empty() && groups.back().in_step * groups.back().size == dim.in_step &&
        groups.back().out_step * groups.back().size == dim.out_step) {
      groups.back().size *= dim.size;
    } else {
      groups.push_back(dim);
    }
  }
  CopyPlan plan;
  plan.unit_bytes = element_bytes;
  if (!groups.empty() && groups[0].in_step == 1 && groups[0].out_step == 1) {
    // Rows of elements side by side are moved in larger units, where they all begin at one.
    uint64_t all = static_cast<uint64_t>(groups[0].size);
    for (size_t i = 1; i < groups.size(); ++i) {
      all |= static_cast<uint64_t>(groups[i].in_step) | static_cast<uint64_t>(groups[i].out_step);
    }
    plan.unit_bytes = UnitBytes(all * static_cast<uint64_t>(element_bytes), addresses);
    plan.unit_bytes = std::max(plan.unit_bytes, element_bytes);
    const int64_t elements = plan.unit_bytes / element_bytes;
    groups[0].size /= elements;
    for (size_t i = 1; i < groups.size(); ++i) {
      groups[i].in_step /= elements;
      groups[i].out_step /= elements;
    }
  }
  if (groups.size() > plan.sizes.size()) return std::nullopt;
  plan.has_four_dims = groups.size() <= 4;
  for (size_t i = 0; i < groups.size(); ++i) {
    const size_t at = plan.sizes.size() - 1 - i;
    plan.sizes[at] = groups[i].size;
    plan.in_steps[at] = groups[i].in_step;
    plan.out_steps[at] = groups[i].out_step;
  }
  return plan;
}

std::optional<PadPlan> PlanPad(std::span<const int64_t> dims, std::span<const int64_t> paddings,
                               device::PadMode mode, int64_t element_bytes, uint64_t value,
                               uint64_t addresses) {
  assert(paddings.size() == 2 * dims.size());
  struct Group {
    int64_t size, kept, before, step;
    bool stays() const { return size == kept; }
  };
  InlineVector<Group, 8> groups;  // the fastest first
  PadPlan plan;
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    const int64_t before = paddings[2 * i], after = paddings[2 * i + 1];
    const int64_t first = std::max<int64_t>(0, -before);
    const int64_t kept = std::max<int64_t>(0, dims[i] + std::min<int64_t>(0, after) - first);
    Group group = {dims[i] + before + after, kept, std::max<int64_t>(0, before), step};
    assert(group.size >= 0);
    assert((kept > 0 || mode == device::PadMode::kConstant || group.size == 0) &&
           "there is nothing to put around it");
    if (kept > 0) plan.in_offset += first * step * element_bytes;
    step *= dims[i];
    if (group.size == 1 && group.stays()) continue;
    // Dimensions that stay as they are follow each other without a gap.
    if (!groups.empty() && groups.back().stays() && group.stays() &&
        groups.back().step * groups.back().size == group.step) {
      groups.back().size *= group.size;
      groups.back().kept *= group.kept;
    } else {
      groups.push_back(group);
    }
  }
  plan.unit_bytes = element_bytes;
  plan.value = value;
  if (!groups.empty() && groups[0].stays() && groups[0].step == 1) {
    uint64_t all = static_cast<uint64_t>(groups[0].size);
    for (size_t i = 1; i < groups.size(); ++i) all |= static_cast<uint64_t>(groups[i].step);
    plan.unit_bytes =
        std::max(element_bytes, UnitBytes(all * static_cast<uint64_t>(element_bytes),
                                          addresses | static_cast<uint64_t>(plan.in_offset), 8));
    const int64_t elements = plan.unit_bytes / element_bytes;
    groups[0].size /= elements;
    groups[0].kept /= elements;
    for (size_t i = 1; i < groups.size(); ++i) groups[i].step /= elements;
    for (int64_t bytes = element_bytes; bytes < plan.unit_bytes; bytes *= 2) {
      plan.value |= plan.value << (8 * bytes);
    }
  }
  if (groups.size() > plan.sizes.size()) return std::nullopt;
  for (size_t i = 0; i < groups.size(); ++i) {
    const size_t at = plan.sizes.size() - 1 - i;
    plan.sizes[at] = groups[i].size;
    plan.kept[at] = groups[i].kept;
    plan.before[at] = groups[i].before;
    plan.steps[at] = groups[i].step;
  }
  return plan;
}

}  // namespace tfrt::gpu
