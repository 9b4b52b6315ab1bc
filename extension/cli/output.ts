import { visibleJson, visibleText } from '../protocol/visible-text';

export function warn(message: string): void {
  process.stderr.write(`strata: ${visibleText(message)}\n`);
}

/** A session's text can neither control the terminal nor hide or reorder what a person reads. */
export function print(text: string): void {
  process.stdout.write(`${visibleText(text)}\n`);
}

/**
 * In UTF-16 units. A longer text gets memory of its own from V8 and from Node.js, which takes longer. One text of many megabytes takes
 * several times as long as its parts, because one rare character widens all of it.
 */
const maxPiece = 32_768;

/** Prints texts with an empty line between them. */
export function printParagraphs(texts: readonly string[]): void {
  let piece = '';
  for (const [index, text] of texts.entries()) {
    piece += index < texts.length - 1 ? `${text}\n\n` : text;
    if (piece.length < maxPiece) continue;
    process.stdout.write(visibleText(piece));
    piece = '';
  }
  print(piece);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value, null, 2))}\n`);
}
