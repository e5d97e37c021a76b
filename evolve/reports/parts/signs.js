// What all parts share: text that is always escaped, the shapes of the suits, sets of card types.
// Every file adds to one object, `hanabi`; a page holds them in the order of SCRIPTS in evolve/reports/page_parts.py.
"use strict";
globalThis.hanabi = {};

(() => {
  class Safe { constructor(text) { this.text = text; } }
  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const shown = (value) => value instanceof Safe ? value.text : Array.isArray(value) ? value.map(shown).join("")
    : value === null || value === undefined || value === false ? "" : String(value).replace(/[&<>"']/g, (c) => ESCAPES[c]);

  // html`<b>${name}</b>`: whatever is put in is text, but for what html made itself (or a list of it)
  const html = (parts, ...values) => new Safe(parts.reduce((text, part, i) => text + shown(values[i - 1]) + part));
  const put = (element, safe) => { element.innerHTML = shown(safe); };

  // put, if it is anything new (else a press that began before would be lost), and keep the focus where it was
  const stands = new WeakMap();
  function renew(element, safe) {
    const text = shown(safe);
    if (stands.get(element) === text) return;
    stands.set(element, text);
    const focus = element.contains(document.activeElement) && document.activeElement.dataset.key;
    element.innerHTML = text;
    if (focus) element.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  }

  const WORDS = { R: "red", B: "blue", G: "green", Y: "yellow", W: "white", P: "purple" };
  const PATHS = {                                // one path each, in a square of 12
    R: "M6 .4 11.6 6 6 11.6.4 6Z", B: "M6 .8a5.2 5.2 0 1 0 .01 0Z", G: "M6 .8 11.7 11H.3Z",
    Y: "m6 .3 1.7 3.8 4.1.4-3.1 2.7.9 4L6 9.1l-3.6 2.1.9-4L.2 4.5l4.1-.4Z",
    W: "M4.1.8h3.8v3.3h3.3v3.8H7.9v3.3H4.1V7.9H.8V4.1h3.3Z", P: "M9.4 10.5A5.6 5.6 0 1 1 9.4 1.5 4.6 4.6 0 1 0 9.4 10.5Z",
  };
  const LETTERS = "RBGYWP";
  const shape = (letter, fill = `var(--${letter})`) =>
    html`<svg class="shape" viewBox="0 0 12 12" fill="${fill}" aria-hidden="true"><path d="${PATHS[letter]}"/></svg>`;
  const paint = (letter) => `--c:var(--${letter});--on:var(--on-${letter})`;

  const letterOf = (card) => LETTERS[Math.floor(card / 5)];
  const rankOf = (card) => card % 5 + 1;
  const nameOf = (card) => letterOf(card) + rankOf(card);
  const wordOf = (card) => `${WORDS[letterOf(card)]} ${rankOf(card)}`;
  const has = (set, card) => (set >>> card & 1) === 1;
  const within = (set, other) => set !== 0 && (set & ~other) === 0;
  const range = (n) => [...Array(n).keys()];
  const typesOf = (game) => game.colours.split("").flatMap((_, c) => range(game.ranks).map((r) => 5 * c + r));
  const cardsIn = (game, set) => typesOf(game).filter((card) => has(set, card));
  const list = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  const counted = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

  // a chance from 0 to 1 as whole per cent: 0 and 100 only where it is certain
  const percent = (p) => p === 0 ? "0" : p === 1 ? "100" : p < 0.01 ? "<1" : p > 0.99 ? ">99" : String(Math.round(100 * p));

  // seconds in the words of the terminal: 45 s, 3 min 20 s, 2 h 05 min
  function lasting(seconds) {
    const whole = Math.max(0, Math.round(seconds)), minutes = Math.floor(whole / 60), two = (n) => String(n).padStart(2, "0");
    return whole < 60 ? `${whole} s` : minutes < 60 ? `${minutes} min ${two(whole % 60)} s` : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
  }

  // ± with one or two significant figures of the error, the value as many places
  function plusMinus(value, sem) {
    const first = sem > 0 ? Math.floor(Math.log10(sem * (1 + 1e-9))) : 0;
    const places = sem > 0 ? Math.min(4, Math.max(0, -first + (sem / 10 ** first < 3 - 1e-9 ? 1 : 0))) : 2;
    return `${value.toFixed(places)} ± ${sem.toFixed(places)}`;
  }

  // copies of each type that were not thrown away
  const copiesLeft = (game, turn) => {
    const left = Object.fromEntries(typesOf(game).map((card) => [card, game.copies[rankOf(card) - 1]]));
    turn.discards.forEach(([card]) => { left[card] -= 1; });
    return left;
  };

  Object.assign(hanabi, { html, put, renew, shape, paint, WORDS, letterOf, rankOf, nameOf, wordOf, has, within, range, typesOf, cardsIn, list,
    counted, percent, lasting, plusMinus, copiesLeft });
})();
