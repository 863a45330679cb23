#ifndef TFRT_TEST_GPU_VENDOR_PTX_MODULE_PARSER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_MODULE_PARSER_H_

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "function_parser.h"
#include "program.h"
#include "token_stream.h"

namespace tfrt::gpu::ptx {

// Parses a whole text: its head, its variables, its functions, each with its body.
class ModuleParser {
 public:
  ModuleParser(std::string_view text, bool contracts);

  // Null if there was an error.
  std::unique_ptr<Program> Parse();
  const ParseError& error() { return errors_.error(); }

 private:
  struct Linkage {
    bool is_extern = false;
    bool is_common = false;
  };

  bool ParseHead();
  bool ParseVersion();
  bool ParseTarget();
  bool ParseDirective();
  Linkage ParseLinkage();
  bool ParseVariables(Space space, Linkage linkage,
                      std::vector<std::pair<std::string_view, Symbol>>& declared);
  bool MakeVariable(Space space, Linkage linkage, Declarator& variable, VariableBytes bytes,
                    Symbol& symbol);
  bool DeclareAll(const std::vector<std::pair<std::string_view, Symbol>>& declared);
  bool ParseFunction(bool is_entry);
  bool ParseEntryParameters(const std::vector<ParameterSyntax>& parameters, Entry& entry);
  bool ParseFunctionDirectives(Entry& entry);
  bool ParseDimensions(std::optional<Dim3>& dimensions);
  bool ParseBody(uint32_t function, const std::vector<ParameterSyntax>& results,
                 const std::vector<ParameterSyntax>& parameters);
  bool SkipStatement();
  Symbol Find(std::string_view name) const;

  ErrorSink errors_;
  TokenStream tokens_;
  std::unique_ptr<Program> program_;
  std::unordered_map<std::string_view, Symbol> symbols_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_MODULE_PARSER_H_
