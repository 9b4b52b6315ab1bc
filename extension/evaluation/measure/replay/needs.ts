import { phraseMatcher } from '../../../engine/language/loss-report';
import { TextIndex } from '../../../engine/language/paraphrase';
import type { Boundary } from './boundaries';
import { directionsInForce } from './directions-in-force';
import { NameIndex, namesIn, textOfMessages, usedBy } from './names';

/** What the work after a boundary needed from the replaced entries. */
export interface Needs {
  readonly names: readonly string[];
  readonly directions: readonly string[];
}

/** Names from the replaced entries that the following work used, and the person's directions there that were in force. */
export function needsOf({ replaced, prompts, after }: Boundary): Needs {
  const known = new NameIndex(textOfMessages(replaced));
  return {
    names: [...namesIn(usedBy(after, { written: false }))].filter((name) => known.holds(name)),
    directions: directionsInForce(prompts, replaced),
  };
}

/**
 * The needs that a text keeps. A direction is kept if it occurs verbatim except for white space, or if one place
 * paraphrases it: with most of its distinctive words, every number and limit, and the same negation.
 */
export function findHeld(text: string, { names, directions }: Needs): Needs {
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
