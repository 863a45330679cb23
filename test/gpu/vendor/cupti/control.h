/* What the test double of CUPTI exports beside CUPTI's functions: for tests, with dlsym. */
#ifndef TFRT_TEST_GPU_VENDOR_CUPTI_CONTROL_H_
#define TFRT_TEST_GPU_VENDOR_CUPTI_CONTROL_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the place of all settings, which are those of the environment variable TFRT_CUPTI_DOUBLE at
 * first; "" for none. Returns 0, or 1 if one is wrong, which is said on standard error. Commas
 * between them:
 *   version=N         of the library: 130001 unless said; older ones have shorter records
 *   subscribe=CODE    cuptiSubscribe and cuptiSubscribe_v2 answer it
 *   other=NAME        and the latter that this tool has subscribed
 *   enable=KIND:CODE  cuptiActivityEnable of the kind answers it; may be given again
 *   late=1            external ids are told of behind the calls that they belong to */
__attribute__((visibility("default"))) int tfrtCuptiDoubleConfigure(const char* settings);
/* External ids that threads have pushed and not popped. */
__attribute__((visibility("default"))) int64_t tfrtCuptiDoubleNumPushed(void);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* TFRT_TEST_GPU_VENDOR_CUPTI_CONTROL_H_ */
