// What stands around the hands: fireworks, the move in words, what a seat can know, hints, discards, the agent's list.
"use strict";
(() => {
  const { html, shape, paint, WORDS, letterOf, rankOf, nameOf, has, range, cardsIn, counted, percent, ordered, chancesOf, possibleOf } = hanabi;

  function skyHtml({ game, turn, left }) {
    const plays = turn.move?.kind === "play" && turn.move.fits ? letterOf(turn.move.card) : "";
    const works = game.colours.split("").map((letter, c) => {
      const height = turn.fireworks[c];
      const rung = (r) => r < height ? "on" : range(r - height + 1).some((i) => left[5 * c + height + i] === 0) ? "gone" : "";
      return html`<div class="work ${plays === letter && "target"}" style="${paint(letter)}" role="img" aria-label="${WORDS[letter]} firework: ${height || "not begun"}">
        <div class="pile ${!height && "none"}">${height ? html`<span>${height}</span>` : ""}${shape(letter, height ? "currentColor" : `var(--${letter})`)}</div>
        <div class="rungs">${range(game.ranks).map((r) => html`<i class="${rung(r)}"></i>`)}</div></div>`;
    });
    const dots = (n, of, kind) => range(of).map((i) => html`<i class="${kind} ${i < n && "on"}"></i>`);
    const deck = turn.deck || (turn.left > 0 ? `0, ${counted(turn.left, "move")} left` : "0");
    return html`<div class="works">${works}</div>
      <dl class="facts"><dt>hint tokens</dt><dd>${dots(turn.tokens, game.tokens, "dot")}<span>${turn.tokens}</span></dd>
      <dt>lives</dt><dd>${dots(turn.lives, game.lives, "dot life")}<span>${turn.lives}</span></dd><dt>deck</dt><dd><span>${deck}</span></dd></dl>
      <div class="score"><b>${turn.fireworks.reduce((a, b) => a + b, 0)}</b><span> of ${game.perfect}</span></div>`;
  }

  const why = (game, turn, move) => {
    const list = game.lists[game.list_of[turn.me]];
    if (move.place === null || move.place === undefined || !list) return move.rule && (move.says ? `${move.rule}: ${move.says}` : move.rule);
    return move.place === list.rules.length ? "No rule applied." : `Rule ${move.place + 1}. ${list.rules[move.place].says}`;
  };

  // first what happened, then what it meant, then why
  function moveHtml({ game, turn, marks }) {
    const { move } = turn;
    if (!move) {
      if (game.end) return html`<strong>Game over. ${game.score} of ${counted(game.perfect, "point")}.</strong>${
        game.lost.map((line) => html`<p class="mean">${line}</p>`)}`;
      return html`<strong>${turn.me === game.seat ? "Your turn." : `${game.names[turn.me]} is to move.`}</strong>`;
    }
    const reason = why(game, turn, move);
    return html`<strong>${move.words}.</strong>${marks && (move.means ?? []).map((line) => html`<p class="mean">${line}</p>`)}${
      reason && html`<p class="why" title="${move.rule}">${reason}</p>`}`;
  }

  function knowHtml({ game, turn, marks, view, order }, seat) {
    const bar = (word, chance, kind) => html`<div class="chance"><span>${word}</span><div class="${kind}"><i style="width:${100 * chance}%"></i></div><b>${percent(chance)} %</b></div>`;
    return ordered(turn.hands[seat], order).map(({ card, slot }) => {
      const set = possibleOf(card, marks), wide = card.possible ?? card.hinted, chances = chancesOf(card, marks);
      const cells = range(game.ranks).flatMap((r) => game.colours.split("").map((letter, c) => {
        const type = 5 * c + r;
        return html`<i class="${has(set, type) ? "on" : has(wide, type) ? "away" : "no"}" style="${paint(letter)}" title="${nameOf(type)}"></i>`;
      }));
      return html`<div class="row"><div class="slot">${slot}${seat !== view && card.card !== null && html`<small>${nameOf(card.card)}</small>`}</div>
        <div class="grid" style="--n:${game.colours.length}" role="img" aria-label="possible: ${cardsIn(game, set).map(nameOf).join(" ")}">${cells}</div>
        ${chances && html`<div class="chances">${bar("plays", chances[0], "good")}${bar("useless", chances[1], "")}${bar("last copy", chances[2], "bad")}</div>`}</div>`;
    });
  }

  const hintsUpTo = (game, at) => game.turns.filter((turn, i) => i <= at && turn.move?.kind === "tell");

  function logHtml(game, at, marks) {
    const hints = hintsUpTo(game, at).reverse();
    if (!hints.length) return html`<li class="small">No hint yet.</li>`;
    return hints.map(({ turn, me, move }) => {
      const letter = "colour" in move ? "RBGYWP"[move.colour] : "", now = turn === game.turns[at].turn;
      return html`<li><button type="button" class="${now && "now"}" data-key="log-${turn}" data-turn="${turn}" ${now && html`aria-current="true"`}><span class="n">${turn}</span>
        <span>${game.names[me]} → ${game.names[move.to]} ${letter ? html`${shape(letter)} ${WORDS[letter]}` : `${move.rank}s`}</span><em>${marks && move.hint}</em></button></li>`;
    });
  }

  function heapHtml({ game, turn, left }) {
    return game.colours.split("").map((letter, c) => {
      const mine = turn.discards.filter(([card]) => Math.floor(card / 5) === c).sort((a, b) => a[0] - b[0]);
      return html`<div class="row"><span class="key" title="${WORDS[letter]}">${shape(letter)}</span>${mine.length ? mine.map(([card, when]) => {
        const lost = left[card] === 0 && rankOf(card) > turn.fireworks[c], label = `${nameOf(card)}, turn ${when}${left[card] === 0 ? ": no copy left" : ""}`;
        return html`<button type="button" class="chip ${lost && "gone"}" style="${paint(letter)}" data-key="heap-${when}" data-turn="${when}" title="${label}" aria-label="${label}">${nameOf(card)}</button>`;
      }) : html`<span class="small">none</span>`}</div>`;
    });
  }

  // ± with one or two significant figures of the error, the value as many places
  function plusMinus(value, sem) {
    const places = sem > 0 ? Math.min(4, Math.max(0, -Math.floor(Math.log10(sem * 1.0001)) + (sem / 10 ** Math.floor(Math.log10(sem)) < 3 ? 1 : 0))) : 2;
    return `${value.toFixed(places)} ± ${sem.toFixed(places)}`;
  }
  const worth = (one) => !one ? "" : Math.abs(one[0]) < 2 * one[1] ? "worth not told from 0" : `worth ${plusMinus(...one)}`;

  // the list of the seat to move (or of `seat`): asked, decided, overruled
  function listHtml({ game, turn }, seat) {
    const list = game.lists[game.list_of[seat]], move = turn.me === seat ? turn.move : null, most = Math.max(...list.rules.map((rule) => rule.share ?? 0));
    const place = move?.place ?? null;
    return list.rules.map((rule, i) => {
      const kind = place === null ? "" : i < place ? "asked" : i === place ? "fired" : "later", would = move?.answers?.[i];
      const note = kind === "fired" ? html`<div class="state">decides: ${move.text}</div>`
        : kind === "later" && would ? html`<div class="state over">overruled, would ${would}</div>` : "";
      const fire = rule.share === undefined ? "" : html`<div class="fire"><div><i style="width:${100 * rule.share / (most || 1)}%"></i></div><b>${(100 * rule.share).toFixed(1)} %</b><span>${worth(rule.worth)}</span></div>`;
      return html`<li class="${kind}" tabindex="0" data-key="rule-${i}" title="${rule.name}"><span class="no" aria-hidden="true">${i + 1}</span><div><div class="say">${rule.says}</div>${note}${fire}</div></li>`;
    });
  }

  function eventsHtml(game, at) {
    const n = Math.max(1, game.turns.length - 1);
    return game.turns.map(({ move }, i) => {
      const kind = !move || move.kind === "forfeit" ? "drop" : move.kind === "tell" ? "tell" : move.kind === "discard" ? "drop" : move.fits ? "" : "miss";
      const letter = move && "card" in move ? letterOf(move.card) : "W";
      return html`<i class="${kind} ${i === at && "now"}" style="left:calc(8px + (100% - 16px) * ${i / n});${paint(letter)}"></i>`;
    });
  }

  Object.assign(hanabi, { skyHtml, moveHtml, knowHtml, hintsUpTo, logHtml, heapHtml, listHtml, eventsHtml, plusMinus });
})();
