// The table of runs, or one run, asked for every two seconds while something moves.
"use strict";
(() => {
  const { html, put, counted, smallCurve, largeCurve, sortable, lasting } = hanabi, at = (id) => document.getElementById(id), run = at("runs").dataset.run;
  const SIGNS = { running: "▶", done: "✓", stopped: "❚❚", broken: "✗" };
  const score = (row) => row.result === null ? "" : `${hanabi.plusMinus(row.result, row.sem)} ${row.scoring}`;
  const name = (row) => encodeURIComponent(row.name);
  const left = (row) => row.left === null ? "" : lasting(row.left);
  const MOST = 8, ticked = new Set();
  let rows = [], heard = 0, shown = "", timer = 0;

  function table() {
    const word = at("filter").value.toLowerCase(), some = rows.filter((row) => JSON.stringify([row.name, row.state, row.mode, row.players]).toLowerCase().includes(word));
    const focus = at("table").contains(document.activeElement) && document.activeElement.dataset.key;
    put(at("table"), some.length ? html`<table><thead><tr><th></th><th class="t">run</th><th class="t">state</th><th class="t">best</th><th>generation</th><th>time left</th><th>result</th><th>mode</th><th>players</th><th></th></tr></thead><tbody>${
      some.map((row) => html`<tr><td>${row.agent && html`<input type="checkbox" data-key="tick-${row.name}" data-tick="${row.name}" aria-label="Put ${row.name} side by side" ${ticked.has(row.name) && "checked"}>`}</td><td class="t"><a href="/runs/${name(row)}">${row.name}</a></td><td class="t">${SIGNS[row.state] ?? ""} ${row.state}</td><td class="t">${smallCurve(row.best)}</td><td>${row.generation}/${row.generations}</td><td>${left(row)}</td>
        <td>${score(row)}</td><td>${row.mode}</td><td>${row.players}</td><td>${row.report && html`<a href="/runs/${name(row)}/report">report</a> `}${row.agent && html`<a href="/play?with=${encodeURIComponent(row.agent)}">play</a>`}</td></tr>`)}</tbody></table>`
      : html`<p class="small">${rows.length ? "No run of these words." : html`No run yet. <code>hanabi evolve --preset quick</code> makes one in seconds.`}</p>`);
    sortable(at("table"));
    if (focus) at("table").querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    choose();
  }

  const beside = () => rows.map((row) => row.name).filter((one) => ticked.has(one));
  function choose() {
    const some = beside(), fits = some.length >= 2 && some.length <= MOST;
    at("compare").setAttribute("aria-disabled", !fits);
    at("compare").textContent = fits ? `Side by side: ${some.length} runs` : some.length > MOST ? `Side by side: at most ${MOST} runs` : "Side by side: tick two runs or more";
  }

  // how far a run is; of several lists, which have a curve each, also which one is evolved, for the axis counts its generations
  function reached(row) {
    const whole = `generation ${row.generation} of ${row.generations}`, span = row.each + 1;
    if (row.lists.length < 2) return whole;
    if (row.state === "done") return `${row.lists.length} lists of ${row.each} generations each after the first`;
    const place = Math.min(row.lists.length - 1, Math.floor(row.generation / span));
    return `list ${place + 1} of ${row.lists.length} (${row.lists[place]}): generation ${row.generation - place * span} of ${row.each}; over all lists ${whole}`;
  }

  function one(row) {
    at("lead").textContent = `${SIGNS[row.state] ?? ""} ${row.state}, ${reached(row)}${left(row) && `, about ${left(row)} left`}; ${row.mode}, players ${row.players}${score(row) && `; ${score(row)} points on deals that the search never saw`}.`;
    put(at("links"), [row.map && html`<a href="/runs/${name(row)}/map">map of ways to play</a> · `, row.report && html`<a id="open" href="/runs/${name(row)}/report">report</a> · `, row.agent && html`<a href="/play?with=${encodeURIComponent(row.agent)}">play with its winner</a>`]);
    report(row);
    if (!row.curves.length) { put(at("curve"), html`<p class="small">No generation yet.</p>`); return; }
    put(at("curve"), largeCurve(row.curves, row.each, Math.max(360, at("curve").clientWidth)));
    put(at("numbers"), html`<table><thead><tr><th class="t">list</th><th>generation</th><th>best</th><th>± s.e.</th><th>mean</th></tr></thead><tbody>${
      row.curves.map((curve) => curve.rows.slice(-20).map(([g, b, s, m]) => html`<tr><td class="t">${curve.list}</td><td>${g}</td><td>${b.toFixed(3)}</td><td>${s?.toFixed(3)}</td><td>${m?.toFixed(2)}</td></tr>`))}</tbody></table>`);
  }

  const writes = (share) => share === 0 ? "Writing the report: rules that are new to this machine are compiled first." : share < 1
    ? `Writing the report: ${Math.round(100 * share)} % of its games are played.` : "Writing the report: its games are played, the page is made.";
  // the panel that offers the report of a finished run, while there is none
  function report(row) {
    const offered = !at("offer").hidden, writing = row.writing !== null;
    at("offer").hidden = row.state !== "done" || row.report;
    at("write").setAttribute("aria-disabled", writing);
    at("said").textContent = writing ? writes(row.writing) : row.report && offered ? "The report is written." : "";
    at("problem").textContent = row.problem;
    if (row.report && offered) at("open").focus();
  }

  async function write() {
    if (at("write").getAttribute("aria-disabled") === "true") return;
    at("write").setAttribute("aria-disabled", true);
    at("problem").textContent = "";
    try {
      const answer = await fetch(`/runs/${encodeURIComponent(run)}/report`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
      if (!answer.ok) throw new Error((await answer.json()).error);
    } catch (error) {
      at("problem").textContent = error instanceof TypeError ? "The site answers no more; nothing was done." : error.message;
      at("write").setAttribute("aria-disabled", false);
    }
    look();
  }

  async function look() {
    clearTimeout(timer);
    let wait = 2000;
    try {
      const answer = await fetch(run ? `/runs/${encodeURIComponent(run)}/curve` : "/runs/state"), data = await answer.json(), text = JSON.stringify(data);
      if (!answer.ok) throw new Error(data.error);
      heard = performance.now();
      if (run) { wait = data.writing !== null ? 500 : data.state === "running" ? 2000 : 10000; if (text !== shown) one(data); }
      else { rows = data; if (text !== shown) table(); at("lead").textContent = rows.length ? `${counted(rows.length, "run")}, ${rows.filter((row) => row.state === "running").length} running.` : ""; }
      shown = text;
    } catch { at("lead").textContent = `Not heard from for ${Math.round((performance.now() - heard) / 1000)} s; trying again.`; }
    timer = setTimeout(look, wait);
  }

  at("write")?.addEventListener("click", write);
  at("filter")?.addEventListener("input", table);
  at("table")?.addEventListener("change", ({ target }) => {
    if (target.checked) ticked.add(target.dataset.tick);
    else ticked.delete(target.dataset.tick);
    choose();
  });
  at("compare")?.addEventListener("click", () => {
    if (at("compare").getAttribute("aria-disabled") === "true") return;
    at("compare").textContent = "Drawing the page …";
    location.assign(`/compare?${beside().map((one) => `run=${encodeURIComponent(one)}`).join("&")}`);
  });
  addEventListener("pageshow", () => { if (!run) choose(); });
  look();
})();
