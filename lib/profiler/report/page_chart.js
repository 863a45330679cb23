'use strict';
// Charts: specifications of Vega, drawn when they come into sight, in the colours of the theme.

// Colours that people who see few of them tell apart, in both themes; the last is for all others.
const themes = {
  light: {
    ink: '#1d2126', muted: '#646b73', paper: '#ffffff', line: '#e3e4e1',
    palette: ['#4477aa', '#e5616f', '#228833', '#c9b030', '#5bbfe0', '#aa3377', '#a9adb1'],
    heat: ['#eef3f8', '#b9d0e4', '#7ba6cb', '#447bac', '#1d4f80', '#0b2a4d'],
  },
  dark: {
    ink: '#e4e6e8', muted: '#98a0a8', paper: '#15181c', line: '#2b3036',
    palette: ['#6ea1d8', '#f08791', '#52b568', '#d8c75a', '#85d6f0', '#cf76ab', '#7b838b'],
    heat: ['#1d2733', '#23415f', '#2f6492', '#4e8ec2', '#8fbfe6', '#dcecf9'],
  },
};

// What stands for a cell of text in scales and groups. Names that objects have already would, as keys, change what all
// objects are: a space without width makes them different.
function category(value) {
  const text = value === null ? '-' : String(value);
  return text in Object.prototype ? text + '\u200b' : text;
}

// Vega's modules, made on first use.
let vegaMade = null;
function vega() {
  if (vegaMade) return vegaMade;
  const exportsOf = {};
  const require = (name) => exportsOf[name === 'vega-selections' ? 'vega-selection' : name];
  for (const [name, make] of Object.entries(vegaModules)) {
    const module = { exports: {} };
    make(module, module.exports, require, undefined);
    exportsOf[name] = module.exports;
  }
  Object.assign(exportsOf['vega-dataflow'].transforms, exportsOf['vega-transforms'], exportsOf['vega-encode'], exportsOf['vega-view-transforms']);
  vegaMade = { parse: exportsOf['vega-parser'].parse, View: exportsOf['vega-view'].View, interpreter: exportsOf['vega-interpreter'].expressionInterpreter };
  return vegaMade;
}

function vegaConfig(theme) {
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    style: { 'guide-label': { font, fontSize: 11.5, fill: theme.muted }, 'guide-title': { font, fontSize: 12, fontWeight: 400, fill: theme.muted } },
    text: { font, fontSize: 11.5 },
    axis: { domainColor: theme.muted, tickColor: theme.muted, gridColor: theme.line, gridWidth: 1, tickSize: 4, labelPadding: 4, titlePadding: 8, titleFontWeight: 400, zindex: 0 },
    range: { heatmap: theme.heat },
    events: { defaults: { prevent: false, allow: true } },
  };
}

class ChartView {
  constructor(chart, table, theme) {
    this.chart = chart;
    this.table = table;
    this.hidden = [];
    this.view = null;
    this.theme = theme;
    this.isDone = false;
    this.figure = this.makeFigure();
  }

  makeFigure() {
    const { chart } = this;
    const title = element('h4', {}, isolated(chart.title));
    const line = element('div', { class: 'caption-line' }, title);
    if (this.table && this.table.doubts.length) {
      const n = this.table.doubts.length;
      line.append(element('a', { class: 'badge', href: '#doubts-' + this.table.anchor, title: this.table.doubts.join('\n') }, `\u26a0\ufe0e ${n} doubt${n > 1 ? 's' : ''}`));
    }
    const caption = element('figcaption', {}, line);
    this.holder = element('div', { class: 'chart', role: 'img', 'aria-label': chart.title });
    const figure = element('figure', { class: chart.is_wide ? 'wide' : '', 'data-kind': chart.kind, 'data-state': 'waiting' }, caption);
    if (!chart.spec) {
      figure.append(element('div', { class: 'placeholder' }, 'No chart: ' + chart.note));
      figure.dataset.state = 'placeholder';
      this.isDone = true;
      return figure;
    }
    if (chart.can_zoom) line.append(this.zoomButtons());
    if (chart.y_label.trim()) caption.append(element('div', { class: 'y-label' }, isolated(chart.y_label)));
    if (chart.groups.length > 1) caption.append(this.makeChips());
    const isTall = chart.spec.height > 560 && chart.kind === 'intervals';
    this.holder.classList.toggle('tall', isTall);
    this.holder.style.minHeight = Math.min(chart.spec.height, isTall ? 560 : Infinity) + 'px';
    figure.append(this.holder);
    this.note = element('p', { class: 'chart-note' }, chart.note);
    figure.append(this.note);
    return figure;
  }

  makeChips() {
    const { chart } = this;
    const row = element('div', { class: 'chips', role: 'group', 'aria-label': 'Shown: ' + chart.group_label });
    chart.groups.forEach((name, i) => {
      const swatch = element('i');
      const chip = element('button', { type: 'button', 'aria-pressed': 'true', title: name, onclick: () => {
        const isOn = chip.getAttribute('aria-pressed') === 'true';
        chip.setAttribute('aria-pressed', String(!isOn));
        this.hidden = isOn ? [...this.hidden, name] : this.hidden.filter((other) => other !== name);
        if (this.view) { this.view.signal('hidden', this.hidden); this.update(); }
      } }, swatch, element('span', {}, isolated(name)));
      chip.swatch = swatch;
      row.append(chip);
    });
    this.chips = row;
    return row;
  }

  zoomButtons() {
    const button = (text, label, go) => element('button', { type: 'button', 'aria-label': label, title: label, onclick: go }, text);
    return element('span', { class: 'zoom' },
      button('+', 'Zoom in (or mark a part of the chart, or turn the wheel with Ctrl)', () => this.zoomAt(0.5, 0.5)),
      button('−', 'Zoom out', () => this.zoomAt(0.5, 2)),
      button('↺', 'Show all (or double-click)', () => this.zoomTo(null)));
  }

  setTheme(theme) {
    this.theme = theme;
    if (this.isDone && this.chart.spec) this.draw();
  }

  rows([a, b], width) {
    const { chart, table } = this;
    if (chart.kind === 'intervals' || chart.kind === 'histogram') return [];
    return this.rowsOf(this.series ? this.series.rows(a, b, width) : Array.from({ length: table.count }, (_, row) => row));
  }

  rowsOf(numbers) {
    const { chart, table } = this;
    const group = table.columns[chart.columns.group];
    const columns = chart.fields.map((c) => [`c${c}`, table.columns[c]]);
    return Array.from(numbers, (i) => {
      const row = { i };
      if (group) row.g0 = category(cellAt(group, i));
      for (const [name, column] of columns) {
        const value = cellAt(column, i);
        const number = value === null ? NaN : Number(value);
        if (isNumberColumn(column)) row[name] = Number.isFinite(number) ? number : null;
        else row[name] = category(value);
      }
      return row;
    });
  }

  // May be called again, after a change of theme.
  draw() {
    this.isDone = true;
    const { theme, chart } = this;
    const width = Math.max(160, this.holder.clientWidth);
    const domain = this.view && chart.can_zoom ? this.view.signal('xdom') : null;
    if (this.view) this.view.finalize();
    this.view = null;
    const spec = structuredClone(chart.spec);
    const values = { ink: theme.ink, muted: theme.muted, paper: theme.paper, palette: theme.palette, hidden: this.hidden, xdom: domain, room: width };
    for (const signal of spec.signals) if (signal.name in values) signal.value = values[signal.name];
    const canSample = chart.can_zoom && Series.kinds.includes(chart.kind) && this.table.count >= Series.least;
    if (canSample && !this.series) this.series = new Series(chart, this.table);
    spec.data[0].values = this.rows(domain || (canSample ? spec.scales.find((scale) => scale.name === 'x').domain : []), width);
    spec.width = width;
    const { parse, View, interpreter } = vega();
    try {
      const view = new View(parse(spec, vegaConfig(theme), { ast: true }), {
        renderer: this.table.count > 1500 && chart.kind !== 'histogram' ? 'canvas' : 'svg', hover: false, expr: interpreter, logger: this.logger(),
        tooltip: (handler, event, item, value) => this.showTip(event, value),
      });
      this.holder.replaceChildren();
      view.initialize(this.holder).hover();
      this.view = view;
      this.fullDomain = null;
      if (chart.kind === 'intervals') {
        this.timeline = this.timeline || new Timeline(chart, this.table, spec.data.find((set) => set.name === 'lanes').values, 17);
      }
      view.run();
      if (chart.can_zoom) {
        const raw = spec.scales.find((scale) => scale.name === 'x').domain;
        this.fullDomain = raw.slice();
        this.attachZoom();
      }
      this.update();
      this.figure.dataset.state = 'drawn';
      if (this.chips) [...this.chips.children].forEach((chip, i) => { chip.swatch.style.background = theme.palette[i % theme.palette.length]; });
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    noteError(error.message || String(error));
    this.figure.dataset.state = 'failed';
    this.holder.style.minHeight = 0;
    this.holder.replaceChildren(element('div', { class: 'placeholder' }, 'This chart could not be drawn: ' + error.message));
  }

  logger() {
    const logger = {
      level() { return logger; }, info() { return logger; }, debug() { return logger; },
      warn(...texts) { noteError(texts.join(' ')); return logger; },
      error(...texts) { noteError(texts.join(' ')); return logger; },
    };
    return logger;
  }

  // After a change of what is to be seen.
  update() {
    const { view, chart } = this;
    if (this.timeline) {
      const [a, b] = view.signal('xdom') || this.fullDomain;
      const shown = this.timeline.shown(a, b, view.width(), this.hidden);
      view.data('shown', shown);
      this.figure.dataset.shown = shown.length;
    }
    if (this.series) {
      const [a, b] = view.signal('xdom') || this.fullDomain;
      const rows = this.series.rows(a, b, view.width());
      view.data('table', this.rowsOf(rows));
      this.figure.dataset.shown = rows.length;
      const note = rows.length < this.table.count ? `${grouped(String(rows.length))} of ${grouped(String(this.table.count))} rows are drawn, those that make the shape; zoom in for more` : '';
      this.note.textContent = [chart.note, note].filter(Boolean).join('; ');
    }
    view.run();
  }

  resize() {
    if (!this.view) return;
    const width = Math.max(160, this.holder.clientWidth);
    if (width === this.view.signal('room')) return;
    this.view.signal('room', width).width(width).run();
    this.update();
  }

  // Zooms so that the plot shows `factor` of what it shows, around `at` (0 to 1).
  zoomAt(at, factor) {
    if (!this.view) return;
    const scale = this.view.scale('x'), width = this.view.width();
    this.zoomTo([scale.invert(width * at * (1 - factor)), scale.invert(width * (at + (1 - at) * factor))]);
  }

  zoomTo(domain) {
    if (!this.view) return;
    const [low, high] = this.fullDomain;
    if (domain) {
      domain = [Math.max(low, domain[0]), Math.min(high, domain[1])];
      if (!(domain[1] > domain[0]) || (domain[0] <= low && domain[1] >= high)) domain = null;
    }
    this.view.signal('xdom', domain).signal('brush', null);
    this.update();
  }

  attachZoom() {
    const { holder, view } = this;
    if (holder.classList.contains('zooms')) return;
    holder.classList.add('zooms');
    const at = (event) => {
      const box = holder.getBoundingClientRect();
      return Math.max(0, Math.min(this.view.width(), event.clientX - box.left - this.view.padding().left - this.view.origin()[0]));
    };
    let start = null, last = null;
    holder.addEventListener('pointerdown', (event) => { if (event.button === 0) start = last = at(event); });
    holder.addEventListener('pointermove', (event) => {
      if (start === null) return;
      const here = at(event);
      if (Math.abs(here - start) > 3) holder.setPointerCapture(event.pointerId);
      if (event.shiftKey || event.pointerType === 'touch') this.pan(last - here);
      else this.view.signal('brush', [Math.min(start, here), Math.max(start, here)]).run();
      last = here;
    });
    const stop = (event) => {
      if (start === null) return;
      const [a, b] = [Math.min(start, last), Math.max(start, last)];
      start = null;
      if (event.shiftKey || event.pointerType === 'touch' || event.type === 'pointercancel') return;
      const scale = this.view.scale('x');
      if (b - a > 5) this.zoomTo([scale.invert(a), scale.invert(b)]);
      else this.view.signal('brush', null).run();
    };
    holder.addEventListener('pointerup', stop);
    holder.addEventListener('pointercancel', stop);
    holder.addEventListener('dblclick', () => this.zoomTo(null));
    holder.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoomAt(at(event) / this.view.width(), Math.pow(1.002, event.deltaY));
    }, { passive: false });
  }

  pan(pixels) {
    if (!this.view.signal('xdom')) return;
    const scale = this.view.scale('x'), width = this.view.width();
    const domain = [scale.invert(pixels), scale.invert(width + pixels)];
    if (domain[0] >= this.fullDomain[0] && domain[1] <= this.fullDomain[1]) this.zoomTo(domain);
  }

  showTip(event, datum) {
    const tip = document.getElementById('tip');
    if (!datum) { tip.hidden = true; return; }
    const pairs = [];
    const isMerged = this.timeline && datum.n > 1;
    if (isMerged) pairs.push(['events, merged', grouped(String(datum.n))], [this.chart.group_label || 'kind', datum.g]);
    if (datum.i !== undefined && !isMerged) {
      for (const column of this.table.columns.slice(0, 14)) pairs.push([column.name, cellTextWithUnit(column, cellAt(column, datum.i))]);
    } else if (datum.rows !== undefined) {
      const column = this.table.columns[this.chart.columns.x];
      pairs.push([column.name, `${realText(datum.from, 3)} to ${realText(datum.to, 3)} ${column.unit}`], ['rows', grouped(String(datum.rows))]);
    }
    tip.replaceChildren(element('dl', {}, pairs.flatMap(([name, value]) => [element('dt', {}, isolated(name)), element('dd', {}, isolated(value))])));
    tip.hidden = false;
    const x = event.clientX + 14, y = event.clientY + 14;
    tip.style.left = Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 6)) + 'px';
    tip.style.top = (y + tip.offsetHeight > innerHeight - 6 ? Math.max(4, event.clientY - tip.offsetHeight - 10) : y) + 'px';
  }
}
