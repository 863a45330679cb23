// Runs of a model: inputs, results, and whose memory they are.

#include "test/unit/model/test_model.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

// Counts requests.
class CountingAllocator : public HostAllocator {
 public:
  explicit CountingAllocator(size_t* requests) : requests_(requests) {}
  void* AllocateBytes(size_t size, size_t alignment) override {
    ++*requests_;
    return malloc_->AllocateBytes(size, alignment);
  }
  void DeallocateBytes(void* block, size_t size) override { malloc_->DeallocateBytes(block, size); }

 private:
  size_t* const requests_;
  std::unique_ptr<HostAllocator> malloc_ = CreateMallocAllocator();
};

class SessionTest : public testing::Test {
 protected:
  Session MakeSession(const TestModelBuilder& builder = TestModelBuilder()) {
    StatusOr<Model> model = Model::FromBytes(builder.Build(), host_.get());
    EXPECT_TRUE(model.ok()) << model.status().ToString();
    StatusOr<Session> session = Session::Create(*model);
    EXPECT_TRUE(session.ok()) << session.status().ToString();
    return *std::move(session);
  }
  DenseHostTensor Floats(const TensorShape& shape, const std::vector<float>& values) {
    return MakeFloats(*host_, shape, values);
  }
  size_t host_requests_ = 0;
  std::unique_ptr<HostContext> host_ =
      MakeTestHost("s", std::make_unique<CountingAllocator>(&host_requests_));
  DenseHostTensor x_ = Floats(TensorShape{1, 3}, {1, 2, 3});
  DenseHostTensor z_ = Floats(TensorShape{1, 1}, {0});
};

TEST_F(SessionTest, ByNameAndInOrder) {
  Session session = MakeSession();
  for (int round = 0; round < 2; ++round) {
    auto by_name = session.Run({{"z", z_}, {"x", x_}});
    ASSERT_TRUE(by_name.ok()) << by_name.status().ToString();
    ASSERT_EQ(by_name->size(), 2u);
    EXPECT_THAT(FloatsOf((*by_name)[0]), ElementsAre(12, 24, 36));
    EXPECT_THAT(FloatsOf((*by_name)[1]), ElementsAre(11, 22, 33));
    const DenseHostTensor* inputs[] = {&x_, &z_};
    auto in_order = session.RunInOrder(inputs);
    ASSERT_TRUE(in_order.ok());
    EXPECT_THAT(FloatsOf((*in_order)[0]), ElementsAre(12, 24, 36));
  }
  EXPECT_EQ(session.model().inputs().size(), 2u);
}

TEST_F(SessionTest, InputsThatAreNotTheModels) {
  Session session = MakeSession();
  auto error = [&](std::initializer_list<NamedTensor> inputs) {
    auto results = session.Run(inputs);
    EXPECT_EQ(results.status().code(), StatusCode::kInvalidArgument);
    return std::string(results.status().message());
  };
  EXPECT_EQ(error({{"x", x_}}), "input z is missing");
  EXPECT_EQ(error({{"x", x_}, {"q", x_}}), "the model has no input q: it has x, z");
  EXPECT_EQ(error({{"x", x_}, {"x", x_}}), "input x is given twice");
  DenseHostTensor wrong_size = Floats(TensorShape{1, 4}, {1, 2, 3, 4});
  EXPECT_EQ(error({{"x", wrong_size}, {"z", z_}}),
            "input x: expected f32 [batch,3], but got f32 [1,4]");
  EXPECT_EQ(error({{"x", Floats(TensorShape{3}, {1, 2, 3})}, {"z", z_}}),
            "input x: expected f32 [batch,3], but got f32 [3]");
  auto numbers =
      DenseHostTensor::CreateUninitialized({DType::kI64, TensorShape{1, 3}}, host_->allocator());
  EXPECT_EQ(error({{"x", *numbers}, {"z", z_}}),
            "input x: expected f32 [batch,3], but got i64 [1,3]");
  DenseHostTensor other_batch = Floats(TensorShape{2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(error({{"x", x_}, {"z", other_batch}}),
            "input z: expected f32 [batch,?], but got f32 [2,2], where batch is 1 in input x");
  const DenseHostTensor* one[] = {&x_};
  EXPECT_EQ(session.RunInOrder(one).status().message(),
            "the model takes 2 inputs, not 1: it has x, z");
  const DenseHostTensor* null[] = {&x_, nullptr};
  EXPECT_EQ(session.RunInOrder(null).status().message(), "input z is missing");
  DenseHostTensor moved = Floats(TensorShape{1, 1}, {0});
  std::move(moved).TakeBuffer();
  EXPECT_EQ(error({{"x", x_}, {"z", moved}}), "input z has been moved from");
  // The session is none the worse.
  EXPECT_TRUE(session.Run({{"x", x_}, {"z", z_}}).ok());
}

TEST_F(SessionTest, ErrorsOfKernels) {
  Session session = MakeSession(TestModelBuilder("t.fail"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(session.Run({{"x", x_}, {"z", z_}}).status(), InternalError("t.fail has failed"));
  }
}

TEST_F(SessionTest, RunsAtSizesThatWereSeenAskTheHostForNothing) {
  Session session = MakeSession();
  DenseHostTensor x2 = Floats(TensorShape{2, 3}, {1, 2, 3, 4, 5, 6});
  DenseHostTensor z2 = Floats(TensorShape{2, 1}, {0, 0});
  auto run = [&] {
    EXPECT_TRUE(session.Run({{"x", x_}, {"z", z_}}).ok());
    EXPECT_TRUE(session.Run({{"x", x2}, {"z", z2}}).ok());
  };
  run();
  run();
  const size_t before = host_requests_;
  const size_t counted = session.memory().host_requests;
  for (int i = 0; i < 5; ++i) run();
  EXPECT_EQ(host_requests_, before);
  EXPECT_EQ(session.memory().host_requests, counted);
  EXPECT_GT(session.memory().pool_bytes, 0u);
  EXPECT_GE(session.memory().pool_bytes, session.memory().arena_bytes);
}

TEST_F(SessionTest, MemoryOfTheCaller) {
  Session session = MakeSession();
  DenseHostTensor y = Floats(TensorShape{1, 3}, {0, 0, 0});
  DenseHostTensor same = Floats(TensorShape{1, 3}, {0, 0, 0});
  DenseHostTensor* outputs[] = {&y, &same};
  auto results = session.Run({{"x", x_}, {"z", z_}}, {.outputs = outputs});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(FloatsOf(y), ElementsAre(12, 24, 36));
  EXPECT_THAT(FloatsOf(same), ElementsAre(11, 22, 33));
  EXPECT_EQ((*results)[0].data(), y.data());

  EXPECT_EQ(session.Run({{"x", x_}, {"z", z_}}, {.outputs = std::span(outputs).first(1)}).status(),
            InvalidArgumentError("the model makes 2 outputs, but there is memory for 1"));
  DenseHostTensor small = Floats(TensorShape{1, 2}, {0, 0});
  DenseHostTensor* wrong[] = {&small, &same};
  EXPECT_EQ(
      session.Run({{"x", x_}, {"z", z_}}, {.outputs = wrong}).status(),
      InvalidArgumentError("output y is f32 [1, 3], but the memory given for it is f32 [1, 2]"));
  auto constant = DenseHostTensor::CreateFromBuffer(
      {DType::kF32, TensorShape{3}},
      HostBuffer::CreateFromConstant(kTestWeights, sizeof(kTestWeights)));
  DenseHostTensor* read_only[] = {&*constant, &same};
  EXPECT_EQ(session.Run({{"x", x_}, {"z", z_}}, {.outputs = read_only}).status(),
            InvalidArgumentError("output y: the memory given for it cannot be written"));
}

TEST_F(SessionTest, MemoryOfTheCallerForSomeResults) {
  Session session = MakeSession();
  DenseHostTensor same = Floats(TensorShape{1, 3}, {0, 0, 0});
  DenseHostTensor* outputs[] = {nullptr, &same};
  auto results = session.Run({{"x", x_}, {"z", z_}}, {.outputs = outputs});
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(12, 24, 36));
  EXPECT_THAT(FloatsOf(same), ElementsAre(11, 22, 33));
}

// An output that is an input would be overwritten before it is copied.
TEST_F(SessionTest, MemoryOfTheCallerIsNobodyElses) {
  Session session = MakeSession();
  auto error = [&](DenseHostTensor& y, DenseHostTensor& same) {
    DenseHostTensor* outputs[] = {&y, &same};
    return std::string(
        session.Run({{"x", x_}, {"z", z_}}, {.outputs = outputs}).status().message());
  };
  DenseHostTensor y = Floats(TensorShape{1, 3}, {0, 0, 0});
  EXPECT_EQ(error(x_, y), "output y: the memory given for it is that of input x");
  EXPECT_EQ(error(y, y), "output same: the memory given for it is that of output y");
  DenseHostTensor moved = Floats(TensorShape{1, 3}, {0, 0, 0});
  std::move(moved).TakeBuffer();
  EXPECT_EQ(error(y, moved), "output same: the memory given for it has been moved from");
  DenseHostTensor same = Floats(TensorShape{1, 3}, {0, 0, 0});
  EXPECT_EQ(error(y, same), "");
}

// y = (t.wait(x + w) + x) + x, where two sums are not results.
TestModelBuilder ModelWithAnArena(std::string op) {
  TestModelBuilder builder(std::move(op));
  bef::FunctionSpec& main = builder.main();
  uint32_t y =
      main.AddKernel({.name = "t.add", .operands = {main.returns[0], 0}, .result_types = {"t"}});
  main.returns = {y};
  main.signature->results.pop_back();
  return builder;
}

// What a run asked for until it broke off is no plan for the runs behind it.
TEST_F(SessionTest, RunsThatBreakOffLeaveNoPlan) {
  auto arena = [&](bool is_broken_off) {
    AsyncValueRef<Chain> closed = MakeUnconstructedAsyncValueRef<Chain>();
    gate = closed.GetAsyncValue();
    Session session = MakeSession(ModelWithAnArena("t.wait"));
    Status first;
    if (is_broken_off) {
      session.RunAsync({{"x", x_}, {"z", z_}}, [&](auto results) { first = results.status(); });
      session.Cancel();
    }
    closed.emplace(Chain());
    host_->Quiesce();
    EXPECT_EQ(first.ok(), !is_broken_off);
    for (int run = 0; run < 2; ++run) EXPECT_TRUE(session.Run({{"x", x_}, {"z", z_}}).ok());
    return session.memory().arena_bytes;
  };
  EXPECT_GT(arena(false), 0u);
  EXPECT_EQ(arena(true), arena(false));
}

// An output that is an input, a weight, or another output is a tensor of its own.
TEST_F(SessionTest, ResultsAreTheCallers) {
  TestModelBuilder builder;
  builder.main().returns = {0, 2};
  StatusOr<std::vector<DenseHostTensor>> results = InternalError("");
  {
    Session session = MakeSession(builder);
    results = session.Run({{"x", x_}, {"z", z_}});
    ASSERT_TRUE(results.ok());
    auto again = session.Run({{"x", x_}, {"z", z_}});
    EXPECT_NE((*again)[0].data(), (*results)[0].data());
  }
  // Session and model are gone.
  for (DenseHostTensor& tensor : *results) {
    EXPECT_NE(tensor.data(), x_.data());
    EXPECT_FALSE(tensor.is_read_only());
  }
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(1, 2, 3));
  EXPECT_THAT(FloatsOf((*results)[1]), ElementsAre(10, 20, 30));

  builder.main().returns = {3, 4};  // t.same shares its argument's buffer
  results = MakeSession(builder).Run({{"x", x_}, {"z", z_}});
  ASSERT_TRUE(results.ok());
  EXPECT_NE((*results)[0].data(), (*results)[1].data());
  EXPECT_THAT(FloatsOf((*results)[1]), ElementsAre(11, 22, 33));
}

TEST_F(SessionTest, InputsAreNotWritten) {
  Session session = MakeSession();
  auto constant = DenseHostTensor::CreateFromBuffer(
      {DType::kF32, TensorShape{1, 3}},
      HostBuffer::CreateFromConstant(kTestWeights, sizeof(kTestWeights)));
  auto results = session.Run({{"x", *constant}, {"z", z_}});
  ASSERT_TRUE(results.ok());
  EXPECT_THAT(FloatsOf((*results)[0]), ElementsAre(30, 60, 90));
}

TEST_F(SessionTest, MemoryRunsOut) {
  auto small = MakeTestHost("s", CreateFixedSizeAllocator(2000));
  host_.swap(small);
  std::optional<Session> session = MakeSession();
  const std::vector<float> many(300, 1);
  DenseHostTensor x =
      DenseHostTensor::CreateFromBuffer({DType::kF32, TensorShape{100, 3}},
                                        HostBuffer::CreateFromConstant(many.data(), 1200))
          .value();
  DenseHostTensor z =
      DenseHostTensor::CreateFromBuffer({DType::kF32, TensorShape{100, 1}},
                                        HostBuffer::CreateFromConstant(many.data(), 400))
          .value();
  EXPECT_EQ(session->Run({{"x", x}, {"z", z}}).status().code(), StatusCode::kResourceExhausted);
  session.reset();
  host_.swap(small);
}

}  // namespace
}  // namespace tfrt
