// What runs ask the heap for: a few small blocks, the same ones each time, whatever the tensors'
// sizes. (Tensors come of the host's allocator, which session_test.cc counts.)

#include <algorithm>
#include <cstdlib>
#include <new>

#include "test/unit/model/test_model.h"

namespace {
// The tests have one thread.
constinit size_t num_requests = 0, largest_request = 0;
}  // namespace

void* operator new(size_t size) {
  ++num_requests;
  largest_request = std::max(largest_request, size);
  if (void* block = std::malloc(size != 0 ? size : 1)) return block;
  std::abort();
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }

namespace tfrt {
namespace {

class AllocationsTest : public testing::Test {
 protected:
  // y = relu(x + w) + x.
  Session MakeSession(bool has_fixed_sizes) {
    TestModelBuilder builder("graph.relu");
    if (has_fixed_sizes) {
      for (bef::SignatureValue& input : builder.main().signature->inputs) {
        input.dims->front() = {.size = kRows};
      }
    }
    return *Session::Create(*Model::FromBytes(builder.Build(), host_.get()));
  }
  // What a run asks for.
  size_t Count(Session& session, int64_t rows) {
    const std::vector<float> ones(static_cast<size_t>(3 * rows), 1);
    DenseHostTensor x = MakeFloats(*host_, TensorShape{rows, 3}, ones);
    const DenseHostTensor* inputs[] = {&x, &x};
    num_requests = largest_request = 0;
    EXPECT_TRUE(session.RunInOrder(inputs).ok());
    return num_requests;
  }

  static constexpr int64_t kRows = 10000;
  static constexpr size_t kLargest = 2048;  // bytes, far less than a tensor has
  std::unique_ptr<HostContext> host_ = MakeTestHost();
};

TEST_F(AllocationsTest, OfFixedSizes) {
  Session session = MakeSession(/*has_fixed_sizes=*/true);
  for (int run = 0; run < 2; ++run) Count(session, kRows);
  const size_t count = Count(session, kRows);
  EXPECT_LT(largest_request, kLargest);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(Count(session, kRows), count);
}

TEST_F(AllocationsTest, OfSizesThatWereSeen) {
  Session session = MakeSession(/*has_fixed_sizes=*/false);
  auto count_both = [&] {
    std::vector<size_t> counts;
    for (int64_t rows : {1, 2}) {
      const size_t count = Count(session, rows * kRows);
      EXPECT_LT(largest_request, kLargest);
      counts.push_back(count);
    }
    return counts;
  };
  for (int64_t rows : {1, 2, 1, 2}) Count(session, rows * kRows);
  const std::vector<size_t> counts = count_both();
  EXPECT_EQ(count_both(), counts);
}

}  // namespace
}  // namespace tfrt
