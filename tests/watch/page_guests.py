"""The live page and its guests: who is let in, which hosts, origins, methods and nonsense are turned away."""
import re
import socket

from page_server import PATIENCE_S, check


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


def not_let_in_not_heard(server):
    """A guest without a token is answered before a body without end has come, and then no more."""
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
