'use strict';
// The page: header, sections, navigation and theme.

// What went wrong is shown to who looks for it, tests among them.
const errors = [];
function noteError(text) {
  errors.push(text);
  document.documentElement.dataset.errors = errors.join('\n');
}
window.addEventListener('error', (event) => noteError(event.message));
window.addEventListener('securitypolicyviolation', (event) => noteError('blocked: ' + event.violatedDirective + ' ' + event.blockedURI));

const report = JSON.parse(document.getElementById('data').textContent);
const charts = [];

function themeName() {
  let chosen = null;
  try { chosen = localStorage.getItem('tfrt-report-theme'); } catch (error) { /* none is kept */ }
  if (location.hash.startsWith('#theme=')) chosen = location.hash.slice(7);
  return chosen === 'dark' || chosen === 'light' ? chosen : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  for (const chart of charts) chart.setTheme(themes[name]);
}

function doubtList(doubts, id) {
  if (!doubts.length) return null;
  return element('ul', { class: 'doubts', id, 'aria-label': 'Doubts' }, doubts.map((doubt) => element('li', {}, isolated(doubt))));
}

function definition(pair, limit) {
  const isLong = pair.value.length > limit;
  return element('div', { class: isLong ? 'long' : '' }, element('dt', {}, isolated(pair.name)),
    element('dd', { class: isLong ? 'long' : '' }, isolated(pair.value)));
}

function numDoubts(section) {
  return new Set(section.tables.flatMap((table) => table.doubts)).size;
}

// A table with the charts made of it.
function block(section, table, index) {
  table.anchor = section.anchor + '-' + index;
  const made = element('div', { class: 'block', id: table.anchor }, element('h3', {}, isolated(table.title)));
  if (table.source) made.append(element('p', { class: 'source' }, isolated(table.source)));
  made.append(...[doubtList(table.doubts, 'doubts-' + table.anchor)].filter(Boolean));
  const own = section.charts.filter((chart) => chart.table === index);
  if (own.length) made.append(chartGrid(own, table));
  const isData = own.length && table.count > 500;
  if (!isData) {
    new TableView(table, made);
  } else {
    const details = element('details', { class: 'data' }, element('summary', {}, `The data: ${grouped(String(table.count))} rows`));
    details.addEventListener('toggle', () => { if (!details.dataset.made) { details.dataset.made = 'yes'; new TableView(table, details); } });
    made.append(details);
  }
  return made;
}

function chartGrid(own, table) {
  return element('div', { class: 'charts' }, own.map((chart) => {
    const view = new ChartView(chart, table, themes[document.documentElement.dataset.theme]);
    charts.push(view);
    watchChart(view);
    return view.figure;
  }));
}

function factList(facts) {
  return facts.length ? [element('dl', { class: 'facts' }, facts.map((pair) => definition(pair, 22)))] : [];
}

// Subjects: what tables are about, where a section has one for each of several models, batches and systems. One is
// shown at a time, the same one in all sections; its tables and charts are made when it is chosen.
const choosers = [];
const subjectsOf = (section) => [...new Set(section.tables.map((table) => table.subject).filter(Boolean))];
// A program at all of its batches is about each of them.
const withoutBatch = (subject) => subject.replace(/, batch \d+/, '');

class Chooser {
  constructor(section, subjects, facts) {
    this.section = section;
    this.subjects = subjects;
    this.facts = facts;
    this.made = new Map();
    this.select = element('select', { 'aria-label': 'What is shown in ' + section.title },
      subjects.map((subject) => element('option', { value: subject }, subject)));
    this.select.addEventListener('change', () => chooseSubject(this.select.value));
    const step = (by) => () => chooseSubject(subjects[(this.select.selectedIndex + by + subjects.length) % subjects.length]);
    this.shown = element('div', { class: 'chosen', 'aria-live': 'polite' });
    this.bar = element('div', { class: 'chooser' }, element('button', { type: 'button', 'aria-label': 'Before', onclick: step(-1) }, '\u2039'),
      this.select, element('button', { type: 'button', 'aria-label': 'Next', onclick: step(1) }, '\u203a'),
      element('span', { class: 'muted' }, `one of ${subjects.length}`));
  }

  choose(subject) {
    const own = this.subjects.includes(subject) ? subject
      : this.subjects.find((other) => withoutBatch(other) === withoutBatch(subject) && (other === withoutBatch(other) || subject === withoutBatch(subject)));
    if (!own) {
      this.select.selectedIndex = -1;
      this.shown.replaceChildren(element('p', { class: 'text muted' }, 'Nothing of ', isolated(subject), '.'));
      return;
    }
    this.select.value = own;
    if (!this.made.has(own)) {
      const { section } = this;
      const suffix = ` (${own})`;
      const facts = this.facts.filter((pair) => pair.name.endsWith(suffix))
        .map((pair) => ({ name: pair.name.slice(0, -suffix.length), value: pair.value }));
      this.made.set(own, [...factList(facts),
        ...section.tables.flatMap((table, i) => (table.subject === own ? [block(section, table, i)] : []))]);
    }
    this.shown.replaceChildren(...this.made.get(own));
  }
}

// Those who chose in a section go on reading there, though others above it change their height.
function chooseSubject(subject) {
  const before = document.activeElement ? document.activeElement.getBoundingClientRect().top : 0;
  for (const chooser of choosers) chooser.choose(subject);
  if (document.activeElement) scrollBy({ top: document.activeElement.getBoundingClientRect().top - before, behavior: 'instant' });
}

// The one of which most sections tell.
function firstSubject() {
  const counts = new Map();
  for (const chooser of choosers) for (const subject of chooser.subjects) counts.set(subject, (counts.get(subject) || 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])[0];
}

function sectionOf(section, index) {
  section.anchor = 'section-' + index;
  const made = element('section', { id: section.anchor, 'data-section': section.id },
    element('h2', {}, isolated(section.title)));
  if (section.text) made.append(element('p', { class: 'text' }, section.text));
  const subjects = subjectsOf(section);
  const isChosen = subjects.length > 1;
  const isOfSubject = (pair) => isChosen && subjects.some((subject) => pair.name.endsWith(` (${subject})`));
  made.append(...factList(section.facts.filter((pair) => !isOfSubject(pair))));
  const lost = section.charts.filter((chart) => chart.table < 0);
  if (lost.length) made.append(chartGrid(lost, null));
  section.tables.forEach((table, i) => { if (!isChosen || !table.subject) made.append(block(section, table, i)); });
  if (isChosen) {
    const chooser = new Chooser(section, subjects, section.facts.filter(isOfSubject));
    choosers.push(chooser);
    made.append(chooser.bar, chooser.shown);
  }
  return made;
}

function header() {
  const made = element('header', { id: 'top' }, element('h1', {}, isolated(report.title)));
  if (report.properties.length) {
    made.append(element('dl', { class: 'properties', 'aria-label': 'What was measured, and how' }, report.properties.map((pair) => definition(pair, 44))));
  }
  made.append(...[doubtList(report.doubts, 'doubts')].filter(Boolean));
  return made;
}

function navigation() {
  const links = report.sections.filter((section) => section.title).map((section) => {
    const n = numDoubts(section);
    const mark = n ? element('span', { class: 'mark', title: `${n} doubt${n > 1 ? 's' : ''}` }, '\u26a0\ufe0e ' + n) : null;
    return element('li', {}, element('a', { href: '#' + section.anchor }, element('span', { class: 'label', title: section.title }, isolated(section.title)), mark));
  });
  const switcher = element('button', { type: 'button', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: () => {
    const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try { localStorage.setItem('tfrt-report-theme', name); } catch (error) { /* it lasts until the page is left */ }
    setTheme(name);
  } }, '\u25d0');
  return element('nav', { 'aria-label': 'Sections' }, element('div', { class: 'brand' }, element('span', {}, 'Profile report'), switcher), element('ol', {}, links));
}

// Marks the section that is being read.
function followReading(nav) {
  const links = new Map([...nav.querySelectorAll('a')].map((link) => [link.getAttribute('href').slice(1), link]));
  const seen = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? seen.add(entry.target.id) : seen.delete(entry.target.id);
    const current = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links) id === current ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current');
  }, { rootMargin: '-10% 0px -70% 0px' });
  document.querySelectorAll('section').forEach((section) => observer.observe(section));
}

// Draws what comes into sight at once, and the rest when there is nothing else to do.
let watchChart = () => {};
function drawCharts() {
  const byHolder = new Map(charts.filter((chart) => !chart.isDone).map((chart) => [chart.figure, chart]));
  watchChart = (chart) => {
    if (chart.isDone) return;
    byHolder.set(chart.figure, chart);
    observer.observe(chart.figure);
    if (byHolder.size === 1) setTimeout(drawNext, 50);
  };
  const draw = (figure) => {
    const chart = byHolder.get(figure);
    if (!chart) return;
    byHolder.delete(figure);
    observer.unobserve(figure);
    chart.draw();
    resizes.observe(chart.holder);
  };
  const observer = new IntersectionObserver((entries) => entries.forEach((entry) => { if (entry.isIntersecting) draw(entry.target); }), { rootMargin: '300px' });
  const resizes = new ResizeObserver((entries) => requestAnimationFrame(() => entries.forEach((entry) => {
    const chart = charts.find((other) => other.holder === entry.target);
    if (chart) chart.resize();
  })));
  for (const figure of byHolder.keys()) observer.observe(figure);
  const drawNext = () => {
    const next = byHolder.keys().next();
    if (next.done) { document.documentElement.dataset.state = 'ready'; return; }
    draw(next.value);
    setTimeout(drawNext, 0);
  };
  setTimeout(drawNext, 50);
  window.addEventListener('beforeprint', () => [...byHolder.keys()].forEach(draw));
}

document.documentElement.dataset.theme = themeName();
const sections = report.sections.map(sectionOf);
if (choosers.length) chooseSubject(firstSubject());
const nav = navigation();
document.getElementById('page').append(nav, element('main', {}, header(), sections,
  element('footer', {}, 'This file holds all that it shows and asks no network. Charts: Vega (BSD-3-Clause); its licence is in the source of this page.')));
followReading(nav);
drawCharts();
document.addEventListener('scroll', () => { document.getElementById('tip').hidden = true; }, { passive: true });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(themeName()));
