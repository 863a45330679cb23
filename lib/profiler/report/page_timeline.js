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
