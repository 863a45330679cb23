'use strict';
// Tables: formatted, sorted, filtered and paged.

// An element; `children` are elements or texts. Names of a report become text nodes only.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'onclick' || name === 'oninput') made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

// A name of any script: what it looks like ends where it ends.
const isolated = (text) => element('bdi', {}, text);

const isNumberColumn = (column) => column.kind !== 'text';

// The cell of a column: a string, a number, or null.
function cellAt(column, row) {
  const value = column.data.values[row];
  return typeof value === 'number' && column.data.texts ? column.data.texts[value] : value;
}

function grouped(digits) {
  const [whole, rest] = digits.split('.');
  if (whole.replace('-', '').length < 5) return digits;
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  return rest === undefined ? spaced : spaced + '.' + rest;
}

function realText(number, decimals) {
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e9 || size < 1e-5)) return number.toExponential(3);
  if (size !== 0) decimals = Math.max(decimals, Math.min(1 - Math.floor(Math.log10(size)), 9));
  return grouped(number.toFixed(decimals));
}

// As cells of a table show it: without unit, but for shares.
function cellText(column, value) {
  if (value === null || value === undefined) return '–';
  if (column.kind === 'share' && typeof value === 'number') return realText(value * 100, 1) + '\u202f%';
  if (typeof value === 'string') return column.kind === 'integer' ? grouped(value) : value;
  return Number.isInteger(value) && column.kind === 'integer' ? grouped(String(value)) : realText(value, column.decimals);
}

function cellTextWithUnit(column, value) {
  const text = cellText(column, value);
  return column.unit && value !== null ? text + '\u202f' + column.unit : text;
}

class TableView {
  constructor(table, holder) {
    this.table = table;
    this.page = 0;
    this.sortColumn = -1;
    this.isDescending = false;
    this.words = [];
    this.isOpen = !(table.shown > 0 && table.shown < table.count) && table.count <= TableView.pageSize;
    this.order = Array.from({ length: table.count }, (_, i) => i);
    this.largest = table.columns.map((c) => (c.kind === 'share' ? 1 : 0));
    this.make(holder);
  }

  make(holder) {
    const { table } = this;
    this.body = element('tbody');
    this.heads = table.columns.map((column, c) => this.headOf(column, c));
    this.count = element('span', { class: 'count', 'aria-live': 'polite' });
    this.pager = element('span', { class: 'pager' });
    const tools = [];
    if (table.count > 8) {
      const input = element('input', {
        type: 'search', placeholder: 'Filter: words, or latency>1', 'aria-label': 'Filter the rows of ' + table.title,
        title: 'Words that a row must hold, and conditions such as latency>1, batch=4 (the beginning of a column\u2019s name is enough)',
        oninput: () => { this.words = input.value.trim().split(/\s+/).filter(Boolean); this.page = 0; this.refresh(); },
      });
      tools.push(input);
    }
    tools.push(this.count, this.pager, element('button', { type: 'button', onclick: (event) => this.copy(event.target) }, 'Copy as CSV'));
    const head = element('thead', {}, element('tr', {}, this.heads));
    const sheet = element('table', { 'data-table': table.id, 'aria-label': table.title }, head, this.body);
    // Few columns stand close together, many fill the page.
    sheet.style.minWidth = `min(100%, ${table.columns.length * 8.5}rem)`;
    holder.append(element('div', { class: 'table' }, element('div', { class: 'tools' }, tools),
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': table.title }, sheet)));
    if (table.note) holder.append(element('p', { class: 'chart-note' }, table.note));
    const helps = table.columns.filter((column) => column.help);
    if (helps.length) {
      holder.append(element('details', {}, element('summary', {}, 'What the columns mean'),
        element('dl', {}, helps.flatMap((column) => [element('dt', {}, isolated(column.name)), element('dd', {}, column.help)]))));
    }
    this.refresh();
  }

  headOf(column, c) {
    const isNumber = isNumberColumn(column);
    const unit = column.kind === 'share' ? (column.base ? 'of ' + column.base : '') : column.unit;
    return element('th', { scope: 'col', class: isNumber ? 'number' : 'text', title: column.help || undefined },
      element('button', { type: 'button', onclick: () => this.sortBy(c) },
        element('span', { class: 'name' }, isolated(column.name)),
        element('span', { class: column.base ? 'unit base' : 'unit' }, unit)));
  }

  sortBy(c) {
    const isNumber = isNumberColumn(this.table.columns[c]);
    if (this.sortColumn !== c) [this.sortColumn, this.isDescending] = [c, isNumber];
    else if (this.isDescending === isNumber) this.isDescending = !isNumber;
    else this.sortColumn = -1;
    this.heads.forEach((head, i) => {
      if (i === this.sortColumn) head.setAttribute('aria-sort', this.isDescending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    this.page = 0;
    this.refresh();
  }

  // For each row what it is sorted by; nothing comes last.
  keysOf(column) {
    const { values, texts } = column.data;
    const last = this.isDescending ? -Infinity : Infinity;
    if (!texts) return values.map((value) => (value === null ? last : Number(value)));
    const collator = new Intl.Collator('en', { numeric: true });
    const ranks = new Array(texts.length);
    texts.map((text, i) => i).sort((a, b) => collator.compare(texts[a], texts[b])).forEach((text, rank) => { ranks[text] = rank; });
    return values.map((value) => (typeof value === 'number' ? ranks[value] : last));
  }

  // A function that says whether a row has what a word of the filter asks for.
  testOf(word) {
    const { columns } = this.table;
    const parts = /^(.*?[^<>=])(>=|<=|>|<|=)(.+)$/.exec(word);
    if (parts) {
      const wanted = parts[1].toLowerCase();
      const column = columns.find((c) => c.name.toLowerCase() === wanted) ||
        columns.find((c) => c.name.toLowerCase().replace(/\s+/g, '').startsWith(wanted));
      const limit = Number(parts[3]) / (column && column.kind === 'share' ? 100 : 1);
      if (column && isNumberColumn(column) && !Number.isNaN(limit)) {
        const test = { '>': (v) => v > limit, '<': (v) => v < limit, '>=': (v) => v >= limit, '<=': (v) => v <= limit, '=': (v) => v === limit }[parts[2]];
        return (row) => { const value = cellAt(column, row); return value !== null && test(Number(value)); };
      }
      if (column && parts[2] === '=') return (row) => String(cellAt(column, row)).toLowerCase() === parts[3].toLowerCase();
    }
    const lower = word.toLowerCase();
    const texts = columns.map((column) => (column.data.texts || []).map((text) => text.toLowerCase().includes(lower)));
    return (row) => columns.some((column, c) => {
      const value = column.data.values[row];
      if (value === null) return false;
      return column.data.texts && typeof value === 'number' ? texts[c][value] : String(value).toLowerCase().includes(lower);
    });
  }

  refresh() {
    let order = Array.from({ length: this.table.count }, (_, i) => i);
    if (this.words.length) {
      const tests = this.words.map((word) => this.testOf(word));
      order = order.filter((row) => tests.every((test) => test(row)));
    }
    if (this.sortColumn >= 0) {
      const keys = this.keysOf(this.table.columns[this.sortColumn]);
      const sign = this.isDescending ? -1 : 1;
      order.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b));
    }
    this.order = order;
    this.draw();
  }

  draw() {
    const size = this.isOpen ? TableView.pageSize : Math.min(this.table.shown || TableView.firstSize, TableView.pageSize);
    const numPages = this.isOpen ? Math.max(1, Math.ceil(this.order.length / size)) : 1;
    this.page = Math.min(this.page, numPages - 1);
    const rows = this.order.slice(this.page * size, this.page * size + size);
    this.body.replaceChildren(...rows.map((row) => this.rowOf(row)));
    if (!rows.length) {
      this.body.append(element('tr', {}, element('td', { class: 'nothing', colspan: this.table.columns.length },
        this.table.count ? 'no row has all of that' : 'no rows')));
    }
    const numAll = grouped(String(this.order.length));
    const of = this.words.length ? ` that match, of ${grouped(String(this.table.count))}` : '';
    this.count.textContent = rows.length === this.order.length ? `${numAll} row${this.order.length === 1 ? '' : 's'}${of}`
      : `${grouped(String(this.page * size + 1))}–${grouped(String(this.page * size + rows.length))} of ${numAll} rows${of}`;
    this.drawPager(numPages, rows.length);
  }

  drawPager(numPages, numRows) {
    const button = (text, label, isOff, go) => element('button', { type: 'button', 'aria-label': label, disabled: isOff, onclick: go }, text);
    const turn = (page) => () => { this.page = page; this.draw(); };
    const parts = [];
    if (this.isOpen && numPages > 1) {
      parts.push(button('‹', 'Rows before', this.page === 0, turn(this.page - 1)),
        `${this.page + 1} / ${grouped(String(numPages))}`,
        button('›', 'Rows after', this.page === numPages - 1, turn(this.page + 1)));
    }
    const canClose = this.table.shown > 0 || this.table.count > TableView.pageSize;
    if (!this.isOpen && numRows < this.order.length) {
      parts.push(button('Show all', null, false, () => { this.isOpen = true; this.draw(); }));
    } else if (this.isOpen && canClose && this.table.count > (this.table.shown || TableView.firstSize)) {
      parts.push(button('Show fewer', null, false, () => { this.isOpen = false; this.page = 0; this.draw(); }));
    }
    this.pager.replaceChildren(...parts);
  }

  rowOf(row) {
    return element('tr', {}, this.table.columns.map((column) => {
      const value = cellAt(column, row);
      const text = cellText(column, value);
      const isNothing = value === null || value === undefined;
      const isShare = column.kind === 'share' && typeof value === 'number';
      const cell = element('td', {
        class: (isNumberColumn(column) ? 'number' : text.length > 36 ? 'text long' : 'text') + (isShare ? ' share' : '') + (isNothing ? ' nothing' : ''),
        'data-value': isNothing ? undefined : String(value),
      });
      if (isShare) cell.style.setProperty('--share', Math.max(0, Math.min(1, value)));
      const isLong = text.length > 90;
      cell.append(isLong ? element('span', { class: 'clamp', title: text }, isolated(text)) : isNumberColumn(column) ? text : isolated(text));
      return cell;
    }));
  }

  // All rows that the filter lets through, in their order.
  csv() {
    // What a spreadsheet would take for a formula stays a text.
    const quoted = (text) => (/^[=+@\-\t\r]/.test(text) ? '"\'' : '"') + text.replaceAll('"', '""') + '"';
    const { columns } = this.table;
    const lines = [columns.map((column) => quoted(column.unit ? `${column.name} (${column.unit})` : column.name)).join(',')];
    for (const row of this.order) {
      lines.push(columns.map((column) => {
        const value = cellAt(column, row);
        return value === null ? '' : isNumberColumn(column) ? String(value) : quoted(String(value));
      }).join(','));
    }
    return lines.join('\r\n') + '\r\n';
  }

  copy(button) {
    const done = (text) => { button.textContent = text; setTimeout(() => { button.textContent = 'Copy as CSV'; }, 1500); };
    const text = this.csv();
    const byHand = () => {
      const area = element('textarea', { 'aria-hidden': 'true' });
      area.value = text;
      document.body.append(area);
      area.select();
      done(document.execCommand('copy') ? 'Copied' : 'Not allowed');
      area.remove();
    };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => done('Copied'), byHand);
    else byHand();
  }
}
TableView.pageSize = 100;
TableView.firstSize = 15;
