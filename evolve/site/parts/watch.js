// The page of spectators: asks for news and shows them; once the game is over, the whole game in the viewer. It sends nothing.
"use strict";
(() => {
  const { html, put } = hanabi, at = (id) => document.getElementById(id), base = location.pathname;
  const table = at("table"), board = document.querySelector("hanabi-board"), replay = hanabi.replayer(board, () => true);
  const SEEN = { "all hands": "Spectators see all hands.", "hands of agents": "Spectators see the hands of agents, and no card that a person holds." };
  let game = null, version = 0, begun = 0;

  function moves() {
    const { line, turn: now } = game.turns[replay.running ? board.state.turn : game.turns.length - 1], made = game.turns.filter(({ turn, move }) => move && turn <= now).reverse();
    at("line").textContent = game.end ? `The game is over: ${game.result}` : line;
    at("moved").textContent = made.length ? `${made.length} made` : "";
    put(at("moves"), made.length ? made.map(({ turn, move }) => html`<li><span class="n">${turn}</span><span>${move.words}.</span>${
      (move.means ?? []).map((line) => html`<p class="mean">${line}</p>`)}</li>`) : html`<li class="small">No move yet.</li>`);
  }

  function take(news) {
    const known = game?.turns ?? [], again = !game || news.begun !== begun;
    ({ version, begun } = news);
    game = { ...news.game, turns: [...known.slice(0, news.first), ...news.game.turns] };
    table.dataset.level = news.watching === "all hands" ? 3 : 2;
    at("seen").textContent = SEEN[news.watching] ?? "";
    if (again) { board.games = [game]; board.show({ view: -1, turn: -1 }); }
    else {
      board.update(game);
      if (game.turns.length > known.length) replay.from(known.length - 1);
    }
    moves();
  }

  async function whole() {
    const [found] = await (await fetch(`${base}/data`)).json();
    board.removeAttribute("table");
    table.classList.add("over");
    table.dataset.level = 4;
    board.games = [found];
    game = found;
    at("seen").textContent = "All cards and reasons are shown. Keep this link: it stays.";
    moves();
  }

  async function follow() {
    for (let missed = 0; ;) {
      try {
        const answer = await fetch(`${base}/state?version=${version}&begun=${begun}&turns=${game?.turns.length ?? 0}`);
        if (answer.status === 404) { at("line").textContent = (await answer.json()).error; return; }
        if (!answer.ok) throw new Error();
        const news = await answer.json();
        if (missed) at("wrong").textContent = "";
        missed = 0;
        if (news.over) { await whole(); return; }
        take(news);
      } catch {
        missed += 1;
        at("wrong").textContent = "The table answers no more; trying again.";
        await new Promise((done) => setTimeout(done, Math.min(5000, 500 * missed)));
      }
    }
  }
  board.addEventListener("turn", () => { if (game) moves(); });
  follow();
})();
