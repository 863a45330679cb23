#!/usr/bin/env python3
"""Opens pages of reports in headless Chromium, without a network, and reads them back.

The pages are those of make_report: a sample with all kinds of charts, one with hostile names, and a large one. What
their tables say is compared with the same report as JSON; no script may fail, no name may run; screenshots of each
theme and of a wide and a narrow window are left in FOLDER, for people.

usage: check_report.py MAKE_REPORT FOLDER
"""

import html.parser
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

BROWSERS = ("chromium", "chromium-browser")
ALL_KINDS = {"bars", "stack", "lines", "steps", "points", "roofline", "boxes", "heat_map", "intervals", "histogram"}
SKIPPED = 77


# What a reader does to the sample: sorts, filters, opens and copies a table, zooms, hides a group, changes the theme.
READER = r"""
const wait = setInterval(() => {
  if (document.documentElement.dataset.state !== 'ready') return;
  clearInterval(wait);
  const said = {};
  const table = document.querySelector('table[data-table=layers]');
  const box = table.closest('.table');
  const column = (c) => [...table.querySelectorAll('tbody tr')].map((row) => (row.children[c] || row).dataset.value);
  const head = [...table.querySelectorAll('th')].find((cell) => cell.textContent.startsWith('latency'));
  head.querySelector('button').click();
  said.sorted = column(4).map(Number);
  said.aria = head.getAttribute('aria-sort');
  [...box.querySelectorAll('.tools button')].find((button) => button.textContent === 'Show all').click();
  said.num_open = column(0).length;
  const input = box.querySelector('input');
  const filter = (text) => { input.value = text; input.dispatchEvent(new Event('input')); return column(2); };
  said.words = filter('gemm');
  said.conditions = filter('latency>0.5 type=Conv').length;
  said.none = filter('nothing-of-that').length && table.querySelector('tbody').textContent;
  filter('');
  const lines = charts.find((chart) => chart.chart.kind === 'steps');
  lines.zoomAt(0.5, 0.5);
  said.zoomed = lines.view.signal('xdom');
  lines.zoomTo(null);
  said.whole = lines.view.signal('xdom');
  const timeline = charts.find((chart) => chart.chart.kind === 'intervals');
  const before = Number(timeline.figure.dataset.shown);
  timeline.figure.querySelector('.chips button').click();
  said.hidden = before - Number(timeline.figure.dataset.shown);
  timeline.zoomAt(0.1, 0.01);
  said.labels = timeline.view.data('shown').filter((event) => event.label).length;
  const view = new TableView({ id: 'x', title: 'x', count: 2, shown: 0, doubts: [], note: '', columns: [
    { name: 'n"', kind: 'text', unit: '', base: '', help: '', decimals: 0, data: { texts: ['=1+1', 'a"b,c'], values: [0, 1] } },
    { name: 'v', kind: 'real', unit: 'ms', base: '', help: '', decimals: 1, data: { values: [0.1, null] } }] }, document.createElement('div'));
  said.csv = view.csv();
  document.querySelector('nav button').click();
  said.theme = document.documentElement.dataset.theme;
  said.states = [...new Set(charts.map((chart) => chart.figure.dataset.state))];
  document.documentElement.dataset.said = JSON.stringify(said);
}, 20);
"""


class Page(html.parser.HTMLParser):
    """What a page holds once its scripts have run: attributes of its root, figures and tables."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = {}
        self.figures = []   # (kind, state)
        self.tables = []    # {"id", "rows": [[value or None]]}
        self.texts = []
        self.images = 0
        self.num_doubts = 0
        self.labels = 0     # charts with a name for who cannot see them
        self._skip = 0
        self._in_body = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        if tag == "html":
            self.root = attributes
        elif tag in ("script", "style"):
            self._skip += 1
        elif tag == "img":
            self.images += 1
        elif tag == "figure":
            self.figures.append((attributes.get("data-kind"), attributes.get("data-state")))
        elif tag == "table":
            self.tables.append({"id": attributes.get("data-table"), "rows": []})
        elif tag == "tbody":
            self._in_body = True
        elif tag == "tr" and self._in_body:
            self.tables[-1]["rows"].append([])
        elif tag == "td" and self._in_body:
            self.tables[-1]["rows"][-1].append(attributes.get("data-value"))
        elif tag == "ul" and "doubts" in classes:
            self.num_doubts += 1
        if tag == "div" and "chart" in classes and attributes.get("aria-label"):
            self.labels += 1

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._skip -= 1
        elif tag == "tbody":
            self._in_body = False

    def handle_data(self, data):
        if not self._skip:
            self.texts.append(data)


class Browser:
    def __init__(self, path, profile):
        self.command = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                        # Else pages wait for all else that the machine does.
                        "--disable-renderer-backgrounding",
                        "--disable-background-networking", "--disable-component-update", "--disable-sync",
                        "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", f"--user-data-dir={profile}"]

    def run(self, page, *options, fragment=""):
        """What it prints, and what scripts wrote to the console."""
        done = subprocess.run([*self.command, "--virtual-time-budget=8000", *options, page.as_uri() + fragment],
                              capture_output=True, timeout=100, check=False)
        logged = done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="replace"), [line for line in logged.splitlines() if ":CONSOLE" in line]

    def dump(self, page, fragment=""):
        text, console = self.run(page, "--window-size=1400,1200", "--dump-dom", fragment=fragment)
        return Page(text), console

    def screenshot(self, page, image, width, height, fragment=""):
        """Of the page in a frame: a window of its own is never as narrow as that of a phone."""
        frame = image.with_suffix(".html")
        frame.write_text(f'<!DOCTYPE html><body style="margin:0"><iframe src="{page.as_uri()}{fragment}" '
                         f'style="border:0;width:{width}px;height:{height}px"></iframe>')
        self.run(frame, f"--window-size={max(width, 500)},{height}", f"--screenshot={image}")
        frame.unlink()
        return image


def check(condition, what):
    if not condition:
        print(f"check_report: {what}", file=sys.stderr)
        sys.exit(1)


def check_health(name, page, console):
    check(page.root.get("data-state") == "ready", f"{name}: the page is not ready: {page.root}")
    check("data-errors" not in page.root, f"{name}: errors: {page.root.get('data-errors')}")
    check(not console, f"{name}: on the console: {console[:3]}")
    states = {state for _, state in page.figures}
    check(states <= {"drawn", "placeholder"}, f"{name}: charts are {states}")



def is_same(shown, value):
    """A cell of the page, and the report's. Scripts write 1.0 as 1 and 1e-07 as 1e-7."""
    if value is None or isinstance(value, str):
        return shown == value
    return shown is not None and float(shown) == float(value)


def check_tables(name, page, report):
    """The first rows of each table are the report's, number by number."""
    tables = [table for section in report["sections"] for table in section["tables"]]
    by_id = {table["id"]: table for table in tables}
    num_cells = 0
    for shown in page.tables:
        table = by_id[shown["id"]]
        wanted = table["num_shown"] or min(len(table["rows"]), 100)
        rows = shown["rows"]
        check(len(rows) == min(wanted, 100, len(table["rows"])), f"{name}: {shown['id']} shows {len(rows)} rows")
        for cells, values in zip(rows, table["rows"]):
            check(len(cells) == len(values), f"{name}: {shown['id']} has {len(cells)} columns")
            for cell, value in zip(cells, values):
                check(is_same(cell, value), f"{name}: {shown['id']} shows {cell!r}, not {value!r}")
                num_cells += 1
    return num_cells


def check_image(image, width, height):
    data = image.read_bytes()
    check(data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 10_000, f"{image.name} is no picture")
    check(struct.unpack(">II", data[16:24]) == (width, height), f"{image.name} is of another size")


def make(tool, folder, what, form):
    path = folder / f"{what}.{form}"
    done = subprocess.run([tool, what, form, path], check=False)
    if done.returncode == SKIPPED:
        sys.exit(SKIPPED)
    check(done.returncode == 0, f"make_report {what} {form} fails")
    return path


def check_sample(tool, folder, browser):
    path = make(tool, folder, "sample", "html")
    text = path.read_text()
    outside = re.findall(r'(?:src|href)="(?!#)[^"]+', text.split('<script type="application/json"')[0])
    check(not outside, f"the page refers to {outside}")
    report = json.loads(make(tool, folder, "sample", "json").read_text())
    page, console = browser.dump(path)
    check_health("sample", page, console)
    drawn = {kind for kind, state in page.figures if state == "drawn"}
    check(drawn == ALL_KINDS, f"sample: not drawn: {ALL_KINDS - drawn}")
    check(page.labels == len(page.figures), "sample: charts without a label")
    num_cells = check_tables("sample", page, report)
    check(num_cells > 300, f"sample: only {num_cells} cells")
    shown = " ".join(page.texts)
    for section in report["sections"]:
        for text in [section["title"], *[fact["value"] for fact in section["facts"]]]:
            check(text in shown, f"sample: '{text}' is not shown")
        for table in section["tables"]:
            for doubt in table["doubts"]:
                check(doubt in shown, f"sample: the doubt '{doubt}' is not shown")
    dark, _ = browser.dump(path, "#theme=dark")
    check(dark.root.get("data-theme") == "dark" and page.root.get("data-theme") == "light", "the themes are alike")
    for theme in ("light", "dark"):
        for width, height in ((1400, 2400), (400, 2400)):
            image = browser.screenshot(path, folder / f"{theme}_{width}.png", width, height, f"#theme={theme}")
            check_image(image, max(width, 500), height)
    return num_cells


def check_reader(tool, folder, browser):
    """Does to the page what READER does, as a script that the page takes for its own."""
    path = make(tool, folder, "sample", "html")
    text = path.read_text()
    nonce = re.search(r"'nonce-([0-9a-f]+)'", text).group(1)
    path = path.with_name("reader.html")
    path.write_text(text.replace("</body>", f'<script nonce="{nonce}">{READER}</script></body>'))
    page, console = browser.dump(path)
    path.unlink()
    check_health("reader", page, console)
    said = json.loads(page.root.get("data-said", "{}"))
    check(said, "reader: the script did not end")
    check(said["sorted"] == sorted(said["sorted"], reverse=True) and said["aria"] == "descending", f"sorting: {said}")
    check(said["num_open"] == 100, f"'Show all' shows {said['num_open']} rows")
    check(said["words"] == ["Gemm"], f"a word finds {said['words']}")
    check(0 < said["conditions"] < 60, f"conditions find {said['conditions']} rows")
    check(said["none"] == "no row has all of that", f"a word that is nowhere finds {said['none']}")
    check(said["zoomed"] and said["whole"] is None, f"zoom: {said['zoomed']}, {said['whole']}")
    check(said["hidden"] > 0 and said["labels"] > 0, f"timeline: {said['hidden']} hidden, {said['labels']} labels")
    check(said["csv"] == '"n""","v (ms)"\r\n"\'=1+1",0.1\r\n"a""b,c",\r\n', f"CSV: {said['csv']!r}")
    check(said["theme"] == "dark" and said["states"] == ["drawn"], f"theme: {said['theme']}, {said['states']}")


def check_hostile(tool, folder, browser):
    path = make(tool, folder, "hostile", "html")
    report = json.loads(make(tool, folder, "hostile", "json").read_bytes().decode("utf-8"))  # valid UTF-8
    page, console = browser.dump(path)
    check_health("hostile", page, console)
    check(page.images == 0, "hostile: a name became markup")
    title = report["title"]
    check("<img src=x onerror=alert(1)>" in title and title in " ".join(page.texts), "hostile: the title is not shown")
    names = {cell for table in page.tables for row in table["rows"] for cell in row if cell}
    for name in ("x" * 300, "__proto__", "=1+1", title):
        check(name in names, f"hostile: the name {name[:20]} is not shown")


def check_large(tool, folder, browser):
    path = make(tool, folder, "100000", "html")
    begin = time.monotonic()
    page, console = browser.dump(path)
    check_health("large", page, console)
    size = path.stat().st_size / 1e6
    path.unlink()
    return size, time.monotonic() - begin


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    found = [path for path in map(shutil.which, BROWSERS) if path]
    if not found:
        print("check_report: skipped: there is no chromium")
        sys.exit(SKIPPED)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(found[0], profile)
        num_cells = check_sample(tool, folder, browser)
        check_reader(tool, folder, browser)
        check_hostile(tool, folder, browser)
        size, seconds = check_large(tool, folder, browser)
    print(f"check_report: {num_cells} cells as in the report; a page of {size:.0f} MB read in {seconds:.1f} s")


if __name__ == "__main__":
    main()
