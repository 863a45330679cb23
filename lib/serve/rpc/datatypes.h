// The datatypes of the Open Inference Protocol.
#ifndef TFRT_LIB_SERVE_RPC_DATATYPES_H_
#define TFRT_LIB_SERVE_RPC_DATATYPES_H_

#include <string_view>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::serve::rpc {

// A datatype, and where InferTensorContents has its elements. 0: only raw contents can.
struct Datatype {
  std::string_view name;
  DType dtype;
  int contents_field;
  std::string_view contents_name;
};

inline constexpr Datatype kDatatypes[] = {
    {"BOOL", DType::kI1, 1, "bool_contents"},
    {"UINT8", DType::kUI8, 4, "uint_contents"},
    {"UINT16", DType::kUI16, 4, "uint_contents"},
    {"UINT32", DType::kUI32, 4, "uint_contents"},
    {"UINT64", DType::kUI64, 5, "uint64_contents"},
    {"INT8", DType::kI8, 2, "int_contents"},
    {"INT16", DType::kI16, 2, "int_contents"},
    {"INT32", DType::kI32, 2, "int_contents"},
    {"INT64", DType::kI64, 3, "int64_contents"},
    {"FP16", DType::kF16, 0, ""},
    {"FP32", DType::kF32, 6, "fp32_contents"},
    {"FP64", DType::kF64, 7, "fp64_contents"},
    {"BF16", DType::kBF16, 0, ""},
};

// Null if there is none.
constexpr const Datatype* FindDatatype(std::string_view name) {
  for (const Datatype& type : kDatatypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}
constexpr const Datatype* FindDatatype(DType dtype) {
  for (const Datatype& type : kDatatypes) {
    if (type.dtype == dtype) return &type;
  }
  return nullptr;
}

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_DATATYPES_H_
