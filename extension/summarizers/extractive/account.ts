import type { RequestedTurn, SummaryRequest } from '../../engine/block/summary';
import { replacedEntries } from '../../engine/compaction/request';
import { type Entry, inputText, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { coreText } from '../../engine/core/core';
import { collectArtifacts } from '../../engine/language/artifacts';
import { personSaid, type Utterance } from '../../engine/language/directions';
import { type Artifact, phraseMatcher } from '../../engine/language/loss-report';
import { relativeTo } from '../../engine/language/name-list';
import { namesIn } from '../../engine/language/names';
import { openQuestionsIn, type Remark, remarksIn } from '../../engine/language/remarks';
import { type CommandWork, workByCommand } from '../../engine/language/work/commands';
import { commonFolder, type FileWork, workByFile } from '../../engine/language/work/files';
import { type PlanItem, planOf } from '../../engine/language/work/plan';
import { type RepositoryWork, repositoryWork } from '../../engine/language/work/repository';
import { type Reversal, reversalsIn } from '../../engine/language/work/reversals';
import { type ToolStep, toolStepsOf } from '../../engine/language/work/steps';
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
  /** Questions and offers of the newest reply that nobody answered. */
  readonly questions: readonly { readonly text: string; readonly entryId: string }[];
  /** The newest reply with text. */
  readonly replyId: string | null;
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
  readonly remarks: readonly Remark[];
  /** The person's messages that the agent answered, by their entries. */
  readonly answered: ReadonlySet<string>;
  readonly artifacts: readonly Artifact[];
  /** The names that somebody said or that a call was about, other than those that only an output has. */
  readonly named: ReadonlySet<string>;
  readonly end: End;
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
  const remarks = remarksIn(entries).filter(({ text }) => !isInCore(text));
  const artifacts = collectArtifacts(entries).filter(({ text }) => !isInCore(text));
  return {
    steps,
    files,
    commands: workByCommand(steps),
    repository: repositoryWork(steps),
    plan: planOf(steps),
    reversals: reversalsIn(steps, files),
    messages: (said.at(-1)?.message ?? 0) + 1,
    said: said.filter(({ kind, text }) => kind !== 'chat' && !isInCore(text)),
    remarks,
    answered: answeredIn(entries),
    artifacts: weighed(artifacts, relevance),
    named: namedIn(entries),
    end: endOf(request, said),
    root: commonFolder(files.map(({ path }) => path)),
    relevance,
  };
}

function endOf({ turns, liveGoal }: SummaryRequest, said: readonly Utterance[]): End {
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
    questions:
      reply && isAnswered && !isFollowed ? openQuestionsIn(reply).map((text) => ({ text, entryId: reply.id })) : [],
    replyId: reply?.id ?? null,
  };
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
