// The quick way of ops: the same result as the op's function, or no result.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "host_op_runner.h"
#include "lib/ops/op_call/quick_op.h"

namespace tfrt {
namespace {

class QuickOpsTest : public ::testing::Test {
 protected:
  // What the quick way makes of two tensors; null if it is not for them.
  RCReference<AsyncValue> Quick(const OpDefinition& op, const TensorHandle& a,
                                const TensorHandle& b, uint64_t last_uses = 0) {
    AsyncValue* arguments[] = {a.async_tensor(), b.async_tensor()};
    return RunQuickOp(op, arguments, last_uses, runner_.host().allocator());
  }
  std::vector<const OpDefinition*> QuickOps() {
    std::vector<const OpDefinition*> ops;
    for (const OpDefinition& op : runner_.ops().ops()) {
      if (op.quick) ops.push_back(&op);
    }
    return ops;
  }
  template <typename T>
  TensorHandle Random(const TensorShape& shape) {
    std::vector<T> elements(static_cast<size_t>(shape.num_elements()));
    for (T& element : elements) element = static_cast<T>(1 + random_() % 1000) / T(3);
    return runner_.Dense(shape, elements);
  }

  HostOpRunner runner_;
  std::mt19937 random_{1};
};

TEST_F(QuickOpsTest, GivesTheBitsOfTheFunction) {
  ASSERT_EQ(QuickOps().size(), 4u);
  const TensorShape shapes[] = {{}, {1}, {0}, {8}, {2, 3}, {2, 1, 4}};
  for (const OpDefinition* op : QuickOps()) {
    for (const TensorShape& shape : shapes) {
      TensorHandle a = Random<float>(shape), b = Random<float>(shape);
      RCReference<AsyncValue> quick = Quick(*op, a, b);
      ASSERT_TRUE(quick) << op->name << " " << shape.ToString();
      TensorHandle full = runner_.Run1(op->name, {a, b});
      const auto& x = quick->get<DenseHostTensor>();
      const auto& y = DenseOf(full);
      EXPECT_EQ(x.metadata(), y.metadata());
      EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size_bytes()), 0) << op->name;
    }
  }
}

TEST_F(QuickOpsTest, ReusesArgumentsThatNobodyElseHolds) {
  for (const OpDefinition* op : QuickOps()) {
    for (uint64_t last_uses = 0; last_uses < 4; ++last_uses) {
      for (bool is_shared : {false, true}) {
        TensorHandle a = Random<float>({3}), b = Random<float>({3});
        TensorHandle a_shared, b_shared;
        if (is_shared) a_shared = a, b_shared = b;
        TensorHandle full = runner_.Run1(op->name, {a, b});
        const int reused = is_shared || last_uses == 0 ? -1 : last_uses & 1 ? 0 : 1;
        RCReference<AsyncValue> quick = Quick(*op, a, b, last_uses);
        ASSERT_TRUE(quick);
        EXPECT_EQ(quick.get() == a.async_tensor(), reused == 0);
        EXPECT_EQ(quick.get() == b.async_tensor(), reused == 1);
        EXPECT_EQ(std::memcmp(quick->get<DenseHostTensor>().data(), DenseOf(full).data(), 12), 0);
      }
    }
  }
}

TEST_F(QuickOpsTest, LeavesOtherCallsToTheFunction) {
  for (const OpDefinition* op : QuickOps()) {
    EXPECT_FALSE(Quick(*op, Random<float>({9}), Random<float>({9}))) << "many elements";
    EXPECT_FALSE(Quick(*op, Random<float>({2}), Random<float>({1}))) << "broadcast";
    EXPECT_FALSE(Quick(*op, Random<int32_t>({2}), Random<int32_t>({2}))) << "integers";
    EXPECT_FALSE(Quick(*op, Random<float>({2}), Random<double>({2}))) << "mixed";
    TensorHandle scalar = runner_.Scalar<float>({}, 1.0f);
    EXPECT_FALSE(Quick(*op, scalar, scalar)) << "scalar tensors";
  }
}

}  // namespace
}  // namespace tfrt
