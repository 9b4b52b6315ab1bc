import { type Entry, readableText } from './entry';
import { oncePer } from './once-per';

/**
 * 26^6 references: in one of 600 sessions with 1,000 messages two have the same one, and a lookup then returns both.
 */
const letters = 6;

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

/**
 * A short name of what an entry says. It is derived from the content and not from an id or a position, so that it is the same in
 * a fork, after an undo, and for a message that the agent has in memory and not in its file yet. Reasoning does not count:
 * agents keep it in some of these places only.
 */
export const referenceOf: (entry: Message) => string = oncePer(({ role, parts }: Message) => {
  const hash = new Fingerprint();
  hash.add(role);
  for (const part of parts) {
    if (part.type === 'reasoning') continue;
    if (part.type === 'tool_call' || part.type === 'tool_result') hash.add(part.callId);
    hash.add(part.type === 'tool_call' ? part.name : readableText(part));
  }
  return lettersOf(hash.value);
});

type Message = Pick<Entry, 'role' | 'parts'>;

/** Names all messages from one to another. */
export function rangeOf(first: Message, last: Message): string {
  return first === last ? referenceOf(first) : `${referenceOf(first)}..${referenceOf(last)}`;
}

/** 32-bit FNV-1a over UTF-16 units, without white space: agents and their files differ in it. */
class Fingerprint {
  #state = 0x811c9dc5;

  add(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit > 0x20) this.#state = Math.imul(this.#state ^ unit, 0x01000193);
    }
    this.#state = Math.imul(this.#state ^ 0x20, 0x01000193);
  }

  /** Mixed, because the last units alone would hardly change the highest bits. */
  get value(): number {
    let value = this.#state;
    value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
    value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
    return (value ^ (value >>> 16)) >>> 0;
  }
}

function lettersOf(value: number): string {
  let rest = value;
  let name = '';
  while (name.length < letters) {
    name += alphabet[rest % alphabet.length];
    rest = Math.floor(rest / alphabet.length);
  }
  return name;
}
