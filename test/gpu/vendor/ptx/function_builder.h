#ifndef TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_BUILDER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_BUILDER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program.h"
#include "syntax.h"

namespace tfrt::gpu::ptx {

// The first error of a parse wins.
class ErrorSink {
 public:
  // Always false, so that parsing functions can return it.
  bool Fail(ParseErrorKind kind, uint32_t line, std::string message) {
    if (!error_) error_ = ParseError{kind, line, std::move(message)};
    return false;
  }
  bool failed() const { return error_.has_value(); }
  ParseError& error() { return *error_; }

 private:
  std::optional<ParseError> error_;
};

// Registers `prefix0` to `prefix(count - 1)`, of which only those that are used get a slot.
struct RegisterRange {
  Type type = Type::kNone;
  uint64_t count = 0;
};

// One function while its body is parsed: names, slots, bytes of its frame, labels.
class FunctionBuilder {
 public:
  FunctionBuilder(Program& program, uint32_t function, ErrorSink& errors);

  Program& program() { return program_; }
  Function& function() { return program_.functions[function_]; }
  ErrorSink& errors() { return errors_; }
  bool is_entry() { return function().kind == Function::Kind::kEntry; }

  void OpenScope();
  void CloseScope();
  size_t depth() const { return scopes_.size(); }

  // False if the innermost scope has the name already.
  bool Declare(std::string_view name, const Symbol& symbol);
  bool DeclareRange(std::string_view prefix, const RegisterRange& range);
  // A register or a predicate with a slot of its own.
  Symbol MakeRegister(Type type);
  // Bytes of the frame; nothing if it grows beyond what a thread may have.
  std::optional<uint32_t> AllocateFrame(uint64_t size, uint32_t alignment);
  // kUnknown if there is no such name in the function.
  Symbol Find(std::string_view name);

  uint32_t InternConstant(const Constant& constant);
  uint32_t InternForm(const InstructionSyntax& syntax);
  void UseShared(uint32_t variable);
  void UseFunction(uint32_t function);

  // Labels: the instruction behind a label has its number.
  bool DefineLabel(std::string_view name);
  void UseLabel(std::string_view name, uint32_t line, uint32_t instruction);
  bool DefineBranchTable(std::string_view name, uint32_t line,
                         std::vector<std::string_view> labels);
  void UseBranchTable(std::string_view name, uint32_t line, uint32_t instruction);
  // At the end of the body: targets become numbers of instructions.
  bool ResolveLabels();

 private:
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, RegisterRange> ranges;
  };
  struct LabelUse {
    std::string_view name;
    uint32_t line;
    uint32_t instruction;
    uint32_t scope;
  };
  struct BranchTable {
    uint32_t line;
    uint32_t scope;
    std::vector<std::string_view> labels;
    std::optional<uint32_t> index;  // Program::branch_tables, once an instruction has asked for it
  };

  Program& program_;
  uint32_t function_;
  ErrorSink& errors_;
  // The instruction of the label that the scope or one around it defines.
  std::optional<uint32_t> FindLabel(std::string_view name, uint32_t scope) const;
  bool ResolveTable(BranchTable& table);

  std::vector<Scope> scopes_;
  // Labels belong to scopes, which are numbered, as each may be used before it is defined.
  std::vector<uint32_t> scope_parents_;
  uint32_t scope_ = 0;
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> labels_;
  std::vector<LabelUse> label_uses_;
  std::unordered_map<std::string_view, BranchTable> branch_tables_;
  std::vector<LabelUse> table_uses_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> constants_by_value_;
  std::unordered_map<std::string, uint32_t> forms_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_BUILDER_H_
