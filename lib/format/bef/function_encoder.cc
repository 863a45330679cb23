#include "function_encoder.h"

#include <cassert>
#include <numeric>
#include <span>

#include "tfrt/bef/bef_format.h"

namespace tfrt::bef {
namespace {

void EmitWords(std::span<const uint32_t> words, Buffer* area) {
  for (uint32_t word : words) area->EmitU32(word);
}

// The numbers of the kernels that use each register, in reverse program order, and of those without
// operands, in program order. The pseudo kernel is number 0.
class Users {
 public:
  explicit Users(const FunctionBody& body) : begin_(body.num_registers + 2) {
    for (const EncodedKernel& kernel : body.kernels) {
      for (uint32_t r : kernel.operands) {
        assert(r < body.num_registers);
        ++begin_[r + 1];
      }
    }
    std::partial_sum(begin_.begin(), begin_.end() - 1, begin_.begin());
    numbers_.resize(begin_[body.num_registers]);
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 2);
    for (size_t k = body.kernels.size(); k-- > 0;) {
      const std::vector<uint32_t>& operands = body.kernels[k].operands;
      auto number = static_cast<uint32_t>(k + 1);
      for (size_t i = operands.size(); i-- > 0;) numbers_[next[operands[i]]++] = number;
    }
    for (size_t k = 0; k < body.kernels.size(); ++k) {
      if (body.kernels[k].operands.empty()) numbers_.push_back(static_cast<uint32_t>(k + 1));
    }
    begin_.back() = static_cast<uint32_t>(numbers_.size());
  }
  // Returns the users of register `r`. If `r` is the number of registers: the kernels without
  // operands.
  std::span<const uint32_t> of(uint32_t r) const {
    return std::span(numbers_).subspan(begin_[r], begin_[r + 1] - begin_[r]);
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> numbers_;
};

// Appends the words of a kernel to the kernel area.
void EmitKernel(const EncodedKernel& kernel, const Users& users, Buffer* area) {
  area->EmitU32(kernel.kernel_id);
  area->EmitU32(kernel.location);
  area->EmitU32(static_cast<uint32_t>(kernel.operands.size()));
  area->EmitU32(static_cast<uint32_t>(kernel.attributes.size()));
  area->EmitU32(static_cast<uint32_t>(kernel.functions.size()));
  area->EmitU32(static_cast<uint32_t>(kernel.results.size()));
  for (uint32_t result : kernel.results) {
    area->EmitU32(static_cast<uint32_t>(users.of(result).size()));
  }
  EmitWords(kernel.operands, area);
  EmitWords(kernel.attributes, area);
  EmitWords(kernel.functions, area);
  EmitWords(kernel.results, area);
  for (uint32_t result : kernel.results) EmitWords(users.of(result), area);
}

}  // namespace

uint32_t EncodeFunctionBody(const FunctionBody& body, Buffer* functions) {
  Users users(body);
  std::vector<uint32_t> use_counts(body.num_registers);
  for (uint32_t i = 0; i < body.num_registers; ++i) {
    use_counts[i] = static_cast<uint32_t>(users.of(i).size());
  }
  for (uint32_t result : body.returns) {
    assert(result < body.num_registers);
    ++use_counts[result];
  }

  // The function's entry: its results are a register of its own, then the arguments.
  EncodedKernel entry{.kernel_id = kPseudoKernelId,
                      .location = kPseudoKernelLocation,
                      .stream = body.root_stream,
                      .operands = {},
                      .attributes = {},
                      .functions = {},
                      .results = {body.num_registers}};
  for (uint32_t i = 0; i < body.num_arguments; ++i) entry.results.push_back(i);

  uint32_t offset = static_cast<uint32_t>(functions->size());
  functions->EmitVbr(body.location);
  functions->EmitVbr(body.num_registers);
  for (uint32_t count : use_counts) functions->EmitVbr(count);
  functions->EmitVbr(body.kernels.size() + 1);
  Buffer area;
  auto emit = [&](const EncodedKernel& kernel) {
    functions->EmitVbr(area.size());
    functions->EmitVbr(kernel.operands.size());
    functions->EmitVbr(kernel.stream);
    EmitKernel(kernel, users, &area);
  };
  emit(entry);
  for (const EncodedKernel& kernel : body.kernels) emit(kernel);
  for (uint32_t result : body.returns) functions->EmitVbr(result);
  functions->Embed(area);
  return offset;
}

}  // namespace tfrt::bef
