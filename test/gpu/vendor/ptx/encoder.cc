#include "encoder.h"

#include <algorithm>
#include <bit>

namespace tfrt::gpu::ptx {
namespace {

const OperandSyntax kNoOperand;

// Whether a register of type `have` may be an operand of type `want`.
bool Fits(Type have, Type want, bool wider) {
  if (have == Type::kPred || want == Type::kPred) return have == want;
  if (wider ? BitsOf(have) < BitsOf(want) : BitsOf(have) != BitsOf(want)) return false;
  if (wider || IsUntyped(have) || IsUntyped(want)) return true;
  return IsFloat(have) == IsFloat(want);
}

uint64_t Truncate(uint64_t value, int bits) {
  return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

}  // namespace

Encoder::Encoder(FunctionBuilder& builder, const InstructionSyntax& syntax)
    : builder_(builder), syntax_(syntax), taken_(syntax.modifiers.size()) {
  out_.line = syntax.line;
}

bool Encoder::Has(std::string_view modifier) const {
  return std::find(syntax_.modifiers.begin(), syntax_.modifiers.end(), modifier) !=
         syntax_.modifiers.end();
}

bool Encoder::Take(std::string_view modifier) { return TakeOneOf({modifier}) == 0; }

int Encoder::TakeOneOf(std::initializer_list<std::string_view> modifiers) {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    auto found = std::find(modifiers.begin(), modifiers.end(), syntax_.modifiers[i]);
    if (found == modifiers.end()) continue;
    taken_[i] = true;
    return static_cast<int>(found - modifiers.begin());
  }
  return -1;
}

Type Encoder::TakeOptionalType() {
  for (size_t i = 0; i < taken_.size(); ++i) {
    Type type = taken_[i] ? Type::kNone : ParseType(syntax_.modifiers[i]);
    if (type == Type::kNone) continue;
    taken_[i] = true;
    return type;
  }
  return Type::kNone;
}

Type Encoder::PeekType() const {
  for (size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    Type type = ParseType(syntax_.modifiers[i]);
    if (type != Type::kNone) return type;
  }
  return Type::kNone;
}

Type Encoder::TakeType() {
  Type type = TakeOptionalType();
  if (type != Type::kNone) return type;
  auto left = std::find(taken_.begin(), taken_.end(), false);
  if (left == taken_.end()) {
    Fail("a type is missing");
  } else {
    Unsupported("modifier '." + std::string(syntax_.modifiers[left - taken_.begin()]) +
                "' is not supported");
  }
  return Type::kB32;
}

bool Encoder::TakeRounding() {
  int rounding = TakeOneOf({"rn", "rz", "rm", "rp"});
  if (rounding >= 0) out_.rounding = static_cast<Rounding>(rounding);
  return rounding >= 0;
}

const OperandSyntax& Encoder::operand(size_t index) {
  if (index < syntax_.operands.size()) return syntax_.operands[index];
  Fail("operand " + std::to_string(index + 1) + " is missing");
  return kNoOperand;
}

bool Encoder::ExpectOperands(size_t count) { return ExpectOperands(count, count); }

bool Encoder::ExpectOperands(size_t least, size_t most) {
  if (num_operands() >= least && num_operands() <= most) return true;
  Fail(std::to_string(num_operands()) + " operands, where " + std::to_string(least) +
       (least == most ? "" : " to " + std::to_string(most)) + " belong");
  return false;
}

Operand Encoder::Destination(size_t index, Type type, bool wider) {
  return Destination(operand(index), type, wider);
}

Operand Encoder::Destination(const OperandSyntax& operand, Type type, bool wider) {
  // A sink has a register of its own that nobody reads.
  if (operand.kind == OperandSyntax::Kind::kSink) {
    return Operand::Make(Operand::Kind::kRegister, builder_.MakeRegister(Type::kB64).index);
  }
  if (!operand.IsRegister()) {
    Fail("the destination is no register");
  } else if (!Fits(operand.symbol.type, type, wider)) {
    Fail("register '" + std::string(operand.name) + "' of type ." + TypeName(operand.symbol.type) +
         " does not fit type ." + TypeName(type));
  }
  return Operand::Make(Operand::Kind::kRegister, operand.symbol.index);
}

Operand Encoder::Source(size_t index, Type type, bool wider) {
  return Source(operand(index), type, wider);
}

Operand Encoder::Source(const OperandSyntax& operand, Type type, bool wider) {
  if (operand.negated) Fail("'!' in front of an operand that is no predicate");
  switch (operand.kind) {
    case OperandSyntax::Kind::kInteger:
      if (!IsFloat(type)) return Value(Truncate(operand.value, BitsOf(type)));
      Fail("an integer where a value of type ." + std::string(TypeName(type)) + " belongs");
      break;
    case OperandSyntax::Kind::kFloat32:
    case OperandSyntax::Kind::kFloat64: {
      bool is_single = operand.kind == OperandSyntax::Kind::kFloat32;
      double value = is_single ? std::bit_cast<float>(static_cast<uint32_t>(operand.value))
                               : std::bit_cast<double>(operand.value);
      if (is_single ? BitsOf(type) == 32 && (IsFloat(type) || IsUntyped(type)) : false) {
        return Value(operand.value);
      }
      if (type == Type::kF64 || type == Type::kB64) return Value(std::bit_cast<uint64_t>(value));
      if (type == Type::kF32 || type == Type::kB32) {
        return Value(std::bit_cast<uint32_t>(static_cast<float>(value)));
      }
      Fail("a floating-point number where a value of type ." + std::string(TypeName(type)) +
           " belongs");
      break;
    }
    case OperandSyntax::Kind::kSpecial:
      if (!Fits(operand.special.type, type, true)) Fail("the special register is too narrow");
      return Operand::Make(Operand::Kind::kSpecial, static_cast<uint32_t>(operand.special.special));
    case OperandSyntax::Kind::kSymbol:
      if (!operand.IsRegister()) return SymbolAddress(operand);
      if (!Fits(operand.symbol.type, type, wider)) {
        Fail("register '" + std::string(operand.name) + "' of type ." +
             TypeName(operand.symbol.type) + " does not fit type ." + TypeName(type));
      }
      return Operand::Make(Operand::Kind::kRegister, operand.symbol.index);
    default:
      Fail("an operand of the wrong kind");
  }
  return Value(0);
}

Operand Encoder::SymbolAddress(const OperandSyntax& operand) {
  Constant constant;
  constant.index = operand.symbol.index;
  constant.value = static_cast<uint64_t>(operand.offset);
  switch (operand.symbol.kind) {
    case Symbol::Kind::kVariable:
      constant.kind = Constant::Kind::kVariable;
      break;
    case Symbol::Kind::kShared: {
      builder_.UseShared(operand.symbol.index);
      bool dynamic = builder_.program().shared[operand.symbol.index].dynamic;
      constant.kind = dynamic ? Constant::Kind::kDynamicShared : Constant::Kind::kShared;
      break;
    }
    case Symbol::Kind::kFunction:
      builder_.UseFunction(operand.symbol.index);
      constant.kind = Constant::Kind::kFunction;
      break;
    case Symbol::Kind::kFrame: {
      uint64_t offset = operand.symbol.index + static_cast<uint64_t>(operand.offset);
      if (offset > Operand::kMaxIndex) {
        Fail("an offset outside of the frame");
        return Value(0);
      }
      return Operand::Make(Operand::Kind::kFrame, static_cast<uint32_t>(offset));
    }
    case Symbol::Kind::kParameter:
      constant.index = 0;
      constant.value += operand.symbol.index;
      break;
    default:
      Fail("'" + std::string(operand.name) + "' is not declared");
      return Value(0);
  }
  return Operand::Make(Operand::Kind::kConstant, builder_.InternConstant(constant));
}

PredicateOperand Encoder::PredicateDestination(const OperandSyntax& operand) {
  if (operand.kind == OperandSyntax::Kind::kSink) {
    return PredicateOperand::Make(builder_.MakeRegister(Type::kPred).index, false);
  }
  if (!operand.IsPredicate() || operand.negated) Fail("the destination is no predicate");
  return PredicateOperand::Make(operand.symbol.index, false);
}

PredicateOperand Encoder::PredicateSource(const OperandSyntax& operand) {
  if (operand.kind == OperandSyntax::Kind::kInteger) {
    return PredicateOperand::Make(0, (operand.value != 0) != operand.negated);
  }
  if (!operand.IsPredicate()) Fail("an operand that is no predicate");
  return PredicateOperand::Make(operand.symbol.index, operand.negated);
}

Operand Encoder::Value(uint64_t value) {
  Constant constant;
  constant.value = value;
  return Operand::Make(Operand::Kind::kConstant, builder_.InternConstant(constant));
}

uint64_t Encoder::Literal(size_t index) {
  const OperandSyntax& literal = operand(index);
  if (literal.kind != OperandSyntax::Kind::kInteger) {
    Fail("operand " + std::to_string(index + 1) + " must be an integer constant");
  }
  return literal.value;
}

void Encoder::Address(size_t index, Space space) {
  const OperandSyntax& address = operand(index);
  out_.space = space;
  if (address.kind != OperandSyntax::Kind::kAddress) {
    Fail("operand " + std::to_string(index + 1) + " must be an address");
    return;
  }
  const OperandSyntax& base = address.elements[0];
  out_.offset = address.offset;
  if (base.kind == OperandSyntax::Kind::kInteger) {
    out_.a = Value(base.value);
  } else if (base.IsRegister()) {
    if (BitsOf(base.symbol.type) < 32) Fail("an address in a register of less than 32 bits");
    out_.a = Operand::Make(Operand::Kind::kRegister, base.symbol.index);
    // A function's parameters lie in its frame, a kernel's do not.
    if (space == Space::kParam && !builder_.is_entry()) out_.space = Space::kLocal;
  } else if (base.kind == OperandSyntax::Kind::kSymbol) {
    out_.a = SymbolAddress(base);
    if (space != Space::kGeneric && space != base.symbol.space) {
      Fail("'" + std::string(base.name) + "' is not in the ." + SpaceName(space) + " space");
    }
    out_.space = base.symbol.kind == Symbol::Kind::kFrame ? Space::kLocal : base.symbol.space;
  } else {
    Fail("an operand that is no address");
  }
}

uint32_t Encoder::AddList(std::vector<Operand> elements) {
  builder_.program().lists.push_back(std::move(elements));
  return static_cast<uint32_t>(builder_.program().lists.size() - 1);
}

int Encoder::RegisterBits(const OperandSyntax& operand) {
  return operand.IsRegister() ? BitsOf(operand.symbol.type) : 0;
}

std::string Encoder::Name() const {
  std::string name(syntax_.opcode);
  for (std::string_view modifier : syntax_.modifiers) name.append(".").append(modifier);
  return name;
}

void Encoder::Fail(std::string message) {
  builder_.errors().Fail(ParseErrorKind::kSyntax, syntax_.line, "'" + Name() + "': " + message);
}

void Encoder::Unsupported(std::string message) {
  builder_.errors().Fail(ParseErrorKind::kUnsupported, syntax_.line,
                         "'" + Name() + "': " + message);
}

void Encoder::BadType(Type type) {
  Fail("type ." + std::string(TypeName(type)) + " is not one of this instruction");
}

bool Encoder::Finish() {
  if (builder_.errors().failed()) return false;
  auto left = std::find(taken_.begin(), taken_.end(), false);
  if (left != taken_.end()) {
    Unsupported("modifier '." + std::string(syntax_.modifiers[left - taken_.begin()]) +
                "' is not supported");
    return false;
  }
  if (syntax_.guarded) out_.guard = PredicateSource(syntax_.guard);
  out_.form = builder_.InternForm(syntax_);
  if (builder_.errors().failed()) return false;
  builder_.program().code.push_back(out_);
  return true;
}

}  // namespace tfrt::gpu::ptx
