#ifndef TFRT_TEST_GPU_PTX_MUTATOR_H_
#define TFRT_TEST_GPU_PTX_MUTATOR_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tfrt::gpu::ptx {

// PTX texts with some changes each: of bytes, of words, of lines, cut short, or sewn together from
// two. The same seed and texts give the same changes.
class Mutator {
 public:
  Mutator(std::vector<std::string> texts, uint64_t seed)
      : texts_(std::move(texts)), random_(seed) {}

  std::string Next();

 private:
  uint64_t Pick(uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }
  const std::string& AnyText() { return texts_[Pick(texts_.size())]; }
  // The place of a word, [begin, end), near a place.
  static std::pair<size_t, size_t> WordAt(const std::string& text, size_t place);
  // A run of lines.
  std::pair<size_t, size_t> Lines(const std::string& text);
  void Change(std::string& text);

  std::vector<std::string> texts_;
  std::mt19937_64 random_;
};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_MUTATOR_H_
