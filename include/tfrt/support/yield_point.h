// Named places where a test build now and then yields to other threads. A race whose window is a
// few instructions wide then happens often enough for a test to catch it. Does nothing in other
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
