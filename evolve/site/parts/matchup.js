// A game of a tournament in the viewer.
"use strict";
(async () => {
  const wrong = document.getElementById("wrong");
  try {
    const answer = await fetch(document.querySelector("main").dataset.game), data = await answer.json();
    if (answer.ok) document.querySelector("hanabi-board").games = data;
    else wrong.textContent = data.error;
  } catch { wrong.textContent = "The site answers no more."; }
})();
