#include "graph_program.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn_double {
namespace {

// Strides of dimensions of size 1 do not matter.
bool HasStrides(const Layout& layout, const std::vector<int64_t>& strides) {
  for (int d = 0; d < layout.rank(); ++d) {
    if (layout.dims[d] > 1 && layout.strides[d] != strides[d]) return false;
  }
  return true;
}

uint8_t TypeBit(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_HALF:
      return kGraphF16;
    case CUDNN_DATA_BFLOAT16:
      return kGraphBf16;
    case CUDNN_DATA_FLOAT:
      return kGraphF32;
    case CUDNN_DATA_DOUBLE:
      return kGraphF64;
    default:
      return 0;
  }
}

// The layouts that a tensor has: more than one where dimensions have size 1.
uint8_t LayoutBits(const Layout& layout) {
  uint8_t bits = 0;
  if (HasStrides(layout, RowStrides(layout.dims))) bits |= kGraphNchw | kGraphRows;
  if (layout.rank() >= 4 && HasStrides(layout, ChannelsLastStrides(layout.dims))) {
    bits |= kGraphNhwc;
  }
  return bits;
}

constexpr std::string_view kHead = "{\"tfrt_test_double\":[";
constexpr std::string_view kTail = "]}";

// A list of numbers that is written, or read.
class NumberWriter {
 public:
  void operator()(double& value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", value);
    if (!text_.empty()) text_ += ',';
    text_ += text;
  }
  std::string text_;
};
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) {}
  void operator()(double& value) {
    auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) {
      is_good_ = false;
      value = 0;
      return;
    }
    text_.remove_prefix(end - text_.data());
    if (!text_.empty() && text_[0] == ',') text_.remove_prefix(1);
  }
  bool is_good() const { return is_good_ && text_.empty(); }

 private:
  std::string_view text_;
  bool is_good_ = true;
};

// Calls `visit` for each number of a program, in the same order whoever visits.
template <typename V>
class Visitor {
 public:
  explicit Visitor(V& visit) : visit_(visit) {}
  template <typename T>
  void One(T& value) {
    auto number = static_cast<double>(value);
    visit_(number);
    value = static_cast<T>(number);
  }
  void List(std::vector<int64_t>& values) {
    size_t count = values.size();
    One(count);
    values.resize(std::min<size_t>(count, kMaxDims));
    for (int64_t& value : values) One(value);
  }
  void Program(GraphProgram& program, int64_t& engine) {
    One(engine);
    One(program.operation);
    One(program.is_flipped);
    One(program.compute_type);
    One(program.alpha);
    One(program.alpha2);
    One(program.activation);
    One(program.bound);
    One(program.activation_alpha);
    One(program.activation_beta);
    for (auto* list : {&program.window.pre_paddings, &program.window.post_paddings,
                       &program.window.strides, &program.window.dilations, &program.window.sizes}) {
      List(*list);
    }
    for (std::optional<GraphTensor>& tensor : program.tensors) {
      bool is_there = tensor.has_value();
      One(is_there);
      if (!is_there) continue;
      if (!tensor) tensor.emplace();
      One(tensor->id);
      One(tensor->layout.type);
      List(tensor->layout.dims);
      List(tensor->layout.strides);
      One(tensor->alignment_bytes);
      One(tensor->is_by_value);
    }
  }

 private:
  V& visit_;
};

}  // namespace

bool GraphProgram::Writes(Role role) const {
  switch (operation) {
    case GraphOperation::kDataGradient:
    case GraphOperation::kAveragePoolGradient:
    case GraphOperation::kAveragePoolInsideGradient:
      return role == Role::kX;
    case GraphOperation::kFilterGradient:
      return role == Role::kW;
    default:
      return role == Role::kY || role == Role::kStatistics;
  }
}

bool GraphProgram::IsListed() const {
  const cudnnDataType_t element = Of(Role::kX)->layout.type;
  const uint8_t type = TypeBit(element);
  if (compute_type != (element == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT)) {
    return false;
  }
  uint8_t layout = 0xFF;
  for (size_t role = 0; role < kNumRoles; ++role) {
    if (!tensors[role] || tensors[role]->is_by_value) continue;
    const bool is_sum = static_cast<Role>(role) == Role::kStatistics;
    if (tensors[role]->layout.type != (is_sum ? CUDNN_DATA_FLOAT : element)) return false;
    layout &= LayoutBits(tensors[role]->layout);
  }
  const bool has_addend = Of(Role::kAddend).has_value(), has_bias = Of(Role::kBias).has_value();
#define TFRT_LISTED(of_operation, of_addend, of_bias, of_activation, types, layouts) \
  if (operation == GraphOperation::k##of_operation && has_addend == of_addend &&     \
      has_bias == of_bias && activation == GraphActivation::k##of_activation &&      \
      (kGraph##types & type) != 0 && (kGraph##layouts & layout) != 0) {              \
    return true;                                                                     \
  }
  TFRT_CUDNN_GRAPH_FORMS(TFRT_LISTED)
#undef TFRT_LISTED
  return false;
}

int64_t WorkspaceBytes(const GraphProgram& program, int64_t engine) {
  return engine == kTensorCoreEngine ? program.Of(Role::kY)->layout.num_elements() * 4 : 0;
}

std::string PlanText(const GraphProgram& program, int64_t engine) {
  GraphProgram copy = program;
  NumberWriter writer;
  Visitor<NumberWriter>(writer).Program(copy, engine);
  return StrCat(kHead, writer.text_, kTail);
}

std::shared_ptr<const GraphProgram> ReadPlanText(std::string_view text, int64_t* engine) {
  text = text.substr(0, text.find('\0'));
  if (!text.starts_with(kHead) || !text.ends_with(kTail)) return nullptr;
  text.remove_prefix(kHead.size());
  text.remove_suffix(kTail.size());
  auto program = std::make_shared<GraphProgram>();
  NumberReader reader(text);
  Visitor<NumberReader>(reader).Program(*program, *engine);
  if (!reader.is_good() || *engine < 0 || *engine >= kNumEngines || !program->Of(Role::kX) ||
      !program->Of(Role::kY) || !program->IsListed()) {
    return nullptr;
  }
  return program;
}

}  // namespace tfrt::gpu::cudnn_double
