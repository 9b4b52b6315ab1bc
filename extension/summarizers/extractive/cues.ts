/**
 * Words by which a sentence shows what it is. They steer only which verbatim sentence goes where; a language without
 * such words still gets the first and last sentences of each reply, and the artifacts.
 */
export const cues = {
  decision:
    /\b(?:because|decided?|cho(?:se|ose)|instead of|rather than|went with|go(?:ing)? with|opted|prefer|so that|approach|trade-?off)\b/i,
  finding:
    /\b(?:found|turns out|root cause|the (?:issue|problem|bug|cause|reason)|confirm(?:s|ed)|shows?|means|returns|expects|already|currently|actually|only works|note that)\b/i,
  deadEnd:
    /\b(?:did(?:n['’]t| not) work|does(?:n['’]t| not) work|fail(?:s|ed|ing)?|revert(?:ed)?|abandon(?:ed)?|wrong|broke|breaks|unfortunately|can(?:no|['’])t|no longer|not possible|gave up|undo)\b/i,
  milestone:
    /\b(?:created|added|implemented|fixed|updated|removed|refactored|renamed|moved|wrote|done|complete[d]?|pass(?:es|ed|ing)?|works|committed|pushed|merged|resolved|finished)\b/i,
  open: /\b(?:next|to-?do|remaining|still (?:need|have)|need(?:s)? to|pending|blocked|open question|would you|should (?:i|we)|shall (?:i|we)|want me to|not yet|follow-?up)\b/i,
} as const satisfies Record<string, RegExp>;

/** Announcements and pleasantries: what a block must not include (ADR 40). */
const filler =
  /^(?:(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|ah|interesting|alright|now|and|first|next)\b[\s,!.:—-]*)*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i can see|you['’]re (?:absolutely )?right)\b/i;
const exclamation = /^(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|done|ah|interesting|alright)[!.,]?$/i;

const fewestWords = 4;

/** Two words are a heading or a cheer, except in a script that writes them together. */
function isTooShort(sentence: string): boolean {
  return /^[\x20-\u024f‘-’“-”–—…]*$/.test(sentence) && sentence.split(/\s+/).length < fewestWords;
}

export function isFiller(sentence: string): boolean {
  return filler.test(sentence) || exclamation.test(sentence) || /:[*_]*$/.test(sentence) || isTooShort(sentence);
}
