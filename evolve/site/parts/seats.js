// The seats of a new table: partners to choose from, and chairs. The markup: seats.html.j2.
"use strict";
(() => {
  const { html, put, shape, paint } = hanabi, PERSON = "person", SUITS = "RBGYWP";

  const HEAD = html`<svg viewBox="0 0 12 12" fill="var(--panel)"><circle cx="6" cy="3.6" r="2.6"/><path d="M1.2 12a4.8 4.8 0 0 1 9.6 0Z"/></svg>`;

  // three shapes, which follow from the name of an agent
  function portrait(place, name) {
    const sum = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0, 0x811c9dc5);
    place.classList.toggle("me", name === PERSON);
    put(place, name === PERSON ? HEAD : [0, 9, 18].map((bit) => shape(SUITS[(sum >>> bit & 511) % 6])));
  }

  // `form` holds the markup; `alone`: exactly one person plays. `read()` returns who sits on each chair that is taken
  hanabi.seats = (form, { alone = false } = {}) => {
    const chairs = [...form.querySelectorAll(".chair")], selects = chairs.map((chair) => chair.querySelector("select"));
    const partners = [...form.querySelectorAll("[name=partner]")], counts = [...form.querySelectorAll("[name=players]")];
    const names = chairs.map((chair) => chair.querySelector("b").textContent), count = () => Number(counts.find((one) => one.checked).value);
    const plays = (one) => one.value === PERSON || one.dataset.players.includes(count());
    let sat = selects.map((select) => select.value);

    // the chair that became a person's changes places with the one that was, where only one plays
    function move(changed) {
      if (alone && changed.value === PERSON) selects.forEach((select, seat) => {
        if (select !== changed && sat[seat] === PERSON) select.value = sat[selects.indexOf(changed)];
      });
    }
    function set() {
      const taken = selects.slice(0, count());
      if (taken.every((select) => select.value !== PERSON)) {
        const gone = selects.find((select) => select.value === PERSON);
        if (gone) { gone.value = taken[0].value; taken[0].value = PERSON; }
      }
      for (const one of partners) one.disabled = !plays(one);
      const first = taken.findIndex((select) => select.value === PERSON);
      selects.forEach((select, seat) => {
        for (const option of select.options) option.disabled = !plays(option);
        if (select.selectedOptions[0]?.disabled) select.value = [...select.options].find((option) => option.value !== PERSON && !option.disabled)?.value ?? "";
        chairs[seat].hidden = seat >= count();
        chairs[seat].classList.toggle("mine", seat === first);
        select.hidden = alone && seat === first;
        portrait(chairs[seat].querySelector(".portrait"), select.value);
      });
      form.querySelector(".chairs").dataset.players = count();
      const others = new Map(taken.filter((select) => select.value !== PERSON).map(({ selectedOptions: [one] }) => [one?.value, one?.dataset]));
      for (const one of partners) one.checked = others.size === 1 && others.has(one.value);
      const rest = [...others].filter(([name, data]) => data && !partners.some((one) => one.value === name));
      put(form.querySelector("#expects"), rest.map(([name, { says, taught }]) => html`<li><b>${name}</b>${says.trim() && `: ${says}`} ${taught === "" &&
        html`<a href="/teach/${encodeURIComponent(name)}?players=${count()}" aria-label="Teach me ${name}">Teach me</a>`}</li>`));
      for (const link of form.querySelectorAll(".partner a")) link.search = `players=${count()}`;
      sat = selects.map((select) => select.value);
    }
    form.addEventListener("change", ({ target }) => {
      if (target.name === "partner") for (const select of selects) if (select.value !== PERSON) select.value = target.value;
      if (target.name === "seat") move(target);
      set();
    });
    put(form.querySelector(".felt"), [...SUITS].slice(0, 5).map((letter) => html`<span style="${paint(letter)}">${shape(letter)}</span>`));
    for (const one of form.querySelectorAll("[data-portrait]")) portrait(one, one.dataset.portrait);
    const chosen = partners.find((one) => one.checked);
    if (chosen && !plays(chosen)) (counts.find((one) => chosen.dataset.players.includes(one.value)) ?? counts[0]).checked = true;
    set();
    return { names, read: () => sat.slice(0, count()) };
  };
})();
