// A finished game in the viewer.
"use strict";
(async () => {
  const place = document.querySelector("main"), wrong = document.getElementById("wrong");
  try {
    const answer = await fetch(`/games/${encodeURIComponent(place.dataset.game)}/data`), data = await answer.json();
    if (answer.ok) document.querySelector("hanabi-board").games = data;
    else wrong.textContent = data.error;
  } catch { wrong.textContent = "The site answers no more."; }
})();
