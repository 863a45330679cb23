#include "test/unit/kernels_tensor/kernel_runner.h"
#include "test/unit/tensor/test_tensors.h"

namespace tfrt {
namespace {

class CooKernelsTest : public testing::Test {
 protected:
  template <typename T>
  Values ToCoo(const std::string& suffix, TensorShape shape, const std::vector<T>& elements) {
    auto dense = runner_.Tensor<T>(std::move(shape), elements);
    return runner_.Run("coo.convert_dht_to_coo." + suffix, {dense, ChainValue()}, 2);
  }
  bool Equal(const std::string& suffix, const Values& a, const Values& b) {
    return runner_.Run("coo.tensor_equal." + suffix, {a[0], b[0], ChainValue()}, 2)[0]->get<bool>();
  }
  static Values Own(StatusOr<CooHostTensor> coo) {
    return {MakeAvailableAsyncValueRef<CooHostTensor>(*std::move(coo)).ReleaseRCRef()};
  }

  KernelRunner runner_;
};

// The indices are those of the reversed shape; back from there everything is in its place again.
TEST_F(CooKernelsTest, ConvertsBackAndForth) {
  const std::vector<float> elements = {0, 3.5f, 0, 0, 0, -1};
  Values coo = ToCoo<float>("f32.2", {2, 3}, elements);
  EXPECT_EQ(coo[0]->get<CooHostTensor>().ToString(),
            "CooHostTensor dtype = f32, shape = [2, 3], indices = [0, 1, 2, 1], values = "
            "[3.500000e+00, -1.000000e+00]\n");
  Values dense = runner_.Run("coo.convert_coo_to_dht.f32.2", {coo[0], ChainValue()}, 2);
  EXPECT_EQ(dense[0]->get<DenseHostTensor>().shape(), (TensorShape{2, 3}));
  EXPECT_EQ(Elements<float>(dense[0]), elements);
}

TEST_F(CooKernelsTest, EveryRank) {
  for (const char* dtype : {"i32", "f32"}) {
    for (int rank = 0; rank <= 3; ++rank) {
      TensorShape shape = *TensorShape::Create(std::vector<int64_t>(rank, 1));
      std::string suffix = std::string(dtype) + "." + std::to_string(rank);
      Values coo =
          *dtype == 'i' ? ToCoo<int32_t>(suffix, shape, {4}) : ToCoo<float>(suffix, shape, {4});
      EXPECT_EQ(coo[0]->get<CooHostTensor>().num_values(), 1u);
      EXPECT_TRUE(Equal(suffix, coo, coo));
      Values dense = runner_.Run("coo.convert_coo_to_dht." + suffix, {coo[0], ChainValue()}, 2);
      EXPECT_EQ(dense[0]->get<DenseHostTensor>().shape(), shape);
    }
  }
}

TEST_F(CooKernelsTest, ComparesPlacesAndValues) {
  Values a = ToCoo<float>("f32.1", {3}, {0, 1, 2});
  EXPECT_TRUE(Equal("f32.1", a, ToCoo<float>("f32.1", {3}, {0, 1.0000001f, 2})));
  EXPECT_FALSE(Equal("f32.1", a, ToCoo<float>("f32.1", {3}, {0, 1.001f, 2})));
  EXPECT_FALSE(Equal("f32.1", a, ToCoo<float>("f32.1", {3}, {1, 0, 2})));
  EXPECT_FALSE(Equal("f32.1", a, ToCoo<float>("f32.1", {3}, {1, 0, 0})));
  EXPECT_FALSE(Equal("f32.1", a, ToCoo<float>("f32.1", {4}, {0, 1, 2, 0})));
  // The same element under two names.
  Values reversed = ToCoo<float>("f32.2", {2, 3}, {0, 0, 0, 0, 0, 7});
  EXPECT_TRUE(Equal("f32.2", reversed, Own(MakeCoo<float>(TensorShape{2, 3}, {1, 2}, {7}))));
  EXPECT_FALSE(Equal("f32.2", reversed, Own(MakeCoo<float>(TensorShape{2, 3}, {1, 1}, {7}))));
}

TEST_F(CooKernelsTest, ChecksTheTypeInTheName) {
  auto error = [](const Values& results) { return std::string(results[0]->GetError().message()); };
  EXPECT_EQ(error(ToCoo<int32_t>("f32.1", {1}, {1})),
            "the tensor to convert is a tensor of i32, expected f32");
  EXPECT_EQ(error(ToCoo<float>("f32.2", {1}, {1})),
            "the tensor to convert has the shape [1], expected rank 2");
  Values a = ToCoo<float>("f32.1", {1}, {1});
  EXPECT_EQ(error(runner_.Run("coo.tensor_equal.i32.1", {a[0], a[0], ChainValue()}, 2)),
            "the compared tensor is a tensor of f32, expected i32");
  EXPECT_EQ(error(runner_.Run("coo.convert_coo_to_dht.f32.3", {a[0], ChainValue()}, 2)),
            "the tensor to convert has the shape [1], expected rank 3");
}

}  // namespace
}  // namespace tfrt
