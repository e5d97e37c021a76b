// How a page without a server reaches its table: a worker plays it in Python. The game is kept in this browser, and goes on after a reload.
"use strict";
(() => {
  const KEY = "hanabi table of this page", worker = new Worker("worker.mjs", { type: "module" }), waiting = new Map();
  let version = 0, laid = 0, wake = () => {}, asked = 0, table = null;
  const kept = () => { try { return JSON.parse(localStorage.getItem(KEY)); } catch { return null; } };
  const keep = (game) => { try { localStorage.setItem(KEY, JSON.stringify(game)); } catch { /* not kept: the game holds for this page */ } };
  const ready = new Promise((done, fail) => {
    worker.onerror = () => fail(new Error("This page needs a server of files: in its folder run python3 -m http.server, and open http://localhost:8000"));
    worker.onmessage = ({ data: { id, text, failed } }) => {
      if (failed) fail(new Error(`Python did not load: ${failed}`));
      else if (id === undefined) done();
      else { waiting.get(id)(JSON.parse(text)); waiting.delete(id); }
    };
  });

  async function post(act, data = {}) {
    if (act === "again") return open({ specs: table.specs, seed: { new: newSeed(), same: table.seed, next: table.seed + 1 }[data.deal] });
    await ready;
    const { answer, error, kept: game } = await new Promise((done) => { waiting.set(asked += 1, done); worker.postMessage({ id: asked, act, text: JSON.stringify(data) }); });
    if (error) throw new Error(error);
    if (game) { table = game; keep(game); version += 1; wake(); }
    return answer;
  }
  async function news(known) {
    while (version <= known.version) await new Promise((done) => { wake = done; });
    return { ...await post("state", known), version, laid, inside: true };
  }
  // lay a table: {specs, seed}, or one that was kept
  async function open(setup) {
    laid += 1;
    await post("open", setup);
    return { links: {} };
  }
  const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];
  const forget = () => { try { localStorage.removeItem(KEY); } catch { /* there is none */ } };
  hanabi.link = { ready, post, news, open, kept, forget, newSeed };
})();
