import { oncePerText } from '../../engine/conversation/once-per';
/** A factor for the weight of text that is relevant to the purpose of the block; 1 for unrelated text. */
export type Relevance = (text: string) => number;

/** Instructions are for this very block; the live goal only indicates the present topic. */
const weights = { instructions: 4, liveGoal: 1.5 };
const shortestWord = 4;

export function relevanceTo(instructions: string | null, liveGoal: string | null): Relevance {
  const asked = wordsIn(instructions ?? '');
  const pursued = wordsIn(liveGoal ?? '');
  if (asked.size === 0 && pursued.size === 0) return () => 1;
  return (text) => {
    const words = [...wordsIn(text)];
    if (words.some((word) => asked.has(word))) return weights.instructions;
    return words.some((word) => pursued.has(word)) ? weights.liveGoal : 1;
  };
}

/** The words of a text and of the names in it, in lower case and without plural endings. */
const wordsIn = oncePerText((text: string): ReadonlySet<string> => {
  const spaced = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase();
  const words = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.filter((word) => word.length >= shortestWord && !common.has(word)).map((word) => word.replace(/s$/, '')),
  );
});

const common: ReadonlySet<string> = new Set(
  'about after also and been before does done each from have into keep like make more must need only please should some such than that their them then there these this those very want what when where which will with work would your'.split(
    ' ',
  ),
);
