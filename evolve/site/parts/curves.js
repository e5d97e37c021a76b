// Curves that move while a run evolves: small ones for a table, and one with its band, reference lines and diversity that answers the pointer.
"use strict";
(() => {
  const { html, put, plusMinus, counted } = hanabi;
  const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  // a small curve of some numbers; what it says stands in the cells beside it
  function small(values, width = 120, height = 26) {
    if (values.length < 2) return "";
    const low = Math.min(...values), span = Math.max(...values) - low || 1;
    return html`<svg class="small-curve" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true"><path d="${
      path(values.map((value, i) => [1 + (width - 2) * i / (values.length - 1), height - 2 - (height - 4) * (value - low) / span]))}"/></svg>`;
  }

  const H = 300, STRIP = 52, L = 44, R = 150, T = 12, B = 26, DASHES = ["", "7 3", "2 3", "8 3 2 3"];
  const LOSSES = [25, 20, 15, 10, 7, 5, 4, 3, 2, 1.5, 1, 0.7, 0.5, 0.3, 0.2, 0.1];
  const words = ([g, best, sem, mean, alive, common]) => `Generation ${g}: best ${sem === null ? best.toFixed(2) : plusMinus(best, sem)}${mean === null ? "" : `, mean ${mean.toFixed(2)}`}${
    alive === null ? "" : `; ${counted(alive, "list")} alive`}${common === null ? "" : `, two of them have ${Math.round(100 * common)} % of their entries in common`}.`;

  // texts at the right end, moved apart so that none covers another: [y, class, text]
  function labels(x, wanted) {
    let last = -Infinity;
    return wanted.sort((one, other) => one[0] - other[0]).map(([y, kind, text]) => {
      last = Math.max(y + 4, last + 14);
      return html`<text class="${kind}" x="${x}" y="${last}">${text}</text>`;
    });
  }

  // curves: [{list, rows: [generation, best, s.e., mean, individuals, share in common]}]; answers with {markup, x(generation), near(x)}
  function large(curves, { end, references, perfect, width }) {
    const rows = curves.flatMap((curve) => curve.rows), one = curves.length === 1 ? curves[0] : null, strip = one && rows.some((row) => row[4] !== null && row[4] !== undefined);
    const right = width < 520 ? 120 : R, last = Math.max(1, end, ...rows.map((row) => row[0])), lost = (points) => Math.log2(Math.max(perfect / 250, perfect - points));
    // the axis begins where the best list of the first generation was; what is lower is named below it
    const start = Math.min(...curves.map((curve) => curve.rows[0][1])), values = rows.flatMap(([, best, sem]) => [best - (sem ?? 0), best + (sem ?? 0)]);
    const top = lost(Math.max(...values, ...references.map(([, points]) => points))) - 0.15, low = lost(Math.min(...values)) + 0.1;
    const x = (g) => L + (width - L - right) * g / last, y = (points) => T + (H - T - B) * (lost(points) - top) / (low - top || 1);
    const foot = H - B, seen = (points) => y(points) <= foot;
    let free = -Infinity;
    const ticks = LOSSES.map((loss) => perfect - loss * perfect / 25).filter((points) => y(points) >= T && y(points) <= H - B).reverse().filter((points) => { const fits = y(points) - free > 20 && Math.abs(y(points) - y(start)) > 14; if (fits) free = y(points); return fits; });
    const ends = curves.map((curve, i) => [curve.rows.at(-1)[1], "now", `best ${curve.list && curves.length > 1 ? `${curve.list} ` : ""}${curve.rows.at(-1)[1].toFixed(2)}`]);
    const means = one ? one.rows.filter((row) => row[3] !== null) : [];
    if (means.length) ends.push([means.at(-1)[3], "meant", `mean of all ${means.at(-1)[3].toFixed(2)}`]);
    for (const [name, points] of references) ends.push([points, "reft", `${name} ${points.toFixed(1)}`]);
    const under = ends.filter(([points]) => !seen(points)).sort((before, after) => after[0] - before[0]).map(([, kind, text], i, all) => [foot - 14 * (all.length - 1 - i), kind, `↓ ${text}`]);
    const named = [...ends.filter(([points]) => seen(points)).map(([points, ...rest]) => [y(points), ...rest]), ...under];
    const says = `Points of the best list by generation: ${curves.map((curve) => `${curve.list} ${curve.rows[0][1].toFixed(2)} to ${curve.rows.at(-1)[1].toFixed(2)}`).join("; ")}.`;
    const size = H + (strip ? STRIP : 0), most = Math.max(1, ...rows.map((row) => row[4] ?? 0)), sy = (share) => H + 4 + (STRIP - 12) * (1 - share), alive = strip ? one.rows.filter((row) => row[4] !== null) : [];
    const shared = strip ? one.rows.filter((row) => row[5] !== null && row[5] !== undefined) : [];
    const beside = width - right + Math.max(8, 0.3 * (x(1) - x(0)) + 6);
    const markup = html`<svg class="runchart" viewBox="0 0 ${width} ${size}" role="img" aria-label="${says}">${
      ticks.map((points) => html`<path class="rule" d="M${L} ${y(points)}H${width - right}"/><text x="${L - 8}" y="${y(points) + 4}" text-anchor="end">${Number(points.toFixed(1))}</text>`)}${
      html`<text class="begins" x="${L - 8}" y="${y(start) + 4}" text-anchor="end">${start.toFixed(2)}</text><path class="begins" d="M${L} ${y(start)}H${width - right}"/>`}${
      references.filter(([, points]) => seen(points)).map(([, points]) => html`<path class="ref" d="M${L} ${y(points)}H${width - right}"/>`)}${
      [...new Set([0, Math.round(last / 2), last])].map((g) => html`<text x="${x(g)}" y="${H - 8}" text-anchor="middle">${g}</text>`)}${
      curves.map((curve) => html`<path class="band" d="${path([...curve.rows.map(([g, b, s]) => [x(g), y(b + (s ?? 0))]), ...curve.rows.map(([g, b, s]) => [x(g), y(b - (s ?? 0))]).reverse()])}Z"/>`)}${
      means.length && html`<clipPath id="above"><rect x="0" y="0" width="${width}" height="${foot}"/></clipPath><path class="mean" clip-path="url(#above)" d="${path(means.map((row) => [x(row[0]), y(row[3])]))}"/>`}${
      curves.map((curve, i) => html`<path class="best" stroke-dasharray="${DASHES[i % 4]}" d="${path(curve.rows.map(([g, b]) => [x(g), y(b)]))}"/><circle class="dot" cx="${x(curve.rows.at(-1)[0])}" cy="${y(curve.rows.at(-1)[1])}" r="3.5"/>`)}${
      labels(width - right + 8, named)}${
      alive.map(([g, , , , n]) => html`<rect class="alive" x="${x(g) - Math.max(1, 0.3 * (x(1) - x(0)))}" width="${Math.max(2, 0.6 * (x(1) - x(0)))}" y="${sy(n / most)}" height="${sy(0) - sy(n / most)}"/>`)}${
      shared.length > 1 && html`<path class="shared" d="${path(shared.map((row) => [x(row[0]), sy(row[5])]))}"/>`}${
      alive.length && html`<text class="alivet" x="${beside}" y="${H + 20}">${counted(alive.at(-1)[4], "list")} alive</text>${shared.length && html`<text class="sharedt" x="${beside}" y="${H + 38}">${Math.round(100 * shared.at(-1)[5])} % in common</text>`}`}<g class="at"></g></svg>`;
    const near = (place) => one.rows.reduce((found, row) => Math.abs(x(row[0]) - place) < Math.abs(x(found[0]) - place) ? row : found);
    const mark = (row) => html`<path class="cross" d="M${x(row[0])} ${T}V${size - 8}"/><circle class="dot" cx="${x(row[0])}" cy="${y(row[1])}" r="5"/>`;
    return { markup, near, mark, one };
  }

  // Draw a chart into a box. chosen(generation) is called for a click; says(text) while the pointer or the slider is over a generation.
  function runChart(box, curves, options, { at, chosen, says }) {
    const drawn = large(curves, { ...options, width: Math.max(340, box.clientWidth) });
    put(box, drawn.markup);
    const svg = box.querySelector("svg"), mark = svg.querySelector(".at");
    function show(row) { put(mark, row ? drawn.mark(row) : ""); says(row ? words(row) : ""); }
    const rest = () => show(drawn.one && (drawn.one.rows.find((row) => row[0] === at) ?? drawn.one.rows.at(-1)));
    rest();
    if (!drawn.one) { says(""); return; }
    const under = (event) => { const { left, width } = svg.getBoundingClientRect(); return drawn.near((event.clientX - left) * svg.viewBox.baseVal.width / width); };
    svg.addEventListener("pointermove", (event) => show(under(event)));
    svg.addEventListener("pointerleave", rest);
    svg.addEventListener("click", (event) => chosen(under(event)[0]));
  }

  Object.assign(hanabi, { smallCurve: small, runChart, generationWords: words });
})();
