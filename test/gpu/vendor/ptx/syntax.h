#ifndef TFRT_TEST_GPU_VENDOR_PTX_SYNTAX_H_
#define TFRT_TEST_GPU_VENDOR_PTX_SYNTAX_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "special.h"
#include "types.h"

namespace tfrt::gpu::ptx {

// The meaning of a name, in the scope of an instruction.
struct Symbol {
  enum class Kind : uint8_t {
    kUnknown,    // not declared: a label, perhaps
    kRegister,   // index: its slot
    kPredicate,  // index: its slot
    kVariable,   // global or constant; index: of the variable
    kShared,     // index: of the shared variable
    kFrame,      // .local, or .param of a function; index: its offset in the frame
    kParameter,  // of a kernel; index: its offset
    kFunction,   // index: of the function
    kPrototype,  // of indirect calls; index: of the function that stands for it
  };
  Kind kind = Kind::kUnknown;
  Type type = Type::kNone;
  Space space = Space::kGeneric;
  uint32_t index = 0;
  uint32_t size = 0;
};

// An operand as it is written, its names looked up.
struct OperandSyntax {
  enum class Kind : uint8_t {
    kSymbol,   // symbol, name; offset: what is added to its address
    kSpecial,  // special
    kInteger,  // value
    kFloat32,  // value: the bits
    kFloat64,  // value: the bits
    kAddress,  // [elements[0] + offset]
    kVector,   // {elements}
    kList,     // (elements), of calls
    kPair,     // elements[0] | elements[1]
    kSink,     // _
  };
  Kind kind = Kind::kSink;
  bool negated = false;  // !p
  std::string_view name;
  Symbol symbol;
  SpecialRegister special{};
  uint64_t value = 0;
  int64_t offset = 0;
  std::vector<OperandSyntax> elements;

  bool IsRegister() const {
    return kind == Kind::kSymbol && symbol.kind == Symbol::Kind::kRegister;
  }
  bool IsPredicate() const {
    return kind == Kind::kSymbol && symbol.kind == Symbol::Kind::kPredicate;
  }
};

struct InstructionSyntax {
  uint32_t line = 0;
  std::string_view opcode;
  std::vector<std::string_view> modifiers;  // without dots
  bool guarded = false;
  OperandSyntax guard;
  std::vector<OperandSyntax> operands;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_SYNTAX_H_
