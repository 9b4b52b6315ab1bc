import type { Context } from '../engine/conversation/context';
import { projectAlone } from '../engine/conversation/projection';
import { brief } from '../engine/conversation/text';
import { sum } from '../engine/conversation/whole-tokens';
import type { CoreState } from '../engine/core/core';
import type { CompactionRecord } from '../engine/journal/records';
import { runWith } from '../engine/journal/runs';
import type { AheadSettings } from '../engine/run/automation/ahead';
import { calibratedLoss, lossText } from '../engine/run/prepare/loss-text';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { figuresOf, type RunFigures } from '../engine/run/prepare/run-figures';
import { counted } from '../engine/wording/counts';
import { keepsOwnCompaction } from '../inspection/effect';
import type { Inspection } from '../inspection/inspection';
import { agentNames } from '../sessions/session';
import type { AgentDoor } from './door';
import type { CompactedAnswer } from './exchange';
import type { ChosenWriter } from './writer';

/** Texts for the person inside the agent, about this session. */
export function statusText(inspection: Inspection, { prepared, door, writer, ahead }: StatusParts): string {
  const { conversation, ledger, state, contextWindow } = inspection;
  const { total } = projectAlone(conversation, ledger).tokens;
  const pinned = state.items.filter(({ status }) => status === 'active').length;
  return [
    `Strata is inside this session: ${whatItDoes(door)}`,
    `Context: ${total} of ${contextWindow} tokens.`,
    `Pinned: ${pinned}.`,
    prepared === null ? unpreparedText(writer, door) : preparedText(prepared),
    ...(writer.kind === 'model' || state.preparedTokens > 0
      ? [`Spent on preparing: ${state.preparedTokens} of ${ahead.prepareTokens} tokens.`]
      : []),
    ...newestInAgent(inspection).slice(0, 1).map(effectText),
  ].join('\n');
}

interface StatusParts {
  readonly prepared: PreparedRun | null;
  readonly door: AgentDoor;
  readonly writer: ChosenWriter;
  readonly ahead: AheadSettings;
}

function preparedText({ before, after, records }: PreparedRun): string {
  const models = new Set(records.flatMap(({ summarizer: { model } }) => model ?? []));
  const by = models.size === 0 ? 'without a model' : `by ${[...models].join(', ')}`;
  return `Prepared for the next compaction, ${by}: ${before.tokens.total} → ${after.tokens.total} tokens.`;
}

function unpreparedText(writer: ChosenWriter, { agent }: AgentDoor): string {
  if (writer.kind === 'nobody') return 'No compaction is prepared. /strata preview prepares one.';
  return `No compaction is prepared. Until one is, ${agentNames[agent]} writes its own summary.`;
}

function whatItDoes({ agent, result }: AgentDoor): string {
  const name = agentNames[agent];
  if (result === undefined) return `${name} writes its own summaries, and Strata says again what is pinned.`;
  if (keepsOwnCompaction(agent)) return `/strata compact compacts it. The compaction of ${name} itself stays as it is.`;
  return 'its next compaction is carried out by Strata.';
}

/** Says in one line what a compaction did, what it costs in the provider's cache, and how to see and undo it. */
export function compactedText(before: number, after: number, cached: number): string {
  const sizes = `Strata compacted ${before} → ${after} tokens; the prompt cache holds for the first ${cached}.`;
  return `${sizes} /strata why shows what went, /strata undo takes it back.`;
}

/** The part that stays in the provider's cache if an agent accepts one text in place of its messages: its system prompt. */
export function systemTokens({ messages, tokens }: Context): number {
  const first = messages.findIndex(({ kind }) => kind !== 'system');
  const ofSystem = tokens.ofMessages.slice(0, first < 0 ? messages.length : first);
  return tokens.derivedSystem + sum(ofSystem);
}

/** The line of `compactedText` about the newest compaction in the agent; null without one. */
export function newestText(inspection: Inspection, { keepsMessages }: AgentDoor): string | null {
  const [first] = newestInAgent(inspection);
  const run = first && runWith(inspection.state, first.run);
  if (!run || !first.contextTokens) return null;
  const { before, after } = first.contextTokens;
  const cached = keepsMessages
    ? Math.max(0, before - figuresOf(run).cacheTokensInvalidated)
    : systemTokens(projectAlone(inspection.conversation, inspection.ledger));
  return compactedText(before, after, cached);
}

interface ReminderParts {
  readonly core: CoreState | null;
  /** Whether the model was told what the summary left out. `unknown`: the summary is encrypted. */
  readonly loss: 'none' | 'known' | 'unknown';
  /** The agent wrote the newest summary itself. */
  readonly isOwn: boolean;
}

/** Says in one line which parts the model was given again after a compaction. */
export function reminderText({ core, loss, isOwn }: ReminderParts, tokens: number): string {
  if (core === null && loss === 'none')
    return isOwn ? 'Nothing is pinned, and the summary left nothing out.' : 'Nothing is pinned.';
  const ofCore = core === null ? [] : [hasPins(core) ? 'what is pinned' : 'how the work began'];
  const parts = [...ofCore, ...(loss === 'none' ? [] : [lossWords[loss]])];
  const sentence = `Strata told the model again ${parts.join(' and ')}, in ${tokens} tokens.`;
  return loss === 'known'
    ? `${sentence} Strata’s panel shows all that went, and forks the session as it was before.`
    : sentence;
}

const lossWords = {
  known: 'what the summary left out',
  unknown: 'how to look up what the encrypted summary may have left out',
} as const;

function hasPins({ current_goal, hard_constraints, key_decisions }: CoreState): boolean {
  return current_goal !== null || hard_constraints.length + key_decisions.length > 0;
}

/** The parts that Strata wrote or changed, each by its first line. */
export function previewText({ tokens, pieces }: CompactedAnswer): string {
  const ours = pieces.filter(({ isOurs }) => isOurs).map(({ text }) => `- ${brief(text.trim(), longestLine)}`);
  const more = ours.length > mostLines ? [`… and ${ours.length - mostLines} more.`] : [];
  const sizes = `The next compaction makes ${tokens.before} → ${tokens.after} tokens, in ${pieces.length} messages.`;
  return [sizes, ...ours.slice(0, mostLines), ...more].join('\n');
}

const longestLine = 100;
const mostLines = 20;

/** Says what the newest compaction in the agent did, and what it lost. */
export function whyText(inspection: Inspection): string {
  const [first] = newestInAgent(inspection);
  const run = first && runWith(inspection.state, first.run);
  if (!run) return 'Strata has not compacted this session in the agent.';
  return [effectText(first), ...runLines(figuresOf(run), inspection)].join('\n');
}

/** The records of the newest run that took effect in the agent and was not undone. */
export function newestInAgent({ state }: Pick<Inspection, 'state'>): CompactionRecord[] {
  const inAgent = state.compactions.filter(({ record, active }) => active && record.effect === 'agent');
  const run = inAgent.at(-1)?.record.run;
  return inAgent.map(({ record }) => record).filter((record) => record.run === run);
}

function effectText({ time, contextTokens, trigger }: CompactionRecord): string {
  const sizes = contextTokens ? `: ${contextTokens.before} → ${contextTokens.after} tokens` : '';
  return `Newest compaction in the agent, ${time}, ${trigger}${sizes}.`;
}

const mostLost = 5;

function runLines({ strategies, entries, loss: counts }: RunFigures, { context }: Inspection): string[] {
  const loss = counts && calibratedLoss(counts, context.tokens.calibration);
  const head = `- ${strategies.join(', ')}: ${counted(entries, 'message')}`;
  if (loss === null) return [head];
  const said = lossText(loss);
  const gone = loss.messages.listed.slice(-mostLost).map(({ fate, text }) => {
    return `  ${fate === 'gone' ? 'not word for word' : 'shortened'}: ${text}`;
  });
  return [said === null ? head : `${head}; ${said}`, ...gone];
}
