// Case: one thing that is measured. The same list serves the timing program (Google Benchmark), the
// instruction counter (callgrind) and the allocation counter.
#ifndef TFRT_BENCHMARKS_CASE_H_
#define TFRT_BENCHMARKS_CASE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tfrt::bench {

struct Case {
  std::string name;        // "graph/chain_1k"; floors are called "floor/..."
  std::string unit;        // what `units` counts: "kernel", "call", "task"
  double units = 1;        // of one run
  std::string floor = {};  // the case that this one is compared with; empty: none
  // Runs on the calling thread only, so that its instructions and allocations are the same each
  // time.
  bool deterministic = true;
  // Sets everything up and returns the function that is one run.
  std::function<std::function<void()>()> prepare;
  // Instead: a run that measures its interesting part itself and returns the seconds. Not
  // deterministic.
  std::function<std::function<double()>()> prepare_timed = {};
};

using Cases = std::vector<Case>;

void AddFloorCases(Cases* cases);
void AddGraphCases(Cases* cases);
void AddControlFlowCases(Cases* cases);
void AddAsyncCases(Cases* cases);
void AddThreadCases(Cases* cases);
void AddValueCases(Cases* cases);
void AddBefCases(Cases* cases);
void AddEagerCases(Cases* cases);
void AddPeerCases(Cases* cases);
// Those of the program.
Cases AllCases();

// Keeps the compiler from removing the computation of `value`.
template <typename T>
void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// Calls of the global operator new in this process so far, on all threads.
uint64_t NumAllocations();

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_CASE_H_
