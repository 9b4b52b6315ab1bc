import { type Entry, isPrompt, textOf, toolCalls } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { contentWords } from './content-words';
import { namesIn } from './names';
import { offeredIn, optionPicked } from './options';
import { replacedRemarks } from './replacements';
import { isCode, isQuestion, sentencesOf, tableRowsOf } from './sentences';
import { isOffer, isTelling, toldBeside, withoutCode } from './telling';

/** Where the agent said something: in the last reply of a turn, beside tool calls, or in its own summary. */
export type RemarkPlace = 'closing' | 'interim' | 'summary';

/** What a remark tells, judged by its wording and by the heading that it stands under. In doubt: `other`. */
export type RemarkKind = 'goal' | 'cause' | 'decision' | 'given-up' | 'report' | 'open' | 'other';

/** A sentence of the agent, verbatim but for white space and list marks. */
export interface Remark {
  readonly text: string;
  readonly kind: RemarkKind;
  readonly place: RemarkPlace;
  readonly entryId: string;
  /** 0 for the oldest entry, towards 1 for the newest. */
  readonly position: number;
  /** Ordinal of the turn. */
  readonly turn: number;
  /** It states how things were at that time, after which the work went on. */
  readonly isEarlier: boolean;
}

/**
 * What the agent said in these entries, oldest first, without announcements, questions, and statements that did not stay
 * true: a state of tests or of the work before later changes, and what a later remark corrects.
 */
export const remarksIn = oncePer((entries: readonly Entry[]): readonly Remark[] => {
  const lastChange = lastChangeAt(entries);
  const remarks = withoutOutdated(allRemarks(entries), lastChange);
  const replaced = replacedRemarks(remarks);
  return remarks.map((remark) => ({
    ...remark,
    isEarlier: replaced.has(remark) || (remark.position < lastChange && isOfItsTime(remark)),
  }));
});

/** It tells how things were, and not what the agent did. */
function isOfItsTime(remark: Dated): boolean {
  return !deed.test(remark.text) && (problem.test(remark.text) || momentary.test(remark.text) || isPassing(remark));
}

/** What runs where, what comes next, and what the agent was about to do. */
const momentary =
  /\bPID\b|\b(?:localhost|127\.0\.0\.1):\d+|(?<![\w.]):\d{4,5}\b|\bport `?\d+|^\W*next (?:up|phase|steps?|task|area)\b|\b(?:i|we)(?:['’]ll| will)\b|\blet me\b|\b(?:is|are) (?:now )?(?:hitting|working on|building|creating|waiting|going|starting)\b/i;

/** What the agent did stays done; whether it was put back is told by later remarks. */
const deed =
  /^\W*(?:i|we)(?:['’]ve| have)? (?:(?:also|now|then) )?(?:\w+ed|wrote|found|made|built|put|set|chose|took|split|ran|kept|left)\b/i;

/** Beside a tool call, the present tense is about that moment, but for a choice. */
function isPassing({ place, kind, text }: Dated): boolean {
  return place === 'interim' && kind !== 'decision' && present.test(text);
}

const present =
  /\b(?:is|are|has|have|does|do|can|there['’]s|it['’]s|that['’]s|uses?|returns?|calls?|needs?|matches|shows?|works?|gets?|goes|contains?|expects?|exists?|runs?)\b|\w+ing\b/i;

const problem =
  /\b(?:fail(?:s|ed|ing|ures?)?|errors?|broken|breaks?|crash\w*|refus\w+|missing|stuck|hangs?|wrong|incorrect\w*|undefined|null|empty|closed|cannot|can['’]t|does(?:n['’]t| not)|is(?:n['’]t| not)|are(?:n['’]t| not)|issues?|bugs?|problems?|down|blocks?|currently|still|at the moment|right now|yet|needs?|never|hardcoded|pre-existing|unused|skips?)\b|`[0-9a-f]{7,10}`/i;

function allRemarks(entries: readonly Entry[]): Dated[] {
  const closings = closingReplies(entries);
  const newest = newestReply(entries);
  const newestSummary = entries.findLast(({ summary }) => summary);
  let turn = 0;
  return entries.flatMap((entry, index) => {
    if (isPrompt(entry)) turn += 1;
    if (entry.role !== 'assistant' && !entry.summary) return [];
    const place: RemarkPlace = entry.summary ? 'summary' : closings.has(entry) ? 'closing' : 'interim';
    const position = index / entries.length;
    const statements = statementsIn(
      entry.summary ? withoutDraft(textOf(entry.parts)) : textOf(entry.parts),
      entry === newest && place === 'interim' ? 'under way' : place,
      entry === newestSummary,
    );
    const standing = entry === newest ? statements : statements.filter(notProposed(entry, promptAfter(entries, index)));
    return standing.map(({ text, kind, isHeaded }) => ({
      ...{ text, place, turn, position, entryId: entry.id },
      kind: kind === 'open' && !isHeaded && entry !== newest ? ('other' as const) : kind,
    }));
  });
}

/** Claude Code asks for an analysis before the summary, and keeps both: the first thinks aloud. */
function withoutDraft(summary: string): string {
  const parts = summary.split(/^\W*Summary:?\W*$/m);
  return parts.length > 1 && /^\W*Analysis:?\W*$/m.test(parts[0] ?? '') ? parts.slice(1).join('\n') : summary;
}

function promptAfter(entries: readonly Entry[], index: number): Entry | undefined {
  return entries.slice(index + 1, index + 1 + nextWithin).find(isPrompt);
}

/** In entries: an answer follows the reply soon. */
const nextWithin = 4;

/** What was offered to choose from is settled by what the person chose, and what was recommended by the answer. */
function notProposed(reply: Entry, answer: Entry | undefined): (statement: Statement) => boolean {
  const isChosen = answer !== undefined && optionPicked(textOf(answer.parts), reply) !== null;
  const offered = isChosen ? offeredIn(reply).map((option) => option.slice(0, comparedLength)) : [];
  return ({ text }) => {
    const plain = text.replaceAll('**', '');
    return !recommendation.test(text) && !offered.some((option) => plain.startsWith(option));
  };
}

const comparedLength = 40;
const recommendation =
  /\bi(?:['’]d| would)? (?:recommend|suggest|propose)\b|\bmy recommendation\b|^\W*recommend(?:ation|ed)\b|^\W*(?:or|alternatively),? just\b|\boption [\da-d]\b/i;

/** The last reply with text to the newest prompt. */
function newestReply(entries: readonly Entry[]): Entry | undefined {
  return entries
    .slice(entries.findLastIndex(isPrompt) + 1)
    .findLast(({ role, parts }) => role === 'assistant' && textOf(parts).trim() !== '');
}

/** The last reply of each turn, if it calls no tool: there the agent says what came of the turn. */
function closingReplies(entries: readonly Entry[]): Set<Entry> {
  const closings = new Set<Entry>();
  let last: Entry | null = null;
  const close = () => {
    if (last !== null && toolCalls(last.parts).length === 0) closings.add(last);
    last = null;
  };
  for (const entry of entries) {
    if (isPrompt(entry)) close();
    else if (entry.role === 'assistant') last = entry;
  }
  close();
  return closings;
}

interface Statement {
  readonly text: string;
  readonly kind: RemarkKind;
  /** A heading gave it its kind. */
  readonly isHeaded: boolean;
}

/**
 * The statements of one text, each with the kind that its heading or its words give it. Plans and suspicions beside a
 * tool call are left out, as they were carried out or dropped since; those of the newest reply are what comes next.
 */
function statementsIn(text: string, place: RemarkPlace | 'under way', isNewest: boolean): Statement[] {
  return sectionsOf(text).flatMap(({ title, body }) => {
    if (place === 'summary' && passingSection.test(title) && !(isNewest && openHeading.test(title))) return [];
    const ofSection = headedKinds.find(([words]) => words.test(title))?.[1] ?? null;
    return [...sentencesOf(body), ...tellingRows(body)].flatMap((whole) => {
      const told = place === 'interim' ? toldBeside(whole) : { sentence: whole, isChoice: false };
      const { sentence } = told;
      if (told.isChoice && !isCode(withoutCode(sentence)))
        return [{ text: sentence, kind: 'decision' as const, isHeaded: false }];
      if (isAnnounced(sentence) && place !== 'closing' && place !== 'summary') {
        return place === 'under way' && !isCode(sentence)
          ? [{ text: sentence, kind: 'open' as const, isHeaded: false }]
          : [];
      }
      const headed = ofSection === 'open' && isOver(sentence) ? null : ofSection;
      const isOpenStep = headed === 'open' && step.test(sentence);
      if (!(isOpenStep || isTelling(sentence)) || (place === 'interim' && hedge.test(sentence))) return [];
      if (place !== 'summary' && ofPerson.test(sentence)) return [];
      return [{ text: sentence, kind: headed ?? kindOf(sentence), isHeaded: headed !== null }];
    });
  });
}

/** Under a heading of open work stand also deeds, states that are reached, and remarks on the list itself. */
function isOver(sentence: string): boolean {
  return deed.test(sentence) || (reached.test(sentence) && !unsettled.test(sentence)) || aside.test(sentence);
}

const reached =
  /\b(?:was|were|(?:has|have) been) (?!not\b)(?:\w+ly )?\w+(?:ed|en)\b|\b(?:is|are) (?:now )?(?:complete[d]?|done|finished|verified|committed|pushed|merged|clean|green)\b/i;
const aside = /^\W*(?:however|but|note)\b/i;

/** Says what the agent is about to do. */
function isAnnounced(sentence: string): boolean {
  return intention.test(sentence) || step.test(sentence) || doing.test(sentence);
}

/** "I’m adding the test now." */
const doing =
  /^\W*(?:(?:now|next|meanwhile|then|so|ok(?:ay)?|good|also|in parallel)\b[\s,—–-]*)*(?:i|we)(?:['’]m| am|['’]re| are) (?:\w+ ){0,2}?\w+ing\b/i;

/** Rows that tell something: two names beside each other are a list. */
function tellingRows(body: string): string[] {
  return tableRowsOf(body).filter((row) => contentWords(row).length >= minRowWords);
}

const minRowWords = 6;

/** Tells what the person did. */
const ofPerson =
  /^\W*(?:(?:the|a) )?(?:users?|you)\b|\busers? (?:ran|had|did|wanted|asked|\w+ed)\b|\byou(?:['’]ve|['’]d| have| had| just)* (?:\w+ed|ran|did|wrote|made|went|said|sent|put|set|had)\b/i;

/** Suspicions beside a tool call were confirmed or ruled out later. */
const hedge =
  /\b(?:probably|likely|might|may be|perhaps|maybe|seems?(?: to| like)?|appears? to|could be|i suspect|i think|possibly|presumably|not sure|wonder)\b/i;

/** Sections of an agent's summary that end with the next step, and the person's words, which are read as such. */
const passingSection =
  /\b(?:current (?:work|state)|pending|next steps?|to-?dos?|in progress|user messages?|instructions?)\b/i;

/** Whether a sentence tells somebody what to do: "Test that it works". */
export function isStep(sentence: string): boolean {
  return step.test(sentence);
}

/** "Now add …", "First, update …", "**Delete** the file": a step that is about to be taken. */
const step =
  /^\W*(?:(?:good|great|ok(?:ay)?|right|perfect|confirmed)\b[\s,.!—–-]*)?(?:(?:now|first|next|then|finally|also|and)\b,?\s+)?(?:re-?)?(?:add|apply|build|check|clean|commit|configure|continue|convert|create|delete|destructure|document|ensure|extract|find|fix|flag|generate|implement|install|look|make|merge|migrate|modify|move|pass|push|read|rebuild|refactor|regenerate|remove|rename|replace|restart|run|search|set|simplify|stage|start|switch|test|update|use|verify|wire|wrap|write|step \d+)\b|^\W*now,? (?!the\b|it\b|that\b|this\b|these\b|all\b|there\b|both\b|we\b|i\b|you\b|\w+s\b)/i;

const intention =
  /\b(?:i|we)(?:['’]ll| will| should| am going to|['’]m going to| need)\b|\blet me\b|\bplease continue\b/i;

const heading = /^\s*(?:#{1,6}\s+(.+)|(?:\d+\.\s+)?\*\*([^*]+?):?\*\*:?|(?:\d+\.\s+)?([\p{Lu}][^.!?:]{2,50}):)\s*$/u;

const openHeading =
  /\b(?:next steps?|remaining|to-?dos?|open (?:items?|questions?|issues?|points?)|what(?:['’]s| is) left|not (?:yet )?done|still (?:open|to do)|follow-?ups?|pending)\b/i;

const headedKinds: readonly (readonly [RegExp, RemarkKind])[] = [
  [/\b(?:request|intent|goals?|objectives?)\b/i, 'goal'],
  [openHeading, 'open'],
  [
    /\b(?:root cause|cause|findings?|why|problems?|issues?|bugs?|diagnosis|analysis|discover(?:y|ies)|what i found|errors?(?: and fixes)?)\b/i,
    'cause',
  ],
  [/\b(?:decisions?|design|approach|rationale|trade-?offs?)\b/i, 'decision'],
  [/\b(?:dead ends?|what did(?:n['’]t| not) work|abandoned|rejected)\b/i, 'given-up'],
];

/** A text by its headings. */
export function sectionsOf(text: string): { title: string; body: string }[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  for (const line of text.split('\n')) {
    const [, hash, bold, plain] = heading.exec(line) ?? [];
    const title = hash ?? bold ?? plain;
    if (title === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ title, lines: [] });
  }
  return sections.map(({ title, lines }) => ({ title, body: lines.join('\n') }));
}

/**
 * A deed that is over: with its subject, in the passive, or at the beginning. “Publish updated metadata” and “the fixed
 * version” tell none.
 */
const participles =
  'added|created|implemented|fixed|updated|removed|refactored|renamed|moved|written|completed|committed|pushed|merged|resolved|finished|replaced|deployed|verified|rewrote|rewritten|changed|extracted|wired|cleaned|installed|restored|regenerated';
const deeds = new RegExp(
  `(?:^\\W*(?:\\w+(?: \\w+)?[:–—]\\W*)?|\\b(?:i|we|and|now|all|also|already|successfully|then|just|fully|have|has|had|been|was|were|is|are|got|gets|it|agent|worker|commit)\\W+)(?:${participles}|wrote)\\b|\\w (?:${participles})(?=[.!,;)]|$| (?:in|to|from|by|with|and|at|on|as|into|for)\\b)|\\b(?:pass(?:es|ed|ing)?|works)\\b`,
  'i',
);

const wordings: readonly (readonly [RegExp, RemarkKind])[] = [
  [
    /\b(?:i|we)\b[^.;]{0,80}\b(?:gave up|abandoned|reverted|rolled back|backed out|scrapped|discarded|undid|put .{1,40} back)\b|\b(?:tried|attempted)\b[^.;]{0,120}\b(?:but|which|and it)\b[^.;]{0,60}(?:n['’]t work|not work|fail(?:s|ed)|broke|too slow|made things worse)|\bdead end\b/i,
    'given-up',
  ],
  [/\b(?:i|we)(?:['’]ve| have)? (?:decided|chose|chosen|opted|went with|settled|agreed)\b|\bgoing with\b/i, 'decision'],
  [
    /\b(?:root cause|turns? out|the (?:actual |real |underlying )?(?:issue|problem|bug|cause|culprit|reason)\b[^.;]{0,40}\b(?:is|was|lies)\b|(?:because|since|due to)\b|caused by|confirm(?:s|ed) that|found (?:it|that|the)|that['’]s why|which (?:means|explains))/i,
    'cause',
  ],
  [/\b(?:instead of|rather than|so that|trade-?off)\b/i, 'decision'],
  [
    /\b(?:remain(?:s|ing)?|still (?:needs?|to|missing|fail(?:s|ing)?|open)|not yet|next step|to-?do|follow-?up|pending (?:work|items?|tasks?|steps?|questions?|review)|blocked (?:by|on)|needs? to be)\b/i,
    'open',
  ],
  [deeds, 'report'],
];

function kindOf(sentence: string): RemarkKind {
  for (const [words, kind] of wordings) {
    const found = words.exec(sentence);
    if (found) return kind === 'report' && unsettled.test(sentence.slice(0, found.index)) ? 'other' : kind;
  }
  return 'other';
}

/** Makes a plan, a wish or a condition of what would be a report. */
const unsettled =
  /\b(?:would|will|should|shall|could|might|may|must|cannot|can['’]t|needs? to|want|to-?do|until|unless|make sure|not|\w+n['’]t|once|whether)\b/i;

/** A state that the next change may end. */
const passingState =
  /\bstash(?:ed)?\b|\b(?:tests?|checks?|builds?|lint(?:er|ing)?|suite|types?|compil\w+|ci|pipeline)\b[^.;]{0,60}\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?|fail(?:s|ed|ing)?|broken|red|error)|\b(?:all|everything)\b[^.;]{0,30}\b(?:done|complete[d]?|working|works|green|pass(?:es|ing)?|running|up)\b|\bno (?:errors|failures|issues)\b|\b(?:still|currently|now) (?:fail(?:s|ing)?|broken|running|waiting)\b|\b(?:in progress|is running|are running)\b|\bshould (?:complete|finish|work|be (?:done|ready|live|available|up))\b|\b(?:in|takes?) (?:a few|about|\d+)\b[^.;]{0,12}\b(?:minutes?|seconds?)\b|\b(?:fix|change|site|page|deployment|it) is (?:now )?live\b/i;

const correction =
  /^\W*(?:actually|wait|no,|hmm|correction|i was wrong|my mistake|on closer|turns out|however, (?:it|this|that))\b/i;
const restoring = /\b(?:restored?|re-?added|put back|reverted|reinstated|brought back|undid)\b/i;

/** Content words that two remarks have to share to be about the same. */
const minShared = 3;

type Dated = Omit<Remark, 'isEarlier'>;

function withoutOutdated(remarks: readonly Dated[], lastChange: number): Dated[] {
  const overturned = new Set<Dated>();
  const turnsOfRemarks = remarks.at(-1)?.turn ?? 0;
  for (const [at, remark] of remarks.entries()) {
    const isOld = remark.position < lastChange || remark.turn < turnsOfRemarks || remark.place === 'interim';
    if (passingState.test(remark.text) && isOld) overturned.add(remark);
    if (!correction.test(remark.text) && !restoring.test(remark.text)) continue;
    for (const earlier of overturnedBy(remark, remarks.slice(Math.max(0, at - window), at))) overturned.add(earlier);
  }
  return remarks.filter((remark) => !overturned.has(remark));
}

/** Corrections come soon; older remarks with the same words are mostly about something else. */
const window = 40;

function overturnedBy(later: Dated, earlier: readonly Dated[]): Dated[] {
  const names = new Set(namesIn(later.text).map(({ text }) => text));
  const words = new Set(contentWords(later.text));
  const isRestoring = restoring.test(later.text);
  return earlier.filter((remark) => {
    if (remark.entryId === later.entryId) return false;
    if (isRestoring)
      return (
        /\b(?:removed|deleted|dropped)\b/i.test(remark.text) && namesIn(remark.text).some(({ text }) => names.has(text))
      );
    return contentWords(remark.text).filter((word) => words.has(word)).length >= minShared;
  });
}

/** Position of the last call that may have changed something; statements before it may be over. */
function lastChangeAt(entries: readonly Entry[]): number {
  const at = entries.findLastIndex(({ parts }) =>
    toolCalls(parts).some(({ name }) => /write|edit|create|patch|replace|insert|bash|shell|exec|command/i.test(name)),
  );
  return at < 0 ? 0 : at / entries.length;
}

/** What the agent asked or offered last, where nobody has answered yet. */
export function openQuestionsIn(reply: Entry): string[] {
  return sentencesOf(textOf(reply.parts)).filter((sentence) => isQuestion(sentence) || isOffer(sentence));
}
