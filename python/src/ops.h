// The ops as callables of Python, made of the op table.
#ifndef TFRT_PYTHON_OPS_H_
#define TFRT_PYTHON_OPS_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/api/eager/promotion.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/eager/context.h"

namespace tfrt::python {

namespace nb = nanobind;

// One parameter of the callable: inputs first, then attributes that must be given, then the others,
// which are given by keyword.
struct OpParameter {
  enum class Kind : uint8_t { kInput, kOptionalInput, kVariadicInput, kAttr };
  std::string name;
  Kind kind = Kind::kInput;
  bool is_required = true;
  // Numbers given for it are indices, sizes or axes, whatever the elements of other inputs.
  bool is_index = false;
  // Its elements meet those of the other inputs in one dtype (lib/api/eager/promotion.h).
  bool promotes = false;
  const OpAttrSpec* attr = nullptr;
  PyObject* python_name = nullptr;  // interned
  // The default of an attribute that is a truth value; null for others.
  PyObject* default_truth = nullptr;
};

struct OpInfo {
  std::string name;                  // as Python has it: "matmul"
  const OpDefinition* op = nullptr;  // null: of the program's own, to be found in the context
  std::string own_name;              // of such an op
  std::string doc;
  std::vector<OpParameter> parameters;
  size_t num_inputs = 0;
  size_t num_positional = 0;
  size_t num_results = 1;
  OpAttrsRef defaults;  // of all attributes, frozen; not used if one must be given
  bool has_required_attrs = false;
  bool is_pure = true;
  eager::Promotion promotion;
  // For a custom op: registers it in a context that does not have it.
  std::shared_ptr<void> own;
  Status (*register_in)(const OpInfo& info, eager::Context& context) = nullptr;
};

// Fills parameters, docs and so on from the definition.
OpInfo DescribeOp(std::string name, const OpDefinition& op);
// The callable; takes the info over.
nb::object MakeOpObject(OpInfo info);

// Calls the op with its parameters' values, null where one is left out. Sets and throws errors.
nb::object CallOp(const OpInfo& info, std::span<PyObject* const> values);
constexpr size_t kMostIndices = 8;
// Returns an array of up to kMostIndices axes, sizes or places, of i32; of no dimensions if
// `is_scalar`, which is for one of them. It may be kept and shared. Empty if one needs more bits.
// With the lock.
std::optional<eager::HostArray> IndicesOf(std::span<const int64_t> numbers, bool is_scalar = false);
// Drops those that are kept. At the end of the process.
void DropIndices();

// Calls an op of one result in the scope of the caller, on arguments of which its row takes the
// dtypes. `num_elements`: of the largest one.
nb::object CallOn(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                  const OpAttrsRef& attrs, int64_t num_elements);
// By the name in Python: null if there is none. As long as the module.
const OpInfo* FindOpInfo(std::string_view name);
// Returns the info of a callable of MakeOpObject, as long as that; null for other objects.
const OpInfo* OpInfoOf(nb::handle object);

void BindOps(nb::module_& module);

}  // namespace tfrt::python

#endif  // TFRT_PYTHON_OPS_H_
