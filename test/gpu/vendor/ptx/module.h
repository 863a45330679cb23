#ifndef TFRT_TEST_GPU_VENDOR_PTX_MODULE_H_
#define TFRT_TEST_GPU_VENDOR_PTX_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tfrt::gpu::ptx {

struct Program;

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;

  uint64_t count() const { return uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

// Why a text is no module that can run here.
enum class ParseErrorKind : uint8_t {
  kNotPtx,       // no PTX at all: it does not begin with a .version
  kSyntax,       // PTX with an error, which an assembler refuses as well
  kUnsupported,  // an instruction, directive, version or target that this executor lacks
};

struct ParseError {
  ParseErrorKind kind = ParseErrorKind::kSyntax;
  uint32_t line = 0;  // from 1
  std::string message;

  // One line, as an assembler writes it into the log of a JIT compilation.
  std::string Log() const;
};

struct Parameter {
  std::string name;
  uint32_t offset = 0;  // in the parameter buffer
  uint32_t size = 0;
  uint32_t alignment = 1;
};

// A kernel: what a launch needs to know and a driver tells of a function.
struct Entry {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;
  std::optional<Dim3> required_threads;  // .reqntid
  std::optional<Dim3> maximum_threads;   // .maxntid: its product bounds the threads of a block
  uint32_t static_shared_bytes = 0;
  bool uses_dynamic_shared = false;
  uint32_t local_bytes = 0;  // per thread, of the kernel itself
  uint32_t registers = 0;    // 32-bit registers per thread; an estimate, at most 255
};

// A variable of the module in global or constant memory. Its owner chooses an address that is a
// multiple of `alignment` and keeps `size` bytes there; programs may write those of global memory
// only.
struct Variable {
  std::string name;
  bool constant = false;
  uint64_t size = 0;
  uint32_t alignment = 1;
};

// A module of PTX, parsed, checked and decoded. Immutable and thread-safe.
class Module {
 public:
  // Parses a module. It fails only by returning the error; `text` may hold any bytes. Takes
  // .version 6.0 to 9.0 and .target sm_30 to sm_90. The `text` need not outlive the call, and ends
  // at its first zero byte. With `contracts`, a mul and an add or sub of its result become one fma
  // if neither has a rounding modifier. PTX allows this and assemblers do it where they can.
  static std::variant<std::unique_ptr<const Module>, ParseError> Parse(std::string_view text,
                                                                       bool contracts = false);

  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::span<const Entry> entries() const;
  std::span<const Variable> variables() const;
  // Null if there is none of the name.
  const Entry* FindEntry(std::string_view name) const;
  std::optional<size_t> FindVariable(std::string_view name) const;

  // The version, 10 * major + minor, and the number of the target: 70 for sm_70.
  int version() const;
  int target() const;

  // The bytes that variable `index` begins with: zero where nothing is said. `addresses` has one
  // for each variable, as initialisers may name other variables.
  std::vector<std::byte> InitialBytes(size_t index, std::span<const uint64_t> addresses) const;

  // One line about what an assembler may contract and this module does not; else empty.
  std::string ContractionNote() const;

  const Program& program() const { return *program_; }

 private:
  explicit Module(std::unique_ptr<const Program> program);

  std::unique_ptr<const Program> program_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_MODULE_H_
