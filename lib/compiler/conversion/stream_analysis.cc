#include "stream_analysis.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <unordered_set>

namespace tfrt::compiler {
namespace {

constexpr uint32_t kNoStream = std::numeric_limits<uint32_t>::max();

int64_t AddCosts(int64_t a, int64_t b) {
  int64_t sum;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

// A set of stream ids that is visited in insertion order.
class OrderedIds {
 public:
  void Insert(uint32_t id) {
    if (members_.insert(id).second) order_.push_back(id);
  }
  void Remove(uint32_t id) {
    if (members_.erase(id)) order_.erase(std::find(order_.begin(), order_.end(), id));
  }
  const std::vector<uint32_t>& ids() const { return order_; }

 private:
  std::vector<uint32_t> order_;
  std::unordered_set<uint32_t> members_;
};

// A set of stream ids that is visited in the order of an open-addressing hash table (quadratic
// probing, hash 37 * id). The order decides which streams are merged, so the table is part of the
// algorithm.
class HashedIds {
 public:
  void Insert(uint32_t id) {
    if (std::find(slots_.begin(), slots_.end(), id) != slots_.end()) return;
    if (slots_.empty()) {
      slots_.assign(2, kNoStream);
    } else if (4 * (count_ + 1) >= 3 * slots_.size()) {
      std::vector<uint32_t> old = std::move(slots_);
      slots_.assign(std::max<size_t>(64, old.size() * 2), kNoStream);
      for (uint32_t moved : old) {
        if (moved != kNoStream) Place(moved);
      }
    }
    Place(id);
    ++count_;
  }
  std::vector<uint32_t> InOrder() const {
    std::vector<uint32_t> result;
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(result),
                 [](uint32_t id) { return id != kNoStream; });
    return result;
  }

 private:
  void Place(uint32_t id) {
    size_t slot = (37u * id) & (slots_.size() - 1);
    for (size_t step = 1; slots_[slot] != kNoStream; ++step) {
      slot = (slot + step) & (slots_.size() - 1);
    }
    slots_[slot] = id;
  }
  std::vector<uint32_t> slots_;  // size: a power of two
  size_t count_ = 0;
};

class Analyzer {
 public:
  Analyzer(const std::vector<StreamOp>& ops, const StreamOptions& options)
      : ops_(ops),
        merge_dependent_(options.merge_inter_dependent_streams),
        automatic_(options.cost_threshold <= 0),
        threshold_(options.cost_threshold),
        nodes_(ops.size() + 1) {}

  StreamAssignment Run() {
    PassForward();
    if (automatic_) threshold_ = max_cost_;
    for (uint32_t node = nodes_.size(); node-- > 0;) Build(node);
    return Result();
  }

 private:
  struct Node {
    int64_t from_root = 0;  // cost of the most expensive path from the entry to here
    uint32_t stream = kNoStream;
    std::vector<uint32_t> children;
    std::vector<uint32_t> side_uses;  // users of its data for which it is not the parent
  };
  struct Building {
    int64_t cost = 0;
    int64_t parent_node = Stream::kNone;
    uint32_t merged_into = kNoStream;
    bool has_return = false;
    OrderedIds side_deps;  // streams that exchange data with this one
  };

  int64_t CostOf(uint32_t node) const { return node == 0 ? 1 : ops_[node - 1].cost; }

  void PassForward() {
    nodes_[0].from_root = 1;
    for (uint32_t node = 1; node < nodes_.size(); ++node) {
      uint32_t parent = FindParent(node);
      // An op without operands does not count the entry's cost.
      bool counts_parent = !ops_[node - 1].operands.empty();
      nodes_[node].from_root = AddCosts(CostOf(node), counts_parent ? nodes_[parent].from_root : 0);
      nodes_[parent].children.push_back(node);
      max_cost_ = std::max(max_cost_, nodes_[node].from_root);
    }
  }

  // The operand's definition that is ready last, by cost; the first one of equals.
  uint32_t FindParent(uint32_t node) {
    const std::vector<StreamOperand>& operands = ops_[node - 1].operands;
    if (operands.empty()) return 0;
    // With costs that are not positive no definition may win: then the first one does.
    uint32_t parent = operands[0].node;
    int64_t largest = 0;
    for (const StreamOperand& operand : operands) {
      assert(operand.node < node);
      if (nodes_[operand.node].from_root > largest) {
        largest = nodes_[operand.node].from_root;
        parent = operand.node;
      }
    }
    if (!merge_dependent_) return parent;
    for (const StreamOperand& operand : operands) {
      if (operand.is_chain || operand.node == parent) continue;
      std::vector<uint32_t>& uses = nodes_[operand.node].side_uses;
      if (uses.empty() || uses.back() != node) uses.push_back(node);
    }
    return parent;
  }

  uint32_t Resolve(uint32_t id) const {
    while (streams_[id].merged_into != kNoStream) id = streams_[id].merged_into;
    return id;
  }

  void Merge(uint32_t from, uint32_t into) {
    for (uint32_t id : streams_[from].side_deps.ids()) {
      uint32_t resolved = Resolve(id);
      if (resolved != into) streams_[into].side_deps.Insert(resolved);
    }
    streams_[into].side_deps.Remove(from);
    streams_[into].has_return |= streams_[from].has_return;
    streams_[into].cost = AddCosts(streams_[into].cost, streams_[from].cost);
    streams_[from].merged_into = into;
  }

  void Assign(uint32_t node, uint32_t id) {
    nodes_[node].stream = id;
    streams_[id].cost = AddCosts(streams_[id].cost, CostOf(node));
    streams_[id].has_return |= node != 0 && ops_[node - 1].is_return;
    for (uint32_t use : nodes_[node].side_uses) {
      uint32_t other = Resolve(nodes_[use].stream);
      if (other == id) continue;
      streams_[id].side_deps.Insert(other);
      streams_[other].side_deps.Insert(id);
    }
  }

  // True if the work of `a` and `b` together is worth a stream of its own below `node`.
  bool IsAbove(uint32_t node, uint32_t a, uint32_t b) const {
    int64_t cost = streams_[a].cost;
    if (automatic_) {
      cost = AddCosts(cost, nodes_[node].from_root);
      if (b != kNoStream) cost = AddCosts(cost, streams_[b].cost);
    }
    return cost >= threshold_;
  }

  void Build(uint32_t node) {
    if (nodes_[node].children.empty()) {
      streams_.emplace_back();
      Assign(node, streams_.size() - 1);
      return;
    }
    std::vector<uint32_t> kids;
    for (uint32_t child : nodes_[node].children) {
      kids.push_back(nodes_[child].stream);
      streams_[kids.back()].parent_node = node;
    }
    if (merge_dependent_ && kids.size() >= 2) MergeDependentKids(node, kids);

    uint32_t last_merged = kNoStream, best = kNoStream, with_return = kNoStream;
    int64_t best_cost = 0;
    for (uint32_t kid : kids) {
      uint32_t candidate = kid;
      if (!IsAbove(node, kid, kNoStream)) {
        if (last_merged == kNoStream || IsAbove(node, last_merged, kid)) {
          last_merged = kid;
        } else {
          Merge(kid, last_merged);
          candidate = last_merged;
        }
      }
      // The first candidate wins if no cost is positive.
      if (best == kNoStream || streams_[candidate].cost > best_cost) {
        best = candidate;
        best_cost = std::max<int64_t>(0, streams_[candidate].cost);
      }
      if (streams_[candidate].has_return) with_return = candidate;
    }
    uint32_t chosen = with_return != kNoStream ? with_return : best;
    streams_[chosen].parent_node = Stream::kNone;
    Assign(node, chosen);
    if (!automatic_ && last_merged != kNoStream && last_merged != chosen &&
        streams_[last_merged].cost < threshold_) {
      Merge(last_merged, chosen);
    }
  }

  // Merges cheap kids into a kid that exchanges data with them, and removes them from `kids`.
  void MergeDependentKids(uint32_t node, std::vector<uint32_t>& kids) {
    const std::unordered_set<uint32_t> all(kids.begin(), kids.end());
    std::unordered_set<uint32_t> stale;
    int64_t base = automatic_ ? nodes_[node].from_root : 0;
    for (uint32_t kid : kids) {
      if (stale.contains(kid)) continue;
      HashedIds cheap;
      for (uint32_t id : streams_[kid].side_deps.ids()) {
        if (!all.contains(id)) continue;
        uint32_t resolved = Resolve(id);
        if (resolved != kid && streams_[resolved].cost < threshold_) cheap.Insert(resolved);
      }
      for (uint32_t id : cheap.InOrder()) {
        Merge(id, kid);
        stale.insert(id);
        if (AddCosts(base, streams_[kid].cost) >= threshold_) break;
      }
    }
    std::erase_if(kids, [&](uint32_t kid) { return stale.contains(kid); });
  }

  StreamAssignment Result() const {
    StreamAssignment result;
    result.max_cost = max_cost_;
    for (const Node& node : nodes_) result.node_streams.push_back(Resolve(node.stream));
    for (const Building& stream : streams_) {
      Stream out{stream.cost, stream.parent_node, Stream::kNone};
      if (out.parent_node != Stream::kNone) {
        out.parent_stream = result.node_streams[out.parent_node];
      }
      result.streams.push_back(out);
    }
    return result;
  }

  const std::vector<StreamOp>& ops_;
  const bool merge_dependent_;
  const bool automatic_;
  int64_t threshold_;
  int64_t max_cost_ = 1;
  std::vector<Node> nodes_;
  std::vector<Building> streams_;
};

}  // namespace

StreamAssignment AssignStreams(const std::vector<StreamOp>& ops, const StreamOptions& options) {
  return Analyzer(ops, options).Run();
}

}  // namespace tfrt::compiler
