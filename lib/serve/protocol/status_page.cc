#include "status_page.h"

namespace tfrt::serve {

// Texts of the server are set as text, never as HTML.
std::string_view StatusPage() {
  return R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tfrt_serve</title>
<style>
body { font: 15px system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }
table { border-collapse: collapse; margin-bottom: 2em; }
th, td { text-align: left; padding: .3em 1em; border-bottom: 1px solid #ddd; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.bad { color: #a00; } svg { background: #f6f6f6; }
</style></head><body>
<h1>tfrt_serve</h1><p id="state">loading</p>
<table><thead><tr><th>model</th><th>version</th><th>state</th><th>requests/s</th><th>errors</th>
<th>waiting</th><th>running</th><th>rows per run</th><th>mean ms</th><th>last minutes, ms</th></tr>
</thead><tbody id="models"></tbody></table>
<script>
"use strict";
const seen = new Map();  // by model and version: the last counts and the points of its plot
function cell(row, text, kind) {
  const td = row.insertCell();
  td.textContent = text;
  if (kind) td.className = kind;
  return td;
}
function plot(points) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", 240); svg.setAttribute("height", 32);
  const most = Math.max(...points, 1e-9);
  const line = document.createElementNS(svg.namespaceURI, "polyline");
  line.setAttribute("fill", "none"); line.setAttribute("stroke", "#06c");
  line.setAttribute("points",
    points.map((p, i) => (i * 2) + "," + (30 - 28 * p / most).toFixed(1)).join(" "));
  svg.append(line);
  return svg;
}
async function show() {
  const index = await (await fetch("v2/repository/index", {method: "POST"})).json();
  const all = (await (await fetch("v2/models/stats")).json()).model_stats;
  const stats = new Map(all.map(s => [s.name + "/" + s.version, s]));
  const now = performance.now();
  const rows = document.createElement("tbody");
  rows.id = "models";
  for (const model of index) {
    const key = model.name + "/" + (model.version || "");
    const s = stats.get(key);
    const row = rows.insertRow();
    cell(row, model.name); cell(row, model.version || "");
    cell(row, model.state + (model.reason ? ": " + model.reason : ""),
         model.state === "READY" && !model.reason ? "" : "bad");
    if (!s) continue;
    const done = s.inference_stats.success, failed = s.inference_stats.fail;
    const old = seen.get(key) || {count: done.count, ns: done.ns, time: now, points: []};
    const count = done.count - old.count, seconds = (now - old.time) / 1000;
    const mean = count > 0 ? (done.ns - old.ns) / count / 1e6 : 0;
    old.points.push(mean);
    if (old.points.length > 120) old.points.shift();
    seen.set(key, {count: done.count, ns: done.ns, time: now, points: old.points});
    cell(row, seconds > 0 ? (count / seconds).toFixed(1) : "0", "number");
    cell(row, failed.count, failed.count ? "number bad" : "number");
    cell(row, s.queue_size, "number"); cell(row, s.running, "number");
    const runs = s.execution_count;
    cell(row, runs ? (s.inference_count / runs).toFixed(2) : "", "number");
    cell(row, mean.toFixed(2), "number");
    row.insertCell().append(plot(old.points));
  }
  document.getElementById("models").replaceWith(rows);
  const ready = (await fetch("v2/health/ready")).ok;
  document.getElementById("state").textContent = ready ? "ready" : "not ready";
}
async function again() {
  try { await show(); } catch (error) {
    document.getElementById("state").textContent = "no answer: " + error.message;
  }
  setTimeout(again, 2000);
}
again();
</script></body></html>
)html";
}

}  // namespace tfrt::serve
