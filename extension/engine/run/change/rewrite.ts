import { failureOr, ModelFailed } from '../../block/language-model';
import { type SectionName, sectionsIn, sectionsOf } from '../../block/sections';
import type { RequestedBlock, RequestedTurn, Summarizer, SummaryRequest } from '../../block/summary';
import { withoutImpostors } from '../../compaction/impostors';
import { entriesById, replacedEntries, usualBodyLimit } from '../../compaction/request';
import { rejectionText, verify } from '../../compaction/verify';
import { coversTurns } from '../../conversation/context';
import { isPrompt } from '../../conversation/entry';
import { blockText } from '../../conversation/projection';
import { excludedEntries } from '../../journal/excluded';
import type { JournalState } from '../../journal/journal-state';
import { coreWithout } from '../../journal/overlay';
import type { CompactionRecord } from '../../journal/records';
import { handover } from '../../strategies/one-summary';
import { type LocalizableText, localizable } from '../../wording/localizable-text';
import { writerOf } from '../prepare/block-maker';
import { type EditSurroundings, editableText, withLossOfEdit } from './edit';

/** Another text for a block, which is not in the journal yet. */
export interface Rewriting {
  /** The block as it is, with its text and its loss report. */
  readonly before: CompactionRecord;
  readonly after: CompactionRecord;
}

export type RewriteOutcome =
  | { readonly kind: 'written'; readonly rewriting: Rewriting }
  /** The block stays unchanged. The tokens are spent anyway. */
  | { readonly kind: 'rejected'; readonly reason: LocalizableText };

export interface RewriteOrder {
  readonly summarizer: Summarizer;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/** Has the same entries summarized again, and judges the text as a run would. Rejects with the signal's reason on abort. */
export async function rewriteBlock(
  record: CompactionRecord,
  around: EditSurroundings,
  order: RewriteOrder,
): Promise<RewriteOutcome> {
  const old = editableText(record);
  if (old === null) return rejected(localizable('This compaction has no text that can be changed.'));
  const request = requestAgain(record, around);
  const began = order.clock();
  const { summarizer, signal } = order;
  const summary = await failureOr(signal, () => summarizer.summarize(request, signal, order.onText));
  if (summary instanceof ModelFailed) return rejected(summary.wording);
  const introduction = old.startsWith(handover) ? `${handover}\n\n` : '';
  const textOf = (body: string) => blockText(record.summaryType, `${introduction}${body}`);
  const tokensOfBlock = (body: string) => around.ledger.ofParts([{ type: 'text', text: textOf(body) }]);
  const verdict = verify({
    ...{ mode: 'repair', request, body: withoutImpostors(summary.body), tokensOfBlock },
    replaced: replacedEntries(request),
    isExtract: summarizer.model === null,
    tokensBefore: record.tokensBefore,
    limitTokens: Number.POSITIVE_INFINITY,
  });
  if (verdict.kind === 'rejected') return rejected(unusable(summarizer, rejectionText(verdict)));
  const { body, repaired } = verdict;
  const { edited: _edited, repaired: _repaired, ...rest } = record;
  const after: CompactionRecord = {
    ...{ ...rest, text: textOf(body), tokensAfter: tokensOfBlock(body), spans: summary.spans },
    ...{ summarizer: writerOf(summarizer), promptHash: summary.promptHash, tokensSpent: summary.tokensSpent },
    durationMs: Math.round(order.clock() - began),
    ...(repaired.length === 0 ? {} : { repaired }),
  };
  return { kind: 'written', rewriting: { before: record, after: withLossOfEdit(after, around) } };
}

/** A block that was written without a model has none of the sections that a model writes. */
function sectionsOfBlock({ text, summaryType }: CompactionRecord): readonly SectionName[] {
  const found = sectionsIn(text);
  return found.length > 0 ? found : sectionsOf(summaryType);
}

/** The summarizer's original input for the block, as far as the conversation still has it. */
function requestAgain(record: CompactionRecord, around: EditSurroundings): SummaryRequest {
  const { conversation, state, ledger, recallTool } = around;
  const live = conversation.agentContext.findLast(isPrompt);
  return {
    summaryType: record.summaryType,
    sections: sectionsOfBlock(record),
    turns: turnsAgain(record, { conversation, state, ledger }),
    instructions: record.instructions,
    core: coreWithout(state, conversation, new Set(), record.entryIds),
    liveGoal: live ? live.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n') : null,
    context: conversation.agentContext,
    maxTokens: Math.max(usualBodyLimit(record.tokensBefore), record.tokensAfter),
    countTokens: ledger.countText,
    ...(recallTool === undefined ? {} : { recallTool }),
  };
}

/**
 * The entries beneath the block, grouped by turn. A turn has the entries up to the next prompt, and includes its prompt even if the prompt
 * stays in the context. A swallowed block of whole turns counts as one turn, as it did when the block was written.
 */
function turnsAgain(record: CompactionRecord, { conversation, state }: EditSurroundings): RequestedTurn[] {
  const known = entriesById(conversation, excludedEntries(state, conversation));
  const blocks = blocksBeneath(record, state);
  const ids = new Set(record.entryIds);
  const opening = openingPrompts(conversation.entries);
  const turns = new Map<string, RequestedTurn>();
  for (const entry of known.inOrder(record.entryIds)) {
    const block = blocks.get(entry.id);
    const isOfTurns = block !== undefined && coversTurns(block.summaryType);
    const prompt = isPrompt(entry) ? entry.id : (opening.get(entry.id) ?? '');
    const user = isOfTurns ? null : (known.find(prompt) ?? null);
    const key = isOfTurns ? `block ${block.seq}` : prompt;
    const turn = turns.get(key) ?? { user, userIsReplaced: !isOfTurns && ids.has(prompt), entries: [], blocks: [] };
    const isFirstOfBlock = block !== undefined && !turn.blocks.some(({ text }) => text === block.text);
    turns.set(key, {
      ...turn,
      entries: entry === user ? turn.entries : [...turn.entries, entry],
      blocks: isFirstOfBlock ? [...turn.blocks, requestedBlock(block)] : turn.blocks,
    });
  }
  return [...turns.values()];
}

/** By the id of an entry: the prompt that opened its turn. */
function openingPrompts(entries: EditSurroundings['conversation']['entries']): ReadonlyMap<string, string> {
  const opening = new Map<string, string>();
  let prompt = '';
  for (const entry of entries) {
    if (isPrompt(entry)) prompt = entry.id;
    opening.set(entry.id, prompt);
  }
  return opening;
}

/** The swallowed blocks, by the id of each entry beneath them. */
function blocksBeneath({ swallowed }: CompactionRecord, { compactions }: JournalState): Map<string, CompactionRecord> {
  const records = compactions.flatMap(({ record }) => (swallowed.includes(record.seq) ? record : []));
  return new Map(records.flatMap((record) => record.entryIds.map((id) => [id, record] as const)));
}

function requestedBlock({ text, entryIds, summarizer }: CompactionRecord): RequestedBlock {
  return { text, entryIds, isByModel: summarizer.model !== null };
}

function unusable({ name, model }: Summarizer, reason: LocalizableText): LocalizableText {
  return localizable('what {0} wrote is not usable ({1}). Try again, or choose another model.', model ?? name, reason);
}

function rejected(reason: LocalizableText): RewriteOutcome {
  return { kind: 'rejected', reason };
}
