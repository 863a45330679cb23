#!/usr/bin/env python3
"""Opens pages of reports in headless Chromium, without a network, and reads them back.

The pages are those of make_report: a sample with all kinds of charts, one with hostile names, and a large one. What
their tables say is compared with the same report as JSON; no script may fail, no name may run; screenshots of each
theme and of a wide and a narrow window are left in FOLDER, for people.

usage: check_report.py MAKE_REPORT FOLDER
"""

import base64
import contextlib
import html.parser
import json
import os
import pathlib
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time

BROWSERS = ("chromium", "chromium-browser")
ALL_KINDS = {"bars", "stack", "lines", "steps", "points", "roofline", "boxes", "heat_map", "intervals", "histogram"}
SKIPPED = 77
# Of the pages that are photographed.
HEIGHT = 2400
# Without a word of the browser the test fails.
MAX_SECONDS = 100
# What a script or the browser writes to the console, and exceptions that no script catches.
CONSOLE_EVENTS = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


# A reader does this to the sample: sorts, filters, opens and copies a table, zooms, hides a group, changes
# the theme.
READER = r"""(() => {
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
  return said;
})()"""


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
    """Headless Chromium, started once for all pages, which takes commands of the DevTools protocol through pipes."""

    def __init__(self, path, profile):
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        # The protocol's file descriptors are 3 and 4.
        shell = ["bash", "-c", 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"', "bash", str(read_commands),
                 str(write_answers)]
        command = [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                   # Else pages wait for all else that the machine does.
                   "--disable-renderer-backgrounding",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync",
                   "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self._process = subprocess.Popen([*shell, *command], pass_fds=(read_commands, write_answers),
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self._last_id = 0
        self._bytes = bytearray()
        self._events = []   # that have come since the last wait

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._commands)  # which ends it
        try:
            self._process.wait(MAX_SECONDS)
        finally:
            self._process.kill()

    def _receive(self):
        """The next message: an answer or an event."""
        while True:
            end = self._bytes.find(0)
            if end >= 0:
                message = json.loads(self._bytes[:end])
                del self._bytes[:end + 1]
                return message
            ready, _, _ = select.select([self._answers], [], [], MAX_SECONDS)
            data = os.read(self._answers, 1 << 20) if ready else b""
            check(data, f"the browser {'ended' if ready else f'says nothing for {MAX_SECONDS} s'}")
            self._bytes += data

    def call(self, method, session=None, **parameters):
        """The result of a command. Events that come before it are kept."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self._commands, data):]
        while True:
            message = self._receive()
            if message.get("id") == self._last_id:
                check("result" in message, f"{method}: {message.get('error')}")
                return message["result"]
            self._events.append(message)

    def wait(self, is_wanted):
        """All events up to the one that is wanted."""
        seen, self._events = self._events, []
        while not any(map(is_wanted, seen)):
            seen.append(self._receive())
        return seen

    @contextlib.contextmanager
    def open(self, page, fragment="", width=1400, height=1200):
        """An OpenPage in a window of its own, with no more of a profile than it leaves itself."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._events.clear()
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable", session)
        self.call("Page.setLifecycleEventsEnabled", session, enabled=True)
        opened = OpenPage(self, session)
        opened.resize(width, height)
        opened.load(page.as_uri() + fragment)
        yield opened
        self.call("Target.disposeBrowserContext", browserContextId=context)

    def take_events(self):
        taken, self._events = self._events, []
        return taken


class OpenPage:
    """A page in the browser."""

    def __init__(self, browser, session):
        self._browser = browser
        self._session = session
        self._console = []

    def _take(self, events):
        self._console += [event["params"] for event in events if event.get("method") in CONSOLE_EVENTS]

    def load(self, url):
        """Ends when the page says that it is ready, or has not for a minute, which its health shows."""
        loader = self._browser.call("Page.navigate", self._session, url=url)["loaderId"]
        self._take(self._browser.wait(lambda event: event.get("method") == "Page.lifecycleEvent" and
                                      event["params"]["loaderId"] == loader and event["params"]["name"] == "load"))
        self.evaluate("""new Promise((resolve) => {
          const root = document.documentElement;
          const look = () => { if (root.dataset.state === 'ready') resolve(); };
          new MutationObserver(look).observe(root, { attributes: true });
          setTimeout(resolve, 60000);
          look();
        })""")
        self.draw()

    def draw(self):
        """Lets the page draw what has changed: charts follow their sizes, which follow the window's, a frame later
        each."""
        self.evaluate("""new Promise((resolve) => {
          let frames = 4;
          const next = () => { if (--frames) requestAnimationFrame(next); else resolve(); };
          requestAnimationFrame(next);
        })""")

    def evaluate(self, script):
        """The value of an expression; if that is a promise, what it promises."""
        done = self._browser.call("Runtime.evaluate", self._session, expression=script, returnByValue=True,
                                  awaitPromise=True)
        check("exceptionDetails" not in done, f"a script of the test fails: {done.get('exceptionDetails')}")
        return done["result"].get("value")

    def resize(self, width, height):
        self._browser.call("Emulation.setDeviceMetricsOverride", self._session, width=width, height=height,
                           deviceScaleFactor=1, mobile=False)

    def dump(self):
        """What it holds."""
        return Page(self.evaluate("document.documentElement.outerHTML"))

    def console(self):
        """What scripts and the browser have written to the console so far."""
        self._take(self._browser.take_events())
        return self._console

    def screenshot(self, image):
        data = self._browser.call("Page.captureScreenshot", self._session)["data"]
        image.write_bytes(base64.b64decode(data))


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


def photograph(browser, path, folder, theme, use=lambda opened: None):
    """What a page holds at first. Afterwards it is narrow for a while, and is used."""
    with browser.open(path, "" if theme == "light" else f"#theme={theme}", height=HEIGHT) as opened:
        page = opened.dump()
        check_health(theme, page, opened.console())
        for width in (1400, 400):
            opened.resize(width, HEIGHT)
            opened.draw()
            opened.screenshot(folder / f"{theme}_{width}.png")
            check_image(folder / f"{theme}_{width}.png", width, HEIGHT)
        opened.resize(1400, HEIGHT)
        opened.draw()
        use(opened)
        opened.draw()
        check_health(f"used {theme}", opened.dump(), opened.console())
    return page


def check_sample(tool, folder, browser):
    path = make(tool, folder, "sample", "html")
    text = path.read_text()
    outside = re.findall(r'(?:src|href)="(?!#)[^"]+', text.split('<script type="application/json"')[0])
    check(not outside, f"the page refers to {outside}")
    report = json.loads(make(tool, folder, "sample", "json").read_text())
    said = {}
    page = photograph(browser, path, folder, "light", lambda opened: said.update(opened.evaluate(READER)))
    check_reader(said)
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
    dark = photograph(browser, path, folder, "dark")
    check(dark.root.get("data-theme") == "dark" and page.root.get("data-theme") == "light", "the themes are alike")
    return num_cells


def check_reader(said):
    """What READER found."""
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
    with browser.open(path) as opened:
        page = opened.dump()
        check_health("hostile", page, opened.console())
    check(page.images == 0, "hostile: a name became markup")
    title = report["title"]
    check("<img src=x onerror=alert(1)>" in title and title in " ".join(page.texts), "hostile: the title is not shown")
    names = {cell for table in page.tables for row in table["rows"] for cell in row if cell}
    for name in ("x" * 300, "__proto__", "=1+1", title):
        check(name in names, f"hostile: the name {name[:20]} is not shown")


def check_large(tool, folder, browser):
    path = make(tool, folder, "100000", "html")
    begin = time.monotonic()
    with browser.open(path) as opened:
        page = opened.dump()
        check_health("large", page, opened.console())
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
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, Browser(found[0], profile) as browser:
        num_cells = check_sample(tool, folder, browser)
        check_hostile(tool, folder, browser)
        size, seconds = check_large(tool, folder, browser)
    print(f"check_report: {num_cells} cells as in the report; a page of {size:.0f} MB read in {seconds:.1f} s")


if __name__ == "__main__":
    main()
