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
  return section.tables.reduce((sum, table) => sum + table.doubts.length, 0);
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
    return view.figure;
  }));
}

function sectionOf(section, index) {
  section.anchor = 'section-' + index;
  const made = element('section', { id: section.anchor, 'data-section': section.id },
    element('h2', {}, isolated(section.title)));
  if (section.text) made.append(element('p', { class: 'text' }, section.text));
  if (section.facts.length) made.append(element('dl', { class: 'facts' }, section.facts.map((pair) => definition(pair, 22))));
  const lost = section.charts.filter((chart) => chart.table < 0);
  if (lost.length) made.append(chartGrid(lost, null));
  section.tables.forEach((table, i) => made.append(block(section, table, i)));
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
function drawCharts() {
  const byHolder = new Map(charts.filter((chart) => !chart.isDone).map((chart) => [chart.figure, chart]));
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
const nav = navigation();
document.getElementById('page').append(nav, element('main', {}, header(), sections,
  element('footer', {}, 'This file holds all that it shows and asks no network. Charts: Vega (BSD-3-Clause); its licence is in the source of this page.')));
followReading(nav);
drawCharts();
document.addEventListener('scroll', () => { document.getElementById('tip').hidden = true; }, { passive: true });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(themeName()));
