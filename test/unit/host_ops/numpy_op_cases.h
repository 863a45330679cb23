// Calls of eager ops and what NumPy computes for them: test/numpy/cases/ops_*.bin, of which
// make_op_cases.py has the format.
#ifndef TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CASES_H_
#define TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CASES_H_

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/unit/kernels_cpu/cpu_kernel_runner.h"
#include "test/unit/kernels_cpu/numpy_case_reader.h"

namespace tfrt {

inline constexpr const char* kNumpyOpFamilies[] = {"ops_binary",   "ops_unary",  "ops_products",
                                                   "ops_networks", "ops_layout", "ops_parts",
                                                   "ops_gradients"};
// Of rows as compiled programs call them.
inline constexpr const char* kNumpyGraphFamilies[] = {
    "graph_binary",         "graph_casts",      "graph_choice",   "graph_fourier",
    "graph_linear_algebra", "graph_movement",   "graph_norms",    "graph_placement",
    "graph_quantisation",   "graph_reductions", "graph_sampling", "graph_sorting",
    "graph_standard",       "graph_unary"};

struct NumpyOpCase {
  struct Attribute {
    std::string name;
    AttributeCode code;
    AttributeBytes value;
  };
  struct Result {
    float rtol;
    float atol;
    NumpyCaseTensor tensor;
  };
  std::string op;
  std::vector<Attribute> attributes;
  std::vector<NumpyCaseTensor> arguments;
  std::vector<Result> results;

  static std::vector<NumpyOpCase> ReadAll(std::string_view family) {
    // The variable, where the tests run on another machine than they were built on.
    const char* folder = std::getenv("TFRT_NUMPY_CASES");
    auto reader = NumpyCaseReader::Open(
        std::string(folder ? folder : TFRT_NUMPY_CASES) + "/" + std::string(family) + ".bin",
        "TFRTOPS1");
    std::vector<NumpyOpCase> cases(reader.Number<uint32_t>());
    for (NumpyOpCase& each : cases) each = Read(&reader);
    EXPECT_EQ(reader.position, reader.data.size());
    return cases;
  }

 private:
  static NumpyOpCase Read(NumpyCaseReader* reader) {
    NumpyOpCase result;
    result.op = reader->String();
    for (auto n = reader->Number<uint32_t>(); n > 0; --n) {
      std::string name = reader->String();
      auto code = reader->Number<uint8_t>();
      auto prefix = reader->Number<uint8_t>();
      result.attributes.push_back({name, code, AttributeBytes(reader->String(), prefix)});
    }
    for (auto n = reader->Number<uint32_t>(); n > 0; --n) {
      result.arguments.push_back(NumpyCaseTensor::Read(reader));
    }
    for (auto n = reader->Number<uint32_t>(); n > 0; --n) {
      auto rtol = reader->Number<float>(), atol = reader->Number<float>();
      result.results.push_back({rtol, atol, NumpyCaseTensor::Read(reader)});
    }
    return result;
  }
};

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_HOST_OPS_NUMPY_OP_CASES_H_
