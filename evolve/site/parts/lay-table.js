// Lays a table and goes to the seat of the only person; with more persons it returns [seat, link] of each. What is wrong is thrown as a sentence.
"use strict";
hanabi.layTable = async (body, say) => {
  const wait = setTimeout(() => say("Laying the table: what it needs is compiled, once on this machine."), 1000);
  try {
    const answer = await fetch("/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (!answer.ok) throw new Error(data.error);
    const links = Object.entries(data.links);
    if (links.length === 1) location.assign(links[0][1]);
    return links;
  } catch (error) { throw error instanceof TypeError ? new Error("The site answers no more; nothing was done.") : error; }
  finally { clearTimeout(wait); say(""); }
};
