import { type Entry, textOf } from '../conversation/entry';
import { type CoreState, coreText } from '../core/core';

const sectionsOfRules = /^## (?:Lasting Constraints|Constraints|Human Direction)[ \t]*$/;

/** A paraphrase shares most of its telling words with what it paraphrases. */
const leastShared = 0.5;

/**
 * Items under the headings for the person's rules and directions that nothing the person said stands behind: a model
 * may have made them up, or taken them from hostile tool output. Goes by words in common, so it tells of doubt only.
 */
export function unsupportedClaims(body: string, replaced: readonly Entry[], core: CoreState | null): string[] {
  const claims = itemsOfRules(body);
  if (claims.length === 0) return [];
  const said = replaced.filter(({ role, injected }) => role === 'user' && !injected).map(({ parts }) => textOf(parts));
  const known = wordsOf([...said, core ? coreText(core) : ''].join('\n'));
  return claims.filter((claim) => {
    const words = [...wordsOf(claim)];
    const shared = words.filter((word) => known.has(word)).length;
    return words.length > 0 && shared / words.length < leastShared;
  });
}

function itemsOfRules(body: string): string[] {
  let isInside = false;
  return body.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) isInside = sectionsOfRules.test(line);
    const [, item] = /^\s*(?:[-*]|\d+\.)\s+(.+)$/.exec(line) ?? [];
    return isInside && item ? [item] : [];
  });
}

/** Words that tell something: of four letters or more, in lower case; of names, their parts. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}
