// The page of an agent: share of moves and worth of each rule, measured while one reads; and its score where nobody measured it.
"use strict";
(async () => {
  const { html, put, plusMinus } = hanabi, name = document.querySelector("main").dataset.agent, wrong = document.getElementById("wrong");
  const post = async (path, body) => {
    const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }), data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    return data;
  };
  async function follow(path, body, tell) {
    const { job } = await post(path, body);
    let state = { version: -1 };
    while (!state.ended) {
      state = await (await fetch(`/build/jobs/${job}?version=${state.version}`)).json();
      if (state.error) throw new Error(state.error);
      tell(state);
    }
  }
  const players = document.getElementById("medianplayers"), board = document.querySelector("#median hanabi-board"), show = document.getElementById("showmedian");
  async function median() {
    document.getElementById("playing").textContent = "Playing …";
    try {
      const answer = await fetch(`/agents/${encodeURIComponent(name)}/median?players=${players.value}`), data = await answer.json();
      if (!answer.ok) throw new Error(data.error);
      board.hidden = false;
      board.games = data;
      document.getElementById("playing").textContent = `${data[0].title}.`;
    } catch (error) { wrong.textContent = error.message; }
  }
  players.addEventListener("change", () => { if (!show || board.games) median(); });
  show?.addEventListener("click", async () => { show.textContent = "playing …"; await median(); show.remove(); });
  if (!show) median();
  const page = Math.random().toString(36).slice(2);
  document.getElementById("measure")?.addEventListener("click", async (event) => {
    event.currentTarget.textContent = "measuring …";
    try { await post(`/agents/${encodeURIComponent(name)}/measure`, {}); location.reload(); } catch (error) { wrong.textContent = error.message; }
  });
  const measured = document.querySelectorAll("[data-list]");
  if (!measured.length) return;
  try {
    const { lists } = await post("/build/read", { agent: name });
    for (const list of measured) {
      const key = list.dataset.list, players = Number(key.split("-")[0] === "2" && key.includes("-") ? 3 : key[0]), rows = [...list.children], note = document.querySelector(`[data-measured="${key}"]`);
      const tell = (row, share, worth) => {
        row.querySelector("small")?.remove();
        const small = document.createElement("small");
        put(small, html`${share !== undefined && html`<b>${(100 * share).toFixed(1)} %</b> of moves`}${worth && (Math.abs(worth[0]) <= 2 * worth[1] || !worth[1] ? `${share === undefined ? "" : " · "}worth not told from 0` : html`${share !== undefined && " · "}worth <b>${plusMinus(...worth)}</b>`)}`);
        row.append(small);
      };
      let shares = [], worths = [], meanings = [];
      const hints = [...document.querySelectorAll(`[data-meanings="${key}"] li`)];
      const draw = () => { rows.forEach((row, i) => tell(row, shares[i], worths[i])); hints.forEach((row, i) => meanings[i] && tell(row, undefined, meanings[i])); };
      await follow("/build/score", { page, list: lists[key], players, games: 2000 }, (state) => { if (state.shares) { ({ shares } = state); draw(); } });
      await follow("/build/worth", { page, list: lists[key], players, games: 1000 }, (state) => { if (state.rules) { worths = state.rules; meanings = state.conventions ?? []; draw(); } });
      note.textContent = `measured with ${players} players: 2,000 deals, worth by 1,000`;
    }
  } catch (error) { wrong.textContent = error.message; }
})();
