#include "operand_checks.h"

#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

Status OverlapError(std::string_view op) {
  return InvalidArgumentError(StrCat(op, ": the output overlaps an input"));
}

}  // namespace

Status CheckOutputShape(std::string_view op, const Tensor& out, const TensorShape& expected) {
  if (out.shape() == expected) return OkStatus();
  return InvalidArgumentError(StrCat(op, ": the output has the shape ", out.shape().ToString(),
                                     ", expected ", expected.ToString()));
}

Status CheckApart(std::string_view op, const DenseHostTensor& out,
                  std::span<const DenseHostTensor* const> inputs) {
  for (const DenseHostTensor* input : inputs) {
    if (Overlap(out, *input)) return OverlapError(op);
  }
  return OkStatus();
}

Status CheckApartOrSame(std::string_view op, const DenseHostTensor& out,
                        std::initializer_list<const DenseHostTensor*> inputs) {
  for (const DenseHostTensor* input : inputs) {
    bool same = input->data() == out.data() && input->size_bytes() == out.size_bytes();
    if (!same && Overlap(out, *input)) return OverlapError(op);
  }
  return OkStatus();
}

StatusOr<const float*> VectorOf(std::string_view op, const DenseHostTensor& tensor, int64_t size,
                                std::string_view name) {
  TFRT_ASSIGN_OR_RETURN(auto view, DenseView<float>::Create(tensor, name));
  if (tensor.shape() != TensorShape{size}) {
    return InvalidArgumentError(StrCat(op, ": ", name, " has the shape ", tensor.shape().ToString(),
                                       ", expected [", size, "]"));
  }
  return view.data();
}

}  // namespace tfrt
