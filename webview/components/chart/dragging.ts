/** Pixels that a pointer may move in a click. */
const clickSlack = 3;

/** Follows a pointer that is pressed and moved over an element, also beyond its edges. */
export class Dragging {
  /** The press that just ended was no click. */
  hasMoved = false;
  #from: number | null = null;

  constructor(element: HTMLElement, onmove: (left: number) => void) {
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.hasMoved = false;
      this.#from = event.clientX;
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (this.#from === null) return;
      this.hasMoved ||= Math.abs(event.clientX - this.#from) > clickSlack;
      if (!this.hasMoved) return;
      const { left, width } = element.getBoundingClientRect();
      onmove(Math.min(width, Math.max(0, event.clientX - left)));
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, () => {
        this.#from = null;
      });
    }
  }
}
