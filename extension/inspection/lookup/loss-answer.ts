import type { AgentCompaction } from '../../engine/conversation/conversation';
import { brief } from '../../engine/conversation/text';
import type { CompactionRecord } from '../../engine/journal/records';
import { artifactKinds, type LossReport, lossCounts, percentKept } from '../../engine/language/loss-report';
import { TextIndex } from '../../engine/language/paraphrase';
import { shortTime } from '../../engine/memory/observation-lines';
import { standingIn } from '../../engine/run/run-loss';
import { lossOfAgent, summaryOfAgent } from '../compaction-loss';
import type { Inspection } from '../inspection';
import { placedEntries } from './beneath';
import { fittingText, type TokenBudget } from './budget';
import { UnknownReference } from './recall-answer';
import { sessionLine } from './session-line';

/** One compaction with what it replaced and what its text dropped. */
interface Lossy {
  readonly name: string;
  readonly text: string;
  /** Null if the summary is encrypted. */
  readonly loss: LossReport | null;
}

/** Maximum number of lost names of one kind. */
const mostNames = 20;
const lineLength = 240;

/**
 * What the newest compaction, or the one with this number, left out of its text, with ids to read it by. Without a
 * model: from the loss report of the record, or computed for a compaction by the agent.
 */
export function answerLoss(inspection: Inspection, seq: number | null, budget: TokenBudget): string {
  const compactions = seq === null ? newest(inspection) : [numbered(inspection, seq)];
  const refs = new Map(placedEntries(inspection).map(({ ref, entry }) => [entry.id, ref]));
  const lines = compactions.flatMap((compaction) => lossLines(compaction, refs));
  const head = [sessionLine(inspection.session), lines.length === 0 ? 'Nothing was compacted.' : howToRead];
  return fittingText(head, lines, budget, { tellLeftOut: (count) => `… and ${count} more lines.` });
}

const howToRead = 'Left out by the compaction, the most important first. strata_recall { "ids": [id] } gives the text.';

/** The blocks of the newest run in effect, or the agent's compaction if that is newer. */
function newest({ session, state }: Inspection): Lossy[] {
  const { conversation } = session;
  const last = state.compactions.findLast(({ active }) => active)?.record;
  const agents = conversation.agentCompactions.at(-1);
  if (agents && (!last || isNewer(agents, last))) return [lossyAgent(agents, conversation)];
  const ofRun = state.compactions.filter(({ active, record }) => active && record.run === last?.run);
  return standingIn(ofRun.map(({ record }) => record)).map(lossyRecord);
}

function isNewer({ timestamp }: AgentCompaction, { time }: CompactionRecord): boolean {
  return timestamp !== null && Date.parse(timestamp) > Date.parse(time);
}

function numbered({ state }: Inspection, seq: number): Lossy {
  const found = state.compactions.find(({ record }) => record.seq === seq);
  if (found) return lossyRecord(found.record);
  throw new UnknownReference(`This session has no compaction #${seq}. strata_context lists those in effect.`);
}

function lossyRecord({ seq, strategy, time, text, loss }: CompactionRecord): Lossy {
  return { name: `Compaction #${seq} (${strategy}) of ${shortTime(time)}`, text, loss };
}

function lossyAgent(compaction: AgentCompaction, conversation: Inspection['conversation']): Lossy {
  return {
    name: `The agent’s own compaction (${compaction.kind}) of ${shortTime(compaction.timestamp)}`,
    text: summaryOfAgent(compaction, conversation),
    loss: lossOfAgent(compaction, conversation),
  };
}

type Refs = ReadonlyMap<string, string>;

function lossLines({ name, text, loss }: Lossy, refs: Refs): string[] {
  if (loss === null) return [`${name}: its summary is encrypted, so nothing can be said about it.`];
  const { kept, lost } = lossCounts(loss);
  const share = loss.matters ? `keeps ${percentKept(loss.matters.share)} % of what matters; ` : '';
  const head = `${name} ${share}${kept} of ${kept + lost} names and statements are verbatim in its text.`;
  return [head, ...matterLines(loss, refs), ...artifactLines(loss, text, refs)];
}

/** Goals, directions, decisions, findings and open work. Names follow as artifacts. */
function matterLines({ matters }: LossReport, refs: Refs): string[] {
  const kinds = matters?.kinds.filter(({ kind }) => kind !== 'name') ?? [];
  return kinds.flatMap(({ kind, lost }) => lost.map(({ text, entryId }) => lostLine(kind, text, refs.get(entryId))));
}

function artifactLines({ lost, matters }: LossReport, blockText: string, refs: Refs): string[] {
  const index = new TextIndex(blockText);
  const known = new Set(matters?.kinds.flatMap((kind) => kind.lost.map(({ text }) => text)));
  return artifactKinds.flatMap((kind) => {
    const gone = lost.filter((artifact) => artifact.kind === kind && !known.has(artifact.text));
    const unsaid = gone.filter(({ text }) => !/\s/.test(text) || !index.paraphrases(text)).slice(0, mostNames);
    return unsaid.map(({ text, entryIds }) => lostLine(kind, text, refs.get(entryIds.at(-1) ?? '')));
  });
}

function lostLine(kind: string, text: string, ref: string | undefined): string {
  return `- ${kind}: ${brief(text, lineLength)}${ref === undefined ? '' : ` [${ref}]`}`;
}
