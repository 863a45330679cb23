#include "operators.h"

#include <array>
#include <string>
#include <string_view>

#include "errors.h"
#include "lib/ops/host_ops/graph_ops.h"
#include "ops.h"
#include "tensor.h"
#include "tfrt/support/str_cat.h"
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

// `check` may throw.
template <typename Check = decltype([] {})>
PyObject* Binary(const OpInfo*& op, std::string_view name, PyObject* x, PyObject* y,
                 Check check = {}) noexcept {
  if (!IsOperand(x) || !IsOperand(y)) return Py_NewRef(Py_NotImplemented);
  return Guard([&] {
    check();
    if (!op) op = &Op(name);
    // The op's own attributes, which operators leave out, follow the two inputs.
    std::array<PyObject*, 8> values = {x, y};
    return CallOp(*op, {values.data(), op->parameters.size()});
  });
}

// Calls a row of the op table that has no function in Python.
PyObject* Unary(const OpInfo*& op, std::string_view name, PyObject* x) noexcept {
  return Guard([&] {
    if (!op) {
      const OpDefinition* row = GraphOps().Find(StrCat("graph.", name));
      if (!row) RaiseTypeError("this build has no op '%s'", std::string(name).c_str());
      auto* info = new OpInfo(DescribeOp(std::string(name), *row));  // as long as the module
      info->op = row;
      op = info;
    }
    return CallOp(*op, {&x, 1});
  });
}

// The elements' type of the first operand that has one by itself, as numbers have none.
DType DTypeOfOperands(PyObject* x, PyObject* y) {
  for (PyObject* operand : {x, y}) {
    if (TensorIn(operand)) return DTypeFrom(nb::handle(operand).attr("dtype"));
    if (PyVariable* variable = VariableIn(operand)) return variable->dtype;
  }
  return DType::kUnsupported;
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
  return Binary(op, "div", x, y, [&] {
    const DType dtype = DTypeOfOperands(x, y);
    const NumberKind kind = ElementTypeOf(dtype).kind;
    if (kind == NumberKind::kSigned || kind == NumberKind::kUnsigned) {
      RaiseTypeError(
          "'/' of elements of %s: cast them to floats, as in tfrt.cast(x, 'f32') / y; tfrt.div "
          "divides integers towards 0",
          DTypeText(dtype).c_str());
    }
  });
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
  return Unary(op, "neg", x);
}

PyObject* PositiveSlot(PyObject* x) noexcept { return Py_NewRef(x); }

PyObject* AbsoluteSlot(PyObject* x) noexcept {
  static const OpInfo* op = nullptr;
  return Unary(op, "abs", x);
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
