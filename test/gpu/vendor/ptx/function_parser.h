#ifndef TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_PARSER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_PARSER_H_

#include <functional>
#include <string_view>
#include <vector>

#include "contraction.h"
#include "function_builder.h"
#include "token_stream.h"
#include "variable_parser.h"

namespace tfrt::gpu::ptx {

// A parameter or result as a function's head declares it.
struct ParameterSyntax {
  Declarator declarator;
  bool in_register = false;
};

// "(.param .b32 a, .reg .b64 b)", with its parentheses.
bool ParseParameters(TokenStream& tokens, std::vector<ParameterSyntax>& parameters);
// Gives them places in the frame, or registers.
bool PlaceParameters(TokenStream& tokens, const std::vector<ParameterSyntax>& parameters,
                     Function& function, std::vector<FormalParameter>& formals);

// The parts of the module that its bodies use.
struct ModuleScope {
  FindSymbol find;
  // A variable declared inside a function, at its space's directive.
  std::function<bool(Space space, std::vector<std::pair<std::string_view, Symbol>>& declared)>
      declare_variables;
};

// Parses the body of a function, behind its "{", into the builder's program.
class FunctionParser {
 public:
  FunctionParser(TokenStream& tokens, FunctionBuilder& builder, const ModuleScope& module)
      : tokens_(tokens), builder_(builder), module_(module) {}

  bool Parse();

 private:
  bool ParseStatement();
  bool ParseDirective();
  bool ParseRegisters();
  bool ParseFrameVariables(Space space);
  bool ParseModuleVariables(Space space);
  bool ParseLocation();
  bool ParseLabel();
  bool ParsePrototype(std::string_view name);
  bool ParseInstruction();
  bool ParseOperand(OperandSyntax& operand, int depth);
  bool ParseElements(OperandSyntax& operand, std::string_view end, int depth);
  bool ParseAddress(OperandSyntax& operand, int depth);
  bool ParseName(OperandSyntax& operand);
  bool ParseNumber(OperandSyntax& operand);
  bool AppendInstruction(const InstructionSyntax& syntax);
  bool AppendContracted(Contraction::Pair& pair);
  bool Encode(const InstructionSyntax& syntax);
  bool Declare(std::string_view name, const Symbol& symbol);

  TokenStream& tokens_;
  FunctionBuilder& builder_;
  const ModuleScope& module_;
  Contraction contraction_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_FUNCTION_PARSER_H_
