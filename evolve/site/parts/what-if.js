// What if: each legal move of the turn on the board, played on. `ask(turn, show)` has it computed; `reset` forgets what another game made.
"use strict";
hanabi.startWhatIf = (board, ask) => {
  const { html, renew } = hanabi, panel = document.getElementById("whatif"), button = panel.querySelector("button"), [line, box] = ["p", "div"].map((one) => panel.querySelector(`:scope > ${one}`));
  let known = new Map(), games = 0;
  const turnAt = () => board.games?.[0]?.turns[board.state.turn];
  const signed = (gain, error) => `${gain > 0 ? "+" : ""}${gain.toFixed(2).replace("-", "−")} ± ${error.toFixed(2)}`;

  const row = (one) => html`<tr class="${one.is_made && "made"}"><th scope="row">${one.words}</th><td>${one.points}</td>
    <td class="${Math.abs(one.gain) > 2 * one.error && (one.gain > 0 ? "good" : "bad")}">${one.is_made ? "as it was" : signed(one.gain, one.error)}</td></tr>`;
  function draw() {
    const turn = turnAt(), move = turn?.move, found = move && known.get(turn.turn), rows = [...found?.rows ?? []].sort((a, b) => b.gain - a.gain);
    button.setAttribute("aria-disabled", !move || Boolean(found));
    line.textContent = !turn || turn.me < 0 ? "The game is over here: go back a turn." : !move ? "Answer beside the board first." : found?.error ? found.error
      : found && !found.ended ? `Playing on from turn ${turn.turn}: ${rows.length} moves tried.` : `Turn ${turn.turn}: the lists play on after each legal move, on this deal, and on deals that fit what ${board.games[0].names[turn.me]} saw (± one standard error).`;
    box.hidden = !rows.length;
    renew(box, html`<table><thead><tr><th scope="col" class="t">move</th><th scope="col">this deal</th><th scope="col">points more</th></tr></thead><tbody>${rows.map(row)}</tbody></table>`);
  }
  button.addEventListener("click", async () => {
    const { turn, move } = turnAt(), game = games;
    if (!move || known.has(turn)) return;
    const show = (state) => { if (game === games) { known.set(turn, state); draw(); } };
    show({ rows: [] });
    try {
      if (!await ask(turn, show)) known.delete(turn);     // another turn was asked for meanwhile
    } catch (error) { show({ error: error.message, ended: true }); }
    draw();
  });
  board.addEventListener("drawn", draw);
  const reset = () => { known = new Map(); games += 1; draw(); };
  reset();
  return reset;
};
