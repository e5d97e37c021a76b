// What is wider than the page scrolls by keys only where it can have the focus.
"use strict";
(() => {
  const wide = (box) => box.scrollWidth > box.clientWidth;
  const mark = () => {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
      if (wide(box)) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  addEventListener("load", mark);
  addEventListener("resize", mark);
})();
