import * as l10n from '@vscode/l10n';
import { calibrated } from '../../engine/conversation/accounting';
import type { ContextMessage } from '../../engine/conversation/context';
import type { AgentCompaction, Conversation } from '../../engine/conversation/conversation';
import { type Entry, type Part, readableText, textOf, toolCalls, toolResults } from '../../engine/conversation/entry';
import { placeBlocks } from '../../engine/conversation/projection';
import type { TokenLedger } from '../../engine/conversation/tokens';
import { subjectOf } from '../../engine/conversation/tool-subject';
import { divided, wholeShares } from '../../engine/conversation/whole-tokens';
import { entryFates } from '../../engine/history/fates';
import { activeBlocks, type JournaledCompaction, type JournalState } from '../../engine/journal/journal-state';
import type { CompactionRecord } from '../../engine/journal/records';
import type { JournaledRun } from '../../engine/journal/runs';
import { coveringCompaction } from '../../engine/journal/undo';
import { editableText } from '../../engine/run/change/edit';
import { figuresOf } from '../../engine/run/prepare/run-figures';
import { tokensReplaced } from '../../engine/run/prepare/run-sizes';
import { entriesOf, lossOfAgent, summaryOfAgent, writtenMessages } from '../../inspection/compaction-loss';
import type { Inspection } from '../../inspection/inspection';
import { listedRuns } from '../../inspection/listed-runs';
import { rereadingsIn } from '../../inspection/rereadings';
import { newestSummary, rescueOf } from '../../inspection/rescue';
import { messagesAsText } from '../../middleware/text';
import { mainBlock } from '../../protocol/main-block';
import type { CompactionDetail, FateView, RescueView } from '../../protocol/view';
import { agentCompactionId, forkedId, runOfId, strataId } from './compaction-ids';
import { lossView } from './loss';
import { rescueView } from './rescue';
import { oneLine } from './row-preview';
import { entryRowKind } from './rows';

export class UnknownCompaction extends Error {
  override name = 'UnknownCompaction';
}

/** A block or a compaction of the agent in detail: the replaced messages and the text in their place. */
export interface OpenedCompaction {
  readonly id: string;
  readonly replaced: readonly ContextMessage[];
  /** The tokens of each replaced message. */
  readonly ofReplaced: readonly number[];
  readonly after: string;
  /** The rest of its detail, which costs more to find. */
  readonly facts: () => Omit<CompactionDetail, 'id' | 'before' | 'after'>;
}

const nothingKnown: ReturnType<OpenedCompaction['facts']> = {
  loss: null,
  fates: [],
  editable: null,
  rescue: null,
  rereading: null,
  hasEarlierText: false,
};

export function openCompaction(id: string, inspection: Inspection): OpenedCompaction {
  const { session, journal, ledger, context } = inspection;
  const tokens = { ledger, calibration: context.tokens.calibration };
  const own = journal.state.compactions.find(({ record }) => strataId(record.seq) === id);
  if (own) return openStrata(own, journal.state, session.conversation, tokens);
  const agents = session.conversation.agentCompactions.find((compaction) => agentCompactionId(compaction) === id);
  if (agents) return openAgent(agents, inspection, tokens);
  const forked = session.conversation.entries.find((entry) => entry.block && forkedId(entry.id) === id);
  if (forked?.block) return openForked(id, forked, forked.block.entryIds, session.conversation, tokens);
  throw new UnknownCompaction(l10n.t('This compaction is no longer known; the journal or the session has changed.'));
}

/** The unit of the context: how tokens are counted, and the ratio that converts them. */
interface TokenUnit {
  readonly ledger: TokenLedger;
  readonly calibration: number;
}

function openStrata(
  { record, active, earlier }: JournaledCompaction,
  state: JournalState,
  conversation: Conversation,
  unit: TokenUnit,
): OpenedCompaction {
  const blocks = activeBlocks({ ...state, compactions: beforeRun(record, state) });
  const entries = entriesOf(record.entryIds, conversation);
  const replaced = placeBlocks(entries, blocks, unit.ledger);
  return {
    id: strataId(record.seq),
    replaced,
    ofReplaced: divided(
      Math.round((tokensReplaced(state).get(record.seq) ?? 0) * unit.calibration),
      countedOf(replaced),
    ),
    after: record.text,
    facts: () => ({
      ...nothingKnown,
      loss: lossView(record.loss, unit.calibration),
      fates: fatesIn(record.text, entries, unit),
      editable: active && coveringCompaction(state, record.seq) === null ? editableText(record) : null,
      hasEarlierText: earlier !== undefined,
    }),
  };
}

/** All messages with which the context began after a compaction of the agent. */
function textAfter(compaction: AgentCompaction, conversation: Conversation): string {
  return writtenMessages(compaction, conversation)
    .flatMap(({ parts }) => parts.map(readableText))
    .join('\n');
}

/** The journal's compactions. Only those that the context had before this block's run and that this block covers are active. */
function beforeRun({ run, swallowed }: CompactionRecord, { compactions }: JournalState): JournaledCompaction[] {
  const bySeq = new Map(compactions.map(({ record }) => [record.seq, record]));
  const earlier = new Set<number>();
  const left = [...swallowed];
  for (let seq = left.pop(); seq !== undefined; seq = left.pop()) {
    const record = bySeq.get(seq);
    if (record?.run === run) left.push(...record.swallowed);
    else earlier.add(seq);
  }
  return compactions.map((compaction) => ({ ...compaction, active: earlier.has(compaction.record.seq) }));
}

/** Messages outside the context, in the unit of the context. */
export function outsideContext(replaced: readonly ContextMessage[], { context }: Inspection) {
  return { replaced, ofReplaced: wholeShares(countedOf(replaced), context.tokens.calibration) };
}

function countedOf(messages: readonly ContextMessage[]): number[] {
  return messages.map(({ tokens }) => tokens);
}

function openAgent(compaction: AgentCompaction, inspection: Inspection, unit: TokenUnit): OpenedCompaction {
  const { conversation } = inspection;
  const entries = entriesOf(compaction.replacedEntryIds, conversation);
  const after = summaryOfAgent(compaction, conversation);
  const replaced = placeBlocks(entries, [], unit.ledger);
  return {
    id: agentCompactionId(compaction),
    replaced,
    ofReplaced: calibrated(replaced, unit.calibration),
    after,
    facts: () => ({
      ...nothingKnown,
      loss: lossView(lossOfAgent(compaction, conversation, unit.ledger), unit.calibration),
      fates: compaction.isOpaque ? [] : fatesIn(textAfter(compaction, conversation), entries, unit),
      rescue: rescueOfCompaction(compaction, inspection),
      rereading: rereadingsIn(inspection).get(compaction.id) ?? null,
    }),
  };
}

/** A block that came with a fork. The fork has its own copy of the messages. */
function openForked(
  id: string,
  { parts }: Entry,
  entryIds: readonly string[],
  conversation: Conversation,
  unit: TokenUnit,
): OpenedCompaction {
  const entries = entriesOf(entryIds, conversation);
  const replaced = placeBlocks(entries, [], unit.ledger);
  const after = textOf(parts);
  return {
    id,
    replaced,
    ofReplaced: calibrated(replaced, unit.calibration),
    after,
    facts: () => ({ ...nothingKnown, fates: fatesIn(after, entries, unit) }),
  };
}

/** Null for all but the newest compaction, because a later summary may contain what older ones dropped. */
function rescueOfCompaction(compaction: AgentCompaction, inspection: Inspection): RescueView | null {
  if (compaction !== newestSummary(inspection.conversation)) return null;
  const outcome = rescueOf(inspection);
  return outcome.kind === 'forgot' ? rescueView(outcome.rescue) : null;
}

/** Maximum number of fates, for the newest entries. */
const maxFates = 3000;

function fatesIn(text: string, replaced: readonly Entry[], { ledger, calibration }: TokenUnit): FateView[] {
  const entries = replaced.slice(-maxFates);
  const fates = entryFates(text, entries);
  const tokens = wholeShares(
    entries.map((entry) => ledger.ofEntry(entry)),
    calibration,
  );
  return entries.map((entry, at) => ({
    entryId: entry.id,
    fate: fates[at]?.fate ?? 'gone',
    kind: entryRowKind(entry),
    preview: previewOf(entry.parts),
    tokens: tokens[at] ?? 0,
  }));
}

/** The text of an entry; else its first call, result or reasoning. */
function previewOf(parts: readonly Part[]): string {
  const text = oneLine(textOf(parts));
  if (text !== '') return text;
  const [call] = toolCalls(parts);
  if (call) return oneLine(`${call.name} ${subjectOf(call)}`);
  const [result] = toolResults(parts);
  if (result) return oneLine(result.text);
  const reasoning = parts.find((part) => part.type === 'reasoning');
  return reasoning?.type === 'reasoning' ? oneLine(reasoning.text) : '';
}

/** Maximum length of a text in the panel, in UTF-16 units. The diff editor shows the full text. */
const maxShownLength = 120_000;

/** The detail of an entry of the list, or of a block. A run with one block that is not beneath others has the detail of that block. */
export function detailOf(id: string, inspection: Inspection): CompactionDetail {
  const number = runOfId(id);
  const listed = number === null ? undefined : listedRuns(inspection).find(({ run }) => run.run === number);
  if (!listed) return compactionDetail(openCompaction(id, inspection));
  const main = mainBlock(listed);
  if (main === null) return runDetail(id, listed.run, inspection);
  return { ...compactionDetail(openCompaction(strataId(main.record.seq), inspection)), id };
}

/** The detail of a run with several blocks. */
function runDetail(id: string, run: JournaledRun, { context }: Inspection): CompactionDetail {
  const { loss } = figuresOf(run);
  return { ...nothingKnown, id, before: '', after: '', loss: lossView(loss, context.tokens.calibration) };
}

function compactionDetail({ id, replaced, ofReplaced, after, facts }: OpenedCompaction): CompactionDetail {
  return { id, before: shown(messagesAsText(replaced, ofReplaced)), after: shown(after), ...facts() };
}

function shown(text: string): string {
  if (text.length <= maxShownLength) return text;
  const rest = l10n.t(
    '[The diff editor shows the other {0} characters.]',
    (text.length - maxShownLength).toLocaleString(),
  );
  return `${text.slice(0, maxShownLength)}\n\n${rest}`;
}
