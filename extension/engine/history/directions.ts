import type { Branch } from '../conversation/branch';
import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { collectArtifacts } from '../language/artifacts';
import { sentencesOf } from '../language/sentences';

/** A sentence in which the user gave a direction or a rule. */
export interface Direction {
  readonly text: string;
  /** The entries that state it: the user's own message and repetitions, oldest first. */
  readonly entryIds: readonly string[];
}

/** Number of first prompts to search, or more until there are enough directions. */
const prompts = { least: 3, most: 10 };
const enoughDirections = 5;

/** The directions in the first turns of this branch, each sentence once. Linear in the number of prompts. */
export function firstDirections({ entries }: Branch): Direction[] {
  const said = entries.map(({ entry }) => entry).filter(isPrompt);
  let count = prompts.least;
  let texts = directionsIn(said.slice(0, count));
  while (texts.length < enoughDirections && count < Math.min(prompts.most, said.length)) {
    count += 1;
    texts = directionsIn(said.slice(0, count));
  }
  const sayers = entriesSaying(new Set(texts), said);
  return texts.map((text) => ({ text, entryIds: sayers.get(text) ?? [] }));
}

function directionsIn(said: readonly Entry[]): string[] {
  const artifacts = collectArtifacts(said);
  return artifacts.filter(({ kind }) => kind === 'direction' || kind === 'constraint').map(({ text }) => text);
}

function entriesSaying(texts: ReadonlySet<string>, said: readonly Entry[]): Map<string, string[]> {
  const sayers = new Map<string, string[]>();
  for (const { id, parts } of said) {
    for (const sentence of new Set(sentencesOf(textOf(parts)))) {
      if (texts.has(sentence)) sayers.set(sentence, [...(sayers.get(sentence) ?? []), id]);
    }
  }
  return sayers;
}
