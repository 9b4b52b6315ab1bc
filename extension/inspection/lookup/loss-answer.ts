import type { LossReport, LostItem } from '../../engine/block/loss';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';
import { referenceOf } from '../../engine/conversation/reference';
import { brief } from '../../engine/conversation/text';
import { type JournaledRun, runsOf, runWith } from '../../engine/journal/runs';
import { shortTime } from '../../engine/memory/observation-lines';
import { calibratedLoss, lossText } from '../../engine/run/prepare/loss-text';
import { figuresOf } from '../../engine/run/prepare/run-figures';
import { lossOfAgent } from '../compaction-loss';
import type { Inspection } from '../inspection';
import { fittingText, type TokenBudget } from './budget';
import { UnknownReference } from './named-entries';
import { sessionLine } from './session-line';

/** One compaction with what it replaced and what its text dropped. */
interface Lossy {
  readonly name: string;
  /** Null if the summary is encrypted, or the record is of an earlier version. */
  readonly loss: LossReport | null;
}

const lineLength = 240;

/**
 * Lists what the newest compaction, or the one with this number, left out, with ids to read it by: from the loss report of
 * the record, or computed for a compaction by the agent.
 */
export function answerLoss(inspection: Inspection, seq: number | null, budget: TokenBudget): string {
  const compactions = seq === null ? newest(inspection) : [numbered(inspection, seq)];
  const { excluded, session, context } = inspection;
  const { calibration } = context.tokens;
  const entries = session.conversation.entries.filter(({ id }) => !excluded.has(id));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lines = compactions.flatMap(({ name, loss }) =>
    lossLines({ name, loss: loss && calibratedLoss(loss, calibration) }, byId),
  );
  const head = [sessionLine(session), lines.length === 0 ? 'Nothing was compacted.' : howToRead];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more lines.` });
}

const howToRead = 'What the compaction left out. strata_recall { "ids": [id] } gives the text.';

/** The newest run in effect, or the agent's compaction if that is newer. */
function newest({ session, state, ledger }: Inspection): Lossy[] {
  const { conversation } = session;
  const last = runsOf(state).findLast(({ active }) => active);
  const agents = conversation.agentCompactions.at(-1);
  if (agents && (!last || isNewer(agents, timeOf(last)))) return [lossyAgent(agents, { conversation, ledger })];
  return last ? [lossyRun(last)] : [];
}

function isNewer({ timestamp }: AgentCompaction, time: string): boolean {
  return timestamp !== null && Date.parse(timestamp) > Date.parse(time);
}

function numbered({ state }: Inspection, seq: number): Lossy {
  const found = runWith(state, seq);
  if (found) return lossyRun(found);
  throw new UnknownReference(`This session has no compaction #${seq}. strata_context lists those in effect.`);
}

function lossyRun(run: JournaledRun): Lossy {
  const { strategies, loss } = figuresOf(run);
  return { name: `Compaction #${run.run} (${strategies.join(', ')}) of ${shortTime(timeOf(run))}`, loss };
}

function timeOf({ blocks }: JournaledRun): string {
  return blocks[0]?.record.time ?? '';
}

function lossyAgent(
  compaction: AgentCompaction,
  { conversation, ledger }: Pick<Inspection, 'conversation' | 'ledger'>,
): Lossy {
  return {
    name: `${compaction.byStrata ? 'Strata’s compaction in this fork' : `The agent’s own compaction (${compaction.kind})`} of ${shortTime(compaction.timestamp)}`,
    loss: lossOfAgent(compaction, conversation, ledger),
  };
}

function lossLines({ name, loss }: Lossy, byId: ReadonlyMap<string, Entry>): string[] {
  if (loss === null) return [`${name}: nothing is known of what it left out.`];
  const { messages, files, open, outputs } = loss;
  const line = (what: string, { text, entryId }: LostItem) => {
    const entry = byId.get(entryId);
    return `- ${what}: ${brief(text, lineLength)}${entry === undefined ? '' : ` [${referenceOf(entry)}]`}`;
  };
  return [
    `${name}: ${lossText(loss) ?? 'it replaced no message of the person, no changed file and no tool output'}.`,
    ...messages.listed.map((item) => line(item.fate === 'gone' ? 'not word for word' : 'shortened', item)),
    ...open.listed.map((item) => line('open, not named', item)),
    ...files.listed.map((item) => line('changed file, not named', item)),
    ...outputs.largest.map((item) => line(`output of ${item.tokens} tokens`, item)),
  ];
}
