#include "test/support/eager_stress_caller.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tfrt/eager/ops.h"

namespace tfrt::eager {
namespace {

constexpr size_t kMaxTensors = 12, kMaxReads = 4, kMaxAdded = 32;
constexpr int64_t kIdsPerCaller = 1000000;
// Floats are exact up to here.
constexpr float kMaxExact = 1 << 24;

float Largest(const Expected& expected) {
  float largest = 0;
  for (float element : expected.elements) largest = std::max(largest, std::abs(element));
  return largest;
}

// An error if one of the operands is.
template <typename Compute>
std::shared_ptr<const Expected> Combine(const Expected& a, const Expected& b, Compute compute) {
  Expected result;
  for (const Expected* operand : {&a, &b}) {
    result.errors.insert(result.errors.end(), operand->errors.begin(), operand->errors.end());
  }
  std::ranges::sort(result.errors);
  result.errors.erase(std::unique(result.errors.begin(), result.errors.end()), result.errors.end());
  if (result.errors.empty()) result.elements = compute(a.elements, b.elements);
  return std::make_shared<const Expected>(std::move(result));
}

template <typename Function>
auto ElementByElement(Function function) {
  return [function](const Elements& a, const Elements& b) {
    Elements result(a.size());
    for (size_t i = 0; i < a.size(); ++i) result[i] = function(a[i], b[i]);
    return result;
  };
}

Elements Product(const Elements& a, const Elements& b, size_t side) {
  Elements product(a.size());
  for (size_t i = 0; i < side; ++i) {
    for (size_t j = 0; j < side; ++j) {
      for (size_t k = 0; k < side; ++k) product[i * side + j] += a[i * side + k] * b[k * side + j];
    }
  }
  return product;
}

Tensor CallWithAttrs(std::string_view op, std::span<TensorArgument> arguments, int64_t id) {
  OpAttrs attrs;
  attrs.Set("id", id);
  Tensor result;
  (void)Execute(op, arguments, attrs, {&result, 1});
  return result;
}

}  // namespace

StressCaller::StressCaller(StressRound& round, int number, uint32_t seed)
    : round_(round),
      name_("thread " + std::to_string(number) + ": "),
      random_(seed),
      next_id_(number * kIdsPerCaller) {
  Scope scope(round.context(), {.device = kStressDevices[Draw(2)]});
  variable_expected_ = std::make_shared<Expected>(Expected{.elements = NewElements()});
  variable_ = Variable(Tensor::FromArray(ArrayOf(variable_expected_->elements)));
}

void StressCaller::Run(int num_steps) {
  while (num_steps > 0) RunScope(0, &num_steps);
}

void StressCaller::RunScope(int depth, int* steps_left) {
  constexpr std::string_view kDevices[] = {"", kStressDevices[0], kStressDevices[1]};
  constexpr int kMaxDepth = 3;
  Scope scope(round_.context(),
              {.mode = Draw(3) == 0 ? ExecutionMode::kSync : ExecutionMode::kAsync,
               .device = kDevices[Draw(std::size(kDevices))]});
  for (size_t i = Draw(20) + 1; i > 0 && *steps_left > 0; --i) {
    if (depth < kMaxDepth && Draw(10) == 0) {
      RunScope(depth + 1, steps_left);
    } else {
      --*steps_left;
      Step();
    }
  }
}

void StressCaller::Step() {
  if (!round_.problem().empty()) return;
  borrowed_.clear();
  size_t drawn = Draw(100);
  if (drawn < 35) return CallBinary();
  if (drawn < 41) return CallWithId("stress.Late", false);
  if (drawn < 45) return CallWithId("stress.Nested", false);
  if (drawn < 48) return CallWithId("stress.Shapeless", false);
  if (drawn < 50) return CallWithId("stress.Fail", true);
  if (drawn < 52) return CallWithId("stress.Throw", true);
  if (drawn < 54) return CallWithId("stress.LateFail", true);
  if (drawn < 59) return CallPair();
  if (drawn < 63) return CallEffect();
  if (drawn < 71) return Copy();
  if (drawn < 80) return UpdateOwnVariable();
  if (drawn < 85) return UpdateTotal();
  if (drawn < 91) return Exchange();
  if (drawn < 96) return ReadOne();
  if (drawn < 98) return (void)round_.context().DropCopies();
  round_.context().Wait();
}

void StressCaller::CallBinary() {
  auto [a, a_expected] = DrawArgument();
  auto [b, b_expected] = DrawArgument();
  float largest_a = Largest(*a_expected), largest_b = Largest(*b_expected);
  auto side = static_cast<size_t>(round_.side());
  size_t drawn = Draw(6);
  if (drawn == 0 && largest_a * largest_b * static_cast<float>(side) < kMaxExact) {
    return Keep(MatMul(std::move(a), std::move(b)),
                Combine(*a_expected, *b_expected,
                        [&](const Elements& x, const Elements& y) { return Product(x, y, side); }));
  }
  if (drawn == 1 && largest_a + largest_b < kMaxExact) {
    return Keep(AddV2(std::move(a), std::move(b)),
                Combine(*a_expected, *b_expected,
                        ElementByElement([](float x, float y) { return x + y; })));
  }
  if (drawn == 2 && largest_a + largest_b < kMaxExact) {
    return Keep(Sub(std::move(a), std::move(b)),
                Combine(*a_expected, *b_expected,
                        ElementByElement([](float x, float y) { return x - y; })));
  }
  if (drawn == 3) {
    return Keep(Maximum(std::move(a), std::move(b)),
                Combine(*a_expected, *b_expected,
                        ElementByElement([](float x, float y) { return std::max(x, y); })));
  }
  TensorArgument arguments[] = {std::move(a), std::move(b)};
  Tensor result;
  (void)Execute("stress.Mix", arguments, {}, {&result, 1});
  Keep(std::move(result), Combine(*a_expected, *b_expected, Mixed));
}

void StressCaller::CallWithId(std::string_view op, bool fails) {
  int64_t id = NextId();
  auto [a, a_expected] = DrawArgument();
  if (fails) {
    TensorArgument arguments[] = {std::move(a)};
    ExpectedRef expected = a_expected;
    if (a_expected->errors.empty()) {
      expected = std::make_shared<Expected>(Expected{.errors = {FailureTextOf(id)}});
    }
    return Keep(CallWithAttrs(op, arguments, id), std::move(expected));
  }
  auto [b, b_expected] = DrawArgument();
  TensorArgument arguments[] = {std::move(a), std::move(b)};
  Keep(CallWithAttrs(op, arguments, id), Combine(*a_expected, *b_expected, Mixed));
}

void StressCaller::CallPair() {
  auto [a, a_expected] = DrawArgument();
  auto [b, b_expected] = DrawArgument();
  TensorArgument arguments[] = {std::move(a), std::move(b)};
  OpAttrs attrs;
  attrs.Set("id", NextId());
  std::array<Tensor, 2> results;
  (void)Execute("stress.Pair", arguments, attrs, results);
  Keep(std::move(results[0]), Combine(*a_expected, *b_expected, Mixed));
  Keep(std::move(results[1]), Combine(*b_expected, *a_expected, Mixed));
}

void StressCaller::CallEffect() {
  auto [x, expected] = DrawArgument();
  if (expected->errors.empty()) ++round_.num_effects_called;
  TensorArgument arguments[] = {std::move(x)};
  (void)Execute("stress.Effect", arguments, {}, {});
}

void StressCaller::Copy() {
  StressTensor from = DrawTensor();
  const char* device = kStressDevices[Draw(std::size(kStressDevices))];
  Tensor copy = from.tensor.CopyTo(device);
  if (std::string_view on = copy.device(); on != device && !on.empty()) {
    round_.Fail(name_ + "a copy to " + device + " is on " + std::string(on));
  }
  Keep(std::move(copy), std::move(from.expected));
}

void StressCaller::UpdateOwnVariable() {
  auto [x, expected] = DrawArgument();
  float largest = Largest(*variable_expected_) + 2 * Largest(*expected);
  Tensor updated;
  ExpectedRef next;
  size_t drawn = largest < kMaxExact ? Draw(4) : 0;
  auto combine = [&](auto function) {
    return Combine(*variable_expected_, *expected, ElementByElement(function));
  };
  if (drawn == 0) {
    updated = variable_.Assign(std::move(x));
    next = expected;
  } else if (drawn == 1) {
    updated = variable_.AssignAdd(std::move(x));
    next = combine([](float old, float by) { return old + by; });
  } else if (drawn == 2) {
    updated = variable_.AssignSub(std::move(x));
    next = combine([](float old, float by) { return old - by; });
  } else {
    updated = SgdUpdate(variable_, std::move(x), 2.0f);
    next = combine([](float old, float by) { return old - 2 * by; });
  }
  // A failed update leaves the old value, and so does a cancelled one, of which only it can tell.
  bool is_cancelled = round_.cancels() && updated.status().code() == StatusCode::kCancelled;
  if (next->errors.empty() && !is_cancelled) variable_expected_ = next;
  Keep(std::move(updated), std::move(next));
}

void StressCaller::UpdateTotal() {
  auto by = static_cast<int64_t>(Draw(3) + 1);
  auto size = static_cast<size_t>(round_.side() * round_.side());
  HostArray array = ArrayOf(Elements(size, static_cast<float>(by)));
  if (Draw(2) == 0) {
    added_.emplace_back(round_.total.AssignAdd(std::move(array)), by);
  } else {
    added_.emplace_back(SgdUpdate(round_.total, std::move(array), 2.0f), -2 * by);
  }
  if (added_.size() < kMaxAdded) return;
  Tensor total = round_.total.Read();
  auto values = total.Values<float>();
  if (!values.ok()) {
    round_.Fail(name_ + "the variable of all threads is " + total.ToString());
  } else if (std::ranges::adjacent_find(*values, std::not_equal_to<>()) != values->end()) {
    round_.Fail(name_ + "half an update of the variable of all threads: " + total.ToString());
  }
}

void StressCaller::Exchange() {
  StressTensor other = round_.Exchange(DrawTensor(), Draw(1000));
  if (other.tensor.valid()) Keep(std::move(other.tensor), std::move(other.expected));
}

void StressCaller::ReadOne() {
  StressTensor read = DrawTensor();
  Check(read.tensor, *read.expected, "a tensor");
  auto values = read.tensor.Values<float>();
  if (!values.ok()) return;
  reads_.push_back({std::move(read.tensor), *values, std::move(read.expected)});
  if (reads_.size() <= kMaxReads) return;
  const Read& oldest = reads_.front();
  if (!std::ranges::equal(oldest.values, oldest.expected->elements)) {
    round_.Fail(name_ + "elements changed after they had been read");
  }
  reads_.erase(reads_.begin());
}

int64_t StressCaller::CheckAtEnd() {
  for (const auto& [tensor, expected] : tensors_) Check(tensor, *expected, "a tensor at the end");
  for (const Read& read : reads_) {
    if (std::ranges::equal(read.values, read.expected->elements)) continue;
    round_.Fail(name_ + "elements changed after they had been read");
  }
  Check(variable_.Read(), *variable_expected_, "the variable");
  int64_t total = 0;
  for (const auto& [tensor, by] : added_) {
    Status status = tensor.status();
    if (status.ok()) total += by;
    if (!status.ok() && !(round_.cancels() && status.code() == StatusCode::kCancelled)) {
      round_.Fail(name_ + "an update of the variable of all threads: " + status.ToString());
    }
  }
  return total;
}

std::pair<TensorArgument, StressCaller::ExpectedRef> StressCaller::DrawArgument() {
  size_t drawn = Draw(10);
  if (drawn == 0) {
    auto expected = std::make_shared<Expected>(Expected{.elements = NewElements()});
    return {ArrayOf(expected->elements), expected};
  }
  if (drawn == 1) return {variable_.Read(), variable_expected_};
  if (drawn < 5 && tensors_.size() > kMaxTensors / 2) {
    size_t i = Draw(tensors_.size());
    std::swap(tensors_[i], tensors_.back());
    StressTensor moved = std::move(tensors_.back());
    tensors_.pop_back();
    return {std::move(moved.tensor), std::move(moved.expected)};
  }
  StressTensor tensor = DrawTensor();
  borrowed_.push_back(std::move(tensor.tensor));
  return {std::as_const(borrowed_.back()), std::move(tensor.expected)};
}

StressTensor StressCaller::DrawTensor() {
  if (tensors_.size() < 3) {
    auto expected = std::make_shared<Expected>(Expected{.elements = NewElements()});
    Keep(Tensor::FromArray(ArrayOf(expected->elements)), expected);
  }
  return tensors_[Draw(tensors_.size())];
}

Elements StressCaller::NewElements() {
  Elements elements(static_cast<size_t>(round_.side() * round_.side()));
  for (float& element : elements) element = static_cast<float>(Draw(100)) - 50;
  return elements;
}

HostArray StressCaller::ArrayOf(const Elements& elements) const {
  return HostArray({round_.side(), round_.side()}, elements);
}

void StressCaller::Keep(Tensor tensor, ExpectedRef expected) {
  if (tensors_.size() < kMaxTensors) {
    return tensors_.push_back({std::move(tensor), std::move(expected)});
  }
  StressTensor& replaced = tensors_[Draw(kMaxTensors)];
  // Others go without a look, pending as they may be.
  if (Draw(2) == 0) Check(replaced.tensor, *replaced.expected, "a tensor");
  replaced = {std::move(tensor), std::move(expected)};
}

void StressCaller::Check(const Tensor& tensor, const Expected& expected, std::string_view what) {
  std::string wrong = round_.Check(tensor, expected);
  if (!wrong.empty()) round_.Fail(name_ + std::string(what) + ": " + wrong);
}

}  // namespace tfrt::eager
