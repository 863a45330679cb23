#include "lib/serve/models/batch_rows.h"

#include "test/unit/model/test_model.h"

namespace tfrt::serve {
namespace {

using testing::ElementsAre;

class BatchRowsTest : public testing::Test {
 protected:
  Model Load(const TestModelBuilder& builder) {
    StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get());
    EXPECT_TRUE(model.ok()) << model.status().ToString();
    return *std::move(model);
  }
  // The first dimension of one of the model's inputs or results.
  static bef::SignatureDim& First(std::vector<bef::SignatureValue>& values, size_t index) {
    return values[index].dims->front();
  }

  std::unique_ptr<HostContext> host_ = MakeTestHost();
};

TEST_F(BatchRowsTest, RowsNeedOpenFirstDimensions) {
  TestModelBuilder builder;
  EXPECT_TRUE(CheckHasRows(Load(builder)).ok());
  EXPECT_TRUE(HasNamedRows(Load(builder)));
  First(builder.main().signature->inputs, 1) = {.size = 2};
  EXPECT_EQ(CheckHasRows(Load(builder)),
            InvalidArgumentError("input z is f32 [2,?]: its first dimension is not open"));
  EXPECT_FALSE(HasNamedRows(Load(builder)));

  TestModelBuilder scalar;
  scalar.main().signature->results[1].dims->clear();
  EXPECT_EQ(CheckHasRows(Load(scalar)),
            InvalidArgumentError("result same is f32 []: its first dimension is not open"));
}

TEST_F(BatchRowsTest, NamesTellBatchesFromSequences) {
  TestModelBuilder builder;
  const auto name_all = [&](const char* name) {
    for (size_t i : {0, 1}) {
      First(builder.main().signature->inputs, i).symbol = name;
      First(builder.main().signature->results, i).symbol = name;
    }
    return HasNamedRows(Load(builder));
  };
  EXPECT_TRUE(name_all("N"));
  EXPECT_TRUE(name_all("Batch_Size"));
  EXPECT_FALSE(name_all("sequence"));
  EXPECT_TRUE(name_all("batch"));
  First(builder.main().signature->results, 1).symbol = "batch2";
  EXPECT_FALSE(HasNamedRows(Load(builder)));
}

TEST_F(BatchRowsTest, JoinedRowsAreTakenApart) {
  const DenseHostTensor a = MakeFloats(*host_, TensorShape{2, 2}, {1, 2, 3, 4});
  const DenseHostTensor none = MakeFloats(*host_, TensorShape{0, 2}, {});
  const DenseHostTensor b = MakeFloats(*host_, TensorShape{1, 2}, {5, 6});
  const DenseHostTensor* parts[] = {&a, &none, &b};
  StatusOr<DenseHostTensor> joined = JoinRows(parts, host_->allocator());
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ(joined->shape(), (TensorShape{3, 2}));
  EXPECT_THAT(FloatsOf(*joined), ElementsAre(1, 2, 3, 4, 5, 6));

  StatusOr<DenseHostTensor> rows = TakeRows(*joined, 1, 2);
  ASSERT_TRUE(rows.ok());
  EXPECT_THAT(FloatsOf(*rows), ElementsAre(3, 4, 5, 6));
  EXPECT_EQ(rows->data(), static_cast<const float*>(joined->data()) + 2);
  EXPECT_EQ(TakeRows(*joined, 3, 0)->num_elements(), 0);
  EXPECT_EQ(TakeRows(*joined, 2, 2).status(),
            InternalError("a result has the shape [3, 2], and no rows up to 4"));
}

TEST_F(BatchRowsTest, OnlyTheFirstDimensionMayDiffer) {
  const DenseHostTensor a = MakeFloats(*host_, TensorShape{2, 1}, {1, 2});
  const DenseHostTensor b = MakeFloats(*host_, TensorShape{1, 1}, {1});
  const DenseHostTensor c = MakeFloats(*host_, TensorShape{1, 2}, {1, 2});
  const DenseHostTensor* first[] = {&a, &a};
  const DenseHostTensor* same[] = {&b, &a};
  const DenseHostTensor* other[] = {&b, &c};
  EXPECT_TRUE(CanShareRun(first, same));
  EXPECT_FALSE(CanShareRun(first, other));
}

}  // namespace
}  // namespace tfrt::serve
