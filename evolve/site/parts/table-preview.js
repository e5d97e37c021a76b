// What a chosen move would mean, asked of the server before it is made: sentences, warnings, and tags on the board.
"use strict";
(() => {
  const { html, put } = hanabi, NOTHING = { meaning: [], warnings: [], tags: [] };

  // `board` gets the tags, `element` the sentences
  hanabi.previewer = (board, element) => {
    let key = "", found = NOTHING, wait = Promise.resolve(), asked = false;
    const show = (answer) => {
      found = answer;
      board.considered = answer;
      // on a phone the sheet with the controls lies over the lower hands
      const tag = matchMedia("(max-width: 560px)").matches && (board.querySelector(".warned") ?? board.querySelector(".ghost"));
      if (tag) tag.closest(".hand").scrollIntoView({ block: "nearest" });
      put(element, html`${answer.warnings.map(({ text }) => html`<p class="danger"><span aria-hidden="true">⚠</span> <span>${text}</span></p>`)}${
        answer.meaning.map((line) => html`<p class="mean"><span>${line}</span></p>`)}`);
    };
    return {
      // the move that is chosen now, by a key that changes with it ("" for none), and how to ask about it
      choose(next, ask) {
        if (next === key) return;
        key = next;
        asked = Boolean(next);
        if (found !== NOTHING) show(NOTHING);
        if (next) wait = ask().then((answer) => { if (key === next) { asked = false; show(answer ?? NOTHING); } });
      },
      // wait for the answer; true if it brought a warning that nobody can have read yet
      async unread() {
        if (!asked) return false;
        await wait;
        return found.warnings.length > 0;
      },
    };
  };
})();
