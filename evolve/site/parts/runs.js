// The table of all runs, and which of them are ticked to be put side by side.
"use strict";
(() => {
  const { html, put, smallCurve, sortable, lasting } = hanabi, at = (id) => document.getElementById(id);
  const SIGNS = { starting: "…", running: "▶", stopping: "…", "measuring again": "▶", "writing the report": "▶", done: "✓", stopped: "❚❚", broken: "✗" }, MOST = 8, ticked = new Set();
  let rows = [];
  const score = (row) => row.result === null ? "" : `${hanabi.plusMinus(row.result, row.sem)} ${row.scoring}`;
  const name = (row) => encodeURIComponent(row.name);
  const took = (row) => row.left !== null ? `${lasting(row.left)} left` : row.seconds === null ? "" : lasting(row.seconds);

  function draw(news = rows) {
    rows = news;
    const word = at("filter").value.toLowerCase(), some = rows.filter((row) => JSON.stringify([row.name, row.phase, row.mode, row.players]).toLowerCase().includes(word));
    const focus = at("table").contains(document.activeElement) && document.activeElement.dataset.key;
    put(at("table"), some.length ? html`<table><thead><tr><th><span class="vh">side by side</span></th><th class="t">run</th><th class="t">state</th><th class="t">best</th><th>generation</th><th>took</th><th>result</th><th>mode</th><th>players</th><th><span class="vh">links</span></th></tr></thead><tbody>${
      some.map((row) => html`<tr><td>${row.agent && html`<input type="checkbox" data-key="tick-${row.name}" data-tick="${row.name}" aria-label="Put ${row.name} side by side" ${ticked.has(row.name) && "checked"}>`}</td><td class="t"><a href="/runs/${name(row)}">${row.name}</a></td><td class="t">${SIGNS[row.phase] ?? ""} ${row.phase}</td><td class="t">${smallCurve(row.best)}</td><td>${row.generation}/${row.generations}</td><td data-sort="${row.left ?? row.seconds ?? ""}">${took(row)}</td>
        <td>${score(row)}</td><td>${row.mode}</td><td>${row.players}</td><td class="t">${row.state === "stopped" && html`<a href="/runs/${name(row)}">resume</a> `}${row.report ? html`<a href="/runs/${name(row)}/report">report</a> ` : row.state === "done" && html`<a href="/runs/${name(row)}">write a report</a> `}${row.agent && html`<a href="/build?agent=${encodeURIComponent(row.agent)}">workbench</a> <a href="/play?with=${encodeURIComponent(row.agent)}">play</a>`}</td></tr>`)}</tbody></table>`
      : html`<p class="small">${rows.length ? "No run of these words." : html`No run yet: press Start, or type <code>hanabi evolve --preset quick</code>, which makes one in seconds.`}</p>`);
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

  at("filter").addEventListener("input", () => draw());
  at("table").addEventListener("change", ({ target }) => {
    if (target.checked) ticked.add(target.dataset.tick);
    else ticked.delete(target.dataset.tick);
    choose();
  });
  at("compare").addEventListener("click", () => {
    if (at("compare").getAttribute("aria-disabled") === "true") return;
    at("compare").textContent = "Drawing the page …";
    location.assign(`/compare?${beside().map((one) => `run=${encodeURIComponent(one)}`).join("&")}`);
  });
  addEventListener("pageshow", choose);
  hanabi.runTable = { draw, score, SIGNS };
})();
