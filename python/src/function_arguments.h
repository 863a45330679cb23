// Arguments of traced functions: from Python to those of the runtime, and back with other tensors.
#ifndef TFRT_PYTHON_FUNCTION_ARGUMENTS_H_
#define TFRT_PYTHON_FUNCTION_ARGUMENTS_H_

#include <nanobind/nanobind.h>

#include <forward_list>
#include <span>
#include <string>
#include <vector>

#include "tfrt/function/function.h"
#include "tfrt/support/location.h"

namespace tfrt::python {

namespace nb = nanobind;

// tfrt.TensorSpec.
struct PySpec {
  function::TensorSpec spec;
};

// The arguments of one call, and what they borrow.
struct Flat {
  std::vector<function::Argument> arguments;
  // The contents of lists, tuples and dicts, in order: other code may change these meanwhile.
  std::vector<nb::object> contents;
  std::forward_list<std::string> texts;

  void AddText(std::string text, function::Argument::Tag tag);
};

// Adds the object, and what is in it if it is a list, a tuple or a dict. With the lock; throws.
void Flatten(nb::handle object, Flat& flat);

// Makes an object again that was flattened, with the tensors of `arguments`, such as those of a
// trace, in place of its own.
struct Rebuilder {
  std::span<const function::Argument> arguments;
  std::span<const nb::object> contents;  // as in Flat
  Location where;

  // Whether the objects stay the tensors that they were.
  bool keeps_tensors = false;
  // One for each tensor among the arguments, in order.
  std::vector<nb::object> tensors = {};

  nb::object Rebuild(nb::handle object);
};

// Drops what is kept of Python to take arguments apart and to tell objects apart. To be called when
// the interpreter ends.
void ForgetObjectsOfArguments();

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_FUNCTION_ARGUMENTS_H_
