// Named places where a test build now and then gives way to other threads, so that a race whose
// window is a few instructions wide is lost often enough for a test to see it. Nothing in other
// builds.
#ifndef TFRT_SUPPORT_YIELD_POINT_H_
#define TFRT_SUPPORT_YIELD_POINT_H_

#ifdef TFRT_YIELD_POINTS
#define TFRT_YIELD_POINT(name) ::tfrt::internal::YieldAtPoint()
namespace tfrt::internal {
void YieldAtPoint();
}  // namespace tfrt::internal
#else
#define TFRT_YIELD_POINT(name) static_cast<void>(0)
#endif

#endif  // TFRT_SUPPORT_YIELD_POINT_H_
