#include "module_parser.h"

#include <algorithm>
#include <string>

namespace tfrt::gpu::ptx {
namespace {

constexpr int kMinVersion = 60, kMaxVersion = 90;
constexpr int kMinTarget = 30, kMaxTarget = 90;
constexpr uint64_t kMaxParameterBytes = 4352, kMaxParameterBytesSince81 = 32764;

std::string Quoted(std::string_view name) { return "'" + std::string(name.substr(0, 200)) + "'"; }

std::string VersionText(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

uint32_t AlignUp(uint64_t value, uint32_t alignment) {
  return static_cast<uint32_t>((value + alignment - 1) / alignment * alignment);
}

}  // namespace

ModuleParser::ModuleParser(std::string_view text, bool contracts)
    : tokens_(Tokenize(text), errors_), program_(std::make_unique<Program>()) {
  program_->contractions.happen = contracts;
}

std::unique_ptr<Program> ModuleParser::Parse() {
  if (!ParseHead()) return nullptr;
  while (!tokens_.AtEnd()) {
    if (!ParseDirective() || errors_.failed()) return nullptr;
  }
  for (const Function& function : program_->functions) {
    for (uint32_t index : function.callees) {
      const Function& callee = program_->functions[index];
      if (callee.defined || callee.kind == Function::Kind::kAssertFail) continue;
      bool printf = callee.kind == Function::Kind::kPrintf;
      errors_.Fail(
          printf ? ParseErrorKind::kUnsupported : ParseErrorKind::kSyntax, callee.line,
          "function " + Quoted(callee.name) +
              (printf ? ", which prints, is not supported" : " is called and not defined"));
      return nullptr;
    }
  }
  return std::move(program_);
}

bool ModuleParser::ParseHead() {
  if (!tokens_.AcceptDirective("version")) {
    return errors_.Fail(ParseErrorKind::kNotPtx, tokens_.line(), "a PTX text begins with .version");
  }
  return ParseVersion() && ParseTarget();
}

bool ModuleParser::ParseVersion() {
  const Token& token = tokens_.Peek();
  std::string_view text = token.text;
  bool well_formed = token.kind == TokenKind::kFloat64 && text.size() == 3 && text[1] == '.';
  if (!well_formed) return tokens_.FailAtToken("a version");
  program_->version = (text[0] - '0') * 10 + (text[2] - '0');
  if (program_->version < kMinVersion || program_->version > kMaxVersion) {
    return tokens_.Unsupported("version " + std::string(text) + " is not supported; " +
                               VersionText(kMinVersion) + " to " + VersionText(kMaxVersion) +
                               " are");
  }
  tokens_.Next();
  return true;
}

bool ModuleParser::ParseTarget() {
  if (!tokens_.AcceptDirective("target")) return tokens_.FailAtToken("'.target'");
  do {
    uint32_t line = tokens_.line();
    std::string_view name = tokens_.ExpectIdentifier("a target");
    if (name.empty()) return false;
    if (name == "debug" || name == "texmode_unified" || name == "map_f64_to_f32") continue;
    int number = 0;
    std::string_view digits = name.starts_with("sm_") ? name.substr(3) : std::string_view();
    bool specific = digits.ends_with("a") || digits.ends_with("f");  // sm_90a
    if (specific) digits.remove_suffix(1);
    for (char digit : digits)
      number = digit >= '0' && digit <= '9' ? number * 10 + digit - '0' : -1000;
    if (digits.empty() || digits.size() > 3 || number < 0) {
      return errors_.Fail(ParseErrorKind::kSyntax, line, Quoted(name) + " is no target");
    }
    if (number < kMinTarget || number > kMaxTarget) {
      return errors_.Fail(ParseErrorKind::kUnsupported, line,
                          "target " + Quoted(name) + " is not supported; sm_" +
                              std::to_string(kMinTarget) + " to sm_" + std::to_string(kMaxTarget) +
                              " are");
    }
    program_->target = number;
  } while (tokens_.Accept(","));
  if (program_->target == 0) return tokens_.Fail("a target without an architecture");
  if (!tokens_.AcceptDirective("address_size")) return true;
  if (tokens_.Peek().kind == TokenKind::kInteger && tokens_.Peek().value == 32) {
    return tokens_.Unsupported("addresses of 32 bits are not supported");
  }
  if (tokens_.Peek().kind != TokenKind::kInteger || tokens_.Peek().value != 64) {
    return tokens_.FailAtToken("the size of an address");
  }
  tokens_.Next();
  return true;
}

ModuleParser::Linkage ModuleParser::ParseLinkage() {
  Linkage linkage;
  for (;;) {
    if (tokens_.AcceptDirective("extern")) {
      linkage.is_extern = true;
    } else if (tokens_.AcceptDirective("common")) {
      linkage.is_common = true;
    } else if (!tokens_.AcceptDirective("visible") && !tokens_.AcceptDirective("weak")) {
      return linkage;
    }
  }
}

bool ModuleParser::ParseDirective() {
  Linkage linkage = ParseLinkage();
  std::vector<std::pair<std::string_view, Symbol>> declared;
  if (tokens_.AcceptDirective("entry")) return ParseFunction(true);
  if (tokens_.AcceptDirective("func")) return ParseFunction(false);
  for (Space space : {Space::kGlobal, Space::kConst, Space::kShared}) {
    if (!tokens_.AcceptDirective(SpaceName(space))) continue;
    return ParseVariables(space, linkage, declared) && DeclareAll(declared);
  }
  if (tokens_.AcceptDirective("section")) {
    if (!tokens_.AcceptDirective("debug_str") && tokens_.Peek().kind == TokenKind::kDirective)
      tokens_.Next();
    return tokens_.SkipBraces();
  }
  if (tokens_.AcceptDirective("file")) {  // .file 1 "name" [, timestamp, size]
    tokens_.Next();
    if (tokens_.Next().kind != TokenKind::kString) return tokens_.Fail("a file without a name");
    while (tokens_.Accept(",")) tokens_.Next();
    return true;
  }
  if (tokens_.AcceptDirective("pragma")) return SkipStatement();
  const Token& token = tokens_.Peek();
  if (token.kind == TokenKind::kDirective) {
    for (std::string_view name : {"tex", "texref", "samplerref", "surfref", "alias"}) {
      if (token.text == name)
        return tokens_.Unsupported("'." + std::string(name) + "' is not supported");
    }
  }
  return tokens_.FailAtToken("a directive");
}

bool ModuleParser::SkipStatement() {
  while (!tokens_.Accept(";")) {
    if (tokens_.AtEnd() || tokens_.Peek().kind == TokenKind::kInvalid)
      return tokens_.FailAtToken("';'");
    tokens_.Next();
  }
  return true;
}

bool ModuleParser::ParseVariables(Space space, Linkage linkage,
                                  std::vector<std::pair<std::string_view, Symbol>>& declared) {
  Declarator type;
  if (space == Space::kConst && tokens_.Accept("[")) {
    return tokens_.Unsupported("banks of constant memory are not supported");
  }
  if (!ParseVariableType(tokens_, type)) return false;
  do {
    Declarator variable = type;
    VariableBytes bytes;
    if (!ParseDeclarator(tokens_, variable)) return false;
    if (tokens_.Accept("=")) {
      if (space == Space::kShared) return tokens_.Fail("shared memory cannot be initialised");
      FindSymbol find = [this](std::string_view name) { return Find(name); };
      if (!ParseInitializer(tokens_, variable, find, bytes)) return false;
    } else if (variable.unsized && !linkage.is_extern) {
      return tokens_.Fail(Quoted(variable.name) + " has no size");
    }
    Symbol symbol;
    if (!MakeVariable(space, linkage, variable, std::move(bytes), symbol)) return false;
    declared.emplace_back(variable.name, symbol);
  } while (tokens_.Accept(","));
  return tokens_.Expect(";");
}

bool ModuleParser::MakeVariable(Space space, Linkage linkage, Declarator& variable,
                                VariableBytes bytes, Symbol& symbol) {
  symbol.space = space;
  symbol.type = variable.type;
  if (space == Space::kShared) {
    symbol.kind = Symbol::Kind::kShared;
    symbol.index = static_cast<uint32_t>(program_->shared.size());
    program_->shared.push_back(
        {std::string(variable.name), variable.size, variable.alignment, variable.unsized});
    return true;
  }
  symbol.kind = Symbol::Kind::kVariable;
  if (linkage.is_extern) {
    symbol.kind = Symbol::Kind::kUnknown;
    return true;
  }
  symbol.index = static_cast<uint32_t>(program_->variables.size());
  program_->variables.push_back(
      {std::string(variable.name), space == Space::kConst, variable.size, variable.alignment});
  program_->initial.push_back(std::move(bytes));
  return true;
}

bool ModuleParser::DeclareAll(const std::vector<std::pair<std::string_view, Symbol>>& declared) {
  for (const auto& [name, symbol] : declared) {
    if (symbol.kind == Symbol::Kind::kUnknown) continue;
    if (!symbols_.emplace(name, symbol).second)
      return tokens_.Fail(Quoted(name) + " is declared twice");
  }
  return true;
}

Symbol ModuleParser::Find(std::string_view name) const {
  auto found = symbols_.find(name);
  return found == symbols_.end() ? Symbol() : found->second;
}

bool ModuleParser::ParseEntryParameters(const std::vector<ParameterSyntax>& parameters,
                                        Entry& entry) {
  uint64_t offset = 0;
  for (const ParameterSyntax& parameter : parameters) {
    if (parameter.in_register) return tokens_.Fail("a parameter of a kernel in a register");
    offset = AlignUp(offset, parameter.declarator.alignment);
    const uint64_t end = offset + parameter.declarator.size;
    if (end > kMaxParameterBytesSince81) {
      return tokens_.Fail("more than " + std::to_string(kMaxParameterBytesSince81) +
                          " bytes of parameters");
    }
    if (end > kMaxParameterBytes && (program_->version < 81 || program_->target < 70)) {
      return tokens_.Fail("more than " + std::to_string(kMaxParameterBytes) +
                          " bytes of parameters, which need .version 8.1 and .target sm_70 or "
                          "later");
    }
    entry.parameters.push_back(
        {std::string(parameter.declarator.name), static_cast<uint32_t>(offset),
         static_cast<uint32_t>(parameter.declarator.size), parameter.declarator.alignment});
    offset += parameter.declarator.size;
  }
  entry.parameter_bytes = static_cast<uint32_t>(offset);
  return true;
}

bool ModuleParser::ParseDimensions(std::optional<Dim3>& dimensions) {
  uint32_t sizes[3] = {1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !tokens_.Accept(",")) break;
    std::optional<TokenStream::Integer> size = tokens_.ParseInteger();
    if (!size) return false;
    if (size->value == 0 || size->value > 0x7fffffff)
      return tokens_.Fail("a block without threads");
    sizes[i] = static_cast<uint32_t>(size->value);
  }
  dimensions = Dim3{sizes[0], sizes[1], sizes[2]};
  return true;
}

bool ModuleParser::ParseFunctionDirectives(Entry& entry) {
  std::optional<Dim3> ignored;
  while (tokens_.Peek().kind == TokenKind::kDirective) {
    if (tokens_.AcceptDirective("reqntid")) {
      if (!ParseDimensions(entry.required_threads)) return false;
    } else if (tokens_.AcceptDirective("maxntid")) {
      if (!ParseDimensions(entry.maximum_threads)) return false;
    } else if (tokens_.AcceptDirective("minnctapersm") || tokens_.AcceptDirective("maxnreg") ||
               tokens_.AcceptDirective("maxnctapersm")) {
      if (!ParseDimensions(ignored)) return false;
    } else if (tokens_.AcceptDirective("pragma")) {
      if (!SkipStatement()) return false;
    } else if (tokens_.AcceptDirective("noreturn")) {
      continue;
    } else {
      std::string name(tokens_.Peek().text);
      bool known = name == "explicitcluster" || name == "reqnctapercluster" ||
                   name == "maxclusterrank" || name == "unified" || name == "abi_preserve" ||
                   name == "abi_preserve_control" || name == "blocksareclusters";
      std::string message = "'." + name + "' is no directive of a function here";
      return known ? tokens_.Unsupported(message) : tokens_.Fail(message);
    }
  }
  return true;
}

bool ModuleParser::ParseFunction(bool is_entry) {
  std::vector<ParameterSyntax> results, parameters;
  if (!is_entry && tokens_.Peek().Is("(") && !ParseParameters(tokens_, results)) return false;
  uint32_t line = tokens_.line();
  std::string_view name = tokens_.ExpectIdentifier("the name of a function");
  if (name.empty()) return false;
  if (tokens_.Peek().Is("(") && !ParseParameters(tokens_, parameters)) return false;

  Function function;
  function.line = line;
  function.name = name;
  function.kind = is_entry                 ? Function::Kind::kEntry
                  : name == "vprintf"      ? Function::Kind::kPrintf
                  : name == "__assertfail" ? Function::Kind::kAssertFail
                                           : Function::Kind::kDevice;
  Entry entry;
  entry.name = name;
  if (is_entry ? !ParseEntryParameters(parameters, entry)
               : !PlaceParameters(tokens_, results, function, function.results) ||
                     !PlaceParameters(tokens_, parameters, function, function.parameters)) {
    return false;
  }
  if (!ParseFunctionDirectives(entry)) return false;

  Symbol symbol = Find(name);
  if (symbol.kind == Symbol::Kind::kUnknown) {
    symbol.kind = Symbol::Kind::kFunction;
    symbol.index = static_cast<uint32_t>(program_->functions.size());
    program_->functions.push_back(function);
    symbols_.emplace(name, symbol);
  } else if (symbol.kind != Symbol::Kind::kFunction) {
    return tokens_.Fail(Quoted(name) + " is declared twice");
  }
  if (tokens_.Accept(";")) return true;
  if (program_->functions[symbol.index].defined)
    return tokens_.Fail(Quoted(name) + " is defined twice");
  function.defined = true;
  if (is_entry) {
    function.entry = static_cast<uint32_t>(program_->entries.size());
    program_->entries.push_back(std::move(entry));
    program_->entry_functions.push_back(symbol.index);
  }
  program_->functions[symbol.index] = std::move(function);
  return ParseBody(symbol.index, results, parameters);
}

bool ModuleParser::ParseBody(uint32_t index, const std::vector<ParameterSyntax>& results,
                             const std::vector<ParameterSyntax>& parameters) {
  if (!tokens_.Expect("{")) return false;
  FunctionBuilder builder(*program_, index, errors_);
  auto declare = [&](const ParameterSyntax& parameter, const FormalParameter* formal,
                     uint32_t offset) {
    Symbol symbol;
    symbol.type = parameter.declarator.type;
    symbol.space = Space::kParam;
    symbol.size = static_cast<uint32_t>(parameter.declarator.size);
    symbol.kind = Symbol::Kind::kParameter;
    symbol.index = offset;
    if (formal != nullptr) {
      symbol.index = formal->in_register ? formal->slot : formal->offset;
      symbol.kind = !formal->in_register         ? Symbol::Kind::kFrame
                    : symbol.type == Type::kPred ? Symbol::Kind::kPredicate
                                                 : Symbol::Kind::kRegister;
    }
    return builder.Declare(parameter.declarator.name, symbol) ||
           tokens_.Fail(Quoted(parameter.declarator.name) + " is declared twice");
  };
  const Function& function = program_->functions[index];
  for (size_t i = 0; i < results.size(); ++i) {
    if (!declare(results[i], &function.results[i], 0)) return false;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    bool is_entry = builder.is_entry();
    uint32_t offset = is_entry ? program_->entries[function.entry].parameters[i].offset : 0;
    if (!declare(parameters[i], is_entry ? nullptr : &function.parameters[i], offset)) return false;
  }
  ModuleScope scope;
  scope.find = [this](std::string_view name) { return Find(name); };
  scope.declare_variables = [this](Space space, auto& declared) {
    return ParseVariables(space, Linkage(), declared);
  };
  builder.OpenScope();
  if (!FunctionParser(tokens_, builder, scope).Parse()) return false;
  Function& done = program_->functions[index];
  done.end = static_cast<uint32_t>(program_->code.size());
  done.end_constant = static_cast<uint32_t>(program_->constants.size());
  return true;
}

}  // namespace tfrt::gpu::ptx
