#ifndef TFRT_TEST_GPU_VENDOR_PTX_VARIABLE_PARSER_H_
#define TFRT_TEST_GPU_VENDOR_PTX_VARIABLE_PARSER_H_

#include <functional>
#include <string_view>

#include "program.h"
#include "syntax.h"
#include "token_stream.h"

namespace tfrt::gpu::ptx {

// The declaration of one variable: ".align 8 .b32 name[2][3]".
struct Declarator {
  std::string_view name;
  Type type = Type::kNone;
  uint32_t alignment = 1;
  uint64_t size = 0;     // in bytes; 0 with `unsized`
  bool unsized = false;  // "name[]"
};

// Looks up a name of module scope; kUnknown if there is none.
using FindSymbol = std::function<Symbol(std::string_view)>;

// [.align N] [.v2] .type, of which the type may lie between attributes. Fills all but name and
// size.
bool ParseVariableType(TokenStream& tokens, Declarator& declarator);
// The name with its dimensions, behind the type.
bool ParseDeclarator(TokenStream& tokens, Declarator& declarator);
// "= ...", behind the "=". Grows an unsized declarator.
bool ParseInitializer(TokenStream& tokens, Declarator& declarator, const FindSymbol& find,
                      VariableBytes& bytes);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_VARIABLE_PARSER_H_
