#!/usr/bin/env python3
"""Talks to tfrt_lsp_server as an editor does: opens a program with a mistake, corrects it, asks about an op.

usage: lsp_session.py TFRT_LSP_SERVER
"""

import json
import subprocess
import sys

URI = "file:///session.mlir"
WRONG = """func.func @f(%x: i32) -> i32 {
  %y = tfrt.add.i32 %x, %z
  tfrt.return %y : i32
}
"""
RIGHT = WRONG.replace("%z", "%x")


class Session:
    def __init__(self, server):
        self.process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.next_id = 1

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length == 0:
            sys.exit("the server ended: " + self.process.stderr.read().decode(errors="replace"))
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.send({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.next_id:
                self.next_id += 1
                return message["result"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def diagnostics(self):
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                return message["params"]["diagnostics"]


def expect(condition, what):
    if not condition:
        sys.exit(f"lsp_session: {what}")
    print(f"ok: {what}")


def main():
    session = Session(sys.argv[1])
    capabilities = session.request("initialize", {"processId": None, "rootUri": None,
                                                  "capabilities": {}})["capabilities"]
    expect(capabilities.get("hoverProvider"), "the server offers hovers")
    session.notify("initialized", {})

    session.notify("textDocument/didOpen", {"textDocument": {
        "uri": URI, "languageId": "mlir", "version": 1, "text": WRONG}})
    diagnostics = session.diagnostics()
    expect(len(diagnostics) == 1, "the mistake has one diagnostic")
    expect("use of undeclared SSA value name" in diagnostics[0]["message"], "it says what is wrong")
    expect(diagnostics[0]["range"]["start"]["line"] == 1, "it is on the second line")

    session.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2},
                                              "contentChanges": [{"text": RIGHT}]})
    expect(session.diagnostics() == [], "the corrected program has none")

    position = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 10}}
    hover = session.request("textDocument/hover", position)
    expect("tfrt.add.i32" in hover["contents"]["value"], "a hover names the op")
    definition = session.request("textDocument/definition", {
        "textDocument": {"uri": URI}, "position": {"line": 2, "character": 15}})
    expect(definition and definition[0]["range"]["start"]["line"] == 1,
           "the definition of a value is found")

    session.request("shutdown", None)
    session.notify("exit", None)
    expect(session.process.wait(timeout=10) == 0, "the server ends with code 0")


if __name__ == "__main__":
    main()
