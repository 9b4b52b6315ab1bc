import { endOfString, parsedJson } from '../json/json-text';
import { isRecord, type JsonRecord } from '../json/schemas';
import type { RecordShape } from './record-shape';

/** A part of a damaged line: a whole record, or what is left of one. */
interface RecordSpan {
  readonly text: string;
  readonly record: JsonRecord | null;
}

/**
 * Maximum number of characters examined per line, so that a long line of small objects takes at most a second or two.
 */
function mostLooks({ length }: string): number {
  return Math.max(3 * length, Math.min(40 * length, 100_000_000));
}

/** The parts of a line, which zero bytes separate. Blank parts are left out. */
export function recordSpans(line: string, shape: RecordShape): RecordSpan[] {
  return line.split(/\0+/).flatMap((text) => spansBetweenZeros(text, shape));
}

function spansBetweenZeros(text: string, shape: RecordShape): RecordSpan[] {
  const spans: RecordSpan[] = [];
  let looks = mostLooks(text);
  let rest = 0;
  for (let start = text.indexOf('{"'); start >= 0 && looks > 0; start = text.indexOf('{"', Math.max(start + 1, rest))) {
    const end = endOfObject(text, start);
    looks -= (end ?? text.length) - start;
    const next = end === null ? null : skipSpace(text, end);
    // An object inside another one is followed by the rest of that one.
    if (end === null || next === null || (next < text.length && !text.startsWith('{"', next))) continue;
    const record = parsedJson(text.slice(start, end));
    if (!isRecord(record) || (mayBeInside(text.slice(rest, start)) && !shape.fits(record, text))) continue;
    spans.push({ text: text.slice(rest, start), record: null }, { text: text.slice(start, end), record });
    rest = next;
  }
  spans.push({ text: text.slice(rest), record: null });
  return spans.filter((span) => span.text.trim() !== '');
}

/** Whether an object after this piece of a record may be a value in it. */
function mayBeInside(before: string): boolean {
  return /[:[,]\s*$/.test(before.slice(-20)) && !isTextOpen(before);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === '') at += 1;
  return at;
}

const mark = /["{}]/g;

/** The position after the object that begins here; null if the text ends before it does. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  mark.lastIndex = start;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === '"') {
      const end = endOfString(text, mark.lastIndex);
      if (end === null) return null;
      mark.lastIndex = end;
    } else depth += found[0] === '{' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return null;
}

/** Whether a line ends inside a text. `isOpen`: it began inside one. */
export function isTextOpen(line: string, isOpen = false): boolean {
  let at = isOpen ? endOfString(line, 0) : 0;
  while (at !== null) {
    const quote = line.indexOf('"', at);
    if (quote < 0) return false;
    at = endOfString(line, quote + 1);
  }
  return true;
}
