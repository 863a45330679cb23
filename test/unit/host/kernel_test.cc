// The signatures that TFRT_KERNEL and TFRT_SYNC_KERNEL deduce, and calls through hand-made frames.

#include "tfrt/host_context/kernel.h"

#include <gtest/gtest.h>

#include <numeric>
#include <tuple>
#include <vector>

namespace tfrt {
namespace {

int32_t Add(int32_t a, int32_t b) { return a + b; }
std::tuple<int32_t, int32_t> Split(const int32_t& a, Attribute<int32_t> by) {
  return {a / *by, a % *by};
}
StatusOr<int32_t> Half(int32_t a) {
  if (a % 2 != 0) return InvalidArgumentError("odd");
  return a / 2;
}
Chain WithChain(int32_t, Argument<Chain>) { return {}; }
AsyncValueRef<int32_t> Copy(Argument<int32_t> a) { return a.TypedRef(); }
int32_t Sum(RepeatedArguments<int32_t> values) {
  int32_t sum = 0;
  for (size_t i = 0; i < values.size(); ++i) sum += values[i];
  return sum;
}
void Forward(AsyncValue*, RemainingArguments in, RemainingResults out) {
  for (size_t i = 0; i < in.size(); ++i) out.Set(i, FormRef(in[i]));
}
void Everything(StringAttribute, ArrayAttribute<int64_t>, RemainingAttributes, const Function*,
                Result<float> result, KernelErrorHandler, const ExecutionContext&) {
  result.Emplace(1.5f);
}
Status Refuse() { return InternalError("refused"); }
float* PointerParameter(float* value) { return value; }

const KernelSignature& Signature(AsyncKernelDefinition kernel) { return *kernel.signature; }

TEST(KernelSignatureTest, FixedArgumentsAndResults) {
  const KernelSignature& signature = Signature(TFRT_KERNEL(Add));
  ASSERT_EQ(signature.arguments.size(), 2u);
  EXPECT_EQ(signature.arguments[0](), GetTypeId<int32_t>());
  ASSERT_EQ(signature.results.size(), 1u);
  EXPECT_EQ(signature.results[0](), GetTypeId<int32_t>());
  EXPECT_TRUE(signature.allows_trailing_chain);
  EXPECT_FALSE(signature.variadic_arguments);
}

TEST(KernelSignatureTest, AChainParameterTakesNoFurtherChain) {
  EXPECT_FALSE(Signature(TFRT_KERNEL(WithChain)).allows_trailing_chain);
  EXPECT_FALSE(Signature(TFRT_KERNEL(Sum)).allows_trailing_chain);
}

TEST(KernelSignatureTest, Attributes) {
  const KernelSignature& signature = Signature(TFRT_KERNEL(Everything));
  EXPECT_EQ(std::vector<AttributeCode>(signature.attributes.begin(), signature.attributes.end()),
            (std::vector<AttributeCode>{16, 128 + 9}));
  EXPECT_TRUE(signature.variadic_attributes);
  EXPECT_EQ(signature.num_functions, 1u);
  EXPECT_EQ(signature.results.size(), 1u);
  EXPECT_EQ(signature.arguments.size(), 0u);
}

TEST(KernelSignatureTest, VariadicAndUntyped) {
  const KernelSignature& signature = Signature(TFRT_KERNEL(Forward));
  ASSERT_EQ(signature.arguments.size(), 1u);
  EXPECT_EQ(signature.arguments[0], nullptr);
  EXPECT_TRUE(signature.variadic_arguments);
  EXPECT_TRUE(signature.variadic_results);
}

TEST(KernelSignatureTest, ReturnShapes) {
  EXPECT_EQ(Signature(TFRT_KERNEL(Split)).results.size(), 2u);
  EXPECT_EQ(Signature(TFRT_KERNEL(Half)).results.size(), 1u);
  EXPECT_EQ(Signature(TFRT_KERNEL(Refuse)).results.size(), 0u);
  EXPECT_EQ(Signature(TFRT_KERNEL(Copy)).results[0](), GetTypeId<int32_t>());
  EXPECT_EQ(Signature(TFRT_KERNEL(PointerParameter)).arguments[0](), GetTypeId<float>());
}

// Calls a kernel on values; the frame's owner of arguments and results.
class Call {
 public:
  explicit Call(std::vector<RCReference<AsyncValue>> arguments, size_t num_results)
      : owned_(std::move(arguments)), results_(num_results) {
    for (auto& value : owned_) raw_.push_back(value.get());
    indices_.resize(raw_.size());
    std::iota(indices_.begin(), indices_.end(), 0);
  }
  ~Call() {
    for (AsyncValue* result : results_) {
      if (result) result->DropRef();
    }
  }
  Call& Run(AsyncKernelDefinition kernel, std::vector<const uint8_t*> attributes = {}) {
    KernelCallSite site;
    site.arguments = indices_.data();
    site.num_arguments = raw_.size();
    site.num_attributes = attributes.size();
    site.num_results = results_.size();
    AsyncKernelFrame::Tables tables{.attributes = attributes.data()};
    AsyncKernelFrame::Parts parts;
    parts.site = &site;
    parts.registers = raw_.data();
    parts.results = results_.data();
    parts.tables = &tables;
    AsyncKernelFrame frame(parts);
    kernel.function(&frame);
    return *this;
  }
  AsyncValue* result(size_t i) const { return results_[i]; }

 private:
  std::vector<RCReference<AsyncValue>> owned_;
  std::vector<AsyncValue*> raw_;
  std::vector<uint32_t> indices_;
  std::vector<AsyncValue*> results_;
};

RCReference<AsyncValue> Int(int32_t value) {
  return MakeAvailableAsyncValueRef<int32_t>(value).ReleaseRCRef();
}

TEST(KernelCallTest, ReturnsValues) {
  EXPECT_EQ(Call({Int(2), Int(3)}, 1).Run(TFRT_KERNEL(Add)).result(0)->get<int32_t>(), 5);
  int32_t by = 4;
  Call split({Int(11)}, 2);
  split.Run(TFRT_KERNEL(Split), {reinterpret_cast<const uint8_t*>(&by)});
  EXPECT_EQ(split.result(0)->get<int32_t>(), 2);
  EXPECT_EQ(split.result(1)->get<int32_t>(), 3);
}

TEST(KernelCallTest, AliasesAndChains) {
  RCReference<AsyncValue> value = Int(1);
  EXPECT_EQ(Call({value}, 1).Run(TFRT_KERNEL(Copy)).result(0), value.get());
  Call chain({Int(1), GetReadyChain().ReleaseRCRef()}, 1);
  EXPECT_EQ(chain.Run(TFRT_KERNEL(WithChain)).result(0), GetReadyChain().GetAsyncValue());
}

TEST(KernelCallTest, ThePlainOnesAreThoseThatTheFrameMakes) {
  auto is_plain = [](AsyncKernelDefinition kernel) { return Signature(kernel).plain_results; };
  EXPECT_TRUE(is_plain(TFRT_KERNEL(Add)));
  EXPECT_TRUE(is_plain(TFRT_KERNEL(WithChain)));
  EXPECT_TRUE(is_plain(TFRT_KERNEL(Half)));   // or an error
  EXPECT_FALSE(is_plain(TFRT_KERNEL(Copy)));  // may be a value of any state
  EXPECT_FALSE(is_plain(TFRT_KERNEL(Forward)));
}

TEST(KernelCallTest, UncheckedKernelsAreThoseOfPayloadsAndAttributes) {
  const AsyncKernelDefinition add = TFRT_KERNEL(Add);
  ASSERT_NE(add.signature->unchecked_async_function, nullptr);
  EXPECT_EQ(Call({Int(2), Int(3)}, 1)
                .Run({add.signature->unchecked_async_function, add.signature})
                .result(0)
                ->get<int32_t>(),
            5);
  EXPECT_EQ(Signature(TFRT_KERNEL(Sum)).unchecked_async_function, nullptr);
  EXPECT_EQ(Signature(TFRT_KERNEL(Half)).unchecked_async_function, nullptr);
}

TEST(KernelCallTest, Variadic) {
  EXPECT_EQ(Call({Int(1), Int(2), Int(3)}, 1).Run(TFRT_KERNEL(Sum)).result(0)->get<int32_t>(), 6);
  Call forward({Int(0), Int(8), Int(9)}, 2);
  EXPECT_EQ(forward.Run(TFRT_KERNEL(Forward)).result(1)->get<int32_t>(), 9);
}

// One result of each sort, and then an error.
struct Sorts {
  AsyncValueRef<int32_t> given = MakeUnconstructedAsyncValueRef<int32_t>();
  AsyncValueRef<int32_t> target = MakeUnconstructedAsyncValueRef<int32_t>();
};
Sorts* sorts = nullptr;
void FailInPart(AsyncKernelFrame* frame) {
  frame->SetResult(0, sorts->given.CopyRCRef());
  frame->EmplaceResult<int32_t>(1, 7);
  (void)frame->AllocateResult<int32_t>(2);
  (void)frame->AllocateIndirectResult(3);
  frame->AllocateIndirectResult(4)->ForwardTo(sorts->target.CopyRCRef());
  (void)frame->AllocateResult<int32_t>(62);
  frame->SetResult(63, sorts->given.CopyRCRef());
  frame->SetResult(64, sorts->given.CopyRCRef());
  (void)frame->AllocateResult<int32_t>(66);
  (void)frame->AllocateIndirectResult(67);
  frame->AllocateIndirectResult(68)->ForwardTo(sorts->target.CopyRCRef());
  frame->AllocateResult<int32_t>(69).emplace(9);
  frame->SetErrors(InternalError("in part"));
}

TEST(KernelCallTest, AnErrorTakesUnsetResultsAndThoseThatTheFrameMade) {
  Sorts own;
  sorts = &own;
  Call call({}, 70);
  call.Run({.function = FailInPart});
  EXPECT_EQ(call.result(1)->get<int32_t>(), 7) << "set before the error";
  for (size_t i : {2, 3, 5, 62, 65, 66, 67}) {
    ASSERT_TRUE(call.result(i)->IsError()) << i;
    EXPECT_EQ(call.result(i)->GetError().message(), "in part");
  }
  for (size_t i : {0, 4, 63, 64, 68}) {
    EXPECT_FALSE(call.result(i)->IsAvailable()) << "result " << i << " is somebody else's promise";
  }
  own.given.emplace(1);
  own.target.emplace(2);
  for (size_t i : {0, 63, 64}) EXPECT_EQ(call.result(i)->get<int32_t>(), 1);
  for (size_t i : {4, 68}) EXPECT_EQ(call.result(i)->get<int32_t>(), 2);
  EXPECT_EQ(call.result(69)->get<int32_t>(), 9) << "set before the error";
}

TEST(KernelCallTest, TheNextCallOfAFrameForgetsWhatItMade) {
  AsyncValue* results[70] = {};
  KernelCallSite site;
  site.num_results = 70;
  AsyncKernelFrame frame({.site = &site, .results = results});
  for (uint32_t i : {3, 63, 69}) (void)frame.AllocateResult<int32_t>(i);
  frame.SetErrors(InternalError("first"));
  for (AsyncValue*& result : results) {
    EXPECT_TRUE(result->IsError());
    std::exchange(result, nullptr)->DropRef();
  }
  frame.ClearNeedsCheck();
  auto given = MakeUnconstructedAsyncValueRef<int32_t>();
  for (uint32_t i : {3, 63, 69}) frame.SetResult(i, given.CopyRCRef());
  (void)frame.AllocateResult<int32_t>(68);
  frame.SetErrors(InternalError("second"));
  EXPECT_FALSE(given.IsAvailable()) << "somebody else's promise";
  EXPECT_EQ(results[68]->GetError().message(), "second");
  for (AsyncValue* result : results) result->DropRef();
  given.emplace(1);
}

int32_t SyncAdd(int32_t a, int32_t b) { return a + b; }

TEST(SyncKernelTest, WorksOnPlainValues) {
  Value a = Value::Make<int32_t>(2), b = Value::Make<int32_t>(5), c;
  Value* registers[] = {&a, &b, &c};
  uint32_t arguments[] = {0, 1};
  KernelCallSite site;
  site.arguments = arguments;
  site.num_arguments = 2;
  site.first_result = 2;
  site.num_results = 1;
  SyncKernelFrame::Parts parts;
  parts.site = &site;
  parts.registers = registers;
  SyncKernelFrame frame(parts);
  TFRT_SYNC_KERNEL(SyncAdd).function(&frame);
  EXPECT_TRUE(frame.status().ok());
  EXPECT_EQ(c.get<int32_t>(), 7);
}

TEST(ValueTest, SmallInlineLargeOnHeap) {
  struct Large {
    char bytes[200];
  };
  EXPECT_EQ(sizeof(Value), 64u);
  Value value = Value::Make<Large>({"text"});
  Value moved = std::move(value);
  EXPECT_FALSE(value.has_value());
  EXPECT_STREQ(moved.get<Large>().bytes, "text");
  EXPECT_FALSE(moved.IsType<int>());
  moved.reset();
  EXPECT_FALSE(moved.has_value());
}

}  // namespace
}  // namespace tfrt
