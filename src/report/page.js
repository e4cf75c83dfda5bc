"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const plot = document.getElementById("samples"), box = document.querySelector(".interactive");
  let component = 0, chosen = -1;
  document.documentElement.classList.add("js");  // page.css shows what needs this script

  // Components: a list of tabs, moved through with the arrow keys.
  function choose(k, focus) {
    component = k;
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === k);
      tab.tabIndex = i === k ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = i !== k;
    });
    if (focus) tabs[k].focus();
    if (box) document.querySelector(`#panel-${k} .plain`).before(box);
    draw();
  }
  tabs.forEach((tab, k) => {
    tab.addEventListener("click", () => choose(k, false));
    tab.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowLeft: -1, Home: -k, End: tabs.length - 1 - k }[event.key];
      if (move === undefined) return;
      event.preventDefault();
      choose((k + move + tabs.length) % tabs.length, true);
    });
  });

  // Samples: one point each; the nearest to the pointer is named, arrow keys go from one to the next.
  const axis = (id) => { const box = document.getElementById(id); return box ? Number(box.value) : -1; };
  const size = { width: 500, height: 360, left: 44, bottom: 38, top: 8, right: 8 };
  let points = [], shown = [];
  function make(name, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    plot.append(element);
    return element;
  }
  // A scale from the values to the plot, and round numbers on it.
  function scale(values, from, to) {
    let low = Infinity, high = -Infinity;
    for (const v of values) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(high > low)) { low -= 1; high += 1; }
    const margin = 0.03 * (high - low), rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((nice) => nice * power >= rough * 0.999);
    const place = (v) => from + (v - low + margin) / (high - low + 2 * margin) * (to - from);
    const ticks = [], decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    for (let i = Math.ceil(low / step); i * step <= high; ++i) ticks.push([place(i * step), (i * step + 0).toFixed(decimals)]);
    return { place, ticks };
  }
  function axes(across, up, names) {
    const floor = size.height - size.bottom;
    make("path", { class: "axis", fill: "none", d: `M${size.left} ${size.top}V${floor}H${size.width - size.right}` });
    for (const [x, label] of across.ticks) {
      make("path", { class: "tick", d: `M${x} ${floor}v4` });
      make("text", { x, y: floor + 16, "text-anchor": "middle" }, label);
    }
    for (const [y, label] of up.ticks) {
      make("path", { class: "tick", d: `M${size.left} ${y}h-4` });
      make("text", { x: size.left - 6, y: y + 4, "text-anchor": "end" }, label);
    }
    make("text", { x: (size.left + size.width) / 2, y: size.height - 5, "text-anchor": "middle" }, names[0]);
    make("text", { x: 12, y: size.height / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${size.height / 2})` },
      names[1]);
  }
  function draw() {
    if (!plot) return;
    const a = axis("view-x"), b = axis("view-y");
    const all = data.variates[a][component], other = data.variates[b][component];
    shown = all.map((v, i) => i).filter((i) => all[i] !== null && other[i] !== null);  // samples that have both views
    const x = shown.map((i) => all[i]), y = shown.map((i) => other[i]);
    const across = scale(x, size.left, size.width - size.right), up = scale(y, size.height - size.bottom, size.top);
    plot.replaceChildren();
    axes(across, up, [a, b].map((v) => `${middle(data.views[v], 40)}, variate ${component + 1}`));
    points = x.map((v, i) => {
      const at = { x: across.place(v), y: up.place(y[i]), values: [v, y[i]] };
      const colour = data.classes.length ? `c${data.labels[shown[i]] % 8}` : "c0";
      return { ...at, point: make("circle", { cx: at.x.toFixed(1), cy: at.y.toFixed(1), r: 3.5, class: colour }) };
    });
    chosen = -1;
    tell("Point at a sample, or use the arrow keys, to see its name and values.");
    correlation(a, b);
  }
  // The correlation of the model for this pair of views, of all samples.
  function correlation(a, b) {
    const m = data.views.length, k = data.correlations.length / (m * m);
    const value = data.correlations[(a * m + b) * k + component];
    const text = a === b || typeof value !== "number" ? "" :
      `Component ${component + 1}, ${middle(data.views[a], 40)} and ${middle(data.views[b], 40)}: ${data.kind} correlation ${value.toFixed(2)}.`;
    document.getElementById("correlation").textContent = text;
  }
  // Both ends of a long name.
  function middle(text, most) {
    const letters = [...text], end = Math.floor(most / 3);
    return letters.length <= most ? text : letters.slice(0, most - end).join("") + "…" + letters.slice(-end).join("");
  }
  const told = document.getElementById("told");
  function tell(text) { if (told) told.textContent = text; }
  function pick(i) {
    if (chosen >= 0) points[chosen].point.classList.remove("chosen");
    chosen = i;
    const { point, values } = points[i];
    point.classList.add("chosen");
    plot.append(point);
    const label = data.classes.length ? `, ${data.classes[data.labels[shown[i]]]}` : "";
    tell(`${data.ids[shown[i]]}${label}: ${values[0].toFixed(2)} across, ${values[1].toFixed(2)} up`);
  }
  if (plot) {
    plot.addEventListener("pointermove", (event) => {
      const place = plot.getBoundingClientRect(), zoom = size.width / place.width;
      const px = (event.clientX - place.left) * zoom, py = (event.clientY - place.top) * zoom;
      let best = -1, nearest = 400;
      points.forEach((p, i) => {
        const distance = (p.x - px) ** 2 + (p.y - py) ** 2;
        if (distance < nearest) { nearest = distance; best = i; }
      });
      if (best >= 0 && best !== chosen) pick(best);
    });
    plot.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (move === undefined || points.length === 0) return;
      event.preventDefault();
      const order = points.map((p, i) => i).sort((i, j) => points[i].x - points[j].x);
      const place = chosen < 0 ? (move > 0 ? -1 : 0) : order.indexOf(chosen);
      pick(order[(place + move + order.length) % order.length]);
    });
    for (const id of ["view-x", "view-y"]) document.getElementById(id).addEventListener("change", draw);
  }
  choose(0, false);
})();
