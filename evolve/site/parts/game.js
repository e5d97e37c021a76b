// A game in the viewer, and the form that plays on from the turn that is looked at.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id), place = document.querySelector("main"), wrong = at("wrong"), form = at("on");
  const board = document.querySelector("hanabi-board"), { html, put } = hanabi;
  if (!board.dataset.from) try {
    const answer = await fetch(`/games/${encodeURIComponent(place.dataset.game)}/data`), data = await answer.json();
    if (!answer.ok) { wrong.textContent = data.error; return; }
    board.games = data;
  } catch { wrong.textContent = "The site answers no more."; return; }

  const turn = () => board.games[0].turns[board.state.turn];
  function where() {
    at("from").textContent = turn().me < 0 ? "The game is over here: go back a turn, and play on from there." : `From turn ${turn().turn}:`;
    at("go").setAttribute("aria-disabled", turn().me < 0);
  }
  board.addEventListener("turn", where);
  where();
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    const fields = new FormData(form), chosen = fields.get("seat"), mine = chosen === "" ? turn().me : Number(chosen);
    const seats = board.games[0].names.map((_, seat) => seat === mine ? "person" : fields.get("agent"));
    try {
      await hanabi.layTable({ seats, game: place.dataset.game, turn: turn().turn }, (line) => { at("from").textContent = line; });
    } catch (error) { wrong.textContent = error.message; }
    finally { where(); }
  });
})();
