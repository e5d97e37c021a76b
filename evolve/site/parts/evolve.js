// Starting, stopping and resuming runs; the changes of a run in sentences, and its best list as it changes.
"use strict";
(async () => {
  const { html, put, plusMinus, entries } = hanabi, at = (id) => document.getElementById(id), run = at("runs").dataset.run;
  const post = async (path, body) => {
    let answer;
    try { answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }); } catch { throw new Error("The site answers no more; nothing was done."); }
    const data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    return data;
  };
  const fail = (error) => { at("problem").textContent = error.message; };
  const act = (path) => async () => { at("problem").textContent = ""; try { const { line } = await post(path, {}); at("lead").textContent = line; look(); } catch (error) { fail(error); } };
  let timer = 0, changes = [], count = 0;

  try { entries.setLibrary(await (await fetch("/build/library")).json()); } catch { fail(new Error("The site answers no more.")); return; }

  // a mutation as text, "replace A, then add B before C", with the sentences of its entries
  const sentenceOf = (text) => {
    const name = entries.readEntry(text).name, part = ["rules", "conventions"].find((one) => entries.familyOf(one, name));
    return part ? entries.says(part, text) : text.replaceAll("_", " ");
  };
  function wordsOf(change) {
    return change.split(", then ").map((one) => {
      let found = /^(\S+.*) becomes (.+)$/.exec(one);
      if (found && !one.startsWith("weight ")) return html`<del>${sentenceOf(found[1])}</del> becomes <ins>${sentenceOf(found[2])}</ins>`;
      found = /^(add|move) (.+?) (before (.+)|at the end)$/.exec(one);
      if (found) return html`${{ add: "New", move: "Moved" }[found[1]]}: ${sentenceOf(found[2])} <small>${found[4] ? `before “${entries.shortName(found[4])}”` : "last"}</small>`;
      found = /^remove (.+)$/.exec(one);
      if (found) return html`Taken out: ${sentenceOf(found[1])}`;
      found = /^swap (.+) and (.+)$/.exec(one);
      if (found) return html`Swapped “${entries.shortName(found[1])}” and “${entries.shortName(found[2])}”`;
      return one.replaceAll("_", " ");
    }).flatMap((part, i) => i ? [html`<br>`, part] : [part]);
  }
  function drawChanges() {
    at("changecount").textContent = count ? `${count} made so far` : "none";
    put(at("changes"), changes.length ? [...changes].reverse().map((one) => html`<li><span class="n">${one.list && `list ${one.list}, `}${one.generation}</span><span>${wordsOf(one.says)} <small>${one.games.toLocaleString("en")} games</small></span><b>+${plusMinus(one.gain, one.sem)}</b></li>`)
      : html`<li class="small">This run has no local search, or none has accepted a change yet.</li>`);
  }
  function drawBest(best) {
    if (!best) { at("bestnote").textContent = "no generation yet"; return; }
    const { marks } = entries.marksBetween(best.rules, best.before);
    at("bestnote").textContent = `${best.list ? `list ${best.list}, ` : ""}generation ${best.generation}${best.since === best.generation ? "" : `, marks since ${best.since}`}`;
    put(at("bestlist"), best.rules.map((text, i) => html`<li><span>${sentenceOf(text)}</span>${marks[i][1] && html`<span class="mark">${marks[i][0]}</span>`}</li>`));
    at("bestmore").textContent = best.conventions.length ? `${best.conventions.length} conventions: ${best.conventions.map(entries.shortName).join(", ")}.` : "";
  }

  async function look() {
    clearTimeout(timer);
    try {
      const started = await (await fetch("/runs/started")).json();
      at("stop").hidden = !started.running;
      if (started.error) fail(new Error(started.error));
      if (run) {
        const data = await (await fetch(`/runs/${encodeURIComponent(run)}/changes?after=${count}`)).json(), row = await (await fetch(`/runs/${encodeURIComponent(run)}/curve`)).json();
        changes = [...changes, ...data.changes].slice(-400);
        count = data.count;
        drawChanges();
        drawBest(data.best);
        at("stop").hidden = !(started.running && row.state === "running");
        at("resume").hidden = row.state !== "stopped" || started.running;
        at("bench").hidden = !row.agent || row.state !== "done";
      } else at("command").textContent = started.command ? `${started.running ? "Running" : "Was started"}: ${started.command}` : "";
      timer = setTimeout(look, started.running ? 2000 : 10_000);
    } catch { timer = setTimeout(look, 5000); }
  }

  at("stop").addEventListener("click", act("/runs/started/stop"));
  at("resume")?.addEventListener("click", act(`/runs/${encodeURIComponent(run)}/resume`));
  at("start")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    at("problem").textContent = "";
    const fields = new FormData(event.target), seed = fields.get("seed").trim();
    try {
      const { line } = await post("/runs", { preset: fields.get("preset"), start: fields.get("start"), players: fields.getAll("players").map(Number), settings: fields.get("settings").split("\n").map((one) => one.trim()).filter(Boolean), ...(seed && { seed: Number(seed) }) });
      at("command").textContent = `Running: ${line}`;
      look();
    } catch (error) { fail(error); }
  });
  look();
})();
