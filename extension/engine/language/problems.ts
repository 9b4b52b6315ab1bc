import { isCode } from './sentences';

/** Of a tool result only the beginning is searched for what went wrong, in UTF-16 units. */
const searched = 8000;
const longestLine = 200;
const linesOfResult = 3;

const telling =
  /\b(?:error|exception|panic|fatal|traceback|failed|failure|cannot|denied|undefined reference|not found|no such file|E[A-Z]{4,})\b/i;

/** The lines of a tool result that say what went wrong; of a failed call the first line in any case. */
export function errorLines(text: string, isError: boolean): string[] {
  if (!isError) return [];
  const lines = linesOf(text);
  const found = lines.filter((line) => telling.test(line) && line.length > 6);
  return (found.length > 0 ? found : lines.slice(0, 1)).slice(0, linesOfResult);
}

/** How compilers, test runners and shells begin to say that something failed; not every line with such a word. */
const problem =
  /\b(?:error|fatal|panic|failed|failure)\b\s*(?:TS\d+|\[\w+\])?:|\b(?:error TS\d+|Traceback \(most recent|command not found|No such file or directory|Permission denied|[1-9]\d* (?:errors?|failed|failing|failures?))\b|^(?:\S+ )?(?:FAIL|FAILED|FATAL|ERROR)\b|^\S*(?:Error|Exception)\b:|\b(?:build|tests?|command|compilation|assertion) failed\b|\bnpm ERR!|\bE(?:NOENT|ACCES|EXIST|CONNREFUSED|ADDRINUSE|RESOLVE|PERM|ISDIR|NOTDIR)\b/i;
const noProblem = /\b(?:0|no) (?:errors?|failed|failures?|failing)\b|^[\s✓✔√]*(?:✓|✔|√|ok\b|PASS)/i;

/** A line of a file that a command printed, with its number or its place before it. */
const listed = /^(?:[\w./-]+:)?\d+[:→\t|-]|^[+-]\s|^\s*(?:\/\/|\*|#)/;

/** A command that failed behind a pipe reports no failure, but its output tells of one. */
export function problemLine(text: string): string | undefined {
  return linesOf(text).find((line) => problem.test(line) && !noProblem.test(line) && !isListedCode(line));
}

function isListedCode(line: string): boolean {
  return listed.test(line) ? !/\berror\b/i.test(line.slice(0, 80)) || isCode(line) : /[;{}]$|=>/.test(line);
}

function linesOf(text: string): string[] {
  return text
    .slice(0, searched)
    .split('\n')
    .map((line) => line.trim().slice(0, longestLine))
    .filter((line) => line !== '');
}
