// The tables that a BefView keeps of a checked file.
#ifndef TFRT_LIB_FORMAT_BEF_BEF_TABLES_H_
#define TFRT_LIB_FORMAT_BEF_BEF_TABLES_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bef_reader.h"
#include "location_reader.h"
#include "string_table.h"
#include "weights_reader.h"

namespace tfrt::bef {

struct BefView::Tables {
  // Where the optional sections speak of one function, and how much they must say.
  struct FunctionCounts {
    uint32_t num_kernels = 0;  // with the pseudo kernel; 0 for a native function
    uint32_t num_registers = 0;
    uint32_t num_attributes = 0;  // of all kernels
    uint32_t names_position = 0;  // in attribute_names, behind the kernel count
    uint32_t types_position = 0;  // in register_types, behind the register count
  };

  std::span<const uint8_t> file;
  std::span<const uint8_t> attributes;
  std::span<const uint8_t> function_bodies;
  std::span<const uint8_t> attribute_names;
  std::span<const uint8_t> register_types;
  bool has_attribute_types = false;
  bool has_attribute_names = false;
  bool has_register_types = false;

  StringTable strings;
  std::vector<std::string_view> kernel_names;
  std::vector<std::string_view> type_names;
  std::vector<uint32_t> type_pool;  // of all FunctionInfos
  std::vector<FunctionInfo> functions;
  std::vector<FunctionCounts> counts;  // one per function
  LocationReader locations;
  std::vector<AttributeType> attribute_types;
  NonStrictMarks nonstrict;
  std::span<const uint8_t> extras;
  std::span<const uint8_t> signatures;
  WeightTable weights;
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_BEF_TABLES_H_
