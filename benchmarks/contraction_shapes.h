// The matrix products and convolutions of some networks.
#ifndef TFRT_BENCHMARKS_CONTRACTION_SHAPES_H_
#define TFRT_BENCHMARKS_CONTRACTION_SHAPES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace tfrt::bench {

// out [batch,m,n] = a [batch,m,k] * b [batch,k,n].
struct MatMulShape {
  std::string name;
  int64_t batch, m, n, k;
  double flops() const { return 2.0 * batch * m * n * k; }
};

// image [1,size,size,in_channels], filter [filter,filter,in_channels,out_channels], the same stride
// and padding on all sides.
struct ConvolutionShape {
  std::string name;
  int64_t size, in_channels, out_channels, filter, stride, padding;
  int64_t out_size() const { return (size + 2 * padding - filter) / stride + 1; }
  double flops() const {
    return 2.0 * out_size() * out_size() * out_channels * in_channels * filter * filter;
  }
};

inline std::vector<MatMulShape> MatMulShapes() {
  return {
      {"BERT query, key, value", 1, 128, 768, 768}, {"BERT intermediate", 1, 128, 3072, 768},
      {"BERT output", 1, 128, 768, 3072},           {"BERT attention scores", 12, 128, 128, 64},
      {"BERT attention context", 12, 128, 64, 128}, {"BERT pooler", 1, 1, 768, 768},
      {"ResNet-50 classifier", 1, 1, 1000, 2048},   {"LeNet-5 fc1, batch 1", 1, 1, 120, 400},
      {"LeNet-5 fc2, batch 1", 1, 1, 84, 120},      {"LeNet-5 fc3, batch 1", 1, 1, 10, 84},
      {"LeNet-5 fc1, batch 64", 1, 64, 120, 400},   {"LeNet-5 fc2, batch 64", 1, 64, 84, 120},
      {"LeNet-5 fc3, batch 64", 1, 64, 10, 84},
  };
}

inline std::vector<ConvolutionShape> ConvolutionShapes() {
  return {
      {"LeNet-5 conv1", 28, 1, 6, 5, 1, 2},
      {"LeNet-5 conv2", 14, 6, 16, 5, 1, 0},
      {"ResNet-50 conv1", 224, 3, 64, 7, 2, 3},
      {"ResNet-50 conv2 64 1x1 64", 56, 64, 64, 1, 1, 0},
      {"ResNet-50 conv2 64 3x3 64", 56, 64, 64, 3, 1, 1},
      {"ResNet-50 conv2 64 1x1 256", 56, 64, 256, 1, 1, 0},
      {"ResNet-50 conv2 256 1x1 64", 56, 256, 64, 1, 1, 0},
      {"ResNet-50 conv3 256 1x1 128", 56, 256, 128, 1, 1, 0},
      {"ResNet-50 conv3 128 3x3/2 128", 56, 128, 128, 3, 2, 1},
      {"ResNet-50 conv3 128 1x1 512", 28, 128, 512, 1, 1, 0},
      {"ResNet-50 conv3 256 1x1/2 512", 56, 256, 512, 1, 2, 0},
      {"ResNet-50 conv3 512 1x1 128", 28, 512, 128, 1, 1, 0},
      {"ResNet-50 conv3 128 3x3 128", 28, 128, 128, 3, 1, 1},
      {"ResNet-50 conv4 512 1x1 256", 28, 512, 256, 1, 1, 0},
      {"ResNet-50 conv4 256 3x3/2 256", 28, 256, 256, 3, 2, 1},
      {"ResNet-50 conv4 256 1x1 1024", 14, 256, 1024, 1, 1, 0},
      {"ResNet-50 conv4 512 1x1/2 1024", 28, 512, 1024, 1, 2, 0},
      {"ResNet-50 conv4 1024 1x1 256", 14, 1024, 256, 1, 1, 0},
      {"ResNet-50 conv4 256 3x3 256", 14, 256, 256, 3, 1, 1},
      {"ResNet-50 conv5 1024 1x1 512", 14, 1024, 512, 1, 1, 0},
      {"ResNet-50 conv5 512 3x3/2 512", 14, 512, 512, 3, 2, 1},
      {"ResNet-50 conv5 512 1x1 2048", 7, 512, 2048, 1, 1, 0},
      {"ResNet-50 conv5 1024 1x1/2 2048", 14, 1024, 2048, 1, 2, 0},
      {"ResNet-50 conv5 2048 1x1 512", 7, 2048, 512, 1, 1, 0},
      {"ResNet-50 conv5 512 3x3 512", 7, 512, 512, 3, 1, 1},
  };
}

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_CONTRACTION_SHAPES_H_
