// What stands around the hands: fireworks, the move in words, what a seat can know, hints, discards, the agent's list.
"use strict";
(() => {
  const { html, shape, paint, WORDS, letterOf, rankOf, nameOf, has, within, range, cardsIn, counted, percent, plusMinus, ordered } = hanabi;
  const { chancesOf, possibleOf, moveText } = hanabi;

  // points that can still be reached: a firework stops below a card of which no copy is left
  const reachable = (game, turn, left) => game.colours.split("").reduce((sum, _, c) =>
    sum + (range(game.ranks).find((r) => r >= turn.fireworks[c] && left[5 * c + r] === 0) ?? game.ranks), 0);

  // [word, value, what it is] of the counts that hanab.live shows, too
  function paceOf(game, turn, left) {
    const score = turn.fireworks.reduce((a, b) => a + b, 0), moves = turn.deck ? turn.deck + game.players : turn.left;
    const rows = [["turns left", moves < 0 ? "?" : moves, "Moves at most until the game ends, if every move draws a card"],
      ["pace", score + moves - reachable(game, turn, left), "Moves that may still draw no point: below 0 the full score is out of reach"]];
    if (game.turns[0].turn) return rows;
    const hints = game.turns.filter((one) => one.move?.kind === "tell" && one.turn < turn.turn).length;
    const held = turn.hands.flat().filter((card) => card?.touched && !within(card.hinted, turn.useless)).length;
    return [...rows, ["efficiency", hints ? ((score + held) / hints).toFixed(2) : "–", "Cards played or touched, for each hint given"]];
  }

  // rays from a point, in two rings; a light tint, for dark suits are hard to see before the sky
  function raysOf(letter, size, middle = true) {
    const ring = (n, from, to) => range(n).map((i) => { const a = 2 * Math.PI * (i + .5 * (from > .3)) / n, [x, y] = [Math.cos(a), Math.sin(a)].map((one) => size * one);
      return `M${(from * x).toFixed(1)} ${(from * y).toFixed(1)}L${(to * x).toFixed(1)} ${(to * y).toFixed(1)}`; }).join("");
    return html`<g class="bloom" style="--c:color-mix(in srgb, var(--${letter}) 62%, white)"><path d="${ring(14, middle ? .42 : .58, .82)}"/><path class="sparks" d="${ring(14, .96, .961)}"/>${
      middle && html`<path class="sparks" d="${ring(9, .24, .241)}"/>`}</g>`;
  }
  // where the rockets of a perfect score burst, of 100 by 30: [across, down, size]
  const ROCKETS = [[18, 12, 9], [50, 9, 9], [82, 13, 9], [34, 19, 7], [66, 18, 8], [8, 20, 6], [92, 22, 6], [50, 22, 6]];
  const fireworksHtml = (colours) => html`<svg class="fireworks" viewBox="0 0 100 30" aria-hidden="true">${ROCKETS.map(([x, y, size], i) =>
    html`<g transform="translate(${x} ${y})" style="--wait:${(.34 * i).toFixed(2)}s"><path class="trail" pathLength="1" d="M${x < 50 ? -2 : 2} ${30 - y}Q${x < 50 ? -1.5 : 1.5} ${12 - y / 3} 0 0"/>${raysOf(colours[i % colours.length], size)}</g>`)}</svg>`;

  // a burst over each firework that was finished since a turn; more than that for a perfect score
  function skyHtml({ game, turn, from, left }) {
    const perfect = !turn.move && !turn.asked && game.end && turn.fireworks.reduce((a, b) => a + b, 0) === game.perfect;
    const plays = turn.move?.kind === "play" && turn.move.fits ? letterOf(turn.move.card) : "";
    const works = game.colours.split("").map((letter, c) => {
      const height = turn.fireworks[c];
      const rung = (r) => r < height ? "on" : range(r - height + 1).some((i) => left[5 * c + height + i] === 0) ? "gone" : "";
      const says = `${WORDS[letter]} firework: ${height || "not begun"}`;
      const burst = from && !perfect && height === game.ranks && from.fireworks[c] < height && html`<svg class="burst" viewBox="-50 -50 100 100" aria-hidden="true">${raysOf(letter, 50, false)}</svg>`;
      const sign = shape(letter, height ? "currentColor" : `var(--${letter})`);
      return html`<div class="work ${plays === letter && "target"}" style="${paint(letter)}" role="img" aria-label="${says}">
        <div class="pile ${!height && "none"}">${height ? html`<span>${height}</span>` : ""}${sign}</div>${burst}
        <div class="rungs">${range(game.ranks).map((r) => html`<i class="${rung(r)}"></i>`)}</div></div>`;
    });
    const dots = (n, of, kind) => range(of).map((i) => html`<i class="${kind} ${i < n && "on"}"></i>`);
    const deck = turn.deck || (turn.left > 0 ? `0, ${counted(turn.left, "move")} left` : "0");
    return html`${perfect && fireworksHtml(game.colours)}<div class="works">${works}</div>
      <dl class="facts"><dt>hint tokens</dt><dd>${dots(turn.tokens, game.tokens, "dot")}<span>${turn.tokens}</span></dd>
      <dt>lives</dt><dd>${dots(turn.lives, game.lives, "dot life")}<span>${turn.lives}</span></dd>
      <dt>deck</dt><dd><span>${deck}</span></dd></dl>
      <dl class="facts paces">${paceOf(game, turn, left).map(([word, value, title]) => html`<dt title="${title}">${word}</dt><dd title="${title}"><span>${value}</span></dd>`)}</dl>
      <div class="score"><b>${turn.fireworks.reduce((a, b) => a + b, 0)}</b><span> of ${game.perfect}</span></div>`;
  }

  // rows of [keys, what they do]; "held" and "then" are words, a dot stands between two things
  const keysHtml = (rows) => rows.map(([keys, says]) => html`<dt>${keys.split(" ").map((key) => ["held", "then", "·"].includes(key)
    ? html`${key} ` : html`<kbd>${key.replace(",", "")}</kbd> `)}</dt><dd>${says}</dd>`);

  const why = (game, turn, move) => {
    const list = game.lists[game.list_of[turn.me]];
    const known = list && move.place !== null && move.place !== undefined;
    if (!known) return move.rule && (move.says ? `${move.rule}: ${move.says}` : move.rule);
    return move.place === list.rules.length ? "No rule applied." : `Rule ${move.place + 1}. ${list.rules[move.place].says}`;
  };

  // why points are lost by this move: which, what its maker could know of the card, who could have warned
  function lostHtml({ game, turn, before, next, marks }) {
    const said = game.lost.filter((line) => line.endsWith(` at turn ${turn.turn}.`)), { move, me } = turn, card = turn.hands[me]?.[move.slot];
    if (!said.length && move.fits === false) return card?.chances && html`<p class="lost">${next?.lives === 0 && game.lost.length
      ? "Lost here: the last life, and with it every point to come. " : ""}${game.names[me]} gave it a chance of ${percent(chancesOf(card, marks)[0])} % to fit.</p>`;
    if (!said.length) return game.turns[game.lost_at] === turn && html`<p class="lost">Lost here: time. From here on fewer moves are left than points.</p>`;
    const giver = game.names[(me + game.players - 1) % game.players];
    const knew = card.chances && html` ${game.names[me]} gave it a chance of ${percent(chancesOf(card, marks)[2])} % to be a last copy${
      card.touched ? "; it had been hinted at" : before?.tokens ? `; ${giver}, who moved before, had ${counted(before.tokens, "hint token")} to warn with`
        : before ? `; ${giver}, who moved before, had no hint token` : ""}.`;
    return html`<p class="lost">Lost here: ${said.join(" ")}${knew}</p>`;
  }

  // the sentences about lost points; where a firework stopped, who held the next card at the end
  function endHtml({ game, turn, marks }) {
    return game.lost.map((line) => {
      const c = game.colours.split("").findIndex((letter) => line.toLowerCase().startsWith(`${WORDS[letter]} stopped`)), type = 5 * c + turn.fireworks[c];
      const held = c < 0 ? [] : turn.hands.flatMap((hand, seat) => hand.filter((card) => card?.card === type).map((card) => `At the end ${game.names[seat]} holds ${
        nameOf(type)}${card.chances ? ` and gives it a chance of ${percent(chancesOf(card, marks)[0])} % to play` : ""}.`));
      return html`<p class="mean">${line} ${held[0] ?? (c < 0 ? "" : `${nameOf(type)} was never drawn.`)}</p>`;
    });
  }

  // first what happened, then what it meant, then why
  function moveHtml(see) {
    const { game, turn, marks } = see;
    const { move } = turn;
    if (!move) {
      if (game.end && !turn.asked) return html`<strong>Game over. ${game.score} of ${counted(game.perfect, "point")}.</strong>${
        endHtml(see)}`;
      return html`<strong>${turn.me === game.seat ? "Your turn." : `${game.names[turn.me]} is to move.`}</strong>`;
    }
    const reason = why(game, turn, move);
    return html`<strong>${move.words}.</strong>${marks && (move.means ?? []).map((line) => html`<p class="mean">${line}</p>`)}${
      reason && html`<p class="why" title="${move.rule}">${reason}</p>`}${lostHtml(see)}`;
  }

  function knowHtml({ game, turn, marks, view, order }, seat) {
    const bar = (word, chance, kind) => html`<div class="chance"><span>${word}</span>
      <div class="${kind}"><i style="width:${100 * chance}%"></i></div><b>${percent(chance)} %</b></div>`;
    return ordered(turn.hands[seat], order).map(({ card, number }) => {
      const set = possibleOf(card, marks), wide = card.possible ?? card.hinted, chances = chancesOf(card, marks);
      const cells = range(game.ranks).flatMap((r) => game.colours.split("").map((letter, c) => {
        const type = 5 * c + r;
        const sign = has(set, type) ? "on" : has(wide, type) ? "away" : "no";
        return html`<i class="${sign}" style="${paint(letter)}" title="${nameOf(type)}"></i>`;
      }));
      const says = `possible: ${cardsIn(game, set).map(nameOf).join(" ")}`;
      const face = seat !== view && card.card !== null ? nameOf(card.card) : "";
      return html`<div class="row"><div class="slot">${number}${face && html`<small>${face}</small>`}</div>
        <div class="grid" style="--n:${game.colours.length}" role="img" aria-label="${says}">${cells}</div>
        ${chances && html`<div class="chances">${bar("plays", chances[0], "good")}${bar("useless", chances[1], "")}${
          bar("last copy", chances[2], "bad")}</div>`}${card.known && html`<p class="small">${card.known.join(" ")}</p>`}</div>`;
    });
  }

  const hintsUpTo = (game, at) => [...game.earlier ?? [], ...game.turns.filter((turn, i) => i <= at && turn.move?.kind === "tell")];

  function logHtml(game, at, marks) {
    const hints = hintsUpTo(game, at).reverse();
    if (!hints.length) return html`<li class="small">No hint yet.</li>`;
    return hints.map(({ turn, me, move }) => {
      const letter = "colour" in move ? "RBGYWP"[move.colour] : "", now = turn === game.turns[at].turn;
      const what = letter ? html`${shape(letter)} ${WORDS[letter]}` : `${move.rank}s`;
      const line = html`<span class="n">${turn}</span><span>${game.names[me]} → ${game.names[move.to]} ${what}</span>`;
      return turn < game.turns[0].turn ? html`<li class="earlier">${line}</li>` : html`<li><button type="button" class="${now && "now"}" data-key="log-${turn}" data-turn="${turn}"
        ${now && html`aria-current="true"`}>${line}<em>${marks && move.hint}</em></button></li>`;
    });
  }

  function heapHtml({ game, turn, left }) {
    return game.colours.split("").map((letter, c) => {
      const mine = turn.discards.filter(([card]) => Math.floor(card / 5) === c).sort((a, b) => a[0] - b[0]);
      const chip = ([card, when]) => {
        const lost = left[card] === 0 && rankOf(card) > turn.fireworks[c];
        const label = `${nameOf(card)}, turn ${when}${left[card] === 0 ? ": no copy left" : ""}`;
        return html`<button type="button" class="chip ${lost && "gone"}" style="${paint(letter)}" data-key="heap-${when}"
          data-turn="${when}" title="${label}" aria-label="${label}">${nameOf(card)}</button>`;
      };
      return html`<div class="row"><span class="key" title="${WORDS[letter]}">${shape(letter)}</span>${
        mine.length ? mine.map(chip) : html`<span class="small">none</span>`}</div>`;
    });
  }

  const worth = (one) => !one ? "" : Math.abs(one[0]) <= 2 * one[1] ? "worth not told from 0" : `worth ${plusMinus(...one)}`;

  // the list of the seat to move (or of `seat`): asked, decided, overruled
  function listHtml({ game, turn }, seat) {
    const list = game.lists[game.list_of[seat]], move = turn.me === seat ? turn.move : null;
    const most = Math.max(...list.rules.map((rule) => rule.share ?? 0));
    const place = move?.place ?? null, named = (text) => moveText(text, turn.hands[seat]);
    return list.rules.map((rule, i) => {
      const kind = place === null ? "" : i < place ? "asked" : i === place ? "fired" : "later", would = move?.answers?.[i];
      const note = kind === "fired" ? html`<div class="state">decides: ${named(move.text)}</div>`
        : kind === "later" && would ? html`<div class="state over">overruled, would ${named(would)}</div>` : "";
      const fire = rule.share === undefined || rule.share === null ? "" : html`<div class="fire">
        <div><i style="width:${100 * rule.share / (most || 1)}%"></i></div><b>${(100 * rule.share).toFixed(1)} %</b>
        <span>${worth(rule.worth)}</span></div>`;
      return html`<li class="${kind}" tabindex="0" data-key="rule-${i}" title="${rule.name}">
        <span class="no" aria-hidden="true">${i + 1}</span><div><div class="say">${rule.says}</div>${note}${fire}</div></li>`;
    });
  }

  function eventsHtml(game, at) {
    const n = Math.max(1, game.turns.length - 1);
    const signs = new Map((game.mistakes ?? []).map((one) => [one.turn, one]));
    return game.turns.map(({ turn, move }, i) => {
      const wrong = signs.get(turn), sign = wrong && html`<b class="sign ${wrong.mine && "mine"}" data-sign="${wrong.sign}">${wrong.sign}</b>`;
      const kind = move?.kind === "tell" ? "tell" : move?.kind !== "play" ? "drop" : move.fits ? "" : "miss";
      const letter = move && "card" in move ? letterOf(move.card) : "W";
      const left = `left:calc(8px + (100% - 16px) * ${i / n})`;
      return html`<i class="${kind} ${i === at && "now"}" style="${left};${paint(letter)}">${sign}</i>`;
    });
  }

  Object.assign(hanabi, { skyHtml, moveHtml, knowHtml, hintsUpTo, logHtml, heapHtml, listHtml, eventsHtml, keysHtml });
})();
