// The review of a game: waits while it is computed; then a number of a turn leads to the board, and each move of a turn can be played on.
"use strict";
(async () => {
  const at = (id) => document.getElementById(id), page = at("reviewed"), here = location.pathname, { lasting } = hanabi;
  async function ask(path, options) {
    const answer = await fetch(`${here}/${path}`, options), data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    return data;
  }
  // follow a job to its end; while the site is not heard from, ``lost`` is called, and it is asked again
  async function follow(path, body, show, lost) {
    let state = await ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ by: page.dataset.by, ...body }) });
    while (!state.ended) {
      show(state);
      try {
        state = await ask(`state?job=${state.job}&version=${state.version}`);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        lost();
        await new Promise((done) => setTimeout(done, 2000));
      }
    }
    return state;
  }
  if (!at("waiting")) {
    page.addEventListener("click", (event) => {
      if (!event.target.closest("a[href^='#turn=']")) return;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      document.querySelector("hanabi-board .board").scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    });
    hanabi.startWhatIf(document.querySelector("hanabi-board"), async (turn, show) => {
      const state = await follow("moves", { turn }, show, () => {});
      show(state);
      return state;
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
  try {
    const state = await follow("begin", {}, draw, () => { at("how").textContent = "Not heard from; trying again."; });
    if (state.error) fail(state.error);
    else location.reload();
  } catch (error) { fail(error instanceof TypeError ? "The site answers no more." : error.message); }
})();
