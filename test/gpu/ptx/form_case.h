#ifndef TFRT_TEST_GPU_PTX_FORM_CASE_H_
#define TFRT_TEST_GPU_PTX_FORM_CASE_H_

// One tiny kernel for each form of an instruction, and what it computes, said once more in plain
// C++ that shares nothing with the executor.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::gpu::ptx {

// A form taken apart: "add.rn.ftz.f32".
struct Form {
  explicit Form(std::string_view text);

  bool Has(std::string_view modifier) const;
  // The types among the modifiers, in order.
  std::vector<std::string> types;
  std::string text;
  std::string opcode;
  std::vector<std::string> modifiers;
};

// The operands of one thread: slots of 64 bits, of which each holds a value's bits; of predicates,
// 0 or 1.
using Slots = uint64_t[4];

struct FormCase {
  // Instructions that read %a0 to %a3 and write %d, and %e if `result2` has a type. Of type "pred"
  // they are predicates.
  std::string body;
  std::vector<std::string> sources;  // types: they choose the inputs, too
  std::string result;                // "" if nothing comes out
  std::string result2;
  // The expected result. Called with the inputs of a thread.
  std::function<uint64_t(const Slots& in)> expect;
  std::function<uint64_t(const Slots& in)> expect2;
  // Results of approximations: how far off they may be, relative to the value. 0: the same bits.
  double tolerance = 0;
  // Where what comes out is not defined.
  std::function<bool(const Slots& in)> skip;
  // For forms that lanes execute together: the results of a warp from its inputs, instead of
  // `expect`.
  std::function<std::vector<uint64_t>(const std::vector<uint64_t>& a)> expect_warp;
  // Declarations at module scope.
  std::string globals;
  // The version and target that an assembler needs, where it is not the usual one.
  std::string head;
};

int BitsOfType(std::string_view type);
inline bool IsFloatType(std::string_view type) {
  return type[0] == 'f' || type[0] == 't' || type.substr(0, 2) == "bf";
}
inline bool IsSignedType(std::string_view type) { return type[0] == 's'; }
// The value of an integer type, from a slot.
int64_t SignedOf(std::string_view type, uint64_t slot);
uint64_t Masked(uint64_t value, int bits);

// The families. Nothing if the form is not one of theirs.
std::optional<FormCase> IntegerCase(const Form& form);
std::optional<FormCase> BitCase(const Form& form);
std::optional<FormCase> FloatCase(const Form& form);
std::optional<FormCase> HalfCase(const Form& form);
std::optional<FormCase> ConvertCase(const Form& form);
std::optional<FormCase> CompareCase(const Form& form);
std::optional<FormCase> MemoryCase(const Form& form);
std::optional<FormCase> AtomicCase(const Form& form);
std::optional<FormCase> WarpCase(const Form& form);
std::optional<FormCase> ControlCase(const Form& form);

// The text of a kernel named `name`: (out, in), a thread reads 32 bytes of `in` and writes 16 of
// `out`.
std::string KernelText(const FormCase& form_case, std::string_view name);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_FORM_CASE_H_
