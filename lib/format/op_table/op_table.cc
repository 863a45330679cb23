// The families as one table, by canonical name and by spelling.

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "op_families.h"
#include "tfrt/opinfo/op_description.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr OpFamily (*kFamilies[])() = {
    BinaryOps,         UnaryOps,         ProductOps,      ConvolutionOps, PoolingOps,
    NormalizationOps,  ReductionOps,     ConstantOps,     ReshapeOps,     MovementOps,
    SelectionOps,      TrainingOps,      GradientOps,     CheckOps,       ElementwiseOps,
    WindowOps,         PlacementOps,     IndexOps,        FusedOps,       RecurrentOps,
    IntegerProductOps, TapeOps,          QuantizationOps, SamplingOps,    ListOps,
    SortingOps,        LinearAlgebraOps, FourierOps};

// Rows that compilers alone make: weights in the forms of kernels, and chains of steps.
constexpr std::string_view kOfCompilers[] = {"dynamic_quantized_lstm",
                                             "dynamic_quantized_matmul",
                                             "elementwise_tape",
                                             "pack_filter",
                                             "pack_matrix",
                                             "packed_attention",
                                             "quantized_conv",
                                             "quantized_matmul"};

// "tfrt.ReduceProd" of "reduce_prod".
std::string EagerNameOf(std::string_view row) {
  std::string name = "tfrt.";
  bool begins_word = true;
  for (char c : row) {
    if (c == '_') {
      begins_word = true;
      continue;
    }
    name += begins_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins_word = false;
  }
  return name;
}

// The spelling of a row and its name.
struct OwnSpelling {
  std::string name;
  OpSpelling spelling;
};
const OpSpelling* AddSpelling(std::deque<OwnSpelling>& to, std::string name,
                              const OpDescription& op) {
  OwnSpelling& own = to.emplace_back();
  own.name = std::move(name);
  own.spelling = {.name = own.name, .op = op.name};
  return &own.spelling;
}

// Returns the spellings of eager programs: those of the families, and one for each row that has
// none there.
const std::vector<const OpSpelling*>& EagerSpellings() {
  struct All {
    std::vector<const OpSpelling*> spellings;
    std::deque<OwnSpelling> own;
  };
  static const All* const all = [] {
    auto* made = new All();
    for (auto family : kFamilies) {
      const OpFamily of = family();
      for (const OpSpelling& spelling : of.spellings) made->spellings.push_back(&spelling);
      for (const OpDescription& op : of.ops) {
        const bool has_one = std::ranges::find(of.spellings, op.name, &OpSpelling::op) !=
                             std::ranges::end(of.spellings);
        if (has_one || std::ranges::find(kOfCompilers, op.name) != std::end(kOfCompilers)) continue;
        made->spellings.push_back(AddSpelling(made->own, EagerNameOf(op.name), op));
      }
    }
    return made;
  }();
  return all->spellings;
}

// Made at the first look-up; lives as long as the program.
struct Index {
  std::unordered_map<std::string_view, const OpDescription*> ops;
  std::unordered_map<std::string_view, const OpSpelling*> spellings;
  std::deque<OwnSpelling> canonical;  // "graph.conv" of "conv"
};
const Index& TheIndex() {
  static const Index* const index = [] {
    auto* made = new Index();
    for (const OpDescription* op : AllOpDescriptions()) made->ops.emplace(op->name, op);
    for (const OpSpelling* each : AllOpSpellings()) made->spellings.emplace(each->name, each);
    for (const auto& [name, op] : made->ops) {
      const OpSpelling* own = AddSpelling(made->canonical, StrCat(kGraphOpPrefix, name), *op);
      made->spellings.emplace(own->name, own);
    }
    return made;
  }();
  return *index;
}

template <typename T>
const T* FindIn(const std::unordered_map<std::string_view, const T*>& map, std::string_view name) {
  auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

std::vector<const OpDescription*> AllOpDescriptions() {
  std::vector<const OpDescription*> all;
  for (auto family : kFamilies) {
    for (const OpDescription& op : family().ops) all.push_back(&op);
  }
  return all;
}

std::vector<const OpSpelling*> AllOpSpellings() { return EagerSpellings(); }

bool IsMadeOfItsRow(const OpSpelling& spelling) {
  return spelling.name == EagerNameOf(spelling.op);
}

const OpDescription* FindOpDescription(std::string_view canonical_name) {
  return FindIn(TheIndex().ops, canonical_name);
}

const OpSpelling* FindOpSpelling(std::string_view name) {
  return FindIn(TheIndex().spellings, name);
}

bool OpDescription::is_host_value(size_t argument, size_t num_arguments) const {
  using HostValue = OpArgumentSpec::HostValue;
  if (arguments.empty()) return false;
  const OpArgumentSpec& spec = arguments[std::min(argument, arguments.size() - 1)];
  if (spec.host_value == HostValue::kLast) return argument + 1 == num_arguments;
  return argument < arguments.size() && spec.host_value == HostValue::kYes;
}

bool OpDescription::is_integer(size_t argument, size_t num_arguments) const {
  if (arguments.empty()) return false;
  const OpArgumentSpec& spec = arguments[std::min(argument, arguments.size() - 1)];
  if (spec.host_value == OpArgumentSpec::HostValue::kNo) return spec.is_integer;
  return spec.is_integer && is_host_value(argument, num_arguments);
}

bool OpDescription::has_host_values() const {
  return std::ranges::any_of(arguments, [](const OpArgumentSpec& argument) {
    return argument.host_value != OpArgumentSpec::HostValue::kNo;
  });
}

std::string_view OpSpelling::Canonical(std::string_view spelled_attr) const {
  for (const Rename& rename : attrs) {
    if (rename.spelled == spelled_attr) return rename.canonical;
  }
  return spelled_attr;
}

std::string_view OpSpelling::Spelled(std::string_view canonical_attr) const {
  for (const Rename& rename : attrs) {
    if (rename.canonical == canonical_attr) return rename.spelled;
  }
  return canonical_attr;
}

std::vector<OpArgumentSpec> SpelledArguments(const OpDescription& op, const OpSpelling& spelling) {
  std::vector<OpArgumentSpec> arguments;
  for (const OpArgumentSpec& argument : op.arguments) {
    if (argument.name != spelling.folded_argument) arguments.push_back(argument);
  }
  return arguments;
}

std::vector<OpAttrSpec> SpelledAttrs(const OpDescription& op, const OpSpelling& spelling) {
  std::vector<OpAttrSpec> attrs(op.attrs.begin(), op.attrs.end());
  for (OpAttrSpec& attr : attrs) attr.name = spelling.Spelled(attr.name);
  if (!spelling.folded_argument.empty()) {
    attrs.push_back({spelling.folded_argument, OpAttrSpec::Kind::kI64Array});
  }
  std::ranges::sort(attrs, {}, &OpAttrSpec::name);
  return attrs;
}

}  // namespace tfrt
