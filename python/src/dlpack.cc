// Arrays from and for other libraries, in the DLPack format.

#include "lib/api/eager/dlpack.h"

#include <nanobind/stl/pair.h>

#include <cstdint>
#include <utility>

#include "context.h"
#include "errors.h"
#include "gil.h"
#include "locations.h"
#include "tensor.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {
namespace {

// Deleted with the lock, by whichever thread: the array of another library, whose deleter may need
// it.
template <typename Managed>
struct Borrowed {
  Managed managed;
  Managed* original;
};

template <typename Managed>
Managed* WithDeferredDeleter(Managed* original) {
  auto* borrowed = new Borrowed<Managed>{*original, original};
  borrowed->managed.manager_ctx = borrowed;
  borrowed->managed.deleter = [](Managed* self) {
    auto* owner = static_cast<Borrowed<Managed>*>(self->manager_ctx);
    Managed* array = owner->original;
    delete owner;
    if (array->deleter) RunWithGil([array] { array->deleter(array); });
  };
  return &borrowed->managed;
}

// `stream` has been made to wait for the elements, if they are on a GPU.
template <typename Managed, typename Handle>
eager::Tensor Import(PyObject* capsule, const char* name, const char* used_name,
                     ForeignStream stream, Location where) {
  auto* handle = static_cast<Handle*>(PyCapsule_GetPointer(capsule, name));
  if (!handle) throw nb::python_error();
  Managed* original = &eager::dlpack::LayoutOf(handle);
  Managed* borrowed = WithDeferredDeleter(original);
  StatusOr<eager::Tensor> tensor = Unlocked(
      [&] { return eager::Tensor::FromDlpack(eager::dlpack::HandleOf(borrowed), stream, where); });
  if (!tensor.ok()) {
    delete static_cast<Borrowed<Managed>*>(borrowed->manager_ctx);  // the capsule keeps the array
    RaiseAt(where, tensor.status());
  }
  PyCapsule_SetName(capsule, used_name);
  return *std::move(tensor);
}

constexpr char kArray[] = "dltensor", kUsedArray[] = "used_dltensor";
constexpr char kVersioned[] = "dltensor_versioned", kUsedVersioned[] = "used_dltensor_versioned";

eager::Tensor FromCapsule(nb::handle capsule, ForeignStream stream, Location where) {
  using namespace eager::dlpack;
  PyObject* object = capsule.ptr();
  if (PyCapsule_IsValid(object, kVersioned)) {
    return Import<ManagedArrayVersioned, DLManagedTensorVersioned>(object, kVersioned,
                                                                   kUsedVersioned, stream, where);
  }
  if (PyCapsule_IsValid(object, kArray)) {
    return Import<ManagedArray, DLManagedTensor>(object, kArray, kUsedArray, stream, where);
  }
  RaiseTypeError("__dlpack__ gave %s, not a DLPack capsule that has not been used",
                 Py_TYPE(object)->tp_name);
}

}  // namespace

namespace {

eager::dlpack::Device DeviceFrom(nb::handle pair, const char* what) {
  std::pair<int32_t, int32_t> device;
  if (!nb::try_cast(pair, device)) {
    RaiseTypeError("%s is a pair of numbers, not %s", what, Py_TYPE(pair.ptr())->tp_name);
  }
  return {device.first, device.second};
}

}  // namespace

nb::object FromDlpack(nb::handle object) {
  EnterScope();
  const Location where = CallerLocation();
  if (PyCapsule_CheckExact(object.ptr())) {
    // Whoever made it was given no stream: its elements are there, or come in the default stream.
    return WrapOrRaise(FromCapsule(object, ForeignStream::kLegacyDefault, where));
  }
  if (!nb::hasattr(object, "__dlpack__")) {
    RaiseTypeError("%s has no __dlpack__", Py_TYPE(object.ptr())->tp_name);
  }
  // The producer makes this stream wait for the elements.
  ForeignStream stream = ForeignStream::kNone;
  if (nb::hasattr(object, "__dlpack_device__")) {
    const eager::dlpack::Device device =
        DeviceFrom(object.attr("__dlpack_device__")(), "__dlpack_device__()");
    if (device.type == eager::dlpack::kCuda) {
      stream = ValueOf(eager::dlpack::StreamForProducers(device, where));
    }
  }
  nb::dict arguments;
  if (stream != ForeignStream::kNone) arguments["stream"] = static_cast<int64_t>(stream);
  nb::object produce = object.attr("__dlpack__"), capsule;
  try {
    nb::dict versioned;
    versioned.update(arguments);
    versioned["max_version"] = nb::make_tuple(1, 0);
    capsule = produce(**versioned);
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = produce(**arguments);  // of before version 1
  }
  // A producer that was given no stream has ordered its elements in the default one.
  const bool is_ordered = stream != ForeignStream::kNone;
  return WrapOrRaise(
      FromCapsule(capsule, is_ordered ? stream : ForeignStream::kLegacyDefault, where));
}

namespace {

template <auto kName, typename Handle>
void DeleteCapsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, kName)) return;  // used: its new owner deletes it
  auto* handle = static_cast<Handle*>(PyCapsule_GetPointer(capsule, kName));
  auto& layout = eager::dlpack::LayoutOf(handle);
  layout.deleter(&layout);
}

nb::object NewCapsule(void* pointer, const char* name, PyCapsule_Destructor destructor) {
  PyObject* capsule = PyCapsule_New(pointer, name, destructor);
  if (!capsule) throw nb::python_error();
  return nb::steal(capsule);
}

}  // namespace

namespace {

// The elements in new memory of the host.
eager::HostArray CopyOfElements(const PyTensor& tensor) {
  const HostElements elements = ElementsOf(tensor);
  return eager::HostArray(elements.dtype, elements.dims,
                          {static_cast<const std::byte*>(elements.data), elements.bytes});
}

eager::Tensor CopyOf(const PyTensor& tensor, Location where) {
  eager::HostArray array = CopyOfElements(tensor);
  RaiseIfError(array.tensor().status());
  return MakeTensor(array, where);
}

}  // namespace

eager::HostArray CopyOfDlpack(nb::handle object) {
  nb::object imported = FromDlpack(object);  // row-major
  return CopyOfElements(*TensorIn(imported));
}

nb::tuple DlpackDevice(const PyTensor& self) {
  const eager::dlpack::Device device = eager::dlpack::DeviceOf(self.tensor);
  return nb::make_tuple(device.type, device.id);
}

nb::object ToDlpack(const PyTensor& object, nb::object stream, nb::object max_version,
                    nb::object dl_device, nb::object copy) {
  const PyTensor self = object.Held();
  const eager::dlpack::Device own = eager::dlpack::DeviceOf(self.tensor);
  eager::dlpack::Device wanted = own;
  if (!dl_device.is_none()) wanted = DeviceFrom(dl_device, "dl_device");
  const bool is_in_place = wanted.type == own.type && wanted.id == own.id;
  const bool is_on_host = wanted.type == eager::dlpack::kCpu;
  // A copy to the host waits for its elements, whatever the stream.
  if (own.type == eager::dlpack::kCpu && !stream.is_none()) {
    RaiseValueError("the elements are in host memory, which has no streams");
  }
  if (!is_in_place && !is_on_host) {
    throw nb::buffer_error(
        StrCat("the elements are on ", self.tensor.device(), ", and are copied to host memory only")
            .c_str());
  }
  if (!is_in_place && copy.ptr() == Py_False) {
    throw nb::buffer_error("elements on a GPU are copied to host memory");
  }
  const bool is_copied = is_in_place && copy.ptr() == Py_True;
  if (is_copied && !is_on_host) {
    throw nb::buffer_error("elements on a GPU are copied to host memory only");
  }
  auto from = static_cast<int64_t>(ForeignStream::kLegacyDefault);
  if (!stream.is_none() && !nb::try_cast(stream, from)) {
    RaiseTypeError("stream is None or a number, not %s", Py_TYPE(stream.ptr())->tp_name);
  }
  if (from < static_cast<int64_t>(ForeignStream::kNone)) {
    RaiseValueError("stream is -1, 1, 2 or a handle, and not below -1");
  }
  const bool is_versioned = !max_version.is_none() && nb::cast<int>(max_version[0]) >= 1;
  const Location where = CallerLocation();
  if (is_on_host) Await(self);
  const eager::Tensor tensor = is_copied ? CopyOf(self, where) : self.tensor;
  if (is_versioned) {
    DLManagedTensorVersioned* array = ValueOf(Unlocked([&] {
      return is_on_host ? eager::dlpack::ToHostDlpackVersioned(tensor, where)
                        : tensor.ToDlpackVersioned(ForeignStream{from}, where);
    }));
    // Nobody else has a copy's memory.
    if (is_copied) eager::dlpack::LayoutOf(array).flags = eager::dlpack::kIsCopied;
    return NewCapsule(array, kVersioned, &DeleteCapsule<kVersioned, DLManagedTensorVersioned>);
  }
  auto array = Unlocked([&] {
    return is_on_host ? eager::dlpack::ToHostDlpack(tensor, where)
                      : tensor.ToDlpack(ForeignStream{from}, where);
  });
  return NewCapsule(ValueOf(std::move(array)), kArray, &DeleteCapsule<kArray, DLManagedTensor>);
}

}  // namespace tfrt::python
