#include "ops.h"

#include <nanobind/stl/string.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "errors.h"
#include "lib/api/eager/array_functions.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "promotion.h"

namespace tfrt::python {

namespace {

const char* TypeText(OpAttrSpec::Kind kind) {
  switch (kind) {
    case OpAttrSpec::Kind::kBool:
      return "bool";
    case OpAttrSpec::Kind::kI32:
    case OpAttrSpec::Kind::kI64:
      return "int";
    case OpAttrSpec::Kind::kF32:
      return "float";
    case OpAttrSpec::Kind::kString:
      return "str";
    case OpAttrSpec::Kind::kType:
      return "DTypeLike";
    case OpAttrSpec::Kind::kShape:
      return "Sequence[int | None] | None";
    case OpAttrSpec::Kind::kDense:
      return "TensorLike";
    case OpAttrSpec::Kind::kI64Array:
      return "Sequence[int]";
    case OpAttrSpec::Kind::kF32Array:
      return "Sequence[float]";
    case OpAttrSpec::Kind::kStringArray:
      return "Sequence[str]";
    default:
      return "object";
  }
}

nb::dict DescribeParameter(const OpParameter& parameter) {
  nb::dict result;
  result["name"] = nb::str(parameter.name.c_str());
  result["required"] = parameter.is_required;
  if (parameter.attr) {
    result["type"] = TypeText(parameter.attr->kind);
    const std::string_view text = parameter.attr->default_value;
    result["default"] = nb::str(text.data(), text.size());
  } else {
    result["type"] = parameter.kind == OpParameter::Kind::kVariadicInput ? "Sequence[TensorLike]"
                     : parameter.is_required                             ? "TensorLike"
                                                                         : "TensorLike | None";
    result["default"] = "None";
  }
  return result;
}

// --- The callable ---

struct OpObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  OpInfo* info;
};

std::string Signature(const OpInfo& info) {
  std::string names;
  for (const OpParameter& parameter : info.parameters) {
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  return info.name + "(" + names + ")";
}

size_t FindParameter(const OpInfo& info, PyObject* name) {
  for (size_t i = 0; i < info.parameters.size(); ++i) {
    if (info.parameters[i].python_name == name) return i;
  }
  for (size_t i = 0; i < info.parameters.size(); ++i) {
    if (PyUnicode_Compare(info.parameters[i].python_name, name) == 0) return i;
  }
  PyErr_Clear();
  RaiseTypeError("%s has no parameter %R; it is called as %s", info.name.c_str(), name,
                 Signature(info).c_str());
}

nb::object CallWith(const OpInfo& info, PyObject* const* args, size_t num_args,
                    PyObject* keywords) {
  constexpr size_t kMaxParameters = 24;
  std::array<PyObject*, kMaxParameters> values = {};
  if (num_args > info.num_positional) {
    RaiseTypeError("%s takes %zu positional arguments, but got %zu; it is called as %s",
                   info.name.c_str(), info.num_positional, num_args, Signature(info).c_str());
  }
  std::copy(args, args + num_args, values.begin());
  const Py_ssize_t num_keywords = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t i = 0; i < num_keywords; ++i) {
    const size_t index = FindParameter(info, PyTuple_GET_ITEM(keywords, i));
    if (values[index]) {
      RaiseTypeError("%s got %s twice", info.name.c_str(), info.parameters[index].name.c_str());
    }
    PyObject* value = args[num_args + static_cast<size_t>(i)];
    // Attributes with their defaults are those that calls without attributes share.
    if (value != info.parameters[index].default_truth) values[index] = value;
  }
  for (size_t i = num_args; i < info.num_positional; ++i) {
    if (!values[i] && info.parameters[i].is_required) {
      RaiseTypeError("%s needs %s; it is called as %s", info.name.c_str(),
                     info.parameters[i].name.c_str(), Signature(info).c_str());
    }
  }
  return CallOp(info, {values.data(), info.parameters.size()});
}

PyObject* Vectorcall(PyObject* self, PyObject* const* args, size_t flags, PyObject* keywords) {
  return Guard([&] {
    return CallWith(*reinterpret_cast<OpObject*>(self)->info, args,
                    static_cast<size_t>(PyVectorcall_NARGS(flags)), keywords);
  });
}

const OpInfo& InfoOf(PyObject* self) { return *reinterpret_cast<OpObject*>(self)->info; }

PyObject* GetName(PyObject* self, void*) { return PyUnicode_FromString(InfoOf(self).name.c_str()); }
PyObject* GetDoc(PyObject* self, void*) { return PyUnicode_FromString(InfoOf(self).doc.c_str()); }
PyObject* GetOpName(PyObject* self, void*) {
  const OpInfo& info = InfoOf(self);
  return info.op ? PyUnicode_FromStringAndSize(info.op->name.data(),
                                               static_cast<Py_ssize_t>(info.op->name.size()))
                 : PyUnicode_FromString(info.own_name.c_str());
}
PyObject* GetResults(PyObject* self, void*) { return PyLong_FromSize_t(InfoOf(self).num_results); }
PyObject* GetPositional(PyObject* self, void*) {
  return PyLong_FromSize_t(InfoOf(self).num_positional);
}
PyObject* GetParameters(PyObject* self, void*) {
  return Guard([&]() -> nb::object {
    nb::list list;
    for (const OpParameter& parameter : InfoOf(self).parameters)
      list.append(DescribeParameter(parameter));
    return list;
  });
}
PyObject* GetSignature(PyObject* self, void*) {
  return Guard([&]() -> nb::object {
    return nb::module_::import_("tfrt._signatures").attr("signature_of")(nb::handle(self));
  });
}
PyObject* Repr(PyObject* self) {
  return PyUnicode_FromFormat("<op tfrt.%s>", InfoOf(self).name.c_str());
}
PyObject* ReduceToName(PyObject* self, PyObject*) { return GetName(self, nullptr); }

void Dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<OpObject*>(self)->info;
  type->tp_free(self);
  Py_DECREF(type);
}

PyMemberDef op_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, vectorcall), READONLY, nullptr},
    {nullptr}};
PyGetSetDef op_getset[] = {{"__name__", GetName},
                           {"__qualname__", GetName},
                           {"__doc__", GetDoc},
                           {"__signature__", GetSignature},
                           {"op_name", GetOpName},
                           {"_parameters", GetParameters},
                           {"_num_results", GetResults},
                           {"_num_positional", GetPositional},
                           {nullptr}};
PyMethodDef op_methods[] = {{"__reduce__", ReduceToName, METH_NOARGS, nullptr}, {nullptr}};
PyType_Slot op_slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&Dealloc)},
                          {Py_tp_repr, reinterpret_cast<void*>(&Repr)},
                          {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                          {Py_tp_members, op_members},
                          {Py_tp_getset, op_getset},
                          {Py_tp_methods, op_methods},
                          {0, nullptr}};
PyType_Spec op_spec = {
    "tfrt.ops.Op", sizeof(OpObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, op_slots};
PyTypeObject* op_type = nullptr;

// By name in Python; the objects are those of the module, for good.
std::map<std::string, const OpInfo*, std::less<>>* infos =
    new std::map<std::string, const OpInfo*, std::less<>>();

// The op with the meaning that the array API standard gives a row. For good, as operators find it.
nb::object MakeStandardOp(const eager::ArrayFunction& function) {
  const std::string name(function.name);
  OpInfo info = DescribeOp(name, eager::HostOp(function.op));
  info.op = &eager::HostOp(function.op);
  info.doc = std::string(function.summary);
  SetPromotion(eager::PromotionOf(function.rule), info);
  nb::object object = MakeOpObject(std::move(info));
  (*infos)["standard." + name] = reinterpret_cast<OpObject*>(object.ptr())->info;
  object.inc_ref();
  return object;
}

bool HasFunction(const OpDefinition& op) {
  if (!op.function || op.name.starts_with("tfrt_test.")) return false;
  // Another spelling of the row has an argument instead of an attribute.
  if (op.spelling && !op.spelling->folded_argument.empty()) return false;
  return std::ranges::none_of(op.attrs, [](const OpAttrSpec& attr) {
    return attr.kind == OpAttrSpec::Kind::kAny || attr.kind == OpAttrSpec::Kind::kFunction;
  });
}

}  // namespace

nb::object MakeOpObject(OpInfo info) {
  PyObject* object = op_type->tp_alloc(op_type, 0);
  if (!object) throw nb::python_error();
  reinterpret_cast<OpObject*>(object)->vectorcall = &Vectorcall;
  reinterpret_cast<OpObject*>(object)->info = new OpInfo(std::move(info));
  return nb::steal(object);
}

const OpInfo* FindOpInfo(std::string_view name) {
  auto found = infos->find(name);
  return found == infos->end() ? nullptr : found->second;
}

const OpInfo* OpInfoOf(nb::handle object) {
  return object.type().is(nb::handle(reinterpret_cast<PyObject*>(op_type)))
             ? reinterpret_cast<OpObject*>(object.ptr())->info
             : nullptr;
}

void BindOps(nb::module_& module) {
  op_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&op_spec));
  if (!op_type) throw nb::python_error();
  module.attr("_Op") = nb::handle(reinterpret_cast<PyObject*>(op_type));
  static const OpRegistry* const registry = [] {
    auto* ops = new OpRegistry();
    RegisterCpuOps(ops);
    return ops;
  }();
  const nb::object is_keyword = nb::module_::import_("keyword").attr("iskeyword");
  nb::dict ops;
  for (const OpDefinition& op : registry->ops()) {
    if (!HasFunction(op)) continue;
    // Under the name that the op table has for all its spellings.
    std::string name(op.description->name);
    if (nb::cast<bool>(is_keyword(name))) name += '_';
    // To a program that runs it is the same as identity.
    if (FindOpSpelling(op.name)->stops_gradients) name = "stop_gradient";
    // The registry of contexts has the same ops; theirs are called.
    OpInfo info = DescribeOp(name, eager::HostOp(op.name));
    info.op = &eager::HostOp(op.name);
    nb::object object = MakeOpObject(std::move(info));
    (*infos)[name] = reinterpret_cast<OpObject*>(object.ptr())->info;
    // For good, as calls of operators find their infos.
    object.inc_ref();
    ops[nb::str(name.c_str())] = object;
  }
  module.attr("_ops") = ops;
  // Under the standard's names: the ops, or others where it means something else.
  nb::dict standard;
  for (const eager::ArrayFunction& function : eager::ArrayFunctions()) {
    const std::string_view row = eager::HostOp(function.op).description->name;
    const nb::str name(function.name.data(), function.name.size());
    standard[name] = function.rule == eager::PromotionRule::kNone
                         ? nb::object(ops[nb::str(row.data(), row.size())])
                         : MakeStandardOp(function);
  }
  module.attr("_standard_ops") = standard;
}

}  // namespace tfrt::python
