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
    BinaryOps,         UnaryOps,     ProductOps,      ConvolutionOps, PoolingOps,
    NormalizationOps,  ReductionOps, ConstantOps,     ReshapeOps,     MovementOps,
    SelectionOps,      TrainingOps,  GradientOps,     CheckOps,       ElementwiseOps,
    WindowOps,         PlacementOps, IndexOps,        FusedOps,       RecurrentOps,
    IntegerProductOps, TapeOps,      QuantizationOps, SamplingOps,    ListOps};

// Made at the first look-up; lives as long as the program.
struct Index {
  std::unordered_map<std::string_view, const OpDescription*> ops;
  std::unordered_map<std::string_view, const OpSpelling*> spellings;
  // "graph.conv" of "conv".
  struct CanonicalSpelling {
    std::string name;
    OpSpelling spelling;
  };
  std::deque<CanonicalSpelling> canonical;
};
const Index& TheIndex() {
  static const Index* const index = [] {
    auto* made = new Index();
    for (const OpDescription* op : AllOpDescriptions()) made->ops.emplace(op->name, op);
    for (const OpSpelling* each : AllOpSpellings()) made->spellings.emplace(each->name, each);
    for (const auto& [name, op] : made->ops) {
      auto& own = made->canonical.emplace_back();
      own.name = StrCat(kGraphOpPrefix, name);
      own.spelling = {.name = own.name, .op = op->name};
      made->spellings.emplace(own.name, &own.spelling);
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

std::vector<const OpSpelling*> AllOpSpellings() {
  std::vector<const OpSpelling*> all;
  for (auto family : kFamilies) {
    for (const OpSpelling& spelling : family().spellings) all.push_back(&spelling);
  }
  return all;
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
