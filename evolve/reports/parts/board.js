// <hanabi-board>: a game to step through. Give it `games`, a list of what evolve/reports/game_data.py makes:
//   document.querySelector("hanabi-board").games = [data];
// or let the page hold them: <hanabi-board data-from="ID"> reads <script type="application/json" id="ID">.
// `show({game, turn, view})` goes somewhere (turn -1: the end), `update(data)` replaces the game that is looked at and stays at the end if
// it was there. It tells: "drawn" after each drawing, "turn" ({turn}) when it went to another, "card" ({seat, slot}) when one was pressed, "usekeys" ({use}).
// Attribute `embedded`: no address, and keys only while the focus is inside. Attribute `still`: moves are not animated one by one: all colours that they finish burst together. Attribute `table`: no address, list, copying, and only the keys that look back: for somebody who plays. `tableKeys`: rows of the
// page's own keys, which are listed with these meanwhile. A game with a `seat` (seen_by) is looked at from there.
"use strict";
(() => {
  const { html, put, renew, copiesLeft, counted, hintsUpTo } = hanabi;
  const ORDERS = { new: "newest left", old: "newest right" };
  const AT_TABLE = ["← →", "[ ]", "Home End", "Space, held", "v, held", "?"];
  const TABLE_KEYS = ["ArrowLeft", "ArrowRight", "[", "]", "Home", "End", " ", "v", "?"], HOLD = 400;     // ms of a long press
  const KEYS = [["← →", "one turn back, on"], ["[ ]", "one round back, on"], ["Home End", "first turn, end of the game"],
    ["Space, held", "eyes of the player to move"], ["v, held", "eyes of the player whose card has the focus, or of the next player"], ["s", "next seat’s eyes"], ["m", "what hints mean, on and off"],
    ["c", "copy the position"], ["?", "these keys"]];

  class Board extends HTMLElement {
    #games = [];
    #at = { game: 0, turn: 0, view: -1, order: "new", marks: true, seat: -1 };
    #held = null;                                // whose eyes were left while a key or a finger is held
    #considered = { tags: [], warnings: [] };    // of a considered move: its new tags, and its warnings
    #notes = {};                                 // by a card's place in the order of drawing: a note
    #below = () => "";                           // by seat: what stands below its hand
    #keys = true;
    tableKeys = [];

    connectedCallback() {
      if (this.childElementCount) return;
      put(this, this.#frame(...document.querySelector("h1") ? ["h2", "h3"] : ["h1", "h2"]));
      this.#listen();
      const source = this.dataset.from && document.getElementById(this.dataset.from);
      if (source) this.games = JSON.parse(source.textContent);
    }

    disconnectedCallback() {
      removeEventListener("keydown", this.#onKey);
      removeEventListener("keyup", this.#onKeyUp);
      removeEventListener("hashchange", this.#onHash);
    }

    set useKeys(use) { this.#keys = this.#part("usekeys").checked = use; }

    // the keys that work here and now
    #help() {
      const reviewed = this.#game?.mistakes ? [["↑ ↓", "the mistake before, the next one"]] : [];
      const rows = this.hasAttribute("table") ? [...KEYS.filter(([keys]) => AT_TABLE.includes(keys)), ...this.tableKeys] : [...reviewed, ...KEYS];
      put(this.#part("keylist"), hanabi.keysHtml(rows));
      this.#part("keys").showModal();
    }

    get games() { return this.#games; }
    set games(games) {
      this.#games = games;
      this.#choices();
      this.#read();
    }

    get state() { return { ...this.#at, turns: this.#game?.turns.length ?? 0 }; }
    show(where) {
      if ("game" in where) this.#at.game = where.game;
      if ("view" in where) { this.#at.view = where.view; this.#at.seat = -1; }
      this.#go("turn" in where ? (where.turn < 0 ? Infinity : where.turn) : this.#at.turn);
    }
    update(data) {
      const end = this.#at.turn >= (this.#game?.turns.length ?? 1) - 1;
      this.#games = this.#games.with?.(this.#at.game, data) ?? [data];
      this.#go(end ? Infinity : this.#at.turn);
    }

    get #address() { return !this.hasAttribute("table") && !this.hasAttribute("embedded"); }
    set considered(considered) { this.#considered = considered; if (this.#game) this.#draw(); }
    set below(below) { this.#below = below; if (this.#game) this.#draw(); }
    set notes(notes) { this.#notes = notes; if (this.#game) this.#draw(); }

    get #game() { return this.#games[this.#at.game]; }
    get #turn() { return this.#game.turns[this.#at.turn]; }
    #part(name) { return this.querySelector(`[data-part="${name}"]`); }

    #frame(title, below) {
      const button = (act, label, text) =>
        html`<button type="button" data-act="${act}" aria-label="${label}" title="${label}">${text}</button>`;
      const select = (name, label) =>
        html`<label class="pick"><span>${label}</span> <select data-part="${name}" aria-label="${label}"></select></label>`;
      const panel = (name, note, body) => html`<section class="panel"><header><${below} class="head" data-part="${name}"></${below}>
        <small data-part="${note}"></small></header>${body}</section>`;
      const tools = html`${select("game", "Game")}${select("view", "View")}${select("order", "Order")}
        <label><input type="checkbox" data-part="marks" checked> what hints mean</label>
        ${button("copy", "Copy position: the game so far as text, for hanabi ask", "Copy position")}
        <a data-part="live" target="_blank" rel="noopener noreferrer" hidden>hanab.live</a>${button("help", "Keys", "?")}`;
      const steps = [["first", "First turn (Home)", "⇤"], ["back", "One turn back (←)", "←"], ["on", "One turn on (→)", "→"],
        ["last", "End of the game (End)", "⇥"]].map((one) => button(...one));
      return html`<div class="top"><div><${title} data-part="title"></${title}><p data-part="result"></p></div><div class="tools">${tools}</div></div>
        <div class="cols">
          <section class="panel board" aria-label="The table"><div class="sky" data-part="sky"></div><p class="last" data-part="last" role="status"></p>
            <div class="hands" data-part="hands"></div>
            <div class="move" data-part="move" role="status" aria-live="polite"></div><div class="beside" data-part="beside"></div>
            <div class="bar"><div class="steps">${steps}</div>
              <div class="time"><div class="events" data-part="events" aria-hidden="true"></div>
                <input type="range" min="0" data-part="turn" aria-label="Turn"></div>
              <div class="count" data-part="count"></div></div></section>
          <div class="stack side">${panel("knows", "by", html`<div class="know" data-part="know"></div>`)}${
            panel("hints", "given", html`<ul class="log" data-part="log" tabindex="0" aria-label="Hints given"></ul>`)}${
            panel("discards", "thrown", html`<div class="heap" data-part="heap"></div>`)}</div>
          <section class="panel rulebox" data-part="rulebox"><header><${below} class="head" data-part="agent"></${below}></header>
            <ol class="rules" data-part="list"></ol>
            <p class="aside">○ asked, does not apply. Below the one that decides nobody is asked; an overruled rule would have moved
              otherwise. <span data-part="shares"></span></p></section></div>
        <dialog data-part="keys" aria-label="Keys"><h3>Keys</h3><dl class="keys" data-part="keylist"></dl>
          <label><input type="checkbox" data-part="usekeys" checked> use these keys</label>
          <form method="dialog"><button>Close</button></form></dialog>`;
    }

    #choices() {
      const game = this.#game, pick = (name, options) =>
        put(this.#part(name), options.map(([value, text]) => html`<option value="${value}">${text}</option>`));
      pick("game", this.#games.map((one, i) => [i, one.title ?? `seed ${one.id}: ${one.score}`]));
      pick("order", Object.entries(ORDERS));
      pick("view", game ? [[-1, "spectator"], ...game.names.map((name, seat) => [seat, `${name}’s seat`])] : []);
      this.#part("game").parentElement.hidden = this.#games.length < 2;
    }

    #listen() {
      const at = this.#at, change = (name, act) => this.#part(name).addEventListener("change", (e) => act(e.target));
      change("game", (from) => { at.game = +from.value; this.#choices(); this.#go(this.#game.lost_at ?? 0); });
      change("view", (from) => this.show({ view: +from.value }));
      change("order", (from) => { at.order = from.value; this.#draw(); });
      change("marks", (from) => { at.marks = from.checked; this.#draw(); });
      change("usekeys", (from) => {
        this.useKeys = from.checked;
        this.dispatchEvent(new CustomEvent("usekeys", { detail: { use: from.checked } }));
      });
      this.#part("turn").addEventListener("input", (e) => this.#go(+e.target.value));
      this.#part("events").addEventListener("click", (e) => {
        const box = e.currentTarget.getBoundingClientRect();
        this.#go(Math.round((e.clientX - box.left - 8) / (box.width - 16) * (this.#game.turns.length - 1)));
      });
      this.addEventListener("click", (e) => this.#onClick(e));
      this.#holdHands();
      addEventListener("keydown", this.#onKey);
      addEventListener("keyup", this.#onKeyUp);
      addEventListener("hashchange", this.#onHash);
      new IntersectionObserver(([seen]) => this.classList.toggle("seen", seen.isIntersecting)).observe(this);     // keeps its bar in reach
    }

    #onClick(e) {
      const button = e.target.closest("button");
      if (this.#swallow) { this.#swallow = false; e.stopImmediatePropagation(); return; }
      if (!button || !this.#game) return;
      const { act, turn, seat, slot } = button.dataset, now = this.#at.turn;
      const acts = { first: () => this.#go(0), last: () => this.#go(Infinity), back: () => this.#go(now - 1), on: () => this.#go(now + 1),
        help: () => this.#help(), copy: () => this.#copy(button) };
      if (act) acts[act]();
      else if (turn !== undefined) this.#go(+turn - this.#game.turns[0].turn);
      else if (slot !== undefined) {
        this.#at.seat = +seat;
        this.#draw();
        this.dispatchEvent(new CustomEvent("card", { detail: { seat: +seat, slot: +slot }, bubbles: true }));
      }
    }

    #onKey = (e) => {
      const typing = e.target.matches?.("input:not([type=range]):not([type=checkbox]), textarea, select"), { view, turn } = this.#at;
      const off = this.hasAttribute("table") && !TABLE_KEYS.includes(e.key) || !this.#keys || !this.#game || this.#part("keys").open;
      if (this.hasAttribute("embedded") && !this.contains(e.target)) return;
      if (off || typing || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.target.matches?.(".card:focus-visible") && this.#alongHand(e)) return;
      if (e.target.type === "range" && /^(Arrow|Home|End)/.test(e.key)) return;
      const players = this.#game.players, free = e.target === document.body || e.target === this;
      const mistakes = (this.#game.mistakes ?? []).filter((one) => one.mine).map((one) => one.turn - this.#game.turns[0].turn);
      const mistake = { ArrowUp: mistakes.findLast((place) => place < turn), ArrowDown: mistakes.find((place) => place > turn) }[e.key];
      const jump = { ArrowLeft: -1, ArrowRight: 1, "[": -players, "]": players, Home: -Infinity, End: Infinity }[e.key];
      const act = { s: () => this.#look(view + 1 < players ? view + 1 : -1), m: () => this.#part("marks").click(),
        c: () => this.#copy(this.querySelector('[data-act="copy"]')), "?": () => this.#help() }[e.key];
      if (mistake !== undefined) this.#go(mistake);
      else if (jump) this.#go(turn + jump);
      else if (act) act();
      else if (e.key === " " && free) this.#borrowEyes();
      else if (e.key === "v") this.#borrowEyes(this.#partner());
      else return;
      e.preventDefault();
    };

    #borrowEyes(seat = this.#turn.me) {          // while a key or a finger is held
      if (this.#held !== null || seat < 0) return;
      this.#held = this.#at.view;
      this.show({ view: seat });
    }
    #giveBack() { if (this.#held !== null) { const view = this.#held; this.#held = null; this.show({ view }); } }
    #onKeyUp = (e) => { if (e.key === " " || e.key === "v") this.#giveBack(); };

    // the eyes of the player whose card has the focus, else of the next player
    #partner() {
      const { view } = this.#at, seat = Number(document.activeElement?.dataset?.seat ?? -1);
      return seat >= 0 && seat !== view ? seat : (view + 1) % this.#game.players;
    }

    // a finger, or the mouse, that stays on a hand shows it as its owner sees it
    #holdHands() {
      let wait = 0;
      const end = () => { clearTimeout(wait); this.#giveBack(); };
      this.addEventListener("pointerdown", (e) => {
        const hand = e.target.closest?.(".hand");
        if (!hand) return;
        const seat = [...this.querySelectorAll(".hand")].indexOf(hand);
        wait = setTimeout(() => { this.#borrowEyes(seat); this.#swallow = true; }, HOLD);
      });
      for (const name of ["pointerup", "pointercancel", "pointerleave"]) this.addEventListener(name, end);
      this.addEventListener("contextmenu", (e) => { if (this.#held !== null) e.preventDefault(); });
    }
    #swallow = false;                            // the click that ends a long press is none
    #onHash = () => this.#read();

    #alongHand(e) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key], cards = [...e.target.closest(".cards").querySelectorAll(".card")];
      if (!step) return false;
      const to = cards[cards.indexOf(e.target) + step];
      if (to) { e.target.tabIndex = -1; to.tabIndex = 0; to.focus(); }
      e.preventDefault();
      return true;
    }

    #look(view) { if (this.#game.seat === undefined) this.show({ view }); }

    #go(turn) {
      const before = this.#at.turn, last = this.#game.turns.length - 1;
      this.#at.turn = Math.max(0, Math.min(last, turn));
      this.#draw();
      if (this.#at.turn !== before) this.dispatchEvent(new CustomEvent("turn", { detail: { turn: this.#at.turn }, bubbles: true }));
    }

    // where the address says, else where the game says (its place in turns), else where it lost its first point
    #read() {
      if (!this.#game) return;
      const at = this.#at, said = new URLSearchParams(this.#address ? location.hash.slice(1) : "");
      const chosen = this.#games.findIndex((game) => game.id === said.get("game"));
      if (chosen >= 0) at.game = chosen;
      const view = Number(said.get("view") ?? -1), turn = said.has("turn") ? Number(said.get("turn")) : this.#game.start ?? this.#game.lost_at ?? 0;
      at.view = this.#game.seat ?? (Number.isInteger(view) && view >= -1 && view < this.#game.players ? view : -1);
      at.seat = -1;
      this.#choices();
      this.#go(Number.isFinite(turn) ? Math.trunc(turn) : 0);
    }

    async #copy(button) {
      const game = this.#game, text = [game.head, ...game.turns.slice(0, this.#at.turn).map(({ move, asked }) => (move ?? asked).line), "]", ""].join("\n");
      let said = "Copied: save it, then hanabi ask FILE";
      try { await navigator.clipboard.writeText(text); } catch { said = "The browser did not let it be copied"; }
      this.dispatchEvent(new CustomEvent("copied", { detail: { text }, bubbles: true }));
      button.textContent = said;
      setTimeout(() => { button.textContent = "Copy position"; }, 2500);
    }

    #draw() {
      const game = this.#game, at = this.#at, turn = this.#turn, focus = document.activeElement?.dataset?.key;
      const from = this.hasAttribute("still") && game.turns.slice(0, at.turn).findLast((one) => one.me === game.seat) || game.turns[at.turn - 1];
      const see = { game, turn, from, before: game.turns[at.turn - 1], next: game.turns[at.turn + 1], left: copiesLeft(game, turn),
        marks: at.marks, view: at.view, order: at.order, ghosts: this.#considered.tags, warned: this.#considered.warnings, notes: this.#notes, below: this.#below, told: this.#lastHint() };
      const set = (name, text) => { const part = this.#part(name); if (part.textContent !== text) part.textContent = text; };
      const who = [...new Set(game.agents)].filter(Boolean).join(", ") || (game.turns.length > 1 ? "A game" : "A position");
      const others = game.names.map((name, seat) => `${name} (${game.agents[seat]})`).filter((_, seat) => seat !== game.seat);
      const playing = this.hasAttribute("table") && game.seat !== undefined, watched = this.hasAttribute("table") && !game.end;
      set("title", playing ? `You are ${game.names[game.seat]}` : watched ? `${who}, ${counted(game.players, "player")}` : `${who}, ${counted(game.players, "player")}: ${game.score} of ${counted(game.perfect, "point")}`);
      set("result", playing ? `With you: ${others.join(", ")}.` : game.result);
      const live = this.#part("live");
      live.hidden = !game.live;
      if (game.live) live.href = `${game.live}#${turn.turn + 1}`;
      renew(this.#part("sky"), hanabi.skyHtml(see));      // the same sky stays: what moves there goes on
      const past = this.hasAttribute("table") && !turn.move && see.before?.move;
      set("last", past ? `${past.words}.` : "");
      renew(this.#part("hands"), hanabi.handsHtml(see));
      put(this.#part("move"), playing && turn.me === game.seat && !turn.move ? "" : hanabi.moveHtml(see));     // the page says whose turn it is
      const knower = at.seat >= 0 ? at.seat : at.view >= 0 ? at.view : Math.max(0, turn.me);
      set("knows", `What ${knower === game.seat ? "you" : game.names[knower]} can know`);
      set("by", at.marks ? "with what hints mean" : "by hints alone");
      put(this.#part("know"), hanabi.knowHtml(see, knower));
      set("hints", "Hints so far");
      const began = game.turns[0].turn, since = began && !game.earlier ? ` since turn ${began}` : "";     // a position does not say what was told before
      set("given", `${hintsUpTo(game, at.turn).length} given${since}`);
      put(this.#part("log"), hanabi.logHtml(game, at.turn, at.marks));
      set("discards", "Discards");
      set("thrown", turn.discards.length ? counted(turn.discards.length, "card") : "");
      put(this.#part("heap"), hanabi.heapHtml(see));
      this.#drawList(see);
      this.#drawBar(game, at);
      if (focus) this.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
      this.dispatchEvent(new CustomEvent("drawn"));
    }

    // the last hint to the seat that one plays, until that seat moves: {seat, born, move}
    #lastHint() {
      const { seat, turns } = this.#game, { turn, view } = this.#at;
      if (seat === undefined || view !== seat || turns[turn].move) return null;
      for (let i = turn - 1; i >= 0 && turns[i].me !== seat; i -= 1) {
        const { move, hands } = turns[i];
        if (move?.kind === "tell" && move.to === seat) return { seat, born: move.slots.map((slot) => hands[seat][slot].born), move };
      }
      return null;
    }

    #drawList(see) {
      const { game, turn } = see, seat = Math.max(0, turn.me), list = game.lists[game.list_of[seat]];
      const box = this.#part("rulebox");
      box.hidden = this.hasAttribute("table") || !list || "seat" in game;
      this.querySelector(".cols").classList.toggle("nolist", box.hidden);
      if (box.hidden) return;
      this.#part("agent").textContent = `${list.agent || "The agent"}: the first rule that applies decides`;
      put(this.#part("list"), hanabi.listHtml(see, seat));
      this.#part("shares").textContent = list.note ?? "";
    }

    #drawBar(game, at) {
      const last = game.turns.length - 1, end = at.turn === last && game.turns[last].me < 0, range = this.#part("turn");
      const table = this.hasAttribute("table"), says = end ? "the end" : `turn ${this.#turn.turn} of ${game.turns[last].turn}`;
      range.max = last;
      range.value = at.turn;
      range.setAttribute("aria-valuetext", says);
      this.#part("count").textContent = says;
      for (const [act, off] of [["first", at.turn === 0], ["back", at.turn === 0], ["on", at.turn === last], ["last", at.turn === last]])
        this.querySelector(`[data-act="${act}"]`).setAttribute("aria-disabled", off);
      put(this.#part("events"), hanabi.eventsHtml(game, at.turn));
      this.#part("game").value = at.game;
      this.#part("view").value = at.view;
      this.#part("view").parentElement.hidden = table || "seat" in game;
      this.querySelector('[data-act="copy"]').hidden = table || !game.head;
      if (!this.#address) return;
      const address = `#game=${encodeURIComponent(game.id)}&turn=${at.turn}${at.view >= 0 ? `&view=${at.view}` : ""}`;
      if (location.protocol === "about:") return;     // the frame of a notebook has no address
      if (location.hash !== address) history.replaceState(null, "", address);
    }
  }

  customElements.define("hanabi-board", Board);
})();
