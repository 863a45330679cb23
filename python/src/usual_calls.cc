#include "usual_calls.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "items.h"
#include "ops.h"
#include "tensor.h"

namespace tfrt::python {
namespace {

// Returns an axis, counted from 0; empty for another object, or one that is out of range.
std::optional<int64_t> AxisOf(nb::handle axis, size_t rank) {
  if (!PyLong_CheckExact(axis.ptr())) return std::nullopt;
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(axis.ptr(), &overflow);
  const auto count = static_cast<long long>(rank);
  if (overflow != 0 || number < -count || number >= count) return std::nullopt;
  return number < 0 ? number + count : number;
}

// Whether results have the dtype of the elements. Sums of others are wider, means are floats.
bool KeepsDType(DType dtype, bool of_floats) {
  const NumberKind kind = ElementTypeOf(dtype).kind;
  const bool is_integer = kind == NumberKind::kSigned || kind == NumberKind::kUnsigned;
  return IsFloat(dtype) || (is_integer && !of_floats && DTypeSize(dtype) >= 4);
}

// A reduction of a tensor that has elements, along all axes or one; None for others.
nb::object Reduce(nb::handle op, nb::handle x, nb::handle axis, bool of_floats) {
  const OpInfo* info = OpInfoOf(op);
  const PyTensor* tensor = TensorIn(x);
  const TensorMetadata* elements = tensor && info ? MetadataThere(*tensor) : nullptr;
  if (!elements || !KeepsDType(elements->dtype, of_floats)) return nb::none();
  const size_t rank = elements->shape.rank();
  const int64_t num_elements = elements->shape.num_elements();
  std::array<int64_t, kMostIndices> axes;
  size_t num_axes = 0;
  if (axis.is_none()) {
    while (num_axes < rank) axes[num_axes] = static_cast<int64_t>(num_axes), ++num_axes;
  } else if (std::optional<int64_t> one = AxisOf(axis, rank)) {
    axes[num_axes++] = *one;
  }
  // The axes of no dimensions are a result that shares its elements.
  if (num_axes == 0 || num_elements == 0) return nb::none();
  std::array<eager::TensorArgument, 2> arguments;
  arguments[0] = eager::TensorArgument(eager::Tensor(tensor->tensor));
  arguments[1] = *IndicesOf(std::span(axes.data(), num_axes));
  return CallOn(*info, arguments, info->defaults, num_elements);
}

// Tensors of one dtype and rank, which is not 0; empty for others.
struct Tensors {
  std::vector<eager::TensorArgument> arguments;
  const TensorMetadata* first = nullptr;
  int64_t num_elements = 0;
  bool are_of_one_shape = true;
};
std::optional<Tensors> TensorsOf(nb::handle arrays) {
  if (!PyList_CheckExact(arrays.ptr()) && !PyTuple_CheckExact(arrays.ptr())) return std::nullopt;
  const std::span<PyObject* const> items(PySequence_Fast_ITEMS(arrays.ptr()),
                                         static_cast<size_t>(Py_SIZE(arrays.ptr())));
  Tensors tensors;
  tensors.arguments.reserve(items.size() + 1);
  for (PyObject* item : items) {
    const PyTensor* tensor = TensorIn(item);
    const TensorMetadata* elements = tensor ? MetadataThere(*tensor) : nullptr;
    if (!elements || elements->shape.rank() == 0) return std::nullopt;
    if (!tensors.first) tensors.first = elements;
    if (elements->dtype != tensors.first->dtype ||
        elements->shape.rank() != tensors.first->shape.rank()) {
      return std::nullopt;
    }
    tensors.are_of_one_shape &= elements->shape == tensors.first->shape;
    tensors.num_elements += elements->shape.num_elements();
    tensors.arguments.emplace_back(eager::Tensor(tensor->tensor));
  }
  return tensors.first ? std::optional(std::move(tensors)) : std::nullopt;
}

nb::object Join(Tensors tensors, int64_t axis) {
  static const OpInfo& op = *FindOpInfo("concat");
  tensors.arguments.emplace_back(*IndicesOf(std::span(&axis, 1), true));
  return CallOn(op, tensors.arguments, op.defaults, tensors.num_elements);
}

// Tensors one after the other along an axis; None if they differ in dtype or rank.
nb::object Concat(nb::handle arrays, nb::handle axis) {
  std::optional<Tensors> tensors = TensorsOf(arrays);
  if (!tensors) return nb::none();
  std::optional<int64_t> place = AxisOf(axis, tensors->first->shape.rank());
  return place ? Join(*std::move(tensors), *place) : nb::none();
}

// Tensors of one shape along a new first axis; None for others.
nb::object Stack(nb::handle arrays) {
  std::optional<Tensors> tensors = TensorsOf(arrays);
  if (!tensors || !tensors->are_of_one_shape) return nb::none();
  ShapeDims dims = tensors->first->shape.dims();
  std::array<int64_t, kMostIndices> sizes;
  if (dims.size() + 1 > sizes.size()) return nb::none();
  sizes[0] = static_cast<int64_t>(tensors->arguments.size());
  std::ranges::copy(dims, sizes.begin() + 1);
  auto shape = IndicesOf(std::span(sizes.data(), dims.size() + 1));
  if (!shape) return nb::none();
  static const OpInfo& op = *FindOpInfo("reshape");
  const int64_t num_elements = tensors->num_elements;
  nb::object joined = Join(*std::move(tensors), 0);
  std::array<eager::TensorArgument, 2> arguments;
  arguments[0] = eager::TensorArgument(eager::Tensor(TensorIn(joined)->tensor));
  arguments[1] = *std::move(shape);
  return CallOn(op, arguments, op.defaults, num_elements);
}

}  // namespace

void BindUsualCalls(nb::module_& module) {
  module.def("_reduce", &Reduce, nb::arg("op"), nb::arg("x").none(), nb::arg("axis").none(),
             nb::arg("of_floats"),
             nb::sig("def _reduce(op: object, x: object, axis: object, of_floats: bool) -> Tensor "
                     "| None"));
  module.def("_concat", &Concat, nb::arg("arrays").none(), nb::arg("axis").none(),
             nb::sig("def _concat(arrays: object, axis: object) -> Tensor | None"));
  module.def("_stack", &Stack, nb::arg("arrays").none(),
             nb::sig("def _stack(arrays: object) -> Tensor | None"));
}

}  // namespace tfrt::python
