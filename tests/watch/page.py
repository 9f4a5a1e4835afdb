"""The live page asked over HTTP: who is let in, what is answered, events, metrics, hostile names.

usage: page.py BUILD/breakeven
"""
import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from page_guests import hosts, methods, nonsense, not_let_in_not_heard, origins, page, token
from page_server import PATIENCE_S, Server, check, metrics_are_right, program, read_event

failed = []


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
            room = urllib.parse.urljoin("/user/me/proxy/4780/", headers["Location"])
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
