// serve_json: what reading and writing the JSON of an inference request cost, beside simdjson
// alone.
//   serve_json
//
// The floor is the parser of simdjson on the same numbers, with its memory kept: it makes no
// tensor. All times are those of the thread's processor, the least of several runs.
#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "lib/serve/protocol/infer_body.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/str_cat.h"

namespace {

using tfrt::serve::DecodeInferBody;
using tfrt::serve::EncodeInferResult;
using tfrt::serve::InferBody;
using tfrt::serve::InferResult;

double ThreadMilliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <typename Function>
double LeastTime(Function&& function) {
  double least = 1e9;
  for (int i = 0; i < 15; ++i) {
    const double begin = ThreadMilliseconds();
    if (!function()) std::abort();
    least = std::min(least, ThreadMilliseconds() - begin);
  }
  return least;
}

std::string Request(size_t num_elements) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal;
  std::string json = tfrt::StrCat(R"({"inputs":[{"name":"x","datatype":"FP32","shape":[1,)",
                                  num_elements, R"(],"data":[)");
  for (size_t i = 0; i < num_elements; ++i) {
    char digits[32];
    json.append(digits, std::to_chars(digits, digits + sizeof(digits), normal(generator)).ptr);
    json += i + 1 < num_elements ? "," : "]}]}";
  }
  return json;
}

}  // namespace

int main() {
  const auto allocator = tfrt::CreateMallocAllocator();
  for (size_t num_elements : {1'000, 20'000, 290'000}) {
    const std::string json = Request(num_elements);
    const simdjson::padded_string padded(json);
    simdjson::dom::parser parser;
    const double floor = LeastTime([&] {
      simdjson::dom::element root;
      return parser.parse(padded).get(root) == simdjson::SUCCESS;
    });
    std::optional<InferBody> body;
    const double reading = LeastTime([&] {
      auto read =
          DecodeInferBody(std::as_bytes(std::span(json)), std::nullopt, nullptr, allocator.get());
      if (read.ok()) body.emplace(*std::move(read));
      return read.ok();
    });
    InferResult result;
    result.outputs.push_back({"y", body->request.inputs[0].tensor.ShareBuffer()});
    const double writing =
        LeastTime([&] { return EncodeInferResult(InferBody(), "m", "1", result).ok(); });
    std::printf("%8zu bytes: simdjson %.3f ms, reading %.3f (%.2fx), writing %.3f (%.2fx)\n",
                json.size(), floor, reading, reading / floor, writing, writing / floor);
  }
}
