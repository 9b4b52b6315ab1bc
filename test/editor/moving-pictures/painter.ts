import type { Browser, Page } from 'playwright-core';
import type { Frame } from './animated-webp.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A picture of the screen with the mouse on it. */
export interface Shot {
  readonly png: Buffer;
  readonly mouse: Point | null;
  readonly isPressed: boolean;
  readonly durationMs: number;
}

/**
 * Draws the mouse, which no screenshot has, and encodes what changed since the frame before. It does so in a page of
 * the browser.
 */
export class Painter {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<Painter> {
    const page = await browser.newPage();
    await page.evaluate(paintingProgram);
    return new Painter(page);
  }

  /** The frame that leads from the previous shot to this one; null if nothing changed. */
  async paint({ png, mouse, isPressed, durationMs }: Shot): Promise<Frame | null> {
    const painted = await this.#page.evaluate((shot) => (globalThis as unknown as PaintingPage).paint(shot), {
      png: png.toString('base64'),
      mouse,
      isPressed,
    });
    if (painted === null) return null;
    const { webp, ...place } = painted;
    return { ...place, webp: Buffer.from(webp, 'base64'), durationMs };
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}

interface Painted {
  readonly webp: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PaintingPage {
  paint(shot: { png: string; mouse: Point | null; isPressed: boolean }): Promise<Painted | null>;
}

/** Runs in the page, and defines `paint` there. */
function paintingProgram(): void {
  let before: ImageData | null = null;

  const paint: PaintingPage['paint'] = async ({ png, mouse, isPressed }) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = contextOf(canvas);
    context.drawImage(picture, 0, 0);
    if (mouse !== null) drawMouse(context, mouse, isPressed);
    const now = context.getImageData(0, 0, canvas.width, canvas.height);
    const changed =
      before === null ? { x: 0, y: 0, width: canvas.width, height: canvas.height } : difference(before, now);
    before = now;
    if (changed === null) return null;
    const { x, y, width, height } = changed;
    const part = new OffscreenCanvas(width, height);
    contextOf(part).putImageData(now, -x, -y);
    // At the highest quality the format is lossless, which is also the smallest for text.
    const blob = await part.convertToBlob({ type: 'image/webp', quality: 1 });
    const encoded = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (const byte of encoded) text += String.fromCharCode(byte);
    return { webp: btoa(text), ...changed };
  };

  function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('The browser has no canvas.');
    return context;
  }

  function drawMouse(context: OffscreenCanvasRenderingContext2D, { x, y }: Point, isPressed: boolean): void {
    if (isPressed) {
      context.fillStyle = 'rgba(255, 200, 60, 0.45)';
      context.beginPath();
      context.arc(x, y, 16, 0, 2 * Math.PI);
      context.fill();
    }
    context.beginPath();
    for (const [right, down] of [
      [0, 0],
      [0, 17],
      [4, 13.5],
      [6.8, 20],
      [9.6, 18.8],
      [6.9, 12.6],
      [12.2, 12.2],
    ] as const)
      context.lineTo(x + right, y + down);
    context.closePath();
    context.fillStyle = 'white';
    context.strokeStyle = 'black';
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
  }

  /** The smallest rectangle that contains all differences. Its coordinates are even. */
  function difference(from: ImageData, to: ImageData) {
    const [a, b] = [new Uint32Array(from.data.buffer), new Uint32Array(to.data.buffer)];
    let [left, top, right, bottom] = [to.width, to.height, -1, -1];
    for (let y = 0, at = 0; y < to.height; y += 1) {
      for (let x = 0; x < to.width; x += 1, at += 1) {
        if (a[at] === b[at]) continue;
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = y;
      }
    }
    if (right < 0) return null;
    const [x, y] = [left - (left % 2), top - (top % 2)];
    return { x, y, width: right - x + 1, height: bottom - y + 1 };
  }

  Object.assign(globalThis, { paint });
}
