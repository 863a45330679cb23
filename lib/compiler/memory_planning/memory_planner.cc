// The algorithm:
// 1. For each op, the uses of tensors that are over when it starts: those that the values it
// depends on
//    tell of, directly or through further ops (SetsOfUses).
// 2. For each pair of tensors, whether one is over before the other's first use (Precedence), or is
// but
//    for one op that may read it and write the other in place.
// 3. Tensors that can take over all bytes of another in place get one slot (Slots). Two slots are
// in
//    conflict unless all their tensors precede each other one way or the other.
// 4. Offsets: slots are placed one by one at the lowest offset where no slot in conflict lies; once
// in order
//    of size, once in program order. The smaller result wins.

#include "memory_planner.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "lib/compiler/conversion/bit_set.h"

namespace tfrt::compiler {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 62;

int64_t RoundUp(int64_t size) {
  return (size + MemoryPlan::kAlignment - 1) / MemoryPlan::kAlignment * MemoryPlan::kAlignment;
}

struct Range {
  size_t begin = 0;
  size_t end = 0;
};

// Numbers the uses so that those of one tensor follow each other.
class UseNumbers {
 public:
  UseNumbers(size_t num_tensors, const std::vector<PlannerOp>& ops) : ranges_(num_tensors) {
    std::vector<size_t> counts(num_tensors);
    for (const PlannerOp& op : ops) {
      for (const TensorUse& use : op.uses) ++counts[use.tensor];
    }
    for (size_t tensor = 0; tensor < num_tensors; ++tensor) {
      assert(counts[tensor] > 0);
      ranges_[tensor] = {count_, count_ + counts[tensor]};
      count_ += counts[tensor];
    }
    std::vector<size_t> next(num_tensors);
    for (size_t tensor = 0; tensor < num_tensors; ++tensor) next[tensor] = ranges_[tensor].begin;
    numbers_.resize(ops.size());
    for (size_t op = 0; op < ops.size(); ++op) {
      for (const TensorUse& use : ops[op].uses) numbers_[op].push_back(next[use.tensor]++);
    }
  }

  size_t count() const { return count_; }
  Range of_tensor(size_t tensor) const { return ranges_[tensor]; }
  const std::vector<size_t>& of_op(size_t op) const { return numbers_[op]; }

 private:
  size_t count_ = 0;
  std::vector<Range> ranges_;
  std::vector<std::vector<size_t>> numbers_;
};

// Notes which tensors precede which.
class Precedence {
 public:
  // Tensor `first` may hand all its bytes to `second` at one op that reads and writes them in
  // place.
  struct Handover {
    uint32_t first;
    uint32_t second;
  };

  Precedence(const std::vector<PlannedTensor>& tensors, const std::vector<PlannerOp>& ops)
      : tensors_(tensors),
        uses_(tensors.size(), ops),
        before_(tensors.size(), BitSet(tensors.size(), /*full=*/true)),
        shares_(tensors.size()) {
    std::vector<uint32_t> num_users(ops.size());
    for (const PlannerOp& op : ops) {
      for (PlannerOperand operand : op.operands) ++num_users[operand.op];
    }
    // By op: the uses that are over when it starts. Given up when nobody asks any more.
    std::vector<BitSet> over(ops.size());
    for (size_t i = 0; i < ops.size(); ++i) {
      const PlannerOp& op = ops[i];
      for (PlannerOperand operand : op.operands) {
        assert(operand.op < i);
        if (ops[operand.op].strict) over[i].UniteWith(over[operand.op]);
        if (operand.is_done) InsertUses(operand.op, &over[i]);
        if (--num_users[operand.op] == 0) over[operand.op] = BitSet();
      }
      if (!op.uses.empty()) AddUser(i, op, over[i]);
      if (num_users[i] == 0) over[i] = BitSet();
    }
  }

  // All uses of `first` are over when any of `second` starts, but for the op of a handover.
  bool PrecedesOrHandsOver(uint32_t first, uint32_t second) const {
    return before_[second].contains(first);
  }
  bool Precedes(uint32_t first, uint32_t second) const {
    return before_[second].contains(first) && !shares_[second].contains(first);
  }
  // Some of them are spoiled by other uses: ask PrecedesOrHandsOver.
  const std::vector<Handover>& handovers() const { return handovers_; }

 private:
  void InsertUses(size_t op, BitSet* set) const {
    if (uses_.of_op(op).empty()) return;
    set->SetBound(uses_.count());
    for (size_t use : uses_.of_op(op)) set->insert(use);
  }

  void AddUser(size_t index, const PlannerOp& op, const BitSet& over) {
    assert(op.strict);
    BitSet preceding(tensors_.size());
    for (size_t tensor = 0; tensor < tensors_.size(); ++tensor) {
      Range range = uses_.of_tensor(tensor);
      if (over.ContainsRange(range.begin, range.end)) preceding.insert(tensor);
    }
    const TensorUse* written = OnlyWritten(op);
    for (const TensorUse& use : op.uses) {
      BitSet allowed = preceding;
      if (&use == written) AddHandovers(index, op, use.tensor, over, &allowed);
      before_[use.tensor].IntersectWith(allowed);
    }
  }

  // The written tensor if there is one, and the op does not use it otherwise.
  static const TensorUse* OnlyWritten(const PlannerOp& op) {
    const TensorUse* written = nullptr;
    for (const TensorUse& use : op.uses) {
      if (!use.writes) continue;
      if (written) return nullptr;
      written = &use;
    }
    if (!written) return nullptr;
    for (const TensorUse& use : op.uses) {
      if (&use != written && use.tensor == written->tensor) return nullptr;
    }
    return written;
  }

  void AddHandovers(size_t index, const PlannerOp& op, uint32_t written, const BitSet& over,
                    BitSet* allowed) {
    // With the op's own uses: what else there is must be over.
    BitSet over_or_here = over;
    InsertUses(index, &over_or_here);
    for (const TensorUse& use : op.uses) {
      if (use.tensor == written || allowed->contains(use.tensor)) continue;
      bool all_share = std::ranges::all_of(op.uses, [&](const TensorUse& other) {
        return other.tensor != use.tensor || other.may_share;
      });
      Range range = uses_.of_tensor(use.tensor);
      if (!all_share || !SameLayout(use.tensor, written) ||
          !over_or_here.ContainsRange(range.begin, range.end)) {
        continue;
      }
      allowed->insert(use.tensor);
      shares_[written].SetBound(tensors_.size());
      shares_[written].insert(use.tensor);
      handovers_.push_back({use.tensor, written});
    }
  }

  bool SameLayout(uint32_t a, uint32_t b) const {
    return tensors_[a].size_bytes == tensors_[b].size_bytes &&
           tensors_[a].element_bytes == tensors_[b].element_bytes;
  }

  const std::vector<PlannedTensor>& tensors_;
  const UseNumbers uses_;
  std::vector<BitSet> before_;  // by tensor: those that precede it or hand their bytes to it
  std::vector<BitSet> shares_;  // by tensor: those that may hand their bytes to it
  std::vector<Handover> handovers_;
};

// Tensors at one offset, which take over each other's bytes in place.
struct Slot {
  std::vector<uint32_t> tensors;
  int64_t size = 0;
  // In program order: the first and the last op that uses one of them.
  size_t first_op = std::numeric_limits<size_t>::max();
  size_t last_op = 0;
};

std::vector<Slot> MakeSlots(const std::vector<PlannedTensor>& tensors,
                            const std::vector<PlannerOp>& ops, const Precedence& precedence) {
  std::vector<Slot> slots(tensors.size());
  std::vector<uint32_t> slot_of(tensors.size());
  std::iota(slot_of.begin(), slot_of.end(), 0);
  for (uint32_t i = 0; i < tensors.size(); ++i) slots[i].tensors = {i};
  auto can_be_one = [&](const Slot& a, const Slot& b) {
    for (uint32_t x : a.tensors) {
      for (uint32_t y : b.tensors) {
        if (!precedence.PrecedesOrHandsOver(x, y) && !precedence.PrecedesOrHandsOver(y, x)) {
          return false;
        }
      }
    }
    return true;
  };
  for (Precedence::Handover handover : precedence.handovers()) {
    uint32_t from = slot_of[handover.second];
    uint32_t to = slot_of[handover.first];
    if (from == to || !precedence.PrecedesOrHandsOver(handover.first, handover.second) ||
        !can_be_one(slots[to], slots[from])) {
      continue;
    }
    for (uint32_t tensor : slots[from].tensors) {
      slot_of[tensor] = to;
      slots[to].tensors.push_back(tensor);
    }
    slots[from].tensors.clear();
  }
  for (size_t op = 0; op < ops.size(); ++op) {
    for (const TensorUse& use : ops[op].uses) {
      Slot& slot = slots[slot_of[use.tensor]];
      slot.first_op = std::min(slot.first_op, op);
      slot.last_op = std::max(slot.last_op, op);
    }
  }
  std::erase_if(slots, [](const Slot& slot) { return slot.tensors.empty(); });
  for (Slot& slot : slots) slot.size = RoundUp(tensors[slot.tensors.front()].size_bytes);
  return slots;
}

// By slot: those that may not share bytes with it.
std::vector<std::vector<uint32_t>> FindConflicts(const std::vector<Slot>& slots,
                                                 const Precedence& precedence) {
  std::vector<std::vector<uint32_t>> conflicts(slots.size());
  auto conflict = [&](const Slot& a, const Slot& b) {
    for (uint32_t x : a.tensors) {
      for (uint32_t y : b.tensors) {
        if (!precedence.Precedes(x, y) && !precedence.Precedes(y, x)) return true;
      }
    }
    return false;
  };
  for (uint32_t i = 0; i < slots.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (!conflict(slots[i], slots[j])) continue;
      conflicts[i].push_back(j);
      conflicts[j].push_back(i);
    }
  }
  return conflicts;
}

struct Placement {
  std::vector<int64_t> offsets;  // by slot
  int64_t size = 0;
};

Placement Place(const std::vector<Slot>& slots, const std::vector<std::vector<uint32_t>>& conflicts,
                const std::vector<uint32_t>& order) {
  constexpr int64_t kNotPlaced = -1;
  Placement placement{std::vector<int64_t>(slots.size(), kNotPlaced)};
  std::vector<std::pair<int64_t, int64_t>> taken;  // begin and end of neighbours
  for (uint32_t i : order) {
    taken.clear();
    for (uint32_t j : conflicts[i]) {
      int64_t begin = placement.offsets[j];
      if (begin != kNotPlaced) taken.emplace_back(begin, begin + slots[j].size);
    }
    std::ranges::sort(taken);
    int64_t offset = 0;
    for (auto [begin, end] : taken) {
      if (offset + slots[i].size <= begin) break;
      offset = std::max(offset, end);
    }
    placement.offsets[i] = offset;
    placement.size = std::max(placement.size, offset + slots[i].size);
  }
  return placement;
}

Placement PlaceBest(const std::vector<Slot>& slots,
                    const std::vector<std::vector<uint32_t>>& conflicts) {
  std::vector<uint32_t> order(slots.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return slots[i].first_op; });
  Placement by_program = Place(slots, conflicts, order);
  std::ranges::stable_sort(order, std::greater<>(), [&](uint32_t i) { return slots[i].size; });
  Placement by_size = Place(slots, conflicts, order);
  return by_size.size <= by_program.size ? by_size : by_program;
}

int64_t LowerBound(const std::vector<Slot>& slots, size_t num_ops) {
  std::vector<int64_t> change(num_ops + 1);
  for (const Slot& slot : slots) {
    change[slot.first_op] += slot.size;
    change[slot.last_op + 1] -= slot.size;
  }
  int64_t live = 0;
  int64_t most = 0;
  for (int64_t c : change) {
    live += c;
    most = std::max(most, live);
  }
  return most;
}

}  // namespace

std::optional<MemoryPlan> PlanTensors(const std::vector<PlannedTensor>& tensors,
                                      const std::vector<PlannerOp>& ops) {
  MemoryPlan plan;
  for (const PlannedTensor& tensor : tensors) {
    assert(tensor.size_bytes > 0);
    if (tensor.size_bytes > kMaxBytes - MemoryPlan::kAlignment) return std::nullopt;
    int64_t size = RoundUp(tensor.size_bytes);
    if (size > kMaxBytes - plan.unplanned_bytes) return std::nullopt;
    plan.unplanned_bytes += size;
  }
  Precedence precedence(tensors, ops);
  std::vector<Slot> slots = MakeSlots(tensors, ops, precedence);
  Placement placement = PlaceBest(slots, FindConflicts(slots, precedence));
  plan.offsets.resize(tensors.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    for (uint32_t tensor : slots[i].tensors) plan.offsets[tensor] = placement.offsets[i];
  }
  plan.size_bytes = placement.size;
  plan.lower_bound_bytes = LowerBound(slots, ops.size());
  return plan;
}

}  // namespace tfrt::compiler
