// tfrt.Tensor and tfrt.DType, and what else becomes an argument of an op.
#ifndef TFRT_PYTHON_TENSOR_H_
#define TFRT_PYTHON_TENSOR_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gil.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/location.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::python {

namespace nb = nanobind;

// Returns the number of the next Python tensor. With the lock.
inline uint64_t& next_tensor_number() {
  static uint64_t next = 1;
  return next;
}

// tfrt.Tensor. Item assignment replaces `tensor`, with the lock.
struct PyTensor {
  PyTensor() = default;
  explicit PyTensor(eager::Tensor tensor) : tensor(std::move(tensor)) {}
  // Returns what it is now, for code that gives the lock away meanwhile.
  PyTensor Held() const { return *this; }
  eager::Tensor tensor;
  uint32_t fork = fork_generation();
  // Later objects have larger ones.
  uint64_t number = next_tensor_number()++;
};

// The tensor if the object is one; else null.
PyTensor* TensorIn(nb::handle object);
nb::object Wrap(eager::Tensor tensor);
// The same, or the exception of its error, if it is known to be one by now.
nb::object WrapOrRaise(eager::Tensor tensor);

// --- dtypes ---

struct PyDType {
  DType dtype;
};

// Converts a tfrt.DType, a text ("f32", "float32"), a NumPy dtype or scalar type, bool, int or
// float.
DType DTypeFrom(nb::handle object);
// As Python names it: "f32", "i1", ...
std::string DTypeText(DType dtype);
nb::object WrapDType(DType dtype);

// The tensor, or, if it is of the process that this one was forked from, one of its elements.
// Throws if these are not there.
eager::Tensor TensorOfThisProcess(const PyTensor& tensor, Location where);

// --- Elements ---

// Returns when the elements are there, without the lock meanwhile. Throws their error.
void Await(const PyTensor& tensor);
// The elements in host memory, waited for. Keeps them.
struct HostElements {
  eager::Tensor tensor;
  DType dtype;
  std::vector<int64_t> dims, strides;  // strides in bytes
  const void* data;
  size_t bytes;
};
HostElements ElementsOf(const PyTensor& tensor);

// The types of Python's numbers, which have no size of their own.
struct NumberTypes {
  DType integer = DType::kI32;
  DType real = DType::kF32;
  // Whether scalars of NumPy that are numbers of Python, too, keep their own type.
  bool scalars_have_dtypes = false;
  // Whether they are a tensor's. Then a single number does not become a wider one.
  bool are_of_tensor = false;
};

// Whether elements that are there already are copied.
enum class Sharing : uint8_t {
  kCopy,    // always
  kBorrow,  // not if they can be used where they are
};

// Returns the dtype of the elements of a buffer. Empty if the object is no buffer, or if its
// elements have no dtype.
std::optional<DType> BufferDType(nb::handle object);

// An array of whatever has elements: numbers, nested lists of them, buffers, DLPack arrays. With a
// `dtype`, numbers become that, and elements of another one are an error. Empty: the object has no
// elements. Throws what is wrong with those that it has.
std::optional<eager::HostArray> ArrayFrom(nb::handle object, std::optional<DType> dtype,
                                          NumberTypes numbers, Sharing sharing);
// The same; throws a TypeError for an object without elements.
eager::HostArray RequireArray(nb::handle object, std::optional<DType> dtype, NumberTypes numbers,
                              Sharing sharing, const char* what);

// The array as the kernels see it. Throws why there is none.
DenseHostTensor DenseOf(const eager::HostArray& array);

// A tensor over an array, in host memory and on the device of the scope, without the lock.
eager::Tensor MakeTensor(const eager::HostArray& array, Location where);
// Over elements of the runtime's own.
eager::Tensor MakeTensor(const DenseHostTensor& elements, Location where);

// Takes an object with __dlpack__, or a capsule; throws if it is invalid, with the reason.
nb::object FromDlpack(nb::handle object);
// A copy of the elements, which may change afterwards.
eager::HostArray CopyOfDlpack(nb::handle object);
// The device, as DLPack numbers it, on which ToDlpack gives the elements without a copy.
nb::tuple DlpackDevice(const PyTensor& self);
// A capsule. `stream`: as the array API standard says, for elements on a GPU.
nb::object ToDlpack(const PyTensor& self, nb::object stream, nb::object max_version,
                    nb::object dl_device, nb::object copy);

// Calls `ready` with the lock once the tensor is there, or an error.
void WhenReady(const PyTensor& tensor, nb::object ready);

void BindDType(nb::module_& module);
void BindTensor(nb::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_TENSOR_H_
