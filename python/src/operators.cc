#include "operators.h"

#include <array>
#include <string>
#include <string_view>

#include "errors.h"
#include "lib/api/eager/tracer.h"
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

// A size that is open in a traced function is None.
PyObject* NotOperands(PyObject* x, PyObject* y) noexcept {
  const PyTensor* tensor = TensorIn(y == Py_None ? x : y);
  if ((x != Py_None && y != Py_None) || !tensor || !tensor->tensor.is_traced()) {
    return Py_NewRef(Py_NotImplemented);
  }
  PyErr_SetString(PyExc_TypeError,
                  "an operand is None; if it is an open size of x.shape, tfrt.shape_of(x) has it "
                  "as a tensor");
  return nullptr;
}

PyObject* Binary(const OpInfo*& op, std::string_view name, PyObject* x, PyObject* y) noexcept {
  if (!IsOperand(x) || !IsOperand(y)) return NotOperands(x, y);
  return Guard([&] {
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

// Throws the exception that is set, if there is no result.
PyObject* Require(PyObject* result) {
  if (!result) throw nb::python_error();
  return result;
}

// Returns the rank of a tensor whose elements the ops of matrix products take; 0 for others, and
// where it is not known yet.
size_t RankInProducts(PyObject* object) {
  const PyTensor* tensor = TensorIn(object);
  if (!tensor || !tensor->tensor.state()) return 0;
  auto takes = [](DType dtype) { return IsFloat(dtype) || DTypeSize(dtype) >= 4; };
  if (const TensorMetadata* metadata = tensor->tensor.state()->metadata()) {
    return takes(metadata->dtype) ? metadata->shape.rank() : 0;
  }
  const eager::TracedValue* value = eager::TracedValueOf(tensor->tensor);
  const bool is_known = value && value->type.shape.has_rank() && takes(value->type.dtype);
  return is_known ? value->type.shape.dims().size() : 0;
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
  return Binary(op, "standard.divide", x, y);
}
PyObject* FloorDivideSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "floor_divide", x, y);
}
PyObject* RemainderSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "mod", x, y);
}
PyObject* AndSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "bitwise_and", x, y);
}
PyObject* OrSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "bitwise_or", x, y);
}
PyObject* XorSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "bitwise_xor", x, y);
}
PyObject* ShiftLeftSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "shift_left", x, y);
}
PyObject* ShiftRightSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo* op = nullptr;
  return Binary(op, "shift_right", x, y);
}
PyObject* PowerSlot(PyObject* x, PyObject* y, PyObject* modulus) noexcept {
  static const OpInfo* op = nullptr;
  if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
  return Binary(op, "standard.pow", x, y);
}
PyObject* DivmodSlot(PyObject* x, PyObject* y) noexcept {
  if (!IsOperand(x) || !IsOperand(y)) return Py_NewRef(Py_NotImplemented);
  return Guard([&] {
    return nb::object(nb::make_tuple(nb::steal(Require(FloorDivideSlot(x, y))),
                                     nb::steal(Require(RemainderSlot(x, y)))));
  });
}

PyObject* MatMulSlot(PyObject* x, PyObject* y) noexcept {
  static const OpInfo *matrices = nullptr, *batches = nullptr;
  if (!IsOperand(x) || !IsOperand(y)) return NotOperands(x, y);
  const size_t ranks[] = {RankInProducts(x), RankInProducts(y)};
  if (ranks[0] == 2 && ranks[1] == 2) return Binary(matrices, "matmul", x, y);
  if (ranks[0] >= 2 && ranks[1] >= 2) return Binary(batches, "batch_matmul", x, y);
  return Guard([&] {
    return nb::object(
        nb::module_::import_("tfrt.arrays.products").attr("matmul")(nb::handle(x), nb::handle(y)));
  });
}

PyObject* NegativeSlot(PyObject* x) noexcept {
  static const OpInfo* op = nullptr;
  return Unary(op, "neg", x);
}

PyObject* InvertSlot(PyObject* x) noexcept {
  static const OpInfo* op = nullptr;
  return Unary(op, "bitwise_not", x);
}

PyObject* PositiveSlot(PyObject* x) noexcept {
  return Guard([&] {
    if (PyTensor* tensor = TensorIn(x)) return Wrap(tensor->tensor);
    if (PyVariable* variable = VariableIn(x)) return Wrap(ReadVariable(*variable));
    RaiseTypeError("'+' of %s that was not initialised", Py_TYPE(x)->tp_name);
  });
}

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
  if (x == Py_None || y == Py_None) return Py_NewRef(Py_NotImplemented);
  return Binary(comparison.op, comparison.name, x, y);
}

// Equality is element by element, so tensors are keys by identity.
Py_hash_t HashSlot(PyObject* x) noexcept {
  return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(x) >> 4);
}

// --- In place ---

namespace {

// Whether a result of one kind may become elements of the other one's dtype.
bool AreOfOneKind(DType a, DType b) {
  const NumberKind kinds[] = {ElementTypeOf(a).kind, ElementTypeOf(b).kind};
  auto is_float = [](NumberKind kind) {
    return kind == NumberKind::kFloat || kind == NumberKind::kBFloat;
  };
  return kinds[0] == kinds[1] || (is_float(kinds[0]) && is_float(kinds[1]));
}

bool IsKnown(const eager::Tensor& tensor) {
  return tensor.is_traced() || (tensor.state() && tensor.state()->metadata());
}

// Returns `result` in the dtype of x. Throws if it is of another kind or shape.
nb::object LikeFirst(const eager::Tensor& x, nb::object result) {
  const eager::Tensor& made = TensorIn(result)->tensor;
  if (!IsKnown(x) || !IsKnown(made)) return result;
  StatusOr<TensorShape> shape = x.shape(), made_shape = made.shape();
  if (shape.ok() && made_shape.ok() && *shape != *made_shape) {
    RaiseValueError(
        "an operator in place keeps the shape of its left side, which is %s, but the "
        "result has the shape %s",
        shape->ToString().c_str(), made_shape->ToString().c_str());
  }
  StatusOr<DType> dtype = x.dtype(), made_dtype = made.dtype();
  if (!dtype.ok() || !made_dtype.ok() || *dtype == *made_dtype) return result;
  if (!AreOfOneKind(*dtype, *made_dtype)) {
    RaiseTypeError(
        "an operator in place keeps the dtype of its left side, which is %s, but the "
        "result has elements of %s; write x = x + y, or cast one side",
        DTypeText(*dtype).c_str(), DTypeText(*made_dtype).c_str());
  }
  return nb::module_::import_("tfrt.ops").attr("cast")(result, WrapDType(*dtype));
}

// `made`: what the operator that is not in place gives.
PyObject* InPlace(PyObject* x, PyObject* made) noexcept {
  if (!made || made == Py_NotImplemented) return made;
  return Guard([&]() -> nb::object {
    nb::object result = nb::steal(made);
    if (PyTensor* tensor = TensorIn(x)) return LikeFirst(tensor->tensor, std::move(result));
    PyVariable* variable = VariableIn(x);
    nb::handle(x).attr("assign")(LikeFirst(ReadVariable(*variable), std::move(result)));
    return nb::borrow(x);
  });
}

}  // namespace

PyObject* InPlaceAddSlot(PyObject* x, PyObject* y) noexcept { return InPlace(x, AddSlot(x, y)); }
PyObject* InPlaceSubtractSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, SubtractSlot(x, y));
}
PyObject* InPlaceMultiplySlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, MultiplySlot(x, y));
}
PyObject* InPlaceDivideSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, DivideSlot(x, y));
}
PyObject* InPlaceFloorDivideSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, FloorDivideSlot(x, y));
}
PyObject* InPlaceRemainderSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, RemainderSlot(x, y));
}
PyObject* InPlaceAndSlot(PyObject* x, PyObject* y) noexcept { return InPlace(x, AndSlot(x, y)); }
PyObject* InPlaceOrSlot(PyObject* x, PyObject* y) noexcept { return InPlace(x, OrSlot(x, y)); }
PyObject* InPlaceXorSlot(PyObject* x, PyObject* y) noexcept { return InPlace(x, XorSlot(x, y)); }
PyObject* InPlaceShiftLeftSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, ShiftLeftSlot(x, y));
}
PyObject* InPlaceShiftRightSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, ShiftRightSlot(x, y));
}
PyObject* InPlaceMatMulSlot(PyObject* x, PyObject* y) noexcept {
  return InPlace(x, MatMulSlot(x, y));
}
PyObject* InPlacePowerSlot(PyObject* x, PyObject* y, PyObject* modulus) noexcept {
  return InPlace(x, PowerSlot(x, y, modulus));
}

}  // namespace tfrt::python
