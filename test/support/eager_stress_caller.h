// One thread of a random eager program.
#ifndef TFRT_TEST_SUPPORT_EAGER_STRESS_CALLER_H_
#define TFRT_TEST_SUPPORT_EAGER_STRESS_CALLER_H_

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/support/eager_stress.h"

namespace tfrt::eager {

class StressCaller {
 public:
  // On the thread that makes the round, before anything is cancelled.
  StressCaller(StressRound& round, int number, uint32_t seed);

  // On a thread of its own.
  void Run(int num_steps);
  // When all threads are over: checks what is left, and returns what this one has added to the
  // variable of all threads.
  int64_t CheckAtEnd();

 private:
  using ExpectedRef = std::shared_ptr<const Expected>;
  // Elements that have been read, which must stay.
  struct Read {
    Tensor tensor;
    std::span<const float> values;
    ExpectedRef expected;
  };

  size_t Draw(size_t n) { return random_() % n; }
  int64_t NextId() { return next_id_++; }
  void RunScope(int depth, int* steps_left);
  void Step();

  void CallBinary();
  void CallWithId(std::string_view op, bool fails);
  void CallPair();
  void CallEffect();
  void Copy();
  void UpdateOwnVariable();
  void UpdateTotal();
  void Exchange();
  void ReadOne();

  // An argument and what it is: one of the tensors, which may be moved there, new elements, or the
  // thread's own variable.
  std::pair<TensorArgument, ExpectedRef> DrawArgument();
  StressTensor DrawTensor();
  Elements NewElements();
  HostArray ArrayOf(const Elements& elements) const;
  void Keep(Tensor tensor, ExpectedRef expected);
  void Check(const Tensor& tensor, const Expected& expected, std::string_view what);

  StressRound& round_;
  const std::string name_;  // in messages
  std::mt19937 random_;
  int64_t next_id_;
  std::vector<StressTensor> tensors_;
  std::vector<Tensor> borrowed_;  // by the arguments of this step's call
  std::vector<Read> reads_;
  Variable variable_;
  ExpectedRef variable_expected_;
  std::vector<std::pair<Tensor, int64_t>> added_;  // updates of the variable of all threads
};

}  // namespace tfrt::eager

#endif  // TFRT_TEST_SUPPORT_EAGER_STRESS_CALLER_H_
