// Reports as the JSON that their pages read.
#ifndef TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_
#define TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// Returns tables by columns, texts by number, charts as specifications. May stand in a script
// element of a page: '<' is escaped.
std::string PageData(const Report& report);

// Returns the rows of a table for a page: all, or about `max_rows`. For a table drawn as a line it
// chooses the rows that make the shape: first, lowest, highest and last one per part of x.
// Otherwise it chooses the first ones.
std::vector<size_t> ChosenRows(const Section& section, const Table& table, size_t max_rows);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_
