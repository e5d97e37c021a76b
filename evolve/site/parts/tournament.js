// The form of a tournament: begins it, shows how far it is, and its result.
"use strict";
(() => {
  const { html, put, sortable, lasting } = hanabi, at = (id) => document.getElementById(id), form = at("play");
  const post = (path, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  let timer = 0, shown = "";

  function draw(state) {
    const said = JSON.stringify([state.text, state.rows]), anew = said !== shown;
    shown = said;
    at("stop").hidden = at("done").hidden = !state.running;
    at("done").value = state.done;
    at("how").textContent = state.running ? `${Math.round(100 * state.done)} % played${state.left === null ? "" : `, ${state.mode === "compare" ? "at most" : "about"} ${lasting(state.left)} left`}` : "";
    at("command").textContent = state.command;
    at("command").hidden = !state.command;
    at("wrong").textContent = state.error;
    if (!anew) return;
    if (state.text) put(at("result"), html`<pre>${state.text}</pre>`);
    else if (state.rows.length) put(at("result"), html`<table><thead><tr>${state.columns.map((name, i) => html`<th class="${i === 0 && "t"}">${name}</th>`)}</tr></thead><tbody>${
      state.rows.map((row) => html`<tr>${row.map((cell, i) => html`<td class="${i === 0 && "t"}">${cell}</td>`)}</tr>`)}</tbody></table><p class="small">Points kept and zero, ± one standard error. <a href="/tournament/rows.csv">The rows as CSV</a></p>`);
    sortable(at("result"));
  }

  async function look() {
    clearTimeout(timer);
    try {
      const state = await (await fetch("/tournament/state")).json();
      draw(state);
      if (state.running) timer = setTimeout(look, 500);
    } catch { at("how").textContent = "not heard from; trying again"; timer = setTimeout(look, 2000); }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = new FormData(form), body = { agents: fields.getAll("agent"), mode: fields.get("mode"), games: Number(fields.get("games")), seed: Number(fields.get("seed")) };
    const answer = await post("/tournament", body);
    if (!answer.ok) { at("wrong").textContent = (await answer.json()).error; return; }
    put(at("result"), "");
    shown = "";
    look();
  });
  at("stop").addEventListener("click", () => post("/tournament/stop", {}));
  look();
})();
