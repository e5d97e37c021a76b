// The school: keeps the answers of this browser, and draws the position of each question as a small board.
"use strict";
(async () => {
  const { html, put, shape, paint, range, letterOf, rankOf, ordered, cardsIn } = hanabi, main = document.querySelector("main"), KEPT = "hanabi.school";
  const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
  const keep = (query) => { try { localStorage.setItem(KEPT, query); } catch { /* a browser may keep nothing */ } };

  // an address without answers goes on where this browser was
  if (main.dataset.seed && !location.search && kept() && kept() !== main.dataset.keeps) { location.replace(`/school${kept()}`); return; }
  if (location.search) keep(main.dataset.keeps);

  // what hints say of a card: its suit and its rank where they are settled
  function told(game, card) {
    const types = cardsIn(game, card.hinted), suits = new Set(types.map(letterOf)), ranks = new Set(types.map(rankOf));
    return { letter: suits.size === 1 ? [...suits][0] : "", rank: ranks.size === 1 ? [...ranks][0] : "" };
  }
  function cardOf(game, card) {
    const { letter, rank } = card.card === null ? told(game, card) : { letter: letterOf(card.card), rank: rankOf(card.card) };
    const hidden = card.card === null, kinds = [hidden && "back", hidden && letter && "suit", card.touched && "touched"].filter(Boolean).join(" ");
    return html`<i class="${kinds}" style="${letter && paint(letter)}"><b>${rank}</b>${letter && shape(letter, hidden ? `var(--${letter})` : "currentColor")}</i>`;
  }
  const small = (game, turn) => html`<span class="sky"><span class="piles">${range(game.colours.length).map((i) =>
    html`<i class="${turn.fireworks[i] ? "" : "none"}" style="${paint(game.colours[i])}"><b>${turn.fireworks[i] || ""}</b>${shape(game.colours[i], turn.fireworks[i] ? "currentColor" : undefined)}</i>`)}</span><span class="stock">${
    turn.tokens} ● ${turn.lives} ♥</span></span>${range(turn.hands.length).map((i) => (turn.me + i) % turn.hands.length).map((seat) =>
    html`<span class="held ${seat === turn.me && "me"}"><small>${seat === turn.me ? "you" : game.names[seat]}</small>${ordered(turn.hands[seat]).map(({ card }) => cardOf(game, card))}</span>`)}`;

  // one after the other: the last ones are searched for in reviewed games
  for (const link of document.querySelectorAll("a[data-number]")) {
    const answer = await fetch(`/school/${main.dataset.seed}/${link.dataset.number}/board`).catch(() => null), game = answer?.ok && await answer.json();
    if (game) put(link.querySelector(".small-board"), small(game, game.turns.at(-1)));
    else link.querySelector(".waiting").textContent = "";
  }
})();
