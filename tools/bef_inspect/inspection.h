// The findings of bef_inspect in a file.
#ifndef TFRT_TOOLS_BEF_INSPECT_INSPECTION_H_
#define TFRT_TOOLS_BEF_INSPECT_INSPECTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lib/format/bef/bef_reader.h"

namespace tfrt {

struct Inspection {
  struct Function {
    std::string name;  // empty for a region
    std::string kind;  // "async", "native", "sync"
    std::vector<std::string> argument_types, result_types;
    size_t num_kernels = 0;
    size_t num_registers = 0;
    size_t num_streams = 0;
  };
  struct Constant {
    uint32_t offset;  // in the Attributes section
    std::string type;
    size_t size;  // bytes
  };

  size_t size = 0;  // of the file, in bytes
  std::vector<bef::SectionInfo> sections;
  // The reason and the place if the file is refused. The members below are then empty.
  std::string error, detail;
  std::vector<Function> functions;
  std::map<std::string, size_t> kernels;  // how often each is used
  std::vector<Constant> constants;        // as far as section 8 names them
  struct Value {
    std::string name;
    std::string type;  // "f32 [batch,3]"
  };
  struct Signature {
    std::string function;
    std::vector<Value> inputs, results;
  };
  struct Weight {
    size_t offset;  // in the file
    size_t size;    // bytes
    Value value;
  };
  std::string producer;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<Signature> signatures;
  std::vector<Weight> weights;
};

// `view`, if given, receives the opened file.
Inspection Inspect(std::span<const uint8_t> file, std::optional<bef::BefView>* view);

void PrintText(const Inspection& inspection, std::ostream& out);
void PrintJson(const Inspection& inspection, std::ostream& out);
// The functions' kernels and the values between them, for Graphviz.
void PrintDot(const bef::BefView& view, std::ostream& out);

}  // namespace tfrt

#endif  // TFRT_TOOLS_BEF_INSPECT_INSPECTION_H_
