#include "test/support/stack_names.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace tfrt {
namespace {

// Copies are made, because nothing in the file need be aligned.
template <typename T>
T ReadAt(const std::vector<char>& bytes, uint64_t offset) {
  T value = {};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, &bytes[offset], sizeof(T));
  return value;
}

// The program itself comes first.
int TakeLoadAddress(dl_phdr_info* info, size_t, void* address) {
  *static_cast<uint64_t*>(address) = info->dlpi_addr;
  return 1;
}

// The end of what `text` opens with a bracket at `begin`; the brackets of operators are none.
size_t SkipBrackets(std::string_view text, size_t begin) {
  int depth = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<' || text[i] == '[' || text[i] == '{') ++depth;
    bool is_arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    if (text[i] == ')' || (text[i] == '>' && !is_arrow) || text[i] == ']' || text[i] == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return text.size();
}

// The function in a wrapper: "Wrapper<&(tfrt::F(int))>::Call(...)" -> "tfrt::F(int)". Empty if it
// is not one.
std::string_view Wrapped(std::string_view demangled) {
  for (std::string_view wrapper : {"OpFunctionOf<", "KernelOf<"}) {
    size_t begin = demangled.find(wrapper);
    if (begin == std::string_view::npos) continue;
    begin = demangled.find('&', begin);
    if (begin == std::string_view::npos) continue;
    ++begin;
    if (begin < demangled.size() && demangled[begin] == '(') {
      return demangled.substr(begin + 1, SkipBrackets(demangled, begin) - begin - 2);
    }
    return demangled.substr(begin, demangled.find_first_of(",>", begin) - begin);
  }
  return {};
}

}  // namespace

ProgramSymbols::ProgramSymbols() {
  dl_iterate_phdr(&TakeLoadAddress, &load_address_);
  std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
  bytes_.resize(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  auto header = ReadAt<ElfW(Ehdr)>(bytes_, 0);
  auto section = [&](uint64_t index) {
    return ReadAt<ElfW(Shdr)>(bytes_, header.e_shoff + index * header.e_shentsize);
  };
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    ElfW(Shdr) symbols = section(i);
    if (symbols.sh_type != SHT_SYMTAB) continue;
    ElfW(Shdr) names = section(symbols.sh_link);
    for (uint64_t offset = 0; offset < symbols.sh_size; offset += sizeof(ElfW(Sym))) {
      auto symbol = ReadAt<ElfW(Sym)>(bytes_, symbols.sh_offset + offset);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) continue;
      by_begin_[symbol.st_value] = {symbol.st_value + symbol.st_size,
                                    &bytes_[names.sh_offset + symbol.st_name]};
    }
  }
  if (by_begin_.empty()) {
    std::fputs("the program has no symbol table\n", stderr);
    std::abort();
  }
}

std::string ProgramSymbols::FunctionAt(const void* address) const {
  uint64_t at = reinterpret_cast<uint64_t>(address) - load_address_;
  auto next = by_begin_.upper_bound(at);
  if (next == by_begin_.begin()) return "";
  const Symbol& symbol = std::prev(next)->second;
  if (at >= symbol.end) return "";
  // Behind a dot is what tells clones of one function apart.
  std::string mangled(symbol.name, std::strcspn(symbol.name, "."));
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = demangled ? demangled : mangled;
  std::free(demangled);
  return name;
}

std::string PlainFunctionName(std::string_view demangled) {
  if (std::string_view wrapped = Wrapped(demangled); !wrapped.empty()) demangled = wrapped;
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string name;
  for (size_t i = 0; i < demangled.size();) {
    if (demangled.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size();
    } else if (demangled[i] == '(') {
      break;  // parameters
    } else if (demangled[i] == '<' || demangled[i] == '[') {
      i = SkipBrackets(demangled, i);
    } else if (demangled[i] == ' ') {
      name.clear();  // that was the return type
      ++i;
    } else {
      name += demangled[i++];
    }
  }
  return name;
}

}  // namespace tfrt
