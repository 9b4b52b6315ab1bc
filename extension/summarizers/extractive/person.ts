import type { SectionName } from '../../engine/block/sections';
import { oncePer } from '../../engine/conversation/once-per';
import { isLeadIn, isLimit, type Utterance } from '../../engine/language/directions';
import { isConditional } from '../../engine/language/sentences';
import type { Account } from './account';
import { type Candidate, item } from './candidate';

/** Sections that hold the person's words alone, so that a line need not say whose they are. */
const ofPersonAlone: ReadonlySet<SectionName> = new Set<SectionName>([
  'Goal Arc',
  'Human Direction',
  'Lasting Constraints',
  'Constraints',
  'In Progress',
]);

/** How the goal changed: what each message asked for. The first and the newest come before all others. */
export function goalArc(account: Account, section: SectionName): Candidate[] {
  const requests = joined(account, ({ kind }) => kind === 'request').map((said, at, all) =>
    at === 0 || at === all.length - 1 ? wholeMessage(account, said, section) : said,
  );
  return requests.map((said, at) => {
    const isEnd = at === 0 || at === requests.length - 1;
    const rank = isEnd ? 4 : isLimit(said.text) ? 1.5 : 1;
    const candidate = wordsOf(account, section, said, rank, at > 0);
    return isEnd ? { ...candidate, isLast: true } : candidate;
  });
}

/** All that the person said. */
export function allSaid(account: Account, section: SectionName): Candidate[] {
  return [goalArc, directions, questions].flatMap((produce) => produce(account, section));
}

/**
 * What else the person told, and the answers with their questions. Of a pasted plan that was changed in part, the middle is
 * left out: nobody knows how much of it is over.
 */
export function directions(account: Account, section: SectionName): Candidate[] {
  const told = joined(account, ({ kind }) => kind === 'direction' || kind === 'answer');
  const changed = new Set(told.flatMap(({ changedBy, entryId }) => (changedBy === null ? [] : entryId)));
  const details = detailsOf(account, told);
  const standing = told.filter((said) => !(details.has(said) && changed.has(said.entryId)));
  return standing.map((said) => {
    const rank = said.kind === 'answer' || isLimit(said.text) ? 1.5 : 1;
    const candidate = wordsOf(account, section, said, rank, false);
    return details.has(said) ? { ...candidate, isDetail: true as const } : candidate;
  });
}

/** What the person asked to know. It is no direction, but it often says what is wrong. */
export function questions(account: Account, section: SectionName): Candidate[] {
  return joined(account, ({ kind }) => kind === 'question').map((said) => {
    const candidate = wordsOf(account, section, said, 0, false);
    return { ...candidate, weight: candidate.weight * weightOfQuestion };
  });
}

const weightOfQuestion = 0.5;

/** Answers alone: they settle what the agent asked. */
export function answers(account: Account, section: SectionName): Candidate[] {
  return joined(account, ({ kind }) => kind === 'answer').map((said) => wordsOf(account, section, said, 2, false));
}

/** Rules still apply. */
export function rules(account: Account, section: SectionName): Candidate[] {
  return joined(account, ({ kind }) => kind === 'rule').map((said) =>
    wordsOf(account, section, withItsCondition(account, said), 3, false),
  );
}

/** "Do not rebuild each time. If you are ready, ask me.": the next sentence says when or how. */
function withItsCondition({ said }: Account, rule: Utterance): Utterance {
  const next = said[said.indexOf(rule) + 1];
  const isMeant = next?.message === rule.message && next.kind === 'direction' && isConditional(next.text);
  return isMeant && rule.text.length + next.text.length <= joinedLength
    ? { ...rule, text: `${rule.text} ${next.text}` }
    : rule;
}

/** The request that nobody answered yet. */
export function unanswered({ end, said }: Account, section: SectionName): Candidate[] {
  const { request } = end;
  if (end.isAnswered || request === null || !said.includes(request)) return [];
  return [{ ...item(section, 'person', request, 4), isLast: true }];
}

const joinedLength = 280;

/** With what follows it in the same message, as far as that is short. Where rules have a section beside it, without them. */
function wholeMessage({ said }: Account, first: Utterance, section: SectionName): Utterance {
  let { text, changedBy } = first;
  for (const next of said.slice(
    said.findIndex(({ entryId, text: own }) => entryId === first.entryId && first.text.startsWith(own)) + 1,
  )) {
    if (next.entryId !== first.entryId || text.length + next.text.length > joinedLength * 2) break;
    if (next.kind === 'direction' || (next.kind === 'rule' && !ofPersonAlone.has(section))) {
      text = `${text} ${next.text}`;
      changedBy ??= next.changedBy;
    } else if (!first.text.includes(next.text)) break;
  }
  return { ...first, text, changedBy };
}

/** Utterances of a kind; what stands together in one message stays together as far as it is short. */
function joined({ said }: Account, isWanted: (one: Utterance) => boolean): Utterance[] {
  const found: Utterance[] = [];
  let last = -1;
  for (const [at, one] of said.entries()) {
    if (!isWanted(one)) continue;
    const before = found.at(-1);
    const isNext = last === at - 1 && before?.message === one.message && before.kind === one.kind;
    const isAlike = before?.endedBy === one.endedBy && before.changedBy === one.changedBy && !standsAlone.has(one.kind);
    if (before && isNext && isAlike && before.text.length + one.text.length < joinedLength)
      found.splice(-1, 1, { ...before, text: `${before.text} ${one.text}` });
    else found.push(one);
    last = at;
  }
  return found;
}

const standsAlone: ReadonlySet<Utterance['kind']> = new Set(['answer', 'rule']);

/** What a redirect ended needs little room, and what only leads to pasted text says little. */
const faded = 0.3;

function isOfDocument({ documents }: Account, { entryId, kind }: Utterance): boolean {
  return kind === 'direction' && documents.has(entryId);
}

/** Of a pasted document its beginning and its end are quoted, and what is between them where there is room. */
const ofDocument = { first: 4, last: 3 };

function detailsOf(account: Account, told: readonly Utterance[]): Set<Utterance> {
  const ofEach = Map.groupBy(
    told.filter((said) => isOfDocument(account, said)),
    ({ entryId }) => entryId,
  );
  return new Set([...ofEach.values()].flatMap((said) => said.slice(ofDocument.first, -ofDocument.last)));
}

/** Newer words come first: `rank` orders the kinds among those of the same age. */
function wordsOf(account: Account, section: SectionName, said: Utterance, rank: number, isLater: boolean): Candidate {
  const { text, question, option, entryId, endedBy, message } = said;
  const { messages, relevance } = account;
  const quoted = ofPersonAlone.has(section) ? text : `The person${said.isRetold ? ', earlier' : ''}: “${text}”`;
  const asked = question === null ? '' : ` (asked: “${question}”)`;
  const chosen = option === null ? '' : ` (the option: “${option.text}”)`;
  const words = `${quoted}${asked}${chosen}`;
  const line = `${isLater && ofPersonAlone.has(section) ? '  -> then' : '-'} ${words}${fateOf(said)}`;
  const isFaded = endedBy !== null || isLeadIn(text) || isOfDocument(account, said);
  const weight = (rank + (2 * (message + 1)) / messages) * relevance(text) * (isFaded ? faded : 1);
  const candidate = item(section, 'person', { text, entryId }, weight, line);
  const isTold = !ofPersonAlone.has(section) && endedBy === null && isFirst(account, said);
  return isTold && account.answered.has(entryId) ? answered(candidate) : candidate;
}

/** What the person said later about it. */
function fateOf({ endedBy, changedBy }: Utterance): string {
  if (endedBy !== null) return ' (ended later)';
  return changedBy === null ? '' : ' (changed later)';
}

/** The first request or question of a message: that it was answered is told once. A rule or an answer is never over by that. */
function isFirst({ said }: Account, { entryId, text }: Utterance): boolean {
  const first = firstAsked(said).get(entryId);
  return first !== undefined && text.startsWith(first.text);
}

/** By entry. */
const firstAsked = oncePer((said: readonly Utterance[]) => {
  const first = new Map<string, Utterance>();
  for (const one of said) if (asking.has(one.kind) && !first.has(one.entryId)) first.set(one.entryId, one);
  return first;
});

const asking: ReadonlySet<Utterance['kind']> = new Set(['request', 'question']);

/** It says that the request is no longer open. What the agent answered stands elsewhere, as the agent's words. */
function answered(candidate: Candidate): Candidate {
  return { ...candidate, line: `${candidate.line} → answered` };
}
