import type { Branch } from '../conversation/branch';
import { type Entry, isPrompt, textOf } from '../conversation/entry';

/** A message of the person that is tracked through the compactions. */
export interface TrackedMessage {
  readonly text: string;
  /** The entries that say it, oldest first: it may be repeated word for word. */
  readonly entryIds: readonly string[];
}

const mostMessages = 5;

/** The person's first messages on this branch, each text once. Linear in the number of messages. */
export function firstMessages(branch: Branch): TrackedMessage[] {
  const sayers = new Map<string, string[]>();
  for (const { id, parts } of messagesOn(branch)) {
    const text = textOf(parts).trim();
    const known = sayers.get(text);
    if (known) known.push(id);
    else if (text !== '' && sayers.size < mostMessages) sayers.set(text, [id]);
  }
  return [...sayers].map(([text, entryIds]) => ({ text, entryIds }));
}

/** The person's messages on this branch, oldest first. */
export function messagesOn({ entries }: Branch): Entry[] {
  return entries.map(({ entry }) => entry).filter(isPrompt);
}
