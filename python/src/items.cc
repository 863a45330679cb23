#include "items.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "errors.h"
#include "lib/api/eager/tracer.h"
#include "lib/ops/op_call/op_defaults.h"
#include "ops.h"
#include "tensor.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt::python {
namespace {

// --- The memory ---

// Returns the elements of a tensor in host memory that are there; null for all others.
DenseHostTensor* ElementsThere(const PyTensor& object) {
  const eager::TensorState* state = object.tensor.state();
  if (!state || object.fork != fork_generation() || state->is_traced() || state->device() != 0) {
    return nullptr;
  }
  AsyncValue* value = state->value();
  if (!value->IsConcrete() || state->elements()) return nullptr;
  auto& tensor = value->get<tfrt::Tensor>();
  if (tensor.tensor_type() != kDenseHostTensorType || DTypeSize(tensor.dtype()) == 0) {
    return nullptr;
  }
  return static_cast<DenseHostTensor*>(&tensor);
}

// Whether the object is the only one that can reach the elements. The interpreter's lock keeps it
// so: another thread gets a reference through the object alone, and one that has given its own
// reference back has read the elements before (IsUnique acquires).
bool IsSoleOwner(const PyTensor& object, const DenseHostTensor& elements) {
  const eager::TensorState& state = *object.tensor.state();
  return state.IsUnique() && !state.has_copies() && OpCall::IsReusable(*state.value(), elements);
}

// --- The index ---

// The items of one axis that an index chooses: `count` of them from `first` on.
struct ItemRange {
  int64_t first;
  int64_t step;
  int64_t count;
  bool is_single;  // by an integer: the axis is left out of the result
};

// Returns the items of an integer or a slice of an axis. Empty for others, and for errors.
std::optional<ItemRange> RangeOf(PyObject* item, int64_t size) {
  if (PyLong_CheckExact(item)) {
    int overflow = 0;
    const long long place = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow != 0 || place < -size || place >= size) return std::nullopt;
    return ItemRange{place < 0 ? place + size : place, 1, 1, true};
  }
  if (!PySlice_Check(item)) return std::nullopt;
  auto* slice = reinterpret_cast<PySliceObject*>(item);
  for (PyObject* bound : {slice->start, slice->stop, slice->step}) {
    if (bound != Py_None && !PyLong_CheckExact(bound)) return std::nullopt;
  }
  Py_ssize_t first = 0, end = 0, step = 0;
  if (PySlice_Unpack(item, &first, &end, &step) < 0) {
    PyErr_Clear();  // a step of 0
    return std::nullopt;
  }
  const int64_t count = PySlice_AdjustIndices(size, &first, &end, step);
  return ItemRange{first, step, count, false};
}

using Ranges = std::vector<ItemRange>;

// Returns what integers, slices and one '...' choose, for each axis. Empty for an index of another
// kind, or one that is an error.
std::optional<Ranges> RangesOf(PyObject* index, ShapeDims sizes) {
  std::span<PyObject* const> items(&index, 1);
  if (PyTuple_CheckExact(index)) {
    items = {PySequence_Fast_ITEMS(index), static_cast<size_t>(Py_SIZE(index))};
  }
  const auto num_ellipses = static_cast<size_t>(std::ranges::count(items, Py_Ellipsis));
  if (num_ellipses > 1 || items.size() - num_ellipses > sizes.size()) return std::nullopt;
  const size_t num_hidden = sizes.size() - (items.size() - num_ellipses);
  Ranges ranges;
  ranges.reserve(sizes.size());
  auto add_whole = [&] { ranges.push_back({0, 1, sizes[ranges.size()], false}); };
  for (PyObject* item : items) {
    if (item == Py_Ellipsis) {
      for (size_t i = 0; i < num_hidden; ++i) add_whole();
      continue;
    }
    std::optional<ItemRange> range = RangeOf(item, sizes[ranges.size()]);
    if (!range) return std::nullopt;
    ranges.push_back(*range);
  }
  while (ranges.size() < sizes.size()) add_whole();
  return ranges;
}

// --- Reading ---

constexpr size_t kMaxAxes = kMostIndices;

// Returns the attributes of `strided_slice` that leave out the axes of a mask.
OpAttrsRef AttrsWithout(const OpInfo& op, uint32_t single) {
  if (single == 0) return op.defaults;
  static auto* const kept = new std::array<OpAttrsRef, 1 << 4>();  // with the lock
  const bool is_kept = single < kept->size();
  if (is_kept && !(*kept)[single].empty()) return (*kept)[single];
  OpAttrs attrs;
  attrs.Set("shrink_axis_mask", static_cast<int64_t>(single));
  for (const OpAttrSpec& spec : op.op->attrs) RaiseIfError(SetDefault(spec, attrs));
  OpAttrsRef frozen = attrs.Freeze();
  if (is_kept) (*kept)[single] = frozen;
  return frozen;
}

// Returns what the ranges choose of a tensor of these sizes; None for sizes beyond 32 bits.
nb::object Take(const PyTensor& self, ShapeDims sizes, const Ranges& ranges) {
  static const OpInfo& op = *FindOpInfo("strided_slice");
  std::array<int64_t, kMaxAxes> begins, ends, steps;
  uint32_t single = 0;
  int64_t num_elements = 1;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const ItemRange& range = ranges[i];
    const bool is_empty = range.count == 0;
    begins[i] = is_empty ? 0 : range.first;
    steps[i] = is_empty || range.count == 1 ? 1 : range.step;
    ends[i] = is_empty ? 0 : range.first + (range.count - 1) * steps[i] + (steps[i] > 0 ? 1 : -1);
    if (ends[i] < 0) ends[i] = -sizes[i] - 1;  // before the first one
    single |= uint32_t{range.is_single} << i;
    num_elements *= sizes[i];
  }
  std::array<eager::TensorArgument, 4> arguments;
  arguments[0] = eager::TensorArgument(eager::Tensor(self.tensor));
  for (size_t i = 1; const auto* bounds : {&begins, &ends, &steps}) {
    std::optional<eager::HostArray> array = IndicesOf(std::span(bounds->data(), ranges.size()));
    if (!array) return nb::none();
    arguments[i++] = *std::move(array);
  }
  return CallOn(op, arguments, AttrsWithout(op, single), num_elements);
}

const TensorShape* ShapeThere(const PyTensor& self) {
  const TensorMetadata* metadata = MetadataThere(self);
  return metadata ? &metadata->shape : nullptr;
}

// x[index] of integers, slices and '...'; None for what else an index may be.
nb::object TakeItems(const PyTensor& self, nb::handle index) {
  const TensorShape* shape = ShapeThere(self);
  if (!shape) return nb::none();
  ShapeDims sizes = shape->dims();
  std::optional<Ranges> ranges = RangesOf(index.ptr(), sizes);
  return ranges ? Take(self, sizes, *ranges) : nb::none();
}

// The items begin:end:step of one axis; None if a bound is no number.
nb::object TakePiece(const PyTensor& self, size_t axis, nb::handle begin, nb::handle end,
                     nb::handle step) {
  const TensorShape* shape = ShapeThere(self);
  if (!shape || axis >= shape->rank()) return nb::none();
  nb::object slice = nb::steal(PySlice_New(begin.ptr(), end.ptr(), step.ptr()));
  ShapeDims sizes = shape->dims();
  std::optional<ItemRange> chosen =
      slice.is_valid() ? RangeOf(slice.ptr(), sizes[axis]) : std::nullopt;
  if (!chosen) return nb::none();
  Ranges ranges;
  for (int64_t size : sizes) ranges.push_back({0, 1, size, false});
  ranges[axis] = *chosen;
  return Take(self, sizes, ranges);
}

// --- Assignment: where the items are ---

// One axis of the items: `count` of them, whose places differ by these bytes.
struct ItemAxis {
  int64_t count;
  int64_t to_step;
  int64_t from_step = 0;
};

struct Items {
  int64_t offset = 0;          // of the first item, in bytes
  std::vector<ItemAxis> axes;  // outermost first; one of a single index is left out
};

Items ItemsOf(const Ranges& ranges, ShapeDims sizes, size_t element_size) {
  Items items;
  auto step = static_cast<int64_t>(element_size);
  for (size_t i = ranges.size(); i-- > 0; step *= sizes[i]) {
    const ItemRange& range = ranges[i];
    if (range.count > 0) items.offset += range.first * step;
    // Steps of a single item may be of any size.
    if (!range.is_single)
      items.axes.push_back({range.count, range.count > 1 ? range.step * step : 0});
  }
  std::ranges::reverse(items.axes);
  return items;
}

// --- Copies ---

template <size_t kSize>
void CopyRow(const ItemAxis& row, std::byte* to, const std::byte* from) {
  if (row.from_step == 0) {
    std::byte element[kSize];
    std::memcpy(element, from, kSize);
    if (row.to_step == kSize) {
      for (int64_t i = 0; i < row.count; ++i) std::memcpy(to + i * kSize, element, kSize);
    } else {
      for (int64_t i = 0; i < row.count; ++i) std::memcpy(to + i * row.to_step, element, kSize);
    }
    return;
  }
  if (row.to_step == kSize && row.from_step == kSize) {
    std::memcpy(to, from, static_cast<size_t>(row.count) * kSize);
    return;
  }
  for (int64_t i = 0; i < row.count; ++i) {
    std::memcpy(to + i * row.to_step, from + i * row.from_step, kSize);
  }
}

template <size_t kSize>
void CopyItems(std::span<const ItemAxis> axes, std::byte* to, const std::byte* from) {
  if (axes.empty()) {
    std::memcpy(to, from, kSize);
    return;
  }
  if (axes.size() == 1) return CopyRow<kSize>(axes[0], to, from);
  for (int64_t i = 0; i < axes[0].count; ++i) {
    CopyItems<kSize>(axes.subspan(1), to + i * axes[0].to_step, from + i * axes[0].from_step);
  }
}

// Joins axes that lie one after the other on both sides, so that rows are long.
void Join(std::vector<ItemAxis>& axes) {
  std::erase_if(axes, [](const ItemAxis& axis) { return axis.count == 1; });
  for (size_t i = axes.size(); i-- > 1;) {
    const ItemAxis& inner = axes[i];
    if (axes[i - 1].to_step != inner.to_step * inner.count ||
        axes[i - 1].from_step != inner.from_step * inner.count) {
      continue;
    }
    axes[i - 1] = {axes[i - 1].count * inner.count, inner.to_step, inner.from_step};
    axes.erase(axes.begin() + static_cast<ptrdiff_t>(i));
  }
}

template <size_t kSize>
void SetWhere(const uint8_t* mask, int64_t count, std::byte* to, const std::byte* from) {
  std::byte element[kSize];
  std::memcpy(element, from, kSize);
  for (int64_t i = 0; i < count; ++i) {
    if (mask[i] != 0) std::memcpy(to + i * kSize, element, kSize);
  }
}

// Calls `call` with the size of an element as a constant.
template <typename Call>
bool WithSize(size_t size, Call call) {
  switch (size) {
    case 1:
      call.template operator()<1>();
      return true;
    case 2:
      call.template operator()<2>();
      return true;
    case 4:
      call.template operator()<4>();
      return true;
    case 8:
      call.template operator()<8>();
      return true;
    case 16:
      call.template operator()<16>();
      return true;
    default:
      return false;
  }
}

// --- The value ---

// Elements that are broadcast to the items. They keep what they point into.
struct Value {
  std::vector<int64_t> sizes;
  const std::byte* data = nullptr;
  eager::Tensor tensor;
  std::optional<eager::HostArray> array;
};

// Empty where the value must be converted, or is an error.
std::optional<Value> ReadValue(PyObject* object, const DenseHostTensor& target) {
  Value value;
  if (const PyTensor* tensor = TensorIn(object)) {
    const DenseHostTensor* elements = ElementsThere(*tensor);
    if (!elements || elements == &target || elements->dtype() != target.dtype()) {
      return std::nullopt;
    }
    ShapeDims sizes = elements->shape().dims();
    value.sizes.assign(sizes.begin(), sizes.end());
    value.data = static_cast<const std::byte*>(elements->data());
    value.tensor = tensor->tensor;
    return value;
  }
  const NumberKind kind = ElementTypeOf(target.dtype()).kind;
  const bool is_real = kind == NumberKind::kFloat || kind == NumberKind::kBFloat;
  const bool is_integer = kind == NumberKind::kSigned || kind == NumberKind::kUnsigned;
  const bool fits = target.dtype() == DType::kI1 ? PyBool_Check(object)
                    : PyLong_CheckExact(object)  ? is_real || is_integer
                                                 : PyFloat_CheckExact(object) && is_real;
  if (!fits) return std::nullopt;
  value.array = ArrayFrom(object, target.dtype(), {}, Sharing::kCopy);
  if (!value.array || !value.array->tensor().ok()) return std::nullopt;
  value.data = static_cast<const std::byte*>(value.array->tensor()->data());
  return value;
}

// Sets the steps of the value along the axes of the items. False if it is not broadcast to them.
bool Broadcast(const Value& value, size_t element_size, std::vector<ItemAxis>& axes) {
  size_t extra = value.sizes.size() > axes.size() ? value.sizes.size() - axes.size() : 0;
  for (size_t i = 0; i < extra; ++i) {
    if (value.sizes[i] != 1) return false;
  }
  auto step = static_cast<int64_t>(element_size);
  for (size_t i = value.sizes.size(), axis = axes.size(); i-- > extra;) {
    ItemAxis& items = axes[--axis];
    const int64_t size = value.sizes[i];
    if (size != 1 && size != items.count) return false;
    items.from_step = size == 1 ? 0 : step;
    step *= size;
  }
  return true;
}

// x[mask] = number, with a mask of the shape of x.
bool SetMasked(PyObject* index, PyObject* object, DenseHostTensor& target) {
  const PyTensor* mask = TensorIn(index);
  if (!mask || TensorIn(object)) return false;
  const DenseHostTensor* truths = ElementsThere(*mask);
  if (!truths || truths->dtype() != DType::kI1 || truths->shape() != target.shape() ||
      target.shape().rank() == 0) {
    return false;
  }
  std::optional<Value> value = ReadValue(object, target);
  if (!value) return false;
  auto* to = static_cast<std::byte*>(target.buffer()->data());
  return WithSize(DTypeSize(target.dtype()), [&]<size_t kSize> {
    SetWhere<kSize>(static_cast<const uint8_t*>(truths->data()), target.num_elements(), to,
                    value->data);
  });
}

// Sets the items in place and returns true, or changes nothing. All is checked before the first
// element is written.
bool SetInPlace(PyTensor& self, nb::handle index, nb::handle object) {
  if (eager::CurrentTracer()) return false;
  DenseHostTensor* target = ElementsThere(self);
  if (!target || !IsSoleOwner(self, *target)) return false;
  if (SetMasked(index.ptr(), object.ptr(), *target)) return true;
  const size_t size = DTypeSize(target->dtype());
  ShapeDims sizes = target->shape().dims();
  std::optional<Ranges> ranges = RangesOf(index.ptr(), sizes);
  if (!ranges) return false;
  Items items = ItemsOf(*ranges, sizes, size);
  std::optional<Value> value = ReadValue(object.ptr(), *target);
  if (!value || !Broadcast(*value, size, items.axes)) return false;
  if (std::ranges::any_of(items.axes, [](const ItemAxis& axis) { return axis.count == 0; })) {
    return true;
  }
  Join(items.axes);
  auto* to = static_cast<std::byte*>(target->buffer()->data()) + items.offset;
  return WithSize(size, [&]<size_t kSize> { CopyItems<kSize>(items.axes, to, value->data); });
}

}  // namespace

const TensorMetadata* MetadataThere(const PyTensor& tensor) {
  if (eager::CurrentTracer()) return nullptr;
  const DenseHostTensor* elements = ElementsThere(tensor);
  return elements && elements->shape().rank() <= kMaxAxes ? &elements->metadata() : nullptr;
}

void BindItems(nb::module_& module) {
  module.def("_take_items", &TakeItems, nb::arg("x"), nb::arg("index"),
             nb::sig("def _take_items(x: Tensor, index: object) -> Tensor | None"));
  module.def("_take_piece", &TakePiece, nb::arg("x"), nb::arg("axis"), nb::arg("begin").none(),
             nb::arg("end").none(), nb::arg("step").none(),
             nb::sig("def _take_piece(x: Tensor, axis: int, begin: object, end: object, step: "
                     "object) -> Tensor | None"));
  module.def("_set_in_place", &SetInPlace, nb::arg("x"), nb::arg("index"), nb::arg("value").none(),
             nb::sig("def _set_in_place(x: Tensor, index: object, value: object) -> bool"));
}

}  // namespace tfrt::python
