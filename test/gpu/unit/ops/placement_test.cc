// Where ops of a context with a GPU run, why, and which tensors are copied there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "test/gpu/unit/ops/gpu_ops_fixture.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::MisplacedInputPolicy;
using eager::Relu;
using eager::Scope;
using testing::HasSubstr;

class GpuPlacementTest : public GpuOpsTest {
 protected:
  static HostArray Floats() { return HostArray({3}, {-1.0f, 0.0f, 2.0f}); }
  // The error of a call a few lines before, without its place.
  static std::string At(const eager::Tensor& result,
                        std::source_location where = std::source_location::current()) {
    const std::string message(result.status().message());
    for (uint32_t line = where.line() - 4; line < where.line(); ++line) {
      const std::string place = "placement_test.cc:" + std::to_string(line) + ": ";
      const size_t begin = message.find(place);
      if (begin != message.npos) return message.substr(begin + place.size());
    }
    return "not of the lines before " + std::to_string(where.line()) + ": " + message;
  }
  eager::Tensor OnHost(const HostArray& array) {
    Scope scope(*context_, {.device = "cpu:0"});
    return eager::Tensor::FromArray(array);
  }
  // Calls an op that GPUs do not have yet.
  static eager::Tensor OpWithoutKernel(Location where = eager::Here()) {
    const eager::Tensor one = eager::Tensor::FromArray(HostArray({1, 1, 1}, {1.0f}));
    return eager::Rnn(one, one, one, {}, {}, {}, {}, where)[0];
  }
};

// Keeps the last event eager.place.
class LastPlace final : public tracing::Sink {
 public:
  LastPlace() { tracing::AddSink(this, tracing::Level::kVerbose); }
  ~LastPlace() override { tracing::RemoveSink(this); }
  void PushScope(std::string_view) override {}
  void PopScope() override {}
  void RecordEvent(std::string_view name) override {
    if (name.starts_with("eager.place ")) text_ = name.substr(name.find("device="));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

TEST_F(GpuPlacementTest, AProfileHasTheReason) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(Floats());
  LastPlace place;
  // Each twice: the second call finds the first one's place.
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(eager::Nonzero(x).valid());
    EXPECT_EQ(place.text(), "device=cpu:0 reason=soft-by-design");
    EXPECT_TRUE(OpWithoutKernel().valid());
    EXPECT_EQ(place.text(), "device=cpu:0 reason=soft-no-kernel");
    EXPECT_TRUE(eager::Neg(eager::Cast(x, DType::kI8)).valid());
    EXPECT_EQ(place.text(), "device=cpu:0 reason=soft-no-dtype");
    EXPECT_TRUE(Relu(x).valid());
    EXPECT_EQ(place.text(), "device=gpu:0 reason=scope");
  }
}

TEST_F(GpuPlacementTest, SoftPlacementSaysWhy) {
  Init();
  Scope scope(*context_, {.device = "gpu:0", .misplaced_input = MisplacedInputPolicy::kWarn});
  eager::Tensor x = eager::Tensor::FromArray(Floats());
  const std::vector<int8_t> bytes(100, 3);
  eager::Tensor i8 = eager::Tensor::FromArray(
      HostArray::Take(std::span<const int64_t>({100}), std::vector<int8_t>(bytes)));
  testing::internal::CaptureStderr();
  EXPECT_EQ(eager::Nonzero(x).device(), "cpu:0");
  EXPECT_EQ(eager::AddV2(i8, i8).device(), "cpu:0");
  EXPECT_EQ(OpWithoutKernel().device(), "cpu:0");
  EXPECT_EQ(Relu(x).device(), "gpu:0");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(
      log,
      HasSubstr(": tfrt.Nonzero runs on cpu:0: gpu:0 leaves tfrt.Nonzero to the host by design"));
  EXPECT_THAT(
      log,
      HasSubstr(": tf.AddV2 runs on cpu:0: gpu:0 has no kernel of tf.AddV2 for the dtypes i8, i8"));
  EXPECT_THAT(log, HasSubstr(": tfrt.Rnn runs on cpu:0: the device gpu:0 does not have tfrt.Rnn"));
  EXPECT_THAT(log, testing::Not(HasSubstr("tf.Relu")));
}

TEST_F(GpuPlacementTest, WithoutSoftPlacementTheReasonIsTheError) {
  Init({.soft_placement = false});
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(Floats());
  eager::Tensor i8 = eager::Tensor::FromArray(HostArray({2}, {int8_t{1}, int8_t{2}}));
  eager::Tensor result = eager::Nonzero(x);
  EXPECT_EQ(
      At(result),
      "tfrt.Nonzero: gpu:0 leaves tfrt.Nonzero to the host by design, and soft placement is off");
  result = eager::AddV2(i8, i8);
  EXPECT_EQ(
      At(result),
      "tf.AddV2: gpu:0 has no kernel of tf.AddV2 for the dtypes i8, i8, and soft placement is off");
  result = OpWithoutKernel();
  EXPECT_EQ(At(result),
            "tfrt.Rnn: the device gpu:0 does not have tfrt.Rnn, and soft placement is off");
  EXPECT_EQ(Relu(x).device(), "gpu:0");
}

// The call that looks for a place, that which prepares the op, and that which runs it.
TEST_F(GpuPlacementTest, ADriverThatRefusesCodeIsNoMissingKernel) {
  Init();
  Scope scope(*context_, {.device = "gpu:0"});
  eager::Tensor x = eager::Tensor::FromArray(Floats());
  auto expect_error = [&](const char* function, int code, const char* name) {
    std::string faults;
    for (int nth = 1; nth <= 4; ++nth) {
      faults += StrCat(nth == 1 ? "" : ",", "fail=", function, ":", nth, ":", code);
    }
    GpuDouble::Get().Inject(faults.c_str());
    const std::string message(Relu(x).status().message());
    GpuDouble::Get().Inject("");
    EXPECT_THAT(message, HasSubstr(StrCat("'", function, "'")));
    EXPECT_THAT(message, HasSubstr(name));
  };
  expect_error("cuModuleLoadDataEx", 801, "CUDA_ERROR_NOT_SUPPORTED");
  expect_error("cuModuleGetFunction", 801, "CUDA_ERROR_NOT_SUPPORTED");
  expect_error("cuModuleGetFunction", 500, "CUDA_ERROR_NOT_FOUND");
  eager::Tensor result = Relu(x);
  EXPECT_EQ(result.device(), "gpu:0");
  EXPECT_THAT(ValuesOf<float>(result), testing::ElementsAre(0, 0, 2));
}

TEST_F(GpuPlacementTest, FourPolicies) {
  Init();
  const eager::Tensor x = OnHost(Floats());
  const eager::Tensor few = OnHost(HostArray({3}, {1, 2, 3}));
  const eager::Tensor there = x.state() ? [&] {
    Scope scope(*context_, {.device = "gpu:0"});
    return eager::Tensor::FromArray(HostArray({3}, {4, 5, 6}));
  }()
                                        : eager::Tensor();
  auto with = [](MisplacedInputPolicy policy) {
    return eager::ScopeOptions{.device = "gpu:0", .misplaced_input = policy};
  };
  const std::string refused =
      "argument x is on cpu:0, but the op runs on gpu:0; copy it with "
      "CopyTo(\"gpu:0\")";
  {
    Scope scope(*context_, with(MisplacedInputPolicy::kExplicit));
    eager::Tensor y = Relu(x);
    EXPECT_EQ(At(y), "tf.Relu: " + refused);
    EXPECT_EQ(Relu(x.CopyTo("gpu:0")).status(), OkStatus());
    y = eager::AddV2(few, there);
    EXPECT_THAT(At(y), HasSubstr("tf.AddV2: argument x is on cpu:0"));
  }
  {
    Scope scope(*context_, with(MisplacedInputPolicy::kSilentForI32));
    eager::Tensor y = Relu(OnHost(Floats()));
    EXPECT_EQ(At(y), "tf.Relu: " + refused);
    EXPECT_EQ(eager::AddV2(few, there).device(), "gpu:0");
  }
  context_->DropCopies();
  testing::internal::CaptureStderr();
  {
    Scope scope(*context_, with(MisplacedInputPolicy::kWarn));
    EXPECT_EQ(Relu(x).device(), "gpu:0");
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr(": tf.Relu: argument x is copied from cpu:0 to gpu:0"));
  context_->DropCopies();
  testing::internal::CaptureStderr();
  {
    Scope scope(*context_, with(MisplacedInputPolicy::kSilent));
    EXPECT_THAT(ValuesOf<float>(Relu(x)), testing::ElementsAre(0, 0, 2));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tfrt::gpu
