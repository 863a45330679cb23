#include "summary.h"

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dtype.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt::cpu {
namespace {

template <typename T>
void AppendNumber(T value, std::string* out) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    *out += '(';
    AppendNumber(value.real(), out);
    *out += ',';
    AppendNumber(value.imag(), out);
    *out += ')';
  } else if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    *out += StrCat(static_cast<Wide>(value));  // i8 and i1, too, as numbers
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    *out += std::string_view(text, std::to_chars(text, text + sizeof(text), value).ptr - text);
  } else {
    AppendNumber(value.ToFloat(), out);  // f16, bf16
  }
}

// Appends element i.
void AppendElementOf(const Tensor& tensor, int64_t i, std::string* out) {
  if (tensor.tensor_type() == kStringHostTensorType) {
    *out += static_cast<const StringHostTensor&>(tensor).strings()[i];
    return;
  }
  const bool is_scalar = tensor.tensor_type() == kScalarHostTensorType;
  const void* data = is_scalar ? static_cast<const AnyScalarHostTensor&>(tensor).data()
                               : static_cast<const DenseHostTensor&>(tensor).data();
  const auto* element = static_cast<const char*>(data) +
                        (is_scalar ? 0 : static_cast<size_t>(i) * DTypeSize(tensor.dtype()));
  const bool is_number = DispatchDType(tensor.dtype(), [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    AppendNumber(value, out);
  });
  if (!is_number) AppendElement(tensor.dtype(), element, out);
}

struct Summarizer {
  const Tensor& tensor;
  int64_t limit;
  int64_t next = 0;  // element
  std::string text = {};

  void AppendDim(size_t dim) {
    const TensorShape& shape = tensor.shape();
    const int64_t size = shape.dim(dim);
    for (int64_t i = 0; i < size; ++i) {
      if (next >= limit) {
        // A row that is cut, unless it is all there is: that ends in dots anyway.
        if (dim + 1 == shape.rank() && dim > 0 && i > 0) text += "...";
        return;
      }
      if (dim + 1 == shape.rank()) {
        if (i > 0) text += ' ';
        AppendElementOf(tensor, next++, &text);
      } else {
        text += '[';
        AppendDim(dim + 1);
        text += ']';
      }
    }
  }
};

}  // namespace

std::string Summary(const Tensor& tensor, int64_t max_elements) {
  const int64_t size = tensor.shape().num_elements();
  Summarizer summarizer{tensor, max_elements < 0 ? size : std::min(max_elements, size)};
  if (tensor.shape().rank() > 0) {
    if (size > 0) summarizer.AppendDim(0);
  } else if (summarizer.limit > 0) {
    AppendElementOf(tensor, 0, &summarizer.text);
  }
  if (size > summarizer.limit) summarizer.text += "...";
  return std::move(summarizer.text);
}

}  // namespace tfrt::cpu
