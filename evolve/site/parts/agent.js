// The page of an agent: the entries that decide most moves, a game, share and worth of each rule of a list that is opened; and
// its score, measured when asked for where no data has it.
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
  const at = (id) => document.getElementById(id), players = at("medianplayers"), board = document.querySelector("#median hanabi-board"), show = at("showmedian");
  async function median() {
    at("playing").textContent = "Playing …";
    try {
      const answer = await fetch(`/agents/${encodeURIComponent(name)}/median?players=${players.value}`), data = await answer.json();
      if (!answer.ok) throw new Error(data.error);
      board.hidden = false;
      board.games = data;
      at("playing").textContent = `${data[0].title}.`;
    } catch (error) { wrong.textContent = error.message; }
  }
  show?.addEventListener("click", async () => { show.textContent = "playing …"; await median(); show.remove(); });
  const page = Math.random().toString(36).slice(2);
  document.getElementById("measure")?.addEventListener("click", async (event) => {
    event.currentTarget.textContent = "measuring …";
    try { await post(`/agents/${encodeURIComponent(name)}/measure`, {}); location.reload(); } catch (error) { wrong.textContent = error.message; }
  });
  const folded = [...document.querySelectorAll("[data-key]")], rulesOf = (box) => box.querySelector("[data-list]");
  const covers = (box, count) => box.dataset.key[0] <= count && count <= box.dataset.key.at(-1);
  let lists = null;
  const shares = new Map();                      // promises of shares, by list and player count
  async function listOf(box) {
    lists ??= post("/build/read", { agent: name }).then((found) => found.lists);
    return (await lists)[box.dataset.key];
  }
  // the share of the moves that each rule decides, the last one that of no rule
  function measureShares(box, count) {
    const key = `${box.dataset.key}/${count}`;
    if (!shares.has(key)) shares.set(key, (async () => {
      let found = [];
      await follow("/build/score", { page, list: await listOf(box), players: count, games: 2000 }, (state) => { if (state.shares) found = state.shares; });
      return found;
    })());
    return shares.get(key);
  }
  const MOST = 5, ENOUGH = 0.95, percent = (share) => `${(100 * share).toFixed(1)} %`;
  // the few entries that decide nearly all moves, as a bar and in sentences
  async function portrait() {
    const count = Number(players.value), box = folded.find((one) => covers(one, count));
    if (!box || !rulesOf(box)) return;
    const found = await measureShares(box, count), says = [...rulesOf(box).querySelectorAll("li > span:first-child")].map((one) => one.textContent);
    if (count !== Number(players.value) || !found.length) return;
    says.push(`Otherwise ${box.querySelector(".otherwise").textContent}`);
    const order = found.map((_, i) => i).sort((one, other) => found[other] - found[one]);
    const main = [];
    let sum = 0;
    for (const i of order) if (main.length < MOST && sum < ENOUGH && found[i] > 0) { main.push(i); sum += found[i]; }
    const number = (i) => i < says.length - 1 ? i + 1 : "–";
    at("sharebar").hidden = false;
    at("sharebar").setAttribute("aria-label", `Shares of the moves: ${main.map((i) => `rule ${number(i)} ${percent(found[i])}`).join(", ")}, all others ${percent(1 - sum)}`);
    put(at("sharebar"), found.map((share, i) => share > 0 && html`<i class="${main.includes(i) ? "main" : ""}" style="flex-grow:${share}">${main.includes(i) && share > 0.04 && number(i)}</i>`));
    at("shareline").textContent = `${main.length} of ${says.length - 1} rules make ${percent(sum)} of the moves with ${count} players.`;
    put(at("five"), main.map((i) => html`<li data-n="${number(i)}"><span>${says[i]}</span><span class="share"><b>${percent(found[i])}</b><span class="bar1" aria-hidden="true"><i style="width:${100 * found[i] / found[main[0]]}%"></i></span></span></li>`));
  }
  // all sentences of a list with share and worth, once it is opened
  async function measureList(box) {
    const list = rulesOf(box), rows = [...list.children], hints = [...box.querySelectorAll("[data-meanings] li")], count = covers(box, Number(players.value)) ? Number(players.value) : covers(box, 3) ? 3 : Number(box.dataset.key[0]);
    const tell = (row, share, worth) => {
      row.querySelector("small")?.remove();
      const small = document.createElement("small");
      put(small, html`${share !== undefined && html`<b>${percent(share)}</b> of moves`}${worth && (Math.abs(worth[0]) <= 2 * worth[1] || !worth[1] ? `${share === undefined ? "" : " · "}worth not told from 0` : html`${share !== undefined && " · "}worth <b>${plusMinus(...worth)}</b>`)}`);
      row.append(small);
    };
    const found = await measureShares(box, count);
    rows.forEach((row, i) => tell(row, found[i]));
    await follow("/build/worth", { page, list: await listOf(box), players: count, games: 1000 }, (state) => {
      rows.forEach((row, i) => tell(row, found[i], state.rules?.[i]));
      hints.forEach((row, i) => state.conventions?.[i] && tell(row, undefined, state.conventions[i]));
    });
    box.querySelector("[data-measured]").textContent = `Measured with ${count} players: 2,000 deals, worth by 1,000.`;
  }
  const fail = (error) => { wrong.textContent = error.message; };
  for (const box of folded.filter(rulesOf)) box.addEventListener("toggle", () => { if (box.open && !box.dataset.asked) { box.dataset.asked = "1"; measureList(box).catch(fail); } });
  const draw = () => { portrait().catch(fail); if (!show || board.games.length) median(); };
  players.addEventListener("change", draw);
  draw();
})();
