"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const tabs = [...document.querySelectorAll('[role="tab"]')];
  const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7a7a7a"];
  const plot = document.getElementById("samples");
  let component = 0, chosen = -1;

  // Components: a list of tabs, moved through with the arrow keys.
  function choose(k, focus) {
    component = k;
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === k);
      tab.tabIndex = i === k ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = i !== k;
    });
    if (focus) tabs[k].focus();
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
  const classes = [...new Set(data.labels)];
  const colour = (label) => colours[classes.indexOf(label) % colours.length];
  classes.forEach((label) => {
    const item = document.createElement("li"), key = document.createElement("span");
    key.className = "key";
    key.style.background = colour(label);
    item.append(key, label);
    document.getElementById("classes").append(item);
  });
  const axis = (id) => { const box = document.getElementById(id); return box ? Number(box.value) : -1; };
  const size = { width: 460, height: 360, left: 40, bottom: 34, top: 8, right: 8 };
  let points = [], shown = [];
  function scale(values, from, to) {
    const low = Math.min(...values), high = Math.max(...values), span = high > low ? high - low : 1;
    return (v) => from + (v - low) / span * (to - from);
  }
  function make(name, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  }
  function correlation(x, y) {
    const weight = (i) => data.weights.length ? data.weights[i] : 1;
    const both = x.map((v, i) => v !== null && y[i] !== null);
    if (both.includes(false)) {
      const kept = (v) => v.filter((_, i) => both[i]);
      return correlation_of(kept(x), kept(y), kept(x.map((_, i) => weight(i))));
    }
    return correlation_of(x, y, x.map((_, i) => weight(i)));
  }
  function correlation_of(x, y, weights) {
    const weight = (i) => weights[i];
    const mean = (v) => v.reduce((a, b, i) => a + weight(i) * b, 0) / v.reduce((a, b, i) => a + weight(i), 0);
    const mx = mean(x), my = mean(y);
    let xy = 0, xx = 0, yy = 0;
    x.forEach((v, i) => {
      const w = weight(i);
      xy += w * (v - mx) * (y[i] - my); xx += w * (v - mx) ** 2; yy += w * (y[i] - my) ** 2;
    });
    return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
  }
  function draw() {
    if (!plot) return;
    const a = axis("view-x"), b = axis("view-y");
    const all = data.variates[a][component], other = data.variates[b][component];
    shown = all.map((v, i) => i).filter((i) => all[i] !== null && other[i] !== null);  // samples that have both views
    const x = shown.map((i) => all[i]), y = shown.map((i) => other[i]);
    const sx = scale(x, size.left + 6, size.width - size.right - 6), sy = scale(y, size.height - size.bottom - 6, size.top + 6);
    plot.replaceChildren(
      make("rect", { x: size.left, y: size.top, width: size.width - size.left - size.right,
        height: size.height - size.top - size.bottom, fill: "none", class: "grid" }),
      make("text", { x: (size.left + size.width) / 2, y: size.height - 12, "text-anchor": "middle" },
        `${data.views[a]}, variate ${component + 1}`),
      make("text", { x: 14, y: size.height / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${size.height / 2})` },
        `${data.views[b]}, variate ${component + 1}`));
    points = x.map((v, i) => {
      const point = make("circle", { cx: sx(v).toFixed(1), cy: sy(y[i]).toFixed(1), r: 3.5,
        fill: data.labels.length ? colour(data.labels[shown[i]]) : "var(--out-of-fold)" });
      plot.append(point);
      return { point, x: sx(v), y: sy(y[i]), values: [v, y[i]] };
    });
    chosen = -1;
    tell(`Correlation of the ${x.length} points shown: ${correlation(all, other).toFixed(2)} (${data.kind}${data.weights.length ? ", weighted" : ""}).`);
  }
  const told = document.getElementById("told");
  function tell(text) { if (told) told.textContent = text; }
  function pick(i) {
    if (chosen >= 0) points[chosen].point.classList.remove("chosen");
    chosen = i;
    const { point, values } = points[i];
    point.classList.add("chosen");
    plot.append(point);
    const label = data.labels.length ? `, ${data.labels[shown[i]]}` : "";
    tell(`${data.ids[shown[i]]}${label}: ${values[0].toFixed(2)}, ${values[1].toFixed(2)}`);
  }
  if (plot) {
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect(), zoom = size.width / box.width;
      const px = (event.clientX - box.left) * zoom, py = (event.clientY - box.top) * zoom;
      let best = -1, nearest = 400;
      points.forEach((p, i) => {
        const distance = (p.x - px) ** 2 + (p.y - py) ** 2;
        if (distance < nearest) { nearest = distance; best = i; }
      });
      if (best >= 0 && best !== chosen) pick(best);
    });
    plot.addEventListener("keydown", (event) => {
      const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (move === undefined) return;
      event.preventDefault();
      const order = points.map((p, i) => i).sort((i, j) => points[i].x - points[j].x);
      const place = chosen < 0 ? (move > 0 ? -1 : 0) : order.indexOf(chosen);
      pick(order[(place + move + order.length) % order.length]);
    });
    for (const id of ["view-x", "view-y"]) document.getElementById(id).addEventListener("change", draw);
  }
  choose(0, false);
})();
