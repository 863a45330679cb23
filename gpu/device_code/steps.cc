#include "steps.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "lib/base/support/inline_vector.h"

namespace tfrt::gpu {
namespace {

// The dimension `place` places before the end.
int64_t DimFromEnd(std::span<const int64_t> dims, size_t place) {
  return place < dims.size() ? dims[dims.size() - 1 - place] : 1;
}

// Moves groups, the fastest first, to the end of four dimensions.
template <typename Groups, typename F>
bool Place(const Groups& groups, F set) {
  if (groups.size() > std::tuple_size_v<FourDims>) return false;
  for (size_t i = 0; i < groups.size(); ++i) set(3 - i, groups[i]);
  return true;
}

}  // namespace

std::optional<BroadcastSteps> PlanBroadcast(std::span<const int64_t> a,
                                            std::span<const int64_t> b) {
  struct Group {
    int64_t size;
    int64_t a_step;
    int64_t b_step;
  };
  InlineVector<Group, 8> groups;  // the fastest first
  int64_t a_step = 1, b_step = 1;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const int64_t a_size = DimFromEnd(a, i), b_size = DimFromEnd(b, i);
    assert((a_size == b_size || a_size == 1 || b_size == 1) && "shapes that do not broadcast");
    if (a_size == 1 && b_size == 1) continue;
    const int64_t size = a_size == 1 ? b_size : a_size;
    const Group next = {size, a_size == 1 ? 0 : a_step, b_size == 1 ? 0 : b_step};
    // Goes on where the group before ends, in both?
    if (!groups.empty() && groups.back().a_step * groups.back().size == next.a_step &&
        groups.back().b_step * groups.back().size == next.b_step) {
      groups.back().size *= size;
    } else {
      groups.push_back(next);
    }
    a_step *= a_size;
    b_step *= b_size;
  }
  BroadcastSteps steps;
  const bool fits = Place(groups, [&](size_t at, const Group& group) {
    steps.sizes[at] = group.size;
    steps.a[at] = group.a_step;
    steps.b[at] = group.b_step;
  });
  return fits ? std::optional(steps) : std::nullopt;
}

std::optional<PermutationSteps> PlanPermutation(std::span<const int64_t> dims,
                                                std::span<const int64_t> permutation) {
  assert(dims.size() == permutation.size());
  InlineVector<int64_t, 8> in_steps;
  for (size_t i = 0; i < dims.size(); ++i) in_steps.push_back(0);
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    in_steps[i] = step;
    step *= dims[i];
  }
  struct Group {
    int64_t size;
    int64_t step;
  };
  InlineVector<Group, 8> groups;  // of the output, the fastest first
  for (size_t i = dims.size(); i-- > 0;) {
    const auto from = static_cast<size_t>(permutation[i]);
    if (dims[from] == 1) continue;
    if (!groups.empty() && groups.back().step * groups.back().size == in_steps[from]) {
      groups.back().size *= dims[from];
    } else {
      groups.push_back({dims[from], in_steps[from]});
    }
  }
  PermutationSteps steps;
  const bool fits = Place(groups, [&](size_t at, const Group& group) {
    steps.sizes[at] = group.size;
    steps.steps[at] = group.step;
  });
  if (!fits) return std::nullopt;
  const bool has_batch = groups.size() == 3;
  if ((groups.size() == 2 || has_batch) && groups[1].step == 1 &&
      groups[0].step == groups[1].size) {
    // out [batch,columns,rows]
    steps.transpose = {{.batch = has_batch ? groups[2].size : 1,
                        .rows = groups[0].size,
                        .columns = groups[1].size}};
  }
  return steps;
}

}  // namespace tfrt::gpu
