// Finds the static order of a program by running the executor's own ready-queue model on it, with every
// value available.

#include <algorithm>

#include "program.h"
#include "ready_queue.h"

namespace tfrt::internal {
namespace {

// The order of docs/executor.md, or empty if that would put a task into the work queue.
std::vector<uint32_t> SimulateOrder(const Program& program) {
  std::vector<uint32_t> pending(program.kernels.size());
  for (size_t k = 0; k < pending.size(); ++k) {
    pending[k] = std::max(1u, program.kernels[k].arguments.size);
  }
  std::vector<uint32_t> order;
  order.reserve(pending.size());
  bool enqueued = false;
  ReadyQueue queue(program, program.root_stream);
  auto decrement = [&](std::span<const uint32_t> kernels) {
    for (uint32_t k : kernels) {
      if (--pending[k] == 0) queue.Push(k);
    }
  };
  auto settle = [&] { queue.Settle([&](std::vector<uint32_t>) { enqueued = true; }); };
  decrement(program.starters);
  for (uint32_t r = 0; r < program.num_arguments; ++r) {
    decrement(program.Indices(program.registers[r].users));
  }
  settle();
  while (!queue.empty() && !enqueued) {
    uint32_t k = queue.Pop();
    order.push_back(k);
    for (uint32_t r : program.Indices(program.kernels[k].results)) {
      decrement(program.Indices(program.registers[r].users));
    }
    settle();
  }
  if (enqueued) order.clear();
  return order;
}

void MarkLastUses(Program* program) {
  std::vector<bool> used_later(program->registers.size());
  for (size_t r = 0; r < used_later.size(); ++r) used_later[r] = program->registers[r].returned();
  program->uses.assign(program->indices.size(), 0);
  std::vector<uint32_t> occurrences(program->registers.size());  // within one kernel
  for (size_t i = program->static_order.size(); i-- > 0;) {
    Slice arguments = program->kernels[program->static_order[i]].arguments;
    std::span<const uint32_t> registers = program->Indices(arguments);
    for (uint32_t r : registers) ++occurrences[r];
    for (uint32_t a = arguments.size; a-- > 0;) {
      uint32_t r = registers[a];
      if (used_later[r]) continue;
      used_later[r] = true;
      program->uses[arguments.begin + a] = occurrences[r] == 1 ? kLastUse | kReusable : kLastUse;
    }
    for (uint32_t r : registers) occurrences[r] = 0;
  }
}

}  // namespace

void ScheduleSyncProgram(Program* program) {
  for (uint32_t k = 0; k < program->kernels.size(); ++k) program->static_order.push_back(k);
  MarkLastUses(program);
}

void ScheduleProgram(Program* program) {
  if (!program->has_non_strict) {
    program->static_order = SimulateOrder(*program);
    program->single_segment = program->static_order.size() == program->kernels.size();
    if (!program->single_segment) {
      program->static_order.clear();
      if (program->order_free) {
        for (uint32_t k = 0; k < program->kernels.size(); ++k) program->static_order.push_back(k);
      }
    }
  }
  MarkLastUses(program);
}

}  // namespace tfrt::internal
