// How the page of a seat reaches its table: by requests to the site. A page without a server has another link (worker-link.js).
"use strict";
hanabi.siteLink = (base) => ({
  // asks for one of ACTIONS or QUESTIONS; what is wrong is thrown as a sentence
  async post(act, body = {}) {
    const answer = await fetch(`${base}/${act}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.error);
    return said;
  },
  // the state once it is newer than the known one; the error has `gone` if there is no such table
  async news(known) {
    const answer = await fetch(`${base}/state?${new URLSearchParams(known)}`);
    if (answer.status === 404) throw Object.assign(new Error((await answer.json()).error), { gone: true });
    if (!answer.ok) throw new Error(`The site answers ${answer.status}.`);
    return answer.json();
  },
});
