"""A live page to be asked over HTTP, and how its events and metrics are read."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.parse

program = os.path.realpath(sys.argv[1])
PATIENCE_S = 240


def check(value, what):
    if not value:
        raise AssertionError(what)


class Server:
    def __init__(self, *words, address="--serve=127.0.0.1:0", environment=None):
        self.process = subprocess.Popen(
            [program, "watch", address, "--interval=0.2", *words], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://(\[?[^/]*\]?):(\d+)/\?token=(\S+)", self.url)
        if not match:
            raise AssertionError(f"{self.url!r} {self.process.stderr.read()}")
        self.host, self.port, self.token = match[1].strip("[]"), int(match[2]), match[3]
        self.room = ""

    def ask(self, path="/", method="GET", headers=None, body=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def enter(self):
        """As a browser does: token, cookie, room. The headers that it then sends."""
        status, headers, _ = self.ask("/?token=" + self.token)
        check(status == 303, f"entry: {status}")
        self.room = urllib.parse.urljoin("/", headers["Location"])
        cookie = headers["Set-Cookie"]
        check("HttpOnly" in cookie and "SameSite=Strict" in cookie and f"Path={self.room}" in cookie,
              cookie)
        check(self.token not in self.room, "the token is in the address")
        return {"Cookie": cookie.split(";")[0]}

    def events(self, headers):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE_S)
        connection.request("GET", self.room + "events", headers=headers)
        return connection, connection.getresponse()

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        host = socket.gethostname()  # a line to be copied is as long as it is
        long = [line for line in errors.replace(host, "").splitlines() if len(line) > 80 and "https://" not in line]
        check(not long, f"more than 80 columns: {long}")
        return self.process.returncode, errors


def read_event(answer):
    """Name and data of the next event."""
    name, data = None, None
    while True:
        line = answer.readline().decode()
        check(line, "the stream has ended")
        if line == "\n" and data is not None:
            return name, json.loads(data)
        if line.startswith("event: "):
            name = line[7:].strip()
        elif line.startswith("data: "):
            data = line[6:]


SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})?'
                    r' (-?(?:[0-9.]+(?:e[-+]?[0-9]+)?)|[-+]Inf|NaN)')
UNITS = ("_seconds_total", "_bytes_total", "_joules_total", "_faults_total", "_samples_total", "_cores", "_ratio",
         "_per_second", "_bytes", "_watts", "_celsius", "_hertz", "_seconds", "_info", "_up", "_finding",
         "_processes", "_threads", "_areas", "_runnable", "_blocked")


def metrics_are_right(text):
    """Every line by the grammar of the text format; samples, by name and labels."""
    kinds, samples = {}, {}
    check(text.endswith("\n"), "no end of line at the end")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            continue
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            check(name not in kinds, f"{name}: two types")
            check((kind == "counter") == name.endswith("_total"), line)
            check(name.startswith("breakeven_") and name.endswith(UNITS), f"{name}: no unit")
            kinds[name] = kind
            continue
        match = SAMPLE.fullmatch(line)
        check(match, f"not a sample: {line!r}")
        check(match[1] in kinds, f"{match[1]}: no type before it")
        check((match[1], match[2]) not in samples, f"twice: {line}")
        samples[match[1], match[2]] = float(match[3])
    return samples
