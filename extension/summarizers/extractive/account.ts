import type { RequestedTurn, SummaryRequest } from '../../engine/block/summary';
import { replacedEntries } from '../../engine/compaction/request';
import { type Entry, inputText, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { oncePer } from '../../engine/conversation/once-per';
import { coreText } from '../../engine/core/core';
import { collectArtifacts } from '../../engine/language/artifacts';
import { contentWords } from '../../engine/language/content-words';
import { personSaid, type Utterance } from '../../engine/language/directions';
import { type Artifact, phraseMatcher } from '../../engine/language/loss-report';
import { relativeTo } from '../../engine/language/name-list';
import { namesIn } from '../../engine/language/names';
import { openQuestionsIn, type Remark, remarksIn } from '../../engine/language/remarks';
import { replacedIn } from '../../engine/language/replacements';
import { type LaterWork, laterWorkIn } from '../../engine/language/work/later-work';
import { type Reversal, reversalsIn } from '../../engine/language/work/reversals';
import { type CommandWork, workByCommand } from '../../engine/ledger/commands';
import { commonFolder, type FileWork, workByFile } from '../../engine/ledger/files';
import { type PlanItem, planOf } from '../../engine/ledger/plan';
import { type RepositoryWork, repositoryWork } from '../../engine/ledger/repository';
import { type ToolStep, toolStepsOf } from '../../engine/ledger/steps';
import { answeredIn } from './answered';
import { type Relevance, relevanceTo } from './relevance';

/** How the replaced entries end: only there can work be open or in progress. */
export interface End {
  /** The newest turn ends with an answer, and not with a tool call, a result or a user message. */
  readonly isAnswered: boolean;
  /** Whether the user continued with another turn. */
  readonly isFollowed: boolean;
  /** The newest request of the person, if its turn is at the end and replaced. */
  readonly request: Utterance | null;
  /** Questions and offers of the newest turn that the person has not answered. */
  readonly questions: readonly { readonly text: string; readonly entryId: string }[];
  /** The newest reply with text. */
  readonly replyId: string | null;
  /** Since then something was run or changed: what it announces was begun. */
  readonly isCarriedOut: boolean;
}

/** What the replaced entries tell, by structure, collected once for all sections. */
export interface Account {
  readonly steps: readonly ToolStep[];
  readonly files: readonly FileWork[];
  readonly commands: readonly CommandWork[];
  readonly repository: RepositoryWork;
  readonly plan: readonly PlanItem[];
  readonly reversals: readonly Reversal[];
  /** Number of messages of the person. */
  readonly messages: number;
  /** Without chat, and what the core holds. */
  readonly said: readonly Utterance[];
  /** The messages of the person that are pasted plans, by their entries. */
  readonly documents: ReadonlySet<string>;
  readonly remarks: readonly Remark[];
  /** The person's messages that the agent answered, by their entries. */
  readonly answered: ReadonlySet<string>;
  readonly artifacts: readonly Artifact[];
  /** The names that somebody said or that a call was about, other than those that only an output has. */
  readonly named: ReadonlySet<string>;
  readonly end: End;
  /** Ordinal of an entry among those that are replaced. */
  readonly placeOf: (entryId: string) => number;
  /** The folder that paths are written relative to; empty if there is none. */
  readonly root: string;
  readonly relevance: Relevance;
}

export function accountOf(request: SummaryRequest): Account {
  const entries = replacedEntries(request);
  const relevance = relevanceTo(request.instructions, request.liveGoal);
  const isInCore = request.core ? phraseMatcher(coreText(request.core)) : () => false;
  const steps = toolStepsOf(entries);
  const files = workByFile(steps);
  const said = personSaid(entries);
  const later = laterWorkIn(request.context ?? entries);
  const remarks = remarksOf(entries, request.context, later).filter(({ text }) => !isInCore(text));
  const told = said.filter(({ kind, text }) => kind !== 'chat' && !isInCore(text));
  const documents = documentsIn(told);
  const artifacts = collectArtifacts(entries).filter(({ text }) => !isInCore(text));
  return {
    steps,
    files,
    commands: workByCommand(steps).filter(({ command, entryId }) => !later.runsAfter(command, entryId)),
    repository: repositoryAsLeft(repositoryWork(steps), later),
    plan: planOf(steps).filter(({ state, entryId }) => state === 'done' || !later.plansAfter(entryId)),
    reversals: reversalsIn(steps, files),
    messages: (said.at(-1)?.message ?? 0) + 1,
    said: withChanges(told, documents, remarksIn(request.context ?? entries)),
    documents,
    remarks,
    answered: answeredIn(entries),
    artifacts: weighed(artifacts, relevance),
    named: namedIn(entries),
    end: endOf(request, said, steps),
    placeOf: placesOf(entries),
    root: commonFolder(files.map(({ path }) => path)),
    relevance,
  };
}

/** The remarks of these entries, as what the agent said and did later leaves them. */
function remarksOf(entries: readonly Entry[], context: readonly Entry[] | undefined, later: LaterWork): Remark[] {
  const own = remarksIn(entries).map((remark) => ({
    ...remark,
    isEarlier: remark.isEarlier || later.overtakes(remark),
  }));
  if (context === undefined) return own;
  const { sent, newest, standing } = saidIn(context);
  return own.flatMap((remark) => {
    if (!sent.has(remark.entryId) || remark.entryId === newest) return remark;
    const known = standing.get(keyOf(remark));
    return known === undefined ? [] : { ...remark, isEarlier: remark.isEarlier || known.isEarlier };
  });
}

function placesOf(entries: readonly Entry[]): Account['placeOf'] {
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  return (entryId) => places.get(entryId) ?? -1;
}

/** What the agent said in the whole context, looked up for each of its blocks. */
const saidIn = oncePer((context: readonly Entry[]) => ({
  sent: new Set(context.map(({ id }) => id)),
  newest: context.findLast(({ role, parts }) => role === 'assistant' && textOf(parts).trim() !== '')?.id,
  standing: new Map(remarksIn(context).map((remark) => [keyOf(remark), remark])),
}));

function keyOf({ entryId, text }: Remark): string {
  return `${entryId} ${text}`;
}

/** In sentences. A longer message is a plan that was pasted, of which the agent may have done something in another way. */
const longestMessage = 15;

function documentsIn(said: readonly Utterance[]): Set<string> {
  const sizes = Map.groupBy(said, ({ entryId }) => entryId);
  return new Set([...sizes].flatMap(([entryId, { length }]) => (length > longestMessage ? entryId : [])));
}

/** Of a pasted plan, what the agent later said it replaced. What a person typed is over only by the person's words. */
function withChanges(
  said: readonly Utterance[],
  documents: ReadonlySet<string>,
  remarks: readonly Remark[],
): Utterance[] {
  const isOfPlan = ({ kind, entryId }: Utterance) => kind === 'direction' && documents.has(entryId);
  if (!said.some(isOfPlan)) return [...said];
  const phrases = replacementsIn(remarks);
  return said.map((one) => {
    if (!isOfPlan(one) || one.changedBy !== null) return one;
    const own = new Set(contentWords(one.text));
    const found = phrases.find(({ words }) => words.every((word) => own.has(word)));
    return found === undefined ? one : { ...one, changedBy: found.text };
  });
}

const replacementsIn = oncePer((remarks: readonly Remark[]) =>
  remarks.flatMap(({ text }) => replacedIn(text).map((words) => ({ words, text }))),
);

/** What came after these entries counts too: where the branch was left, and what was committed or pushed. */
function repositoryAsLeft(work: RepositoryWork, later: LaterWork): RepositoryWork {
  const { branch, commits, lastCommit } = work;
  return {
    ...work,
    branch: branch !== null && later.leavesAfter(branch.text, branch.entryId) ? null : branch,
    commits: commits.map((commit) => ({ ...commit, isPushed: commit.isPushed || later.pushesAfter(commit.entryId) })),
    lastCommit: lastCommit !== null && later.commitsAfter(lastCommit.entryId) ? null : lastCommit,
  };
}

function endOf({ turns, liveGoal }: SummaryRequest, said: readonly Utterance[], steps: readonly ToolStep[]): End {
  const newest = turns.at(-1);
  const entries = newest ? newestTurnOf(newest) : [];
  const last = entries.findLast(({ injected }) => !injected);
  const reply = entries.findLast(({ role, parts }) => role === 'assistant' && textOf(parts).trim() !== '');
  const isAnswered = last?.role === 'assistant' && toolCalls(last.parts).length === 0;
  const ids = new Set(entries.map(({ id }) => id));
  const isFollowed = liveGoal !== null;
  return {
    isAnswered,
    isFollowed,
    request: said.findLast(({ kind, entryId }) => kind === 'request' && ids.has(entryId)) ?? null,
    questions: isAnswered && !isFollowed ? questionsTo(entries) : [],
    replyId: reply?.id ?? null,
    isCarriedOut: reply !== undefined && isWorkedOnSince(reply, entries, steps),
  };
}

function isWorkedOnSince(reply: Entry, entries: readonly Entry[], steps: readonly ToolStep[]): boolean {
  const since = new Set(entries.slice(entries.indexOf(reply)).map(({ id }) => id));
  return steps.some(({ kind, result, entryIds }) => kind !== 'look' && result !== null && since.has(entryIds[0] ?? ''));
}

/** Also those before a notification that the agent answered too. */
function questionsTo(entries: readonly Entry[]): End['questions'] {
  const replies = entries.filter(({ role, parts }) => role === 'assistant' && toolCalls(parts).length === 0);
  return replies.flatMap((reply) => openQuestionsIn(reply).map((text) => ({ text, entryId: reply.id })));
}

/** Several turns may lie beneath an earlier block. */
function newestTurnOf({ user, userIsReplaced, entries }: RequestedTurn): readonly Entry[] {
  const opened = entries.findLastIndex(isPrompt);
  if (opened >= 0) return entries.slice(opened);
  return user && userIsReplaced ? [user, ...entries] : entries;
}

function namedIn(entries: readonly Entry[]): Set<string> {
  const texts = entries.flatMap(({ parts, injected }) => [
    injected ? '' : textOf(parts),
    ...toolCalls(parts).map(({ input }) => inputText(input)),
  ]);
  return new Set(texts.flatMap(namesIn).map(({ text }) => text));
}

function weighed(artifacts: readonly Artifact[], relevance: Relevance): Artifact[] {
  return artifacts
    .map((artifact) => ({ ...artifact, weight: artifact.weight * relevance(artifact.text) }))
    .sort((a, b) => b.weight - a.weight);
}

/** A path as the block writes it. */
export function shortPath(path: string, { root }: Pick<Account, 'root'>): string {
  return relativeTo(root, path);
}
