#ifndef TFRT_TEST_GPU_VENDOR_PTX_PROGRAM_H_
#define TFRT_TEST_GPU_VENDOR_PTX_PROGRAM_H_

// A decoded PTX text: instructions whose names are all resolved. Each has the function that
// executes it for the 32 lanes of a warp.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memory.h"
#include "module.h"
#include "types.h"

namespace tfrt::gpu::ptx {

class Warp;
struct Instruction;

inline constexpr uint32_t kWarpLanes = 32;
// Bit i stands for lane i of a warp.
using LaneMask = uint32_t;
inline constexpr LaneMask kAllLanes = ~LaneMask{0};

// Executes an instruction for the lanes of a mask, which is not empty. A handler that continues at
// another instruction than the next one sets that in the warp.
using Handler = void (*)(Warp& warp, const Instruction& instruction, LaneMask lanes);

// Where the 32 values of an operand are: 64 bits for each lane, of which those above the operand's
// type are zero.
struct Operand {
  enum class Kind : uint32_t {
    kRegister,  // of the current frame
    kConstant,  // the same for all lanes: Program::constants
    kSpecial,   // %tid.x and its like: enum Special
    kFrame,     // the address of a byte of the current frame's local memory
  };

  static Operand Make(Kind kind, uint32_t index) {
    return {static_cast<uint32_t>(kind) << 30 | index};
  }
  Kind kind() const { return static_cast<Kind>(bits >> 30); }
  uint32_t index() const { return bits & kMaxIndex; }

  static constexpr uint32_t kMaxIndex = (uint32_t{1} << 30) - 1;
  uint32_t bits = 0;
};

// A predicate register of the current frame, or its opposite. Slot 0 of each frame is always false.
struct PredicateOperand {
  static PredicateOperand Make(uint32_t slot, bool negated) {
    return {slot * 2 + (negated ? 1 : 0)};
  }
  static PredicateOperand True() { return Make(0, true); }
  uint32_t slot() const { return bits >> 1; }
  bool negated() const { return bits & 1; }

  uint32_t bits = 1;
};

enum class Rounding : uint8_t { kNearest, kZero, kDown, kUp, kNearestAway };

enum class Comparison : uint8_t {
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,  // false if an operand is no number, but ne
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,  // true if an operand is no number
  kNum,
  kNan,
};
enum class BoolOp : uint8_t { kNone, kAnd, kOr, kXor };

// The inputs of an instruction beside its operands; each family of handlers documents those that it
// reads.
struct Instruction {
  Handler run = nullptr;
  PredicateOperand guard = PredicateOperand::True();
  Operand d, a, b, c;
  PredicateOperand p, q;
  uint32_t line = 0;   // of the PTX text
  uint32_t form = 0;   // Program::forms: its opcode with modifiers
  uint32_t extra = 0;  // an index into one of the program's tables, a target, a member mask
  int64_t offset = 0;  // of an address
  Type type = Type::kNone;
  Type from = Type::kNone;  // of the sources, where it differs
  Space space = Space::kGeneric;
  uint8_t count = 1;  // elements of a vector
  Rounding rounding = Rounding::kNearest;
  bool flush = false;     // .ftz
  bool saturate = false;  // .sat
  bool strong = false;  // volatile, relaxed and stronger: such accesses do not race with each other
  bool fence = false;   // acquire, release: orders other accesses
  bool non_coherent = false;  // .nc, ldu: of memory that nothing writes as long as the launch runs
  uint8_t mode = 0;           // what else a family tells apart
  Comparison comparison = Comparison::kEq;
  BoolOp combine = BoolOp::kNone;
};

// A value that all lanes share. Addresses are known when a kernel is launched.
struct Constant {
  enum class Kind : uint8_t { kValue, kVariable, kShared, kDynamicShared, kFunction };
  Kind kind = Kind::kValue;
  uint32_t index = 0;  // of the variable, shared variable or function
  uint64_t value = 0;  // or what is added to the address
  friend bool operator==(const Constant&, const Constant&) = default;
};

// An array in shared memory. Each kernel lays out those that it and its callees name.
struct SharedVariable {
  std::string name;
  uint64_t size = 0;  // 0: dynamic, its size comes with the launch
  uint32_t alignment = 1;
  bool dynamic = false;
};

// A parameter or result of a function that is called: a register, or bytes of the frame.
struct FormalParameter {
  bool in_register = false;
  Type type = Type::kNone;
  uint32_t slot = 0;    // register or, of type pred, predicate
  uint32_t offset = 0;  // in the frame's local memory
  uint32_t size = 0;
};

struct Function {
  enum class Kind : uint8_t { kEntry, kDevice, kPrintf, kAssertFail };

  std::string name;
  Kind kind = Kind::kDevice;
  bool defined = false;
  uint32_t line = 0;   // of its head
  uint32_t begin = 0;  // its first instruction
  uint32_t end = 0;
  uint32_t num_registers = 0;
  uint32_t num_predicates = 1;
  uint32_t frame_bytes = 0;  // of local memory: variables, parameters, arguments of calls
  std::vector<FormalParameter> parameters;
  std::vector<FormalParameter> results;
  uint32_t first_constant = 0;  // Program::constants, up to the next function's
  uint32_t end_constant = 0;
  std::vector<uint32_t> callees;  // functions that it names, called or not
  std::vector<uint32_t> shared_variables;
  uint32_t entry = 0;  // Program::entries, of a kernel
};

// The arguments of a call: where the caller has them.
struct CallSite {
  static constexpr uint32_t kIndirect = ~uint32_t{0};
  struct Value {
    bool in_frame = false;
    Type type = Type::kNone;
    Operand operand;             // a register, constant, ...
    PredicateOperand predicate;  // of type pred
    uint32_t offset = 0;         // in the caller's frame
    uint32_t size = 0;
  };
  uint32_t function = kIndirect;
  Operand target;  // of an indirect call: the address of a function
  std::vector<Value> arguments;
  std::vector<Value> results;
};

// Bytes of an initialiser that are an address.
struct Relocation {
  uint64_t offset = 0;
  uint8_t size = 8;
  bool is_function = false;
  uint32_t index = 0;
  int64_t addend = 0;
};

struct VariableBytes {
  std::vector<std::byte> bytes;  // the first ones; those behind are zero
  std::vector<Relocation> relocations;
};

// How shared memory of a kernel is laid out: the offset of each shared variable, by its index.
struct SharedLayout {
  std::vector<std::pair<uint32_t, uint32_t>> offsets;  // variable, offset
  uint32_t static_bytes = 0;
  uint32_t dynamic_offset = 0;  // where dynamic arrays begin, all of them
};

// Pairs of a product and a sum that an assembler may fuse (contraction.h).
struct Contractions {
  bool happen = false;  // or else each is rounded twice
  uint32_t count = 0;
  std::string first;  // in words
};

struct Program {
  Contractions contractions;
  int version = 0;
  int target = 0;
  std::vector<Instruction> code;
  std::vector<Function> functions;
  std::vector<uint32_t> entry_functions;  // as long as `entries`
  std::vector<Entry> entries;
  std::vector<SharedLayout> layouts;  // as long as `entries`
  std::vector<Variable> variables;
  std::vector<VariableBytes> initial;  // as long as `variables`
  std::vector<SharedVariable> shared;
  std::vector<Constant> constants;
  std::vector<std::string> forms;
  // Tables that instructions point into by `extra`.
  std::vector<std::vector<Operand>> lists;  // elements of vectors
  std::vector<CallSite> calls;
  std::vector<std::vector<uint32_t>> branch_tables;
};

// The address that a function has for programs; no kernel or function has the first one.
inline uint64_t FunctionAddress(uint32_t index) {
  return kFunctionWindow + 16 * (uint64_t{index} + 1);
}

// The opcode with its modifiers, of the instruction.
inline const std::string& FormOf(const Program& program, const Instruction& instruction) {
  return program.forms[instruction.form];
}

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_PROGRAM_H_
