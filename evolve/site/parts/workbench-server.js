// Talking to the site: requests that try again while it is not heard from, and jobs that are followed to their end.
"use strict";
(() => {
  const GONE = "what you build is kept in this browser", PAUSE = 150, PAUSES = { score: 30, game: 30 }, BRIEF = 1000;  // ms between two looks at a job; the shorter ones in its first second
  const page = Math.random().toString(36).slice(2), sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
  let lostSince = 0, tell = () => {}, clock = 0;

  function lost() {
    if (lostSince) return;
    lostSince = Date.now();
    clock = setInterval(() => { tell(`not heard from for ${Math.round((Date.now() - lostSince) / 1000)} s; ${GONE}`); }, 1000);
    tell(`not heard from; ${GONE}`);
  }
  function heard() {
    if (!lostSince) return;
    clearInterval(clock);
    lostSince = 0;
    tell("");
  }
  // the answer as data; `patient`: try again until the site answers, and while it asks to wait
  async function ask(path, body, patient = false, signal = undefined) {
    const options = body === undefined ? { signal } : { signal, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    for (;;) {
      let answer = null;
      try { answer = await fetch(path, options); } catch { if (signal?.aborted) return null; lost(); }
      if (answer) {
        heard();
        const data = await answer.json().catch(() => ({ error: "The answer cannot be read." }));
        if (answer.ok) return data;
        if (!patient || answer.status !== 429) throw Object.assign(new Error(data.error), { data, status: answer.status });
      } else if (!patient) throw new Error(`The site is not heard from; ${GONE}.`);
      await sleep(answer ? 400 : 1000);
    }
  }

  // follow a job to its end; `tell` gets each state. A newer call of the same kind ends it: then null. `over` in an error: the site was started again since
  const current = {};
  async function follow(what, path, body, show) {
    current[what]?.abort();
    const mark = current[what] = new AbortController(), fail = (error) => { throw [404, 503].includes(error.status) ? Object.assign(error, { over: true }) : error; };
    const begun = await ask(path, { page, ...body }, true, mark.signal).catch(fail);
    const start = Date.now();
    let state = { version: -1 };
    for (;;) {
      if (!begun || mark.signal.aborted) return null;
      state = await ask(`/build/jobs/${begun.job}?version=${state.version}`, undefined, true, mark.signal).catch(fail);
      if (!state || mark.signal.aborted) return null;
      if (state.error) throw Object.assign(new Error(state.error), { state });
      show(state);
      if (state.ended) return state;
      await sleep(Date.now() - start < BRIEF ? PAUSES[what] ?? PAUSE : PAUSE);
    }
  }
  // give up all jobs but some
  const forget = (but = []) => { for (const what of Object.keys(current)) if (!but.includes(what)) { current[what].abort(); delete current[what]; } };

  hanabi.server = { ask, follow, forget, set tell(one) { tell = one; } };
})();
