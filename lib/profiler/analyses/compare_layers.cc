// Layers of two systems beside each other.
//
// Systems fuse nodes of a graph differently, and name what comes of it after one of them. Layers of
// one name that come in the same order in both are where the two have done the same; what each of
// them did since the last such layer, this one included, makes a row.
#include "compare_layers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Places of one node in the layers of either side.
using Place = std::pair<size_t, size_t>;

// Matches by name. If several layers have a name, the result of the last one is the layer's result.
std::vector<Place> PlacesOfSameName(const Subject& a, const Subject& b) {
  std::map<std::string_view, size_t> in_a, in_b;
  for (size_t i = 0; i < a.layers.size(); ++i) in_a[NodeName(a.layers[i].name)] = i;
  for (size_t i = 0; i < b.layers.size(); ++i) in_b[NodeName(b.layers[i].name)] = i;
  std::vector<Place> places;
  for (const auto& [name, at] : in_a) {
    auto found = in_b.find(name);
    if (found != in_b.end()) places.emplace_back(at, found->second);
  }
  std::ranges::sort(places);
  return places;
}

// The most of them that come in one order on both sides: the longest increasing subsequence.
std::vector<Place> InOneOrder(const std::vector<Place>& places) {
  constexpr size_t kNone = ~size_t{0};
  std::vector<size_t> ends;  // of the sequences of each length, the one that ends earliest
  std::vector<size_t> before(places.size(), kNone);
  for (size_t i = 0; i < places.size(); ++i) {
    auto at = std::ranges::lower_bound(ends, places[i].second, {},
                                       [&](size_t end) { return places[end].second; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Place> ordered;
  for (size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = before[i]) {
    ordered.push_back(places[i]);
  }
  std::ranges::reverse(ordered);
  return ordered;
}

double LatencyOfLayers(const Subject& subject, size_t begin, size_t end) {
  double sum = 0;
  for (size_t i = begin; i < end; ++i) sum += subject.layers[i].latency_ns.value();
  return sum;
}

bool HasTimedLayers(const Subject& subject) {
  return std::ranges::any_of(subject.layers,
                             [](const LayerSummary& layer) { return layer.latency_ns.is_known(); });
}

}  // namespace

std::string_view NodeName(std::string_view name) {
  // ONNX Runtime: a result in blocks of channels is called as the result.
  constexpr std::string_view kBlocked = "_nchwc", kResult = "_output_", kNode = "node_";
  if (name.ends_with(kBlocked)) name.remove_suffix(kBlocked.size());
  // PyTorch's exporters: results "NODE_output_0" of nodes, or nodes "node_RESULT" of results.
  const size_t at = name.rfind(kResult);
  if (at != name.npos && at > 0 && at + kResult.size() < name.size() &&
      std::ranges::all_of(name.substr(at + kResult.size()),
                          [](unsigned char c) { return std::isdigit(c) != 0; })) {
    name = name.substr(0, at);
  }
  if (name.size() > kNode.size() && name.starts_with(kNode)) name.remove_prefix(kNode.size());
  return name;
}

std::vector<Column> LayerComparisonColumns() {
  return {TextColumn("model"),
          IntegerColumn("batch"),
          TextColumn("up to the layer", "the last one of these, of the same name in both systems"),
          TextColumn("system"),
          IntegerColumn("layers", "since the row before"),
          RealColumn("latency", "ms", "sum of these layers' latencies"),
          TextColumn("compared with"),
          IntegerColumn("its layers"),
          RealColumn("its latency", "ms"),
          RealColumn("relative latency", "", "of the first system over that of the second")};
}

void AddLayerComparison(const Subject& subject, const Subject& base, Table* table) {
  if (!HasTimedLayers(subject) || !HasTimedLayers(base)) return;
  const std::vector<Place> places = InOneOrder(PlacesOfSameName(subject, base));
  if (places.empty()) {
    table->doubts.push_back(StrCat(subject.Title(), " and ", base.system,
                                   ": no layer has the same name in both: not compared"));
    return;
  }
  size_t begin = 0, base_begin = 0;
  auto add = [&](std::string name, size_t end, size_t base_end) {
    const double latency = LatencyOfLayers(subject, begin, end);
    const double base_latency = LatencyOfLayers(base, base_begin, base_end);
    table->rows.push_back({subject.model, subject.batch, std::move(name), subject.system,
                           IntegerCell(end - begin), latency * kMilli, base.system,
                           IntegerCell(base_end - base_begin), base_latency * kMilli,
                           base_latency > 0 ? Cell(latency / base_latency) : Cell()});
    begin = end, base_begin = base_end;
  };
  for (const auto& [at, base_at] : places) {
    add(std::string(NodeName(subject.layers[at].name)), at + 1, base_at + 1);
  }
  if (begin < subject.layers.size() || base_begin < base.layers.size()) {
    add("(the end)", subject.layers.size(), base.layers.size());
  }
}

}  // namespace tfrt::profiler
