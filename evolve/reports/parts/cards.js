// Hands: each card with what its holder may think it is, its tag, and the move of this turn drawn onto it.
"use strict";
(() => {
  const { html, shape, paint, letterOf, rankOf, nameOf, wordOf, has, within, range, cardsIn, list, percent } = hanabi;
  const TITLES = {
    soon: "A finesse is about it: playable now, or one play later",
    finesse: "Answers the finesse, if the card it is about does not fit yet",
    keep: "Warned: a last copy", play: "Known to be playable, by hints alone", promise: "Promised to be playable",
    assume: "Assumed to be playable", useless: "Can never be played any more", chop: "What everybody expects to be discarded next",
  };

  // the types that a card may be: by hints, or with what they mean
  const setOf = (card, marks) => marks ? card.assumed ?? card.promised ?? card.hinted : card.hinted;
  const chancesOf = (card, marks) => marks && card.meant ? card.meant[1] : card.chances;
  const possibleOf = (card, marks) => marks && card.meant ? card.meant[0] : card.possible ?? setOf(card, marks);

  // slots of a hand that hold a card, from left to right; `number` counts by age, 1 is the newest
  function ordered(hand, order = "new") {
    const newest = hand.map((card, slot) => ({ card, slot })).filter(({ card }) => card).sort((a, b) => b.card.born - a.card.born)
      .map((one, i) => ({ ...one, number: i + 1 }));
    return order === "new" ? newest : newest.reverse();
  }
  const numberOf = (hand, slot) => ordered(hand).find((one) => one.slot === slot)?.number ?? slot;
  // a move in the engine's notation, with the number of its card by age
  const moveText = (text, hand) => text.replace(/^(play|discard) (\d)$/, (_, kind, slot) => `${kind} ${numberOf(hand, Number(slot))}`);

  // five shapes, five ranks, each in its place; a row in which nothing is ruled out stays empty. Letters and ranks are drawn
  // from attributes: the name of a card says them in words, and has to contain whatever text is seen on it
  function strip(game, card, marks) {
    const now = setOf(card, marks), suit = (i) => 31 << 5 * i, rank = (i) => 0x2108421 << i;
    const row = (n, set, draw) => {
      const kinds = range(n).map((i) => now & set(i) ? "" : card.hinted & set(i) ? "away" : "no");
      return kinds.every((kind) => !kind) ? "" : html`<span class="pips" style="--n:${n}">${kinds.map((kind, i) =>
        kind === "no" || draw ? html`<span class="${kind}">${kind === "no" ? "" : draw(i)}</span>` : html`<span class="${kind}" data-text="${i + 1}"></span>`)}</span>`;
    };
    const suits = row(game.colours.length, suit, (i) => shape(game.colours[i]));
    return html`<span class="strip">${suits}${row(game.ranks, rank)}</span>`;
  }

  const agreed = (turn, card, marks) => marks ? card.tag
    : within(card.hinted, turn.playable) ? "play" : within(card.hinted, turn.useless) ? "useless" : "";

  // [word, is it new]: what holds before the move, or what a hint adds
  function tagOf(turn, next, card, place, marks) {
    const now = agreed(turn, card, marks), after = next?.hands[place.seat][place.slot];
    const then = after && after.born === card.born && turn.move?.kind === "tell" ? agreed(next, after, marks) : "";
    return then && then !== "chop" && then !== now ? [then, true] : [now, false];
  }

  // what the move of this turn draws on one card: [class, what stands above it]
  function drawn(turn, place, card) {
    const { move } = turn, { seat, slot } = place;
    if (!move || move.kind === "forfeit") return ["", ""];
    if (move.kind === "tell") {
      if (seat !== move.to || !move.slots.includes(slot)) return ["", ""];
      const letter = "colour" in move ? "RBGYWP"[move.colour] : "";
      return ["", html`<span class="arrow ${card.touched && "again"}" style="${letter && paint(letter)}">${
        letter ? shape(letter, "currentColor") : move.rank}</span>`];
    }
    if (seat !== turn.me || slot !== move.slot) return ["", ""];
    if (move.kind === "discard") return ["acts drops", html`<span class="verb">discards</span>`];
    return move.fits ? ["acts", html`<span class="verb">plays</span>`] : ["acts misses", html`<span class="verb">does not fit</span>`];
  }

  // the last hint to the looker stays on its cards until it moves: [class, what stands above it]
  function remembered(told, place, card) {
    if (!told || told.seat !== place.seat || !told.born.includes(card.born)) return ["", ""];
    const letter = "colour" in told.move ? "RBGYWP"[told.move.colour] : "";
    return ["told", html`<span class="arrow" style="${letter && paint(letter)}">${letter ? shape(letter, "currentColor") : told.move.rank}</span>`];
  }

  // what a considered hint would say of a card: {tag, wrong}; and what the move is warned of there: {text}
  const at = (places, { seat, slot }) => places.find((one) => one.seat === seat && one.slot === slot);
  const ghostOf = ({ ghosts }, place) => at(ghosts, place), warningOf = ({ warned }, place) => at(warned, place);

  // the number of a card that the looker may see, or null
  const faceOf = (turn, place, card, view) => {
    const moved = turn.me === place.seat && turn.move?.slot === place.slot && "card" in turn.move;
    return moved ? turn.move.card : place.seat === view ? null : card.card;
  };

  function words(see, place, card, face) {
    const { game, turn, left, marks } = see, told = cardsIn(game, setOf(card, marks)), chances = chancesOf(card, marks);
    const what = face === null ? `unknown${chances ? `, ${percent(chances[0])} % playable` : ""}`
      : `${wordOf(face)}, ${left[face]} of ${game.copies[rankOf(face) - 1]} copies left`;
    return [`${game.names[place.seat]}, slot ${place.number}: ${what}`,
      told.length < 9 && `its holder thinks it is ${list(told.map(nameOf))}`, marks && card.tag,
      face !== null && has(turn.useless, face) && "useless", face !== null && has(turn.critical, face) && "last copy",
      see.told?.seat === place.seat && see.told.born.includes(card.born) && "touched by the last hint", see.notes?.[card.born] && `note: ${see.notes[card.born]}`,
      warningOf(see, place) && `warning: ${warningOf(see, place).text}`, ghostOf(see, place) && `this hint would say: ${ghostOf(see, place).tag}${ghostOf(see, place).wrong ? ", which is not so" : ""}`,
    ].filter(Boolean).join("; ");
  }

  function cardHtml(see, place, card) {
    const { game, turn, left, marks, view } = see;
    let face = faceOf(turn, place, card, view);
    const only = cardsIn(game, setOf(card, marks)), sure = face === null && only.length === 1;
    if (sure) face = only[0];
    const label = words(see, place, card, face), unknown = face === null, letter = unknown ? "" : letterOf(face);
    const dull = !unknown && !sure && has(turn.useless, face);
    const chances = chancesOf(card, marks), before = see.before?.hands[place.seat][place.slot];
    const classes = ["card", card.touched && "touched", dull && "dull", unknown && "back", sure && "sure",
      before && before.born !== card.born && "fresh"].filter(Boolean).join(" ");
    const chance = () => chances && html`<b>${percent(chances[0])}<small> %</small></b>
      <span class="meter"><i style="width:${100 * chances[0]}%"></i></span>`;
    const front = () => html`<b>${rankOf(face)}</b>${shape(letter, sure ? `var(--${letter})` : "currentColor")}<em data-text="${letter}"></em>
      <span class="left">${range(game.copies[rankOf(face) - 1]).map((i) => html`<i class="${i < left[face] && "on"}"></i>`)}</span>`;
    const bang = !unknown && has(turn.critical, face) && html`<span class="bang" aria-hidden="true" title="Last copy">!</span>`;
    return html`<button type="button" class="${classes}" style="${letter && paint(letter)}" data-key="card-${place.seat}-${place.slot}"
      data-seat="${place.seat}" data-slot="${place.slot}" aria-label="${label}" title="${label}" tabindex="${place.first ? 0 : -1}">
      <span class="face">${unknown ? chance() : front()}</span>${strip(game, card, marks)}</button>${bang}`;
  }

  // see: {game, turn, before, next (turns, or undefined), left, marks, view, order, below (by seat: what stands below its hand)}
  function handsHtml(see) {
    const { game, turn, next, marks, view } = see;
    const who = (seat) => seat === game.seat ? "you" : seat === view ? "you look from here" : seat === turn.me ? "to move" : game.agents[seat];
    const one = (seat) => ({ card, slot, number }, i) => {
      const place = { seat, slot, number, first: i === 0 }, acted = drawn(turn, place, card), ghost = ghostOf(see, place);
      const [cls, over] = acted[0] || acted[1] ? acted : remembered(see.told, place, card);
      const [tag, fresh] = tagOf(turn, next, card, place, marks);
      return html`<div class="place ${cls} ${warningOf(see, place) && "warned"}" role="listitem">${cardHtml(see, place, card)}${over}<div class="tag"><span>${number}</span>${see.notes?.[card.born] && html`<i class="noted" aria-hidden="true">✎</i>`}${
        ghost ? html`<b class="ghost ${ghost.tag} ${ghost.wrong && "wrong"}">${ghost.wrong && "⚠ "}${ghost.tag}</b>` : tag && html`<b class="${tag} ${fresh && "new"}" title="${TITLES[tag]}">${tag}</b>`}</div></div>`;
    };
    return turn.hands.map((hand, seat) => html`<div class="hand ${seat === turn.me && "turn"}">
      <div class="who"><b>${game.names[seat]}</b><small>${who(seat)}</small></div>
      <div class="cards" role="list" aria-label="${game.names[seat]}’s hand" style="--width:${game.hand}">${
        ordered(hand, see.order).map(one(seat))}</div>${see.below(seat)}</div>`);
  }

  Object.assign(hanabi, { handsHtml, ordered, numberOf, moveText, setOf, chancesOf, possibleOf });
})();
