#include "contraction.h"

#include <algorithm>

namespace tfrt::gpu::ptx {
namespace {

bool Has(const InstructionSyntax& syntax, std::string_view modifier) {
  return std::ranges::find(syntax.modifiers, modifier) != syntax.modifiers.end();
}

// True for floating-point instructions without a rounding mode.
bool IsUnrounded(const InstructionSyntax& syntax) {
  for (std::string_view rounding : {"rn", "rz", "rm", "rp"}) {
    if (Has(syntax, rounding)) return false;
  }
  return !syntax.modifiers.empty() && IsFloat(ParseType(syntax.modifiers.back())) &&
         syntax.operands.size() == 3 && syntax.operands[0].IsRegister();
}

}  // namespace

std::optional<Contraction::Pair> Contraction::Next(const InstructionSyntax& syntax) {
  const bool is_product = syntax.opcode == "mul" && !syntax.guarded && !Has(syntax, "sat");
  const bool is_sum = syntax.opcode == "add" || syntax.opcode == "sub";
  std::optional<Pair> pair;
  if (is_sum && IsUnrounded(syntax)) {
    for (size_t i : {1, 2}) {
      if (!syntax.operands[i].IsRegister()) continue;
      auto found = products_.find(syntax.operands[i].symbol.index);
      if (found == products_.end()) continue;
      const InstructionSyntax& product = found->second.syntax;
      if (found->second.writes != WritesOf(product) || Has(product, "ftz") != Has(syntax, "ftz") ||
          product.modifiers.back() != syntax.modifiers.back()) {
        continue;
      }
      pair.emplace();
      pair->product_line = product.line;
      pair->product = product.opcode;
      pair->sum = syntax.opcode;
      pair->fma = syntax;
      pair->fma.opcode = "fma";
      pair->fma.modifiers.insert(pair->fma.modifiers.begin(), "rn");
      pair->fma.operands = {syntax.operands[0], product.operands[1], product.operands[2],
                            syntax.operands[3 - i]};
      // a * b - c, and c - a * b.
      if (syntax.opcode == "sub") pair->negated = i == 1 ? 3 : 1;
      break;
    }
  }
  if (!syntax.operands.empty()) NoteWrite(syntax.operands[0]);
  auto is_written = [&](const OperandSyntax& operand) {
    return operand.IsRegister() && operand.symbol.index == syntax.operands[0].symbol.index;
  };
  // One that takes the place of a factor has lost it.
  if (is_product && IsUnrounded(syntax) && !is_written(syntax.operands[1]) &&
      !is_written(syntax.operands[2])) {
    products_.insert_or_assign(syntax.operands[0].symbol.index, Product{syntax, WritesOf(syntax)});
  }
  return pair;
}

uint32_t& Contraction::WritesOf(uint32_t reg) {
  if (num_writes_.size() <= reg) num_writes_.resize(size_t{reg} + 1);
  return num_writes_[reg];
}

std::vector<uint32_t> Contraction::WritesOf(const InstructionSyntax& product) {
  std::vector<uint32_t> writes;
  for (const OperandSyntax& operand : product.operands) {
    if (operand.IsRegister()) writes.push_back(WritesOf(operand.symbol.index));
  }
  return writes;
}

// The first operand, and all in it; of an instruction that writes none, such as a store, this
// forgets more than it must.
void Contraction::NoteWrite(const OperandSyntax& operand) {
  if (operand.IsRegister()) ++WritesOf(operand.symbol.index);
  for (const OperandSyntax& element : operand.elements) NoteWrite(element);
}

}  // namespace tfrt::gpu::ptx
