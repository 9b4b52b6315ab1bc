import { isCode } from '../ledger/code';

/**
 * A summary says "I tried", never "the agent tried" (docs/specification.md, `summary.first-person`). Only the beginning
 * of a sentence or list item counts: elsewhere, these words may be about the product.
 */
const thirdPerson =
  /(?:^|[.!?]\s+)(?:[-*]\s+)?(?:the|an?) (?:ai |coding )?(?:agent|assistant|model|llm) (?:\w+ed|has|had|was|is|did|then|tried|found|ran|wrote|made|read|chose|began)\b/gim;

const toleratedMatches = 1;

export function speaksInThirdPerson(body: string): boolean {
  return [...body.matchAll(thirdPerson)].length > toleratedMatches;
}

/** Matches doubt about the writer's own deeds: "It seems I possibly fixed it." Such a memory is useless. */
const ofOwnDeeds =
  /\b(?:it (?:seems|appears|looks)(?: like| as if)?(?: that)?,? (?:i|we)\b|(?:i|we) (?:seem(?:ed)? to|appear(?:ed)? to|possibly|probably|perhaps|maybe|presumably|apparently|seemingly|may have|might have|could have|likely)\b|(?:possibly|perhaps|maybe|presumably|apparently|probably),? (?:i|we)\b|i (?:think|believe|guess|assume|suppose)(?: that)? (?:i|we)\b|(?:i(?:['’]m| am) )?not (?:entirely |completely |quite )?(?:sure|certain) (?:if|whether|what|that) (?:i|we)\b)/i;

const ofAnything =
  /\b(?:it (?:seems|appears)|seems? to|appears? to|possibly|probably|perhaps|maybe|presumably|might|i (?:think|believe|guess|suppose)|not (?:entirely |completely )?(?:sure|certain))\b/i;

/** Shares of the sentences above which a summary counts as hedged. A suspicion about the work may be worth a sentence. */
const tolerated = { ofOwnDeeds: 0.1, ofAnything: 1 / 3 };

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const listMark = /^[ \t]*(?:[-*+•]|\d+[.)])[ \t]+/;

/** The sentences of a text without headings, code blocks and table rows. */
function sentencesOf(body: string): string[] {
  const prose = body
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||```)/.test(line));
  return prose
    .flatMap((line) => [...segmenter.segment(line.replace(listMark, ''))].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== '');
}

/** The first hedged sentence of a summary that hedges too much; null if it does not. Quotations and code do not count. */
export function hedgedSentence(body: string): string | null {
  const sentences = sentencesOf(body).filter((sentence) => !isCode(sentence));
  const unquoted = sentences.map((sentence) => sentence.replace(/[“"][^”"]*[”"]|`[^`]*`/g, ' '));
  const hedging = (pattern: RegExp) => sentences.filter((_, index) => pattern.test(unquoted[index] ?? ''));
  const own = hedging(ofOwnDeeds);
  const all = hedging(ofAnything);
  const first = own[0] ?? all[0];
  if (first === undefined) return null;
  if (own.length > sentences.length * tolerated.ofOwnDeeds) return first;
  return all.length > sentences.length * tolerated.ofAnything ? first : null;
}

/** In UTF-16 units: an answer that declines is short. */
const longestRefusal = 600;

const refusal =
  /^\W*(?:(?:i['’]?m|i am|we['’]?re)(?: \w+)? (?:sorry|afraid|unable|not able)|sorry\b|(?:i|we) (?:apologi[sz]e|can(?:no|['’])t|cannot|won['’]?t|do(?:n['’]t| not) (?:have|see|feel)|am unable|must decline)|as an? (?:ai|language model)|unfortunately,? (?:i|we)\b)/i;

/** Whether a model apologises instead of writing. */
export function declines(body: string): boolean {
  const text = body.replace(/^#{1,6} .*$/gm, '').trim();
  return text.length <= longestRefusal && refusal.test(text);
}

/** In UTF-16 units: a reply to the conversation is short. */
const longestReply = 1200;

const beginning =
  /^\W*(?:you['’]?re (?:welcome|right|absolutely)|sure\b|of course\b|great\b|got it\b|thank|let me\b|let['’]s\b|i['’]ll\b|i will\b|i['’]m going to\b|(?:shall|should|can|may) i\b|(?:would|do|did|could) you\b|done[.!])/i;

/** Whether a model continues the conversation instead of summarising it: it announces work, or asks at the end. */
export function repliesToConversation(body: string): boolean {
  const text = body.trim();
  return text.length <= longestReply && !/^#{1,6} /m.test(text) && (beginning.test(text) || /[?？]$/.test(text));
}
