// The costly moves of a person in a review, each asked before it is shown: what would you do? Any of them can be tried again.
"use strict";
(() => {
  const { html, put, counted } = hanabi, panel = document.getElementById("retry"), board = document.querySelector("hanabi-board");
  const game = board?.games[0], asked = (game?.mistakes ?? []).filter((one) => one.choices.length);
  if (!panel || !asked.length) return;
  const KEY = `review ${location.pathname} ${game.id}`, SHOWN = -1;       // SHOWN: not answered, only looked at
  let given = kept(), viewed = null;              // answers by turn; the view that was left to ask
  function kept() { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } }
  function keep() { try { localStorage.setItem(KEY, JSON.stringify(given)); } catch { /* not kept: the answers hold for this page */ } }

  const turnAt = () => game.turns[board.state.turn], isOpen = (one) => one.turn in given;
  const here = () => asked.find((one) => one.turn === turnAt().turn);
  const beside = (step) => step < 0 ? asked.findLast((one) => one.turn < turnAt().turn) : asked.find((one) => one.turn > turnAt().turn);
  const entryOf = ({ turn }) => document.querySelector(`.reviewed a[href="#turn=${turn}"]`)?.closest("li");

  // the lists and the board tell nothing of a move that is still to be answered
  function hide() {
    for (const one of asked) {
      entryOf(one)?.classList.toggle("unasked", !isOpen(one));
      document.querySelector(`td a[href="#turn=${one.turn}"]`)?.closest("tr").classList.toggle("unasked", !isOpen(one));
    }
    for (const line of document.querySelectorAll(".missed")) line.classList.toggle("unasked", !asked.every(isOpen));
    const closed = new Set(asked.filter((one) => !isOpen(one)).map((one) => one.turn));
    board.update({ ...game, turns: game.turns.map((turn) => closed.has(turn.turn) ? { ...turn, move: null, asked: turn.move } : turn) });
  }
  // a move is asked from its player's seat, where the own cards are hidden
  function look(one) {
    const ask = one && !isOpen(one);
    if (ask && viewed === null) { viewed = board.state.view === turnAt().me ? -1 : board.state.view; board.show({ view: turnAt().me }); }
    if (!ask && viewed !== null) { const view = viewed; viewed = null; board.show({ view }); }
  }

  const question = (one) => html`<p class="result">${game.names[turnAt().me]}, turn ${one.turn}: which move costs nothing?</p>
    <div class="candidates">${one.choices.map(({ words }, place) => html`<button type="button" data-choice="${place}">${words}</button>`)}</div>`;
  function answer(one) {
    const chosen = one.choices[given[one.turn]], best = one.choices.find(({ costs }) => costs === "0");
    const notes = (choice) => [choice === best && "best", choice.made && "played", choice === chosen && "your answer"].filter(Boolean).join(", ");
    return html`<p class="result" role="status">${chosen && html`<b class="${chosen.costly ? "no" : "yes"}">${chosen.costly ? "No." : "Right."}</b> `}Best: ${best.words}.</p>
      <ul class="candidates">${one.choices.map((choice) => html`<li class="${choice === best && "best"}"><span>${choice.words} <small>${notes(choice)}</small></span><b>${choice.costs}</b></li>`)}</ul>
      <div class="said small">${[...entryOf(one)?.querySelectorAll("div > p") ?? []].map((line) => html`<p>${line.textContent}</p>`)}</div>
      <p class="row"><button type="button" data-do="retry">Retry this move</button></p>`;
  }
  function draw() {
    const one = here(), right = asked.filter(({ turn, choices }) => choices[given[turn]]?.costly === false).length, left = asked.some((move) => !isOpen(move));
    look(one);
    const step = (by, label, text) => html`<button type="button" data-step="${by}" aria-label="${label}" aria-disabled="${String(!beside(by))}">${text}</button>`;
    put(panel, html`<header><h2 class="head">${one ? html`Mistake ${asked.indexOf(one) + 1} of ${asked.length} <i class="sign mine" data-sign="${one.sign}">${one.sign}</i>` : counted(asked.length, "costly move")}</h2>
      <span class="row">${step(-1, "The mistake before (↑)", "↑")}${step(1, "The next mistake (↓)", "↓")}</span></header>
      ${!one ? html`<p class="small">Each is asked before it is shown. ↑ and ↓ go from one to the next.</p>` : isOpen(one) ? answer(one) : question(one)}
      <p class="small foot"><span>${right} of ${asked.length} answered right.</span> ${left ? html`<button type="button" data-do="all">Show all moves</button>` : html`<button type="button" data-do="again">Ask all again</button>`}</p>`);
  }
  // after a change of what is answered; the focus goes on to what is to be done next
  function change(focus) {
    keep();
    hide();
    draw();
    panel.querySelector(focus)?.focus({ preventScroll: true });
  }
  panel.addEventListener("click", ({ target }) => {
    const { choice, step, do: act } = target.closest("button")?.dataset ?? {}, one = here(), next = step && beside(Number(step));
    if (choice !== undefined) { given[one.turn] = Number(choice); change(beside(1) ? "[data-step='1']" : "[data-do]"); }
    else if (next) { board.show({ turn: next.turn - game.turns[0].turn }); panel.querySelector(`[data-step="${step}"]`).focus({ preventScroll: true }); }
    else if (act === "retry") { delete given[one.turn]; change("[data-choice]"); }
    else if (act === "all") { for (const move of asked) given[move.turn] ??= SHOWN; change("[data-do=again]"); }
    else if (act === "again") { given = {}; change("[data-choice], [data-do=all]"); }
  });
  for (const one of asked) entryOf(one)?.querySelector("div").insertAdjacentHTML("beforeend", "<span class=\"unsaid\">Answer beside the board first.</span>");
  // beside the board; on a narrow screen below its hands
  const narrow = matchMedia("(max-width: 1100px)"), place = () => narrow.matches ? board.querySelector("[data-part=beside]").append(panel) : board.before(panel);
  narrow.addEventListener("change", place);
  place();
  board.addEventListener("turn", draw);
  panel.hidden = false;
  hide();
  draw();
})();
