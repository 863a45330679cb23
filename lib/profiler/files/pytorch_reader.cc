// The profile that PyTorch's profiler writes (export_chrome_trace).
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "foreign_json.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

constexpr int64_t kMaxBytes = int64_t{1} << 60;

int64_t ElementBytes(std::string_view type) {
  constexpr std::pair<std::string_view, int64_t> kSizes[] = {
      {"float", 4},       {"double", 8},        {"c10::Half", 2}, {"c10::BFloat16", 2},
      {"long int", 8},    {"long", 8},          {"int", 4},       {"short int", 2},
      {"signed char", 1}, {"unsigned char", 1}, {"bool", 1},
  };
  for (const auto& [name, size] : kSizes) {
    if (type == name) return size;
  }
  return 0;
}

// "ProfilerStep#12": 12; -1: another name.
int64_t StepNumber(std::string_view name) {
  constexpr std::string_view kStep = "ProfilerStep#";
  if (!name.starts_with(kStep) || name.size() > kStep.size() + 18) return -1;
  int64_t number = 0;
  for (char digit : name.substr(kStep.size())) {
    if (digit < '0' || digit > '9') return -1;
    number = number * 10 + (digit - '0');
  }
  return number;
}

class PyTorchReader final : public ForeignJsonReader {
 public:
  explicit PyTorchReader(ProfileConsumer& consumer) : ForeignJsonReader("pytorch", consumer) {}

 private:
  std::string_view Level() const override { return "kernel"; }

  bool Translate(const JsonRef& json, ForeignEvent& event) override {
    const std::string_view category = json.Find("cat").Text();
    const JsonRef args = json.Find("args");
    if (event.name == "[memory]") return Memory(args, event);
    if (event.role != ForeignRole::kScope) return false;
    event.correlation_id = args.Find("correlation").Unsigned();
    if (category == "cpu_op") {
      event.role = ForeignRole::kOp;
      event.op = event.name;
      event.correlation_id = 0;
      Inputs(args, event);
    } else if (category == "user_annotation") {
      const int64_t step = StepNumber(event.name);
      event.role = step < 0 ? ForeignRole::kScope : ForeignRole::kStep;
      event.number = step;
    } else if (category == "kernel") {
      event.role = ForeignRole::kDeviceKernel;
      event.device = args.Find("device").Integer();
      first_ = Dims(args.Find("grid"));
      second_ = Dims(args.Find("block"));
      event.from = first_;
      event.to = second_;
    } else if (category == "gpu_memcpy") {
      event.role = ForeignRole::kDeviceCopy;
      Copy(args, event);
    } else if (category == "gpu_memset") {
      event.role = ForeignRole::kDeviceFill;
      event.bytes = args.Find("bytes").Integer();
    } else if (category == "cuda_runtime" || category == "cuda_driver") {
      event.role = event.correlation_id == 0 ? ForeignRole::kCall : ForeignRole::kLaunch;
    } else if (category == "python_function" || category == "overhead") {
      event.role = ForeignRole::kCall;
    } else {
      return false;  // what sums up others: the profiler's span, annotations of the device's rows
    }
    return true;
  }

  bool Memory(const JsonRef& args, ForeignEvent& event) {
    const int64_t bytes = args.Find("Bytes").Integer();
    if (bytes < -kMaxBytes || bytes > kMaxBytes) return false;
    event.role = bytes < 0 ? ForeignRole::kFree : ForeignRole::kAllocate;
    event.bytes = bytes < 0 ? -bytes : bytes;
    event.in_use = args.Find("Total Allocated").Integer();
    first_ = args.Find("Device Type").Integer() == 0
                 ? "cpu"
                 : StrCat("device ", args.Find("Device Id").Integer());
    event.name = first_;
    return true;
  }

  // Shapes are there with record_shapes.
  void Inputs(const JsonRef& args, ForeignEvent& event) {
    JsonRef type = args.Find("Input type").First();
    for (JsonRef dims = args.Find("Input Dims").First(); dims.exists(); dims = dims.Next()) {
      const ForeignShape shape = ShapeOf(dims);
      const int64_t size = ElementBytes(type.Text());
      type = type.Next();
      if (size == 0) continue;
      if (event.batch == 0) event.batch = shape.first_dim;
      if (event.bytes_read < kMaxBytes) event.bytes_read += shape.num_elements * size;
    }
  }

  // "Memcpy HtoD (Pageable -> Device)".
  void Copy(const JsonRef& args, ForeignEvent& event) {
    event.bytes = args.Find("bytes").Integer();
    event.device = args.Find("device").Integer();
    const size_t open = event.name.find('('), arrow = event.name.find(" -> ");
    const size_t close = event.name.rfind(')');
    if (open == std::string_view::npos || arrow == std::string_view::npos ||
        close == std::string_view::npos || open > arrow || arrow + 4 > close) {
      return;
    }
    event.from = event.name.substr(open + 1, arrow - open - 1);
    event.to = event.name.substr(arrow + 4, close - arrow - 4);
  }

  static std::string Dims(const JsonRef& dims) {
    std::string text;
    for (JsonRef dim = dims.First(); dim.exists() && text.size() < 64; dim = dim.Next()) {
      text += StrCat(text.empty() ? "" : "x", dim.Integer());
    }
    return text;
  }

  std::string first_, second_;  // texts of the last event
};

}  // namespace

std::unique_ptr<JsonReader> MakePyTorchReader(ProfileConsumer& consumer) {
  return std::make_unique<PyTorchReader>(consumer);
}

}  // namespace tfrt::profiler
