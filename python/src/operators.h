// The operators of tensors and variables: calls of ops.
#ifndef TFRT_PYTHON_OPERATORS_H_
#define TFRT_PYTHON_OPERATORS_H_

#include <Python.h>

namespace tfrt::python {

PyObject* AddSlot(PyObject* x, PyObject* y) noexcept;
PyObject* SubtractSlot(PyObject* x, PyObject* y) noexcept;
PyObject* MultiplySlot(PyObject* x, PyObject* y) noexcept;
PyObject* DivideSlot(PyObject* x, PyObject* y) noexcept;
PyObject* MatMulSlot(PyObject* x, PyObject* y) noexcept;
PyObject* NegativeSlot(PyObject* x) noexcept;
PyObject* PositiveSlot(PyObject* x) noexcept;
PyObject* AbsoluteSlot(PyObject* x) noexcept;
PyObject* CompareSlot(PyObject* x, PyObject* y, int operation) noexcept;
Py_hash_t HashSlot(PyObject* x) noexcept;

}  // namespace tfrt::python

// Entries of PyType_Slot arrays.
#define TFRT_PYTHON_OPERATOR_SLOTS                                                   \
  {Py_nb_add, reinterpret_cast<void*>(&::tfrt::python::AddSlot)},                    \
      {Py_nb_subtract, reinterpret_cast<void*>(&::tfrt::python::SubtractSlot)},      \
      {Py_nb_multiply, reinterpret_cast<void*>(&::tfrt::python::MultiplySlot)},      \
      {Py_nb_true_divide, reinterpret_cast<void*>(&::tfrt::python::DivideSlot)},     \
      {Py_nb_matrix_multiply, reinterpret_cast<void*>(&::tfrt::python::MatMulSlot)}, \
      {Py_nb_negative, reinterpret_cast<void*>(&::tfrt::python::NegativeSlot)},      \
      {Py_nb_positive, reinterpret_cast<void*>(&::tfrt::python::PositiveSlot)},      \
      {Py_nb_absolute, reinterpret_cast<void*>(&::tfrt::python::AbsoluteSlot)},      \
      {Py_tp_richcompare, reinterpret_cast<void*>(&::tfrt::python::CompareSlot)}, {  \
    Py_tp_hash, reinterpret_cast<void*>(&::tfrt::python::HashSlot)                   \
  }

#endif  // TFRT_PYTHON_OPERATORS_H_
