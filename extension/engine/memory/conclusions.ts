import { isCode, sentencesOf } from '../language/sentences';

/** What a sentence of the agent states, judged by its wording. */
export const conclusionKinds = ['dead-end', 'decision', 'finding', 'done', 'open'] as const;
export type ConclusionKind = (typeof conclusionKinds)[number];

export interface Conclusion {
  readonly kind: ConclusionKind;
  /** Verbatim. */
  readonly sentence: string;
}

/** The first match decides: a sentence about a failure often gives a reason too. */
const wordings: Readonly<Record<ConclusionKind, RegExp>> = {
  'dead-end':
    /\b(?:did(?:n['’]t| not) (?:work|help)|does(?:n['’]t| not) work|still fail(?:s|ing)?|fail(?:s|ed) (?:because|with)|revert(?:ed|ing)?|gave up|dead end|not possible|was wrong)\b/i,
  decision:
    /\b(?:decided?|cho(?:se|sen|ose)|instead of|rather than|went with|going with|opted|trade-?off|settled on)\b/i,
  finding:
    /\b(?:found|turns out|root cause|the (?:issue|problem|bug|cause|reason) (?:is|was)|because|confirm(?:s|ed)|shows? that|means that|it seems|already (?:has|have|exists?|handles?)|depends on)\b/i,
  done: /\b(?:created|added|implemented|fixed|updated|removed|refactored|renamed|moved|wrote|done|completed?|pass(?:es|ed)?|works now|resolved|finished|committed)\b/i,
  open: /\b(?:to-?do|remaining|still needs?|still have to|next step|blocked|open question|not yet|follow-?up|would you like)\b/i,
};

const announcement =
  /^(?:(?:ok(?:ay)?|now|first|next|great|sure|alright)[,.!]?\s+)*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to)\b/i;

/** Headings and interjections have the words of a conclusion too. */
const minWords = 4;

/** The agent's conclusions in a text, in order. Announcements and pasted code are none. */
export function conclusionsOf(text: string): Conclusion[] {
  return informativeSentences(text).flatMap((sentence) => {
    if (sentence.split(/\s+/).length < minWords) return [];
    const kind = conclusionKinds.find((candidate) => wordings[candidate].test(sentence));
    return kind === undefined ? [] : [{ kind, sentence }];
  });
}

/** The informative sentences of a text: no code, no announcements, no lead-in that ends with a colon. */
export function informativeSentences(text: string): string[] {
  return sentencesOf(text).filter(
    (sentence) => !isCode(sentence) && !announcement.test(sentence) && !/:[*_]*$/.test(sentence),
  );
}
