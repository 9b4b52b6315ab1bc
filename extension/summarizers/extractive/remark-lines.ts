import type { SectionName } from '../../engine/block/sections';
import { contentWords } from '../../engine/language/content-words';
import type { Remark, RemarkKind } from '../../engine/language/remarks';
import type { Account } from './account';
import { type Candidate, item } from './candidate';

const weightOfPlace: Readonly<Record<Remark['place'], number>> = { closing: 1, summary: 0.7, interim: 1 };
const weightOfKind: Readonly<Record<RemarkKind, number>> = {
  goal: 2,
  cause: 1.6,
  'given-up': 1.6,
  decision: 1.3,
  open: 1.4,
  report: 1,
  other: 0.8,
};

/** Remarks of these kinds, as quotations. Newer and more relevant ones weigh more. */
export function remarksOf(...kinds: readonly RemarkKind[]) {
  return (account: Account, section: SectionName): Candidate[] =>
    account.remarks.filter(({ kind }) => kinds.includes(kind)).map((remark) => quoted(account, section, remark));
}

/** What the agent reported as done, as far as the work left it so. */
export function standingReports(account: Account, section: SectionName): Candidate[] {
  return reports(account, section, false);
}

/** What it reported and the work went beyond: it tells how things came about. */
export function earlierReports(account: Account, section: SectionName): Candidate[] {
  return reports(account, section, true);
}

function reports(account: Account, section: SectionName, earlier: boolean): Candidate[] {
  return account.remarks
    .filter(({ kind, isEarlier }) => kind === 'report' && isEarlier === earlier)
    .map((remark) => quoted(account, section, remark));
}

function quoted({ relevance }: Account, section: SectionName, remark: Remark): Candidate {
  const line = `- ${remark.isEarlier ? '(earlier) ' : ''}${remark.text}`;
  return item(section, 'agent', remark, remarkWeight(remark) * relevance(remark.text), line);
}

function remarkWeight({ kind, place, position }: Remark): number {
  return weightOfKind[kind] * weightOfPlace[place] * (0.2 + 1.6 * position);
}

/** "Let me check:" names no step. */
const minWords = 2;

/**
 * What the agent said is open, in its newest reply alone: earlier open items were done or dropped. In the middle of a turn
 * only its last sentence tells what comes next, and only until something is run or changed.
 */
export function saidToBeOpen({ remarks, end }: Account, section: SectionName): Candidate[] {
  const open = remarks.filter(
    ({ kind, entryId, text }) => kind === 'open' && entryId === end.replyId && contentWords(text).length >= minWords,
  );
  const next = end.isAnswered ? open : end.isCarriedOut ? [] : open.slice(-1);
  return [
    ...next.map((remark) => ({ ...item(section, 'agent', remark, 3), isLast: true as const })),
    ...end.questions.map((question) => ({ ...item(section, 'agent', question, 3), isLast: true as const })),
  ];
}

/** Open items under headings of the turn before may still be open; they are quoted as what was said then. */
export function lastSaidToBeOpen(account: Account, section: SectionName): Candidate[] {
  return earlierOpen(account, section, ({ turn }) => turn >= newestTurn(account) - 1);
}

/** Those of older turns were mostly done since. */
export function onceSaidToBeOpen(account: Account, section: SectionName): Candidate[] {
  return earlierOpen(account, section, ({ turn }) => turn < newestTurn(account) - 1);
}

function earlierOpen(
  { remarks, end, relevance }: Account,
  section: SectionName,
  isWanted: (remark: Remark) => boolean,
): Candidate[] {
  return remarks
    .filter(({ kind, entryId, place }) => kind === 'open' && entryId !== end.replyId && place !== 'interim')
    .filter(isWanted)
    .map((remark) =>
      item(section, 'agent', remark, remarkWeight(remark) * relevance(remark.text), `- (earlier) ${remark.text}`),
    );
}

function newestTurn({ remarks }: Account): number {
  return remarks.at(-1)?.turn ?? 0;
}

const sentencesOfState = 3;

/** The end of what the agent said last, other than reports and open work, which have sections of their own. */
export function newestRemarks({ remarks, end }: Account, section: SectionName): Candidate[] {
  return remarks
    .filter(({ entryId, kind }) => entryId === end.replyId && kind !== 'open' && kind !== 'report')
    .slice(-sentencesOfState)
    .map((remark, index) => item(section, 'agent', remark, 2 + index));
}

/** What the agent was doing where the entries end before an answer. */
export function remarksUnderWay({ remarks, end }: Account, section: SectionName): Candidate[] {
  if (end.isAnswered) return [];
  return remarks
    .filter(({ entryId, text }) => entryId === end.replyId && contentWords(text).length >= minWords)
    .map((remark, at, all) => ({
      ...item(section, 'agent', remark, 2),
      ...(at === all.length - 1 ? { isLast: true as const } : {}),
    }));
}
