// The operators of tensors and variables: calls of ops.
#ifndef TFRT_PYTHON_OPERATORS_H_
#define TFRT_PYTHON_OPERATORS_H_

#include <Python.h>

namespace tfrt::python {

PyObject* AddSlot(PyObject* x, PyObject* y) noexcept;
PyObject* SubtractSlot(PyObject* x, PyObject* y) noexcept;
PyObject* MultiplySlot(PyObject* x, PyObject* y) noexcept;
PyObject* DivideSlot(PyObject* x, PyObject* y) noexcept;
PyObject* FloorDivideSlot(PyObject* x, PyObject* y) noexcept;
PyObject* RemainderSlot(PyObject* x, PyObject* y) noexcept;
PyObject* AndSlot(PyObject* x, PyObject* y) noexcept;
PyObject* OrSlot(PyObject* x, PyObject* y) noexcept;
PyObject* XorSlot(PyObject* x, PyObject* y) noexcept;
PyObject* ShiftLeftSlot(PyObject* x, PyObject* y) noexcept;
PyObject* ShiftRightSlot(PyObject* x, PyObject* y) noexcept;
PyObject* MatMulSlot(PyObject* x, PyObject* y) noexcept;
PyObject* DivmodSlot(PyObject* x, PyObject* y) noexcept;
PyObject* PowerSlot(PyObject* x, PyObject* y, PyObject* modulus) noexcept;
// `x += y`: what x + y is, in the dtype and the shape of x; of a variable, its new value.
PyObject* InPlaceAddSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceSubtractSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceMultiplySlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceDivideSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceFloorDivideSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceRemainderSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceAndSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceOrSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceXorSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceShiftLeftSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceShiftRightSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlaceMatMulSlot(PyObject* x, PyObject* y) noexcept;
PyObject* InPlacePowerSlot(PyObject* x, PyObject* y, PyObject* modulus) noexcept;
PyObject* InvertSlot(PyObject* x) noexcept;
PyObject* NegativeSlot(PyObject* x) noexcept;
PyObject* PositiveSlot(PyObject* x) noexcept;
PyObject* AbsoluteSlot(PyObject* x) noexcept;
PyObject* CompareSlot(PyObject* x, PyObject* y, int operation) noexcept;
Py_hash_t HashSlot(PyObject* x) noexcept;

}  // namespace tfrt::python

// Entries of PyType_Slot arrays.
#define TFRT_PYTHON_SLOT(slot, function) {slot, reinterpret_cast<void*>(&::tfrt::python::function)}
#define TFRT_PYTHON_OPERATOR_SLOTS                                                                \
  TFRT_PYTHON_SLOT(Py_nb_add, AddSlot), TFRT_PYTHON_SLOT(Py_nb_inplace_add, InPlaceAddSlot),      \
      TFRT_PYTHON_SLOT(Py_nb_subtract, SubtractSlot),                                             \
      TFRT_PYTHON_SLOT(Py_nb_inplace_subtract, InPlaceSubtractSlot),                              \
      TFRT_PYTHON_SLOT(Py_nb_multiply, MultiplySlot),                                             \
      TFRT_PYTHON_SLOT(Py_nb_inplace_multiply, InPlaceMultiplySlot),                              \
      TFRT_PYTHON_SLOT(Py_nb_true_divide, DivideSlot),                                            \
      TFRT_PYTHON_SLOT(Py_nb_inplace_true_divide, InPlaceDivideSlot),                             \
      TFRT_PYTHON_SLOT(Py_nb_floor_divide, FloorDivideSlot),                                      \
      TFRT_PYTHON_SLOT(Py_nb_inplace_floor_divide, InPlaceFloorDivideSlot),                       \
      TFRT_PYTHON_SLOT(Py_nb_remainder, RemainderSlot),                                           \
      TFRT_PYTHON_SLOT(Py_nb_inplace_remainder, InPlaceRemainderSlot),                            \
      TFRT_PYTHON_SLOT(Py_nb_and, AndSlot), TFRT_PYTHON_SLOT(Py_nb_inplace_and, InPlaceAndSlot),  \
      TFRT_PYTHON_SLOT(Py_nb_or, OrSlot), TFRT_PYTHON_SLOT(Py_nb_inplace_or, InPlaceOrSlot),      \
      TFRT_PYTHON_SLOT(Py_nb_xor, XorSlot), TFRT_PYTHON_SLOT(Py_nb_inplace_xor, InPlaceXorSlot),  \
      TFRT_PYTHON_SLOT(Py_nb_lshift, ShiftLeftSlot),                                              \
      TFRT_PYTHON_SLOT(Py_nb_inplace_lshift, InPlaceShiftLeftSlot),                               \
      TFRT_PYTHON_SLOT(Py_nb_rshift, ShiftRightSlot),                                             \
      TFRT_PYTHON_SLOT(Py_nb_inplace_rshift, InPlaceShiftRightSlot),                              \
      TFRT_PYTHON_SLOT(Py_nb_matrix_multiply, MatMulSlot),                                        \
      TFRT_PYTHON_SLOT(Py_nb_inplace_matrix_multiply, InPlaceMatMulSlot),                         \
      TFRT_PYTHON_SLOT(Py_nb_divmod, DivmodSlot), TFRT_PYTHON_SLOT(Py_nb_power, PowerSlot),       \
      TFRT_PYTHON_SLOT(Py_nb_inplace_power, InPlacePowerSlot),                                    \
      TFRT_PYTHON_SLOT(Py_nb_invert, InvertSlot), TFRT_PYTHON_SLOT(Py_nb_negative, NegativeSlot), \
      TFRT_PYTHON_SLOT(Py_nb_positive, PositiveSlot),                                             \
      TFRT_PYTHON_SLOT(Py_nb_absolute, AbsoluteSlot),                                             \
      TFRT_PYTHON_SLOT(Py_tp_richcompare, CompareSlot), TFRT_PYTHON_SLOT(Py_tp_hash, HashSlot)

#endif  // TFRT_PYTHON_OPERATORS_H_
