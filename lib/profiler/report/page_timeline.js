'use strict';
// Timelines: of very many events those that can be seen, merged where they are narrower than a pixel.

class Timeline {
  constructor(chart, table, lanes, rowHeight) {
    const column = (key) => table.columns[chart.columns[key]];
    const number = (c, row) => { const value = cellAt(c, row); return value === null ? NaN : Number(value); };
    const more = (chart.columns.more || []).map((c) => table.columns[c]);
    const size = table.count;
    this.label = more[0];
    this.num = more[1];
    this.begin = new Float64Array(size);
    this.end = new Float64Array(size);
    this.top = new Float64Array(size);
    this.group = new Uint8Array(size);
    this.groups = chart.groups.length ? chart.groups : [''];
    const laneOf = new Map(lanes.map((lane) => [lane.name, lane]));
    const groupOf = new Map(this.groups.map((name, i) => [name, i]));
    for (let row = 0; row < size; ++row) {
      const lane = laneOf.get(category(cellAt(column('y'), row)));
      const depth = column('size') ? number(column('size'), row) || 0 : 0;
      this.begin[row] = number(column('x'), row);
      this.end[row] = Math.max(number(column('until'), row), this.begin[row]);
      this.top[row] = lane.y + Math.max(0, Math.min(depth, lane.depth)) * rowHeight;
      const group = column('group') ? category(cellAt(column('group'), row)) : '';
      this.group[row] = groupOf.get(group) ?? this.groups.length - 1;
    }
    this.order = Uint32Array.from({ length: size }, (_, i) => i).filter((row) => this.begin[row] <= this.end[row]);
    this.order.sort((a, b) => this.begin[a] - this.begin[b] || a - b);
  }

  numberOf(row) {
    return this.num ? Number(cellAt(this.num, row)) || 1 : 1;
  }

  // The rectangles of the time from `first` to `last`, which is `width` pixels wide.
  shown(first, last, width, hidden) {
    const perPixel = (last - first) / width;
    const isHidden = this.groups.map((name) => hidden.includes(name));
    const result = [];
    const open = new Map();
    for (const row of this.order) {
      const a = this.begin[row], b = this.end[row];
      if (a > last) break;
      if (b < first || isHidden[this.group[row]]) continue;
      const y = this.top[row];
      if (b - a >= perPixel) {
        const isVisible = Math.min(b, last) - Math.max(a, first) > 26 * perPixel;
        const n = this.numberOf(row);
        const name = isVisible && this.label ? String(cellAt(this.label, row) ?? '') : '';
        result.push({ a, b, y, g: this.groups[this.group[row]], i: row, n, label: name });
        continue;
      }
      const before = open.get(y);
      if (before && a - before.b < perPixel && before.g === this.groups[this.group[row]]) {
        before.b = Math.max(before.b, b);
        before.n += this.numberOf(row);
      } else {
        const block = { a, b, y, g: this.groups[this.group[row]], i: row, n: this.numberOf(row), label: '' };
        open.set(y, block);
        result.push(block);
      }
    }
    return result;
  }
}

// Charts of very many rows: of each pixel of the x axis those rows that make the shape.
class Series {
  constructor(chart, table) {
    const column = (key) => table.columns[chart.columns[key]];
    const numbers = (c) => Float64Array.from(c.data.values, (value) => (value === null ? NaN : Number(value)));
    this.kind = chart.kind;
    this.isLog = chart.x_is_log;
    this.isLogY = chart.y_is_log;
    this.x = numbers(column('x'));
    this.y = numbers(column('y'));
    const names = new Map();
    this.group = Uint32Array.from({ length: table.count }, (_, row) => {
      const name = column('group') ? cellAt(column('group'), row) : '';
      if (!names.has(name)) names.set(name, names.size);
      return names.get(name);
    });
    this.order = Uint32Array.from({ length: table.count }, (_, row) => row)
      .filter((row) => Number.isFinite(this.x[row]) && Number.isFinite(this.y[row]) && (!this.isLog || this.x[row] > 0));
    this.order.sort((a, b) => this.x[a] - this.x[b] || a - b);
  }

  // Rows of the part of x from `first` to `last` on `width` pixels, and those just before and behind it.
  rows(first, last, width) {
    const at = this.isLog ? Math.log : (number) => number;
    const perPixel = (at(last) - at(first)) / width;
    const chosen = new Set(), parts = new Map(), before = new Map(), behind = new Map();
    let low = Infinity, high = -Infinity;
    if (this.kind === 'points' || this.kind === 'roofline') {
      for (const row of this.order) { const y = this.height(row); if (y < low) low = y; if (y > high) high = y; }
    }
    for (const row of this.order) {
      const x = this.x[row], group = this.group[row];
      if (x < first) { before.set(group, row); continue; }
      if (x > last) { if (!behind.has(group)) behind.set(group, row); continue; }
      const pixel = Math.floor((at(x) - at(first)) / perPixel) || 0;
      // Dots hide each other where they share a place of two by two pixels.
      const key = high > -Infinity ? `${group} ${pixel >> 1} ${Math.floor(120 * (this.height(row) - low) / (high - low)) || 0}` : group * 65536 + pixel;
      const part = parts.get(key);
      if (!part) { parts.set(key, { first: row, last: row, low: row, high: row }); continue; }
      part.last = row;
      if (this.y[row] < this.y[part.low]) part.low = row;
      if (this.y[row] > this.y[part.high]) part.high = row;
    }
    const isLine = this.kind === 'lines' || this.kind === 'steps';
    for (const part of parts.values()) {
      if (isLine) [part.first, part.last, part.low, part.high].forEach((row) => chosen.add(row));
      else chosen.add(this.kind === 'bars' ? part.high : part.first);
    }
    if (isLine) [...before.values(), ...behind.values()].forEach((row) => chosen.add(row));
    return this.order.filter((row) => chosen.has(row));
  }

  height(row) {
    return this.isLogY || this.kind === 'roofline' ? Math.log(Math.max(this.y[row], 1e-300)) : this.y[row];
  }
}
Series.kinds = ['lines', 'steps', 'points', 'roofline', 'bars'];
Series.least = 3000;  // rows; fewer are drawn as they are
