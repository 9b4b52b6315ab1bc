/** How tools write, and people do not: what a line of a log, of a stack trace or of a shell looks like. */
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
  /^(?:➜|❯|\$ |\w+@[\w.-]+:\S*[$#] )/,
];

/** Source code, whatever its language. */
const codeMark = /[;{}]$|=>|➜|^(?:at|import|export|return|const|let|var|function)\s.*[(){};]|\(node:|^\$ /;

/** A pasted line of code, of a log or of a stack trace: not something that anyone says. */
export function isCode(sentence: string): boolean {
  const letters = sentence.replace(/[^\p{L}\p{M} ]/gu, '').length;
  return codeMark.test(sentence) || letters < sentence.length * 0.7;
}

/** Where a dump of data begins, with or without the error that it came with. */
const dataStart = /^(?:[\w.]*(?:Error|Exception)\b[: ]*)?(?:\d{3}\s+)?[{[]\s*["{[]/i;

/** What a tool wrote rather than a person or an agent: a whole line of it. */
export function isOutput(line: string): boolean {
  return dataStart.test(line) || outputMarks.some((mark) => mark.test(line));
}

/** One line of a text, trimmed; null in place of one that nobody says. */
export type SpokenLine = string | null;

/**
 * The lines of a text without code blocks, table rows and pasted output. In a text that is pasted for its larger part,
 * what stands between two pasted lines of one paragraph is pasted as well.
 */
export function spokenLines(text: string): SpokenLine[] {
  const lines = text.split('\n').map((line) => line.trim());
  const isSaid = withoutOutput(lines);
  return withoutCodeBlocks(lines).map((line, index) => (isSaid[index] ? line : null));
}

function withoutOutput(lines: readonly string[]): boolean[] {
  const isOutputAt = outputLines(lines);
  const isPastedAt = lines.map((line, index) => isOutputAt[index] === true || isCodeLine(line));
  const pasted = lines.filter((_, index) => isPastedAt[index]).join('').length;
  if (pasted * 2 > lines.join('').length) fillBetween(lines, isPastedAt, isOutputAt);
  return isOutputAt.map((isOut) => !isOut);
}

function withoutCodeBlocks(lines: readonly string[]): SpokenLine[] {
  let inCode = false;
  return lines.map((line) => {
    const isFence = line.startsWith('```');
    if (isFence) inCode = !inCode;
    return isFence || inCode || line.startsWith('|') ? null : line;
  });
}

/** A dump that a terminal wrapped goes on until its brackets are closed or the paragraph ends. */
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

/** A list of names is mostly marks, too, but its items may be what the person asks for. */
function isCodeLine(line: string): boolean {
  return line !== '' && !/^(?:[-*+•]|\d+[.)])\s/.test(line) && isCode(line);
}

/** A line of code that stands alone is left to whoever reads its sentences: one of them may be a person's. */
function fillBetween(lines: readonly string[], isPastedAt: readonly boolean[], isOutputAt: boolean[]): void {
  let last = -1;
  for (const [index, line] of lines.entries()) {
    if (line === '') last = -1;
    if (!isPastedAt[index]) continue;
    if (last >= 0) isOutputAt.fill(true, last + 1, index);
    last = index;
  }
}
