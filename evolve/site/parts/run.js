// One run, while it goes on and afterwards: its curve, its changes in sentences, and the best list of each generation.
"use strict";
(() => {
  const { html, put, plusMinus, counted, entries, lasting, runChart, generationWords } = hanabi, { score, SIGNS } = hanabi.runTable, at = (id) => document.getElementById(id);
  const left = (row) => row.left === null ? "" : lasting(row.left);
  let run = "", data = null, changes = [], count = 0, newest = null;
  let part = null, generation = null, listed = "";         // the list and the generation that a person chose; null: the newest

  // a mutation as text, "replace A, then add B before C", with the sentences of its entries
  const sentenceOf = (text) => {
    const name = entries.readEntry(text).name, part = ["rules", "conventions"].find((one) => entries.familyOf(one, name));
    return part ? entries.says(part, text) : text.replaceAll("_", " ");
  };
  function wordsOf(change) {
    return change.split(", then ").map((one) => {
      let found = /^(\S+.*) becomes (.+?)( by \w+)?$/.exec(one);        // a grown rule: by which operator
      if (found && !one.startsWith("weight ")) return html`<del>${sentenceOf(found[1])}</del> becomes <ins>${sentenceOf(found[2])}</ins>${found[3] && html`<small>${found[3]}</small>`}`;
      found = /^(add|move) (.+?) (before (.+)|at the end)$/.exec(one);
      if (found) return html`${{ add: "New", move: "Moved" }[found[1]]}: ${sentenceOf(found[2])} <small>${found[4] ? `before “${entries.shortName(found[4])}”` : "last"}</small>`;
      found = /^remove (.+)$/.exec(one);
      if (found) return html`Taken out: ${sentenceOf(found[1])}`;
      found = /^swap (.+) and (.+)$/.exec(one);
      if (found) return html`Swapped “${entries.shortName(found[1])}” and “${entries.shortName(found[2])}”`;
      return one.replaceAll("_", " ");
    }).flatMap((part, i) => i ? [html`<br>`, part] : [part]);
  }
  const signed = ({ gain, sem }) => `${gain < 0 ? "" : "+"}${plusMinus(gain, sem)}`;
  function drawChanges() {
    at("changecount").textContent = count ? `${count} made so far` : "none";
    put(at("changes"), changes.length ? [...changes].reverse().map((one) => html`<li><span class="n">${one.list && `list ${one.list}, `}${one.generation}</span><span>${wordsOf(one.says)} <small>${one.games.toLocaleString("en")} games</small></span><b>${signed(one)}</b></li>`)
      : html`<li class="small">This run has no local search, or none has accepted a change yet.</li>`);
  }
  // the entries that a change puts into a list or moves there
  const entriesIn = (says) => says.split(", then ").flatMap((one) => one.startsWith("weight ") ? [] : (/^(?:add|move) (.+?) (?:before .+|at the end)$/.exec(one) ?? /^(?:.+) becomes (.+?)(?: by \w+)?$/.exec(one) ?? /^swap (.+) and (.+)$/.exec(one) ?? []).slice(1));
  // by entry of a list the newest change that acts there: a change of several entries counts at the first
  function gainsOf(best) {
    const found = new Map(), inside = new Set([...best.rules, ...best.conventions]);
    for (const change of changes.filter((one) => (one.list || "") === best.list && Number(one.generation) <= Number(best.generation))) {
      const entry = entriesIn(change.says).find((one) => inside.has(one));
      if (entry !== undefined) found.set(entry, change);
    }
    return found;
  }
  let gains = new Map();
  const fresh = new Set();                       // changes that came since the page was opened and have not dropped into the list yet
  const gain = (entry) => { const one = gains.get(entry); return one && html`<b class="gain" data-change="${changes.indexOf(one)}" title="Gain of its newest change, in generation ${one.generation}, on the deals that decided">${signed(one)}</b>`; };
  // a new gain falls from the top of the changes to the entry where it acts
  function drop() {
    const from = at("changes").getBoundingClientRect(), still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const mark of document.querySelectorAll("[data-change]")) {
      if (!fresh.delete(changes[mark.dataset.change])) continue;
      (mark.closest("li") ?? mark).classList.add("changed");
      const to = mark.getBoundingClientRect();
      if (!still) mark.animate([{ transform: `translate(${from.right - to.right}px, ${from.top - to.top}px)`, opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: 900, easing: "cubic-bezier(.5, 0, .8, 1)" });
    }
  }
  // a long list is folded once it is known which rules decide: the shares of the moves that each decides, by list
  // (of the first MOST rules, which the workbench takes: what follows them decides what they leave to "otherwise")
  const LONG = 20, MOST = 64, GAMES = 500, shares = new Map();
  const keyOf = (best) => JSON.stringify([best.rules, best.conventions, best.weights, best.played]);
  async function measureShares(best) {
    const { players, variant, otherwise } = best.played, { conventions, weights } = best, rules = best.rules.slice(0, MOST);
    const order = { list: { rules, conventions, weights, otherwise }, players, variant, games: GAMES, shown: false };
    const state = await hanabi.server.follow("count", "/build/score", order, () => {}).catch(() => null);
    if (!state?.shares) return;
    shares.set(keyOf(best), state.shares);
    if (drawn === best) drawBest(best);
  }
  const row = (best, marks) => (i) => html`<li data-entry="${best.rules[i]}" data-n="${i + 1}"><span>${sentenceOf(best.rules[i])}</span><span class="marks">${gain(best.rules[i])}${marks[i][1] && html`<span class="mark">${marks[i][0]}</span>`}</span></li>`;
  let drawn = null;
  function drawBest(best) {
    drawn = best;
    at("besthead").textContent = generation === null ? "The best list now" : `The best list of generation ${generation}`;
    if (!best) { at("bestnote").textContent = "no generation yet"; put(at("bestlist"), ""); put(at("bestrest"), ""); at("bestmore").textContent = ""; return; }
    gains = gainsOf(best);
    const { marks } = entries.marksBetween(best.rules, best.before);
    at("bestnote").textContent = `${best.list ? `list ${best.list}, ` : ""}generation ${best.generation}${best.since === best.generation ? "" : `, marks since ${best.since}`}`;
    const known = shares.get(keyOf(best)), places = [...best.rules.keys()], idle = known ? places.filter((i) => !known[Math.min(i, known.length - 1)]) : [], weights = Object.keys(best.weights).length;
    put(at("bestlist"), places.filter((i) => !idle.includes(i)).map(row(best, marks)));
    const open = at("bestrest").querySelector("details")?.open;
    put(at("bestrest"), idle.length > 0 && html`<details ${open && "open"}><summary>${counted(idle.length, "rule")} that ${idle.length === 1 ? "decides" : "decide"} no move in ${GAMES} games</summary><ol class="bestlist">${idle.map(row(best, marks))}</ol></details>`);
    if (!known && best.rules.length > LONG && best.played.players) measureShares(best);
    const named = best.conventions.map((one, i) => html`${i > 0 && ", "}${entries.shortName(one)}${gains.has(one) && " "}${gain(one)}`);
    put(at("bestmore"), named.length + weights > 0 && html`And ${named.length > 0 && html`${counted(named.length, "convention")}: ${named}`}${named.length && weights ? "; " : ""}${weights > 0 && counted(weights, "weight")}.`);
    drop();
  }

  // how far a run is; of several lists, which have a curve each, also which one is evolved, for the axis counts its generations
  function reached(row) {
    const whole = `generation ${row.generation} of ${row.generations}`, same = new Set(row.ends).size < 2;
    if (row.lists.length < 2) return whole;
    if (row.state === "done") return same ? `${row.lists.length} lists of ${row.ends[0]} generations each after the first` : `${row.lists.length} lists of ${row.ends.join(", ")} generations after the first`;
    return `list ${row.place + 1} of ${row.lists.length} (${row.lists[row.place]}): generation ${row.reached} of ${row.ends[row.place]}; over all lists ${whole}`;
  }
  const limit = (row) => !row.limit ? "" : row.ended ? `; ended by its ${counted(row.limit, "minute")}` : row.state === "done" ? "" : `; at most ${counted(row.limit, "minute")}`;

  function drawCurve() {
    const names = data.curves.map((curve) => curve.list), now = data.lists[data.place] ?? "";
    if (part !== null && part !== "all" && !names.includes(part)) part = null;
    const shown = part ?? (names.includes(now) ? now : names.at(-1)), some = shown === "all" ? data.curves : data.curves.filter((curve) => curve.list === shown);
    put(at("parts"), names.length > 1 && [...names, "all"].map((one) => html`<button type="button" data-part="${one}" aria-pressed="${String(one === shown)}">${one}</button>`));
    at("atgenrow").hidden = !some.length || shown === "all";
    if (!some.length) { put(at("curve"), html`<p class="small">No generation yet.</p>`); return; }
    const rows = some[0].rows, slider = at("generation"), place = generation === null ? rows.length - 1 : Math.max(0, rows.findIndex((row) => row[0] === generation));
    slider.max = rows.length - 1;
    slider.value = place;
    slider.setAttribute("aria-valuetext", generationWords(rows[place]));
    at("newest").hidden = generation === null;
    const end = shown === "all" ? Math.max(...data.ends) : data.ends[Math.max(0, data.lists.indexOf(shown))];
    runChart(at("curve"), some, { end, references: data.references[shown === "all" ? "" : shown] ?? [], perfect: data.perfect },
      { at: generation, chosen: choose, says: (text) => { at("atgen").textContent = text; } });
  }

  // show the list of a generation; null: the newest
  async function choose(wanted) {
    generation = wanted;
    drawCurve();
    await list();
  }
  async function list() {
    const of = run, chosen = part !== null && part !== "all";
    if (generation === null && !chosen) { drawBest(newest); return; }
    const name = at("parts").querySelector("[aria-pressed=true]")?.dataset.part ?? "";
    const query = new URLSearchParams({ list: name === "all" ? "" : name, ...(generation !== null && { generation }) });
    try {
      const answer = await fetch(`/runs/${encodeURIComponent(of)}/list?${query}`), best = await answer.json();
      if (of === run) drawBest(answer.ok ? best : null);
    } catch { /* the next look says that the site is gone */ }
  }

  const writes = (share) => share === 0 ? "Writing the report: rules that are new to this machine are compiled first." : share < 1
    ? `Writing the report: ${Math.round(100 * share)} % of its games are played.` : "Writing the report: its games are played, the page is made.";
  // the panel that offers the report of a finished run, while there is none
  function report(row) {
    const offered = !at("offer").hidden, writing = row.writing !== null;
    at("offer").hidden = row.state !== "done" || row.report;
    at("write").setAttribute("aria-disabled", writing);
    at("said").textContent = writing ? writes(row.writing) : row.report && offered ? "The report is written." : "";
    if (row.problem) at("problem").textContent = row.problem;
    if (row.report && offered) at("open").focus();
  }

  function draw(row, started, unnamed) {
    const name = encodeURIComponent(row.name);
    put(at("lead"), html`${unnamed && html`<a href="/runs/${name}">${row.name}</a>: `}${SIGNS[row.phase] ?? ""} ${row.phase}, ${reached(row)}${left(row) && `, about ${left(row)} left`}${limit(row)}; ${row.mode}, players ${row.players}${score(row) && `; ${score(row)} points on deals that the search never saw`}.`);
    put(at("links"), [row.map && html`<a href="/runs/${name}/map">map of ways to play</a> · `, row.report && html`<a id="open" href="/runs/${name}/report">report</a> · `, row.agent && html`<a href="/play?with=${encodeURIComponent(row.agent)}">play with its winner</a>`]);
    report(row);
    at("live").hidden = false;
    at("nolive").hidden = true;
    at("stop").hidden = !(started.running && started.run === row.name);
    at("stop").disabled = row.phase === "stopping";
    at("resume").hidden = row.state !== "stopped" || started.running;
    at("bench").hidden = row.state !== "done" || !row.agent;
    at("bench").href = `/build?run=${name}`;
    at("copy").hidden = !row.command;
    at("copy").dataset.command = row.command;
    drawCurve();
    put(at("numbers"), html`<table><thead><tr><th class="t">list</th><th>generation</th><th>best</th><th>± s.e.</th><th>mean</th><th>lists alive</th><th>in common</th></tr></thead><tbody>${
      row.curves.map((curve) => curve.rows.slice(-20).map(([g, b, s, m, n, c]) => html`<tr><td class="t">${curve.list}</td><td>${g}</td><td>${b.toFixed(3)}</td><td>${s?.toFixed(3)}</td><td>${m?.toFixed(2)}</td><td>${n}</td><td>${typeof c === "number" && `${Math.round(100 * c)} %`}</td></tr>`))}</tbody></table>`);
  }

  // look at a run: its state, then what it changed since the last look
  async function look(name, started, unnamed) {
    if (name !== run) { run = name; data = null; changes = []; count = 0; newest = null; part = null; generation = null; listed = ""; }
    const ask = async (path) => { const answer = await fetch(`/runs/${encodeURIComponent(name)}/${path}`), found = await answer.json(); if (!answer.ok) throw new Error(found.error); return found; };
    const [row, news] = [await ask("curve"), await ask(`changes?after=${count}`)], text = JSON.stringify([row, started.running]);
    if (data) news.changes.forEach((one) => fresh.add(one));
    changes = [...changes, ...news.changes].slice(-400);
    const arrived = news.count !== count || !data, changed = text !== listed;
    if (arrived) { count = news.count; drawChanges(); }
    newest = news.best;
    if (changed) { listed = text; data = row; draw(row, started, unnamed); }
    if (changed || arrived) await list();
    return row;
  }

  addEventListener("click", (event) => {
    const button = event.target.closest("[data-part]");
    if (!button || !data) return;
    part = button.dataset.part;
    generation = null;
    drawCurve();
    list();
    at("parts").querySelector(`[data-part="${CSS.escape(part)}"]`).focus();
  });
  at("generation").addEventListener("input", ({ target }) => {
    const name = at("parts").querySelector("[aria-pressed=true]")?.dataset.part, rows = (data.curves.find((curve) => curve.list === name) ?? data.curves[0]).rows;
    choose(rows[Number(target.value)][0]);
  });
  at("newest").addEventListener("click", () => { choose(null); at("generation").focus(); });
  let resized = 0;
  addEventListener("resize", () => { clearTimeout(resized); resized = setTimeout(() => data && drawCurve(), 100); });
  // no run is shown
  function clear() {
    run = "";
    for (const id of ["live", "resume", "bench", "copy"]) at(id).hidden = true;
    at("nolive").hidden = false;
  }
  hanabi.liveRun = { look, clear };
})();
