"use strict";
// Charts, findings and processes from the events that the server sends. All texts are foreign: they go
// into the page as text, never as markup.
(() => {
  const most = 1200; // points kept of each figure
  // What stands in one chart: keys of figures. Of a GPU, or of the program.
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

  const id = (name) => document.getElementById(name);
  const add = (parent, tag, text, cls) => {
    const one = document.createElement(tag);
    if (text !== undefined) one.textContent = text;
    if (cls) one.className = cls;
    return parent.appendChild(one);
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

  const newChart = (parent, chart) => {
    const figure = add(parent, "figure");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    add(figure, "figcaption", chart.title);
    const one = { list: add(figure, "ul"), svg, items: [], paths: [] };
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true"); // the values stand above it, in words
    for (const y of [0.5, height / 2, height - 0.5]) {
      const line = document.createElementNS(svg.namespaceURI, "line");
      line.setAttribute("x1", 0);
      line.setAttribute("x2", width);
      line.setAttribute("y1", y);
      line.setAttribute("y2", y);
      svg.appendChild(line);
    }
    figure.appendChild(svg);
    const axis = add(figure, "div", undefined, "axis");
    one.from = add(axis, "span");
    one.top = add(axis, "span");
    one.to = add(axis, "span");
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

  // What fills the chart: a limit that all share, or the most that is to be seen.
  const fullOf = (members, from) => {
    const full = members[0].figure.full;
    if (known(full) && members.every((one) => one.figure.full === full)) return [full, true];
    let top = 0;
    for (const one of members)
      for (const [time, value] of one.points) if (time >= from && known(value) && value > top) top = value;
    return [top, false];
  };

  const drawChart = (parent, chart, gpu) => {
    const members = chart.keys.map((key) => lines.get(key + " " + gpu)).filter(Boolean);
    if (!members.length) return;
    const name = chart.title + " " + gpu;
    if (!drawn.has(name)) drawn.set(name, newChart(parent, chart));
    const one = drawn.get(name);
    const span = Number(id("span").value) || now;
    const to = Math.max(now, 1), from = Math.max(0, to - span);
    const [full, limit] = fullOf(members, from);
    members.forEach((member, i) => {
      if (!one.items[i]) {
        one.items[i] = add(add(one.list, "li", undefined, "line" + i), "span");
        one.paths[i] = document.createElementNS(one.svg.namespaceURI, "path");
        one.paths[i].setAttribute("class", "line" + i);
        one.svg.appendChild(one.paths[i]);
      }
      one.items[i].textContent = (members.length > 1 ? member.figure.label + " " : "") + member.figure.text;
      one.paths[i].setAttribute("d", pathOf(member.points, from, to, full || 1));
    });
    one.from.textContent = duration(to - from) + (ended ? " before" : " ago");
    one.to.textContent = ended ? "the end" : "now";
    one.top.textContent = full > 0 ? (limit ? "full: " : "top: ") + written(full, members[0].figure.unit) : "";
  };

  const drawCharts = () => {
    const parent = id("charts");
    for (const chart of charts) drawChart(parent, chart, "");
    gpus.forEach((gpu, i) => {
      if (!drawn.has("gpu " + i)) {
        const note = gpu.note ? " (" + gpu.note + ")" : "";
        drawn.set("gpu " + i, add(parent, "h3", "GPU " + i + ": " + gpu.name + note));
      }
      for (const chart of gpuCharts) drawChart(parent, chart, String(i));
    });
  };

  // ---- lists --------------------------------------------------------------------------------

  const marks = { cost: "costs", note: "note", good: "good" };

  const drawFindings = (state) => {
    const list = id("findings");
    list.replaceChildren();
    for (const one of state.findings) {
      const item = add(list, "li", undefined, one.weight);
      add(item, "span", marks[one.weight] || "", "mark");
      item.append(" " + one.evidence);
      if (one.advice) add(item, "code", one.advice);
      const about = one.from_s > 0
        ? "of the last " + duration(one.to_s - one.from_s)
        : "of the whole time";
      const since = known(one.since_s) ? ", found for " + duration(state.time_s - one.since_s) : "";
      const cost = known(one.cost_s) ? ", at most " + duration(one.cost_s) + " lost" : "";
      add(item, "p", about + since + cost + "; why: breakeven run --explain " + one.name, "about");
    }
    for (const one of state.over) {
      const item = add(list, "li", undefined, "over");
      add(item, "span", "over", "mark");
      const held = " (found for " + duration(one.until_s - one.since_s);
      const ago = duration(state.time_s - one.until_s);
      item.append(" " + one.evidence + held + ", until " + ago + " ago)");
    }
    id("none").hidden = state.findings.length > 0;
    id("none").textContent = state.too_short
      ? "too few samples yet to say anything"
      : "nothing that costs time or resources";
  };

  const drawProcesses = () => {
    const body = id("processes");
    const sign = descending ? -1 : 1;
    const order = (a, b) => {
      const x = a[sort], y = b[sort];
      if (sort === "name") return sign * (x < y ? -1 : x > y ? 1 : a.pid - b.pid);
      return sign * ((known(x) ? x : -1) - (known(y) ? y : -1)) || b.bytes - a.bytes || a.pid - b.pid;
    };
    const rows = [...processes].sort(order).map((one) => {
      const row = document.createElement("tr");
      add(row, "td", one.pid);
      add(row, "td", known(one.cpu) ? (100 * one.cpu).toFixed(1) + " %" : "-");
      add(row, "td", written(one.bytes, "bytes"));
      add(row, "td", known(one.threads) ? one.threads : "-");
      add(row, "td", written(one.read, "bytes/s"));
      add(row, "td", written(one.written, "bytes/s"));
      add(row, "td", duration(one.cpu_s));
      add(row, "td", one.name, "name");
      return row;
    });
    body.replaceChildren(...rows);
    for (const button of document.querySelectorAll("th button")) {
      const cell = button.parentElement;
      if (button.dataset.sort === sort) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  };

  const drawHead = (state) => {
    id("what").textContent = state.what;
    id("where").textContent = [state.host, state.cpu].filter(Boolean).join(", ");
    document.title = state.what + " - breakeven watch";
  };

  const drawAbsent = (state) => {
    id("absent").hidden = !state.absent.length;
    id("absences").replaceChildren();
    const reasons = new Map(); // several sources may miss the same library
    for (const one of state.absent) reasons.set(one.reason, [...(reasons.get(one.reason) || []), one.name]);
    for (const [reason, names] of reasons) add(id("absences"), "li", names.join(", ") + ": " + reason);
  };

  const drawState = (text, lost) => {
    id("state").textContent = text;
    id("state").className = lost ? "lost" : "";
  };

  // ---- events -------------------------------------------------------------------------------

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
    drawFindings(state);
    drawCharts();
    drawProcesses();
  };

  const events = new EventSource("events");
  events.addEventListener("whole", (event) => {
    const head = JSON.parse(event.data);
    lines.clear();
    drawn.clear();
    id("charts").replaceChildren();
    drawHead(head);
    take(head, true);
  });
  events.addEventListener("tick", (event) => take(JSON.parse(event.data), false));
  events.addEventListener("error", () => drawState("connection lost: is breakeven still running?", true));

  id("span").addEventListener("change", drawCharts);
  for (const button of document.querySelectorAll("th button"))
    button.addEventListener("click", () => {
      descending = button.dataset.sort === sort ? !descending : !["pid", "name"].includes(button.dataset.sort);
      sort = button.dataset.sort;
      drawProcesses();
    });
})();
