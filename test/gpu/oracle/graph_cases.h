// GraphCase: one graph of each row, type and layout of the list of graphs, in a usual size.
#ifndef TFRT_TEST_GPU_ORACLE_GRAPH_CASES_H_
#define TFRT_TEST_GPU_ORACLE_GRAPH_CASES_H_

#include <string>
#include <vector>

#include "gpu/libraries/dnn/forms.h"
#include "gpu/libraries/dnn/graph.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

struct GraphCase {
  GraphForm form;  // of one type and one layout
  std::string name;
  Graph graph;
};

// Returns the graph of a form with one type and one layout. With `scale` 0 it is as small as the
// double computes quickly, with 1 as large as a network's.
StatusOr<Graph> CaseOf(const GraphForm& form, int scale);

// Returns the graphs of all rows, in the order of the list.
StatusOr<std::vector<GraphCase>> AllCases(int scale);

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_TEST_GPU_ORACLE_GRAPH_CASES_H_
