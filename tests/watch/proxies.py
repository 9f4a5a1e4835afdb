"""The live page behind proxies, as a browser goes through them: Open OnDemand's two ways, jupyter-server-proxy's two.

The proxies are imitated in this file: what each does with the path, the Host header and the way that an answer
points to. The cookie and the way are followed as Python's own client does it, which keeps to a cookie's path.

usage: proxies.py BUILD/breakeven
"""
import http.client
import http.cookiejar
import http.server
import os
import threading
import urllib.error
import urllib.parse
import urllib.request

from page_server import PATIENCE_S, Server, check

# Whether the prefix is taken from the path, and put before a way that begins with '/'.
PROXIES = {
    "/node/n1.example.org/PORT": {"takes": False, "puts": False},    # Open OnDemand
    "/rnode/n1.example.org/PORT": {"takes": True, "puts": False},
    "/user/me/proxy/PORT": {"takes": True, "puts": True},            # jupyter-server-proxy
    "/user/me/proxy/absolute/PORT": {"takes": False, "puts": False},
}
NAME = "hub.example.org"


class Proxy:
    def __init__(self, prefix, kind, port):
        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def do_GET(self):
                if not self.path.startswith(prefix + "/"):
                    self.send_error(404)
                    return
                path = self.path[len(prefix):] if kind["takes"] else self.path
                headers = {**{name: value for name, value in self.headers.items() if name != "Connection"},
                           "Host": NAME}
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name == "Location" and kind["puts"] and value.startswith("/"):
                        value = prefix + value
                    if name not in ("Connection", "Transfer-Encoding"):
                        self.send_header(name, value)
                self.end_headers()
                self.pass_on(answer)
                connection.close()

            def pass_on(self, answer):
                try:
                    while more := answer.read1(1 << 16):
                        self.wfile.write(more)
                        self.wfile.flush()
                except OSError:
                    pass  # the browser has left

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}{prefix}/"

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def browser():
    return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def status_of(opener, url):
    try:
        with opener.open(url, timeout=PATIENCE_S) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def through(prefix, kind):
    server = Server(str(os.getpid()), f"--allow-host={NAME}", f"--prefix={prefix}")
    proxy = Proxy(prefix, kind, server.port)
    guest = browser()
    try:
        with guest.open(proxy.url + "?token=" + server.token, timeout=PATIENCE_S) as answer:
            room, text = answer.url, answer.read().decode()
        check(room.startswith(proxy.url + "live-") and room.endswith("/"), f"{prefix}: {room}")
        check('src="page.js"' in text, text)
        for name in ("page.js", "page.css"):
            check(status_of(guest, urllib.parse.urljoin(room, name)) == 200, f"{prefix}: {name}")
        asked = urllib.request.Request(urllib.parse.urljoin(room, "events"), headers={"Accept": "text/event-stream"})
        with guest.open(asked, timeout=PATIENCE_S) as stream:
            lines = [stream.readline().decode() for _ in range(3)]
        check(any(line == "event: whole\n" for line in lines), lines)
        check(status_of(browser(), room) == 401, f"{prefix}: the room without its cookie")
        check(status_of(browser(), proxy.url) == 401, f"{prefix}: without a token")
        print(f"ok       {prefix}", flush=True)
    finally:
        proxy.end()
        server.end()


for one, does in PROXIES.items():
    through(one.replace("PORT", "4780"), does)
