import { type Entry, isPrompt, textOf } from '../conversation/entry';
import { oneLine } from '../conversation/text';
import { isLeadIn } from './directions';
import { isCode, isQuestion, sentencesOf, tableRowsOf } from './sentences';

/** Something that was settled, verbatim but for white space, with the reason that it gives itself. */
export interface Decision {
  readonly text: string;
  readonly reason: string | null;
  readonly entryId: string;
}

/** A decision of either side in so many words. */
const declared =
  /\b(?:(?:i|we)(?:['’]ve| have)? (?:decided|agreed|settled|chose|chosen|opted|went with)|(?:let['’]?s|we['’]ll|i['’]ll|we will|going to|we should) (?:go|stick|stay) with|(?:we are|i['’]m|i am) (?:now )?committing to|decision:|let['’]?s (?:use|keep|make|do)\b[^.!?]{3,80}\b(?:instead|rather)\b)/i;

/** What an agent did or is about to do where it could have done otherwise. */
const choice =
  /\b(?:i|we)(?:['’](?:ve|m|re|ll))? (?:(?:am|are|will|have|also|did|only|now) ){0,2}(?:kept|keep(?:ing)?|left|leav(?:e|ing)|declined?|deferr?(?:ed|ing)?|skip(?:ped|ping)?|avoid(?:ed|ing)?|not|put(?:ting)?|us(?:ed|ing)|add(?:ed|ing)|chang(?:ed|ing)|treat(?:ed|ing)?|committing|going|updat(?:ed|ing)|removed?|removing|ma(?:de|king)|split(?:ting)?|moved?|moving)\b|\bthe (?:simplest|cleanest|best|right|safest|proper|better|correct|minimal|real)?\s*(?:fix|approach|solution|option|way|call|change|pattern|rule|convention|design) (?:is|was|here is)\b|\b(?:fixed|resolved|solved|handled) by\b|\bswitch(?:ed|ing) (?:to|from)\b|^\W*(?:kept|left|declined|deferred|skipped|removed|added|moved|replaced|reverted|dropped|swapped|changed|switched|cut|made|used|simplified)\b|\b(?:now|always|only|both) (?:uses?|accepts?|returns?|keeps?|tracks?|goes|requires?|lives?|shows?|comes?|renders?)\b|\bno longer\b|\bstays?\b/i;

const reason =
  /\b(?:because|so that|as it|instead of|rather than|to avoid|(?:which|that) (?:avoids|prevents|keeps|means)|so (?:i|we|it|the|they|that|nothing|no|there)(?:['’]\w+)?|since (?:(?!the (?:last|first)\b)\S+ ){1,8}?(?:is|are|was|were|does|do|has|have|would|can|cannot|already|only|isn['’]t|\w+(?:s|ed))|no need)\b\s*(.+)$/i;

/** Tells how things were found, tested or went wrong, or how they would be, and not what was settled. */
const other =
  /\b(?:fail|error|bug|brok|breaks|wrong|missing|missed|verif|remains?|passes|passed|would|could|might|should have|shouldn['’]t|proposed|possible|wait|monitor|inspect|checking|review body|task list|pr description|comment addressing|looks? like|seems?|appears?|currently|instead of the previous|found)/i;

/** Newest decisions of the agent; older ones are mostly details that are done. */
const mostOfAgent = 4;

const lengths = { least: 6, most: 60 };

/** What either side settled, oldest first: in so many words, or by an agent that says what it does and why. */
export function decisionsIn(entries: readonly Entry[]): Decision[] {
  const said = entries.filter(isDialogue).flatMap((entry) => {
    const text = textOf(entry.parts);
    const isAgent = entry.role === 'assistant';
    return [...sentencesOf(text), ...(isAgent ? tableRowsOf(text) : [])]
      .filter((sentence) => isStatement(sentence) && (isDeclared(sentence) || (isAgent && isReasonedChoice(sentence))))
      .map((sentence) => ({ text: sentence, entryId: entry.id, isDeclared: isDeclared(sentence) }));
  });
  const once = [...new Map(said.map((one) => [oneLine(one.text), one])).values()];
  const kept = new Set(once.filter(({ isDeclared }) => !isDeclared).slice(-mostOfAgent));
  return once
    .filter((one) => one.isDeclared || kept.has(one))
    .map(({ text, entryId }) => ({ text, entryId, reason: reasonIn(text) }));
}

/** Whether the user or the agent wrote the entry, as opposed to tool output, reminders and summaries. */
export function isDialogue(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant';
}

/** Whether a sentence says in so many words that something was decided. */
export function isDeclared(sentence: string): boolean {
  return declared.test(sentence);
}

function isStatement(sentence: string): boolean {
  return !isCode(sentence) && !isQuestion(sentence) && !isLeadIn(sentence);
}

function isReasonedChoice(sentence: string): boolean {
  if (/^\W*(?:try|test|use|run|open|check)\b/i.test(sentence)) return false;
  const words = sentence.split(/\s+/).length;
  if (words < lengths.least || words > lengths.most || other.test(sentence)) return false;
  return choice.test(sentence) && reasonIn(sentence) !== null;
}

/** The reason that a decision gives itself, or what it was taken instead of. */
function reasonIn(text: string): string | null {
  const [, found] = reason.exec(text) ?? [];
  return found === undefined ? null : oneLine(found);
}
