// Each row on a GPU, or its double, with each dtype of the device code that no case of NumPy has.
// Arguments of a case become numbers of that dtype; the same row on the CPU tells the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "gpu/ops/gpu_ops.h"
#include "test/gpu/unit/ops/numpy_case_test.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using eager::HostArray;
using eager::Scope;
using eager::Tensor;

// Dtypes that the CPU has and GPUs do not. NumpyOpsTest has powers of integers.
constexpr std::string_view kNotOnGpus[] = {"ceil i32",
                                           "ceil i64",
                                           "conv i64",
                                           "floor i32",
                                           "floor i64",
                                           "reduce_l2 i32",
                                           "reduce_l2 i64",
                                           "reduce_log_sum i32",
                                           "reduce_log_sum i64",
                                           "reduce_log_sum_exp i32",
                                           "reduce_log_sum_exp i64"};

// The host has no such ops; see the tests below.
constexpr std::string_view kWithoutHost[] = {
    "attention",          "constant",         "conv_integer",  "conv_transpose",
    "fused_batch_matmul", "fused_batch_norm", "matmul_integer"};

class DTypeRowsTest : public NumpyCaseTest {
 protected:
  void SetUp() override {
    Init({.soft_placement = false});
    for (const char* family : AllNumpyFamilies()) {
      for (const NumpyOpCase& each : NumpyOpCase::ReadAll(family)) {
        Call call = {.op = FindEagerOp(each.op, *context_), .arguments = each.arguments};
        if (!call.op || !FindGpuOp(*call.op->description)) continue;
        Row& row = rows_[call.op->description->name];
        for (size_t i = 0; i < each.arguments.size(); ++i) {
          if (!call.IsHostValue(i)) row.dtypes.insert(each.arguments[i].metadata.dtype);
        }
        for (const NumpyOpCase::Result& result : each.results) {
          row.dtypes.insert(result.tensor.metadata.dtype);
          call.tolerances.push_back({result.rtol, result.atol});
        }
        call.set_attrs = [each](OpAttrs& attrs) { SetAttrs(each, attrs); };
        row.calls.push_back(std::move(call));
      }
    }
    AddCallsThatNumpyLacks();
  }

  using Attributes = std::function<void(OpAttrs& attrs)>;
  struct Call {
    const OpDefinition* op = nullptr;
    std::vector<NumpyCaseTensor> arguments;
    Attributes set_attrs;
    std::vector<std::pair<float, float>> tolerances;  // of the results: rtol, atol

    bool IsHostValue(size_t i) const { return op->description->is_host_value(i, arguments.size()); }
    size_t size_bytes() const {
      size_t size = 0;
      for (const NumpyCaseTensor& each : arguments) size += each.bytes.size();
      return size;
    }
    // Of the arguments that the device computes with: like the first of them.
    DType dtype() const {
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (!IsHostValue(i)) return arguments[i].metadata.dtype;
      }
      return DType::kUnsupported;
    }
    bool HasElements() const {
      return std::ranges::all_of(arguments, [](const NumpyCaseTensor& each) {
        return each.metadata.shape.rank() == 0 || each.metadata.shape.num_elements() > 1;
      });
    }
  };
  struct Row {
    std::vector<Call> calls;
    std::set<DType> dtypes;  // of NumPy's cases
  };

  // The smallest call of f32 with elements; if there is none, another one.
  static const Call& Base(const Row& row) {
    return *std::ranges::min_element(row.calls, {}, [](const Call& call) {
      return std::tuple(!call.HasElements(), call.dtype() != DType::kF32, call.size_bytes());
    });
  }

  // The same call with other numbers.
  Call With(DType dtype, const Call& base) {
    Call call = base;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      if (!call.IsHostValue(i) && call.arguments[i].metadata.dtype == base.dtype()) {
        call.arguments[i] = As(dtype, call.arguments[i]);
      }
    }
    return call;
  }
  NumpyCaseTensor As(DType dtype, const NumpyCaseTensor& from) {
    Scope scope(*context_, {.device = "cpu:0"});
    return Elements(eager::Cast(ArrayOf(from), dtype));
  }
  static NumpyCaseTensor Elements(const Tensor& tensor) {
    auto elements = tensor.HostElements(Location());
    EXPECT_TRUE(elements.ok()) << elements.status().message();
    if (!elements.ok()) return {};
    return {(*elements)->metadata(),
            {static_cast<const char*>((*elements)->data()), (*elements)->size_bytes()}};
  }

  StatusOr<std::vector<Tensor>> Run(const char* device, const Call& call) {
    Scope scope(*context_, {.device = device});
    OpAttrs attrs;
    if (call.set_attrs) call.set_attrs(attrs);
    return Execute(*call.op, call.arguments, attrs, call.tolerances.size(), device);
  }

  // Runs the call on both devices, and compares. Sets `is_on_gpu` and `is_on_cpu`.
  void Compare(const Call& call, DType dtype, bool* is_on_gpu, bool* is_on_cpu) {
    auto host = Run("cpu:0", call), gpu = Run("gpu:0", call);
    *is_on_cpu = host.ok();
    *is_on_gpu = gpu.ok();
    if (!gpu.ok()) return;
    // The numbers as f32: exact for f16 and bf16, close enough for the small ones of the others.
    const bool by_f32 = !host.ok();
    if (by_f32) host = Run("cpu:0", With(DType::kF32, call));
    ASSERT_TRUE(host.ok()) << host.status().message();
    for (size_t i = 0; i < host->size(); ++i) {
      NumpyOpCase::Result expected = {call.tolerances[i].first, call.tolerances[i].second,
                                      Elements((*host)[i])};
      if (by_f32 && expected.tensor.metadata.dtype == DType::kF32) {
        expected.tensor = As(dtype, expected.tensor);
        expected.rtol = LastDigits(DType::kF32);
      }
      ExpectResult(expected, (*gpu)[i], MovesElements(*call.op->description));
    }
  }

  std::map<std::string_view, Row> rows_;

  static NumpyCaseTensor Of(std::vector<int64_t> dims) {
    // 0, 3, -2, 1, ..., in no order that a mistake would keep.
    HostArray array = [&] {
      int64_t count = 1;
      for (int64_t dim : dims) count *= dim;
      std::vector<float> numbers(static_cast<size_t>(count));
      for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<float>(static_cast<int>((i * 3 + i / 7) % 11) - 5);
      }
      return HostArray(std::span<const int64_t>(dims), numbers);
    }();
    return {(*array.tensor()).metadata(),
            {static_cast<const char*>((*array.tensor()).data()), (*array.tensor()).size_bytes()}};
  }
  static NumpyCaseTensor Ints(std::vector<int64_t> dims, std::vector<int64_t> numbers) {
    return {{DType::kI64, *TensorShape::Create(dims)},
            {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int64_t)}};
  }

 private:
  void Add(std::string_view op, std::vector<NumpyCaseTensor> arguments, Attributes set_attrs,
           size_t num_results = 1) {
    const OpDefinition* found =
        FindEagerOp(op.find('.') != op.npos ? op : StrCat(kGraphOpPrefix, op), *context_);
    ASSERT_TRUE(found) << op;
    rows_[found->description->name].calls.push_back(
        {found, std::move(arguments), std::move(set_attrs),
         std::vector<std::pair<float, float>>(num_results)});
  }
  void AddCallsThatNumpyLacks() {
    auto numbers = [](OpAttrs& attrs, std::string_view name, std::vector<int64_t> values) {
      attrs.SetArray(name, std::span<const int64_t>(values));
    };
    auto window = [=](OpAttrs& attrs) {
      numbers(attrs, "pads", {1, 0, 1, 2});
      numbers(attrs, "strides", {2, 1});
    };
    auto pool = [=](OpAttrs& attrs) {
      window(attrs);
      numbers(attrs, "kernel", {3, 2});
    };
    const NumpyCaseTensor image = Of({2, 4, 7, 5}), filter = Of({6, 2, 3, 2}), bias = Of({6});
    auto grouped = [=](OpAttrs& attrs) {
      window(attrs);
      attrs.Set("groups", int64_t{2});
    };
    Add("conv", {image, filter, bias}, grouped);
    Add("fused_conv", {image, filter, bias, Of({2, 6, 4, 6})}, [=](OpAttrs& attrs) {
      grouped(attrs);
      attrs.SetString("activation", "relu");
    });
    for (const char* row : {"max_pool", "average_pool", "lp_pool"}) Add(row, {image}, pool);
    Add("max_pool_with_places", {image}, pool, 2);
    Add("tf._FusedMatMul", {Of({3, 5}), Of({5, 4}), Of({4})}, [](OpAttrs& attrs) {
      const std::string_view fused[] = {"BiasAdd", "Relu"};
      attrs.SetStringArray("fused_ops", fused);
    });
    Add("list_write", {Of({3, 5}), Ints({}, {1}), Of({5})}, {});
    Add("sum_to", {Of({2, 4, 3}), Ints({2}, {4, 1})}, {});
    Add("ensure_shape", {Of({4, 3})}, [](OpAttrs& attrs) {
      const int64_t dims[] = {-1, 3};
      attrs.SetShape("shape", dims);
    });
  }
};

TEST_F(DTypeRowsTest, AllRowsAndDTypes) {
  std::set<std::string> not_on_gpus;
  std::set<std::string_view> unknown;
  for (const OpDescription* description : AllOpDescriptions()) {
    if (!FindGpuOp(*description)) continue;
    const auto row = rows_.find(description->name);
    if (row == rows_.end()) {
      unknown.insert(description->name);
      continue;
    }
    const Call& base = Base(row->second);
    for (DType dtype : kDeviceDTypes) {
      if (row->second.dtypes.contains(dtype)) continue;  // NumpyOpsTest has it
      SCOPED_TRACE(StrCat(description->name, " ", DTypeName(dtype)));
      bool is_on_gpu = false, is_on_cpu = false;
      Compare(With(dtype, base), dtype, &is_on_gpu, &is_on_cpu);
      if (is_on_cpu && !is_on_gpu) {
        not_on_gpus.insert(StrCat(description->name, " ", DTypeName(dtype)));
      }
    }
  }
  EXPECT_EQ(not_on_gpus, std::set<std::string>(std::begin(kNotOnGpus), std::end(kNotOnGpus)));
  EXPECT_EQ(unknown, std::set<std::string_view>(std::begin(kWithoutHost), std::end(kWithoutHost)));
}

TEST_F(DTypeRowsTest, Constants) {
  Scope scope(*context_, {.device = "gpu:0"});
  const OpDefinition* op = context_->FindOp("tf.Const");
  for (DType dtype : kDeviceDTypes) {
    const NumpyCaseTensor expected = As(dtype, Of({3, 2}));
    OpAttrs attrs;
    attrs.SetDense(
        "value", dtype, expected.metadata.shape.dims(),
        std::span(reinterpret_cast<const uint8_t*>(expected.bytes.data()), expected.bytes.size()));
    auto results = Execute(*op, {}, attrs, 1, "gpu:0");
    ASSERT_TRUE(results.ok()) << results.status().message();
    ExpectResult({0, 0, expected}, (*results)[0], /*moves_elements=*/true);
  }
}

// `relu(batch_norm + side_input)`, in inference, beside the host's ops.
TEST_F(DTypeRowsTest, FusedBatchNorm) {
  const OpDefinition* op = context_->FindOp("tf._FusedBatchNormEx");
  const OpDefinition* norm = context_->FindOp("tf.FusedBatchNormV3");
  const NumpyCaseTensor x = Of({2, 3, 3, 4}), scale = Of({4}), side = Of({2, 3, 3, 4});
  const NumpyCaseTensor variance = [&] {
    Scope scope(*context_, {.device = "cpu:0"});
    return Elements(eager::AddV2(eager::Abs(ArrayOf(scale)), 1.0f));
  }();
  OpAttrs inference;
  inference.Set("is_training", false);
  const NumpyCaseTensor expected = [&] {
    Scope scope(*context_, {.device = "cpu:0"});
    const NumpyCaseTensor arguments[] = {x, scale, scale, scale, variance};
    auto results = Execute(*norm, arguments, inference, 6, "cpu:0");
    EXPECT_TRUE(results.ok()) << results.status().message();
    return Elements(eager::Relu(eager::AddV2((*results)[0], ArrayOf(side))));
  }();
  Scope scope(*context_, {.device = "gpu:0"});
  const NumpyCaseTensor arguments[] = {x, scale, scale, scale, variance, side};
  auto results = Execute(*op, arguments, inference, 6, "gpu:0");
  ASSERT_TRUE(results.ok()) << results.status().message();
  ExpectResult({0x1p-20f, 0x1p-20f, expected}, (*results)[0], /*moves_elements=*/false);
}

}  // namespace
}  // namespace tfrt::gpu
