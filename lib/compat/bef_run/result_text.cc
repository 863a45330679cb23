#include "result_text.h"

#include <cmath>
#include <cstdint>

#include "lib/base/support/decimal_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Six decimals in scientific notation; INF, -INF and nan in this spelling.
std::string ScientificText(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-INF" : "INF";
  return DecimalText(number, std::chars_format::scientific, 6);
}

// `V` offers IsType<T>() and get<T>().
template <typename V>
std::string PayloadText(std::string_view type, V& value) {
  if (type == "i1" && value.template IsType<bool>()) {
    return value.template get<bool>() ? "1" : "0";
  }
  if (type == "i32" && value.template IsType<int32_t>()) {
    return std::to_string(value.template get<int32_t>());
  }
  if (type == "i64" && value.template IsType<int64_t>()) {
    return std::to_string(value.template get<int64_t>());
  }
  if (type == "f32" && value.template IsType<float>()) {
    return ScientificText(value.template get<float>());
  }
  if (type == "f64" && value.template IsType<double>()) {
    return ScientificText(value.template get<double>());
  }
  return StrCat(type, " value");
}

}  // namespace

std::string ErrorText(const Status& error, bool with_code) {
  if (!with_code) return StrCat("<<error: ", error.message(), ">>");
  return StrCat("<<error: ", error.message(), ", code: ", StatusCodeName(error.code()), ">>");
}

std::string ResultText(std::string_view type, const AsyncValue& value, bool with_code) {
  if (const Status* error = value.GetErrorIfPresent()) return ErrorText(*error, with_code);
  return PayloadText(type, value);
}

std::string ResultText(std::string_view type, Value& value) { return PayloadText(type, value); }

}  // namespace tfrt
