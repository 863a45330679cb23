#include "floors.h"

#include <cstdlib>
#include <cstring>

#include "case.h"
#include "tfrt/bef/bef_format.h"

namespace tfrt::bench {
namespace {

[[gnu::noinline]] void OneOp(int32_t* values, const uint32_t* indices) { values[indices[2]] = 1; }
[[gnu::noinline]] void AddOp(int32_t* values, const uint32_t* indices) {
  values[indices[2]] = values[indices[0]] + values[indices[1]];
}
[[gnu::noinline]] int32_t OneNode(const int32_t*, const uint32_t*) { return 1; }
[[gnu::noinline]] int32_t AddNode(const int32_t* values, const uint32_t* inputs) {
  return values[inputs[0]] + values[inputs[1]];
}

}  // namespace

FlatInterpreter::FlatInterpreter(const Graph& graph) : values_(graph.nodes.size()) {
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Graph::Node& node = graph.nodes[i];
    ops_.push_back({node.num_inputs == 0 ? OneOp : AddOp, {node.inputs[0], node.inputs[1], i}});
  }
}

int32_t FlatInterpreter::Run() {
  for (const Op& op : ops_) op.function(values_.data(), op.indices);
  return values_.back();
}

AtomicDataflow::AtomicDataflow(const Graph& graph)
    : missing_(new std::atomic<uint32_t>[graph.nodes.size()]), values_(graph.nodes.size()) {
  std::vector<std::vector<uint32_t>> users(graph.nodes.size());
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Graph::Node& node = graph.nodes[i];
    for (uint32_t k = 0; k < node.num_inputs; ++k) users[node.inputs[k]].push_back(i);
    if (node.num_inputs == 0) starters_.push_back(i);
  }
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Graph::Node& node = graph.nodes[i];
    uint32_t begin = static_cast<uint32_t>(users_.size());
    users_.insert(users_.end(), users[i].begin(), users[i].end());
    nodes_.push_back({node.num_inputs == 0 ? OneNode : AddNode,
                      {node.inputs[0], node.inputs[1]},
                      node.num_inputs,
                      begin,
                      static_cast<uint32_t>(users_.size())});
  }
  ready_.reserve(graph.nodes.size());
}

int32_t AtomicDataflow::Run() {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    missing_[i].store(nodes_[i].num_inputs, std::memory_order_relaxed);
  }
  ready_.assign(starters_.rbegin(), starters_.rend());
  while (!ready_.empty()) {
    uint32_t i = ready_.back();
    ready_.pop_back();
    const Node& node = nodes_[i];
    values_[i] = node.function(values_.data(), node.inputs);
    for (uint32_t u = node.users_begin; u < node.users_end; ++u) {
      // acq_rel, as it would have to be with several threads.
      if (missing_[users_[u]].fetch_sub(1, std::memory_order_acq_rel) == 1) {
        ready_.push_back(users_[u]);
      }
    }
  }
  return values_.back();
}

namespace {

struct Cursor {
  const uint8_t* at;
  uint64_t sum = 0;

  uint64_t Vbr() {
    uint64_t value = *at & 0x7F;
    while (*at++ & 0x80) value = value << 7 | (*at & 0x7F);
    sum += value;
    return value;
  }
  void AllVbrs(const uint8_t* end) {
    while (at < end) Vbr();
  }
};

void DecodeBodies(Cursor* in, const uint8_t* file, const uint8_t* end, const size_t* num_results) {
  for (; in->at < end; ++num_results) {
    in->Vbr();
    uint64_t num_registers = in->Vbr();
    for (uint64_t i = 0; i < num_registers; ++i) in->Vbr();
    uint64_t num_kernels = in->Vbr();
    for (uint64_t i = 0; i < 3 * num_kernels; ++i) in->Vbr();
    for (size_t i = 0; i < *num_results; ++i) in->Vbr();
    in->at += (4 - (in->at - file) % 4) % 4;
    const auto* word = reinterpret_cast<const uint32_t*>(in->at);
    for (uint64_t k = 0; k < num_kernels; ++k) {
      uint32_t rest = word[2] + word[3] + word[4] + word[5];
      for (uint32_t r = 0; r < word[5]; ++r) rest += word[6 + r];  // users, after their counts
      rest += word[5];
      for (uint32_t i = 0; i < 6 + rest; ++i) in->sum += *word++;
    }
    in->at = reinterpret_cast<const uint8_t*>(word);
  }
}

}  // namespace

uint64_t DecodeUnchecked(std::span<const uint8_t> file) {
  Cursor in{file.data() + 3};
  const uint8_t* end = file.data() + file.size();
  std::vector<size_t> num_results;  // of the functions with a body
  while (in.at < end) {
    auto id = static_cast<bef::SectionId>(*in.at++);
    uint64_t length = in.Vbr();
    if (length & 1) {
      size_t alignment = *in.at++;
      in.at += (alignment - (in.at - file.data()) % alignment) % alignment;
    }
    const uint8_t* section_end = in.at + (length >> 1);
    switch (id) {
      case bef::SectionId::kKernels:
      case bef::SectionId::kTypes:
      case bef::SectionId::kLocations:
      case bef::SectionId::kAttributeNames:
      case bef::SectionId::kRegisterTypes:
        in.AllVbrs(section_end);
        break;
      case bef::SectionId::kAttributeTypes:
        in.Vbr();
        while (in.at < section_end) {
          in.Vbr();
          in.sum += *in.at++;
        }
        break;
      case bef::SectionId::kFunctionIndex:
        for (uint64_t functions = in.Vbr(); functions > 0; --functions) {
          uint8_t kind = *in.at++;
          in.Vbr();
          in.Vbr();
          for (uint64_t n = in.Vbr(); n > 0; --n) in.Vbr();
          uint64_t results = in.Vbr();
          for (uint64_t n = results; n > 0; --n) in.Vbr();
          if (static_cast<bef::FunctionKind>(kind) != bef::FunctionKind::kNative) {
            num_results.push_back(results);
          }
        }
        break;
      case bef::SectionId::kFunctions:
        num_results.push_back(0);
        DecodeBodies(&in, file.data(), section_end, num_results.data());
        break;
      default:
        break;
    }
    in.at = section_end;
  }
  return in.sum;
}

void AddFloorCases(Cases* cases) {
  cases->push_back(
      {.name = "floor/read_modify_write", .unit = "operation", .units = 1000, .prepare = [] {
         return [counter = std::make_shared<std::atomic<uint64_t>>()] {
           for (int i = 0; i < 1000; ++i) counter->fetch_add(1, std::memory_order_acq_rel);
         };
       }});
  cases->push_back({.name = "floor/malloc_free", .unit = "pair", .units = 1000, .prepare = [] {
                      return [] {
                        for (int i = 0; i < 1000; ++i) {
                          void* block = std::malloc(32);
                          Keep(block);
                          std::free(block);
                        }
                      };
                    }});
}

}  // namespace tfrt::bench
