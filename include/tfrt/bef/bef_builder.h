// BefBuilder: builds a whole BEF file from a module described in plain data. It does all that
// version 0 prescribes beyond single records: collection order, unique strings, types and
// attributes, section order. Both the compiler and hand-built test programs use it.
//
//   BefBuilder builder;
//   FunctionSpec main{.name = "main"};
//   uint32_t a = main.AddKernel({.name = "tfrt.constant.i32", .result_types = {"i32"},
//                                .attributes = {{"value", I32Attribute(42)}}});
//   main.returns = {a};
//   builder.AddFunction(std::move(main));
//   StatusOr<std::vector<uint8_t>> file = builder.Build();
#ifndef TFRT_BEF_BEF_BUILDER_H_
#define TFRT_BEF_BEF_BUILDER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/bef/attribute_encoder.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/bef/extras.h"
#include "tfrt/bef/location_encoder.h"
#include "tfrt/bef/signatures.h"
#include "tfrt/bef/weights.h"
#include "tfrt/support/status.h"
#include "tfrt/support/write_file.h"

namespace tfrt::bef {

struct NamedAttribute {
  std::string name;
  AttributeValue value;
};

struct FunctionSpec;

struct KernelSpec {
  std::string name;
  std::vector<uint32_t> operands = {};          // registers
  std::vector<std::string> result_types = {};   // one per result, as MLIR prints them
  std::vector<NamedAttribute> attributes = {};  // encodable ones; sorted by name when built
  std::vector<std::string> callees = {};  // symbols, by function name, in attribute name order
  // Names of the attributes that are arrays of symbols; they are only added to the string table.
  std::vector<std::string> symbol_array_names = {};
  std::vector<FunctionSpec> regions;  // without `= {}`, which would need the complete type here
  uint32_t stream = 0;
  LocationValue location = {};
  bool nonstrict = false;
  // The entry of this op in section 65; `kernel` is filled in.
  std::optional<KernelExtras> extras = {};
};

// A function or a region. Registers: arguments first, then results in program order.
struct FunctionSpec {
  std::string name;  // empty for a region
  FunctionKind kind = FunctionKind::kAsync;
  std::vector<std::string> argument_types = {};
  // Given for a native function only. Otherwise the types of the returned registers are used.
  std::vector<std::string> result_types = {};
  std::vector<KernelSpec> kernels = {};
  std::vector<uint32_t> returns = {};
  uint32_t root_stream = 0;
  LocationValue location = {};  // ignored for a region, which takes that of its op
  // The entry of this function in section 65; `function` and `kernels` are filled in.
  std::optional<FunctionExtras> extras = {};
  // The entry of this function in section 66; `function` is filled in.
  std::optional<FunctionSignature> signature = {};

  // Private to AddKernel: how many kernels it has counted, and their results.
  size_t counted_kernels = 0;
  uint32_t counted_results = 0;

  // Appends a kernel and returns the register of its first result.
  uint32_t AddKernel(KernelSpec kernel);
  uint32_t num_registers() const;
};

struct BuildOptions {
  bool optional_sections = true;  // 8 to 10
  // No sections >= 64 and no 64-byte alignment of large constants; weights are an error.
  bool v0_exact = false;
  // The largest size of a section in bytes. Smaller only in tests that reach the limit.
  uint64_t max_section_bytes = kMaxSectionBytes;
};

class BefBuilder {
 public:
  void AddFunction(FunctionSpec function) { functions_.push_back(std::move(function)); }
  void set_module_attributes(std::vector<TextAttribute> attributes) {
    module_attributes_ = std::move(attributes);
  }

  void set_producer(std::string producer) { producer_ = std::move(producer); }
  // Adds metadata by key. A later value of the same key replaces an earlier one.
  void AddMetadata(std::string key, std::string value) {
    metadata_[std::move(key)] = std::move(value);
  }
  // Returns the weight's number in the file. The bytes are not copied: they must live until the
  // file is written.
  uint32_t AddWeight(WeightSpec weight) {
    weights_.push_back(std::move(weight));
    return static_cast<uint32_t>(weights_.size() - 1);
  }

  // Writes the file in order. Fails with InvalidArgument for an attribute that cannot be encoded
  // and for an unknown callee. So does a register that is not defined before its use. So do a text
  // that contains NUL and a section too long for its offsets. A weight whose bytes do not fit its
  // sizes fails likewise. Fails with Internal if the sink does not take all bytes.
  Status Write(const ByteSink& sink, const BuildOptions& options = {}) const;
  // Returns the file in memory, including weights. Fails like Write.
  StatusOr<std::vector<uint8_t>> Build(const BuildOptions& options = {}) const;

 private:
  std::vector<FunctionSpec> functions_;
  std::vector<TextAttribute> module_attributes_;
  std::string producer_;
  std::map<std::string, std::string> metadata_;
  std::vector<WeightSpec> weights_;
};

}  // namespace tfrt::bef

#endif  // TFRT_BEF_BEF_BUILDER_H_
