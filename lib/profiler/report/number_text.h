// Formats numbers for people.
#ifndef TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_

#include <cstddef>
#include <string>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// Formats with four significant digits: "1.234", "12340", "1.234e-07".
std::string RealText(double number);
// Formats with this many decimals; more if it would have less than two significant digits.
std::string RealText(double number, int decimals);
// Returns the number of decimals with which most numbers of a column (shares as percentages) show
// three digits.
int ColumnDecimals(const Table& table, size_t column);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_NUMBER_TEXT_H_
