#include "operators.h"

#include <array>
#include <string>
#include <string_view>

#include "errors.h"
#include "ops.h"
#include "tensor.h"
#include "variable.h"

namespace tfrt::python {
namespace {

// Whether an operator is ours to compute with this object; else Python asks the object.
bool IsOperand(PyObject* object) {
  if (TensorIn(object) || VariableIn(object)) return true;
  return PyFloat_Check(object) || PyLong_Check(object) || PyComplex_Check(object) ||
         PyList_Check(object) || PyTuple_Check(object) || PyObject_CheckBuffer(object) ||
         PyObject_HasAttrString(object, "__dlpack__");
}

const OpInfo& Op(std::string_view name) {
  const OpInfo* info = FindOpInfo(name);
  if (!info) RaiseTypeError("this build has no op '%s'", std::string(name).c_str());
  return *info;
}

PyObject* Binary(const OpInfo*& op, std::string_view name, PyObject* x, PyObject* y) noexcept {
  if (!IsOperand(x) || !IsOperand(y)) return Py_NewRef(Py_NotImplemented);
  return Guard([&] {
    if (!op) op = &Op(name);
    // The op's own attributes, which operators leave out, follow the two inputs.
    std::array<PyObject*, 8> values = {x, y};
    return CallOp(*op, {values.data(), op->parameters.size()});
  });
}

bool IsMatrix(PyObject* object) {
  return PyObject_HasAttrString(object, "ndim") &&
         nb::cast<int>(nb::handle(object).attr("ndim")) <= 2;
}

}  // namespace

PyObject* AddSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "add", x, y);
}
PyObject* SubtractSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "sub", x, y);
}
PyObject* MultiplySlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "mul", x, y);
}
PyObject* DivideSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "div", x, y);
}

PyObject* MatMulSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo *matrices = nullptr, *batches = nullptr;
  if (!IsOperand(x) || !IsOperand(y)) return Py_NewRef(Py_NotImplemented);
  bool is_matrix = false;
  PyObject* failed = Guard([&]() -> nb::object {
    is_matrix = IsMatrix(x) && IsMatrix(y);
    return nb::none();
  });
  if (!failed) return nullptr;
  Py_DECREF(failed);
  return is_matrix ? Binary(matrices, "matmul", x, y) : Binary(batches, "batch_matmul", x, y);
}

PyObject* NegativeSlot(PyObject* x) noexcept {
  static const OpInfo* op = nullptr;
  // 0 - x would make 0 of -0, whose sign counts for quotients.
  PyObject* minus_one = PyLong_FromLong(-1);
  PyObject* result = minus_one ? Binary(op, "mul", x, minus_one) : nullptr;
  Py_XDECREF(minus_one);
  return result;
}

PyObject* PositiveSlot(PyObject* x) noexcept { return Py_NewRef(x); }

PyObject* AbsoluteSlot(PyObject* x) noexcept {
  static const OpInfo* op = nullptr;
  PyObject* negative = NegativeSlot(x);
  PyObject* result = negative ? Binary(op, "maximum", x, negative) : nullptr;
  Py_XDECREF(negative);
  return result;
}

PyObject* CompareSlot(PyObject* x, PyObject* y, int operation) noexcept {
  struct Comparison {
    std::string_view name;
    const OpInfo* op = nullptr;
  };
  static Comparison comparisons[6] = {{"less"},      {"less_equal"}, {"equal"},
                                      {"not_equal"}, {"greater"},    {"greater_equal"}};
  Comparison& comparison = comparisons[operation];
  return Binary(comparison.op, comparison.name, x, y);
}

// Equality is element by element, so tensors are keys by identity.
Py_hash_t HashSlot(PyObject* x) noexcept {
  return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(x) >> 4);
}

}  // namespace tfrt::python
