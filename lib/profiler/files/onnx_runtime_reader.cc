// The profile that an ONNX Runtime session writes (SessionOptions.enable_profiling): an array of
// events, of categories "Session", "Node" and, with devices, "Kernel".
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "foreign_json.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Our words for its element types.
std::string_view ElementType(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"float", "f32"}, {"double", "f64"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"int8", "i8"},
      {"int16", "i16"}, {"int32", "i32"},  {"int64", "i64"},   {"uint8", "u8"},      {"bool", "i1"},
  };
  for (const auto& [theirs, ours] : kNames) {
    if (name == theirs) return ours;
  }
  return name;
}

class OnnxRuntimeReader final : public ForeignJsonReader {
 public:
  explicit OnnxRuntimeReader(ProfileConsumer& consumer)
      : ForeignJsonReader("onnxruntime", consumer) {}

 private:
  bool Translate(const JsonRef& json, ForeignEvent& event) override {
    if (event.role != ForeignRole::kScope) return false;
    const std::string_view category = json.Find("cat").Text();
    const JsonRef args = json.Find("args");
    if (category == "Node") return Node(args, event);
    if (category == "Kernel") {
      event.role =
          event.name.starts_with("Memcpy") ? ForeignRole::kDeviceCopy : ForeignRole::kDeviceKernel;
      grid_ = Dims(args, {"grid_x", "grid_y", "grid_z"});
      block_ = Dims(args, {"block_x", "block_y", "block_z"});
      if (event.role == ForeignRole::kDeviceKernel) {
        event.from = grid_;
        event.to = block_;
      }
      return true;
    }
    if (event.name == "model_run") {
      event.role = ForeignRole::kRun;
      event.name = "model";
    } else if (event.name.ends_with("::Execute")) {
      event.role = ForeignRole::kCall;
    }
    return true;
  }

  bool Node(const JsonRef& args, ForeignEvent& event) {
    constexpr std::string_view kKernel = "_kernel_time";
    if (!event.name.ends_with(kKernel)) {
      event.role = ForeignRole::kCall;
      return true;
    }
    event.role = ForeignRole::kOp;
    event.name.remove_suffix(kKernel.size());
    event.op = args.Find("op_name").Text();
    event.number = args.Find("node_index").Integer(-1);
    // The sizes that it adds up: of inputs that are results of others, and that are constants.
    event.bytes_read = Size(args.Find("activation_size")) + Size(args.Find("parameter_size"));
    event.bytes_written = Size(args.Find("output_size"));
    for (JsonRef input = args.Find("input_type_shape").First(); input.exists();
         input = input.Next()) {
      event.batch = ShapeOf(input.First()).first_dim;
      if (event.batch > 0) break;
    }
    const JsonRef result = args.Find("output_type_shape").First().First();
    if (result.exists()) {
      const ForeignShape shape = ShapeOf(result);
      event.result_batch = shape.first_dim;
      result_ = StrCat(ElementType(result.key()), " [", shape.text, "]");
      event.result = result_;
    }
    return true;
  }

  // Not so large that a sum overflows.
  static int64_t Size(const JsonRef& value) {
    const int64_t size = value.Integer();
    return size < 0 || size > int64_t{1} << 60 ? 0 : size;
  }

  static std::string Dims(const JsonRef& args, const std::array<std::string_view, 3>& names) {
    if (!args.Find(names[0]).exists()) return {};
    return StrCat(args.Find(names[0]).Integer(), "x", args.Find(names[1]).Integer(), "x",
                  args.Find(names[2]).Integer());
  }

  std::string result_, grid_, block_;  // of the last event
};

}  // namespace

std::unique_ptr<JsonReader> MakeOnnxRuntimeReader(ProfileConsumer& consumer) {
  return std::make_unique<OnnxRuntimeReader>(consumer);
}

}  // namespace tfrt::profiler
