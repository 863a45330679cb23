// Reports as the JSON that their pages read.
#ifndef TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_
#define TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_

#include <cstddef>
#include <string>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// Tables by columns, texts by number, charts as specifications. Fit to stand in a script element
// of a page: '<' is escaped.
std::string PageData(const Report& report);

// Which rows of a table a page holds: all, or about `max_rows`. Of what a chart draws as a line
// those that make its shape (first, lowest, highest and last one in each part of x), else the first
// ones.
std::vector<size_t> ChosenRows(const Section& section, const Table& table, size_t max_rows);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_PAGE_DATA_H_
