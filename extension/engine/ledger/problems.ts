import { isCode } from './code';
import { countsFailures, countsPasses, endOfOutput } from './test-counts';

/** Only the beginning of a tool result is searched for problems. In UTF-16 units. */
const maxSearched = 8000;
const maxLineLength = 200;
const maxErrorLines = 3;

const errorWord =
  /\b(?:error|exception|panic|fatal|traceback|failed|failure|cannot|denied|undefined reference|not found|no such file)\b/i;

/** Codes of the operating system, such as ENOENT. */
const errorCode = /\bE[A-Z]{4,}\b/;

/** The lines of a failed tool result that state the problem, or its first line if none does. */
export function errorLines(text: string, isError: boolean): string[] {
  if (!isError) return [];
  const lines = linesOf(text);
  const found = lines.filter((line) => statesError(line) && line.length > 6);
  return (found.length > 0 ? found : lines.slice(0, 1)).slice(0, maxErrorLines);
}

/** Whether a line names an error, as opposed to a count of none. */
function statesError(line: string): boolean {
  return (errorWord.test(line) || errorCode.test(line)) && !noProblem.test(line);
}

/** How compilers, test runners and shells report failures. A word such as "error" alone is not enough. */
const problem =
  /\b(?:error|fatal|panic|failed|failure)\b\s*(?:TS\d+|\[\w+\])?:|\b(?:error TS\d+|Traceback \(most recent|command not found|No such file or directory|Permission denied|[1-9]\d* (?:errors?|failed|failing|failures?))\b|^(?:\S+ )?(?:FAIL|FAILED|FATAL|ERROR)\b|^\S*(?:Error|Exception)\b:|\b(?:build|tests?|command|compilation|assertion) failed\b|\bnpm ERR!|\bE(?:NOENT|ACCES|EXIST|CONNREFUSED|ADDRINUSE|RESOLVE|PERM|ISDIR|NOTDIR)\b/i;
const noProblem =
  /^[\W\d]*warn(?:ing)?\b|\b(?:0|no) (?:errors?|fail|failed|failures?|failing)\b|^[\s✓✔√]*(?:✓|✔|√|ok\b|PASS)/i;

/** A line of a printed file, with its number or position before it. */
const listedLine = /^(?:[\w./-]+:)?\d+[:→\t|-]|^[+-]\s|^\s*(?:\/\/|\*|#)/;

/** The line of an output that reports a failure. A command that failed in a pipe has no failing exit status. */
export function problemLine(text: string): string | undefined {
  if (endsPassed(text)) return undefined;
  return linesOf(text).find((line) => problem.test(line) && !noProblem.test(line) && !isListedCode(line));
}

/**
 * A test runner counts passes and no failure, and nothing fails after it: problems printed before belong to the tests.
 */
function endsPassed(text: string): boolean {
  const end = linesOf(endOfOutput(text));
  const counted = end.findLastIndex(countsPasses);
  if (counted < 0 || end.some(countsFailures)) return false;
  return !end.slice(counted).some((line) => problem.test(line) && !noProblem.test(line));
}

function isListedCode(line: string): boolean {
  return listedLine.test(line) ? !/\berror\b/i.test(line.slice(0, 80)) || isCode(line) : /[;{}]$|=>/.test(line);
}

/** Colours of a terminal, with or without the escape character. */
const escapes = /\p{Cc}?\[\d{1,3}(?:;\d{1,3})*m/gu;

function linesOf(text: string): string[] {
  return text
    .slice(0, maxSearched)
    .split('\n')
    .map((line) => line.replace(escapes, '').trim().slice(0, maxLineLength))
    .filter((line) => line !== '' && !/^#{1,6}\s/.test(line));
}
