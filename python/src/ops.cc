#include "ops.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "context.h"
#include "errors.h"
#include "interrupts.h"
#include "lib/api/eager/tracer.h"
#include "lib/ops/op_call/op_defaults.h"
#include "locations.h"
#include "promotion.h"
#include "tensor.h"
#include "variable.h"

namespace tfrt::python {
namespace {

// An op on more elements may take so long that other threads should have the lock.
constexpr int64_t kShortElements = 2048;

// The arguments of one call. Most have few.
class Arguments {
 public:
  template <typename T>
  void Add(T&& argument) {
    if (size_ == few_.size()) {
      many_.assign(std::make_move_iterator(few_.begin()), std::make_move_iterator(few_.end()));
    }
    if (size_ < few_.size()) {
      few_[size_] = eager::TensorArgument(std::forward<T>(argument));
    } else {
      many_.emplace_back(std::forward<T>(argument));
    }
    ++size_;
  }
  // The dtype of an input that promotes, kUnsupported if it is unknown yet.
  void SeeDType(DType dtype) {
    is_mixed_ = is_mixed_ || dtype == DType::kUnsupported || (has_dtype_ && dtype != dtype_);
    dtype_ = dtype;
    has_dtype_ = true;
  }
  bool AreDirect(uint64_t dtypes) const {
    return !is_mixed_ && (!has_dtype_ || (dtypes >> static_cast<int>(dtype_) & 1) != 0);
  }
  void CountElements(int64_t elements) { is_short_ = is_short_ && elements <= kShortElements; }
  void SetLong() { is_short_ = false; }
  bool is_short() const { return is_short_; }
  std::span<eager::TensorArgument> span() {
    if (size_ <= few_.size()) return {few_.data(), size_};
    return many_;
  }

 private:
  std::array<eager::TensorArgument, 4> few_;
  std::vector<eager::TensorArgument> many_;
  size_t size_ = 0;
  bool is_short_ = true;
  DType dtype_ = DType::kUnsupported;
  bool has_dtype_ = false, is_mixed_ = false;
};

// Returns the metadata that is known without waiting.
const TensorMetadata* MetadataOf(const eager::Tensor& tensor) {
  return tensor.state() ? tensor.state()->metadata() : nullptr;
}

DType KnownDType(const eager::Tensor& tensor, const TensorMetadata* metadata) {
  if (metadata) [[likely]]
    return metadata->dtype;
  const eager::TracedValue* value = eager::TracedValueOf(tensor);
  return value ? value->type.dtype : DType::kUnsupported;
}

void AddTensor(const OpParameter& parameter, const PyTensor& tensor, Location where,
               Arguments& arguments) {
  if (tensor.fork != fork_generation()) [[unlikely]] {
    if (parameter.promotes) arguments.SeeDType(DType::kUnsupported);
    return arguments.Add(TensorOfThisProcess(tensor, where));
  }
  const TensorMetadata* metadata = MetadataOf(tensor.tensor);
  if (parameter.promotes) arguments.SeeDType(KnownDType(tensor.tensor, metadata));
  if (metadata && tensor.tensor.IsAvailable() && tensor.tensor.state()->device() == 0) {
    arguments.CountElements(metadata->shape.num_elements());
  } else {
    arguments.SetLong();
  }
  // A reference of its own: while the call has given the lock away, or converts another argument,
  // item assignment may change what the object holds.
  arguments.Add(eager::Tensor(tensor.tensor));
}

NumberTypes OfTensor(DType dtype) {
  return {.integer = dtype, .real = dtype, .are_of_tensor = true};
}

// Returns the types for the numbers among a call's inputs: they become elements of the first
// tensor's type. If some inputs meet in one dtype, that is the first of these.
NumberTypes TypesOf(const OpInfo& info, std::span<PyObject* const> values) {
  const bool are_some = info.promotion.rule != eager::PromotionRule::kNone;
  for (size_t i = 0; i < info.num_inputs; ++i) {
    if (!values[i] || (are_some && !info.parameters[i].promotes)) continue;
    const TensorMetadata* metadata = nullptr;
    if (PyTensor* tensor = TensorIn(values[i])) {
      metadata = MetadataOf(tensor->tensor);
      if (tensor->tensor.is_traced()) {
        const DType dtype = ValueOf(tensor->tensor.dtype());
        return OfTensor(dtype);
      }
    } else if (std::optional<DType> dtype = BufferDType(values[i])) {
      return OfTensor(*dtype);
    } else if (PyVariable* variable = VariableIn(values[i])) {
      return OfTensor(variable->dtype);
    }
    if (metadata) return OfTensor(metadata->dtype);
  }
  return {};
}

// Returns the array of an axis, a size or a short list of them, as most calls have it; empty for
// what else an index may be, and for numbers beyond 32 bits.
std::optional<eager::HostArray> ShortIndices(PyObject* value) {
  std::array<int64_t, kMostIndices> numbers;
  const bool is_list = PyList_CheckExact(value) || PyTuple_CheckExact(value);
  const auto count = static_cast<size_t>(is_list ? Py_SIZE(value) : 1);
  if (count > numbers.size()) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    PyObject* item = is_list ? PySequence_Fast_ITEMS(value)[i] : value;
    if (!PyLong_CheckExact(item)) return std::nullopt;
    int overflow = 0;
    numbers[i] = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow != 0) return std::nullopt;
  }
  return IndicesOf(std::span(numbers.data(), count), !is_list);
}

void AddInput(const OpInfo& info, const OpParameter& parameter, PyObject* value,
              std::span<PyObject* const> values, Location where, Arguments& arguments) {
  if (PyTensor* tensor = TensorIn(value)) return AddTensor(parameter, *tensor, where, arguments);
  if (PyVariable* variable = VariableIn(value)) {
    if (parameter.promotes) arguments.SeeDType(variable->dtype);
    arguments.SetLong();
    return arguments.Add(ReadVariable(*variable));
  }
  if (parameter.is_index && !parameter.promotes) {
    if (auto indices = ShortIndices(value)) return arguments.Add(*std::move(indices));
  }
  NumberTypes types = parameter.is_index ? NumberTypes() : TypesOf(info, values);
  types.scalars_have_dtypes = parameter.promotes;
  // No numbers are floats, but no axes and the sizes of a scalar are integers.
  const bool is_no_index =
      parameter.is_index && (PyList_Check(value) || PyTuple_Check(value)) && Py_SIZE(value) == 0;
  std::optional<DType> dtype = is_no_index ? std::optional(DType::kI32) : std::nullopt;
  std::optional<eager::HostArray> array = ArrayFrom(value, dtype, types, Sharing::kCopy);
  if (!array && nb::hasattr(value, "__dlpack__")) {
    array = CopyOfDlpack(value);
  }
  if (!array) {
    RaiseTypeError("%s: argument %s is a tensor, an array, a number or a list of numbers, not %s",
                   info.name.c_str(), parameter.name.c_str(), Py_TYPE(value)->tp_name);
  }
  if (array->tensor().ok()) {
    arguments.CountElements(array->tensor()->num_elements());
    if (parameter.promotes) arguments.SeeDType(array->tensor()->dtype());
  }
  arguments.Add(*std::move(array));
}

void AddInputs(const OpInfo& info, std::span<PyObject* const> values, Location where,
               Arguments& arguments) {
  for (size_t i = 0; i < info.num_inputs; ++i) {
    const OpParameter& parameter = info.parameters[i];
    PyObject* value = values[i];
    if (parameter.kind == OpParameter::Kind::kVariadicInput) {
      if (!value) continue;
      nb::object items = nb::steal(PySequence_Tuple(value));
      if (!items.is_valid() || TensorIn(value)) {
        PyErr_Clear();
        RaiseTypeError("%s: argument %s is a list of tensors, not %s", info.name.c_str(),
                       parameter.name.c_str(), Py_TYPE(value)->tp_name);
      }
      constexpr Py_ssize_t kFew = 16;
      if (PyTuple_GET_SIZE(items.ptr()) > kFew) arguments.SetLong();
      // Numbers among them take the type of the first tensor in the list.
      std::vector<PyObject*> list(static_cast<size_t>(PyTuple_GET_SIZE(items.ptr())));
      for (size_t j = 0; j < list.size(); ++j) {
        list[j] = PyTuple_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(j));
      }
      std::optional<OpInfo> list_info;  // for those that are no tensors
      for (PyObject* item : list) {
        if (PyTensor* tensor = TensorIn(item)) {
          AddTensor(parameter, *tensor, where, arguments);
          continue;
        }
        if (!list_info) {
          list_info.emplace();
          list_info->name = info.name;
          list_info->num_inputs = list.size();
        }
        AddInput(*list_info, parameter, item, list, where, arguments);
      }
    } else if (value && (value != Py_None || parameter.is_required)) {
      AddInput(info, parameter, value, values, where, arguments);
    } else {
      arguments.Add(eager::TensorArgument());
    }
  }
}

// --- Attributes ---

template <typename T, typename Convert>
std::vector<T> ReadList(nb::handle value, const char* what, Convert convert) {
  nb::object items = nb::steal(PySequence_Tuple(value.ptr()));
  if (!items.is_valid() || PyUnicode_Check(value.ptr())) {
    PyErr_Clear();
    RaiseTypeError("attribute %s is a list, not %s", what, Py_TYPE(value.ptr())->tp_name);
  }
  std::vector<T> list;
  for (nb::handle item : items) list.push_back(convert(item));
  return list;
}

int64_t IntegerOf(nb::handle value, const char* what) {
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  int overflow = 0;
  long long number = index.is_valid() ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : 0;
  if (!index.is_valid() || overflow != 0) {
    PyErr_Clear();
    RaiseTypeError("attribute %s is an int of 64 bits, not %R", what, value.ptr());
  }
  return number;
}

double RealOf(nb::handle value, const char* what) {
  double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    RaiseTypeError("attribute %s is a float, not %R", what, value.ptr());
  }
  return number;
}

std::string_view TextOf(nb::handle value, const char* what) {
  Py_ssize_t size = 0;
  const char* text =
      PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
  if (!text) {
    PyErr_Clear();
    RaiseTypeError("attribute %s is a str, not %R", what, value.ptr());
  }
  return {text, static_cast<size_t>(size)};
}

void SetShape(const OpAttrSpec& spec, nb::handle value, const char* what, OpAttrs& attrs) {
  if (value.is_none()) {
    attrs.SetUnrankedShape(spec.name);
    return;
  }
  attrs.SetShape(spec.name, ReadList<int64_t>(value, what, [&](nb::handle item) {
                   return item.is_none() ? -1 : IntegerOf(item, what);
                 }));
}

void SetTexts(const OpAttrSpec& spec, nb::handle value, const char* what, OpAttrs& attrs) {
  // Copies: a generator's texts live no longer than the list that is made of them.
  const auto texts = ReadList<std::string>(
      value, what, [&](nb::handle item) { return std::string(TextOf(item, what)); });
  attrs.SetStringArray(spec.name, std::vector<std::string_view>(texts.begin(), texts.end()));
}

void SetDense(const OpAttrSpec& spec, nb::handle value, const char* what, OpAttrs& attrs) {
  eager::HostArray array = RequireArray(value, std::nullopt, {}, Sharing::kBorrow, what);
  const DenseHostTensor& dense = *array.tensor();
  ShapeDims sizes = dense.shape().dims();
  std::vector<int64_t> dims(sizes.begin(), sizes.end());
  attrs.SetDense(spec.name, dense.dtype(), dims,
                 {static_cast<const uint8_t*>(dense.data()), dense.size_bytes()});
}

void SetAttr(const OpInfo& info, const OpAttrSpec& spec, nb::handle value, OpAttrs& attrs) {
  const std::string text = info.name + "." + std::string(spec.name);
  const char* what = text.c_str();
  auto integer = [&](nb::handle item) { return IntegerOf(item, what); };
  switch (spec.kind) {
    case OpAttrSpec::Kind::kBool: {
      const int truth = PyBool_Check(value.ptr()) ? value.ptr() == Py_True : -1;
      if (truth < 0) RaiseTypeError("attribute %s is True or False, not %R", what, value.ptr());
      attrs.Set(spec.name, truth == 1);
      return;
    }
    case OpAttrSpec::Kind::kI32: {
      const int64_t number = integer(value);
      if (number < INT32_MIN || number > INT32_MAX) {
        RaiseValueError("attribute %s is an int of 32 bits, not %R", what, value.ptr());
      }
      attrs.Set(spec.name, static_cast<int32_t>(number));
      return;
    }
    case OpAttrSpec::Kind::kI64:
      attrs.Set(spec.name, integer(value));
      return;
    case OpAttrSpec::Kind::kF32:
      attrs.Set(spec.name, static_cast<float>(RealOf(value, what)));
      return;
    case OpAttrSpec::Kind::kString:
      attrs.SetString(spec.name, TextOf(value, what));
      return;
    case OpAttrSpec::Kind::kType:
      attrs.SetType(spec.name, DTypeFrom(value));
      return;
    case OpAttrSpec::Kind::kShape:
      return SetShape(spec, value, what, attrs);
    case OpAttrSpec::Kind::kDense:
      return SetDense(spec, value, what, attrs);
    case OpAttrSpec::Kind::kI64Array:
      attrs.SetArray(spec.name, std::span<const int64_t>(ReadList<int64_t>(value, what, integer)));
      return;
    case OpAttrSpec::Kind::kF32Array:
      attrs.SetArray(spec.name,
                     std::span<const float>(ReadList<float>(value, what, [&](nb::handle item) {
                       return static_cast<float>(RealOf(item, what));
                     })));
      return;
    case OpAttrSpec::Kind::kStringArray:
      return SetTexts(spec, value, what, attrs);
    case OpAttrSpec::Kind::kAny:
    case OpAttrSpec::Kind::kFunction:
      RaiseTypeError("attribute %s cannot be given in Python", what);
  }
}

// The attributes that are given and, of those that are not, the defaults.
bool HasAttrs(const OpInfo& info, std::span<PyObject* const> values) {
  return std::ranges::any_of(values.subspan(info.num_inputs),
                             [](PyObject* value) { return value; });
}
void SetAttrs(const OpInfo& info, std::span<PyObject* const> values, OpAttrs& attrs) {
  for (size_t i = info.num_inputs; i < values.size(); ++i) {
    const OpAttrSpec& spec = *info.parameters[i].attr;
    if (values[i]) {
      SetAttr(info, spec, values[i], attrs);
    } else {
      RaiseIfError(SetDefault(spec, attrs));
    }
  }
}

const OpDefinition& FindOwnOp(const OpInfo& info, eager::Context& context) {
  if (const OpDefinition* op = context.FindOp(info.own_name)) return *op;
  RaiseIfError(info.register_in(info, context));
  return *context.FindOp(info.own_name);
}

}  // namespace

namespace {

// An array of indices that was made before: most programs ask for the same few.
struct KeptIndices {
  std::array<int32_t, kMostIndices> numbers;
  size_t count;
  bool is_scalar;
  std::optional<eager::HostArray> array;
};

std::array<KeptIndices, 256>& kept_indices() {
  static auto* const kept = new std::array<KeptIndices, 256>();
  return *kept;
}

}  // namespace

std::optional<eager::HostArray> IndicesOf(std::span<const int64_t> numbers, bool is_scalar) {
  std::array<int32_t, kMostIndices> narrow;
  uint32_t hash = is_scalar ? 17 : static_cast<uint32_t>(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < INT32_MIN || numbers[i] > INT32_MAX) return std::nullopt;
    narrow[i] = static_cast<int32_t>(numbers[i]);
    hash = (hash ^ static_cast<uint32_t>(narrow[i])) * 16777619u;  // FNV-1a
  }
  const std::span<const int32_t> wanted(narrow.data(), numbers.size());
  KeptIndices& kept = kept_indices()[(hash ^ hash >> 15) % 256];
  if (kept.array && kept.is_scalar == is_scalar &&
      std::ranges::equal(std::span(kept.numbers.data(), kept.count), wanted)) {
    return kept.array;
  }
  const auto size = static_cast<int64_t>(wanted.size());
  kept.numbers = narrow;
  kept.count = wanted.size();
  kept.is_scalar = is_scalar;
  kept.array =
      eager::HostArray(DType::kI32, std::span(&size, is_scalar ? 0 : 1), std::as_bytes(wanted));
  return kept.array;
}

void DropIndices() {
  for (KeptIndices& kept : kept_indices()) kept.array.reset();
}

nb::object CallOp(const OpInfo& info, std::span<PyObject* const> values) {
  const CurrentScope& scope = EnterScope();
  RaiseIfEarlierCallFailed(scope);
  const Location where = CallerLocation();
  Arguments arguments;
  AddInputs(info, values, where, arguments);
  OpAttrs given;
  OpAttrsRef attrs = info.defaults;
  if (info.has_required_attrs || HasAttrs(info, values)) {
    SetAttrs(info, values, given);
    attrs = given;
  }
  const OpDefinition* op = info.op;
  const bool keeps_lock = scope.may_keep_lock && info.is_pure && arguments.is_short();
  if (!arguments.AreDirect(info.promotion.direct_dtypes)) [[unlikely]]
    op = Promote(info, arguments.span(), keeps_lock, where);
  if (!op) {
    if (!scope.holder)
      RaiseTypeError("%s: an op in Python does not call ops in Python", info.name.c_str());
    op = &FindOwnOp(info, *ValueOf(scope.holder->Get()));
  }
  constexpr size_t kMaxResults = 8;
  std::array<eager::Tensor, kMaxResults> results;
  std::span<eager::Tensor> used(results.data(), info.num_results);
  Status status;
  if (keeps_lock) {
    status = eager::Execute(*op, arguments.span(), attrs, used, where);
  } else {
    status =
        CallWithoutLock([&] { return eager::Execute(*op, arguments.span(), attrs, used, where); });
  }
  if (!status.ok()) [[unlikely]]
    Raise(status);
  if (info.num_results == 1) [[likely]]
    return Wrap(std::move(results[0]));
  if (info.num_results == 0) return nb::none();
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(info.num_results)));
  for (size_t i = 0; i < info.num_results; ++i) {
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i),
                     Wrap(std::move(results[i])).release().ptr());
  }
  return tuple;
}

nb::object CallOn(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                  const OpAttrsRef& attrs, int64_t num_elements) {
  const CurrentScope& scope = EnterScope();
  RaiseIfEarlierCallFailed(scope);
  const Location where = CallerLocation();
  eager::Tensor result;
  auto call = [&] {
    return eager::Execute(*info.op, arguments, attrs, std::span(&result, 1), where);
  };
  const bool keeps_lock = scope.may_keep_lock && info.is_pure && num_elements <= kShortElements;
  const Status status = keeps_lock ? call() : CallWithoutLock(call);
  if (!status.ok()) [[unlikely]]
    Raise(status);
  return Wrap(std::move(result));
}

// --- Describing ---

namespace {

OpParameter InputParameter(std::string name, OpParameter::Kind kind, bool is_index) {
  return {.name = std::move(name),
          .kind = kind,
          .is_required = kind != OpParameter::Kind::kOptionalInput,
          .is_index = is_index};
}

void AddArgument(const OpArgumentSpec& argument, std::vector<OpParameter>& parameters) {
  using Kind = OpParameter::Kind;
  switch (argument.kind) {
    case OpArgumentSpec::Kind::kRequired:
      parameters.push_back(
          InputParameter(std::string(argument.name), Kind::kInput, argument.is_index));
      return;
    case OpArgumentSpec::Kind::kOptional:
      parameters.push_back(
          InputParameter(std::string(argument.name), Kind::kOptionalInput, argument.is_index));
      return;
    case OpArgumentSpec::Kind::kVariadic: {
      const bool is_split = !argument.last.empty();
      parameters.push_back(InputParameter(std::string(is_split ? argument.most : argument.name),
                                          Kind::kVariadicInput, argument.is_index));
      if (is_split) {
        parameters.push_back(InputParameter(std::string(argument.last), Kind::kInput, true));
      }
      return;
    }
  }
}

}  // namespace

OpInfo DescribeOp(std::string name, const OpDefinition& op) {
  OpInfo info;
  info.name = std::move(name);
  for (const OpArgumentSpec& argument : op.arguments) AddArgument(argument, info.parameters);
  info.num_inputs = info.parameters.size();
  for (bool required : {true, false}) {
    for (const OpAttrSpec& attr : op.attrs) {
      if (attr.default_value.empty() != required) continue;
      info.parameters.push_back({.name = std::string(attr.name),
                                 .kind = OpParameter::Kind::kAttr,
                                 .is_required = required,
                                 .attr = &attr});
      info.has_required_attrs = info.has_required_attrs || required;
    }
    if (required) info.num_positional = info.parameters.size();
  }
  if (!info.has_required_attrs) {
    OpAttrs defaults;
    for (const OpAttrSpec& attr : op.attrs) RaiseIfError(SetDefault(attr, defaults));
    if (defaults.size() > 0) info.defaults = defaults.Freeze();
  }
  for (OpParameter& parameter : info.parameters) {
    parameter.python_name = PyUnicode_InternFromString(parameter.name.c_str());
    if (parameter.attr && parameter.attr->kind == OpAttrSpec::Kind::kBool) {
      const std::string_view text = parameter.attr->default_value;
      parameter.default_truth = text == "false" ? Py_False : text == "true" ? Py_True : nullptr;
    }
  }
  if (op.description) SetPromotion(eager::PromotionOf(op.description->name), info);
  info.num_results = op.results.size();
  info.is_pure = !op.has_side_effects();
  info.doc = std::string(op.summary);
  if (op.results.size() > 1) {
    std::string names;
    for (std::string_view result : op.results)
      names += (names.empty() ? "" : ", ") + std::string(result);
    info.doc += "\n\nResults: " + names + ".";
  }
  return info;
}

}  // namespace tfrt::python
