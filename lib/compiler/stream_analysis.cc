#include "tfrt/compiler/stream_analysis.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tfrt::compiler {
namespace {

// A set of ids whose iteration order is that of an open-addressing hash table with quadratic probing,
// on which the outcome of merging depends.
class HashOrderedSet {
 public:
  void Insert(int id) {
    if (Find(id)) return;
    if (4 * (count_ + 1) >= 3 * slots_.size()) Grow();
    Place(id);
    ++count_;
  }
  template <typename F>
  void ForEach(F&& f) const {  // f returns false to stop
    for (int id : slots_) {
      if (id != kEmpty && !f(id)) return;
    }
  }

 private:
  static constexpr int kEmpty = -1;

  size_t Slot(int id) const { return (37u * static_cast<uint32_t>(id)) % slots_.size(); }
  bool Find(int id) const { return std::find(slots_.begin(), slots_.end(), id) != slots_.end(); }
  void Grow() {
    size_t size = slots_.empty() ? 2 : std::max<size_t>(64, 2 * slots_.size());
    std::vector<int> old = std::exchange(slots_, std::vector<int>(size, kEmpty));
    for (int id : old) {
      if (id != kEmpty) Place(id);
    }
  }
  void Place(int id) {
    size_t slot = Slot(id);
    for (size_t step = 1; slots_[slot] != kEmpty; ++step) slot = (slot + step) % slots_.size();
    slots_[slot] = id;
  }

  std::vector<int> slots_;
  size_t count_ = 0;
};

// An insertion-ordered set.
class OrderedIds {
 public:
  void Insert(int id) {
    if (members_.insert(id).second) order_.push_back(id);
  }
  void Remove(int id) {
    if (members_.erase(id)) std::erase(order_, id);
  }
  const std::vector<int>& ids() const { return order_; }

 private:
  std::vector<int> order_;
  std::set<int> members_;
};

struct BuildStream {
  int64_t cost = 0;
  std::optional<int> parent_op;
  int merged_into = -1;
  bool has_return = false;
  OrderedIds side_deps;
};

class Analysis {
 public:
  Analysis(const std::vector<StreamOp>& ops, const StreamOptions& options)
      : ops_(ops),
        merge_dependent_(options.merge_inter_dependent_streams),
        auto_mode_(options.cost_threshold <= 0),
        threshold_(options.cost_threshold),
        nodes_(ops.size() + 1) {}

  StreamAssignment Run() {
    Forward();
    for (int op = static_cast<int>(ops_.size()) - 1; op >= kRootOp; --op) Build(op);
    return Result();
  }

 private:
  struct Node {
    int64_t from_root = 0;
    std::vector<int> children;
    OrderedIds side_uses;
    int stream = -1;
  };
  Node& node(int op) { return nodes_[static_cast<size_t>(op + 1)]; }
  int64_t CostOf(int op) const { return op == kRootOp ? 1 : ops_[op].cost; }
  int Resolve(int stream) const {
    while (streams_[stream].merged_into >= 0) stream = streams_[stream].merged_into;
    return stream;
  }

  // The costliest path from the root to each op, and the tree of those paths.
  void Forward() {
    node(kRootOp).from_root = 1;
    max_cost_ = 1;
    for (int op = 0; op < static_cast<int>(ops_.size()); ++op) {
      int parent = kRootOp;
      int64_t best = 0;
      for (const StreamOperand& operand : ops_[op].operands) {
        if (node(operand.definition).from_root > best) {
          best = node(operand.definition).from_root;
          parent = operand.definition;
        }
        if (!operand.is_chain) node(operand.definition).side_uses.Insert(op);
      }
      node(parent).side_uses.Remove(op);
      // An op without operands does not add the root's cost.
      node(op).from_root = ops_[op].cost + best;
      node(parent).children.push_back(op);
      max_cost_ = std::max(max_cost_, node(op).from_root);
    }
    if (auto_mode_) threshold_ = max_cost_;
  }

  void Merge(int from, int into) {
    for (int id : streams_[from].side_deps.ids()) {
      int other = Resolve(id);
      if (other != into) streams_[into].side_deps.Insert(other);
    }
    streams_[into].side_deps.Remove(from);
    streams_[into].has_return |= streams_[from].has_return;
    streams_[into].cost += streams_[from].cost;
    streams_[from].merged_into = into;
  }

  void Assign(int op, int stream) {
    node(op).stream = stream;
    streams_[stream].cost += CostOf(op);
    streams_[stream].has_return |= op != kRootOp && ops_[op].is_return;
    for (int user : node(op).side_uses.ids()) {
      int other = Resolve(node(user).stream);
      if (other == stream) continue;
      streams_[stream].side_deps.Insert(other);
      streams_[other].side_deps.Insert(stream);
    }
  }

  bool Above(int64_t base, int64_t a, int64_t b) const {
    return auto_mode_ ? base + a + b >= threshold_ : a >= threshold_;
  }

  void MergeInterDependent(std::vector<int>& kids, int64_t base) {
    std::set<int> all(kids.begin(), kids.end());
    std::set<int> stale;
    for (int kid : kids) {
      if (stale.contains(kid)) continue;
      HashOrderedSet candidates;
      for (int id : streams_[kid].side_deps.ids()) {
        if (!all.contains(id)) continue;
        int other = Resolve(id);
        if (streams_[other].cost < threshold_ && other != kid) candidates.Insert(other);
      }
      candidates.ForEach([&](int other) {
        Merge(other, kid);
        stale.insert(other);
        return base + streams_[kid].cost < threshold_;
      });
    }
    std::erase_if(kids, [&](int kid) { return stale.contains(kid); });
  }

  void Build(int op) {
    if (node(op).children.empty()) {
      streams_.emplace_back();
      Assign(op, static_cast<int>(streams_.size()) - 1);
      return;
    }
    std::vector<int> kids;
    for (int child : node(op).children) kids.push_back(node(child).stream);
    for (int kid : kids) streams_[kid].parent_op = op;
    int64_t base = node(op).from_root;
    if (merge_dependent_ && kids.size() >= 2) MergeInterDependent(kids, auto_mode_ ? base : 0);

    std::vector<int> merged;
    int best = -1, with_return = -1;
    int64_t best_cost = 0;
    for (int kid : kids) {
      int candidate = kid;
      if (!Above(base, streams_[kid].cost, 0)) {
        if (merged.empty() ||
            Above(base, streams_[merged.back()].cost, streams_[kid].cost)) {
          merged.push_back(kid);
        } else {
          Merge(kid, merged.back());
          candidate = merged.back();
        }
      }
      if (streams_[candidate].cost > best_cost) {
        best = candidate;
        best_cost = streams_[candidate].cost;
      }
      if (streams_[candidate].has_return) with_return = candidate;
    }
    int stream = with_return >= 0 ? with_return : best;
    streams_[stream].parent_op.reset();
    Assign(op, stream);
    if (!auto_mode_ && !merged.empty() && merged.back() != stream &&
        streams_[merged.back()].cost < threshold_) {
      Merge(merged.back(), stream);
    }
  }

  StreamAssignment Result() {
    StreamAssignment result;
    result.max_cost = max_cost_;
    result.root_stream = Resolve(node(kRootOp).stream);
    for (size_t op = 0; op < ops_.size(); ++op) {
      result.op_streams.push_back(Resolve(node(static_cast<int>(op)).stream));
    }
    result.streams.resize(streams_.size());
    for (size_t s = 0; s < streams_.size(); ++s) {
      StreamAssignment::Stream& stream = result.streams[s];
      stream.cost = streams_[s].cost;
      stream.used = streams_[s].merged_into < 0;
      if (static_cast<int>(s) == result.root_stream || !streams_[s].parent_op) continue;
      stream.parent_op = *streams_[s].parent_op;
      stream.parent_stream = Resolve(node(stream.parent_op).stream);
    }
    return result;
  }

  const std::vector<StreamOp>& ops_;
  const bool merge_dependent_;
  const bool auto_mode_;
  int64_t threshold_;
  int64_t max_cost_ = 1;
  std::vector<Node> nodes_;  // the root first
  std::vector<BuildStream> streams_;
};

}  // namespace

StreamAssignment AssignStreams(const std::vector<StreamOp>& ops, const StreamOptions& options) {
  return Analysis(ops, options).Run();
}

}  // namespace tfrt::compiler
