// The page where runs are started, stopped and resumed: its form, and the look at everything that moves.
"use strict";
(async () => {
  const { runTable, liveRun, counted, entries } = hanabi, at = (id) => document.getElementById(id), named = at("runs").dataset.run, form = at("start");
  const GONE = "The site answers no more; nothing was done.";
  const post = async (path, body) => {
    let answer;
    try { answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }); } catch { throw new Error(GONE); }
    const data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    return data;
  };
  const fail = (error) => { at("problem").textContent = error.message; };
  let timer = 0, heard = 0, shown = "", current = named, failed = "", tableAt = -Infinity, phase = "";

  // one run at a time: the button says so
  function busy(words) {
    const button = form.querySelector("button.do");
    button.disabled = Boolean(words);
    button.textContent = words || "Start";
  }
  // the run that is shown: one of this site while it goes on, and as long as it is the one that is shown; else one that goes on, else the newest
  function chosen(rows, started) {
    const own = rows.find((row) => row.name === started.run);
    if (started.running || own && own.name === current) return own;
    return rows.find((row) => row.state === "running") ?? rows.find((row) => row.state !== "broken" && !row.name.endsWith("(reference)"));
  }

  async function look() {
    clearTimeout(timer);
    let wait = 2000;
    try {
      const started = await (await fetch("/runs/started")).json();
      if (started.error && started.error !== failed) fail(new Error(failed = started.error));
      busy(started.running && `${started.phase[0].toUpperCase()}${started.phase.slice(1)} …`);
      let rows = [];
      if (!named || performance.now() - tableAt > 10_000) {
        const text = await (await fetch("/runs/state")).text();
        rows = JSON.parse(text);
        tableAt = performance.now();
        if (text !== shown) { shown = text; runTable.draw(rows); }
      }
      if (!named) {
        current = chosen(rows, started)?.name ?? "";
        if (!current) at("lead").textContent = started.running ? `${started.run}: ${started.phase}; rules that are new to this machine are compiled first.` : rows.length ? `${counted(rows.length, "run")}, none running.` : "No run yet.";
        if (started.command) at("command").textContent = `${started.running ? "Running" : "Was started"}: ${started.command}`;
      }
      if (current) {
        const row = await liveRun.look(current, started, !named);
        wait = row.writing !== null ? 500 : row.state === "running" || started.running ? 2000 : 10_000;
      } else {
        liveRun.clear();
        at("stop").hidden = !started.running;
        at("stop").disabled = started.phase === "stopping";
        wait = started.running ? 1000 : 10_000;
      }
      heard = performance.now();
    } catch { at("lead").textContent = `Not heard from for ${Math.round((performance.now() - heard) / 1000)} s; trying again.`; }
    timer = setTimeout(look, wait);
  }
  // look again as soon as the run that was started here does something else
  async function watch() {
    for (;;) {
      const answer = await fetch(`/runs/started?phase=${encodeURIComponent(phase)}`).catch(() => null), started = answer?.ok && await answer.json().catch(() => null);
      if (started && started.phase !== phase) { phase = started.phase; look(); }
      await new Promise((done) => { setTimeout(done, started ? 50 : 2000); });
    }
  }

  // what a preset says shows where nothing is typed
  function fill() {
    const values = JSON.parse(form.dataset.values)[form.elements.preset.value], players = values.players.split(", "), rules = values.rules.split(", ").flatMap((one) => one.split("+"));
    for (const box of form.querySelectorAll("[name=players]")) box.checked = players.includes(box.value);
    for (const box of form.querySelectorAll("[name=rules]")) box.checked = rules.includes(box.value);
    for (const input of form.querySelectorAll("[name^='set:']")) input.placeholder = values[input.name.slice(4)] || "none";
    form.elements.seed.placeholder = values.seed;
    form.dataset.rules = rules.filter((one) => form.querySelector(`[name=rules][value="${CSS.escape(one)}"]`)).join();
  }
  function orderOf(fields) {
    const seed = fields.get("seed").trim(), minutes = fields.get("minutes").trim(), rules = fields.getAll("rules");
    const settings = [...fields].filter(([key, value]) => key.startsWith("set:") && value.trim()).map(([key, value]) => `${key.slice(4)}=${value.trim()}`);
    return { preset: fields.get("preset"), start: fields.get("start"), players: fields.getAll("players").map(Number), settings,
      ...(rules.join() !== form.dataset.rules && { rules }), ...(seed && { seed: Number(seed) }), ...(minutes && { minutes: Number(minutes) }) };
  }
  const act = (path) => async () => { at("problem").textContent = ""; try { const { line } = await post(path(), {}); at("lead").textContent = line; look(); } catch (error) { fail(error); } };

  try {
    const [library, papers] = await Promise.all(["", "?papers=1"].map(async (query) => (await fetch(`/build/library${query}`)).json()));
    entries.setLibrary(library);
    entries.addFamilies(papers.groups);
  } catch { fail(new Error("The site answers no more.")); return; }
  form.elements.preset.addEventListener("change", fill);
  fill();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    at("problem").textContent = "";
    busy("Starting …");
    try {
      const { line, run } = await post("/runs", orderOf(new FormData(form)));
      at("command").textContent = `Running: ${line}`;
      at("lead").textContent = `${run} begins: rules that are new to this machine are compiled first.`;
      failed = "";
      if (named) location.assign("/evolve"); else { current = ""; look(); }
    } catch (error) { busy(""); fail(error); }
  });
  at("stop").addEventListener("click", act(() => "/runs/started/stop"));
  at("resume").addEventListener("click", act(() => `/runs/${encodeURIComponent(current)}/resume`));
  at("copy").addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(at("copy").dataset.command); at("copy").textContent = "Copied"; } catch { at("command").textContent = at("copy").dataset.command; }
  });
  at("write").addEventListener("click", async () => {
    if (at("write").getAttribute("aria-disabled") === "true") return;
    at("write").setAttribute("aria-disabled", true);
    at("problem").textContent = "";
    try { await post(`/runs/${encodeURIComponent(current)}/report`, {}); } catch (error) { fail(error); at("write").setAttribute("aria-disabled", false); }
    look();
  });
  look();
  watch();
})();
