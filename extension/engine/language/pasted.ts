import { oncePerText } from '../conversation/once-per';
import { codeMark, isCode } from '../ledger/code';

export { isCode };

/** Patterns of lines that tools write: logs, stack traces, shell output. */
const outputMarks: readonly RegExp[] = [
  /^(?:uncaught )?(?:[\w.]*(?:Error|Exception)|error)(?: ?\[\w+\]| TS\d+)?:(?:\s|$)/i,
  /^["']?[\w$-]+["']?:\s*(?:(["'`]).*\1,?|[^\s,]+,)$/,
  /^(?:npm|pnpm|yarn) (?:ERR!|error|warn|notice|info)\b/i,
  /^(?:vite v\d|\[vite\]|VITE v\d|[✓✔√×✗✘] |dist\/\S+\s+[\d.,]+ kB)/,
  /^>(?:\s|$)/,
  /^(?:HTTP\/\d|\d{3} [{[])/,
  /^at .*(?:[\w.>-]:\d+(?::\d+)?\)?|\(<anonymous>\)|\(native\))(?: \{)?$/,
  /^(?:File ".*", line \d+|Traceback \(most recent call last\):)/,
  /^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE)\]?(?::|\s*\|| \[| -|$)/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^[\w./@~-]*\w\.\w+(?::\d+:\d+|\(\d+,\d+\))(?:$|:|\)| - )/,
  /^~?\/[^\s/]+\/\S*(?: \([^)]*\))?$/,
  /(?:^|\s)[\w$.<>]+ @ [\w./-]+:\d+/,
  /^\[[A-Z]\w*\] \w|\S\.[cm]?js:\d+(?::\d+)? (?:Uncaught|Warning|Error)\b/,
  /^(?:uncaught\b|at [\w$<>./-]+$|logs? for your project)/i,
  /^(?:remote: |To https?:|(?:Enumerating|Counting|Compressing|Writing|Receiving) objects: |Delta compression |Resolving deltas: )/,
  /^(?:➜|❯|\$ |\w+@[\w.-]+:\S*[$#] )/,
];

/** The same for what a person typed: addresses and numbers alone make it no code. */
export const isPastedCode = oncePerText((sentence: string): boolean => {
  const letters = sentence.replace(/[^\p{L}\p{M} ]/gu, '').length;
  return codeMark.test(sentence) || letters < sentence.length * 0.4;
});

/** The beginning of a data dump, with or without the error that it came with. */
const dataStart = /^(?:[\w.]*(?:Error|Exception)\b[: ]*)?(?:\d{3}\s+)?[{[]\s*["{[]/i;

/** Whether a whole line was written by a tool rather than by a person or an agent. */
export function isOutput(line: string): boolean {
  return dataStart.test(line) || outputMarks.some((mark) => mark.test(line));
}

/** A trimmed line; null if it is not prose. */
export type ProseLine = string | null;

/**
 * The lines of a text without code blocks, table rows and pasted output. If most of the text is pasted, the lines
 * between two pasted lines of a paragraph count as pasted too.
 */
export function proseLines(text: string): ProseLine[] {
  const lines = text.split('\n').map((line) => line.trim());
  const isProse = withoutOutput(lines);
  return withoutCodeBlocks(lines).map((line, index) => (isProse[index] ? line : null));
}

function withoutOutput(lines: readonly string[]): boolean[] {
  const isOutputAt = outputLines(lines);
  const isPastedAt = lines.map((line, index) => isOutputAt[index] === true || isCodeLine(line));
  const pasted = lines.filter((_, index) => isPastedAt[index]).join('').length;
  if (pasted * 2 > lines.join('').length) fillBetween(lines, isPastedAt, isOutputAt);
  return isOutputAt.map((isOut) => !isOut);
}

function withoutCodeBlocks(lines: readonly string[]): ProseLine[] {
  let inCode = false;
  return lines.map((line) => {
    const isFence = line.startsWith('```');
    if (isFence) inCode = !inCode;
    return isFence || inCode || line.startsWith('|') ? null : line;
  });
}

/** A dump that a terminal wrapped continues until its brackets close or the paragraph ends. */
function outputLines(lines: readonly string[]): boolean[] {
  let open = 0;
  return lines.map((line) => {
    if (line === '') open = 0;
    const isData = line !== '' && (open > 0 || dataStart.test(line));
    if (isData) open += openedIn(line);
    return isData || isOutput(line);
  });
}

function openedIn(line: string): number {
  return line.replace(/[^{[]/g, '').length - line.replace(/[^}\]]/g, '').length;
}

/** List items may consist mostly of punctuation but can be what the person asks for. */
function isCodeLine(line: string): boolean {
  return line !== '' && !/^(?:[-*+•]|\d+[.)])\s/.test(line) && isCode(line);
}

/** Single lines of code are left in place: one of their sentences may be the person's. */
function fillBetween(lines: readonly string[], isPastedAt: readonly boolean[], isOutputAt: boolean[]): void {
  let last = -1;
  for (const [index, line] of lines.entries()) {
    if (line === '') last = -1;
    if (!isPastedAt[index]) continue;
    if (last >= 0) isOutputAt.fill(true, last + 1, index);
    last = index;
  }
}
