#include "charges.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

namespace tfrt::profiler::internal {
namespace {

// Indexes of the claims that are not empty, by begin; of those with one begin, the one that wins
// against those before it comes last.
std::vector<size_t> ByBegin(const std::vector<Claim>& claims, Winner winner) {
  std::vector<size_t> order(claims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return claims[i].interval.length() <= 0; });
  std::ranges::sort(order, [&](size_t a, size_t b) {
    const Claim &x = claims[a], &y = claims[b];
    if (x.interval.begin != y.interval.begin) return x.interval.begin < y.interval.begin;
    if (winner == Winner::kLast && x.interval.end != y.interval.end) {
      return x.interval.end > y.interval.end;
    }
    return x.owner != y.owner ? x.owner < y.owner : a < b;
  });
  return order;
}

}  // namespace

std::vector<OwnedPiece> FindOwners(const std::vector<Claim>& claims, Winner winner) {
  const std::vector<size_t> order = ByBegin(claims, winner);
  auto loses = [&](size_t a, size_t b) { return winner == Winner::kFirst ? a > b : a < b; };
  // Positions in `order` of the claims that have begun; those that have ended go when they are on
  // top.
  std::priority_queue<size_t, std::vector<size_t>, decltype(loses)> begun(loses);
  std::vector<OwnedPiece> pieces;
  size_t next = 0;
  int64_t now = 0;
  while (next < order.size() || !begun.empty()) {
    if (begun.empty()) now = claims[order[next]].interval.begin;
    while (next < order.size() && claims[order[next]].interval.begin <= now) begun.push(next++);
    const size_t top = order[begun.top()];
    int64_t until = claims[top].interval.end;
    if (until <= now) {
      begun.pop();
      continue;
    }
    if (next < order.size()) until = std::min(until, claims[order[next]].interval.begin);
    if (!pieces.empty() && pieces.back().claim == top && pieces.back().interval.end == now) {
      pieces.back().interval.end = until;
    } else {
      pieces.push_back({.interval = {now, until}, .claim = top});
    }
    now = until;
  }
  return pieces;
}

IntervalSet Charge(const IntervalSet& time, const std::vector<Claim>& claims,
                   std::vector<int64_t>& sums) {
  const std::vector<OwnedPiece> pieces = FindOwners(claims, Winner::kFirst);
  std::vector<Interval> claimed;
  claimed.reserve(pieces.size());
  std::span<const Interval> wanted = time.intervals();
  size_t at = 0;
  for (const OwnedPiece& piece : pieces) {
    claimed.push_back(piece.interval);
    while (at < wanted.size() && wanted[at].end <= piece.interval.begin) ++at;
    // The last one may go on into the next piece.
    for (size_t i = at; i < wanted.size() && wanted[i].begin < piece.interval.end; ++i) {
      sums[claims[piece.claim].owner] += std::min(wanted[i].end, piece.interval.end) -
                                         std::max(wanted[i].begin, piece.interval.begin);
    }
  }
  return Difference(time, IntervalSet(std::move(claimed)));
}

}  // namespace tfrt::profiler::internal
