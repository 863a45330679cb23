// Numbers for people.
#ifndef TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_

#include <cstddef>
#include <string>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// With four digits that count: "1.234", "12340", "1.234e-07".
std::string RealText(double number);
// With this many decimals; more if it would have less than two digits that count.
std::string RealText(double number, int decimals);
// How many decimals make most numbers of a column (shares as percentages) show three digits.
int ColumnDecimals(const Table& table, size_t column);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_
