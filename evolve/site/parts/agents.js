// The list of agents: filter, families, sorted columns, and a chart of which each mark leads to an agent.
"use strict";
(async () => {
  const { html, put, plusMinus, counted } = hanabi, { sign, words, SIGNS, COUNTS, draw: drawInto, step } = hanabi.agentChart, at = (id) => document.getElementById(id);
  const NUMBERS = { rules: (row) => row.rules, conventions: (row) => row.conventions, ...Object.fromEntries(COUNTS.map((n) => [n, (row) => row.players[n]?.[0]])), mean: (row) => row.mean?.[0], guest: (row) => row.guest?.[0] };
  const HEADS = [["name", "agent"], ["family", "family"], ["rules", "rules"], ["conventions", "meanings"], ...COUNTS.map((n) => [n, n]), ["mean", "mean"], ["guest", "guest"]];
  let rows = [], off = new Set(), text = "", sort = "mean", up = false, chart = "length", chosen = "", asked = "", references = false;

  const isReference = (row) => row.name.endsWith(" (reference)");
  const shown = () => rows.filter((row) => (references || !isReference(row)) && !off.has(row.family) && `${row.name} ${row.source}`.toLowerCase().includes(text));
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
      html`<tr${says(row) && html` class="said"`}><td class="t"><a href="/agents/${encodeURIComponent(row.name)}">${row.name}</a>${row.sees_own_hand && html`<br><small>sees its own hand</small>`}${row.error && html`<br><small>${row.error}</small>`}</td><td class="t">${sign(row.family)} <span class="words">${row.family_words}</span></td><td>${row.rules ?? "–"}</td><td>${row.conventions ?? "–"}</td>${
        COUNTS.map((n) => html`<td>${row.players[n] ? row.players[n][0].toFixed(2) : "–"}</td>`)}<td>${row.mean ? html`<b>${cell(row.mean)}</b>` : row.slow || row.error ? "–" : html`<button type="button" data-measure="${row.name}">Measure (1 s)</button>`}</td><td>${cell(row.guest)}</td></tr>${says(row)}`)}</tbody>`);
  }
  function drawFamilies() {
    const more = rows.filter(isReference).length;
    at("references").hidden = !more;
    at("references").textContent = references ? "Hide the winners of reference runs" : `Show ${counted(more, "winner")} of reference runs`;
    const there = [...new Set(rows.map((row) => row.family))].sort((a, b) => Object.keys(SIGNS).indexOf(a) - Object.keys(SIGNS).indexOf(b));
    put(at("families"), there.map((family) => html`<button type="button" data-family="${family}" aria-pressed="${String(!off.has(family))}">${sign(family)} ${rows.find((row) => row.family === family).family_words}</button>`));
  }

  function drawChart() {
    at("charthead").textContent = { length: "Points and length", guest: "Copies and strangers", players: "Points by player count" }[chart];
    at("caption").textContent = drawInto(at("chart"), shown(), chart, at("players").value, chosen);
  }
  const say = (name) => { const row = rows.find((one) => one.name === name); at("hover").textContent = row ? words(row, chart === "length" ? at("players").value : "all") : ""; };

  // the panel of one agent: its first sentences, and what one can do with it
  async function choose(name) {
    const row = rows.find((one) => one.name === name);
    if (!row) return;
    chosen = name;
    drawChart();
    document.querySelectorAll("#agents tr").forEach((one) => one.classList.toggle("chosen", one.querySelector("a")?.textContent === name));
    const link = encodeURIComponent(name), button = (path, text, kind = "button") => html`<a class="${kind}" href="${path}">${text}</a>`;
    at("one").hidden = false;
    at("onename").textContent = name;
    at("onefamily").textContent = row.family_words;
    put(at("oneacts"), [row.taught && button(`/teach/${link}`, "Teach me"), row.rules && row.listed && button(`/build?agent=${link}`, "Open in the workbench", "button do"), button(`/play?with=${link}`, "Play with it"), button(`/tournament?with=${link}`, "Compare"), button(`/agents/${link}/file`, "Download"), button(`/agents/${link}`, "All about it")]);
    put(at("onelist"), "");
    at("onemore").textContent = "";
    asked = name;
    try {
      const { lists } = await (await fetch(`/agents/${link}/lists`)).json();
      if (asked !== name) return;
      const list = lists.find((one) => /3/.test(one.key) || one.key.includes("-")) ?? lists[0];
      if (!list) { at("onemore").textContent = "No list of rules."; return; }
      put(at("onelist"), list.rules.slice(0, 3).map((says) => html`<li>${says}</li>`));
      const more = list.rules.length - 3;
      at("onemore").textContent = [more > 0 && `and ${counted(more, "more rule")}`, list.conventions.length && counted(list.conventions.length, "convention")].filter(Boolean).join("; ");
    } catch { at("onemore").textContent = "The site answers no more."; }
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
  const markOf = (event) => event.target.closest?.("[data-mark]")?.dataset.mark, rowOf = (event) => event.target.closest?.("#agents tbody tr")?.querySelector("a")?.textContent;
  at("chart").addEventListener("click", (event) => { const name = markOf(event); if (name) { choose(name); say(name); } });
  at("chart").addEventListener("keydown", (event) => { const name = markOf(event); if (name && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); choose(name); } else step(at("chart"), event); });
  for (const kind of ["pointerover", "focusin"]) at("chart").addEventListener(kind, (event) => say(markOf(event)));
  at("chart").addEventListener("pointerleave", () => say(""));
  at("agents").addEventListener("click", (event) => { const name = rowOf(event); if (name && !event.target.closest("a, button")) choose(name); });
  at("references").addEventListener("click", () => { references = !references; draw(); });
  at("players").addEventListener("change", drawChart);
  at("file").addEventListener("change", async () => {
    const [file] = at("file").files, post = async (path, body) => { const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }), data = await answer.json(); if (!answer.ok) throw new Error(data.error); return data; };
    if (!file) return;
    at("wrong").textContent = "";
    try {
      const found = await post("/build/read", { text: await file.text() });
      if (found.wrong.length) throw new Error(found.wrong[0].error);
      const name = (found.name || file.name.replace(/\.toml$/, "")).slice(0, 60);
      await post("/build/save", { name, lists: found.lists });
      location.assign(`/agents/${encodeURIComponent(name)}`);
    } catch (error) { at("wrong").textContent = error.message; }
    at("file").value = "";
  });
  at("filter").addEventListener("input", () => { text = at("filter").value.toLowerCase(); drawTable(); drawChart(); });
  try { rows = await (await fetch("/agents/state")).json(); draw(); lead(); choose(rows.find((row) => row.rules && row.mean && !row.sees_own_hand && !isReference(row))?.name); } catch { at("wrong").textContent = "The site answers no more."; }
})();
