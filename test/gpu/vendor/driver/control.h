/* What the test double exports beside the driver's functions: for tests, which find these with
 * dlsym in the library that they opened and skip what needs them where that is a real driver; and
 * for doubles of other libraries. Production code knows none of it. Thread-safe. */
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CONTROL_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CONTROL_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defects of the program that were found since the last tfrtDoubleClearReports. A process that ends
 * with some left ends with exit code 70. */
__attribute__((visibility("default"))) size_t tfrtDoubleNumReports(void);
/* Copies report `index`, from 0, with a zero byte at its end; returns its length, which may be more
 * than the capacity. */
__attribute__((visibility("default"))) size_t tfrtDoubleReport(size_t index, char* text,
                                                               size_t capacity);
__attribute__((visibility("default"))) void tfrtDoubleClearReports(void);

/* The host reads, or writes, these bytes now, which the double cannot see by itself: reported if
 * they are pinned or registered memory and a command uses them that no host wait is behind; of a
 * kernel that has not run yet, when it does. */
__attribute__((visibility("default"))) void tfrtDoubleHostAccess(const void* memory,
                                                                 size_t size_bytes, int writes);

/* How often a function of the driver was called since the last tfrtDoubleClearCalls; all of them if
 * `function` is null. */
__attribute__((visibility("default"))) uint64_t tfrtDoubleNumCalls(const char* function);
/* How many of these calls block the host although they are no waits: copies of pageable memory and
 * between two memories of the host, and, while the context has work that is not done, calls that
 * hardware was seen to wait in (test/gpu/README.md). Whoever makes one under a lock, or on a
 * thread that must not stop, stops all who need it. */
__attribute__((visibility("default"))) uint64_t tfrtDoubleNumBlockingCalls(const char* function);
__attribute__((visibility("default"))) void tfrtDoubleClearCalls(void);

/* Takes the place of all faults that were asked for: settings `fail`, `fault` and `lost` with
 * commas between them (docs/reference/gpu_double.md), counted from now on; "" for none. Devices
 * that were lost, or of no more use to the process after a fault, are there again. Returns 0, or 1
 * if a setting is wrong, which is said on standard error. */
__attribute__((visibility("default"))) int tfrtDoubleInject(const char* settings);

/* How many there are of "contexts", "streams", "events", "modules", "graphs", "execs",
 * "allocations" (of devices) or "pinned" (of the host); UINT64_MAX for another word. */
__attribute__((visibility("default"))) uint64_t tfrtDoubleNumLive(const char* kind);

/* Activity records (test/gpu/vendor/driver/activity.h), oldest first, as many whole ones as fit;
 * returns the bytes written. Nothing is recorded before it is enabled. */
__attribute__((visibility("default"))) void tfrtDoubleEnableActivities(int enabled);
__attribute__((visibility("default"))) size_t tfrtDoubleTakeActivities(void* buffer,
                                                                       size_t size_bytes);

/* What a double of the vendor's profiling library is told, on the thread of the call and under the
 * driver's lock: these functions call nothing of the driver. */
struct tfrtDoubleProfiler {
  /* A call that is in order begins (is_end 0) or has ended with a result. `function` is the number
   * of tfrtDoubleFunctionName, `correlation` that of the call, which is in the activity records of
   * what it has enqueued, `clock_ns` the host's virtual time. */
  void (*call)(uint32_t function, uint32_t correlation, int is_end, uint32_t result,
               uint64_t clock_ns);
  /* A node of a graph was made; `original`: of which node, where the graph that is made can be
   * launched, else null. Those have handles that are good for nothing else. */
  void (*node)(void* node, uint64_t id, void* original);
};
/* Borrowed for ever; null: none. */
__attribute__((visibility("default"))) void tfrtDoubleSetProfiler(
    const struct tfrtDoubleProfiler* profiler);
/* Of the driver's function with this number, from 0; null: there are not so many. */
__attribute__((visibility("default"))) const char* tfrtDoubleFunctionName(uint32_t function);

/* Bytes of devices, or pinned ones, that an enqueued function uses: 0 reads, 1 writes, 2 both, 3
 * reads, also what nothing has written. The others report such reads. */
struct tfrtDoubleRange {
  uint64_t address;
  uint64_t size_bytes;
  int32_t use;
};
/* Puts a host function into a stream (a CUstream), as a command that is ordered and checked like
 * all others. Returns the driver's code. The function finds the bytes with tfrtDoubleHostView and
 * may call nothing else of the driver. */
__attribute__((visibility("default"))) uint32_t
tfrtDoubleEnqueue(void* stream, const char* name, void (*function)(void* user_data),
                  void* user_data, const struct tfrtDoubleRange* ranges, size_t num_ranges);
/* As above, for calls that several streams make together: none of the commands with the same key
 * runs before `num_members` of them are each the first of its stream. */
__attribute__((visibility("default"))) uint32_t
tfrtDoubleEnqueueTogether(void* stream, const char* name, uint64_t key, size_t num_members,
                          void (*function)(void* user_data), void* user_data,
                          const struct tfrtDoubleRange* ranges, size_t num_ranges);
/* A function of another library of the vendor is called: counted under its name, which
 * tfrtDoubleNumCalls then knows, and written to the log. `function` lives for ever. Returns the
 * code that a setting `fail` makes it return, or 0. The function then does nothing else. */
__attribute__((visibility("default"))) uint32_t tfrtDoubleLibraryCall(const char* function);
/* The version that the setting `version=LIBRARY:NUMBER` gives a library ("cublas"), or `otherwise`.
 */
__attribute__((visibility("default"))) uint64_t tfrtDoubleLibraryVersion(const char* library,
                                                                         uint64_t otherwise);
/* For functions that run: sets the bits of those bytes at the address that something has written,
 * from the lowest bit of the first word on. All lie in one allocation. */
__attribute__((visibility("default"))) void tfrtDoubleReadWritten(uint64_t address,
                                                                  uint64_t size_bytes,
                                                                  uint64_t* bits);
/* As well: these bytes of the function's range count as unwritten, because its results were made of
 * unwritten ones. */
__attribute__((visibility("default"))) void tfrtDoubleForgetWritten(uint64_t address,
                                                                    uint64_t size_bytes);
/* The host's view of a device address; null if no allocation holds it. */
__attribute__((visibility("default"))) void* tfrtDoubleHostView(uint64_t address);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TFRT_TEST_GPU_VENDOR_DRIVER_CONTROL_H_ */
