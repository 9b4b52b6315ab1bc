import { phraseMatcher } from '../../../engine/language/loss-report';
import { TextIndex } from '../../../engine/language/paraphrase';
import type { Boundary } from './boundaries';
import { directionsInForce } from './directions-in-force';
import { NameIndex, namesIn, saidBy, usedBy } from './names';

/** What the work after a boundary needed of the replaced entries. */
export interface Needs {
  readonly names: readonly string[];
  readonly directions: readonly string[];
}

/** Names that were used next and that stood in the replaced entries; the person's directions there that still held. */
export function needsOf({ replaced, prompts, after }: Boundary): Needs {
  const known = new NameIndex(saidBy(replaced));
  return {
    names: [...namesIn(usedBy(after, { written: false }))].filter((name) => known.holds(name)),
    directions: directionsInForce(prompts, replaced),
  };
}

/**
 * Which of them a text holds. A direction is held where it stands verbatim but for white space, or where one place says
 * it in other words: most of its telling words, every number and limit, denied where it is denied.
 */
export function heldIn(text: string, { names, directions }: Needs): Needs {
  const index = new NameIndex(text);
  const isVerbatim = phraseMatcher(text);
  let inOtherWords: TextIndex | null = null;
  const isParaphrased = (said: string) => {
    inOtherWords ??= new TextIndex(text);
    return inOtherWords.paraphrases(said);
  };
  return {
    names: names.filter((name) => index.holds(name)),
    directions: directions.filter((said) => isVerbatim(said) || isParaphrased(said)),
  };
}
