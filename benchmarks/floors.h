// The least that could do the job: what our figures are divided by.
#ifndef TFRT_BENCHMARKS_FLOORS_H_
#define TFRT_BENCHMARKS_FLOORS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graph.h"

namespace tfrt::bench {

// A flat interpreter: one call through a function pointer per node, in program order, values in an
// array. No errors, no types, no lifetimes.
class FlatInterpreter {
 public:
  explicit FlatInterpreter(const Graph& graph);
  int32_t Run();

 private:
  struct Op {
    void (*function)(int32_t* values, const uint32_t* indices);
    uint32_t indices[3];  // two inputs, one result
  };
  std::vector<Op> ops_;
  std::vector<int32_t> values_;
};

// Dataflow on one thread, ready for more: a count of missing inputs per node, decremented
// atomically, users in compressed rows, a stack of ready nodes.
class AtomicDataflow {
 public:
  explicit AtomicDataflow(const Graph& graph);
  int32_t Run();

 private:
  struct Node {
    int32_t (*function)(const int32_t* values, const uint32_t* inputs);
    uint32_t inputs[2];
    uint32_t num_inputs;
    uint32_t users_begin, users_end;
  };
  std::vector<Node> nodes_;
  std::vector<uint32_t> users_;
  std::vector<uint32_t> starters_;
  std::unique_ptr<std::atomic<uint32_t>[]> missing_;
  std::vector<uint32_t> ready_;
  std::vector<int32_t> values_;
};

// Reads every variable-length integer of the tables and every 32-bit word of the kernels of a BEF
// file without any check, and returns their sum. The file must be valid.
uint64_t DecodeUnchecked(std::span<const uint8_t> file);

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_FLOORS_H_
