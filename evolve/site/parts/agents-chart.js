// The chart of agents: points by length, mirror play by play with strangers, or a line by player count; each mark is a button.
"use strict";
(() => {
  const { html, put, plusMinus } = hanabi;
  // by family a path in a square of 12, whether it is filled, and its colour
  const SIGNS = { 2018: ["M6 .4 11.6 6 6 11.6.4 6Z", true, "ink"], "evolved-2018": ["M6 .4 11.6 6 6 11.6.4 6Z", false, "ink"], paper: ["M6 .8 11.7 11H.3Z", true, "hint"], hand: ["M1.5 1.5h9v9h-9Z", true, "good"], code: ["M4.2 .8h3.6v3.4h3.4v3.6H7.8v3.4H4.2V7.8H.8V4.2h3.4Z", true, "good"], evolved: ["M6 .8a5.2 5.2 0 1 0 .01 0Z", true, "accent"],
    search: ["m6 .3 1.7 3.8 4.1.4-3.1 2.7.9 4L6 9.1l-3.6 2.1.9-4L.2 4.5l4.1-.4Z", true, "bad"], mine: ["M6 .8a5.2 5.2 0 1 0 .01 0ZM6 4a2 2 0 1 1-.01 0Z", false, "accent"] };
  const COUNTS = ["2", "3", "4", "5"], W = 340, H = 360, L = 40, R = 12, T = 14, B = 46, TICKS = [5, 10, 15, 18, 20, 22, 23, 24, 24.5, 24.8], LETTER = 6.4;
  const shape = (family) => { const [path, full, colour] = SIGNS[family]; return html`<path d="${path}" fill="${full ? `var(--${colour})` : "var(--panel)"}" stroke="var(--${colour})" stroke-width="1.4"/>`; };
  const sign = (family, size = 14) => html`<svg class="sign" viewBox="0 0 12 12" style="width:${size}px;height:${size}px" aria-hidden="true">${shape(family)}</svg>`;

  const lost = (points) => Math.log2(Math.max(0.2, 25 - points));
  const pointsOf = (row, players) => players === "all" ? row.mean : row.players[players];
  const words = (row, players) => {
    const pair = pointsOf(row, players), parts = [pair && `${plusMinus(...pair)} points`, row.rules && `${row.rules} rules${row.conventions ? ` and ${row.conventions} conventions` : ""}`, row.guest && `${plusMinus(...row.guest)} as guest`];
    return `${row.name}: ${parts.filter(Boolean).join(", ")}`;
  };
  function scale(values) {
    const low = Math.min(...values, 15) - 0.5, top = Math.min(24.85, Math.max(...values, 20) + 0.1);
    return (points) => T + (H - T - B) * (lost(points) - lost(top)) / (lost(low) - lost(top));
  }
  const grid = (y) => {
    let free = Infinity;
    return TICKS.filter((tick) => y(tick) <= H - B && y(tick) >= T - 8).map((tick) => { const fits = free - y(tick) > 13; if (fits) free = y(tick); return html`<line class="grid1" x1="${L}" x2="${W - R}" y1="${y(tick)}" y2="${y(tick)}"/>${fits && html`<text x="${L - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`}`; });
  };
  const below = (text) => html`<text x="${(L + W - R) / 2}" y="${H - 8}" text-anchor="middle">${text}</text>`;

  // names beside marks, the best first, where they cover nothing
  function labels(marks) {
    const boxes = marks.map(({ x, y }) => [x - 7, y - 7, x + 7, y + 7]), free = ([l, t, r, b]) => l > L && r < W - 2 && t > 0 && boxes.every(([l2, t2, r2, b2]) => r < l2 || l > r2 || b < t2 || t > b2);
    return marks.map(({ row, x, y }) => {
      const width = LETTER * row.name.length, places = [["start", x + 10, y + 4, [x + 9, y - 6, x + 11 + width, y + 7]], ["end", x - 10, y + 4, [x - 11 - width, y - 6, x - 9, y + 7]], ["middle", x, y - 11, [x - width / 2, y - 21, x + width / 2, y - 8]]];
      const place = places.find((one) => free(one[3]));
      if (!place) return "";
      boxes.push(place[3]);
      return html`<text class="label" x="${place[1]}" y="${place[2]}" text-anchor="${place[0]}">${row.name}</text>`;
    });
  }
  const marksOf = (marks, players, chosen) => marks.map(({ row, x, y }, i) => html`<g class="amark" role="button" data-mark="${row.name}" tabindex="${chosen ? row.name === chosen ? 0 : -1 : i ? -1 : 0}" aria-pressed="${String(row.name === chosen)}" aria-label="${words(row, players)}" transform="translate(${x - 6} ${y - 6})"><rect x="-6" y="-6" width="24" height="24" fill="transparent"/>${shape(row.family)}</g>`);

  function pointsAndLength(rows, players) {
    const list = rows.filter((row) => row.rules && pointsOf(row, players)), most = Math.max(...list.map((row) => row.rules), 8), y = scale(list.map((row) => pointsOf(row, players)[0]));
    const x = (n) => L + 14 + (W - L - R - 28) * Math.log(n) / Math.log(most);
    return { says: "To the right: rules of the longest list, each step doubles. Upwards, equal steps halve the points that are lost.", marks: list.map((row) => ({ row, x: x(row.rules), y: y(pointsOf(row, players)[0]) })),
      ground: [grid(y), [1, 2, 4, 8, 16, 32, 64].filter((n) => n <= most).map((n) => html`<text x="${x(n)}" y="${H - 26}" text-anchor="middle">${n}</text>`), below("rules")] };
  }
  function mirrorAndGuest(rows) {
    const list = rows.filter((row) => row.guest && row.mean), y = scale(list.map((row) => row.mean[0])), values = list.map((row) => row.guest[0]), low = Math.floor(Math.min(...values, 15)), high = Math.ceil(Math.max(...values, 16));
    const x = (value) => L + 14 + (W - L - R - 28) * (value - low) / (high - low);
    return { says: "To the right: points as a guest, one seat among copies of another agent. Upwards: points among copies of itself.", marks: list.map((row) => ({ row, x: x(row.guest[0]), y: y(row.mean[0]) })),
      ground: [grid(y), Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((n) => n % 2 === 0).map((n) => html`<text x="${x(n)}" y="${H - 26}" text-anchor="middle">${n}</text>`), below("points as a guest")] };
  }
  function byPlayers(rows) {
    const list = rows.filter((row) => COUNTS.every((n) => row.players[n])), y = scale(list.flatMap((row) => COUNTS.map((n) => row.players[n][0]))), x = (n) => L + 30 + (W - L - R - 140) * (n - 2) / 3;
    return { says: "Points among copies of itself by player count, a line for each agent.", marks: list.map((row) => ({ row, x: x(5), y: y(row.players["5"][0]) })),
      ground: [grid(y), COUNTS.map((n) => html`<text x="${x(n)}" y="${H - 26}" text-anchor="middle">${n}</text>`), below("players"),
        list.map((row) => html`<path class="path" data-line="${row.name}" d="${COUNTS.map((n, i) => `${i ? "L" : "M"}${x(n).toFixed(1)} ${y(row.players[n][0]).toFixed(1)}`).join("")}"/>`)] };
  }
  const KINDS = { length: pointsAndLength, guest: mirrorAndGuest, players: byPlayers };

  // Draw a chart of some agents into a box; says what its axes are.
  function draw(box, rows, kind, players, chosen) {
    const parts = KINDS[kind](rows.filter((row) => row.mean && !row.sees_own_hand), players), marks = parts.marks.sort((one, other) => one.y - other.y);
    const focus = box.contains(document.activeElement) && document.activeElement.dataset?.mark;
    put(box, html`<svg class="vchart" viewBox="0 0 ${W} ${H}" role="group" aria-label="${parts.says} Arrow keys go from mark to mark.">${parts.ground}${labels(marks)}${marksOf(marks, kind === "length" ? players : "all", marks.some(({ row }) => row.name === chosen) ? chosen : "")}</svg>`);
    box.querySelectorAll("[data-line]").forEach((line) => line.classList.toggle("now", line.dataset.line === chosen));
    if (focus) box.querySelector(`[data-mark="${CSS.escape(focus)}"]`)?.focus();
    return parts.says;
  }
  // the arrow keys: the next mark, and it has the focus
  function step(box, event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key], marks = [...box.querySelectorAll("[data-mark]")], at = marks.indexOf(document.activeElement);
    if (!by || at < 0) return;
    event.preventDefault();
    const next = marks[Math.min(marks.length - 1, Math.max(0, at + by))];
    marks.forEach((mark) => mark.setAttribute("tabindex", mark === next ? 0 : -1));
    next.focus();
  }
  hanabi.agentChart = { draw, step, sign, words, SIGNS, COUNTS };
})();
