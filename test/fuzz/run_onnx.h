// Takes arbitrary bytes as an ONNX model all the way: read, imported, compiled, opened and run,
// within a budget.
#ifndef TFRT_TEST_FUZZ_RUN_ONNX_H_
#define TFRT_TEST_FUZZ_RUN_ONNX_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tfrt {

// How far a model came, and why not further: the error, which names a node, a value or an offset.
struct OnnxOutcome {
  enum class Stage : uint8_t { kRead, kImport, kCompile, kOpen, kLoad, kRun, kDone };
  static constexpr int kNumStages = static_cast<int>(Stage::kDone) + 1;
  Stage stage = Stage::kDone;  // the one that failed
  std::string error;
};

// Runs many models, one after the other, on one host with one thread, whose allocator refuses more
// than a megabyte. A run is cancelled after 100 ms.
class OnnxRunner {
 public:
  OnnxRunner();
  ~OnnxRunner();
  // Only the first two stages, reading and importing.
  OnnxOutcome Import(std::span<const uint8_t> bytes);
  // All. Inputs get sizes of 2 where the model does not say, and few different numbers.
  OnnxOutcome Run(std::span<const uint8_t> bytes);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The ops that the importer knows.
std::vector<std::string> OnnxOpNames();

}  // namespace tfrt

#endif  // TFRT_TEST_FUZZ_RUN_ONNX_H_
