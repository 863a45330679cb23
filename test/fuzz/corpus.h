// The compiled programs of test/corpus. TFRT_CORPUS_DIR is their folder.
#ifndef TFRT_TEST_FUZZ_CORPUS_H_
#define TFRT_TEST_FUZZ_CORPUS_H_

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tfrt {

struct CorpusProgram {
  std::string name;
  std::vector<uint8_t> bytes;
};

// Those of at most `max_bytes`, by name.
inline std::vector<CorpusProgram> ReadCorpus(size_t max_bytes) {
  std::vector<CorpusProgram> corpus;
  for (const auto& entry : std::filesystem::directory_iterator(TFRT_CORPUS_DIR)) {
    if (entry.path().extension() != ".bef" || entry.file_size() > max_bytes) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    corpus.push_back({entry.path().filename(), {std::istreambuf_iterator<char>(stream), {}}});
  }
  std::sort(corpus.begin(), corpus.end(),
            [](const CorpusProgram& a, const CorpusProgram& b) { return a.name < b.name; });
  return corpus;
}

}  // namespace tfrt

#endif  // TFRT_TEST_FUZZ_CORPUS_H_
