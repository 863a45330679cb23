// Reports with made-up numbers, for tests of what shows reports.
#ifndef TFRT_TEST_UNIT_PROFILER_REPORT_SAMPLE_REPORT_H_
#define TFRT_TEST_UNIT_PROFILER_REPORT_SAMPLE_REPORT_H_

#include <cstddef>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

// The analyses of a model of a hundred layers at several batches, of eager execution and of a
// profile, with all kinds of charts and doubts.
Report SampleReport();
// Names that are markup, not UTF-8, of other scripts, empty or very long; charts of columns that
// are not there; empty tables; numbers that are none.
Report HostileReport();
// Tables of many rows and a timeline of as many events.
Report LargeReport(size_t num_rows);
// A profile of `num_runs` runs of a model of layers and kernels, on three threads and a stream.
Profile SampleProfile(size_t num_runs);

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_REPORT_SAMPLE_REPORT_H_
