#include "tensor.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "context.h"
#include "errors.h"
#include "interrupts.h"
#include "lib/api/eager/dlpack.h"
#include "lib/api/eager/tracer.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "locations.h"
#include "operators.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {

PyTensor* TensorIn(nb::handle object) {
  static const nb::handle type = nb::type<PyTensor>();
  // Not one that `__new__` alone has made.
  return object.type().is(type) && nb::inst_ready(object) ? nb::inst_ptr<PyTensor>(object)
                                                          : nullptr;
}

nb::object Wrap(eager::Tensor tensor) { return nb::cast(PyTensor(std::move(tensor))); }

nb::object WrapOrRaise(eager::Tensor tensor) {
  if (tensor.IsError() && !tensor.is_traced()) RaiseIfError(tensor.status());
  return Wrap(std::move(tensor));
}

// Code that asks a tensor of this thread's trace for its elements may not have been rewritten.
[[noreturn]] static void RaiseWithoutElements(const Status& status) {
  nb::object error =
      nb::module_::import_("tfrt.tracing")
          .attr("_without_elements")(nb::str(status.message().data(), status.message().size()));
  PyErr_SetObject(error.type().ptr(), error.ptr());
  throw nb::python_error();
}

void Await(const PyTensor& object) {
  const PyTensor tensor = object.Held();
  if (!tensor.tensor.valid()) Raise(InvalidArgumentError("this is not a tensor"));
  const bool is_there = tensor.tensor.IsAvailable();
  if (tensor.fork != fork_generation() &&
      (!is_there || (tensor.tensor.state()->device() != 0 && !tensor.tensor.IsError()))) {
    Raise(
        FailedPreconditionError("the tensor was on its way when this process was forked, or on a "
                                "device that stayed with its parent"));
  }
  Status status;
  if (is_there && tensor.tensor.state()->elements() == nullptr) {
    status = tensor.tensor.status();
  } else {
    status = CallWithoutLock([&] { return tensor.tensor.status(); });
  }
  if (const eager::TracedValue* value = eager::TracedValueOf(tensor.tensor)) {
    eager::Tracer* tracer = eager::CurrentTracer();
    if (tracer && tracer->Knows(*value)) RaiseWithoutElements(status);
  }
  RaiseIfError(status);
}

namespace {

// --- Buffers ---

// Holds the memory that a buffer of Python points into. Its `obj` keeps the tensor.
struct ExportedBuffer {
  HostElements elements;
  std::vector<Py_ssize_t> shape, strides;
};

// Null for a dtype without elements.
const char* FormatOf(DType dtype) {
  constexpr std::pair<DType, const char*> kFormats[] = {
      {DType::kI1, "?"},          {DType::kUI8, "B"},  {DType::kUI16, "H"},
      {DType::kUI32, "I"},        {DType::kUI64, "Q"}, {DType::kI8, "b"},
      {DType::kI16, "h"},         {DType::kI32, "i"},  {DType::kI64, "q"},
      {DType::kF16, "e"},         {DType::kBF16, "H"},  // its bits
      {DType::kF32, "f"},         {DType::kF64, "d"},  {DType::kComplex64, "Zf"},
      {DType::kComplex128, "Zd"},
  };
  for (const auto& [known, format] : kFormats) {
    if (known == dtype) return format;
  }
  return nullptr;
}

// Exports a tensor's elements; types for which buffers have no format are exported as bits.
struct PyBits {
  PyTensor tensor;
};

int ExportBuffer(PyObject* object, const PyTensor& tensor, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError,
                    "the elements of a tensor can only be read here; assign items of the tensor");
    return -1;
  }
  try {
    auto exported = std::make_unique<ExportedBuffer>();
    exported->elements = ElementsOf(tensor);
    const HostElements& elements = exported->elements;
    exported->shape.assign(elements.dims.begin(), elements.dims.end());
    exported->strides.assign(elements.strides.begin(), elements.strides.end());
    view->buf = const_cast<void*>(elements.data);
    view->len = static_cast<Py_ssize_t>(elements.bytes);
    view->itemsize = static_cast<Py_ssize_t>(DTypeSize(elements.dtype));
    view->readonly = 1;
    view->ndim = static_cast<int>(exported->shape.size());
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(FormatOf(elements.dtype)) : nullptr;
    view->shape = exported->shape.data();
    view->strides = exported->strides.data();
    view->suboffsets = nullptr;
    view->internal = exported.release();
    view->obj = Py_NewRef(object);
    return 0;
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  return -1;
}

// Objects that `__new__` alone has made have no elements.
bool CanExport(PyObject* object, Py_buffer* view) noexcept {
  if (nb::inst_ready(object)) return true;
  view->obj = nullptr;
  PyErr_SetString(PyExc_BufferError, "the tensor is not made yet");
  return false;
}

int GetBuffer(PyObject* object, Py_buffer* view, int flags) noexcept {
  if (!CanExport(object, view)) return -1;
  const PyTensor& tensor = *nb::inst_ptr<PyTensor>(nb::handle(object));
  const TensorMetadata* metadata = tensor.tensor.state()->metadata();
  if (metadata && metadata->dtype == DType::kBF16) {
    view->obj = nullptr;
    PyErr_SetString(PyExc_BufferError, "buffers have no format for bf16; use numpy()");
    return -1;
  }
  return ExportBuffer(object, tensor, view, flags);
}

int GetBits(PyObject* object, Py_buffer* view, int flags) noexcept {
  if (!CanExport(object, view)) return -1;
  return ExportBuffer(object, nb::inst_ptr<PyBits>(nb::handle(object))->tensor, view, flags);
}

void ReleaseBuffer(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<ExportedBuffer*>(view->internal);
}

// --- Elements as objects ---

nb::object ElementAt(DType dtype, const void* from) {
  nb::object element;
  const bool is_number = DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      element = nb::bool_(value);
    } else if constexpr (std::is_integral_v<T>) {
      element = nb::int_(value);
    } else if constexpr (internal::kIsComplex<T>) {
      element = nb::steal(PyComplex_FromDoubles(value.real(), value.imag()));
    } else {
      element = nb::float_(CastElement<double>(value));
    }
  });
  if (!is_number) RaiseTypeError("elements of %s are no numbers", DTypeText(dtype).c_str());
  return element;
}

nb::object ListFrom(const HostElements& elements, size_t dim, const std::byte* from) {
  if (dim == elements.dims.size()) return ElementAt(elements.dtype, from);
  nb::list list;
  for (int64_t i = 0; i < elements.dims[dim]; ++i) {
    list.append(ListFrom(elements, dim + 1, from + i * elements.strides[dim]));
  }
  return list;
}

nb::object ToList(const PyTensor& self) {
  HostElements elements = ElementsOf(self);
  return ListFrom(elements, 0, static_cast<const std::byte*>(elements.data));
}

nb::object Item(const PyTensor& self) {
  HostElements elements = ElementsOf(self);
  const size_t size = DTypeSize(elements.dtype);
  if (elements.bytes != size) {
    RaiseValueError("the tensor has %zu elements, not one", elements.bytes / size);
  }
  return ElementAt(elements.dtype, elements.data);
}

// --- What is known ---

std::vector<int64_t> DimsOf(const PyTensor& self) {
  // A traced tensor gives its known facts, or an error if they are unknown.
  if (!self.tensor.is_traced() &&
      (!self.tensor.state() || !self.tensor.state()->metadata() || self.tensor.IsError())) {
    Await(self);
  }
  TensorShape shape = ValueOf(self.tensor.shape());
  ShapeDims dims = shape.dims();
  return {dims.begin(), dims.end()};
}

// Returns the sizes of a traced tensor of known rank; None for those that are open. No object for
// other tensors.
nb::object OpenShapeOf(const PyTensor& self) {
  const eager::TracedValue* traced = eager::TracedValueOf(self.tensor);
  if (!traced || !traced->type.shape.has_rank()) return {};
  nb::list sizes;
  for (Dim dim : traced->type.shape.dims()) {
    sizes.append(dim.is_known() ? nb::object(nb::int_(dim.value())) : nb::none());
  }
  return nb::tuple(sizes);
}

nb::object ShapeOf(const PyTensor& self) {
  if (nb::object open = OpenShapeOf(self); open.is_valid()) return open;
  std::vector<int64_t> dims = DimsOf(self);
  nb::object shape = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(dims.size())));
  for (size_t i = 0; i < dims.size(); ++i) {
    PyTuple_SET_ITEM(shape.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLongLong(dims[i]));
  }
  return shape;
}

// The shape; None if a trace leaves the rank open.
nb::object SizesOf(const PyTensor& self) {
  const eager::TracedValue* traced = eager::TracedValueOf(self.tensor);
  return traced && !traced->type.shape.has_rank() ? nb::none() : ShapeOf(self);
}

nb::object DTypeOfTensor(const PyTensor& self) {
  if (!self.tensor.is_traced() &&
      (!self.tensor.state() || !self.tensor.state()->metadata() || self.tensor.IsError())) {
    Await(self);
  }
  return WrapDType(ValueOf(self.tensor.dtype()));
}

std::string ReprOf(const PyTensor& self) {
  if (self.tensor.is_traced()) {
    StatusOr<DType> dtype = self.tensor.dtype();
    return StrCat("tensor(<traced>, dtype=", dtype.ok() ? DTypeText(*dtype) : "?", ")");
  }
  if (self.tensor.IsError()) {
    return StrCat("tensor(<error: ", self.tensor.status().message(), ">)");
  }
  const TensorMetadata* metadata = self.tensor.valid() ? self.tensor.state()->metadata() : nullptr;
  if (!self.tensor.IsAvailable() || self.fork != fork_generation()) {
    return metadata ? StrCat("tensor(<not there yet>, shape=", metadata->shape.ToString(),
                             ", dtype=", DTypeText(metadata->dtype), ")")
                    : "tensor(<not there yet>)";
  }
  constexpr int64_t kFew = 1000;
  std::string elements = StrCat("<", metadata->shape.num_elements(), " elements>");
  if (metadata->shape.num_elements() <= kFew && DTypeSize(metadata->dtype) > 0) {
    elements = nb::cast<std::string>(nb::repr(ToList(self)));
  }
  return StrCat("tensor(", elements, ", shape=", metadata->shape.ToString(),
                ", dtype=", DTypeText(metadata->dtype), ", device=", self.tensor.device(), ")");
}

// --- Making ---

// Throws if the elements are of another type than the one that is wanted.
void CheckDType(const eager::Tensor& tensor, std::optional<DType> wanted) {
  if (!wanted) return;
  const DType dtype = ValueOf(tensor.dtype());
  if (dtype == *wanted) return;
  RaiseTypeError("the tensor has elements of %s; convert them with tfrt.cast",
                 DTypeText(dtype).c_str());
}

nb::object MakeFrom(nb::handle object, nb::object dtype, const std::string& device, bool copy) {
  EnterScope();
  const Location where = CallerLocation();
  std::optional<DType> wanted;
  if (!dtype.is_none()) wanted = DTypeFrom(dtype);
  eager::Tensor tensor;
  if (PyTensor* same = TensorIn(object)) {
    tensor = same->tensor;
    CheckDType(tensor, wanted);
  } else if (PyVariable* variable = VariableIn(object)) {
    tensor = ReadVariable(*variable);
    CheckDType(tensor, wanted);
  } else {
    const Sharing sharing = copy ? Sharing::kCopy : Sharing::kBorrow;
    std::optional<eager::HostArray> array = ArrayFrom(object, wanted, {}, sharing);
    const bool has_dlpack = !array && nb::hasattr(object, "__dlpack__");
    if (has_dlpack && copy) array = CopyOfDlpack(object);
    if (!array && has_dlpack) {
      nb::object imported = FromDlpack(object);
      tensor = TensorIn(imported)->tensor;
    } else {
      if (!array) array = RequireArray(object, wanted, {}, sharing, "what becomes a tensor");
      RaiseIfError(array->tensor().status());
      tensor = MakeTensor(*array, where);
    }
    if (has_dlpack) CheckDType(tensor, wanted);
  }
  if (!device.empty()) tensor = Unlocked([&] { return tensor.CopyTo(device, where); });
  return WrapOrRaise(std::move(tensor));
}

nb::object FromBytes(nb::handle bytes, nb::handle dtype, std::vector<int64_t> dims) {
  EnterScope();
  const Location where = CallerLocation();
  Py_buffer view;
  if (PyObject_GetBuffer(bytes.ptr(), &view, PyBUF_SIMPLE) < 0) throw nb::python_error();
  const DType type = DTypeFrom(dtype);
  eager::HostArray array(type, dims,
                         {static_cast<const std::byte*>(view.buf), static_cast<size_t>(view.len)});
  PyBuffer_Release(&view);
  RaiseIfError(array.tensor().status());
  return WrapOrRaise(MakeTensor(array, where));
}

nb::object CopyTo(const PyTensor& self, const std::string& device) {
  EnterScope();
  const Location where = CallerLocation();
  return WrapOrRaise(Unlocked([&, tensor = self.tensor] { return tensor.CopyTo(device, where); }));
}

// Calls in flight, buffers and other tensors keep what the object held.
void Replace(PyTensor& self, const PyTensor& made) {
  eager::Tensor tensor = made.tensor;  // perhaps its own
  self.fork = made.fork;
  std::swap(self.tensor, tensor);
}

}  // namespace

HostElements ElementsOf(const PyTensor& object) {
  const PyTensor tensor = object.Held();
  Await(tensor);
  const Location where = CallerLocation();
  HostElements elements;
  elements.tensor = tensor.tensor;
  elements.dtype = ValueOf(tensor.tensor.dtype());
  if (DTypeSize(elements.dtype) == 0) {
    RaiseTypeError("a tensor of %s has no elements of a fixed size",
                   DTypeText(elements.dtype).c_str());
  }
  // From a device it is copied.
  DLManagedTensorVersioned* exported =
      ValueOf(Unlocked([&] { return eager::dlpack::ToHostDlpackVersioned(tensor.tensor, where); }));
  eager::dlpack::ManagedArrayVersioned* array = &eager::dlpack::LayoutOf(exported);
  const eager::dlpack::Array& layout = array->array;
  elements.dims.assign(layout.shape, layout.shape + layout.ndim);
  elements.data = layout.data;
  const auto size = static_cast<int64_t>(DTypeSize(elements.dtype));
  // Sizes and strides of no elements may be beyond all memory.
  const bool is_empty = std::ranges::find(elements.dims, 0) != elements.dims.end();
  int64_t count = is_empty ? 0 : 1;
  for (size_t i = 0; i < elements.dims.size(); ++i) {
    if (!is_empty) count *= elements.dims[i];
    elements.strides.push_back(is_empty ? size : layout.strides[i] * size);
  }
  elements.bytes = static_cast<size_t>(count * size);
  array->deleter(array);  // the tensor keeps the elements, and its copy of them
  return elements;
}

DenseHostTensor DenseOf(const eager::HostArray& array) {
  RaiseIfError(array.tensor().status());
  return array.tensor()->ShareBuffer();
}

eager::Tensor MakeTensor(const eager::HostArray& array, Location where) {
  GilRelease release;
  return eager::Tensor::FromArray(array, where);
}

eager::Tensor MakeTensor(const DenseHostTensor& elements, Location where) {
  ShapeDims sizes = elements.shape().dims();
  std::vector<int64_t> dims(sizes.begin(), sizes.end());
  auto owner = std::make_shared<DenseHostTensor>(elements.ShareBuffer());
  std::span bytes(static_cast<const std::byte*>(owner->data()), owner->size_bytes());
  return MakeTensor(eager::HostArray::Borrow(elements.dtype(), dims, bytes, [owner] {}), where);
}

namespace {

// Shared by the steps of waiting: for the value, and for its elements.
struct Waiting {
  eager::Tensor tensor;
  SharedObject ready;

  static void Continue(const std::shared_ptr<Waiting>& self) {
    AsyncValue* elements = self->tensor.state()->elements();
    if (elements && !elements->IsAvailable()) {
      elements->AndThen([self] { Notify(self); });
    } else {
      Notify(self);
    }
  }
  static void Notify(const std::shared_ptr<Waiting>& self) {
    RunWithGilLater([self] {
      PyObject* result = PyObject_CallNoArgs(self->ready.get());
      if (!result) PyErr_Clear();  // the event loop has ended
      Py_XDECREF(result);
    });
  }
};

}  // namespace

eager::Tensor TensorOfThisProcess(const PyTensor& object, Location where) {
  if (object.fork == fork_generation()) [[likely]]
    return object.tensor;
  const PyTensor tensor = object.Held();
  Await(tensor);
  DLManagedTensorVersioned* array =
      ValueOf(eager::dlpack::ToHostDlpackVersioned(tensor.tensor, where));
  return ValueOf(eager::Tensor::FromDlpack(array, where));
}

void WhenReady(const PyTensor& tensor, nb::object ready) {
  auto waiting = std::make_shared<Waiting>();
  waiting->tensor = tensor.tensor;
  waiting->ready = SharedObject(ready.release().ptr());
  waiting->tensor.state()->value()->AndThen([waiting] { Waiting::Continue(waiting); });
}

void BindTensor(nb::module_& module) {
  using namespace nb::literals;
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&GetBuffer)},
                                {Py_bf_releasebuffer, reinterpret_cast<void*>(&ReleaseBuffer)},
                                TFRT_PYTHON_OPERATOR_SLOTS,
                                {0, nullptr}};
  nb::class_<PyTensor>(
      module, "Tensor", nb::type_slots(slots), nb::is_weak_referenceable(),
      "Elements of one type in an array, on a device, now or soon.\n\n"
      "``x[index] = value`` changes this object, and no other tensor or array that shares its "
      "elements.\n"
      "Made by ops, ``tfrt.tensor``, ``tfrt.from_numpy`` and ``tfrt.from_dlpack``. What needs "
      "the elements waits for them; ``await tensor`` does so in a coroutine.")
      .def_prop_ro("shape", &ShapeOf, nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro("dtype", &DTypeOfTensor, nb::sig("def dtype(self) -> DType"))
      .def_prop_ro(
          "device", [](const PyTensor& self) { return std::string(self.tensor.device()); },
          "'cpu:0', ...; empty for an error.")
      .def_prop_ro("ndim",
                   [](const PyTensor& self) {
                     const eager::TracedValue* traced = eager::TracedValueOf(self.tensor);
                     // Known also where sizes are not.
                     return traced && traced->type.shape.has_rank()
                                ? traced->type.shape.dims().size()
                                : DimsOf(self).size();
                   })
      .def_prop_ro(
          "size",
          [](const PyTensor& self) -> nb::object {
            int64_t size = 1;
            if (nb::object open = OpenShapeOf(self); open.is_valid()) {
              for (nb::handle dim : open) {
                if (dim.is_none()) return nb::none();
                size *= nb::cast<int64_t>(dim);
              }
              return nb::int_(size);
            }
            for (int64_t dim : DimsOf(self)) size *= dim;
            return nb::int_(size);
          },
          "The number of elements; None if a size is open.", nb::sig("def size(self) -> int"))
      .def_prop_ro(
          "is_available", [](const PyTensor& self) { return self.tensor.IsAvailable(); },
          "Whether it is there, or an error, by now.")
      .def_prop_ro(
          "is_error", [](const PyTensor& self) { return self.tensor.IsError(); },
          "Whether it is known by now to be an error.")
      .def_prop_ro(
          "is_traced", [](const PyTensor& self) { return self.tensor.is_traced(); },
          "Whether it belongs to a function that is being traced, and has no elements.")
      .def("wait", &Await, "Returns when it is there; raises its error.")
      .def("item", &Item, "The only element.",
           nb::sig("def item(self) -> bool | int | float | complex"))
      .def("tolist", &ToList, "The elements in nested lists.")
      .def("to", &CopyTo, "device"_a,
           "The tensor on another device of its context; copied once, whoever asks.",
           nb::sig("def to(self, device: str) -> Tensor"))
      .def("_bits", [](const PyTensor& self) { return PyBits{self}; })
      .def("_replace", &Replace, "made"_a)
      .def(
          "__copy__", [](const PyTensor& self) { return Wrap(self.tensor); },
          "Another tensor with these elements.", nb::sig("def __copy__(self) -> Tensor"))
      .def_prop_ro("_sizes", &SizesOf)
      .def_prop_ro("_number", [](const PyTensor& self) { return self.number; })
      .def("_when_ready",
           [](const PyTensor& self, nb::object ready) { WhenReady(self, std::move(ready)); })
      .def("__dlpack__", &ToDlpack, nb::kw_only(), "stream"_a = nb::none(),
           "max_version"_a = nb::none(), "dl_device"_a = nb::none(), "copy"_a = nb::none())
      .def("__dlpack_device__", &DlpackDevice)
      .def("__repr__", &ReprOf)
      .def("__len__",
           [](const PyTensor& self) {
             std::vector<int64_t> dims = DimsOf(self);
             if (dims.empty()) RaiseTypeError("a tensor without dimensions has no length");
             return dims[0];
           })
      .def("__bool__", [](const PyTensor& self) { return nb::cast<bool>(nb::bool_(Item(self))); })
      .def(
          "__complex__",
          [](const PyTensor& self) {
            return nb::steal(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyComplex_Type),
                                                 Item(self).ptr()));
          },
          nb::sig("def __complex__(self) -> complex"))
      .def("__int__", [](const PyTensor& self) { return nb::int_(Item(self)); })
      .def("__float__", [](const PyTensor& self) { return nb::float_(Item(self)); })
      .def("__index__", [](const PyTensor& self) {
        nb::object item = Item(self);
        if (!nb::isinstance<nb::int_>(item) || PyBool_Check(item.ptr()))
          RaiseTypeError("only a tensor of integers is an index");
        return item;
      });
  static PyType_Slot bits_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&GetBits)},
                                     {Py_bf_releasebuffer, reinterpret_cast<void*>(&ReleaseBuffer)},
                                     {0, nullptr}};
  nb::class_<PyBits>(module, "_Bits", nb::type_slots(bits_slots));
  module.def("tensor", &MakeFrom, "value"_a.none(), "dtype"_a = nb::none(), "device"_a = "",
             nb::kw_only(), "copy"_a = true,
             "A tensor of a number, nested lists of numbers, an array of NumPy or another library, "
             "or a buffer.\n\n"
             "Numbers without a dtype are i32 (i64 if they need it), f32, i1 or complex64. With "
             "copy=False "
             "elements that lie in one piece are used where they are, and must not change.",
             nb::sig("def tensor(value: object, dtype: object | None = None, device: str = '', *, "
                     "copy: bool = True) -> Tensor"));
  module.def(
      "from_dlpack", &FromDlpack, "array"_a.none(),
      "A tensor over an array of another library, which must not change; copied only if it is not "
      "row-major, and never on a GPU.",
      nb::sig("def from_dlpack(array: object) -> Tensor"));
  module.def("_next_tensor_number", [] { return next_tensor_number(); });
  module.def("_from_bytes", &FromBytes, "bytes"_a, "dtype"_a, "shape"_a);
}

}  // namespace tfrt::python
