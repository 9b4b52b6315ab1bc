import type { Locator, Page } from 'playwright-core';
import { animatedWebp, type Frame } from './animated-webp.ts';
import type { Painter, Point } from './painter.ts';

const glideSteps = 6;
const glideMs = 50;
const pressMs = 250;

/** Milliseconds until a webview has painted a change. */
const settleMs = 300;

/**
 * Records the actions of a person: a few still pictures, each shown as long as it takes to read, with the moving mouse
 * between them.
 */
export class Recorder {
  readonly #page: Page;
  readonly #painter: Painter;
  readonly #frames: Frame[] = [];
  #mouse: Point;
  #still: Buffer | null = null;

  constructor(page: Page, painter: Painter, mouse: Point) {
    this.#page = page;
    this.#painter = painter;
    this.#mouse = mouse;
  }

  /** Shows the current screen for this time. */
  async show(durationMs: number): Promise<void> {
    await this.#page.waitForTimeout(settleMs);
    this.#still = await this.#page.screenshot({ caret: 'hide', animations: 'disabled' });
    await this.#paint(this.#still, durationMs);
  }

  /** Moves the mouse to the middle of an element, or to this share of its width. */
  async moveTo(target: Locator, across = 0.5): Promise<void> {
    await target.waitFor();
    const box = await target.boundingBox();
    if (box === null) throw new Error('The mouse cannot go to what has no place on the screen.');
    const to = { x: box.x + box.width * across, y: box.y + box.height / 2 };
    const from = this.#mouse;
    const still = this.#still ?? (await this.#page.screenshot());
    for (let step = 1; step <= glideSteps; step += 1) {
      const share = step / glideSteps;
      this.#mouse = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      await this.#paint(still, glideMs);
    }
    await this.#page.mouse.move(to.x, to.y);
  }

  async click(target: Locator, across = 0.5): Promise<void> {
    await this.moveTo(target, across);
    await this.#paint(await this.#page.screenshot({ caret: 'hide' }), pressMs, true);
    await target.click({ position: await this.#within(target) });
  }

  /** The mouse position relative to the element, which may have moved a little meanwhile. */
  async #within(target: Locator): Promise<Point> {
    const box = await target.boundingBox();
    if (box === null) throw new Error('The mouse cannot click what has no place on the screen.');
    const inside = (at: number, size: number) => Math.min(Math.max(at, 1), size - 1);
    return { x: inside(this.#mouse.x - box.x, box.width), y: inside(this.#mouse.y - box.y, box.height) };
  }

  /** Types a text, and shows it as it grows. */
  async type(text: string): Promise<void> {
    for (const words of text.match(/\S+\s*\S*\s*/g) ?? []) {
      await this.#page.keyboard.type(words);
      await this.show(150);
    }
  }

  async #paint(png: Buffer, durationMs: number, isPressed = false): Promise<void> {
    const frame = await this.#painter.paint({ png, mouse: this.#mouse, isPressed, durationMs });
    const last = this.#frames.at(-1);
    if (frame !== null) this.#frames.push(frame);
    else if (last !== undefined)
      this.#frames[this.#frames.length - 1] = { ...last, durationMs: last.durationMs + durationMs };
  }

  /** The recording, and its last picture for readers who prefer no motion. */
  finish(): { readonly animated: Buffer; readonly still: Buffer; readonly durationMs: number } {
    const [first] = this.#frames;
    if (first === undefined || this.#still === null) throw new Error('Nothing was recorded.');
    const durationMs = this.#frames.reduce((total, frame) => total + frame.durationMs, 0);
    return { animated: animatedWebp(first, this.#frames), still: this.#still, durationMs };
  }
}
