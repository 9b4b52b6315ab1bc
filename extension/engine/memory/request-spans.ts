import { type Entry, isPrompt, textOf } from '../conversation/entry';

/** A user's request and everything up to the next request. */
export interface RequestSpan {
  readonly request: Entry | null;
  /** Without the user's entry. */
  readonly entries: readonly Entry[];
}

/**
 * Groups the entries of a block by request. Entries beneath swallowed blocks have lost their turns and regain them
 * here.
 */
export function requestSpans(entries: readonly Entry[]): RequestSpan[] {
  const spans: { request: Entry | null; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const current = spans.at(-1);
    if (isRequest(entry)) spans.push({ request: entry, entries: [] });
    else if (current) current.entries.push(entry);
    else spans.push({ request: null, entries: [entry] });
  }
  return spans;
}

export function isRequest(entry: Entry): boolean {
  return isPrompt(entry) && textOf(entry.parts).trim() !== '';
}
