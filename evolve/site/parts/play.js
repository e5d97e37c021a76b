// The table where one plays: asks for news, shows them on the board, and sends what is chosen by clicks or keys.
// Nothing is done by one press: a slot or a hint lights up first, and a button (or Enter) does it.
"use strict";
(() => {
  const { html, put, renew, shape, WORDS, letterOf, rankOf, ordered, numberOf } = hanabi, at = (id) => document.getElementById(id);
  const table = at("table"), board = document.querySelector("hanabi-board"), base = location.pathname, link = hanabi.link ?? hanabi.siteLink(base), COLOUR_KEYS = "qwerty";
  // card: the card of a partner that was pressed, {seat, slot}
  const state = { version: 0, begun: 0, game: null, mode: "", slot: -1, to: -1, told: null, card: null, busy: false, why: kept(), advised: "", said: "" };
  const KEYS = [["a + · d - then slot then Enter", "play, discard"], ["; then 1–5 · q–y then Enter", "next player to tell, a rank, a colour"],
    ["Esc", "back"], ["z · h", "take back, more help"]];
  let data = null, taking = false, thinkingSince = 0, lastStatus = null, noted = null;      // noted: the card whose note is written, {seat, born}
  const settings = hanabi.tableSettings((name) => at(`set-${name}`), at("timer"));
  const replay = hanabi.replayer(board, () => settings.motion), preview = hanabi.previewer(board, at("meaning"));
  const watching = hanabi.tableWatching(at("watching"), at("watch-link"), at("watched"), (what) => attempt("watching", { what }));

  // answers to "Why?" by turn, each with the move that it explains; kept in this browser, so that they survive a reload
  function kept() { try { return JSON.parse(localStorage.getItem(`why ${base}`)) ?? {}; } catch { return {}; } }
  function keep() { try { localStorage.setItem(`why ${base}`, JSON.stringify(state.why)); } catch { /* not kept: they are asked again */ } }
  const because = (n, move) => state.why[n]?.words === move.words && state.why[n].line;

  const turn = () => state.game.turns.at(-1);
  const shown = () => replay.running ? state.game.turns[board.state.turn] : turn();     // while moves are shown one by one, all follows them
  const mine = () => !data.over && data.to_move === data.seat && !replay.running;
  const others = () => state.game.names.map((_, seat) => (data.seat + seat) % state.game.players).filter((seat) => seat !== data.seat);

  const tell = (text) => { at("wrong").textContent = text; };
  async function attempt(act, body) {
    tell("");
    return (await asked(act, body))?.line ?? null;
  }
  // like attempt, for questions: the whole answer, or null
  async function asked(act, body) {
    try { return await link.post(act, body); } catch (error) { tell(error instanceof TypeError ? lost() : error.message); return null; }
  }
  const lost = () => `The table answers no more. Your game is safe to turn ${state.game ? turn().turn : 0}; trying again.`;

  // ---- news
  async function follow() {
    setTimeout(() => { if (!data) at("line").textContent = "Laying the table: what it needs is compiled, once on this machine."; }, 1000);
    for (let missed = 0; ;) {
      try {
        const news = await link.news({ version: state.version, begun: state.begun, turns: state.game?.turns.length ?? 0 });
        if (missed) tell("");
        missed = 0;
        take(news);
      } catch (error) {
        if (error.gone) { at("line").textContent = error.message; return; }
        missed += 1;
        tell(lost());
        await new Promise((done) => setTimeout(done, Math.min(5000, 500 * missed)));
      }
    }
  }

  function take(news) {
    const before = data, known = state.game?.turns ?? [], again = !before || news.begun !== state.begun || news.over;
    data = news;
    taking = true;
    state.game = { ...news.game, turns: [...known.slice(0, news.first), ...news.game.turns] };
    const said = JSON.stringify(state.game);
    state.version = news.version;
    state.begun = news.begun;
    board.toggleAttribute("table", !news.over);
    board.toggleAttribute("still", replay.isStill());
    if (before && news.laid !== before.laid) state.why = {};
    if (!before || before.over !== news.over || before.laid !== news.laid) { board.games = [state.game]; board.show({ view: news.over ? -1 : news.seat, turn: -1 }); }
    else if (said !== state.said) board.update(state.game);      // else somebody only began to think
    state.said = said;
    board.notes = news.card_notes;
    if (!again && state.game.turns.length > known.length) replay.from(known.length - (known.at(-1).me === news.seat ? 0 : 1));
    thinkingSince = news.thinking ? performance.now() - 1000 * news.thinking.seconds : 0;
    if (!before) { at("note").value = news.note; at("name").value = state.game.agents[news.seat] === "person" ? "" : state.game.agents[news.seat]; }
    at("help").selectedIndex = news.level;
    if (before && before.game.turns.at(-1).turn !== news.game.turns.at(-1).turn) clear();
    taking = false;
    draw();
    advise();
  }

  // what an agent would do here, once for each turn, and again when another agent is asked
  async function advise() {
    const spec = at("adviser").value, key = `${turn().turn} ${spec} ${state.begun}`;
    at("adviser-pick").hidden = data.level < 4;
    if (data.level < 4 || !mine()) { put(at("advice"), ""); state.advised = ""; return; }
    if (state.advised === key) return;
    state.advised = key;
    const line = await attempt("advice", { agent: spec });
    if (state.advised === key) at("advice").textContent = line ?? "";
  }

  // ---- what one sees beside the board
  function draw() {
    const { game } = state, status = { mine: mine(), lives: shown().lives };
    settings.news(status, lastStatus);
    lastStatus = status;
    at("line").textContent = data.over ? `The game is over: ${game.result}` : !replay.running && data.problem || shown().line;
    table.classList.toggle("over", data.over);
    table.classList.toggle("replaying", replay.running);
    table.dataset.level = data.over ? 4 : data.level;
    table.dataset.mode = mine() ? state.mode : "";
    for (const button of document.querySelectorAll("[data-mode]")) if (button !== table) {
      button.setAttribute("aria-pressed", state.mode === button.dataset.mode);
      button.setAttribute("aria-disabled", !mine());
    }
    at("back").setAttribute("aria-disabled", !data.can_take_back);
    renew(at("choices"), mine() ? choices() : "");
    board.below = hints;
    const words = chosen()?.words, move = mine() && data.level > 0 ? chosen()?.move : "";
    preview.choose(move ? `${turn().turn} ${move} ${data.level} ${state.begun}` : "", async () => {
      const answer = await asked("preview", { move, turn: turn().turn });
      if (answer?.fault) tell(answer.fault);
      else if (state.mode === "tell" && answer?.meaning.length) answer.meaning.push(`It costs a hint token: ${turn().tokens - 1} of ${state.game.tokens} stay.`);
      return answer;
    });
    note();
    at("sure").hidden = !mine() || !state.mode;
    at("do").hidden = !words;
    put(at("do"), words ? html`${words} <kbd>Enter</kbd>` : "");
    moves();
    beside();
    after();
    watching(data);
    clock();
  }

  // below the board: the agents' moves since this seat moved, or the move that is looked at; and why they were made
  function beside() {
    const { turns, players } = state.game, now = board.state.turn, last = turns.length - 1;
    const since = turns.findLastIndex(({ me, move }) => move && me === data.seat) + 1;
    const shown = (now < last ? [turns[now]] : turns.slice(since, last)).filter(({ turn: n, move }) => move && !data.people.includes(n % players));
    renew(board.querySelector("[data-part=beside]"), data.over ? "" : shown.map(({ turn: n, move }) => html`<p><span>${move.words}.</span> ${because(n, move)
      ? html`<span class="because">${because(n, move)}</span>` : html`<button type="button" data-key="near-why-${n}" data-why="${n}" aria-label="Why was move ${n} made?">Why?</button>`}</p>`));
  }

  // the note on the card that was pressed last
  function note() {
    const slot = noted ? turn().hands[noted.seat].findIndex((card) => card?.born === noted.born) : -1;
    at("card-note").hidden = slot < 0;
    if (slot < 0) return;
    at("noted").textContent = `Note on ${noted.seat === data.seat ? "your" : `${state.game.names[noted.seat]}’s`} slot ${numberOf(turn().hands[noted.seat], slot)}`;
    if (document.activeElement !== at("cardnote")) at("cardnote").value = data.card_notes[noted.born] ?? "";
  }

  // at the end: the seed, and what comes next
  function after() {
    at("after").hidden = !data.over;
    if (!data.over) return;
    const { seed, inside, game_page: page, game_link: shared } = data;
    at("seed").textContent = seed === null ? "" : `Seed ${seed}.`;
    at("next").textContent = seed === null ? "" : `Next seed, ${seed + 1}`;
    at("next").hidden = seed === null || !inside;
    for (const button of document.querySelectorAll("[data-again=new], [data-again=same]")) button.hidden = !inside;
    at("review").href = inside ? `${page}/review` : `${base}/review`;
    at("shared").href = shared;
    at("review").hidden = at("shared").hidden = !shared;
    if (page && state.ended !== data.begun) { state.ended = data.begun; end(); }
  }
  // what agents make of the deal, and by which book one seems to play: the first time this takes some seconds
  async function end() {
    at("par").textContent = "What others make of this deal: a moment …";
    at("par").textContent = await attempt("end") ?? "";
  }
  async function again(deal) {
    tell("");
    const laid = await asked("again", { deal });
    if (!laid) return;
    const links = Object.entries(laid.links);
    if (links.length === 1) location.assign(links[0][1]);
    else put(at("links"), links.map(([seat, link]) => html`<li>${state.game.names[seat]}: <a href="${link}">${location.origin}${link}</a></li>`));
  }

  function choices() {
    const { mode } = state;
    return (mode === "play" || mode === "discard") && html`<div class="row" role="group" aria-label="Slot">${ordered(turn().hands[data.seat]).map(({ slot, number }) =>
      html`<button type="button" data-pick="${number}" data-key="pick-${slot}" aria-pressed="${String(slot === state.slot)}">slot ${number}</button>`)}</div>`;
  }

  // below the hand of a partner: the hints that touch it; where one of its cards was pressed, those that touch that card
  function hints(seat) {
    const { game, mode, card } = state;
    if (!mine() || mode !== "tell" || seat === data.seat || board.state.turn < game.turns.length - 1) return "";
    const only = card?.seat === seat && turn().hands[seat][card.slot].card, keys = [...game.colours, ..."12345".slice(0, game.ranks)];
    const offered = keys.filter((key) => only === false ? reached(seat, key).length : isOf(only, key));
    return html`<div class="below row" role="group" aria-label="Tell ${game.names[seat]}">${offered.map((key) => html`<button type="button" data-to="${seat}" data-told="${key}" data-key="told-${seat}-${key}"
      aria-pressed="${String(state.to === seat && state.told === key)}">${WORDS[key] ? html`${shape(key)} <span>${WORDS[key]}</span> <kbd aria-hidden="true">${COLOUR_KEYS[game.colours.indexOf(key)]}</kbd>` : `${key}s`}</button>`)}</div>`;
  }

  // is a card of this colour or rank, and in which slots does a hand hold one
  const isOf = (card, key) => WORDS[key] ? letterOf(card) === key : rankOf(card) === Number(key);
  const reached = (seat, key) => turn().hands[seat].flatMap((card, slot) => card && isOf(card.card, key) ? [slot] : []);

  // {move, words}: what Enter would do, if all is chosen
  function chosen() {
    const { mode, slot, to, told, game } = state;
    if ((mode === "play" || mode === "discard") && slot >= 0) return { move: `${mode} ${slot}`, words: `${mode === "play" ? "Play" : "Discard"} slot ${numberOf(turn().hands[data.seat], slot)}` };
    if (mode === "tell" && to >= 0 && told) return { move: `tell ${game.names[to]} ${told}`, words: `Tell ${game.names[to]} ${WORDS[told] ?? `${told}s`}` };
    return null;
  }

  function touched() {
    if (!mine()) return [];
    if (state.mode === "tell" && state.told) return reached(state.to, state.told).map((slot) => [state.to, slot]);
    if (state.mode === "tell") return state.card ? [[state.card.seat, state.card.slot]] : [];
    return state.slot >= 0 && state.mode ? [[data.seat, state.slot]] : [];
  }

  function light() {
    const lit = touched().map(([seat, slot]) => `card-${seat}-${slot}`);
    board.querySelectorAll(".hand").forEach((hand, seat) => hand.classList.toggle("mine", seat === data.seat && mine()));
    for (const card of board.querySelectorAll(".card")) card.classList.toggle("lit", lit.includes(card.dataset.key));
  }

  function moves() {
    const { game } = state, now = shown().turn, made = game.turns.filter(({ turn: n, move }) => move && n <= now).reverse();
    at("moved").textContent = made.length ? `${made.length} made` : "";
    renew(at("moves"), made.length ? made.map(({ turn: n, me, move }) => html`<li><span class="n">${n}</span><button type="button" class="go" data-key="go-${n}" data-go="${n}">${move.words}.</button>${
      data.people.includes(n % game.players) ? html`<span></span>` : html`<button type="button" data-key="why-${n}" data-why="${n}" aria-label="Why was move ${n} made?">Why?</button>`}${
      (move.means ?? []).map((line) => html`<p class="mean">${line}</p>`)}${because(n, move) && html`<p class="because">${because(n, move)}</p>`}</li>`) : html`<li class="small">No move yet.</li>`);
  }

  function clock() {
    if (!thinkingSince || !data.thinking || replay.running) return;
    const { names, agents } = state.game, seat = data.thinking.seat;
    const does = data.thinking.compiles ? "gets ready: its rules are compiled, once on this machine" : "is thinking";
    at("line").textContent = `${names[seat]} (${agents[seat]}) ${does}, ${((performance.now() - thinkingSince) / 1000).toFixed(1)} s`;
  }
  setInterval(clock, 200);

  // ---- choosing
  function clear() { Object.assign(state, { mode: "", slot: -1, told: null, to: -1, card: null }); }
  const slotOf = (number) => ordered(turn().hands[data.seat]).find((one) => one.number === Number(number))?.slot ?? -1;
  function choose(changes) {
    if (!data || !mine()) { if (data && !data.over) tell(`It is ${state.game.names[data.to_move]}'s turn, not yours.`); return; }
    tell("");
    Object.assign(state, { card: null }, changes);
    if (state.mode === "tell" && state.to < 0) state.to = others()[0];
    const { mode, to, told, game } = state;
    if (mode === "tell" && told && !reached(to, told).length) {
      tell(`No card of ${game.names[to]}’s is ${WORDS[told] ?? `a ${told}`}, and a hint must touch a card.`);
      state.told = null;
    }
    board.show({ turn: -1 });
    draw();
  }
  const mode = (name) => choose(name === "tell" ? { mode: name, slot: -1 } : { mode: name, told: null });
  async function make() {
    const move = data && mine() && chosen();
    if (!move || state.busy) return;
    state.busy = true;
    if (await preview.unread()) { state.busy = false; return; }          // its warning has just appeared: press once more
    const done = await attempt("move", { move: move.move, turn: turn().turn });
    state.busy = false;
    if (done !== null) { clear(); draw(); }
  }
  async function back() { if (await attempt("back") !== null) { clear(); draw(); } }
  const help = (level) => attempt("help", { level });

  // ---- clicks
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("button");
    if (!button || !data) return;
    const { mode: name, pick, to, told, go, why } = button.dataset;
    if (name) mode(name);
    else if (pick !== undefined) choose({ slot: slotOf(pick) });
    else if (told !== undefined) choose({ to: Number(to), told, card: state.card?.seat === Number(to) ? state.card : null });
    else if (go !== undefined) board.show({ turn: Number(go) - state.game.turns[0].turn });
    else if (why !== undefined) { const line = await attempt("why", { turn: Number(why) }); if (line !== null) explain(Number(why), line); }
    else if (button.dataset.again) again(button.dataset.again);
    else if (button.id === "do") make();
    else if (button.id === "undo") { clear(); draw(); }
    else if (button.id === "back") back();
  });
  board.addEventListener("card", ({ detail: { seat, slot } }) => {
    if (!data) return;
    noted = { seat, born: turn().hands[seat][slot]?.born };
    note();
    if (!mine()) return;
    if (seat === data.seat) choose({ mode: state.mode === "discard" ? "discard" : "play", slot, told: null });
    else choose({ mode: "tell", to: seat, slot: -1, told: null, card: state.card?.seat === seat && state.card.slot === slot ? null : { seat, slot } });
  });
  board.addEventListener("drawn", () => { if (data) light(); });
  board.addEventListener("turn", () => { if (data && !taking) { draw(); advise(); } });
  function explain(n, line) {
    const made = state.game.turns.find(({ turn }) => turn === n)?.move;
    if (!made) return;                       // it was taken back meanwhile
    state.why[n] = { words: made.words, line };
    keep();
    moves();
    beside();
  }
  at("help").addEventListener("change", (event) => { help(event.target.value); });
  at("adviser").addEventListener("change", advise);
  at("note").addEventListener("change", (event) => attempt("note", { note: event.target.value }));
  at("cardnote").addEventListener("change", (event) => attempt("card-note", { card: noted.born, note: event.target.value }));
  at("name").addEventListener("change", (event) => attempt("name", { name: event.target.value }));

  // ---- keys
  board.tableKeys = KEYS;
  put(at("keylist"), hanabi.keysHtml([["← → · [ ]", "look back, a turn or a round"], ["Home End", "the first turn, now"], ["Space, held", "eyes of the player to move"],
    ["v, held", "a partner’s eyes; a finger held on a hand does the same"],
    ...KEYS, ["?", "these keys"]]));
  at("usekeys").addEventListener("change", ({ target }) => { board.useKeys = target.checked; });
  board.addEventListener("usekeys", ({ detail }) => { at("usekeys").checked = detail.use; });
  document.addEventListener("keydown", (event) => {
    if (!data || data.over || !at("usekeys").checked || event.metaKey || event.altKey || event.target.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const { key } = event, slots = state.mode === "play" || state.mode === "discard", onButton = event.target.matches("button:not(.card)");
    if (event.ctrlKey && key !== "Enter") return;
    if (key === "Enter") { if (!chosen() || onButton && !event.ctrlKey && event.target.id !== "do" && event.target.getAttribute("aria-pressed") !== "true") return; make(); }
    else if (key === "a" || key === "+") mode("play");
    else if (key === "d" || key === "-") mode("discard");
    else if (key === ";") choose({ mode: "tell", slot: -1, to: state.mode === "tell" ? others()[(others().indexOf(state.to) + 1) % others().length] : state.to });
    else if (key === "Escape") { clear(); draw(); return; }     // it closes the menu, too
    else if (key === "z") back();
    else if (key === "h") { at("help").selectedIndex = (at("help").selectedIndex + 1) % 5; help(at("help").value); }
    else if (slots && /^[1-5]$/.test(key)) choose({ slot: slotOf(key) });
    else if (!slots && /^[1-5]$/.test(key)) choose({ mode: "tell", told: key });
    else if (COLOUR_KEYS.slice(0, state.game.colours.length).includes(key)) choose({ mode: "tell", slot: -1, told: state.game.colours[COLOUR_KEYS.indexOf(key)] });
    else return;
    event.preventDefault();
  });

  // on a narrow screen the sheet lies over the end of the page, which leaves room for it
  new ResizeObserver(() => { table.style.setProperty("--sheet", `${at("sheet").offsetHeight}px`); }).observe(at("sheet"));
  follow();
})();
