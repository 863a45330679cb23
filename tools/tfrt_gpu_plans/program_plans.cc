#include "program_plans.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "lib/format/bef/attribute_reader.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

// Reads the attributes of a kernel one after another. The first error stays.
class Attributes {
 public:
  Attributes(const bef::BefView& file, const bef::DecodedKernel& kernel)
      : bytes_(file.attributes()), offsets_(kernel.attributes()) {}

  int32_t Integer() { return static_cast<int32_t>(Scalar(bef::TypeCode::kI32)); }
  bool Bool() { return Scalar(bef::TypeCode::kI1) != 0; }
  double Number() { return std::bit_cast<double>(Scalar(bef::TypeCode::kF64)); }
  std::string_view Text() {
    return Take<std::string_view>([&](uint32_t offset) { return bef::ReadString(bytes_, offset); });
  }
  std::span<const int64_t> List() {
    return Take<bef::ArrayView>([&](uint32_t offset) {
             // An empty list has a kind of its own.
             StatusOr<bef::ArrayView> list =
                 bef::ReadArray(bytes_, offset, bef::ArrayOf(bef::TypeCode::kI64));
             return list.ok() ? list : bef::ReadArray(bytes_, offset, bef::TypeCode::kEmptyArray);
           })
        .As<int64_t>();
  }
  const Status& status() const { return status_; }

 private:
  uint64_t Scalar(bef::TypeCode code) {
    return Take<uint64_t>([&](uint32_t offset) { return bef::ReadScalar(bytes_, offset, code); });
  }
  template <typename T, typename F>
  T Take(F&& read) {
    if (next_ >= offsets_.size() && status_.ok()) {
      status_ = InvalidArgumentError(StrCat("the kernel has ", offsets_.size(), " attributes"));
    }
    if (!status_.ok()) return T();
    StatusOr<T> value = read(offsets_[next_++]);
    if (value.ok()) return *value;
    status_ = value.status();
    return T();
  }

  const bef::AttributeBytes bytes_;
  const std::span<const uint32_t> offsets_;
  size_t next_ = 0;
  Status status_;
};

// Returns the number that a constant of the same function puts into the register.
StatusOr<double> ConstantOf(const bef::BefView& file, const bef::DecodedFunction& function,
                            uint32_t number) {
  for (const bef::DecodedKernel& kernel : function.kernels()) {
    if (kernel.results().size() != 1 || kernel.results()[0] != number) continue;
    if (file.kernel_names()[kernel.kernel_id()] == "tfrt.constant.f64") {
      Attributes attributes(file, kernel);
      const double value = attributes.Number();
      if (attributes.status().ok()) return value;
      return attributes.status();
    }
  }
  return UnimplementedError("a factor is no constant of the same function");
}

DnnConvolutionAttributes ReadConvolution(Attributes* attributes, DnnFusedAttributes* fused) {
  DnnConvolutionAttributes read;
  if (fused) fused->activation_mode = attributes->Integer();
  read.backend_type = attributes->Integer();
  if (fused) {
    fused->bias_dims = attributes->List();
    fused->bias_strides = attributes->List();
    fused->bias_type = attributes->Integer();
  }
  read.dilations = attributes->List();
  read.num_spatial = attributes->Integer();
  read.mode = attributes->Integer();
  read.padding = attributes->List();
  read.strides = attributes->List();
  read.engine_id = attributes->Integer();
  read.filter_dims = attributes->List();
  read.filter_strides = attributes->List();
  read.input_dims = attributes->List();
  read.input_strides = attributes->List();
  read.input_type = attributes->Integer();
  read.output_dims = attributes->List();
  read.output_strides = attributes->List();
  read.output_type = attributes->Integer();
  read.knobs = attributes->List();
  read.knob_values = attributes->List();
  return read;
}

StatusOr<DnnPlanRequest> RequestOfKernel(const bef::BefView& file,
                                         const bef::DecodedFunction& function,
                                         const bef::DecodedKernel& kernel, std::string_view name) {
  Attributes attributes(file, kernel);
  if (name == "tfrt_gpu.dnn.graph.build") {
    DnnGraphAttributes read;
    read.allow_tf32 = attributes.Bool();
    read.data_type = attributes.Integer();
    read.dims = attributes.List();
    read.form = attributes.Text();
    read.parameter = attributes.Number();
    read.strides = attributes.List();
    read.window = attributes.List();
    TFRT_RETURN_IF_ERROR(attributes.status());
    return RequestOf(read);
  }
  std::optional<DnnFusedAttributes> fused;
  if (name == "tfrt_gpu.dnn.build_fused_convolution") {
    if (kernel.operands().size() != 3) return InvalidArgumentError("the kernel has no factors");
    fused.emplace();
    TFRT_ASSIGN_OR_RETURN(fused->alpha, ConstantOf(file, function, kernel.operands()[1]));
    TFRT_ASSIGN_OR_RETURN(fused->alpha2, ConstantOf(file, function, kernel.operands()[2]));
  }
  const DnnConvolutionAttributes read = ReadConvolution(&attributes, fused ? &*fused : nullptr);
  TFRT_RETURN_IF_ERROR(attributes.status());
  return RequestOf(read, fused);
}

}  // namespace

std::vector<ProgramPlan> PlansOf(const bef::BefView& file) {
  std::vector<ProgramPlan> plans;
  for (uint32_t f = 0; f < file.functions().size(); ++f) {
    // Native functions have no body.
    const StatusOr<bef::DecodedFunction> function = file.DecodeFunction(f);
    if (!function.ok()) continue;
    for (const bef::DecodedKernel& kernel : function->kernels()) {
      const std::string_view name = file.kernel_names()[kernel.kernel_id()];
      if (name != "tfrt_gpu.dnn.build_convolution" &&
          name != "tfrt_gpu.dnn.build_fused_convolution" && name != "tfrt_gpu.dnn.graph.build") {
        continue;
      }
      plans.push_back({StrCat(file.DecodeLocation(kernel.location()).ToString(), ": ", name),
                       RequestOfKernel(file, *function, kernel, name)});
    }
  }
  return plans;
}

}  // namespace tfrt::gpu
