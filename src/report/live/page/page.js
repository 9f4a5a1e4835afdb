"use strict";
// Charts, findings and processes from the events that the server sends. All texts are foreign: they go
// into the page as text, never as markup.
(() => {
  const most = 1200; // points kept of each figure
  // The keys of the figures in one chart: those of a GPU, or of the program.
  const charts = [
    { title: "CPU", keys: ["cpu"] },
    { title: "Memory", keys: ["memory"] },
    { title: "Disk", keys: ["read", "written"] },
  ];
  const gpuCharts = [
    { title: "Use", keys: ["gpu_busy", "gpu_sm", "gpu_tensor", "gpu_dram"] },
    { title: "Arithmetic", keys: ["gpu_occupancy", "gpu_fp32", "gpu_fp64", "gpu_fp16"] },
    { title: "Memory", keys: ["gpu_memory", "gpu_own_memory"] },
    { title: "Bus", keys: ["gpu_bus_in", "gpu_bus_out"] },
    { title: "Power", keys: ["gpu_power"] },
    { title: "Temperature", keys: ["gpu_temperature"] },
  ];
  const lines = new Map(); // "key gpu" -> {figure, points: [[time_s, value], ...]}
  const drawn = new Map(); // "title gpu" -> elements of a chart
  let processes = [], sort = "cpu", descending = true;
  let gpus = [], now = 0, ended = false;
  let began = NaN; // seconds since 1970, by the clock of the machine
  let moment = null; // that was pointed at in a chart; null: now

  const id = (name) => document.getElementById(name);
  const add = (parent, tag, text, cls) => {
    const one = document.createElement(tag);
    if (text !== undefined) one.textContent = text;
    if (cls) one.className = cls;
    return parent.appendChild(one);
  };
  // Text that stays the same is left alone, and so is text that is selected: else nobody could copy it.
  const selects = (element) => {
    const selection = getSelection();
    return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
  };
  const say = (element, text) => {
    if (element.textContent !== String(text) && !selects(element)) element.textContent = text;
  };
  const mark = (element, cls) => {
    if (element.className !== cls) element.className = cls;
  };
  // The children of an element, by key: each is made once, and moved only where its place has changed.
  const keep = (parent, made, wanted, keyOf, create, update) => {
    const keys = wanted.map(keyOf);
    for (const [key, one] of made)
      if (!keys.includes(key)) {
        one.element.remove();
        made.delete(key);
      }
    const stays = selects(parent);
    let at = parent.firstElementChild;
    wanted.forEach((value, i) => {
      if (!made.has(keys[i])) made.set(keys[i], create(parent));
      const one = made.get(keys[i]);
      update(one, value);
      if (one.element === at) at = at.nextElementSibling;
      else if (!stays) parent.insertBefore(one.element, at);
    });
  };
  const nameOf = (figure) => figure.key + " " + (figure.gpu === null ? "" : figure.gpu);
  const known = (value) => typeof value === "number";

  // ---- numbers ------------------------------------------------------------------------------

  const prefixed = (value, unit) => {
    const prefix = ["", "k", "M", "G", "T", "P"];
    let at = 0;
    while (Math.abs(value) >= 999.5 && at < prefix.length - 1) {
      value /= 1000;
      at++;
    }
    return (at === 0 || value >= 99.5 ? value.toFixed(0) : value.toPrecision(3)) + " " + prefix[at] + unit;
  };
  const duration = (s) => {
    s = Math.round(s);
    if (s < 60) return s + " s";
    if (s < 3600) return Math.floor(s / 60) + " min" + (s % 60 ? " " + (s % 60) + " s" : "");
    return Math.floor(s / 3600) + " h " + Math.floor((s % 3600) / 60) + " min";
  };
  const written = (value, unit) =>
    !known(value) ? "-"
      : unit === "share" ? Math.round(100 * value) + " %"
      : unit === "bytes" ? prefixed(value, "B")
      : unit === "bytes/s" ? prefixed(value, "B/s")
      : unit === "cores" ? Number(value.toFixed(value < 10 ? 1 : 0)) + (value === 1 ? " core" : " cores")
      : unit === "degrees C" ? value.toFixed(0) + " \u00b0C"
      : value.toFixed(0) + " " + unit;

  // ---- charts -------------------------------------------------------------------------------

  const width = 400, height = 100;

  // Beyond `most`, every second point of the older half goes.
  const thin = (points) => {
    if (points.length <= most) return points;
    const half = Math.floor(points.length / 2);
    return points.filter((_, i) => i >= half || i % 2 === 0);
  };

  const svgAdd = (svg, tag, values) => {
    const one = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(values)) one.setAttribute(name, value);
    return svg.appendChild(one);
  };

  const newChart = (parent, chart, label) => {
    const figure = add(parent, "figure");
    const title = add(figure, "div", undefined, "title");
    const one = { items: [], paths: [], ticks: [], times: [] };
    add(title, "figcaption", chart.title);
    one.when = add(title, "span", undefined, "when");
    one.top = add(title, "span", undefined, "top");
    one.list = add(figure, "ul");
    one.plot = add(figure, "div", undefined, "plot");
    one.plot.tabIndex = 0;
    one.plot.setAttribute("role", "slider"); // along time: its value is what was then
    one.plot.setAttribute("aria-label", label + ": value at a moment");
    one.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    one.svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    one.svg.setAttribute("preserveAspectRatio", "none");
    one.svg.setAttribute("aria-hidden", "true"); // the values stand above it, in words
    one.plot.appendChild(one.svg);
    for (const y of [0.5, height / 2, height - 0.5]) svgAdd(one.svg, "line", { x1: 0, x2: width, y1: y, y2: y });
    one.cursor = svgAdd(one.svg, "line", { class: "cursor", y1: 0, y2: height });
    one.axis = add(figure, "div", undefined, "axis");
    listen(one);
    return one;
  };

  const pathOf = (points, from, to, full) => {
    let path = "", gap = true;
    for (const [time, value] of points) {
      if (time < from) continue;
      if (!known(value)) {
        gap = true;
        continue;
      }
      const x = (width * (time - from)) / (to - from);
      const y = height - 1 - (height - 2) * Math.min(Math.max(value / full, 0), 1);
      path += (gap ? "M" : "L") + x.toFixed(1) + " " + y.toFixed(1);
      gap = false;
    }
    return path;
  };

  // The value that fills the chart: a limit that all share, or the most that is to be seen.
  const fullOf = (members, from) => {
    const full = members[0].figure.full;
    if (known(full) && members.every((one) => one.figure.full === full)) return [full, true];
    let top = 0;
    for (const one of members)
      for (const [time, value] of one.points) if (time >= from && known(value) && value > top) top = value;
    return [top, false];
  };

  // The time that is shown: from, to.
  const shown = () => {
    const to = Math.max(now, 1);
    return [Math.max(0, to - (Number(id("span").value) || now)), to];
  };

  // The point next to a moment; undefined: there is none.
  const pointAt = (points, time) => {
    let next;
    for (const point of points)
      if (!next || Math.abs(point[0] - time) < Math.abs(next[0] - time)) next = point;
    return next;
  };

  const clockOf = (time, seconds) => {
    const two = (value) => String(Math.floor(value)).padStart(2, "0");
    const at = new Date(1000 * (began + time));
    const [h, m, s] = Number.isNaN(began)
      ? [time / 3600, (time / 60) % 60, time % 60]
      : [at.getHours(), at.getMinutes(), at.getSeconds()];
    return two(h) + ":" + two(m) + (seconds ? ":" + two(s) : "");
  };

  const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

  // Lines and times at round moments of the clock, at most five.
  const drawAxis = (one, from, to) => {
    const step = steps.find((s) => (to - from) / s <= 5) || 86400 * Math.ceil((to - from) / 432000);
    const shift = Number.isNaN(began) ? 0 : began - 60 * new Date(1000 * (began + to)).getTimezoneOffset();
    const times = [];
    for (let at = Math.ceil((from + shift) / step) * step - shift; at <= to; at += step) times.push(at);
    while (one.ticks.length < times.length) {
      one.ticks.push(svgAdd(one.svg, "line", { class: "tick", y1: 0, y2: height }));
      one.times.push(add(one.axis, "span"));
    }
    one.ticks.forEach((tick, i) => {
      const share = (times[i] - from) / (to - from);
      const there = i < times.length;
      one.times[i].hidden = !there || share < 0.06 || share > 0.94; // no room at the ends
      tick.setAttribute("x1", there ? width * share : -1);
      tick.setAttribute("x2", there ? width * share : -1);
      if (!there) return;
      one.times[i].style.left = 100 * share + "%";
      say(one.times[i], clockOf(times[i], step < 60));
    });
  };

  // The moment that is pointed at, in lines and in words.
  const drawMoment = (one, members, from, to) => {
    const there = moment !== null;
    const x = there ? (width * (moment - from)) / (to - from) : -1;
    one.cursor.setAttribute("x1", x);
    one.cursor.setAttribute("x2", x);
    const values = members.map((member) => {
      const label = members.length > 1 ? member.figure.label + " " : "";
      const point = there ? pointAt(member.points, moment) : undefined;
      return label + (there ? written(point && point[1], member.figure.unit) : member.figure.text);
    });
    values.forEach((text, i) => say(one.items[i], text));
    say(one.when, there ? "at " + clockOf(moment, true) : "");
    // While it stands at now, it says no more with each second: that would be read aloud.
    const heard = there ? clockOf(moment, true) + ": " + values.join(", ") : ended ? "the end" : "now";
    const set = { valuemin: Math.floor(from), valuemax: Math.ceil(to), valuenow: Math.round(there ? moment : to) };
    if (one.plot.getAttribute("aria-valuetext") === heard) return;
    one.plot.setAttribute("aria-valuetext", heard);
    for (const [name, value] of Object.entries(set)) one.plot.setAttribute("aria-" + name, value);
  };

  const drawChart = (parent, chart, gpu) => {
    const members = chart.keys.map((key) => lines.get(key + " " + gpu)).filter(Boolean);
    if (!members.length) return;
    const name = chart.title + " " + gpu;
    const label = (gpu === "" ? "" : "GPU " + gpu + ", ") + chart.title;
    if (!drawn.has(name)) drawn.set(name, newChart(parent, chart, label));
    const one = drawn.get(name);
    const [from, to] = shown();
    const [full, limit] = fullOf(members, from);
    one.points = members[0].points;
    members.forEach((member, i) => {
      if (!one.items[i]) {
        one.items[i] = add(add(one.list, "li", undefined, "line" + i), "span");
        one.paths[i] = svgAdd(one.svg, "path", { class: "line" + i });
      }
      one.paths[i].setAttribute("d", pathOf(member.points, from, to, full || 1));
    });
    say(one.top, full > 0 ? (limit ? "full: " : "top: ") + written(full, members[0].figure.unit) : "");
    drawAxis(one, from, to);
    drawMoment(one, members, from, to);
  };

  const drawCharts = () => {
    const parent = id("charts");
    if (moment !== null && moment < shown()[0]) moment = null;
    for (const chart of charts) drawChart(parent, chart, "");
    gpus.forEach((gpu, i) => {
      if (!drawn.has("gpu " + i)) {
        const note = gpu.note ? " (" + gpu.note + ")" : "";
        drawn.set("gpu " + i, add(parent, "h3", "GPU " + i + ": " + gpu.name + note));
      }
      for (const chart of gpuCharts) drawChart(parent, chart, String(i));
    });
  };

  // By mouse: where it points. By keyboard: point by point, a tenth, the ends; Escape: now.
  const move = {
    ArrowLeft: (times, at) => times[Math.max(at - 1, 0)],
    ArrowRight: (times, at) => times[at + 1],
    PageUp: (times, at) => times[Math.max(at - Math.ceil(times.length / 10), 0)],
    PageDown: (times, at) => times[at + Math.ceil(times.length / 10)],
    Home: (times) => times[0],
    End: () => undefined,
    Escape: () => undefined,
  };

  const listen = (one) => {
    const point = (to) => {
      moment = to === undefined ? null : to;
      drawCharts();
    };
    one.plot.addEventListener("pointermove", (event) => {
      const box = one.plot.getBoundingClientRect();
      const [from, to] = shown();
      const near = pointAt(one.points, from + ((to - from) * (event.clientX - box.left)) / box.width);
      point(near && near[0] >= from ? near[0] : undefined);
    });
    one.plot.addEventListener("pointerleave", () => point(undefined));
    one.plot.addEventListener("blur", () => point(undefined));
    one.plot.addEventListener("keydown", (event) => {
      if (!move[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      const times = one.points.map((one) => one[0]).filter((time) => time >= shown()[0]);
      event.preventDefault();
      point(move[event.key](times, moment === null ? times.length - 1 : times.indexOf(moment)));
    });
  };

  // ---- lists --------------------------------------------------------------------------------

  const marks = { cost: "costs", note: "note", good: "good" };

  const copy = async (code, button) => {
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch { // only pages of this machine, or over HTTPS, may
      getSelection().selectAllChildren(code);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "copied" : "selected";
    setTimeout(() => (button.textContent = "copy"), 2000);
  };

  const newFinding = (parent) => {
    const element = add(parent, "li");
    const one = { element, mark: add(element, "span", undefined, "mark") };
    element.append(" ");
    one.evidence = add(element, "span");
    one.advice = add(element, "div", undefined, "advice");
    one.code = add(one.advice, "code");
    const button = add(one.advice, "button", "copy");
    button.type = "button";
    button.addEventListener("click", () => copy(one.code, button));
    one.about = add(element, "p", undefined, "about");
    return one;
  };

  const aboutOf = (one, time) => {
    const about = one.from_s > 0
      ? "of the last " + duration(one.to_s - one.from_s)
      : "of the whole time";
    const since = known(one.since_s) ? ", found for " + duration(time - one.since_s) : "";
    const cost = known(one.cost_s) ? ", at most " + duration(one.cost_s) + " lost" : "";
    return about + since + cost + "; why: breakeven run --explain " + one.name;
  };

  const overOf = (one, time) =>
    "found for " + duration(one.until_s - one.since_s) + ", until " + duration(time - one.until_s) + " ago";

  const findings = new Map();
  const keyOf = (one) =>
    one.name + " " + (one.weight ? (one.gpu === null ? "" : one.gpu) : "over " + one.since_s);

  // Read aloud once, when it arises and when it is over. Findings that were there when the page came are in the page.
  const tellNews = (all, first) => {
    const before = new Set(findings.keys());
    const news = first ? [] : all.filter((one) => !before.has(keyOf(one)));
    for (const one of news) add(id("news"), "p", (one.weight ? "found: " : "over: ") + one.evidence);
    while (id("news").childElementCount > 20) id("news").firstElementChild.remove();
  };

  const drawFindings = (state, first) => {
    const all = [...state.findings, ...state.over];
    tellNews(all, first);
    keep(id("findings"), findings, all, keyOf, newFinding, (item, one) => {
      const over = !one.weight;
      mark(item.element, over ? "over" : one.weight);
      say(item.mark, over ? "over" : marks[one.weight] || "");
      say(item.evidence, one.evidence);
      say(item.code, one.advice || "");
      item.advice.hidden = !one.advice;
      say(item.about, over ? overOf(one, state.time_s) : aboutOf(one, state.time_s));
    });
    id("none").hidden = state.findings.length > 0;
    say(id("none"), state.too_short
      ? "too few samples yet to say anything"
      : "nothing that costs time or resources");
  };

  const states = { R: "running", S: "sleeping", D: "device", T: "stopped", t: "traced", Z: "ended", I: "idle" };
  const columns = {
    pid: (one) => one.pid,
    user: (one) => one.user || "-",
    state: (one) => states[one.state] || one.state || "-",
    cpu: (one) => (known(one.cpu) ? (100 * one.cpu).toFixed(1) + " %" : "-"),
    bytes: (one) => written(one.bytes, "bytes"),
    threads: (one) => (known(one.threads) ? one.threads : "-"),
    read: (one) => written(one.read, "bytes/s"),
    written: (one) => written(one.written, "bytes/s"),
    cpu_s: (one) => duration(one.cpu_s),
    name: (one) => one.name,
  };
  const texts = ["user", "state", "name"];
  const rows = new Map();

  const order = (a, b) => {
    const sign = descending ? -1 : 1;
    if (texts.includes(sort)) {
      const x = columns[sort](a), y = columns[sort](b);
      return sign * (x < y ? -1 : x > y ? 1 : a.pid - b.pid);
    }
    const x = a[sort], y = b[sort];
    return sign * ((known(x) ? x : -1) - (known(y) ? y : -1)) || b.bytes - a.bytes || a.pid - b.pid;
  };

  const newRow = (parent) => {
    const element = add(parent, "tr");
    return { element, cells: Object.keys(columns).map((key) => add(element, "td", undefined, key)) };
  };

  const drawProcesses = () => {
    keep(id("processes"), rows, [...processes].sort(order), (one) => one.pid, newRow, (row, one) =>
      Object.values(columns).forEach((textOf, i) => say(row.cells[i], textOf(one))));
    for (const button of document.querySelectorAll("th button")) {
      const cell = button.parentElement;
      const direction = descending ? "descending" : "ascending";
      if (button.dataset.sort !== sort) cell.removeAttribute("aria-sort");
      else if (cell.getAttribute("aria-sort") !== direction) cell.setAttribute("aria-sort", direction);
    }
  };

  const drawHead = (state) => {
    id("what").textContent = state.what;
    id("where").textContent = [state.host, state.cpu].filter(Boolean).join(", ");
    document.title = state.what + " - breakeven watch";
  };

  const absences = new Map();

  const drawAbsent = (state) => {
    id("absent").hidden = !state.absent.length;
    const reasons = new Map(); // several sources may miss the same library
    for (const one of state.absent) reasons.set(one.reason, [...(reasons.get(one.reason) || []), one.name]);
    keep(id("absences"), absences, [...reasons], (one) => one[0], (parent) => ({ element: add(parent, "li") }),
      (item, [reason, names]) => say(item.element, names.join(", ") + ": " + reason));
  };

  const drawState = (text, lost) => {
    say(id("state"), text);
    if (lost && id("state").className !== "lost") add(id("news"), "p", text);
    mark(id("state"), lost ? "lost" : "");
  };

  // ---- events -------------------------------------------------------------------------------

  let taken = false; // something was

  const take = (state, whole) => {
    now = state.time_s;
    ended = state.ended;
    for (const figure of state.figures) {
      const name = nameOf(figure);
      const line = whole ? { points: [] } : lines.get(name) || { points: [] };
      if (whole) line.points = figure.past.map((value, i) => [state.times[i], value]);
      else line.points.push([now, figure.value]);
      line.points = thin(line.points);
      line.figure = figure;
      lines.set(name, line);
    }
    processes = state.processes;
    gpus = state.gpus;
    drawAbsent(state);
    drawState(ended ? "ended after " + duration(now) : "watched for " + duration(now), ended);
    drawFindings(state, !taken);
    taken = true;
    drawCharts();
    drawProcesses();
  };

  const events = new EventSource("events");
  events.addEventListener("whole", (event) => {
    const head = JSON.parse(event.data);
    lines.clear();
    drawn.clear();
    id("charts").replaceChildren();
    began = Date.parse(head.date) / 1000;
    moment = null;
    drawHead(head);
    take(head, true);
  });
  events.addEventListener("tick", (event) => take(JSON.parse(event.data), false));
  events.addEventListener("error", () => drawState("connection lost: is breakeven still running?", true));

  id("span").addEventListener("change", drawCharts);
  for (const button of document.querySelectorAll("th button"))
    button.addEventListener("click", () => {
      descending = button.dataset.sort === sort ? !descending : !["pid", ...texts].includes(button.dataset.sort);
      sort = button.dataset.sort;
      drawProcesses();
    });
})();
