import { type Cell, ownColors, type Screen } from '../inside/screen';

/** Size of a character in pixels, in a monospaced font of 14 pixels. */
const cell = { width: 8.4, height: 18 };
const margin = 12;

/** The screen as a picture. Its text stays text, so that it can be read, searched and scaled. */
export function screenSvg(screen: Screen, title: string, home: string): string {
  const lines = withoutEmptyEnd(screen.cells);
  const [width, height] = [screen.columns * cell.width + 2 * margin, lines.length * cell.height + 2 * margin];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="6" fill="${ownColors.background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${ownColors.text}">`,
    ...lines.flatMap((line, row) => runsOf(line).flatMap((run) => drawn(inHome(run, home), row))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Adjacent cells with the same style. */
interface Run {
  readonly at: number;
  readonly columns: number;
  readonly text: string;
  readonly look: Cell;
}

function runsOf(line: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const look of line) {
    const last = runs.at(-1);
    if (last && styleOf(last.look) === styleOf(look)) {
      runs.splice(-1, 1, { ...last, columns: last.columns + look.columns, text: last.text + look.text });
    } else runs.push({ at, columns: look.columns, text: look.text, look });
    at += look.columns;
  }
  return runs;
}

/** Shows the folder of a test as a person's own home. */
function inHome(run: Run, home: string): Run {
  const text = run.text.replaceAll(home, '~');
  return text === run.text ? run : { ...run, text, columns: text.length };
}

function styleOf({ text: _, columns: __, ...style }: Cell): string {
  return JSON.stringify(style);
}

function drawn({ at, columns, text, look }: Run, row: number): string[] {
  const [x, y] = [round(margin + at * cell.width), margin + row * cell.height];
  const width = round(columns * cell.width);
  const behind = look.background
    ? [`<rect x="${x}" y="${y}" width="${width}" height="${cell.height}" fill="${look.background}"/>`]
    : [];
  if (text.trim() === '') return behind;
  const style = [
    look.color ? ` fill="${look.color}"` : '',
    look.isBold ? ' font-weight="bold"' : '',
    look.isItalic ? ' font-style="italic"' : '',
    look.isUnderlined ? ' text-decoration="underline"' : '',
    look.isDim ? ' opacity="0.6"' : '',
  ].join('');
  const place = `x="${x}" y="${y + 13}" textLength="${width}"`;
  return [...behind, `<text ${place}${style} xml:space="preserve">${escaped(text)}</text>`];
}

function withoutEmptyEnd(lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const last = lines.findLastIndex((line) => line.some(({ text, background }) => text.trim() !== '' || background));
  return lines.slice(0, last + 1);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
