// Curves that move while a run evolves: small ones for a table, and one with its band and numbers.
"use strict";
(() => {
  const { html } = hanabi;
  const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  // a small curve of some numbers; what it says stands in the cells beside it
  function small(values, width = 120, height = 26) {
    if (values.length < 2) return "";
    const low = Math.min(...values), span = Math.max(...values) - low || 1;
    return html`<svg class="small-curve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><path d="${
      path(values.map((value, i) => [1 + (width - 2) * i / (values.length - 1), height - 2 - (height - 4) * (value - low) / span]))}"/></svg>`;
  }

  // rows: [generation, best, its standard error, mean of the population]
  function large(curves, generations, width) {
    const rows = curves.flatMap((curve) => curve.rows), height = 280, left = 44, right = 130, top = 12, bottom = 28;
    const values = rows.flatMap(([, best, sem]) => [best - (sem ?? 0), best + (sem ?? 0)]), span = Math.max(...values) - Math.min(...values);
    const step = [0.1, 0.2, 0.5, 1, 2, 5].find((one) => span / one <= 6) ?? 10, low = step * Math.floor(Math.min(...values) / step), high = step * Math.ceil(Math.max(...values) / step);
    const last = Math.max(1, generations, ...rows.map((row) => row[0]));
    const x = (g) => left + (width - left - right) * g / last, y = (v) => height - bottom - (height - top - bottom) * (v - low) / (high - low || 1);
    const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + step * i);
    const dash = ["", "6 4", "2 3", "8 3 2 3"];
    return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Fitness of the best individual by generation: ${
      curves.map((curve) => `${curve.list} ${curve.rows[0][1].toFixed(2)} to ${curve.rows.at(-1)[1].toFixed(2)}`).join("; ")}">${
      ticks.map((v) => html`<path class="rule" d="M${left} ${y(v)}H${width - right}"/><text x="${left - 8}" y="${y(v) + 4}" text-anchor="end">${v.toFixed(step < 1 ? 1 : 0)}</text>`)}${
      [0, Math.round(last / 2), last].map((g) => html`<text x="${x(g)}" y="${height - 8}" text-anchor="middle">${g}</text>`)}${
      curves.map((curve) => html`<path class="band" d="${path([...curve.rows.map(([g, b, s]) => [x(g), y(b + (s ?? 0))]), ...curve.rows.map(([g, b, s]) => [x(g), y(b - (s ?? 0))]).reverse()])}Z"/>`)}${
      curves.map((curve, i) => html`<path class="best" stroke-dasharray="${dash[i % 4]}" d="${path(curve.rows.map(([g, b]) => [x(g), y(b)]))}"/>
        <text x="${x(curve.rows.at(-1)[0]) + 6}" y="${y(curve.rows.at(-1)[1]) + 4}">best ${curve.list} ${curve.rows.at(-1)[1].toFixed(2)}</text>`)}</svg>`;
  }

  Object.assign(hanabi, { smallCurve: small, largeCurve: large });
})();
