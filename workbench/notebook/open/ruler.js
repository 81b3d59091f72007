// The bar above both sides as a ruler of the whole: it shows where in it what is in view lies, and
// a press, an arrow key or a button goes to another place.

import { button, count, made } from "./draw.js";

const STEP = 0.05;
const NOT_SEEN = 0;

export class Ruler {
  /** `found` has the stretches of the whole, from the kernel; `full` shows it, by place. */
  constructor(bar, found, full) {
    this.full = full;
    this.stretches = found.stretches;
    this.total = this.stretches.at(-1)?.[1] ?? 0;
    this.port = made("span", "wb-sf-port");
    this.port.hidden = true;
    const box = made("div", "wbo-ruler");
    bar.replaceWith(box);
    box.append(bar, this.port);
    this.box = box;
    if (!this.total) return;
    box.tabIndex = 0;
    box.setAttribute("role", "slider");
    box.setAttribute("aria-label", "Place in the whole");
    box.setAttribute("aria-valuemin", "1");
    box.setAttribute("aria-valuemax", String(this.total));
    box.addEventListener("pointerdown", (event) => {
      box.setPointerCapture(event.pointerId);
      this.press(event);
    });
    box.addEventListener("pointermove", (event) => {
      if (event.buttons && box.hasPointerCapture(event.pointerId)) this.press(event);
    });
    box.addEventListener("keydown", (event) => this.key(event));
    full.moved = () => this.draw();
    this.draw();
  }

  press(event) {
    const { left, width } = this.box.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    this.full.go(Math.min(Math.floor(share * this.total), this.total - 1));
  }

  key(event) {
    const step = Math.max(Math.round(this.total * STEP), 1);
    const at = this.full.place()?.[0] ?? 0;
    const to = {
      ArrowLeft: at - step,
      ArrowUp: at - step,
      ArrowRight: at + step,
      ArrowDown: at + step,
      Home: 0,
      End: this.total - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.full.go(Math.min(Math.max(to, 0), this.total - 1));
  }

  /** Show what is in view; nothing where its rows are sorted or filtered. */
  draw() {
    const place = this.full.place();
    this.port.hidden = !place;
    if (!place) return;
    const [from, to] = place;
    this.port.style.left = `${(100 * from) / this.total}%`;
    this.port.style.width = `${(100 * (to - from)) / this.total}%`;
    this.box.setAttribute("aria-valuenow", String(from + 1));
    this.box.setAttribute("aria-valuetext", `${count(from + 1)} to ${count(to)} of ${count(this.total)}`);
  }

  /** Go to the next stretch that was seen, or was not, from what is in view on; then from the start. */
  next(seen) {
    const from = this.full.place()?.[0] ?? -1;
    const alike = this.stretches.filter(([, , state]) => (state !== NOT_SEEN) === seen);
    const found = alike.find(([begin]) => begin > from) ?? alike[0];
    if (found) this.full.go(found[0]);
  }

  /** Return buttons that go to what was seen and to what was not. */
  buttons() {
    const box = made("div", "wbo-tools wbo-go");
    for (const [words, name, seen] of [
      ["seen", "Go to what was seen", true],
      ["not seen", "Go to what was not seen", false],
    ]) {
      if (!this.stretches.some(([, , state]) => (state !== NOT_SEEN) === seen)) continue;
      const one = button(words, () => this.next(seen), name);
      one.classList.add(seen ? "wbo-to-seen" : "wbo-to-kept");
      box.append(one);
    }
    return this.stretches.length > 1 ? box : "";
  }
}
