import { createRequire } from 'node:module';

/** One character on the screen. Colours are CSS; null: the terminal's own. */
export interface Cell {
  readonly text: string;
  readonly columns: number;
  readonly color: string | null;
  readonly background: string | null;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

/** The parts of a terminal emulator that are used here. */
interface Emulator {
  readonly buffer: { readonly active: EmulatedBuffer };
  write(text: string | Uint8Array, done: () => void): void;
  onData(hear: (answer: string) => void): void;
}

interface EmulatedBuffer {
  readonly length: number;
  readonly baseY: number;
  getLine(line: number): EmulatedLine | undefined;
}

interface EmulatedLine {
  readonly length: number;
  readonly isWrapped: boolean;
  getCell(column: number): EmulatedCell | undefined;
  translateToString(isTrimmed: boolean): string;
}

interface EmulatedCell {
  getChars(): string;
  getWidth(): number;
  getFgColor(): number;
  getBgColor(): number;
  isFgRGB(): boolean;
  isFgPalette(): boolean;
  isBgRGB(): boolean;
  isBgPalette(): boolean;
  isBold(): number;
  isDim(): number;
  isItalic(): number;
  isUnderline(): number;
  isInverse(): number;
}

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as {
  readonly Terminal: new (options: object) => Emulator;
};

/** The screen of a program in a terminal: the text as a person sees it, however it was drawn. */
export class Screen {
  readonly #emulator: Emulator;

  /** `answer` gets the terminal's replies to queries, for example for the position of its cursor. */
  constructor(
    readonly columns: number,
    readonly rows: number,
    answer: (text: string) => void = () => undefined,
  ) {
    this.#emulator = new Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
    this.#emulator.onData(answer);
  }

  write(output: Uint8Array): Promise<void> {
    return new Promise((done) => this.#emulator.write(output, done));
  }

  /** All lines, including those that scrolled out of view. Long lines are not broken. */
  get text(): string {
    return this.#lines(0)
      .map((line) => `${line.isWrapped ? '' : '\n'}${line.translateToString(true)}`)
      .join('');
  }

  /** The lines in view. */
  get cells(): readonly (readonly Cell[])[] {
    return this.#lines(this.#emulator.buffer.active.baseY).map(cellsOf);
  }

  #lines(from: number): EmulatedLine[] {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: active.length - from }, (_, index) => active.getLine(from + index) ?? []).flat();
  }
}

function cellsOf(line: EmulatedLine): Cell[] {
  return Array.from({ length: line.length }, (_, column) => line.getCell(column)).flatMap((cell) =>
    cell === undefined || cell.getWidth() === 0 ? [] : [cellOf(cell)],
  );
}

function cellOf(cell: EmulatedCell): Cell {
  const color = colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const background = colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  const isInverse = cell.isInverse() !== 0;
  return {
    text: cell.getChars() || ' ',
    columns: cell.getWidth(),
    color: isInverse ? (background ?? inverted.text) : color,
    background: isInverse ? (color ?? inverted.background) : background,
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isItalic: cell.isItalic() !== 0,
    isUnderlined: cell.isUnderline() !== 0,
  };
}

/** The terminal's own colours, which a program can exchange. */
export const ownColors = { text: '#d4d4d4', background: '#1e1e1e' };

const inverted = { text: ownColors.background, background: ownColors.text };

const palette = [
  ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
  ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff'],
];

function colorOf(isRgb: boolean, isPalette: boolean, value: number): string | null {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (!isPalette) return null;
  if (value < palette.length) return palette[value] ?? null;
  return value < 232 ? cubeColor(value - 16) : greyColor(value - 232);
}

/** One of the 216 colours, which have six levels of each of red, green and blue. */
function cubeColor(value: number): string {
  const levels = [Math.floor(value / 36), Math.floor(value / 6) % 6, value % 6];
  return `#${levels.map((level) => hex(level === 0 ? 0 : 55 + level * 40)).join('')}`;
}

function greyColor(value: number): string {
  return `#${hex(8 + value * 10).repeat(3)}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0');
}
