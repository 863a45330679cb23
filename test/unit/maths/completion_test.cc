// What completion.h promises of operands: their tensors may go before the output is written, their
// memory is let go before anybody hears of it.

#include <functional>

#include "lib/ops/maths/contraction/convolution.h"
#include "lib/ops/maths/contraction/matmul.h"
#include "lib/ops/maths/elementwise.h"
#include "lib/ops/maths/normalization.h"
#include "lib/ops/maths/tensor/conv_gradients.h"
#include "test/unit/maths/maths_fixture.h"

namespace tfrt::maths {
namespace {

class CompletionTest : public MathsTest {
 protected:
  // Calls fn(output) with workers held; then all tensors are gone, and the work begins. Expects
  // `expected` everywhere in the output, and the memory of all `num_inputs` gone by then.
  void Check(TensorShape shape, int num_inputs, float expected,
             std::function<Completion(DenseHostTensor& out)> fn) {
    std::vector<float> out(shape.num_elements());
    HoldWorkers();
    AsyncValueRef<Chain> done;
    {
      auto buffer = HostBuffer::CreateFromExternal(out.data(), out.size() * sizeof(float), nullptr);
      DenseHostTensor tensor =
          *DenseHostTensor::CreateFromBuffer({DType::kF32, shape}, std::move(buffer));
      Completion completion = fn(tensor);
      ASSERT_TRUE(completion.ok()) << completion.status().message();
      done = *std::move(completion);
    }
    ASSERT_FALSE(done.IsAvailable()) << "the test needs work for several threads";
    EXPECT_EQ(freed(), 0);
    Release();
    host_.Await({{done.GetAsyncValue()}});
    EXPECT_FALSE(done.IsError());
    EXPECT_EQ(freed(), num_inputs);
    for (float element : out) ASSERT_EQ(element, expected);
  }
};

TEST_F(CompletionTest, ElementwiseOperands) {
  constexpr int64_t kSize = 1 << 17;
  Check({kSize}, 2, 5, [&](DenseHostTensor& out) {
    const DenseHostTensor a = Watched({kSize}, 2), b = Watched({kSize}, 3);
    return Elementwise(ElementwiseOp::kAdd, DType::kF32, {&a, &b}, out, exec_ctx_);
  });
}

TEST_F(CompletionTest, NormalizationOperands) {
  Check({1024, 256}, 5, 7, [&](DenseHostTensor& out) {
    return BatchNorm(Watched({1024, 256}, 2), Watched({256}, 3), Watched({256}, 1),
                     Watched({256}, 0), Watched({256}, 1), 0, out, exec_ctx_);
  });
}

TEST_F(CompletionTest, MatMulOperands) {
  Check({256, 256}, 3, 260, [&](DenseHostTensor& out) {
    DenseHostTensor bias = Watched({256}, 4);
    return MatMul(Watched({256, 256}, 1), Watched({256, 256}, 1), &bias, out, {}, exec_ctx_);
  });
}

TEST_F(CompletionTest, FusedMatMulOperands) {
  Check({256, 256}, 3, 6, [&](DenseHostTensor& out) {
    return FusedMatMul(Watched({256, 256}, 1), Watched({256, 256}, 1), Watched({256}, 4),
                       MatMulFusion::kRelu6, out, {}, exec_ctx_);
  });
}

TEST_F(CompletionTest, PackedMatrix) {
  std::weak_ptr<const void> packed_memory;
  Check({256, 256}, 1, 256, [&](DenseHostTensor& out) -> Completion {
    StatusOr<PackedMatrix> packed = PackMatrix(Watched({256, 256}, 1), 256, false, exec_ctx_);
    if (!packed.ok()) return packed.status();
    freed_ = 0;  // packing copies
    packed_memory = packed->state;
    Completion done = MatMul(Watched({256, 256}, 1), *packed, nullptr, out, {}, exec_ctx_);
    packed->state.reset();
    EXPECT_FALSE(packed_memory.expired());
    return done;
  });
  EXPECT_TRUE(packed_memory.expired());
}

TEST_F(CompletionTest, BatchMatMulOperands) {
  Check({8, 128, 128}, 2, 64, [&](DenseHostTensor& out) {
    return BatchMatMul(0.5f, Watched({8, 128, 128}, 1), Watched({8, 128, 128}, 1), false, false,
                       out, exec_ctx_);
  });
}

Conv2dGeometry PointwiseGeometry() {
  const int64_t ones[] = {1, 1};
  return *Conv2dGeometry::Create({8, 32, 32, 64}, {1, 1, 64, 32}, ones, "valid");
}

TEST_F(CompletionTest, ConvolutionOperands) {
  Check({8, 32, 32, 32}, 2, 64, [&](DenseHostTensor& out) {
    return Conv2d(PointwiseGeometry(), Watched({8, 32, 32, 64}, 1), Watched({1, 1, 64, 32}, 1),
                  ConvTail(), out, exec_ctx_);
  });
}

TEST_F(CompletionTest, NormalizedConvolutionOperands) {
  const DenseHostTensor one = Tensor<float>({32}, std::vector<float>(32, 1));
  const DenseHostTensor zero = Tensor<float>({32}, std::vector<float>(32, 0));
  Check({8, 32, 32, 32}, 2, 65, [&](DenseHostTensor& out) {
    const Conv2dBatchNorm norm{one, one, zero, one, 0, true};
    return Conv2d(PointwiseGeometry(), Watched({8, 32, 32, 64}, 1), Watched({1, 1, 64, 32}, 1),
                  norm, out, exec_ctx_);
  });
}

TEST_F(CompletionTest, ConvolutionGradientOperands) {
  const int64_t ones[] = {1, 1};
  Check({1, 1, 16, 16}, 2, 32 * 32 * 8, [&](DenseHostTensor& out) {
    return Conv2dFilterGrad(Watched({8, 32, 32, 16}, 1), Watched({8, 32, 32, 16}, 1), "valid", ones,
                            out, exec_ctx_);
  });
}

// Errors of operands are the caller's to report.
TEST_F(CompletionTest, ErrorsAreNotReported) {
  DenseHostTensor out = Tensor<float>({2, 2}, {});
  const DenseHostTensor in = Tensor<float>({3}, {});
  EXPECT_EQ(Error(Elementwise(ElementwiseOp::kExp, DType::kF32, {&in}, out, exec_ctx_)),
            "exp: the output has the shape [2, 2], expected [3]");
  EXPECT_EQ(Error(MatMul(Tensor<float>({2, 3}, {}), Tensor<float>({2, 2}, {}), nullptr, out, {},
                         exec_ctx_)),
            "MatMul input tensors inner dimension mismatch: [2, 3] vs. [2, 2]");
  EXPECT_EQ(reported_, "");
}

}  // namespace
}  // namespace tfrt::maths
