#ifndef TFRT_TEST_GPU_VENDOR_PTX_CONTRACTION_H_
#define TFRT_TEST_GPU_VENDOR_PTX_CONTRACTION_H_

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "syntax.h"

namespace tfrt::gpu::ptx {

// Finds the contractions that PTX allows to an assembler. A product and a sum of it, neither with a
// rounding modifier, become one fma, which rounds once. Sees the instructions of a function in
// their order. It finds only pairs with nothing possible in between; an assembler may find more.
class Contraction {
 public:
  struct Pair {
    uint32_t product_line = 0;
    std::string_view product, sum;    // opcodes
    std::optional<uint32_t> negated;  // the operand of `fma` that comes in negated, from 1
    InstructionSyntax fma;            // in place of the sum; the product stays for others
  };

  // A label: what comes next may be reached without what came before.
  void Clear() { products_.clear(); }
  // The next instruction, and the pair of which it is the sum.
  std::optional<Pair> Next(const InstructionSyntax& syntax);

 private:
  struct Product {
    InstructionSyntax syntax;
    std::vector<uint32_t> writes;  // of its registers, when it was made
  };

  uint32_t& WritesOf(uint32_t reg);
  std::vector<uint32_t> WritesOf(const InstructionSyntax& product);
  void NoteWrite(const OperandSyntax& operand);

  std::unordered_map<uint32_t, Product> products_;  // by their register
  std::vector<uint32_t> num_writes_;                // to each register so far
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_CONTRACTION_H_
