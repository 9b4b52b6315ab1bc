import { replacedMessages } from '../engine/compaction/plan';
import type { PreparedRun } from '../engine/compaction/run';
import { blockForm } from '../engine/conversation/context';
import { localEmbedder } from '../summarizers/embeddings/local';
import { extractiveSummarizer } from '../summarizers/extractive/extractive';
import { type JournalOptions, openInspection, print, printJson, warn } from './opened';

interface CompactOptions extends JournalOptions {
  readonly strategy: string;
  readonly dryRun?: boolean;
  readonly instructions?: string;
  readonly json?: boolean;
}

export async function compact(file: string, options: CompactOptions): Promise<void> {
  if (options.instructions !== undefined) warn('the extractive summarizer takes no instructions; they are only noted');
  const inspection = await openInspection(file, options);
  const signal = interruptSignal();
  const run = await inspection.prepare({
    strategy: options.strategy,
    instructions: options.instructions ?? null,
    parameters: {},
    tools: { summarizer: extractiveSummarizer, model: null, embedder: localEmbedder },
    signal,
  });
  signal.throwIfAborted();
  if (!options.dryRun) await inspection.apply(run);
  if (options.json) printJson(runAsJson(run, options.dryRun === true));
  else print(runAsText(run, options.dryRun === true));
}

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Error('interrupted')));
  return controller.signal;
}

/** The shape that docs/cli.md promises. Add to it; never rename or take away. */
function runAsJson(run: PreparedRun, dryRun: boolean) {
  return {
    strategy: run.strategy,
    dryRun,
    tokensBefore: run.before.tokens.total,
    tokensAfter: run.after.tokens.total,
    blocks: run.records.map((record, index) => ({
      seq: record.seq,
      strategy: record.strategy,
      summaryType: record.summaryType,
      tag: blockForm(record.summaryType).tag,
      metadata: { summarized: true, summary_type: record.summaryType, turn_count: record.turnCount },
      reason: run.plans[index]?.reason,
      replaced: run.plans[index] ? replacedMessages(run.plans[index]).map((message) => message.key) : [],
      entryIds: record.entryIds,
      tokensBefore: record.tokensBefore,
      tokensAfter: record.tokensAfter,
      summarizer: record.summarizer,
      tokensSpent: record.tokensSpent,
      durationMs: record.durationMs,
      text: record.text,
      spans: record.spans,
      loss: record.loss,
    })),
    notes: run.notes,
  };
}

function runAsText(run: PreparedRun, dryRun: boolean): string {
  const { records, before, after, notes } = run;
  if (records.length === 0) return ['Nothing was compacted.', ...notes].join('\n');
  const saved = Math.round((1 - after.tokens.total / before.tokens.total) * 100);
  return [
    `${dryRun ? 'Would compact' : 'Compacted'} ${before.tokens.total} → ${after.tokens.total} tokens (${saved} % less)`,
    ...records.map((record) => {
      const { kept, lost } = record.loss;
      const names = `${kept.length} of ${kept.length + lost.length} names kept`;
      return `  #${record.seq} ${blockForm(record.summaryType).tag} ${record.strategy}: ${record.tokensBefore} → ${record.tokensAfter} tokens, ${record.entryIds.length} entries, ${names}`;
    }),
    ...notes,
  ].join('\n');
}
