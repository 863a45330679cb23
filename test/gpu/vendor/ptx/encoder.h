#ifndef TFRT_TEST_GPU_VENDOR_PTX_ENCODER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_ENCODER_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "function_builder.h"
#include "program.h"
#include "syntax.h"

namespace tfrt::gpu::ptx {

// Turns one instruction from what is written into what is executed. The functions of the families
// of instructions take modifiers and operands from it and fill `out()`. An error is kept, and the
// functions go on with anything: nobody has to look before the end.
class Encoder {
 public:
  Encoder(FunctionBuilder& builder, const InstructionSyntax& syntax);

  std::string_view opcode() const { return syntax_.opcode; }
  Instruction& out() { return out_; }
  FunctionBuilder& builder() { return builder_; }
  const InstructionSyntax& syntax() const { return syntax_; }

  // Whether the modifier is there.
  bool Has(std::string_view modifier) const;
  // Modifiers: each is taken once, in any order but that of equal ones.
  bool Take(std::string_view modifier);
  // The index of the one of `modifiers` that is there, taken; -1 if none is.
  int TakeOneOf(std::initializer_list<std::string_view> modifiers);
  // The first type among the modifiers; an error if there is none.
  Type TakeType();
  // As above, kNone if there is none.
  Type TakeOptionalType();
  // The type that TakeOptionalType would take.
  Type PeekType() const;
  // .rn, .rz, .rm, .rp; whether there was one.
  bool TakeRounding();

  // Operands, by their position; an error if they do not fit the type. `wider` registers serve
  // memory accesses and conversions.
  size_t num_operands() const { return syntax_.operands.size(); }
  const OperandSyntax& operand(size_t index);
  // Fails unless there are so many operands.
  bool ExpectOperands(size_t count);
  bool ExpectOperands(size_t least, size_t most);
  Operand Destination(size_t index, Type type, bool wider = false);
  Operand Destination(const OperandSyntax& operand, Type type, bool wider = false);
  Operand Source(size_t index, Type type, bool wider = false);
  Operand Source(const OperandSyntax& operand, Type type, bool wider = false);
  PredicateOperand PredicateDestination(const OperandSyntax& operand);
  PredicateOperand PredicateSource(const OperandSyntax& operand);
  PredicateOperand PredicateSource(size_t index) { return PredicateSource(operand(index)); }
  // A constant operand.
  Operand Value(uint64_t value);
  // The value of an operand that must be an integer literal.
  uint64_t Literal(size_t index);
  // [address] into `out().a`, `offset` and `space`; `space` is what the modifiers say.
  void Address(size_t index, Space space);
  uint32_t AddList(std::vector<Operand> elements);
  // The width of the register that an operand names, 0 if it names none.
  static int RegisterBits(const OperandSyntax& operand);

  void Fail(std::string message);         // an error in the text
  void Unsupported(std::string message);  // something that this executor lacks
  // The type cannot be that of the instruction.
  void BadType(Type type);

  // Appends the instruction to the program, if there was no error. Fails if modifiers are left.
  bool Finish();

 private:
  Operand SymbolAddress(const OperandSyntax& operand);
  std::string Name() const;

  FunctionBuilder& builder_;
  const InstructionSyntax& syntax_;
  std::vector<bool> taken_;
  Instruction out_;
};

// How an opcode is encoded.
struct OpcodeEntry {
  std::string_view name;
  void (*encode)(Encoder& encoder);
};

// The families, each in a file of its own.
std::span<const OpcodeEntry>
IntegerOpcodes();  // and what has the same names for floating-point numbers
std::span<const OpcodeEntry> BitOpcodes();
std::span<const OpcodeEntry> CarryOpcodes();
std::span<const OpcodeEntry> FloatOpcodes();
std::span<const OpcodeEntry> ApproximateOpcodes();
std::span<const OpcodeEntry> CompareOpcodes();
std::span<const OpcodeEntry> ConvertOpcodes();
std::span<const OpcodeEntry> MoveOpcodes();
std::span<const OpcodeEntry> MemoryOpcodes();
std::span<const OpcodeEntry> AtomicOpcodes();
std::span<const OpcodeEntry> WarpOpcodes();
std::span<const OpcodeEntry> BarrierOpcodes();
std::span<const OpcodeEntry> ControlOpcodes();

// add, sub, mul, mad, fma, div, abs, neg, min and max of a floating-point type.
void EncodeFloatArithmetic(Encoder& encoder);
// add, sub and mad with .cc.
void EncodeArithmeticWithCarry(Encoder& encoder);

// Null if there is no such instruction here.
const OpcodeEntry* FindOpcode(std::string_view name);
// Whether PTX has an instruction of the name, which this executor lacks.
bool IsOtherOpcode(std::string_view name);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_ENCODER_H_
