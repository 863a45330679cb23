// Random programs for executor tests: what depends on what, on which stream, and which results come
// late.
#ifndef TFRT_TEST_SUPPORT_RANDOM_PROGRAM_H_
#define TFRT_TEST_SUPPORT_RANDOM_PROGRAM_H_

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tfrt {

struct Step {
  std::vector<uint32_t> operands;
  uint32_t num_results = 1;
  uint32_t stream = 0;
  bool late = false;  // results become available in a task of their own
  bool non_strict = false;
};

struct RandomProgram {
  uint32_t root_stream = 0;
  uint32_t num_arguments = 0;
  std::vector<Step> steps;
  std::vector<uint32_t> returns;
};

inline RandomProgram MakeProgram(std::mt19937& random, uint32_t num_streams,
                                 bool with_late_values) {
  auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  RandomProgram program;
  program.root_stream = below(num_streams);
  program.num_arguments = below(3);
  uint32_t num_registers = program.num_arguments;
  uint32_t num_steps = 1 + below(40);
  for (uint32_t s = 0; s < num_steps; ++s) {
    Step step;
    if (num_registers > 0 && below(5) != 0) {
      for (uint32_t n = 1 + below(3); n > 0; --n) step.operands.push_back(below(num_registers));
    }
    step.num_results = 1 + below(2);
    step.stream = below(num_streams);
    step.late = with_late_values && below(4) == 0;
    num_registers += step.num_results;
    program.steps.push_back(std::move(step));
  }
  for (uint32_t n = 1 + below(3); n > 0; --n) program.returns.push_back(below(num_registers));
  return program;
}

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_RANDOM_PROGRAM_H_
