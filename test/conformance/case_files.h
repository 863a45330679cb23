// The files of a case: model.onnx, and test_data_set_K/input_I.pb and output_I.pb.
#ifndef TFRT_TEST_CONFORMANCE_CASE_FILES_H_
#define TFRT_TEST_CONFORMANCE_CASE_FILES_H_

#include <string>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::conformance {

struct DataTensor {
  std::string name;  // may be empty
  DenseHostTensor tensor;
};

struct DataSet {
  std::vector<DataTensor> inputs;
  std::vector<DataTensor> outputs;
};

// A file with one tensor in ONNX's encoding.
StatusOr<DataTensor> ReadTensor(const std::string& path);

// The folders of data sets of a case, in order.
std::vector<std::string> DataSetsOf(const std::string& case_folder);
StatusOr<DataSet> ReadDataSet(const std::string& folder);

}  // namespace tfrt::conformance

#endif  // TFRT_TEST_CONFORMANCE_CASE_FILES_H_
