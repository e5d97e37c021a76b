// The form of a tournament: begins it, shows how far it is, and its result.
"use strict";
(() => {
  const { html, put, lasting } = hanabi, at = (id) => document.getElementById(id), form = at("play");
  const post = (path, body) => fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  let told = "";                              // the order whose cost was told
  const forget = () => { told = ""; at("cost").textContent = ""; at("begin").textContent = "Play"; };
  let timer = 0, watched = false;             // watched: it is played while this page is open

  function draw(state) {
    at("playing").hidden = !state.running;
    at("stop").hidden = !state.running;
    at("done").value = state.done;
    at("how").textContent = state.running ? `${Math.round(100 * state.done)} % played${state.left === null ? "" : `, ${state.mode === "compare" ? "at most" : "about"} ${lasting(state.left)} left`}` : "";
    at("command").textContent = state.command;
    at("wrong").textContent = state.error;
    put(at("result"), state.text && html`<pre>${state.text}</pre>`);
    if (watched && !state.running && state.kept) location.assign(`/tournament/${state.kept}`);
    watched ||= state.running;
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
    const fields = new FormData(form), body = { agents: fields.getAll("agent"), mode: fields.get("mode"), games: Number(fields.get("games")), seed: Number(fields.get("seed")), title: fields.get("title") };
    const thinks = form.querySelector("[data-slow]:checked"), text = JSON.stringify({ ...body, title: "" });
    at("wrong").textContent = "";
    if (thinks && told !== text && body.agents.length) {
      at("cost").textContent = "Timing a game of each agent that thinks ahead …";
      const answer = await post("/tournament/cost", body), data = await answer.json();
      if (!answer.ok) { at("cost").textContent = ""; at("wrong").textContent = data.error; return; }
      told = text;
      const each = data.each.map(([name, seconds]) => `${name} ${seconds < 10 ? seconds.toFixed(2) : Math.round(seconds)} s`).join(", ");
      at("cost").textContent = `A game takes here: ${each}. All games: about ${lasting(data.seconds)} on one core. Press again to begin, or ask for fewer games.`;
      at("begin").textContent = `Play, about ${lasting(data.seconds)}`;
      return;
    }
    forget();
    const answer = await post("/tournament", body);
    if (!answer.ok) { at("wrong").textContent = (await answer.json()).error; return; }
    watched = true;
    look();
  });
  form.addEventListener("change", forget);
  at("stop").addEventListener("click", () => post("/tournament/stop", {}));
  look();
})();
