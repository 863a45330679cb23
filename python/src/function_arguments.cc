#include "function_arguments.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "errors.h"
#include "lib/api/eager/tracer.h"
#include "tensor.h"
#include "tfrt/support/str_cat.h"
#include "variable.h"

namespace tfrt::python {
namespace {

using function::Argument;

// Numbers of the objects that are told apart by what they are: an address may be another object's
// later. Under the lock. Never destroyed.
struct ObjectNumbers {
  struct Numbered {
    uint64_t number;
    nb::object object;  // a weak reference, where the object's class has them
    bool is_weak;
    nb::object Get() const { return is_weak ? object() : object; }
  };
  std::unordered_map<PyObject*, Numbered> numbered;
  uint64_t last = 0;
  size_t next_sweep = 64;  // how many there are when those that are gone are dropped
};
ObjectNumbers* object_numbers = new ObjectNumbers();

// No other object has, had or will have it.
uint64_t NumberOf(nb::handle object) {
  auto& [numbered, last, next_sweep] = *object_numbers;
  if (auto found = numbered.find(object.ptr()); found != numbered.end()) {
    if (found->second.Get().is(object)) return found->second.number;
    numbered.erase(found);
  }
  if (numbered.size() >= next_sweep) {
    std::erase_if(numbered, [](const auto& each) { return each.second.Get().is_none(); });
    next_sweep = 2 * numbered.size() + 64;
  }
  nb::object weak = nb::steal(PyWeakref_NewRef(object.ptr(), nullptr));
  if (!weak.is_valid()) PyErr_Clear();
  const bool is_weak = weak.is_valid();
  numbered[object.ptr()] = {++last, is_weak ? std::move(weak) : nb::borrow(object), is_weak};
  return last;
}

bool IsSequence(PyObject* object) { return PyTuple_Check(object) || PyList_Check(object); }

void AddNumber(PyObject* object, Flat& flat) {
  if (PyBool_Check(object)) {
    flat.arguments.push_back(Argument::OfNumber(object == Py_True));
  } else if (PyFloat_CheckExact(object)) {
    flat.arguments.push_back(Argument::OfNumber(PyFloat_AS_DOUBLE(object)));
  } else {
    int overflow = 0;
    const auto value = static_cast<int64_t>(PyLong_AsLongLongAndOverflow(object, &overflow));
    if (overflow != 0)
      return flat.AddText(nb::cast<std::string>(nb::repr(object)), Argument::kOther);
    flat.arguments.push_back(Argument::OfNumber(value));
  }
  flat.arguments.back().is_plain = true;
}

// Lists that are in themselves end as Python ends such recursions.
class RecursiveCall {
 public:
  RecursiveCall() {
    if (Py_EnterRecursiveCall(" in the arguments of a function") != 0) throw nb::python_error();
  }
  ~RecursiveCall() { Py_LeaveRecursiveCall(); }
  RecursiveCall(const RecursiveCall&) = delete;
  RecursiveCall& operator=(const RecursiveCall&) = delete;
};

// The containers that tfrt/_rewrite/containers.py knows. Under the lock.
struct Containers {
  nb::object registered, take_apart, build_sequence;
};
Containers* known_containers = nullptr;

const Containers& KnownContainers() {
  if (!known_containers) {
    nb::module_ module = nb::module_::import_("tfrt._rewrite.containers");
    Containers containers = {module.attr("_CONTAINERS"), module.attr("take_argument_apart"),
                             module.attr("build_sequence")};
    // The import may have let another thread do the same.
    if (!known_containers) known_containers = new Containers(std::move(containers));
  }
  return *known_containers;
}

// (parts, rest, what makes such an object of other parts); None for what is no container. Throws
// for a container that cannot be taken apart and holds tensors.
nb::object TakeApart(nb::handle object) {
  PyTypeObject* type = Py_TYPE(object.ptr());
  const Containers& containers = KnownContainers();
  const bool may_be_container =
      PyDict_Contains(containers.registered.ptr(), object.type().ptr()) == 1 || type->tp_iter ||
      nb::hasattr(object.type(), "__dataclass_fields__");
  return may_be_container ? containers.take_apart(object) : nb::none();
}

// "list", or "Pair number 3": other classes have other traces.
std::string ClassOf(nb::handle object) {
  PyTypeObject* type = Py_TYPE(object.ptr());
  if (type == &PyTuple_Type || type == &PyList_Type) return type->tp_name;
  return StrCat(type->tp_name, " number ", NumberOf(object.type()));
}

// A value that is fixed in a trace.
bool IsPlain(PyObject* object) {
  return PyBool_Check(object) || PyLong_CheckExact(object) || PyFloat_CheckExact(object) ||
         PyUnicode_Check(object) || PyRange_Check(object) || object == Py_None;
}

// It would advance while the function is traced, and stand still when the program runs.
void RaiseIfIterator(nb::handle object) {
  if (!PyIter_Check(object.ptr()) || !eager::CurrentTracer()) return;
  RaiseTypeError(
      "a %s among the arguments would advance while the function is traced, and not when its "
      "program runs; give tfrt.for_each a function that returns the next row, or pass a list or a "
      "tensor",
      Py_TYPE(object.ptr())->tp_name);
}

template <typename T>
const T& Next(std::span<const T>& rest) {
  const T& first = rest.front();
  rest = rest.subspan(1);
  return first;
}

}  // namespace

void Flat::AddText(std::string text, Argument::Tag tag) {
  texts.push_front(std::move(text));
  arguments.push_back(Argument::OfText(texts.front(), tag));
}

void Flatten(nb::handle object, Flat& flat) {
  RecursiveCall call;
  PyObject* pointer = object.ptr();
  if (PyTensor* tensor = TensorIn(object)) {
    flat.arguments.push_back(
        Argument::Of(eager::TensorArgument(TensorOfThisProcess(*tensor, Location()))));
  } else if (PyVariable* variable = VariableIn(object)) {
    RaiseIfError(variable->context->Check());
    flat.arguments.push_back(Argument::Of(variable->variable));
  } else if (PyBool_Check(pointer) || PyLong_CheckExact(pointer) || PyFloat_CheckExact(pointer)) {
    AddNumber(pointer, flat);
  } else if (PyUnicode_Check(pointer)) {
    flat.AddText(nb::cast<std::string>(nb::str(object)), Argument::kText);
  } else if (object.is_none() || PyRange_Check(pointer)) {
    flat.AddText(nb::cast<std::string>(nb::repr(object)), Argument::kOther);
  } else if (IsSequence(pointer)) {
    nb::tuple items(object);
    flat.contents.push_back(items);
    flat.AddText(StrCat(ClassOf(object), " of ", nb::len(items)), Argument::kOther);
    for (nb::handle item : items) Flatten(item, flat);
  } else if (PyDict_CheckExact(pointer)) {
    nb::dict items = nb::steal<nb::dict>(PyDict_Copy(pointer));
    if (!items.is_valid()) throw nb::python_error();
    flat.contents.push_back(items);
    flat.AddText(StrCat("dict of ", nb::cast<std::string>(nb::repr(items.attr("keys")()))),
                 Argument::kOther);
    for (auto [key, value] : items) Flatten(value, flat);
  } else if (nb::isinstance<PySpec>(object)) {
    flat.arguments.push_back(Argument::Of(nb::inst_ptr<PySpec>(object)->spec));
  } else if (auto array = ArrayFrom(object, std::nullopt, {}, Sharing::kCopy)) {
    RaiseIfError(array->tensor().status());
    flat.arguments.push_back(Argument::Of(eager::TensorArgument(*std::move(array))));
  } else if (nb::hasattr(object.type(), "__dlpack__")) {
    // Copied, as buffers are.
    flat.arguments.push_back(Argument::Of(eager::TensorArgument(CopyOfDlpack(object))));
  } else {
    nb::object apart = TakeApart(object);
    flat.contents.push_back(apart);
    if (apart.is_none()) {
      // Any other object is what it is: another one has another trace.
      flat.AddText(StrCat(Py_TYPE(pointer)->tp_name, " number ", NumberOf(object)),
                   Argument::kOther);
      return;
    }
    flat.AddText(StrCat(ClassOf(object), " of ", nb::len(nb::object(apart[0]))), Argument::kOther);
    for (nb::handle part : nb::object(apart[0])) Flatten(part, flat);
    Flatten(nb::object(apart[1]), flat);
  }
}

nb::object Rebuilder::Rebuild(nb::handle object) {
  const Argument& argument = Next(arguments);
  if (argument.kind == Argument::Kind::kTensor || argument.kind == Argument::Kind::kSpec) {
    tensors.push_back(keeps_tensors ? nb::borrow(object) : Wrap(argument.AsTensor(where)));
    return tensors.back();
  }
  if (argument.kind == Argument::Kind::kVariable) {
    // That of the trace, which stands for those of later calls.
    const PyVariable& given = *VariableIn(object);
    return nb::cast(PyVariable{given.context, *argument.variable, given.dtype});
  }
  if (IsSequence(object.ptr())) {
    nb::list items;
    for (nb::handle item : nb::borrow<nb::tuple>(Next(contents))) items.append(Rebuild(item));
    return KnownContainers().build_sequence(object, items);
  }
  if (PyDict_CheckExact(object.ptr())) {
    nb::dict items;
    for (auto [key, value] : nb::borrow<nb::dict>(Next(contents))) items[key] = Rebuild(value);
    return items;
  }
  if (IsPlain(object.ptr())) return nb::borrow(object);
  if (const nb::object& apart = Next(contents); !apart.is_none()) {
    nb::list parts;
    for (nb::handle part : nb::object(apart[0])) parts.append(Rebuild(part));
    Rebuild(nb::object(apart[1]));
    return nb::object(apart[2])(parts);
  }
  RaiseIfIterator(object);
  return nb::borrow(object);
}

void ForgetObjectsOfArguments() {
  auto numbered = std::exchange(object_numbers->numbered, {});
  delete std::exchange(known_containers, nullptr);
}

}  // namespace tfrt::python
