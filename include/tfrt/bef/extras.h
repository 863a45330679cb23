// The project's own sections: 64 (non-strict marks) and 65 (facts that version 0 cannot express).
// Both name functions by function id and kernels by their number in the function, from 0.
#ifndef TFRT_BEF_EXTRAS_H_
#define TFRT_BEF_EXTRAS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfrt/bef/bef_buffer.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// The non-strict kernels of one function, ascending.
struct NonStrictFunction {
  uint32_t function = 0;
  std::vector<uint32_t> kernels;
  bool operator==(const NonStrictFunction&) const = default;
};
using NonStrictMarks = std::vector<NonStrictFunction>;  // ascending by function

// An attribute as MLIR prints it ("4 : i64", "unit").
struct TextAttribute {
  std::string name;
  std::string text;
  bool operator==(const TextAttribute&) const = default;
};

// One attribute of an op that holds symbols, in name order: @f, or [@f, @g, ...].
struct SymbolGroup {
  std::string name;
  bool is_array = false;
  uint32_t count = 1;  // 1 unless is_array
  bool operator==(const SymbolGroup&) const = default;
};

struct KernelExtras {
  uint32_t kernel = 0;
  std::optional<int64_t> cost = {};       // _tfrt_cost
  std::vector<SymbolGroup> symbols = {};  // empty: v0's default naming holds
  std::vector<TextAttribute> attributes = {};
  bool operator==(const KernelExtras&) const = default;
};

struct FunctionExtras {
  uint32_t function = 0;
  uint8_t visibility = 0;  // 0 public, 1 private, 2 nested
  std::vector<TextAttribute> attributes = {};
  std::vector<KernelExtras> kernels = {};  // ascending by kernel
  bool operator==(const FunctionExtras&) const = default;
};

struct Extras {
  std::vector<TextAttribute> module_attributes;
  std::vector<FunctionExtras> functions;  // ascending by function
  bool operator==(const Extras&) const = default;
  bool empty() const { return module_attributes.empty() && functions.empty(); }
};

void EncodeNonStrict(const NonStrictMarks& marks, Buffer* payload);
void EncodeExtras(const Extras& extras, Buffer* payload);

// These check everything that can be checked without the rest of the file: order, counts and string
// ends. BefView::Open checks the function and kernel numbers as well.
StatusOr<NonStrictMarks> DecodeNonStrict(std::span<const uint8_t> payload);
StatusOr<Extras> DecodeExtras(std::span<const uint8_t> payload);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_EXTRAS_H_
