// The kernels of trigonometry.cu and clip.cu, as PTX: each gives the very bits of its function on
// the host, whose errors trigonometry_test.cc measures.

#include "gpu/device_code/trigonometry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/device_code/launch_blocks.h"
#include "gtest/gtest.h"
#include "kernel_runner.h"
#include "test_elements.h"

namespace tfrt::gpu {
namespace {

using namespace device;  // NOLINT: the names of ops

class TrigonometryKernelsTest : public KernelTest {
 protected:
  template <typename T>
  void Check(const std::string& op, T (*on_host)(T)) {
    std::vector<T> in = ManyElements<T>(1500);
    // Some elements of 16 bits are enough: all are computed in f32.
    if (sizeof(T) == 2) in = SomeElements<T>(1500);
    const auto size = static_cast<int64_t>(in.size());
    const Pointer x = runner_.In(in);  // in place
    ASSERT_TRUE(runner_.Run(op + "_" + TypeName<T>(), ThreadsLaunch(size), x, x, size));
    const std::vector<T> out = runner_.Read<T>(x);
    for (size_t i = 0; i < in.size(); ++i) {
      ASSERT_TRUE(IsSame(out[i], on_host(in[i])))
          << op << "_" << TypeName<T>() << " of " << ValueOf<double>(in[i]) << " is "
          << ValueOf<double>(out[i]) << " on the device and " << ValueOf<double>(on_host(in[i]))
          << " on the host";
    }
    runner_.Clear();
  }
  template <typename T>
  void CheckAll() {
#define TFRT_CHECK(name, op) \
  Check<T>(#name, [](T x) { return Encode<T>(op::Apply(Decode(x), {}, {})); });
    TFRT_TRIGONOMETRY(TFRT_CHECK)
#undef TFRT_CHECK
  }

  template <typename T>
  void CheckClip() {
    const std::vector<T> in = SomeElements<T>(300);
    const T low = Cast<T>(f64{-2}), high = Cast<T>(f64{3});
    const auto size = static_cast<int64_t>(in.size());
    for (bool has_least : {false, true}) {
      for (bool has_most : {false, true}) {
        std::vector<T> expected = in;
        for (T& x : expected) {
          if (has_least && Decode(x) < Decode(low)) x = low;
          if (has_most && Decode(x) > Decode(high)) x = high;
        }
        // In place, in packs; and element by element, as the input is unaligned.
        std::vector<T> shifted = in;
        shifted.insert(shifted.begin(), in[0]);
        const Pointer least = has_least ? runner_.In<T>({low}) : Pointer();
        const Pointer most = has_most ? runner_.In<T>({high}) : Pointer();
        const Pointer x = runner_.In(in), y = runner_.Out<T>(in.size());
        const std::string name = "clip_" + TypeName<T>();
        ASSERT_TRUE(runner_.Run(name, ThreadsLaunch(size), x, x, least, most, size));
        ASSERT_TRUE(
            runner_.Run(name, {2, 256}, y, runner_.In(shifted) + sizeof(T), least, most, size));
        const std::vector<T> first = runner_.Read<T>(x), second = runner_.Read<T>(y);
        for (size_t i = 0; i < in.size(); ++i) {
          ASSERT_TRUE(IsSame(first[i], expected[i])) << name << ValueOf<double>(in[i]);
          ASSERT_TRUE(IsSame(second[i], expected[i])) << name << ValueOf<double>(in[i]);
        }
        runner_.Clear();
      }
    }
  }
};

TEST_F(TrigonometryKernelsTest, F16) { CheckAll<f16>(); }
TEST_F(TrigonometryKernelsTest, Bf16) { CheckAll<bf16>(); }
TEST_F(TrigonometryKernelsTest, F32) { CheckAll<f32>(); }
TEST_F(TrigonometryKernelsTest, F64) { CheckAll<f64>(); }

TEST_F(TrigonometryKernelsTest, Clip) {
  CheckClip<f16>();
  CheckClip<bf16>();
  CheckClip<f32>();
  CheckClip<f64>();
  CheckClip<i32>();
  CheckClip<i64>();
}

}  // namespace
}  // namespace tfrt::gpu
