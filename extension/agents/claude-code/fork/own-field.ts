import { endOfString } from '../../../platform/json/json-text';

/**
 * Replaces the value of a top-level string field in the text of a JSON object. `value` is JSON. The rest of the text
 * stays as it is, nested fields of the same name included.
 */
export function withField(text: string, name: string, value: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end } of ownStringValues(text, name)) {
    pieces.push(text.slice(copied, start), value);
    copied = end;
  }
  return pieces.join('') + text.slice(copied);
}

/** A range of the text; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function* ownStringValues(text: string, name: string): Generator<Span> {
  let depth = 0;
  let key: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) key = null;
    if (character !== '"') continue;
    const span = { start: at, end: endOfString(text, at + 1) ?? text.length };
    at = span.end - 1;
    if (depth !== 1) continue;
    if (key === null) key = JSON.parse(text.slice(span.start, span.end));
    else if (key === name) yield span;
  }
}
