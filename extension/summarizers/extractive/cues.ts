/**
 * Words that reveal the kind of a sentence. They only decide which verbatim sentence goes into which section; in other
 * languages, the first and last sentences of each reply and the artifacts are still used.
 */
export const cues = {
  decision:
    /\b(?:because|decided?|cho(?:se|ose)|instead of|rather than|went with|go(?:ing)? with|opted|prefer|so that|approach|trade-?off)\b/i,
  finding:
    /\b(?:found|turns out|root cause|the (?:issue|problem|bug|cause|reason)|confirm(?:s|ed)|shows?|means|returns|expects|already|currently|actually|only works|note that)\b/i,
  deadEnd:
    /\b(?:did(?:n['’]t| not) work|do(?:es)?(?:n['’]t| not) work(?! (?:that way|like))|(?:won['’]t|will not|wouldn['’]t) work|fail(?:s|ed)?|revert(?:ed)?|abandon(?:ed)?|was wrong|broke|unfortunately|not possible|gave up|dead end)\b/i,
  milestone:
    /\b(?:created|added|implemented|fixed|updated|removed|refactored|renamed|moved|wrote|done|complete[d]?|pass(?:es|ed|ing)?|works|committed|pushed|merged|resolved|finished)\b/i,
  open: /\b(?:next (?:step|task|up|i|we)|to-?do|remain(?:s|ing)|(?:i|we)(?:['’]ll)? (?:still )?(?:need|have) to|still (?:needs?|has) to|(?:still )?needs? to be|pending (?:work|items?|tasks?|steps?|questions?|review)|blocked (?:by|on)|open question|would you|should (?:i|we)|shall (?:i|we)|want me to|not yet|follow-?up)\b/i,
} as const satisfies Record<string, RegExp>;

/** Announcements and pleasantries, which no block includes (docs/specification.md, `summary.omit`). */
const filler =
  /^(?:(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|ah|interesting|alright|now|and|first|next)\b[\s,!.:—-]*)*(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i can see|you['’]re (?:absolutely )?right)\b/i;
const exclamation = /^(?:ok(?:ay)?|sure|great|perfect|excellent|good|got it|done|ah|interesting|alright)[!.,]?$/i;

const fewestWords = 4;

/** Two words are a heading or an exclamation, except in scripts without spaces. */
function isTooShort(sentence: string): boolean {
  return /^[\x20-\u024f‘-’“-”–—…]*$/.test(sentence) && sentence.split(/\s+/).length < fewestWords;
}

export function isFiller(sentence: string): boolean {
  return filler.test(sentence) || exclamation.test(sentence) || /:[*_]*$/.test(sentence) || isTooShort(sentence);
}

const done =
  'added|adapted|applied|built|changed|cleaned|committed|completed|consolidated|converted|corrected|created|deleted|documented|eliminated|extended|extracted|finished|fixed|implemented|improved|installed|introduced|merged|migrated|moved|pushed|reduced|refactored|removed|renamed|replaced|resolved|restored|reverted|rewrote|shortened|simplified|split|updated|verified|wrote';
const adverbs = '(?:(?:now|also|just|then|already|all|both|\\w+ly) )*';

const ofMe = new RegExp(`\\b(?:i|we)(?:['’]ve| have)? ${adverbs}(?:${done})\\b`, 'i');

/** "Added…", "`run()` removed…", "…has been added", "all tests pass". */
const reports: readonly RegExp[] = [
  new RegExp(`^[^\\p{L}\\p{N}\`]*(?:${done})\\b(?! (?:them|it|their)\\b)`, 'iu'),
  new RegExp(`^\\W*\`[^\`]+\`(?: [-–—])? (?:${done})\\b`, 'i'),
  new RegExp(`\\b(?:has|have) ${adverbs}been ${adverbs}(?:${done}|written|done)\\b`, 'i'),
  new RegExp(`\\b(?:is|are) now ${adverbs}(?:${done}|written|done|complete|clean|green)\\b`, 'i'),
  /^\W*(?:it['’]s |everything (?:is )?|all )(?:all )?(?:clean, )?(?:all )?(?:committed|done|complete|finished|merged)\b/i,
  /\b(?:tests?|checks?|build|lint(?:er|ing)?|suite)\b[^.;:]{0,60} (?:now )?(?:pass(?:es|ed)?|succeed(?:s|ed)?|is green|are green|works now)\b/i,
];

/** Turns what would be a report into a plan, a wish or a condition. */
const unsettled =
  /\b(?:would|will|should|shall|could|might|may|must|cannot|can['’]t|needs? to|want|let['’]?s|let me|to-?do|until|unless|make sure|not|\w+n['’]t|once|whether|so that|i['’]ll)\b|^\W*(?:if|when|after|before)\b/i;

/**
 * Whether a sentence reports finished work by the agent, as opposed to a plan, a wish, a description or the work of
 * others.
 */
export function isReport(sentence: string): boolean {
  if (isOfUser(sentence)) return false;
  const mine = ofMe.exec(sentence);
  if (mine) return !unsettled.test(sentence.slice(0, mine.index));
  return reports.some((report) => report.test(sentence)) && !unsettled.test(sentence);
}

const ofUser =
  /^\W*(?:(?:the|a) )?(?:users?|you)\b|\busers? (?:can(?:not|['’]t)?|did|does|do|ran|runs|had|has|have|\w+ed|submits?|types?|sees?|still|wants?|is|was|are|were|will|would)\b|\byou(?:['’]ve|['’]d| have| had| just)* (?:\w+ed|ran|did|wrote|made|went|said|sent|put|set|had)\b/i;

/** Whether a sentence is about the user's actions. */
export function isOfUser(sentence: string): boolean {
  return ofUser.test(sentence);
}

/** Whether a sentence offers or asks something, which the next turn settles. */
export function isOffer(sentence: string): boolean {
  return /\b(?:would you|should (?:i|we)|shall (?:i|we)|want me to|let me know|ready (?:for|to))\b/i.test(sentence);
}
