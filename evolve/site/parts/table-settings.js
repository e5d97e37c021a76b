// Settings of a table, kept in this browser: moves one after another, a timer, sounds.
"use strict";
(() => {
  const KEY = "hanabi table", NAMES = ["motion", "timer", "sounds"];
  const load = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } };
  const clock = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

  // `box(name)` is the checkbox of a setting, `line` shows the timer
  hanabi.tableSettings = (box, line) => {
    const values = { motion: true, timer: false, sounds: false, ...load() };
    let audio = null, since = 0, before = 0;     // ms: of this turn's beginning, and of all earlier turns
    const tick = () => {
      line.hidden = !values.timer;
      if (!values.timer) return;
      const now = since ? performance.now() - since : 0;
      line.textContent = `${since ? `Your turn: ${clock(now)}. ` : ""}All your turns: ${clock(before + now)}.`;
    };
    for (const name of NAMES) {
      box(name).checked = values[name];
      box(name).addEventListener("change", ({ target }) => {
        values[name] = target.checked;
        try { localStorage.setItem(KEY, JSON.stringify(values)); } catch { /* not kept: it holds for this page */ }
        tick();
      });
    }
    setInterval(tick, 500);
    const play = (hertz) => {
      try {
        audio ??= new AudioContext();
        const tone = audio.createOscillator(), volume = audio.createGain(), end = audio.currentTime + 0.18;
        tone.frequency.value = hertz;
        volume.gain.setValueAtTime(0.12, audio.currentTime);
        volume.gain.exponentialRampToValueAtTime(0.001, end);
        tone.connect(volume).connect(audio.destination);
        tone.start();
        tone.stop(end);
      } catch { /* no sound on this device */ }
    };
    return {
      get motion() { return values.motion; },
      // told with each piece of news: is it this person's turn, and how many lives there are
      news({ mine, lives }, old) {
        if (mine && !since) since = performance.now();
        if (!mine && since) { before += performance.now() - since; since = 0; }
        if (values.sounds && old) { if (lives < old.lives) play(196); else if (mine && !old.mine) play(660); }
        tick();
      },
    };
  };
})();
