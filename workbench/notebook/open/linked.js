// Two panes of text that scroll together: the exact text that a model saw, and the whole text that
// it was cut from. Places are characters; what stands in a gap on the left has none on the right.

const INSET = 26;

/** Return the character at the top of a pane, counted over its elements of text. */
export function topOf(pane, texts) {
  const box = pane.getBoundingClientRect();
  const [x, y] = [box.left + INSET, box.top + 14];
  const caret = document.caretPositionFromPoint?.(x, y);
  const range = caret ? null : document.caretRangeFromPoint?.(x, y);
  const [at, offset] = caret
    ? [caret.offsetNode, caret.offset]
    : [range?.startContainer, range?.startOffset];
  if (!at) return null;
  let before = 0;
  for (const text of texts) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode === at) return before + offset;
      before += walker.currentNode.length;
    }
  }
  return null;
}

/** Scroll a pane so that a character stands at its top. */
export function scrollPane(pane, texts, place) {
  let left = place;
  for (const text of texts) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (left < node.length) {
        const range = document.createRange();
        range.setStart(node, Math.max(left, 0));
        range.setEnd(node, Math.max(left, 0) + 1);
        const [own, top] = [range.getBoundingClientRect().top, pane.getBoundingClientRect().top];
        pane.scrollTop += own - top - 8;
        return;
      }
      left -= node.length;
    }
  }
}

/** Let the seen side and a long text scroll together; `begins` is where the whole begins there. */
export function together(left, exact, begins, stretches, full, signal) {
  const known = stretches.filter(([, , state]) => state !== 0);
  const length = exact.reduce((sum, one) => sum + one.textContent.length, 0);
  const [head, tail] = [known[0], known[1]];
  // Where the tail begins on the left: its end is the end of the text.
  const turn = tail ? length - (tail[1] - tail[0]) : length;
  const toFull = (at) => {
    if (at >= turn) return tail[0] + at - turn;
    return Math.min(Math.max(at - begins, 0), head[1]);
  };
  const toSeen = (at) => (tail && at >= tail[0] ? turn + at - tail[0] : begins + Math.min(at, head[1]));
  // Only the pane under the hand leads.
  let leads = null;
  const lead = (pane) => () => {
    leads = pane;
  };
  for (const [pane, other] of [
    [left, full.body],
    [full.body, left],
  ]) {
    for (const kind of ["wheel", "pointerdown", "keydown", "focusin", "touchstart"]) {
      pane.addEventListener(kind, lead(pane), { passive: true, signal });
    }
    const follow = () => {
      if (leads !== pane || !other.isConnected) return;
      if (pane === left) {
        const at = topOf(left, exact);
        if (at !== null) full.go(toFull(at));
      } else {
        const at = full.top();
        if (at !== null) scrollPane(left, exact, toSeen(at));
      }
    };
    pane.addEventListener("scroll", follow, { signal });
  }
}
