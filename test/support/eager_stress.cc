#include "test/support/eager_stress.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <utility>

#include "test/support/eager_stress_caller.h"
#include "test/support/outside_thread.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::eager {
namespace {

constexpr size_t kNumExchanged = 8;

// With the devices of kStressDevices.
ContextOptions StressOptions(std::mt19937& random, const EagerStress& stress) {
  constexpr size_t kCapacities[] = {1, 8, 4096};
  constexpr uint32_t kMaxPending[] = {2, 64, 65536};
  ContextOptions options{.work_queue = stress.work_queue,
                         .devices = {std::begin(kStressDevices), std::end(kStressDevices)},
                         .order = stress.order};
  options.kernel_cache_capacity = kCapacities[random() % std::size(kCapacities)];
  options.max_pending = kMaxPending[random() % std::size(kMaxPending)];
  options.remember_copies = random() % 4 != 0;
  options.diagnostic_handler = [](const DecodedDiagnostic&) {};
  return options;
}

// Cancels and restarts until it ends.
class Canceller {
 public:
  explicit Canceller(Context& context)
      : thread_([this, &context] {
          // relaxed: joining orders the rest.
          while (!over_.load(std::memory_order_relaxed)) {
            context.Cancel();
            std::this_thread::yield();
            context.Restart();
            for (int i = 0; i < 50; ++i) std::this_thread::yield();
          }
        }) {}
  ~Canceller() {
    over_.store(true, std::memory_order_relaxed);
    thread_.join();
  }

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// Tensors that outlive the context, some of them pending when it ends.
std::vector<StressTensor> Survivors(StressRound& round) {
  std::vector<StressTensor> survivors;
  Elements ones(static_cast<size_t>(round.side() * round.side()), 1.0f);
  for (const char* device : kStressDevices) {
    Scope scope(round.context(), {.mode = ExecutionMode::kAsync, .device = device});
    Tensor one = Tensor::FromArray(HostArray({round.side(), round.side()}, ones));
    Tensor mixed = one;
    Elements elements = ones;
    for (int i = 0; i < 5; ++i) {
      TensorArgument arguments[] = {mixed, one};
      (void)Execute("stress.Mix", arguments, {}, {&mixed, 1});
      elements = Mixed(elements, ones);
    }
    survivors.push_back({mixed, std::make_shared<Expected>(Expected{.elements = elements})});
    survivors.push_back({mixed.CopyTo(kStressDevices[0]), survivors.back().expected});
  }
  return survivors;
}

std::string RunCallers(StressRound& round, const EagerStress& stress) {
  std::vector<std::unique_ptr<StressCaller>> callers;
  for (int i = 0; i < stress.num_callers; ++i) {
    callers.push_back(
        std::make_unique<StressCaller>(round, i, stress.seed * 31 + static_cast<uint32_t>(i)));
  }
  {
    std::unique_ptr<Canceller> canceller;
    if (round.cancels()) canceller = std::make_unique<Canceller>(round.context());
    std::vector<std::thread> threads;
    for (auto& caller : callers) {
      threads.emplace_back([&caller, &stress] { caller->Run(stress.num_steps); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  // Restarted by now.
  int64_t total = 0;
  for (auto& caller : callers) total += caller->CheckAtEnd();
  Elements sums(static_cast<size_t>(round.side() * round.side()), static_cast<float>(total));
  std::string wrong = round.Check(round.total.Read(), {.elements = std::move(sums)});
  if (!wrong.empty()) round.Fail("the variable of all threads: " + wrong);
  round.context().Wait();
  StressState& state = StressState::Of(round.context().host());
  if (state.effects_overlapped) round.Fail("side effects overlapped");
  int64_t num_called = round.num_effects_called.load(), num_effects = state.num_effects.load();
  if (round.cancels() ? num_effects > num_called : num_effects != num_called) {
    round.Fail(std::to_string(num_called) + " effects were called, and " +
               std::to_string(num_effects) + " happened");
  }
  return round.problem();
}

}  // namespace

StressRound::StressRound(Context& context, int64_t side, bool cancels)
    : context_(context), side_(side), cancels_(cancels), exchanged_(kNumExchanged) {
  Scope scope(context, {.device = kStressDevices[1]});
  Elements zeros(static_cast<size_t>(side * side), 0.0f);
  total = Variable(Tensor::FromArray(HostArray({side, side}, zeros)));
}

void StressRound::Fail(const std::string& text) {
  std::lock_guard lock(mutex_);
  if (problem_.empty()) problem_ = text;
}

std::string StressRound::problem() {
  std::lock_guard lock(mutex_);
  return problem_;
}

StressTensor StressRound::Exchange(StressTensor mine, size_t place) {
  std::lock_guard lock(mutex_);
  return std::exchange(exchanged_[place % kNumExchanged], std::move(mine));
}

std::string StressRound::Check(const Tensor& tensor, const Expected& expected) const {
  auto values = tensor.Values<float>();
  if (!values.ok()) {
    if (cancels_ && values.status().code() == StatusCode::kCancelled) return "";
    std::string message(values.status().message());
    for (const std::string& error : expected.errors) {
      if (message.find(error) != std::string::npos) return "";
    }
    return "unexpected error " + message;
  }
  if (!expected.errors.empty()) return "no error, expected that of " + expected.errors[0];
  if (!std::ranges::equal(*values, expected.elements)) {
    return "wrong elements: " + tensor.ToString();
  }
  return "";
}

std::string EagerStress::Run() const {
  std::mt19937 random(seed);
  constexpr int64_t kSides[] = {1, 2, 3, 20};
  int64_t side = kSides[random() % std::size(kSides)];
  bool cancels = random() % 3 == 0;
  bool borrows_host = random() % 2 == 0;
  ContextOptions options = StressOptions(random, *this);
  std::unique_ptr<HostContext> host;
  if (borrows_host) {
    host = std::make_unique<HostContext>([](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
                                         *CreateWorkQueue(work_queue));
    options.host = host.get();
  }
  auto context = Context::Create(std::move(options));
  if (!context.ok()) return std::string(context.status().message());
  // Not oneDNN, into which the thread sanitizer does not see.
  Status eigen = SetComputeBackend((*context)->host(), ComputeBackend::kEigen);
  if (!eigen.ok()) return std::string(eigen.message());
  RegisterStressOps(**context);
  StressState::Of((*context)->host()).context = context->get();
  std::vector<StressTensor> survivors;
  std::string problem;
  {
    StressRound round(**context, side, cancels);
    problem = RunCallers(round, *this);
    // Values set on that thread belong to the host.
    OutsideThread::Get().Settle(*(*context)->host());
    if (problem.empty()) survivors = Survivors(round);
  }
  context->reset();
  for (const auto& [tensor, expected] : survivors) {
    auto values = tensor.Values<float>();
    if (!values.ok() || !std::ranges::equal(*values, expected->elements)) {
      problem = "a tensor that outlived its context is " + tensor.ToString();
    }
  }
  return problem;
}

}  // namespace tfrt::eager
