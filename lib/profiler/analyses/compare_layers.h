// Compares the layers of two systems that ran the same model.
#ifndef TFRT_LIB_PROFILER_ANALYSES_COMPARE_LAYERS_H_
#define TFRT_LIB_PROFILER_ANALYSES_COMPARE_LAYERS_H_

#include <string_view>
#include <vector>

#include "experiment.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// Returns the part of a layer's name that is common to all profilers: the graph's node with which
// it ends. Thus "/conv1/Relu_output_0_nchwc" and "/conv1/Relu" are the same node.
std::string_view NodeName(std::string_view layer_name);

std::vector<Column> LayerComparisonColumns();
// Adds the rows of two subjects of one model and batch, in execution order. Each row holds all work
// of both since the row before. So the rows of a subject sum up to all of its layers.
void AddLayerComparison(const Subject& subject, const Subject& base, Table* table);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_COMPARE_LAYERS_H_
