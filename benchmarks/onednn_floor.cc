#include "onednn_floor.h"

#include <omp.h>

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

namespace tfrt::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

constexpr auto kF32 = memory::data_type::f32;

struct Call {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;

  void Add(int argument, const memory::desc& layout) {
    memory made(layout, engine);
    auto* data = static_cast<float*>(made.get_data_handle());
    for (size_t i = 0; i < layout.get_size() / sizeof(float); ++i) {
      data[i] = static_cast<float>(i % 7) - 3;
    }
    arguments.insert({argument, made});
  }
  template <typename Desc>
  static std::function<void()> Make(std::shared_ptr<Call> call, const Desc& desc) {
    call->Add(DNNL_ARG_SRC, desc.src_desc());
    call->Add(DNNL_ARG_WEIGHTS, desc.weights_desc());
    call->Add(DNNL_ARG_DST, desc.dst_desc());
    call->Add(DNNL_ARG_SCRATCHPAD, desc.scratchpad_desc());
    return [call] { call->primitive.execute(call->stream, call->arguments); };
  }
};

dnnl::primitive_attr UserScratchpad() {
  omp_set_num_threads(1);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

}  // namespace

std::function<void()> OneDnnMatMul(const MatMulShape& s, bool packed) {
  auto call = std::make_shared<Call>();
  dnnl::primitive_attr attributes = UserScratchpad();
  auto desc = [&](int64_t rows, int64_t columns, Tag two, Tag three) {
    return s.batch == 1 ? memory::desc({rows, columns}, kF32, two)
                        : memory::desc({s.batch, rows, columns}, kF32, three);
  };
  dnnl::matmul::desc operation(
      desc(s.m, s.k, Tag::ab, Tag::abc),
      desc(s.k, s.n, packed ? Tag::any : Tag::ab, packed ? Tag::any : Tag::abc),
      desc(s.m, s.n, Tag::ab, Tag::abc));
  dnnl::matmul::primitive_desc chosen(operation, attributes, call->engine);
  call->primitive = dnnl::matmul(chosen);
  return Call::Make(call, chosen);
}

std::function<void()> OneDnnConvolution(const ConvolutionShape& s, bool packed) {
  auto call = std::make_shared<Call>();
  dnnl::primitive_attr attributes = UserScratchpad();
  memory::desc in({1, s.in_channels, s.size, s.size}, kF32, packed ? Tag::any : Tag::nhwc);
  memory::desc filter({s.out_channels, s.in_channels, s.filter, s.filter}, kF32,
                      packed ? Tag::any : Tag::hwio);
  memory::desc out({1, s.out_channels, s.out_size(), s.out_size()}, kF32,
                   packed ? Tag::any : Tag::nhwc);
  memory::dims padding = {s.padding, s.padding};
  dnnl::convolution_forward::desc operation(dnnl::prop_kind::forward_inference,
                                            dnnl::algorithm::convolution_direct, in, filter, out,
                                            {s.stride, s.stride}, padding, padding);
  dnnl::convolution_forward::primitive_desc chosen(operation, attributes, call->engine);
  call->primitive = dnnl::convolution_forward(chosen);
  return Call::Make(call, chosen);
}

}  // namespace tfrt::bench
