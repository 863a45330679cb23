// Finds the static order of a program by running the executor's own ready-queue model on it, with
// every value available.

#include <algorithm>
#include <numeric>

#include "program.h"
#include "ready_queue.h"

namespace tfrt::internal {
namespace {

// The order of docs/executor.md, without the kernels that would be put into a task of the work
// queue and those that wait for them. With `ignore_streams` all kernels count as of one stream, so
// none is missing. In either, a value is used soon after it is made, if the graph allows it.
std::vector<uint32_t> SimulateOrder(const Program& program, bool ignore_streams) {
  std::vector<uint32_t> pending(program.kernels.size());
  for (size_t k = 0; k < pending.size(); ++k) {
    pending[k] = std::max(1u, program.kernels[k].num_arguments);
  }
  std::vector<uint32_t> order;
  order.reserve(pending.size());
  ReadyQueue queue(program, program.root_stream, ignore_streams);
  auto decrement = [&](std::span<const uint32_t> kernels) {
    for (uint32_t k : kernels) {
      if (--pending[k] == 0) queue.Push(k);
    }
  };
  auto settle = [&] { queue.Settle([](std::span<const uint32_t>) {}); };
  decrement(program.body.kernels_without_operands());
  for (uint32_t r = 0; r < program.num_arguments; ++r) decrement(program.registers[r].users);
  settle();
  while (!queue.empty()) {
    uint32_t k = queue.Pop();
    order.push_back(k);
    const ProgramKernel& kernel = program.kernels[k];
    for (uint32_t i = 0; i < kernel.num_results; ++i) {
      decrement(program.registers[kernel.first_result + i].users);
    }
    settle();
  }
  return order;
}

// Program::can_be_put_off, where `first_kernels` run before the call returns if every value is
// available. If a kernel gives a value that is not, only those that wait for it run later: what
// they would have made ready was above all else in the list of the current stream, or there was
// nothing else.
bool CanBePutOff(const Program& program, const std::vector<uint32_t>& first_kernels) {
  if (!program.order_free || program.result_registers().size() != 1) return false;
  uint32_t result = program.result_registers()[0];
  if (result < program.num_arguments) return false;
  return std::ranges::none_of(first_kernels, [&](uint32_t k) {
    const ProgramKernel& kernel = program.kernels[k];
    // A call may give some of its results at once and others not, and then what follows runs in
    // another order than that of `first_kernels`.
    if (kernel.num_functions != 0 && kernel.num_results > 1) return true;
    return result >= kernel.first_result && result - kernel.first_result < kernel.num_results;
  });
}

// The largest number of values that are alive at once in this order.
size_t MaxLiveValues(const Program& program, const std::vector<uint32_t>& order) {
  std::vector<uint32_t> uses_left(program.registers.size());
  for (size_t r = 0; r < uses_left.size(); ++r) {
    const ProgramRegister& reg = program.registers[r];
    uses_left[r] = static_cast<uint32_t>(reg.users.size() + (reg.returned() ? 1 : 0));
  }
  size_t live = program.num_arguments, max_live = live;
  for (uint32_t k : order) {
    const ProgramKernel& kernel = program.kernels[k];
    live += kernel.num_results;
    max_live = std::max(max_live, live);
    for (uint32_t r : kernel.argument_registers()) live -= --uses_left[r] == 0;
    for (uint32_t i = 0; i < kernel.num_results; ++i)
      live -= uses_left[kernel.first_result + i] == 0;
  }
  return max_live;
}

// Puts the kernels into this order.
void Reorder(Program* program, const std::vector<uint32_t>& order) {
  std::vector<ProgramKernel> kernels;
  kernels.reserve(order.size());
  for (uint32_t k : order) kernels.push_back(program->kernels[k]);
  program->kernels = std::move(kernels);
  for (uint32_t i = 0; i < order.size(); ++i) program->positions[order[i]] = i;
  program->numbers = order;
}

// Fills in the lists of dead registers. `needs_no_drop` says it of a register's values.
template <typename NeedsNoDrop>
void FindDeadRegisters(Program* program, NeedsNoDrop&& needs_no_drop) {
  constexpr uint32_t kDead = UINT32_MAX;
  // The position of the kernel after which each register is dead.
  std::vector<uint32_t> last_position(program->registers.size());
  for (uint32_t i = 0; i < program->kernels.size(); ++i) {
    const ProgramKernel& kernel = program->kernels[i];
    for (uint32_t r : kernel.argument_registers()) last_position[r] = i;
    for (uint32_t j = 0; j < kernel.num_results; ++j) last_position[kernel.first_result + j] = i;
  }
  auto dies = [&](uint32_t r, uint32_t i) {
    return last_position[r] == i && !program->registers[r].returned() && !needs_no_drop(r);
  };
  // Lists that are not empty take two entries and one per register; each register dies once. Where
  // arguments may die there are two of each.
  std::vector<uint32_t>& pool = program->dead_lists;
  pool.reserve((program->registers.size() + 2 * (program->kernels.size() + 1)) *
               (program->num_arguments == 0 ? 1 : 2));
  std::vector<uint32_t> ends_arguments;  // kernels after which arguments are dead
  for (uint32_t r = 0; r < program->num_arguments; ++r) {
    if (program->registers[r].users.empty() || !dies(r, last_position[r])) continue;
    ends_arguments.push_back(last_position[r]);
  }
  pool.assign({0, kNoRegister});
  for (uint32_t i = 0; i < program->kernels.size(); ++i) {
    ProgramKernel& kernel = program->kernels[i];
    size_t begin = pool.size();
    pool.push_back(0);
    std::span<const uint32_t> arguments = kernel.argument_registers();
    // Goes in operand order, which programs can observe. The last of several occurrences counts, so
    // the loop runs backwards.
    for (size_t a = arguments.size(); a-- > 0;) {
      if (!dies(arguments[a], i)) continue;
      pool.push_back(arguments[a]);
      last_position[arguments[a]] = kDead;
    }
    std::reverse(pool.begin() + static_cast<ptrdiff_t>(begin) + 1, pool.end());
    for (uint32_t j = 0; j < kernel.num_results; ++j) {
      if (dies(kernel.first_result + j, i)) pool.push_back(kernel.first_result + j);
    }
    pool[begin] = static_cast<uint32_t>(pool.size() - begin - 1);
    auto dead = std::span(pool).subspan(begin + 1);
    if (std::ranges::find(dead, static_cast<uint32_t>(kernel.reusable_register)) == dead.end()) {
      kernel.reusable_register = -1;
    }
    if (dead.empty()) {
      pool.resize(begin);
      kernel.dead = pool.data() + 1;
    } else {
      pool.push_back(kNoRegister);
      kernel.dead = pool.data() + begin + 1;
    }
  }
  if (ends_arguments.empty()) return;
  // The same lists after them, but without arguments.
  const size_t size = program->borrowed_dead_lists = pool.size();
  pool.resize(2 * size);
  std::copy_n(pool.data(), size, pool.data() + size);
  auto is_argument = [&](uint32_t r) { return r < program->num_arguments; };
  for (uint32_t k : ends_arguments) {
    std::span<const uint32_t> list = program->kernels[k].dead_registers();
    uint32_t* copy = pool.data() + size + (list.data() - pool.data());
    *std::remove_if(copy, copy + list.size(), is_argument) = kNoRegister;
  }
}

void UseProgramOrder(Program* program) {
  program->has_static_order = true;
  program->positions.resize(program->kernels.size());
  std::iota(program->positions.begin(), program->positions.end(), 0);
  program->numbers = program->positions;
}

// Gives registers whose values' lives do not overlap one number, so that a long function works on
// little memory. Arguments keep their numbers; returned values have numbers of their own, because
// they live in the caller's memory.
void RenumberSyncRegisters(Program* program) {
  constexpr uint32_t kPinned = UINT32_MAX;
  size_t size = program->registers.size();
  std::vector<uint32_t> last_position(size), number(size);
  size_t num_operands = 0;
  for (uint32_t i = 0; i < program->kernels.size(); ++i) {
    const ProgramKernel& kernel = program->kernels[i];
    num_operands += kernel.num_arguments;
    for (uint32_t r : kernel.argument_registers()) last_position[r] = i;
    for (uint32_t j = 0; j < kernel.num_results; ++j) last_position[kernel.first_result + j] = i;
  }
  for (uint32_t r = 0; r < size; ++r) {
    if (r < program->num_arguments || program->registers[r].returned()) last_position[r] = kPinned;
  }
  std::iota(number.begin(), number.begin() + program->num_arguments, 0);
  uint32_t next_number = program->num_arguments;
  std::vector<uint32_t> free_numbers;
  program->sync_operands.reserve(num_operands);
  for (uint32_t i = 0; i < program->kernels.size(); ++i) {
    ProgramKernel& kernel = program->kernels[i];
    uint32_t first_result = kernel.first_result;
    bool reuses =
        kernel.num_results == 1 && !free_numbers.empty() && last_position[first_result] != kPinned;
    kernel.first_result = reuses ? free_numbers.back() : next_number;
    if (reuses) {
      free_numbers.pop_back();
    } else {
      next_number += kernel.num_results;
    }
    for (uint32_t j = 0; j < kernel.num_results; ++j) {
      number[first_result + j] = kernel.first_result + j;
    }
    const uint32_t* operands = program->sync_operands.data() + program->sync_operands.size();
    auto release = [&](uint32_t r) {
      if (last_position[r] != i) return;
      last_position[r] = kPinned;  // once
      free_numbers.push_back(number[r]);
    };
    for (uint32_t r : kernel.argument_registers()) program->sync_operands.push_back(number[r]);
    for (uint32_t r : kernel.argument_registers()) release(r);
    for (uint32_t j = 0; j < kernel.num_results; ++j) release(first_result + j);
    kernel.arguments = operands;
    for (size_t d = 0; d < kernel.dead_registers().size(); ++d) {
      size_t index = static_cast<size_t>(kernel.dead - program->dead_lists.data()) + d;
      program->dead_lists[index] = number[program->dead_lists[index]];
    }
  }
  for (uint32_t r : program->result_registers()) {
    program->sync_result_registers.push_back(number[r]);
  }
  program->num_registers = next_number;
}

}  // namespace

void ScheduleSyncProgram(Program* program, const std::vector<uint8_t>& trivial_results) {
  UseProgramOrder(program);
  std::vector<uint8_t> trivial(program->registers.size());
  // Arguments belong to the caller.
  for (uint32_t r = 0; r < program->num_arguments; ++r) trivial[r] = true;
  for (size_t k = 0; k < program->kernels.size(); ++k) {
    const ProgramKernel& kernel = program->kernels[k];
    for (uint32_t i = 0; i < kernel.num_results; ++i) {
      trivial[kernel.first_result + i] = trivial_results[k];
    }
  }
  FindDeadRegisters(program, [&](uint32_t r) { return trivial[r]; });
  RenumberSyncRegisters(program);
}

void ScheduleProgram(Program* program) {
  UseProgramOrder(program);
  program->has_static_order = false;
  if (!program->has_non_strict) {
    std::vector<uint32_t> order = SimulateOrder(*program, /*ignore_streams=*/false);
    program->single_segment = order.size() == program->kernels.size();
    program->has_static_order = true;
    if (!program->single_segment) {
      program->can_be_put_off = CanBePutOff(*program, order);
      // Any order is right; few values alive are values in the cache.
      order = SimulateOrder(*program, /*ignore_streams=*/true);
      if (MaxLiveValues(*program, program->positions) < MaxLiveValues(*program, order)) {
        order = program->positions;
      }
    }
    Reorder(program, order);
  }
  program->is_simple = program->single_segment && program->all_clear_results;
  FindDeadRegisters(program, [](uint32_t) { return false; });
}

}  // namespace tfrt::internal
