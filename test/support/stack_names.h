// The names of the functions on a stack, for tests that compare a call path with what a page says.
#ifndef TFRT_TEST_SUPPORT_STACK_NAMES_H_
#define TFRT_TEST_SUPPORT_STACK_NAMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt {

// The functions of the running program, of its own file only: read from the symbol table, which
// also has those that no other file could link with.
class ProgramSymbols {
 public:
  // Aborts if the program has been stripped.
  ProgramSymbols();

  // The demangled name of the function that `address` is in; empty if it is not in the program.
  std::string FunctionAt(const void* address) const;

 private:
  struct Symbol {
    uint64_t end;
    const char* name;  // mangled, in bytes_
  };
  std::vector<char> bytes_;  // of the file
  uint64_t load_address_ = 0;
  std::map<uint64_t, Symbol> by_begin_;
};

// "tfrt::eager::MatMul" of the demangled name of a function: without return type, parameters,
// template arguments and "(anonymous namespace)". Of a wrapper that TFRT_OP or TFRT_KERNEL has made
// the function in it.
std::string PlainFunctionName(std::string_view demangled);

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_STACK_NAMES_H_
