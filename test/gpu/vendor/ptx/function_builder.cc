#include "function_builder.h"

#include <algorithm>

namespace tfrt::gpu::ptx {
namespace {

// Limits the local memory of a thread.
constexpr uint64_t kMaxFrameBytes = 512 * 1024;

std::string Quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

FunctionBuilder::FunctionBuilder(Program& program, uint32_t function, ErrorSink& errors)
    : program_(program), function_(function), errors_(errors) {
  OpenScope();
  Function& self = this->function();
  self.begin = static_cast<uint32_t>(program.code.size());
  self.first_constant = static_cast<uint32_t>(program.constants.size());
}

void FunctionBuilder::OpenScope() {
  scopes_.emplace_back();
  scope_parents_.push_back(scope_);
  scope_ = static_cast<uint32_t>(scope_parents_.size() - 1);
}

void FunctionBuilder::CloseScope() {
  scopes_.pop_back();
  scope_ = scope_parents_[scope_];
}

bool FunctionBuilder::Declare(std::string_view name, const Symbol& symbol) {
  return scopes_.back().names.emplace(name, symbol).second;
}

bool FunctionBuilder::DeclareRange(std::string_view prefix, const RegisterRange& range) {
  return scopes_.back().ranges.emplace(prefix, range).second;
}

Symbol FunctionBuilder::MakeRegister(Type type) {
  Symbol symbol;
  symbol.type = type;
  if (type == Type::kPred) {
    symbol.kind = Symbol::Kind::kPredicate;
    symbol.index = function().num_predicates++;
  } else {
    symbol.kind = Symbol::Kind::kRegister;
    symbol.index = function().num_registers++;
  }
  return symbol;
}

std::optional<uint32_t> FunctionBuilder::AllocateFrame(uint64_t size, uint32_t alignment) {
  uint64_t offset = (uint64_t{function().frame_bytes} + alignment - 1) / alignment * alignment;
  if (size > kMaxFrameBytes || offset + size > kMaxFrameBytes) return std::nullopt;
  function().frame_bytes = static_cast<uint32_t>(offset + size);
  return static_cast<uint32_t>(offset);
}

Symbol FunctionBuilder::Find(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    if (auto found = scope.names.find(name); found != scope.names.end()) return found->second;
    if (digits == name.size() || name.size() - digits > 9) continue;
    if (name[digits] == '0' && name.size() - digits > 1) continue;
    auto range = scope.ranges.find(name.substr(0, digits));
    if (range == scope.ranges.end()) continue;
    uint64_t number = 0;
    for (char digit : name.substr(digits))
      number = number * 10 + static_cast<uint64_t>(digit - '0');
    if (number >= range->second.count) continue;
    Symbol symbol = MakeRegister(range->second.type);
    scope.names.emplace(name, symbol);
    return symbol;
  }
  return Symbol();
}

uint32_t FunctionBuilder::InternConstant(const Constant& constant) {
  std::vector<uint32_t>& same = constants_by_value_[constant.value];
  for (uint32_t index : same) {
    if (program_.constants[index] == constant) return index;
  }
  program_.constants.push_back(constant);
  same.push_back(static_cast<uint32_t>(program_.constants.size() - 1));
  return same.back();
}

uint32_t FunctionBuilder::InternForm(const InstructionSyntax& syntax) {
  std::string form(syntax.opcode);
  for (std::string_view modifier : syntax.modifiers) {
    form += '.';
    form += modifier;
  }
  auto [found, is_new] = forms_.emplace(form, static_cast<uint32_t>(program_.forms.size()));
  if (is_new) program_.forms.push_back(std::move(form));
  return found->second;
}

void FunctionBuilder::UseShared(uint32_t variable) {
  std::vector<uint32_t>& used = function().shared_variables;
  if (std::find(used.begin(), used.end(), variable) == used.end()) used.push_back(variable);
}

void FunctionBuilder::UseFunction(uint32_t callee) {
  std::vector<uint32_t>& callees = function().callees;
  if (std::find(callees.begin(), callees.end(), callee) == callees.end()) callees.push_back(callee);
}

bool FunctionBuilder::DefineLabel(std::string_view name) {
  return labels_.emplace(std::pair(scope_, name), static_cast<uint32_t>(program_.code.size()))
      .second;
}

void FunctionBuilder::UseLabel(std::string_view name, uint32_t line, uint32_t instruction) {
  label_uses_.push_back({name, line, instruction, scope_});
}

bool FunctionBuilder::DefineBranchTable(std::string_view name, uint32_t line,
                                        std::vector<std::string_view> labels) {
  return branch_tables_.emplace(name, BranchTable{line, scope_, std::move(labels), {}}).second;
}

void FunctionBuilder::UseBranchTable(std::string_view name, uint32_t line, uint32_t instruction) {
  table_uses_.push_back({name, line, instruction, scope_});
}

std::optional<uint32_t> FunctionBuilder::FindLabel(std::string_view name, uint32_t scope) const {
  for (;; scope = scope_parents_[scope]) {
    auto label = labels_.find({scope, name});
    if (label != labels_.end()) return label->second;
    if (scope == 0) return std::nullopt;
  }
}

bool FunctionBuilder::ResolveLabels() {
  for (const LabelUse& use : label_uses_) {
    std::optional<uint32_t> label = FindLabel(use.name, use.scope);
    if (!label) {
      return errors_.Fail(ParseErrorKind::kSyntax, use.line,
                          "label " + Quoted(use.name) + " is not defined");
    }
    program_.code[use.instruction].extra = *label;
  }
  for (const LabelUse& use : table_uses_) {
    auto table = branch_tables_.find(use.name);
    if (table == branch_tables_.end()) {
      return errors_.Fail(ParseErrorKind::kSyntax, use.line,
                          "list of branch targets " + Quoted(use.name) + " is not defined");
    }
    // Once for all that use it: a copy for each would be the square of the text.
    if (!table->second.index && !ResolveTable(table->second)) return false;
    program_.code[use.instruction].extra = *table->second.index;
  }
  return true;
}

bool FunctionBuilder::ResolveTable(BranchTable& table) {
  std::vector<uint32_t> targets;
  for (std::string_view name : table.labels) {
    std::optional<uint32_t> label = FindLabel(name, table.scope);
    if (!label) {
      return errors_.Fail(ParseErrorKind::kSyntax, table.line,
                          "label " + Quoted(name) + " is not defined");
    }
    targets.push_back(*label);
  }
  table.index = static_cast<uint32_t>(program_.branch_tables.size());
  program_.branch_tables.push_back(std::move(targets));
  return true;
}

}  // namespace tfrt::gpu::ptx
