// The list of agents: filter, families, sorted columns, and a chart of which each mark leads to an agent.
"use strict";
(async () => {
  const { html, put, plusMinus } = hanabi, at = (id) => document.getElementById(id);
  const SIGNS = { 2018: ["M6 .4 11.6 6 6 11.6.4 6Z", true], "evolved-2018": ["M6 .4 11.6 6 6 11.6.4 6Z", false], paper: ["M6 .8 11.7 11H.3Z", true], hand: ["M1.5 1.5h9v9h-9Z", true], evolved: ["M6 .8a5.2 5.2 0 1 0 .01 0Z", true],
    search: ["m6 .3 1.7 3.8 4.1.4-3.1 2.7.9 4L6 9.1l-3.6 2.1.9-4L.2 4.5l4.1-.4Z", true], mine: ["M6 .8a5.2 5.2 0 1 0 .01 0ZM6 4a2 2 0 1 1-.01 0Z", false] };
  const COUNTS = ["2", "3", "4", "5"];
  const NUMBERS = { rules: (row) => row.rules, conventions: (row) => row.conventions, ...Object.fromEntries(COUNTS.map((n) => [n, (row) => row.players[n]?.[0]])), mean: (row) => row.mean?.[0], guest: (row) => row.guest?.[0] };
  const HEADS = [["name", "agent"], ["family", "family"], ["rules", "rules"], ["conventions", "meanings"], ...COUNTS.map((n) => [n, n]), ["mean", "mean"], ["guest", "guest"]];
  let rows = [], off = new Set(), text = "", sort = "mean", up = false, chart = "length";

  const sign = (family, size = 14) => { const [path, full] = SIGNS[family]; return html`<svg class="sign" viewBox="0 0 12 12" style="width:${size}px;height:${size}px" aria-hidden="true"><path d="${path}" fill="${full ? "var(--ink)" : "var(--panel)"}" stroke="var(--ink)" stroke-width="1.4"/></svg>`; };
  const shown = () => rows.filter((row) => !off.has(row.family) && `${row.name} ${row.source}`.toLowerCase().includes(text));
  const cell = (pair) => pair ? plusMinus(...pair) : "–";

  // what to expect of an agent as a partner, as a row below its numbers
  const says = (row) => (row.expects || row.taught) && html`<tr class="says"><td class="t" colspan="${HEADS.length}"><small>${row.expects}${row.taught && html` <a href="/teach/${encodeURIComponent(row.name)}" aria-label="Teach me ${row.name}">Teach me</a>`}</small></td></tr>`;

  function drawTable() {
    const value = NUMBERS[sort] ?? ((row) => sort === "family" ? row.family_words : row.name), known = (row) => value(row) ?? null;
    const list = shown().sort((one, other) => {
      const a = known(one), b = known(other);
      if (a === null || b === null) return (a === null) - (b === null);
      return (typeof a === "string" ? a.localeCompare(b) : a - b) * (up ? 1 : -1);
    });
    put(at("agents"), html`<thead><tr>${HEADS.map(([key, words]) => html`<th class="${["name", "family"].includes(key) && "t"}" aria-sort="${sort === key ? up ? "ascending" : "descending" : "none"}"><button type="button" class="sort" data-sort="${key}">${words}</button></th>`)}</tr></thead><tbody>${list.map((row) =>
      html`<tr${says(row) && html` class="said"`}><td class="t"><a href="/agents/${encodeURIComponent(row.name)}">${row.name}</a>${row.sees_own_hand && html`<br><small>sees its own hand</small>`}${row.error && html`<br><small>${row.error}</small>`}</td><td class="t">${sign(row.family)} ${row.family_words}</td><td>${row.rules ?? "–"}</td><td>${row.conventions ?? "–"}</td>${
        COUNTS.map((n) => html`<td>${row.players[n] ? row.players[n][0].toFixed(2) : "–"}</td>`)}<td>${row.mean ? html`<b>${cell(row.mean)}</b>` : row.slow || row.error ? "–" : html`<button type="button" data-measure="${row.name}">Measure (1 s)</button>`}</td><td>${cell(row.guest)}</td></tr>${says(row)}`)}</tbody>`);
  }
  function drawFamilies() {
    const there = [...new Set(rows.map((row) => row.family))].sort((a, b) => Object.keys(SIGNS).indexOf(a) - Object.keys(SIGNS).indexOf(b));
    put(at("families"), there.map((family) => html`<button type="button" data-family="${family}" aria-pressed="${String(!off.has(family))}">${sign(family)} ${rows.find((row) => row.family === family).family_words}</button>`));
  }

  const lost = (points) => Math.log2(Math.max(0.2, 25 - points)), W = 440, H = 380, L = 40, R = 12, T = 10, B = 34;
  const TICKS = [5, 10, 15, 20, 22, 23, 24, 24.5];
  function drawChart() {
    const list = shown().filter((row) => row.mean && !row.sees_own_hand);
    const parts = { length: pointsAndLength, guest: mirrorAndGuest, players: byPlayers }[chart](list);
    at("charthead").textContent = { length: "Points and length", guest: "Copies and strangers", players: "Points by player count" }[chart];
    at("caption").textContent = parts.caption;
    put(at("chart"), html`<svg class="vchart" viewBox="0 0 ${W} ${H}" role="group" aria-label="${parts.caption}">${parts.marks}</svg>`);
  }
  const yOf = (list, value) => {
    const all = list.map(value), low = Math.min(...all, 15) - 0.5, top = Math.min(24.8, Math.max(...all) + 0.1);
    return (points) => T + (H - T - B) * (lost(points) - lost(top)) / (lost(low) - lost(top));
  };
  const grid = (y) => TICKS.filter((tick) => y(tick) <= H - B && y(tick) >= T).map((tick) => html`<line class="grid1" x1="${L}" x2="${W - R}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${L - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`);
  const mark = (row, x, y) => { const [path, full] = SIGNS[row.family]; return html`<a href="/agents/${encodeURIComponent(row.name)}" aria-label="${row.name}: ${plusMinus(...row.mean)} points"><title>${row.name}: ${plusMinus(...row.mean)}</title><path transform="translate(${x - 6} ${y - 6})" d="${path}" fill="${full ? "var(--ink)" : "var(--panel)"}" stroke="var(--ink)" stroke-width="1.4"/></a>`; };
  function pointsAndLength(all) {
    const list = all.filter((row) => row.rules), most = Math.max(...list.map((row) => row.rules + row.conventions), 8), y = yOf(list, (row) => row.mean[0]);
    const x = (n) => L + 12 + (W - L - R - 24) * Math.log(n) / Math.log(most);
    return { caption: "Rules and conventions of a list (to the right, each step doubles) and its points; upwards, equal steps halve the points that are lost.",
      marks: [grid(y), [1, 2, 4, 8, 16, 32, 64].filter((n) => n <= most).map((n) => html`<text x="${x(n)}" y="${H - 12}" text-anchor="middle">${n}</text>`), list.map((row) => mark(row, x(row.rules + row.conventions), y(row.mean[0])))] };
  }
  function mirrorAndGuest(all) {
    const list = all.filter((row) => row.guest), y = yOf(list, (row) => row.mean[0]), values = list.map((row) => row.guest[0]), low = Math.min(...values, 0), high = Math.max(...values, 20);
    const x = (value) => L + 12 + (W - L - R - 24) * (value - low) / (high - low);
    return { caption: "To the right: points as a guest, one seat among copies of another agent. Upwards: points among copies of itself.",
      marks: [grid(y), [0, 5, 10, 15, 20].filter((n) => n >= low && n <= high).map((n) => html`<text x="${x(n)}" y="${H - 12}" text-anchor="middle">${n}</text>`), list.map((row) => mark(row, x(row.guest[0]), y(row.mean[0])))] };
  }
  function byPlayers(all) {
    const list = all.filter((row) => COUNTS.every((n) => row.players[n])), y = yOf(list.flatMap((row) => COUNTS.map((n) => row.players[n][0])), (value) => value), x = (n) => L + 30 + (W - L - R - 60) * (n - 2) / 3;
    return { caption: "Points among copies of itself, by player count; one line for each agent.",
      marks: [grid(y), COUNTS.map((n) => html`<text x="${x(n)}" y="${H - 12}" text-anchor="middle">${n} players</text>`), list.map((row) => html`<path class="path" d="${COUNTS.map((n, i) => `${i ? "L" : "M"}${x(n).toFixed(1)} ${y(row.players[n][0]).toFixed(1)}`).join("")}"/>${COUNTS.map((n) => mark(row, x(n), y(row.players[n][0])))}`)] };
  }

  const draw = () => { drawTable(); drawFamilies(); drawChart(); };
  function lead() {
    const lists = rows.filter((row) => row.mean && !row.slow && !row.sees_own_hand), best = lists[0], old = lists.find((row) => ["2018", "evolved-2018"].includes(row.family)), guest = [...lists].filter((row) => row.guest).sort((a, b) => b.guest[0] - a.guest[0])[0];
    if (best && old) put(at("lead"), html`${rows.length} agents. The best list, ${best.name}, makes <b>${plusMinus(...best.mean)}</b> points among copies of itself, the best of 2018 ${old.mean[0].toFixed(2)}. ${guest && html`The best guest of other agents is ${guest.name}: ${plusMinus(...guest.guest)}.`} ± is one standard error.`);
  }

  addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { sort: key, family, chart: kind, measure } = button.dataset;
    if (key) { up = sort === key ? !up : ["name", "family"].includes(key); sort = key; drawTable(); document.querySelector(`[data-sort="${key}"]`).focus(); }
    if (family) { if (off.has(family)) off.delete(family); else off.add(family); draw(); document.querySelector(`[data-family="${family}"]`).focus(); }
    if (kind) { chart = kind; document.querySelectorAll("[data-chart]").forEach((one) => one.setAttribute("aria-pressed", one === button)); drawChart(); }
    if (measure) {
      button.textContent = "measuring …";
      try {
        const answer = await fetch(`/agents/${encodeURIComponent(measure)}/measure`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }), data = await answer.json();
        if (!answer.ok) throw new Error(data.error);
        Object.assign(rows.find((row) => row.name === measure), data);
        draw();
      } catch (error) { at("wrong").textContent = error.message; button.textContent = "Measure (1 s)"; }
    }
  });
  at("filter").addEventListener("input", () => { text = at("filter").value.toLowerCase(); drawTable(); drawChart(); });
  try { rows = await (await fetch("/agents/state")).json(); draw(); lead(); } catch { at("wrong").textContent = "The site answers no more."; }
})();
