// What a person builds, kept in this browser: lists with their versions; and the form in which a list goes into a link.
"use strict";
(() => {
  const KEY = "hanabi.workbench", REFUSED = "hanabi.workbench.refused", LISTS = 50, VERSIONS = 200;
  let failed = false, refused = [];

  function readAll() {
    try {
      const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(found) ? found.filter((one) => one && typeof one.id === "string" && Array.isArray(one.versions)) : [];
    } catch { return []; }
  }
  // false where the browser keeps nothing
  function keep(made) {
    const rest = readAll().filter((one) => one.id !== made.id);
    const kept = { ...made, used: Date.now(), versions: made.versions.slice(-VERSIONS), at: Math.max(0, made.at - Math.max(0, made.versions.length - VERSIONS)) };
    try { localStorage.setItem(KEY, JSON.stringify([kept, ...rest].slice(0, LISTS))); failed = false; } catch { failed = true; }
    return !failed;
  }
  const find = (id) => readAll().find((one) => one.id === id);

  // changes that are not to be offered again in this window, the last 100, also after another page
  try { refused = JSON.parse(sessionStorage.getItem(REFUSED) ?? "[]"); } catch { /* none is kept */ }
  const readRefused = () => refused;
  const isRefused = (change) => refused.some((one) => JSON.stringify(one) === JSON.stringify(change));
  function refuse(change) {
    refused = [...refused, change].slice(-100);
    try { sessionStorage.setItem(REFUSED, JSON.stringify(refused)); } catch { /* kept in this page only */ }
  }

  const bytesToText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const textToBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  async function through(stream, bytes) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream);
    return new Uint8Array(await new Response(reader).arrayBuffer());
  }
  const pack = async (data) => bytesToText(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(data))));
  const unpack = async (text) => JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), textToBytes(text))));

  hanabi.store = { readAll, keep, find, readRefused, isRefused, refuse, pack, unpack };
})();
