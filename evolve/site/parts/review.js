// The review of a game: waits while it is computed; then a number of a turn leads to the board.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id), page = at("reviewed"), here = location.pathname, { lasting } = hanabi;
  if (!at("waiting")) {
    page.addEventListener("click", (event) => {
      if (!event.target.closest("a[href^='#turn=']")) return;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      document.querySelector("hanabi-board .board").scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    });
    return;
  }
  const begun = Date.now(), seconds = () => (Date.now() - begun) / 1000;
  const fail = (line) => { at("wrong").textContent = line; at("how").textContent = ""; at("done").hidden = true; };

  function draw({ done = 0, of = 0 }) {
    at("done").value = of ? done / of : 0;
    const left = done ? ` About ${lasting(seconds() * (of - done) / done)} left.` : seconds() > 3 ? " What a review needs is compiled, once on this machine." : "";
    at("how").textContent = of ? `${done} of ${of} moves are reviewed.${left}` : `Beginning.${left}`;
  }

  async function ask(path, options) {
    const answer = await fetch(`${here}/${path}`, options), data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    return data;
  }

  let state;
  try {
    state = await ask("begin", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ by: page.dataset.by }) });
  } catch (error) { fail(error instanceof TypeError ? "The site answers no more." : error.message); return; }
  while (!state.ended) {
    draw(state);
    try {
      state = await ask(`state?job=${state.job}&version=${state.version}`);
    } catch (error) {
      if (!(error instanceof TypeError)) { fail(error.message); return; }
      at("how").textContent = "Not heard from; trying again.";
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  if (state.error) fail(state.error);
  else location.reload();
})();
