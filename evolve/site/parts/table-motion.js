// Shows new moves one after another on the board, until a key or a press skips to the last.
"use strict";
(() => {
  const PAUSE = 800;                             // ms per move
  const SKIPPED_BY = [" ", "Enter", "Escape"];   // keys that do nothing else while moves are shown

  // `moving()` tells whether moves are to be shown
  hanabi.replayer = (board, moving) => {
    let timer = 0, at = 0;
    const step = () => {
      if (at >= board.state.turns - 1) { timer = 0; board.show({ turn: -1 }); return; }
      timer = setTimeout(step, PAUSE);           // before it is shown: what stands beside the board then asks whether this goes on
      board.show({ turn: at });
      at += 1;
    };
    const skip = () => {
      if (!timer) return false;
      clearTimeout(timer);
      timer = 0;
      board.show({ turn: -1 });
      return true;
    };
    document.addEventListener("keydown", (event) => {
      if (skip() && SKIPPED_BY.includes(event.key)) { event.preventDefault(); event.stopImmediatePropagation(); }
    }, true);
    document.addEventListener("click", skip, true);    // not pointerdown: a redraw before the click would take its button away
    const isStill = () => !moving() || matchMedia("(prefers-reduced-motion: reduce)").matches;
    return {
      get running() { return timer > 0; },
      // the moves from this place in the list of turns on are new
      from(place) {
        if (timer || isStill()) return;
        at = place;
        step();
      },
      skip,
      isStill,
    };
  };
})();
