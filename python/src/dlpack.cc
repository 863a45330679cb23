// Arrays from and for other libraries, in the DLPack format.

#include "lib/api/eager/dlpack.h"

#include <utility>

#include "context.h"
#include "errors.h"
#include "gil.h"
#include "locations.h"
#include "tensor.h"

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

template <typename Managed, typename Handle>
eager::Tensor Import(PyObject* capsule, const char* name, const char* used_name, Location where) {
  auto* handle = static_cast<Handle*>(PyCapsule_GetPointer(capsule, name));
  if (!handle) throw nb::python_error();
  Managed* original = &eager::dlpack::LayoutOf(handle);
  Managed* borrowed = WithDeferredDeleter(original);
  StatusOr<eager::Tensor> tensor =
      Unlocked([&] { return eager::Tensor::FromDlpack(eager::dlpack::HandleOf(borrowed), where); });
  if (!tensor.ok()) {
    delete static_cast<Borrowed<Managed>*>(borrowed->manager_ctx);  // the capsule keeps the array
    RaiseAt(where, tensor.status());
  }
  PyCapsule_SetName(capsule, used_name);
  return *std::move(tensor);
}

constexpr char kArray[] = "dltensor", kUsedArray[] = "used_dltensor";
constexpr char kVersioned[] = "dltensor_versioned", kUsedVersioned[] = "used_dltensor_versioned";

eager::Tensor FromCapsule(nb::handle capsule, Location where) {
  using namespace eager::dlpack;
  PyObject* object = capsule.ptr();
  if (PyCapsule_IsValid(object, kVersioned)) {
    return Import<ManagedArrayVersioned, DLManagedTensorVersioned>(object, kVersioned,
                                                                   kUsedVersioned, where);
  }
  if (PyCapsule_IsValid(object, kArray)) {
    return Import<ManagedArray, DLManagedTensor>(object, kArray, kUsedArray, where);
  }
  RaiseTypeError("__dlpack__ gave %s, not a DLPack capsule that has not been used",
                 Py_TYPE(object)->tp_name);
}

}  // namespace

nb::object FromDlpack(nb::handle object) {
  EnterScope();
  const Location where = CallerLocation();
  if (PyCapsule_CheckExact(object.ptr())) return WrapOrRaise(FromCapsule(object, where));
  if (!nb::hasattr(object, "__dlpack__")) {
    RaiseTypeError("%s has no __dlpack__", Py_TYPE(object.ptr())->tp_name);
  }
  nb::object capsule;
  try {
    capsule = object.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = object.attr("__dlpack__")();  // of before version 1
  }
  return WrapOrRaise(FromCapsule(capsule, where));
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

eager::HostArray CopyOfDlpack(nb::handle object) {
  nb::object imported = FromDlpack(object);  // row-major
  const HostElements elements = ElementsOf(*TensorIn(imported));
  return eager::HostArray(elements.dtype, elements.dims,
                          {static_cast<const std::byte*>(elements.data), elements.bytes});
}

nb::object ToDlpack(const PyTensor& self, nb::object stream, nb::object max_version,
                    nb::object dl_device, nb::object copy) {
  if (!stream.is_none()) RaiseValueError("the elements are in host memory, which has no streams");
  if (!dl_device.is_none() && nb::cast<int>(dl_device[0]) != eager::dlpack::kCpu) {
    throw nb::buffer_error("the elements are in host memory, and are not copied elsewhere");
  }
  if (copy.ptr() == Py_True) {
    throw nb::buffer_error("tfrt gives its elements without a copy; copy the result");
  }
  Await(self);
  const Location where = CallerLocation();
  if (!max_version.is_none() && nb::cast<int>(max_version[0]) >= 1) {
    return NewCapsule(ValueOf(self.tensor.ToDlpackVersioned(where)), kVersioned,
                      &DeleteCapsule<kVersioned, DLManagedTensorVersioned>);
  }
  return NewCapsule(ValueOf(self.tensor.ToDlpack(where)), kArray,
                    &DeleteCapsule<kArray, DLManagedTensor>);
}

}  // namespace tfrt::python
