// Objects of Python as arrays.

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>

#include "errors.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tensor.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {
namespace {

// --- Buffers ---

struct BufferView {
  Py_buffer view;
  bool is_held = false;
  ~BufferView() {
    if (is_held) PyBuffer_Release(&view);
  }
};

// The dtype of a format of the struct module; empty if there is none.
std::optional<DType> DTypeOfFormat(const char* format, Py_ssize_t size) {
  if (!format) return DType::kUI8;
  std::string_view text = format;
  if (!text.empty() && std::string_view("@=<").find(text[0]) != text.npos) text.remove_prefix(1);
  if (text == "Zf") return DType::kComplex64;
  if (text == "Zd") return DType::kComplex128;
  if (text.size() != 1) return std::nullopt;
  constexpr DType kSigned[] = {DType::kI8, DType::kI16, DType::kI32, DType::kI64};
  constexpr DType kUnsigned[] = {DType::kUI8, DType::kUI16, DType::kUI32, DType::kUI64};
  const int log2 = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : -1;
  if (log2 < 0) return std::nullopt;
  switch (text[0]) {
    case '?':
      return DType::kI1;
    case 'e':
      return DType::kF16;
    case 'f':
      return DType::kF32;
    case 'd':
      return DType::kF64;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return kSigned[log2];
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
    case 'c':
      return kUnsigned[log2];
    default:
      return std::nullopt;
  }
}

void CheckDType(DType found, std::optional<DType> wanted) {
  if (!wanted || *wanted == found) return;
  RaiseTypeError(
      "the array has elements of %s, but %s are wanted; convert it with astype, or the tensor "
      "with tfrt.cast",
      DTypeText(found).c_str(), DTypeText(*wanted).c_str());
}

// The array over a held buffer, as `dtype`.
eager::HostArray ArrayOver(std::shared_ptr<BufferView> buffer, DType dtype, Sharing sharing) {
  const Py_buffer& view = buffer->view;
  std::vector<int64_t> dims(view.shape, view.shape + view.ndim);
  const auto size = static_cast<size_t>(view.len);
  if (PyBuffer_IsContiguous(&view, 'C')) {
    std::span bytes(static_cast<const std::byte*>(view.buf), size);
    if (sharing == Sharing::kCopy) return eager::HostArray(dtype, dims, bytes);
    auto release = [holder = std::move(buffer)]() mutable {
      // Whoever drops the last tensor need not have the lock.
      RunWithGil([holder = std::move(holder)] {});
    };
    return eager::HostArray::Borrow(dtype, dims, bytes, std::move(release));
  }
  std::vector<std::byte> elements(size);
  if (PyBuffer_ToContiguous(elements.data(), &view, view.len, 'C') < 0) throw nb::python_error();
  return eager::HostArray(dtype, dims, elements);
}

std::optional<eager::HostArray> ArrayOfBuffer(nb::handle object, std::optional<DType> dtype,
                                              Sharing sharing) {
  if (!PyObject_CheckBuffer(object.ptr())) return std::nullopt;
  auto buffer = std::make_shared<BufferView>();
  if (PyObject_GetBuffer(object.ptr(), &buffer->view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
    PyErr_Clear();
    return std::nullopt;  // elements that buffers have no format for
  }
  buffer->is_held = true;
  std::optional<DType> found = DTypeOfFormat(buffer->view.format, buffer->view.itemsize);
  if (!found) {
    RaiseTypeError("there is no dtype for elements of the format '%s'", buffer->view.format);
  }
  CheckDType(*found, dtype);
  return ArrayOver(std::move(buffer), *found, sharing);
}

// Arrays of NumPy whose elements are of the package ml_dtypes.
std::optional<eager::HostArray> ArrayOfBf16(nb::handle object, std::optional<DType> dtype,
                                            Sharing sharing) {
  if (!nb::hasattr(object, "dtype") || !nb::hasattr(object, "view")) return std::nullopt;
  nb::object name = nb::getattr(object.attr("dtype"), "name", nb::none());
  if (!nb::isinstance<nb::str>(name) || std::strcmp(nb::str(name).c_str(), "bfloat16") != 0) {
    return std::nullopt;
  }
  CheckDType(DType::kBF16, dtype);
  nb::object bits = object.attr("view")("uint16");
  auto buffer = std::make_shared<BufferView>();
  if (PyObject_GetBuffer(bits.ptr(), &buffer->view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
    throw nb::python_error();
  }
  buffer->is_held = true;
  return ArrayOver(std::move(buffer), DType::kBF16, sharing);
}

// --- Numbers ---

// The elements of nested lists, row-major.
struct Numbers {
  std::vector<int64_t> dims;
  std::vector<PyObject*> leaves;  // borrowed of the lists
  bool has_real = false, has_complex = false, has_integer = false, has_bool = false;
};

bool IsNumber(PyObject* object) {
  return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object);
}
bool IsList(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }

// `lists` keeps a number that is made of a scalar of another library.
void AddLeaf(PyObject* object, Numbers& numbers, nb::list& lists) {
  if (!IsNumber(object) && (nb::hasattr(object, "__index__") || nb::hasattr(object, "__float__"))) {
    PyObject* number = PyIndex_Check(object) ? PyNumber_Index(object) : PyNumber_Float(object);
    if (!number) throw nb::python_error();
    lists.append(nb::steal(number));
    object = number;
  }
  if (PyBool_Check(object)) {
    numbers.has_bool = true;
  } else if (PyLong_Check(object)) {
    numbers.has_integer = true;
  } else if (PyFloat_Check(object)) {
    numbers.has_real = true;
  } else if (PyComplex_Check(object)) {
    numbers.has_complex = true;
  } else {
    RaiseTypeError("a list of numbers has an element of type %s", Py_TYPE(object)->tp_name);
  }
  numbers.leaves.push_back(object);
}

// `lists` keeps what the leaves are borrowed of.
void Flatten(PyObject* object, size_t depth, Numbers& numbers, nb::list& lists) {
  if (!IsList(object)) {
    if (depth != numbers.dims.size())
      RaiseValueError("the rows of a nested list have different depths");
    return AddLeaf(object, numbers, lists);
  }
  if (depth > 32) RaiseValueError("a nested list has more than 32 levels");
  nb::object row = nb::steal(PySequence_Tuple(object));
  if (!row.is_valid()) throw nb::python_error();
  lists.append(row);
  const Py_ssize_t size = PyTuple_GET_SIZE(row.ptr());
  if (depth == numbers.dims.size()) {
    if (!numbers.leaves.empty()) RaiseValueError("the rows of a nested list have different depths");
    numbers.dims.push_back(size);
  } else if (numbers.dims[depth] != size) {
    RaiseValueError("the rows of a nested list have different lengths: %lld and %lld",
                    static_cast<long long>(numbers.dims[depth]), static_cast<long long>(size));
  }
  for (Py_ssize_t i = 0; i < size; ++i) {
    Flatten(PyTuple_GET_ITEM(row.ptr(), i), depth + 1, numbers, lists);
  }
}

[[noreturn]] void RaiseDoesNotFit(PyObject* number, DType dtype) {
  PyErr_Clear();
  RaiseValueError("%R does not fit elements of %s", number, DTypeText(dtype).c_str());
}

double RealOf(PyObject* number, DType dtype) {
  if (PyComplex_Check(number)) {
    RaiseTypeError("a complex number does not become %s", DTypeText(dtype).c_str());
  }
  double value = PyFloat_AsDouble(number);
  if (value == -1.0 && PyErr_Occurred()) RaiseDoesNotFit(number, dtype);
  return value;
}

template <typename T>
void StoreInteger(PyObject* number, DType dtype, void* to) {
  if (!PyLong_Check(number)) {
    RaiseTypeError("%R does not become %s; cast the tensor, or write an int", number,
                   DTypeText(dtype).c_str());
  }
  T value;
  if constexpr (std::is_signed_v<T>) {
    long long wide = PyLong_AsLongLong(number);
    if ((wide == -1 && PyErr_Occurred()) || wide < std::numeric_limits<T>::min() ||
        wide > std::numeric_limits<T>::max()) {
      RaiseDoesNotFit(number, dtype);
    }
    value = static_cast<T>(wide);
  } else {
    unsigned long long wide = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred() || wide > std::numeric_limits<T>::max()) RaiseDoesNotFit(number, dtype);
    value = static_cast<T>(wide);
  }
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
void StoreReal(PyObject* number, DType dtype, void* to) {
  T value(static_cast<float>(0));
  if constexpr (std::is_same_v<T, double>) {
    value = RealOf(number, dtype);
  } else {
    value = T(static_cast<float>(RealOf(number, dtype)));
  }
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
void StoreComplex(PyObject* number, void* to) {
  Py_complex value = PyComplex_AsCComplex(number);
  if (value.real == -1.0 && PyErr_Occurred()) throw nb::python_error();
  T parts[2] = {static_cast<T>(value.real), static_cast<T>(value.imag)};
  std::memcpy(to, parts, sizeof(parts));
}

void StoreBool(PyObject* number, void* to) {
  if (!PyBool_Check(number)) RaiseTypeError("%R does not become i1; write True or False", number);
  *static_cast<bool*>(to) = number == Py_True;
}

void Store(PyObject* number, DType dtype, void* to) {
  const bool is_number = DispatchDType(dtype, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, bool>) {
      StoreBool(number, to);
    } else if constexpr (std::is_integral_v<T>) {
      StoreInteger<T>(number, dtype, to);
    } else if constexpr (internal::kIsComplex<T>) {
      StoreComplex<typename T::value_type>(number, to);
    } else {
      StoreReal<T>(number, dtype, to);
    }
  });
  if (!is_number) RaiseTypeError("numbers do not become %s", DTypeText(dtype).c_str());
}

DType DTypeOfNumbers(const Numbers& numbers, NumberTypes types) {
  if (numbers.has_complex) return DType::kComplex64;
  if (numbers.has_real) {
    const NumberKind kind = ElementTypeOf(types.real).kind;
    return kind == NumberKind::kFloat || kind == NumberKind::kBFloat || kind == NumberKind::kComplex
               ? types.real
               : DType::kF32;
  }
  if (numbers.has_bool && !numbers.has_integer) return DType::kI1;
  if (!numbers.has_integer) return types.real;  // an empty list
  return types.integer == DType::kI1 ? DType::kI32 : types.integer;
}

bool FitsI32(const Numbers& numbers) {
  return std::ranges::all_of(numbers.leaves, [](PyObject* leaf) {
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(leaf, &overflow);
    return overflow == 0 && value >= INT32_MIN && value <= INT32_MAX;
  });
}

eager::HostArray ArrayOfNumbers(nb::handle object, std::optional<DType> wanted, NumberTypes types) {
  Numbers numbers;
  nb::list lists;
  Flatten(object.ptr(), 0, numbers, lists);
  DType dtype = wanted ? *wanted : DTypeOfNumbers(numbers, types);
  const bool may_widen = !wanted && !(types.are_of_tensor && numbers.dims.empty());
  if (may_widen && dtype == DType::kI32 && !FitsI32(numbers)) dtype = DType::kI64;
  const size_t size = DTypeSize(dtype);
  std::vector<std::byte> elements(size * numbers.leaves.size());
  for (size_t i = 0; i < numbers.leaves.size(); ++i) {
    Store(numbers.leaves[i], dtype, elements.data() + i * size);
  }
  return eager::HostArray(dtype, numbers.dims, elements);
}

}  // namespace

std::optional<DType> BufferDType(nb::handle object) {
  BufferView buffer;
  if (!PyObject_CheckBuffer(object.ptr())) return std::nullopt;
  if (PyObject_GetBuffer(object.ptr(), &buffer.view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  buffer.is_held = true;
  return DTypeOfFormat(buffer.view.format, buffer.view.itemsize);
}

std::optional<eager::HostArray> ArrayFrom(nb::handle object, std::optional<DType> dtype,
                                          NumberTypes numbers, Sharing sharing) {
  PyObject* pointer = object.ptr();
  if (numbers.scalars_have_dtypes && PyFloat_Check(pointer) && !PyFloat_CheckExact(pointer)) {
    if (auto array = ArrayOfBuffer(object, dtype, sharing)) return array;
  }
  if (IsNumber(pointer)) return ArrayOfNumbers(object, dtype, numbers);
  if (IsList(pointer)) return ArrayOfNumbers(object, dtype, numbers);
  if (auto array = ArrayOfBuffer(object, dtype, sharing)) return array;
  if (auto array = ArrayOfBf16(object, dtype, sharing)) return array;
  return std::nullopt;
}

eager::HostArray RequireArray(nb::handle object, std::optional<DType> dtype, NumberTypes numbers,
                              Sharing sharing, const char* what) {
  if (auto array = ArrayFrom(object, dtype, numbers, sharing)) {
    RaiseIfError(array->tensor().status());
    return *std::move(array);
  }
  RaiseTypeError("%s is a tensor, an array, a number or a list of numbers, not %s", what,
                 Py_TYPE(object.ptr())->tp_name);
}

}  // namespace tfrt::python
