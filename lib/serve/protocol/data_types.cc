#include "data_types.h"

#include <utility>

namespace tfrt::serve {
namespace {

constexpr std::pair<DType, std::string_view> kNames[] = {
    {DType::kI1, "BOOL"},     {DType::kUI8, "UINT8"},    {DType::kUI16, "UINT16"},
    {DType::kUI32, "UINT32"}, {DType::kUI64, "UINT64"},  {DType::kI8, "INT8"},
    {DType::kI16, "INT16"},   {DType::kI32, "INT32"},    {DType::kI64, "INT64"},
    {DType::kF16, "FP16"},    {DType::kBF16, "BF16"},    {DType::kF32, "FP32"},
    {DType::kF64, "FP64"},    {DType::kString, "BYTES"},
};

}  // namespace

std::string_view DataTypeName(DType dtype) {
  for (const auto& [known, name] : kNames) {
    if (known == dtype) return name;
  }
  return "";
}

DType DataTypeFromName(std::string_view name) {
  for (const auto& [dtype, known] : kNames) {
    if (known == name) return dtype;
  }
  return DType::kUnsupported;
}

}  // namespace tfrt::serve
