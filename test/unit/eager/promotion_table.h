// The table of docs/python.md, written out for the tests of eager and of traced calls.
#ifndef TFRT_TEST_UNIT_EAGER_PROMOTION_TABLE_H_
#define TFRT_TEST_UNIT_EAGER_PROMOTION_TABLE_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "tfrt/eager/ops.h"

namespace tfrt::eager {

inline constexpr std::array kDTypes = {
    DType::kI1,   DType::kI8,   DType::kI16, DType::kI32,  DType::kI64, DType::kUI8, DType::kUI16,
    DType::kUI32, DType::kUI64, DType::kF16, DType::kBF16, DType::kF32, DType::kF64};

// Row i, column j: the dtype in which kDTypes[i] and kDTypes[j] meet.
// clang-format off
inline constexpr std::string_view kMeetingPoints[13][13] = {
    {"i1",   "i8",   "i16", "i32", "i64", "u8",   "u16", "u32", "u64", "f16", "bf16", "f32", "f64"},
    {"i8",   "i8",   "i16", "i32", "i64", "i16",  "i32", "i64", "f64", "f16", "bf16", "f32", "f64"},
    {"i16",  "i16",  "i16", "i32", "i64", "i16",  "i32", "i64", "f64", "f32", "f32",  "f32", "f64"},
    {"i32",  "i32",  "i32", "i32", "i64", "i32",  "i32", "i64", "f64", "f32", "f32",  "f32", "f64"},
    {"i64",  "i64",  "i64", "i64", "i64", "i64",  "i64", "i64", "f64", "f32", "f32",  "f32", "f64"},
    {"u8",   "i16",  "i16", "i32", "i64", "u8",   "u16", "u32", "u64", "f16", "bf16", "f32", "f64"},
    {"u16",  "i32",  "i32", "i32", "i64", "u16",  "u16", "u32", "u64", "f32", "f32",  "f32", "f64"},
    {"u32",  "i64",  "i64", "i64", "i64", "u32",  "u32", "u32", "u64", "f32", "f32",  "f32", "f64"},
    {"u64",  "f64",  "f64", "f64", "f64", "u64",  "u64", "u64", "u64", "f32", "f32",  "f32", "f64"},
    {"f16",  "f16",  "f32", "f32", "f32", "f16",  "f32", "f32", "f32", "f16", "f32",  "f32", "f64"},
    {"bf16", "bf16", "f32", "f32", "f32", "bf16", "f32", "f32", "f32", "f32", "bf16", "f32", "f64"},
    {"f32",  "f32",  "f32", "f32", "f32", "f32",  "f32", "f32", "f32", "f32", "f32",  "f32", "f64"},
    {"f64",  "f64",  "f64", "f64", "f64", "f64",  "f64", "f64", "f64", "f64", "f64",  "f64", "f64"},
};
// clang-format on

inline DType MeetingPoint(size_t i, size_t j) {
  for (DType dtype : kDTypes) {
    if (DTypeName(dtype) == kMeetingPoints[i][j]) return dtype;
  }
  return DType::kUnsupported;
}

// The number as a tensor without dimensions.
inline Tensor ScalarAs(DType dtype, double value) { return Cast(Tensor::Scalar(value), dtype); }

}  // namespace tfrt::eager

#endif  // TFRT_TEST_UNIT_EAGER_PROMOTION_TABLE_H_
