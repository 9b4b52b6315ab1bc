import type { Entry } from '../../../../extension/engine/conversation/entry';
import type { CountTokens } from '../../../../extension/engine/conversation/tokens';
import { NameIndex, namesIn, textOfMessages, usedBy } from '../../../../extension/evaluation/measure/replay/names';

/** Weight of an entry of a call or its result that contains a searched name, relative to the newest entry. */
const besideWeight = 2;

/** The names of replaced entries, with the names that occur beside them. Its time is linear in the text. */
export class NamesTogether {
  readonly #entriesOf = new Map<string, number[]>();
  /** For each entry, the names that work used or mentioned there, and all names in it. */
  readonly #entries: readonly { readonly used: ReadonlySet<string>; readonly all: ReadonlySet<string> }[];

  constructor(replaced: readonly Entry[]) {
    this.#entries = replaced.map((entry) => ({
      used: namesIn(usedBy([entry], { written: false })),
      all: namesIn(textOfMessages([entry])),
    }));
    for (const [at, { all }] of this.#entries.entries())
      for (const name of all) {
        const places = this.#entriesOf.get(name);
        if (places) places.push(at);
        else this.#entriesOf.set(name, [at]);
      }
  }

  /** Names by how often work used them, where newer uses count more, among the names that occur beside `sought`. */
  byUse(sought: ReadonlySet<string> = new Set()): string[] {
    const weights = new Map<string, number>();
    for (const at of this.#entries.keys()) this.#add(at, (at + 1) / this.#entries.length, weights);
    for (const name of sought) {
      const places = this.#entriesOf.get(name) ?? [];
      const near = new Set(places.flatMap((at) => [at - 1, at, at + 1]));
      for (const at of near) this.#add(at, besideWeight / Math.max(1, places.length), weights);
    }
    return [...weights].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).map(([name]) => name);
  }

  #add(at: number, weight: number, weights: Map<string, number>): void {
    const entry = this.#entries[at];
    if (!entry) return;
    const each = (name: string, share: number) => weights.set(name, (weights.get(name) ?? 0) + weight * share);
    for (const name of entry.used) each(name, 1);
    for (const name of entry.all) each(name, 1 / entry.all.size);
  }
}

/** One line with as many of the names as fit that the context does not have. */
export function nameLine(
  names: readonly string[],
  {
    context,
    room,
    countTokens,
  }: { readonly context: string; readonly room: number; readonly countTokens: CountTokens },
): string {
  const held = new NameIndex(context);
  const line: string[] = [];
  let left = room - countTokens('\n- ');
  for (const name of names) {
    if (held.holds(name)) continue;
    left -= countTokens(`, ${name}`);
    if (left < 0) break;
    line.push(name);
  }
  return line.length === 0 ? '' : `\n- ${line.join(', ')}`;
}
