"""The live page asked over HTTP: who is let in, what is answered, events, metrics, hostile names.

usage: page.py BUILD/breakeven
"""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

program = os.path.realpath(sys.argv[1])
PATIENCE_S = 240
failed = []


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
        self.room = headers["Location"]
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


def wanted_headers(headers):
    policy = headers["Content-Security-Policy"]
    check("default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy, policy)
    check(headers["X-Content-Type-Options"] == "nosniff", headers)
    check(headers["X-Frame-Options"] == "DENY", headers)
    check(headers["Referrer-Policy"] == "no-referrer", headers)
    check(headers["Cache-Control"] == "no-store", headers)
    check(not any(name.lower().startswith("access-control") for name in headers), headers)


def token(server):
    for path in ("/", "/metrics", "/?token=", "/?token=0", "/?token=" + server.token[:-1],
                 "/?token=" + server.token + "0", "/nowhere", "/live-00/events", "//", "/%00",
                 "/?token=%00" + server.token, "/?" + "token=&" * 100):
        status, headers, text = server.ask(path)
        check(status == 401, f"{path}: {status}")
        check(server.token not in text and "live-" not in text, text)
        check("Location" not in headers and "Set-Cookie" not in headers, headers)
        wanted_headers(headers)
    for headers in ({"Cookie": f"breakeven-{server.port}=x"}, {"Cookie": "x=" + server.token},
                    {"Authorization": "Bearer x"}, {"Authorization": "Basic " + server.token}):
        check(server.ask("/metrics", headers=headers)[0] == 401, headers)
    for headers, path in (({"Authorization": "Bearer " + server.token}, "/metrics"),
                          ({}, "/metrics?token=" + server.token)):
        check(server.ask(path, headers=headers)[0] == 200, path)


def page(server):
    cookie = server.enter()
    for path, kind, text in (("", "text/html", "<!DOCTYPE html>"), ("page.js", "text/javascript", "run --explain"),
                             ("page.css", "text/css", "prefers-color-scheme")):
        status, headers, body = server.ask(server.room + path, headers=cookie)
        check(status == 200 and text in body, f"{path}: {status}")
        check(headers["Content-Type"].startswith(kind), headers)
        wanted_headers(headers)
        check(server.ask(server.room + path)[0] == 401, f"{path} without a cookie")
        # All of it comes from here, and nothing is written as markup.
        check(not re.search(r"(src|href)=\"?(https?:)?//|@import|url\(", body), path)
        check("innerHTML" not in body and "document.write" not in body and "eval(" not in body, path)
        check(not re.search(r"<script(?! src=)|\son\w+=|style=", body) or path, "inline code")
    for path in (server.room + "x", server.room + "../page.js", "/x", server.room[:-1]):
        check(server.ask(path, headers=cookie)[0] in (401, 404), path)


def hosts(server):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "", "x" * 400,
                 "10.0.0.1", f"[fe80::1]:{server.port}", "localhost:0x50"):
        status, headers, text = server.ask("/?token=" + server.token, headers={"Host": host})
        check(status in (400, 421), f"{host!r}: {status}")
        check(server.token not in text and "Location" not in headers, host)
    for host in (f"localhost:{server.port}", "127.0.0.1:9999", f"[::1]:{server.port}"):
        check(server.ask("/metrics?token=" + server.token, headers={"Host": host})[0] == 200, host)
    with socket.create_connection((server.host, server.port), PATIENCE_S) as plain:
        plain.sendall(f"GET /metrics?token={server.token} HTTP/1.0\r\n\r\n".encode())
        answer = plain.recv(1 << 16).decode()
        check(re.match(r"HTTP/1\.[01] 4", answer) and "breakeven_" not in answer, answer)


def origins(server):
    cookie = server.enter()
    own = f"http://{server.host}:{server.port}"
    check(server.ask(server.room, headers={**cookie, "Origin": own})[0] == 200, "own origin")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"},
                    {"Origin": own.replace("http", "https")}, {"Origin": f"http://{server.host}:1"},
                    {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
        for path in ("", "events", "metrics", "page.js"):
            status, answer, _ = server.ask(server.room + path, headers={**cookie, **headers})
            check(status == 403, f"{headers} {path}: {status}")
            wanted_headers(answer)


def methods(server):
    cookie = server.enter()
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"):
        for path in (server.room, "/metrics", "/"):
            status, headers, _ = server.ask(path, method, cookie,
                                            b"x" * 100000 if method in ("POST", "PUT") else None)
            check(status == 405, f"{method} {path}: {status}")
            check(headers["Allow"] == "GET, HEAD", headers)
    # HEAD is GET without the body: the same head, the same admission.
    for path, kind in ((server.room, "text/html"), (server.room + "page.js", "text/javascript"), ("/metrics", "text/plain"),
                       (server.room + "events", "text/event-stream")):
        status, headers, text = server.ask(path, "HEAD", cookie if path != "/metrics" else
                                           {"Authorization": "Bearer " + server.token})
        check(status == 200 and headers["Content-Type"].startswith(kind) and not text, f"{path}: {status} {headers}")
        wanted_headers(headers)
        check(server.ask(path, "HEAD")[0] == 401, f"HEAD {path} without a token")
    length = server.ask(server.room, "HEAD", cookie)[1]["Content-Length"]
    check(length == server.ask(server.room, "GET", cookie)[1]["Content-Length"], length)
    # A body that comes with GET is not read as anything.
    check(server.ask(server.room, "GET", {**cookie, "Content-Length": "5"}, b"abcde")[0] == 200, "body")


def nonsense(server):
    for text in (b"\r\n\r\n", b"GET\r\n\r\n", b"\x00" * 100, b"GET / HTTP/1.1\r\nHost: " + b"x" * 60000,
                 b"GET /" + b"a" * 60000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n",
                 b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: localhost\r\n\r\nzzz\r\n"):
        with socket.create_connection((server.host, server.port), PATIENCE_S) as plain:
            plain.settimeout(1)
            try:
                plain.sendall(text)
                plain.recv(100)
            except OSError:
                pass
    check(server.ask("/metrics?token=" + server.token)[0] == 200, "it no longer answers")


def events(server):
    cookie = server.enter()
    connection, answer = server.events(cookie)
    check(answer.status == 200, answer.status)
    check(answer.getheader("Content-Type").startswith("text/event-stream"), answer.getheaders())
    name, whole = read_event(answer)
    check(name == "whole", name)
    keys = [figure["key"] for figure in whole["figures"]]
    check(keys[:4] == ["cpu", "memory", "read", "written"], keys)
    check(all(len(figure["past"]) == len(whole["times"]) for figure in whole["figures"]), "past")
    last = whole["time_s"]
    for _ in range(4):
        name, tick = read_event(answer)
        check(name == "tick" and tick["time_s"] > last, (name, tick["time_s"], last))
        check("past" not in tick["figures"][0], "a tick has no past")
        last = tick["time_s"]
    check(any(process["pid"] == os.getpid() for process in tick["processes"]), tick["processes"])
    connection.close()
    check(server.ask(server.room + "events")[0] == 401, "events without a cookie")


def many_listeners():
    """Those beyond the limit are turned away; those who do not read do not hold up the others."""
    server = Server(str(os.getpid()))
    try:
        listen_too_often(server)
    finally:
        code = server.end()[0]
    check(code == 0, f"exit {code}")


def listen_too_often(server):
    cookie = server.enter()
    open_ones = []
    turned_away = 0
    for _ in range(20):
        connection, answer = server.events(cookie)
        if answer.status == 503:
            turned_away += 1
            connection.close()
        else:
            open_ones.append((connection, answer))
    check(turned_away == 4, f"{turned_away} turned away")
    for _ in range(3):
        check(read_event(open_ones[-1][1])[0] in ("whole", "tick"), "event")
    for connection, _ in open_ones:
        connection.close()
    places_become_free(server, cookie)  # with the next ticks


def places_become_free(server, cookie):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        connection, answer = server.events(cookie)
        connection.close()
        if answer.status == 200:
            return
        time.sleep(0.1)
    raise AssertionError("places do not become free")


def silent_connections():
    """More connections than there is room for, which never ask anything: others are answered all the same, and
    those who listen go on. (That the oldest goes at once, and not when it has been silent too long: the unit test
    of guests.)"""
    server = Server(str(os.getpid()))
    idle = []
    try:
        connection, answer = server.events(server.enter())
        read_event(answer)
        for _ in range(100):
            idle.append(socket.create_connection((server.host, server.port), PATIENCE_S))
            idle[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        for _ in range(3):
            status = server.ask("/metrics?token=" + server.token)[0]
            check(status == 200, f"metrics: {status}")
        for _ in range(3):
            check(read_event(answer)[0] in ("whole", "tick"), "event")
        connection.close()
    finally:
        for one in idle:
            one.close()
        code, errors = server.end()
    check(code == 0, f"exit {code}: {errors}")


def not_let_in_not_heard(server):
    """Who has no token is answered before a body without end has come, and then no more."""
    for headers, status in ((f"Host: {server.host}", 401), ("Host: evil.example", 421),
                            (f"Host: {server.host}\r\nOrigin: null", 403)):
        with socket.create_connection((server.host, server.port), PATIENCE_S) as plain:
            plain.sendall(f"GET /metrics HTTP/1.1\r\n{headers}\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "8\r\nsome of ".encode())
            answer, more = b"", b"?"
            while more:
                try:
                    more = plain.recv(1 << 16)
                except ConnectionResetError:
                    more = b""
                answer += more
            check(answer.startswith(f"HTTP/1.1 {status} ".encode()), answer)
            check(answer.count(b"HTTP/1.1") == 1, answer)


SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})?'
                    r' (-?(?:[0-9.]+(?:e[-+]?[0-9]+)?)|[-+]Inf|NaN)')
UNITS = ("_seconds_total", "_bytes_total", "_joules_total", "_faults_total", "_samples_total", "_cores", "_ratio",
         "_per_second", "_bytes", "_watts", "_celsius", "_hertz", "_seconds", "_info", "_up", "_finding",
         "_processes", "_threads", "_runnable", "_blocked")


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


def metrics(server):
    path = "/metrics?token=" + server.token
    status, headers, text = server.ask(path)
    check(status == 200, status)
    check(headers["Content-Type"].startswith("text/plain; version=0.0.4"), headers)
    first = metrics_are_right(text)
    check(first["breakeven_up", None] == 1, "up")
    counter = ("breakeven_samples_total", None)
    second = first
    end = time.monotonic() + PATIENCE_S
    while second[counter] <= first[counter] and time.monotonic() < end:
        second = metrics_are_right(server.ask(path)[2])
    check(second[counter] > first[counter], "samples do not grow")
    check(second["breakeven_cpu_user_seconds_total", None] >= first["breakeven_cpu_user_seconds_total", None],
          "CPU time fell")


def hostile_names():
    names = [b'"\\}\n# x 1', b"</script><img>", b"\x1b[2J\xff\xfe\xc3", b"\ndata: {}\n\n"]
    code = ("import ctypes, os, sys, time\n"
            "name = bytes.fromhex(sys.argv[1])\n"
            "ctypes.CDLL(None).prctl(15, name, 0, 0, 0)\n"
            "while True: time.sleep(0.01)\n")
    children = [subprocess.Popen([sys.executable, "-c", code, name.hex()]) for name in names]
    server = Server(str(os.getpid()))
    try:
        wanted = {name[:15].decode("utf-8", "replace") for name in names[:2]} | {"\x1b[2J???", "\ndata: {}\n\n"}
        cookie = server.enter()
        connection, answer = server.events(cookie)
        end = time.monotonic() + PATIENCE_S
        seen = set()
        while not wanted <= seen and time.monotonic() < end:
            seen |= {process["name"] for process in read_event(answer)[1]["processes"]}
        check(wanted <= seen, f"seen {seen}, wanted {wanted}")
        connection.close()
        text = server.ask("/metrics?token=" + server.token)[2]
        samples = metrics_are_right(text)
        check(any('name="\\"\\\\}\\n# x 1"' in (labels or "") for _, labels in samples), text)
        check("\x1b" not in text, "escapes")
    finally:
        for child in children:
            child.kill()
            child.wait()
        code = server.end()[0]
    check(code == 0, f"exit {code}")


def watch_to_the_end():
    child = subprocess.Popen(["sleep", "1"])
    server = Server(str(child.pid))
    connection, answer = server.events(server.enter())
    child.wait()
    end = time.monotonic() + PATIENCE_S
    state = {"ended": False}
    while not state["ended"] and time.monotonic() < end:
        state = read_event(answer)[1]
    check(state["ended"], "the end was not said")
    samples = metrics_are_right(server.ask("/metrics?token=" + server.token)[2])
    check(samples["breakeven_up", None] == 0, "up")  # the page stays
    connection.close()
    return server


def loaded_often(server):
    """There are no more ticks, by which a page that was closed would be noticed: all places are taken by pages that
    are gone. They become free all the same, and who stays hears nothing but comments."""
    cookie = server.enter()
    stays, heard = server.events(cookie)
    check(heard.status == 200 and read_event(heard)[0] == "whole", "the page is gone")
    others = [server.events(cookie) for _ in range(16)]
    statuses = [answer.status for _, answer in others]
    check(statuses[0] == 200 and statuses[-1] == 503, statuses)
    for connection, answer in others:
        answer.close()
        connection.close()
    places_become_free(server, cookie)
    check(heard.readline() == b":\n" and heard.readline() == b"\n", "no comment")
    stays.close()


def end_of_what_is_watched():
    server = watch_to_the_end()
    try:
        loaded_often(server)
    finally:
        code = server.end()[0]
    check(code == 0, f"exit {code}")


def rare_ticks():
    """Likewise where the next tick is far away."""
    server = Server("--interval=3600", str(os.getpid()))
    try:
        loaded_often(server)
    finally:
        code = server.end()[0]
    check(code == 0, f"exit {code}")


def token_file():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, "watch", "--serve", "--token-file", "/tmp"], check=False,
                              capture_output=True, text=True, timeout=PATIENCE_S)
        check(done.returncode == 2 and "is a folder" in done.stderr, done.stderr)  # and no chmod of it
        path = os.path.join(folder, "token")
        for text, mode, wrong in (("s3cret-s3cret-s3cret\n", 0o644, "others may read it"),
                                  ("short\n", 0o600, "16 to 64"), ("", 0o600, "16 to 64"),
                                  ("with blanks in it is wrong\n", 0o600, "16 to 64"),
                                  ("x" * 65, 0o600, "16 to 64")):
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
            os.chmod(path, mode)
            done = subprocess.run([program, "watch", "--serve", "--token-file", path], check=False,
                                  capture_output=True, text=True, timeout=PATIENCE_S)
            check(done.returncode == 2 and wrong in done.stderr, done.stderr)
        with open(path, "w", encoding="ascii") as out:
            out.write("s3cret-s3cret-s3cret\n")
        server = Server(str(os.getpid()), f"--token-file={path}")
        check(server.token == "s3cret-s3cret-s3cret", server.url)
        check(server.ask("/metrics", headers={"Authorization": "Bearer s3cret-s3cret-s3cret"})[0] == 200, "bearer")
        server.end()


def addresses():
    for wrong in ("1.2.3.4.5", ":70000", "[::1", "a:b"):
        done = subprocess.run([program, "watch", f"--serve={wrong}"], check=False, capture_output=True,
                              text=True, timeout=PATIENCE_S)
        check(done.returncode == 2 and "--serve" in done.stderr and not done.stdout, done.stderr)
    for wrong in ("99999", "no-such-host.invalid", "192.0.2.1:8080"):  # read as addresses, but not ours
        done = subprocess.run([program, "watch", f"--serve={wrong}"], check=False, capture_output=True,
                              text=True, timeout=PATIENCE_S)
        check(done.returncode == 2 and "of this machine is needed" in " ".join(done.stderr.split()), done.stderr)
    first, second = Server(str(os.getpid())), Server(str(os.getpid()))
    check(first.token != second.token and first.port != second.port, "tokens or ports are the same")
    taken = subprocess.run([program, "watch", f"--serve=127.0.0.1:{first.port}"], check=False,
                           capture_output=True, text=True, timeout=PATIENCE_S)
    check(taken.returncode == 2 and "another port" in taken.stderr, taken.stderr)
    usual = [Server(str(os.getpid()), address="--serve") for _ in range(2)]
    for server in [first, second, *usual]:
        check(server.host == "127.0.0.1", server.url)  # nowhere else unless asked
        code, errors = server.end()
        check(code == 0 and "warning" not in errors and "ssh -L" in errors, errors)
    everywhere = Server(str(os.getpid()), address="--serve=0.0.0.0:0")
    try:
        everywhere.host = "127.0.0.1"
        ask = {"Host": f"{socket.gethostname()}:{everywhere.port}"}
        check(everywhere.ask("/metrics?token=" + everywhere.token, headers=ask)[0] == 200, "own name")
        ask = {"Host": "evil.example"}
        check(everywhere.ask("/metrics?token=" + everywhere.token, headers=ask)[0] == 421, "foreign name")
    finally:
        check("warning" in everywhere.end()[1], "no warning")
    try:
        socket.socket(socket.AF_INET6).bind(("::1", 0))
    except OSError:
        return
    six = Server(str(os.getpid()), address="--serve=[::1]:0")
    check(six.host == "::1" and six.ask("/metrics?token=" + six.token)[0] == 200, six.url)
    errors = six.end()[1]
    check("warning" not in errors, "a warning on ::1")
    check(f"ssh -L {six.port}:[::1]:{six.port} " in errors, errors)


def behind_a_proxy():
    """As jupyter-server-proxy and Open OnDemand ask: by a name of theirs, with a prefix that is left or taken away."""
    server = Server(str(os.getpid()), "--allow-host=hub.example.org", "--allow-host=ood.example.org",
                    "--prefix=/user/me/proxy/4780/")
    try:
        asked = {"Host": "hub.example.org", "Sec-Fetch-Site": "none"}
        for before in ("", "/user/me/proxy/4780"):
            status, headers, _ = server.ask(before + "/?token=" + server.token, headers=asked)
            room = headers["Location"]
            check(status == 303 and room.startswith("/user/me/proxy/4780/live-"), f"{status} {headers}")
            check(f"Path={room};" in headers["Set-Cookie"], headers)
            cookie = {**asked, "Cookie": headers["Set-Cookie"].split(";")[0], "Origin": "https://hub.example.org"}
            within = before + room[len("/user/me/proxy/4780"):]
            status, _, text = server.ask(within, headers=cookie)
            check(status == 200 and 'src="page.js"' in text, f"{within}: {status}")
            check(server.ask(within + "page.js", headers=cookie)[0] == 200, within)
        for headers, status in (({"Host": "ood.example.org"}, 303), ({"Host": "evil.example.org"}, 421),
                                ({**asked, "Origin": "https://evil.example.org"}, 403)):
            check(server.ask("/?token=" + server.token, headers=headers)[0] == status, headers)
    finally:
        code, errors = server.end()
    check(code == 0, f"exit {code}")
    check(f"https://hub.example.org/user/me/proxy/4780/?token={server.token}\n" in errors, errors)
    for words, wrong in ((["--allow-host=https://a.b"], "without https://"), (["--prefix=a"], "the path before"),
                         (["--prefix=/a b"], "the path before"), (["--allow-host="], "the name alone")):
        done = subprocess.run([program, "watch", "--serve", *words], check=False, capture_output=True, text=True,
                              timeout=PATIENCE_S)
        check(done.returncode == 2 and wrong in " ".join(done.stderr.split()), done.stderr)
    done = subprocess.run([program, "watch", "--prefix=/a"], check=False, capture_output=True, text=True,
                          timeout=PATIENCE_S)
    check(done.returncode == 2 and "of --serve" in done.stderr, done.stderr)


def by_way_of_the_login_node():
    """The line for ssh: where a job is reached through the machine that it was submitted from, -J says so."""
    here = socket.gethostname()
    bare = {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM_", "LSB_", "PBS_", "SSH_"))}
    for variables, jump in (({}, ""),
                            ({"SLURM_JOB_ID": "12", "SLURM_SUBMIT_HOST": "login1"}, "-J login1 "),
                            ({"LSB_JOBID": "12", "LSB_SUB_HOST": "login2.example.org"}, "-J login2.example.org "),
                            ({"PBS_JOBID": "5.pbs", "PBS_O_HOST": "login3"}, "-J login3 "),
                            ({"SLURM_JOB_ID": "12", "SLURM_SUBMIT_HOST": here + ".example.org"}, ""),
                            ({"SLURM_SUBMIT_HOST": "login1"}, ""),
                            ({"SLURM_JOB_ID": "12", "SLURM_SUBMIT_HOST": "x;reboot"}, ""),
                            ({"SSH_CONNECTION": "192.0.2.1 5000 192.0.2.7 22"}, "-J 192.0.2.7 "),
                            ({"SSH_CONNECTION": "192.0.2.1 5000 127.0.0.1 22"}, ""),
                            ({"SSH_CONNECTION": "x"}, "")):
        server = Server(str(os.getpid()), environment={**bare, **variables})
        errors = server.end()[1]
        check(f"\n  ssh {jump}-L {server.port}:127.0.0.1:{server.port} {here}\n" in errors, f"{variables}: {errors}")


def nobody_hears_the_address():
    """Without standard output the page would be there, and nobody would know its token."""
    done = subprocess.run([program, "watch", "--serve=127.0.0.1:0", str(os.getpid())], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE_S,
                          preexec_fn=lambda: os.close(1))
    check(done.returncode == 2 and "cannot be written" in done.stderr, f"{done.returncode}: {done.stderr}")


def ends_while_somebody_listens():
    for number, wanted in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)):
        server = Server(str(os.getpid()))
        connection, answer = server.events(server.enter())
        read_event(answer)
        thread = threading.Thread(target=answer.read)
        thread.start()
        code, _ = server.end(number)
        thread.join(PATIENCE_S)
        check(code == wanted and not thread.is_alive(), f"{number!r}: exit {code}")
        connection.close()


probe = subprocess.run([program, "watch", "--serve=x:y"], capture_output=True, text=True, check=False,
                       timeout=PATIENCE_S)
if "no libmicrohttpd" in probe.stderr:
    check(probe.returncode == 3, probe.returncode)
    print("skip: this build has no libmicrohttpd")
    sys.exit(77)


def run(test, *arguments):
    begin = time.monotonic()
    try:
        test(*arguments)
        print(f"ok       {test.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
    except (AssertionError, OSError, KeyError, http.client.HTTPException,
            subprocess.TimeoutExpired) as error:
        failed.append(test.__name__)
        print(f"FAILED   {test.__name__}: {error!r}", flush=True)


shared = Server(str(os.getpid()))
for shared_test in (token, page, hosts, origins, methods, nonsense, not_let_in_not_heard, events,
                    metrics):
    run(shared_test, shared)
status_at_end, errors_at_end = shared.end()
if status_at_end != 0 or "ERROR" in errors_at_end:
    failed.append("end")
    print(f"FAILED   end: exit {status_at_end}: {errors_at_end}")
for own_test in (many_listeners, silent_connections, hostile_names, end_of_what_is_watched, rare_ticks, token_file,
                 addresses, behind_a_proxy, by_way_of_the_login_node, nobody_hears_the_address, ends_while_somebody_listens):
    run(own_test)
print(f"page: {len(failed)} failed")
sys.exit(1 if failed else 0)
