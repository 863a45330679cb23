#include "function_parser.h"

#include <bit>
#include <string>
#include <utility>

#include "encoder.h"

namespace tfrt::gpu::ptx {
namespace {

constexpr size_t kMaxScopes = 64;
constexpr int kMaxOperandDepth = 4;
constexpr size_t kMaxOperands = 1024;
constexpr uint64_t kMaxRegisters = 1 << 24;

std::string Quoted(std::string_view name) { return "'" + std::string(name.substr(0, 200)) + "'"; }

}  // namespace

bool ParseParameters(TokenStream& tokens, std::vector<ParameterSyntax>& parameters) {
  if (!tokens.Expect("(")) return false;
  if (tokens.Accept(")")) return true;
  do {
    ParameterSyntax parameter;
    parameter.in_register = tokens.AcceptDirective("reg");
    if (!parameter.in_register && !tokens.AcceptDirective("param")) {
      return tokens.FailAtToken("'.param'");
    }
    if (parameter.in_register && tokens.AcceptDirective("pred")) {
      parameter.declarator.type = Type::kPred;
      parameter.declarator.size = 1;
    } else if (!ParseVariableType(tokens, parameter.declarator)) {
      return false;
    }
    // The target of a pointer, as in .ptr .global .align 4, does not describe the parameter itself.
    if (tokens.AcceptDirective("ptr")) {
      for (std::string_view space : {"global", "shared", "const", "local"})
        tokens.AcceptDirective(space);
      if (tokens.AcceptDirective("align") && !tokens.ParseInteger()) return false;
    }
    if (!ParseDeclarator(tokens, parameter.declarator)) return false;
    if (parameter.declarator.unsized) {
      return tokens.Unsupported("parameters of unknown number are not supported");
    }
    parameters.push_back(parameter);
  } while (tokens.Accept(","));
  return tokens.Expect(")");
}

bool PlaceParameters(TokenStream& tokens, const std::vector<ParameterSyntax>& parameters,
                     Function& function, std::vector<FormalParameter>& formals) {
  for (const ParameterSyntax& parameter : parameters) {
    FormalParameter formal;
    formal.in_register = parameter.in_register;
    formal.type = parameter.declarator.type;
    if (formal.in_register) {
      formal.slot =
          formal.type == Type::kPred ? function.num_predicates++ : function.num_registers++;
      formals.push_back(formal);
      continue;
    }
    uint64_t alignment = parameter.declarator.alignment;
    uint64_t offset = (function.frame_bytes + alignment - 1) / alignment * alignment;
    if (parameter.declarator.size > 4096 || offset > 64 * 1024) {
      return tokens.Fail("parameters of too many bytes");
    }
    formal.offset = static_cast<uint32_t>(offset);
    formal.size = static_cast<uint32_t>(parameter.declarator.size);
    function.frame_bytes = formal.offset + formal.size;
    formals.push_back(formal);
  }
  return true;
}

bool FunctionParser::Parse() {
  while (builder_.depth() > 1) {
    if (tokens_.AtEnd()) return tokens_.FailAtToken("'}'");
    if (!ParseStatement() || tokens_.failed()) return false;
  }
  // A thread that runs past the end returns.
  InstructionSyntax ret;
  ret.line = tokens_.line();
  ret.opcode = "ret";
  return AppendInstruction(ret) && builder_.ResolveLabels();
}

bool FunctionParser::ParseStatement() {
  const Token& token = tokens_.Peek();
  if (tokens_.Accept("{")) {
    if (builder_.depth() > kMaxScopes) return tokens_.Fail("too many nested blocks");
    builder_.OpenScope();
    return true;
  }
  if (tokens_.Accept("}")) {
    builder_.CloseScope();
    return true;
  }
  if (tokens_.Accept(";")) return true;
  if (token.kind == TokenKind::kDirective) return ParseDirective();
  if (token.kind == TokenKind::kIdentifier && tokens_.Peek(1).Is(":")) return ParseLabel();
  return ParseInstruction();
}

bool FunctionParser::ParseDirective() {
  if (tokens_.AcceptDirective("reg")) return ParseRegisters();
  if (tokens_.AcceptDirective("local")) return ParseFrameVariables(Space::kLocal);
  if (tokens_.AcceptDirective("param")) return ParseFrameVariables(Space::kParam);
  if (tokens_.AcceptDirective("shared")) return ParseModuleVariables(Space::kShared);
  if (tokens_.AcceptDirective("global")) return ParseModuleVariables(Space::kGlobal);
  if (tokens_.AcceptDirective("const")) return ParseModuleVariables(Space::kConst);
  if (tokens_.AcceptDirective("loc")) return ParseLocation();
  if (tokens_.AcceptDirective("pragma")) {
    do {
      if (tokens_.Next().kind != TokenKind::kString)
        return tokens_.Fail("a pragma without a string");
    } while (tokens_.Accept(","));
    return tokens_.Expect(";");
  }
  return tokens_.Fail("'." + std::string(tokens_.Peek().text) + "' is no directive of a function");
}

bool FunctionParser::Declare(std::string_view name, const Symbol& symbol) {
  if (builder_.Declare(name, symbol)) return true;
  return tokens_.Fail(Quoted(name) + " is declared twice");
}

bool FunctionParser::ParseRegisters() {
  Type type = Type::kNone;
  if (tokens_.Peek().kind == TokenKind::kDirective) {
    std::string_view name = tokens_.Peek().text;
    if (name == "b128" || name == "v2" || name == "v4") {
      return tokens_.Unsupported("registers of type ." + std::string(name) + " are not supported");
    }
    type = ParseType(name);
  }
  if (type == Type::kNone) return tokens_.FailAtToken("the type of a register");
  tokens_.Next();
  do {
    std::string_view name = tokens_.ExpectIdentifier("the name of a register");
    if (name.empty()) return false;
    if (!tokens_.Accept("<")) {
      if (!Declare(name, builder_.MakeRegister(type))) return false;
      continue;
    }
    if (tokens_.Peek().kind != TokenKind::kInteger)
      return tokens_.FailAtToken("a number of registers");
    uint64_t count = tokens_.Next().value;
    if (count > kMaxRegisters) return tokens_.Fail("too many registers");
    if (!tokens_.Expect(">")) return false;
    if (!builder_.DeclareRange(name, {type, count})) {
      return tokens_.Fail(Quoted(name) + " is declared twice");
    }
  } while (tokens_.Accept(","));
  return tokens_.Expect(";");
}

bool FunctionParser::ParseFrameVariables(Space space) {
  Declarator type;
  if (!ParseVariableType(tokens_, type)) return false;
  do {
    Declarator variable = type;
    if (!ParseDeclarator(tokens_, variable)) return false;
    if (variable.unsized) return tokens_.Fail(Quoted(variable.name) + " has no size");
    if (tokens_.Peek().Is("=")) return tokens_.Fail("local memory cannot be initialised");
    std::optional<uint32_t> offset = builder_.AllocateFrame(variable.size, variable.alignment);
    if (!offset) return tokens_.Fail("more local memory than a thread may have");
    Symbol symbol;
    symbol.kind = Symbol::Kind::kFrame;
    symbol.type = variable.type;
    symbol.space = space;
    symbol.index = *offset;
    symbol.size = static_cast<uint32_t>(variable.size);
    if (!Declare(variable.name, symbol)) return false;
  } while (tokens_.Accept(","));
  return tokens_.Expect(";");
}

bool FunctionParser::ParseModuleVariables(Space space) {
  std::vector<std::pair<std::string_view, Symbol>> declared;
  if (!module_.declare_variables(space, declared)) return false;
  for (const auto& [name, symbol] : declared) {
    if (!Declare(name, symbol)) return false;
  }
  return true;
}

// .loc FILE LINE COLUMN [, function_name LABEL [+ N], inlined_at FILE LINE COLUMN]
bool FunctionParser::ParseLocation() {
  for (int i = 0; i < 3; ++i) {
    if (tokens_.Next().kind != TokenKind::kInteger)
      return tokens_.Fail("a location without its numbers");
  }
  if (!tokens_.Accept(",")) return true;
  if (tokens_.ExpectIdentifier("'function_name'").empty()) return false;
  if (tokens_.ExpectIdentifier("the name of a function").empty()) return false;
  if (tokens_.Accept("+") && !tokens_.ParseInteger()) return false;
  if (!tokens_.Expect(",") || tokens_.ExpectIdentifier("'inlined_at'").empty()) return false;
  for (int i = 0; i < 3; ++i) {
    if (tokens_.Next().kind != TokenKind::kInteger)
      return tokens_.Fail("a location without its numbers");
  }
  return true;
}

bool FunctionParser::ParseLabel() {
  uint32_t line = tokens_.line();
  std::string_view name = tokens_.Next().text;
  tokens_.Next();
  if (tokens_.AcceptDirective("branchtargets")) {
    std::vector<std::string_view> labels;
    do {
      labels.push_back(tokens_.ExpectIdentifier("a label"));
      if (labels.back().empty()) return false;
    } while (tokens_.Accept(","));
    if (!builder_.DefineBranchTable(name, line, std::move(labels))) {
      return tokens_.Fail(Quoted(name) + " is defined twice");
    }
    return tokens_.Expect(";");
  }
  if (tokens_.AcceptDirective("callprototype")) return ParsePrototype(name);
  if (!builder_.DefineLabel(name))
    return tokens_.Fail("label " + Quoted(name) + " is defined twice");
  contraction_.Clear();
  return true;
}

bool FunctionParser::ParsePrototype(std::string_view name) {
  std::vector<ParameterSyntax> results, parameters;
  if (tokens_.Peek().Is("(") && !ParseParameters(tokens_, results)) return false;
  if (tokens_.ExpectIdentifier("'_'").empty()) return false;
  if (tokens_.Peek().Is("(") && !ParseParameters(tokens_, parameters)) return false;
  tokens_.AcceptDirective("noreturn");
  Function prototype;
  prototype.name = name;
  if (!PlaceParameters(tokens_, results, prototype, prototype.results) ||
      !PlaceParameters(tokens_, parameters, prototype, prototype.parameters)) {
    return false;
  }
  Symbol symbol;
  symbol.kind = Symbol::Kind::kPrototype;
  symbol.index = static_cast<uint32_t>(builder_.program().functions.size());
  builder_.program().functions.push_back(std::move(prototype));
  return Declare(name, symbol) && tokens_.Expect(";");
}

bool FunctionParser::ParseInstruction() {
  InstructionSyntax syntax;
  syntax.line = tokens_.line();
  if (tokens_.Accept("@")) {
    syntax.guarded = true;
    bool negated = tokens_.Accept("!");
    if (!ParseName(syntax.guard)) return false;
    syntax.guard.negated = negated;
  }
  syntax.opcode = tokens_.ExpectIdentifier("an instruction");
  if (syntax.opcode.empty()) return false;
  while (tokens_.Peek().kind == TokenKind::kDirective) {
    if (syntax.modifiers.size() > 32) return tokens_.Fail("too many modifiers");
    syntax.modifiers.push_back(tokens_.Next().text);
  }
  // Before the operands, whose syntax may be another one.
  if (FindOpcode(syntax.opcode) == nullptr) return AppendInstruction(syntax);
  if (tokens_.Accept(";")) return AppendInstruction(syntax);
  do {
    if (syntax.operands.size() >= kMaxOperands) return tokens_.Fail("too many operands");
    if (!ParseOperand(syntax.operands.emplace_back(), 0)) return false;
  } while (tokens_.Accept(","));
  return tokens_.Expect(";") && AppendInstruction(syntax);
}

bool FunctionParser::ParseOperand(OperandSyntax& operand, int depth) {
  if (depth > kMaxOperandDepth) return tokens_.Fail("an operand of too many levels");
  if (tokens_.Accept("{")) {
    operand.kind = OperandSyntax::Kind::kVector;
    return ParseElements(operand, "}", depth);
  }
  if (depth == 0 && tokens_.Accept("(")) {
    operand.kind = OperandSyntax::Kind::kList;
    return ParseElements(operand, ")", depth);
  }
  if (tokens_.Accept("[")) return ParseAddress(operand, depth);
  bool negated = tokens_.Peek().Is("!") && tokens_.Peek(1).kind == TokenKind::kIdentifier;
  if (negated) tokens_.Next();
  if (tokens_.Peek().kind != TokenKind::kIdentifier) return ParseNumber(operand);
  if (!ParseName(operand)) return false;
  operand.negated = negated;
  if (!tokens_.Accept("|")) return true;
  OperandSyntax pair;
  pair.kind = OperandSyntax::Kind::kPair;
  pair.elements.push_back(std::move(operand));
  if (!ParseName(pair.elements.emplace_back())) return false;
  operand = std::move(pair);
  return true;
}

bool FunctionParser::ParseElements(OperandSyntax& operand, std::string_view end, int depth) {
  if (tokens_.Accept(end)) return true;
  do {
    if (operand.elements.size() >= kMaxOperands) return tokens_.Fail("too many operands");
    if (!ParseOperand(operand.elements.emplace_back(), depth + 1)) return false;
  } while (tokens_.Accept(","));
  return tokens_.Expect(end);
}

// [name], [name + 4], [%r1 + -4], [16], behind the bracket.
bool FunctionParser::ParseAddress(OperandSyntax& operand, int depth) {
  operand.kind = OperandSyntax::Kind::kAddress;
  OperandSyntax& base = operand.elements.emplace_back();
  if (tokens_.Peek().kind == TokenKind::kIdentifier) {
    if (!ParseName(base)) return false;
    operand.offset = base.offset;
    base.offset = 0;
    if (base.IsRegister() && (tokens_.Peek().Is("+") || tokens_.Peek().Is("-"))) {
      std::optional<TokenStream::Integer> offset = tokens_.ParseInteger();
      if (!offset) return false;
      operand.offset = static_cast<int64_t>(offset->value);
    }
  } else if (!ParseNumber(base)) {
    return false;
  }
  return tokens_.Expect("]");
}

// A register, a special register, or a symbol with what is added to its address.
bool FunctionParser::ParseName(OperandSyntax& operand) {
  operand.name = tokens_.ExpectIdentifier("an operand");
  if (operand.name.empty()) return false;
  if (operand.name == "_") {
    operand.kind = OperandSyntax::Kind::kSink;
    return true;
  }
  operand.kind = OperandSyntax::Kind::kSymbol;
  operand.symbol = builder_.Find(operand.name);
  if (operand.symbol.kind != Symbol::Kind::kUnknown) {
    bool has_address = operand.symbol.kind != Symbol::Kind::kRegister &&
                       operand.symbol.kind != Symbol::Kind::kPredicate;
    if (has_address && (tokens_.Peek().Is("+") || tokens_.Peek().Is("-"))) {
      std::optional<TokenStream::Integer> offset = tokens_.ParseInteger();
      if (!offset) return false;
      operand.offset = static_cast<int64_t>(offset->value);
    }
    return true;
  }
  std::string name(operand.name);
  if (tokens_.Peek().kind == TokenKind::kDirective && tokens_.Peek().text.size() == 1) {
    name.append(".").append(tokens_.Peek().text);
  }
  if (std::optional<SpecialRegister> special = FindSpecial(name)) {
    if (name.size() != operand.name.size()) tokens_.Next();
    operand.kind = OperandSyntax::Kind::kSpecial;
    operand.special = *special;
    return true;
  }
  operand.symbol = module_.find(operand.name);
  if (operand.symbol.kind != Symbol::Kind::kUnknown &&
      (tokens_.Peek().Is("+") || tokens_.Peek().Is("-"))) {
    std::optional<TokenStream::Integer> offset = tokens_.ParseInteger();
    if (!offset) return false;
    operand.offset = static_cast<int64_t>(offset->value);
  }
  return true;
}

bool FunctionParser::ParseNumber(OperandSyntax& operand) {
  bool minus = tokens_.Peek().Is("-");
  const Token& number = tokens_.Peek(minus ? 1 : 0);
  if (number.kind != TokenKind::kFloat32 && number.kind != TokenKind::kFloat64) {
    std::optional<TokenStream::Integer> value = tokens_.ParseInteger();
    if (!value) return false;
    operand.kind = OperandSyntax::Kind::kInteger;
    operand.value = value->value;
    return true;
  }
  if (minus) tokens_.Next();
  tokens_.Next();
  bool is_single = number.kind == TokenKind::kFloat32;
  operand.kind = is_single ? OperandSyntax::Kind::kFloat32 : OperandSyntax::Kind::kFloat64;
  operand.value = number.value ^ (minus ? uint64_t{1} << (is_single ? 31 : 63) : 0);
  return true;
}

bool FunctionParser::AppendInstruction(const InstructionSyntax& syntax) {
  if (FindOpcode(syntax.opcode) == nullptr) {
    std::string name(syntax.opcode.substr(0, 200));
    if (!IsOtherOpcode(syntax.opcode)) {
      return builder_.errors().Fail(ParseErrorKind::kSyntax, syntax.line,
                                    "'" + name + "' is no instruction");
    }
    for (std::string_view modifier : syntax.modifiers) name.append(".").append(modifier);
    return builder_.errors().Fail(ParseErrorKind::kUnsupported, syntax.line,
                                  "instruction '" + name + "' is not supported");
  }
  if (std::optional<Contraction::Pair> pair = contraction_.Next(syntax)) {
    Contractions& found = builder_.program().contractions;
    if (++found.count == 1) {
      found.first = "line " + std::to_string(syntax.line) + ": " + std::string(pair->sum) +
                    " of the " + std::string(pair->product) + " in line " +
                    std::to_string(pair->product_line);
    }
    if (found.happen) return AppendContracted(*pair);
  }
  return Encode(syntax);
}

bool FunctionParser::AppendContracted(Contraction::Pair& pair) {
  if (pair.negated) {
    OperandSyntax& operand = pair.fma.operands[*pair.negated];
    InstructionSyntax negation;
    negation.line = pair.fma.line;
    negation.opcode = "neg";
    negation.modifiers = {pair.fma.modifiers.back()};
    negation.operands.resize(2);
    negation.operands[0].kind = OperandSyntax::Kind::kSymbol;
    negation.operands[0].symbol = builder_.MakeRegister(ParseType(negation.modifiers[0]));
    negation.operands[1] = std::exchange(operand, negation.operands[0]);
    if (!Encode(negation)) return false;
  }
  return Encode(pair.fma);
}

bool FunctionParser::Encode(const InstructionSyntax& syntax) {
  const OpcodeEntry* opcode = FindOpcode(syntax.opcode);
  Encoder encoder(builder_, syntax);
  opcode->encode(encoder);
  return encoder.Finish();
}

}  // namespace tfrt::gpu::ptx
