import { messagesIn } from '../engine/block/loss';
import { calibratedLoss } from '../engine/run/prepare/loss-text';
import { strategyChoices } from '../engine/run/prepare/registry';
import { blocksIn } from '../engine/run/prepare/run-blocks';
import { type ComparedStrategy, compareStrategy } from '../inspection/compare';
import { toolsWithoutModel } from '../summarizers/without-model';
import { interruptSignal } from './interrupt';
import { openInspection } from './opened';
import { print, printJson } from './output';
import type { JournalOptions } from './session-with-journal';

/** Dry-runs every strategy on one session, without a model and without writing anything. */
export async function compare(file: string, options: JournalOptions & { json?: boolean }): Promise<void> {
  const inspection = await openInspection(file, options);
  const signal = interruptSignal();
  const compared: ComparedStrategy[] = [];
  for (const choice of strategyChoices()) {
    compared.push(await compareStrategy(inspection, choice, { tools: toolsWithoutModel, parameters: {}, signal }));
    signal.throwIfAborted();
  }
  if (options.json) printJson({ tokensBefore: inspection.context.tokens.total, strategies: compared.map(asJson) });
  else print([table(headings, compared.map(asCells)), ...reasons(compared)].join('\n'));
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
function asJson({ choice, run, durationMs }: ComparedStrategy) {
  return {
    strategy: choice.name,
    tokensBefore: run.before.tokens.total,
    tokensAfter: run.after.tokens.total,
    ...blocksIn(run.after, run.records),
    durationMs: Math.round(durationMs),
    loss: run.loss && calibratedLoss(run.loss, run.after.tokens.calibration),
    notes: run.notes,
  };
}

const headings = ['strategy', 'after', 'less', 'blocks', 'messages whole', 'outputs replaced', 'ms'] as const;

function asCells({ choice, run, durationMs }: ComparedStrategy): string[] {
  const { before, after, records, loss } = run;
  if (records.length === 0) return [choice.name, '–', '–', '0', '–', '–', String(Math.round(durationMs))];
  return [
    choice.name,
    String(after.tokens.total),
    `${Math.round((1 - after.tokens.total / before.tokens.total) * 100)} %`,
    String(blocksIn(after, records).blocks),
    loss === null ? '–' : `${loss.messages.whole} of ${messagesIn(loss)}`,
    String(loss?.outputs.count ?? 0),
    String(Math.round(durationMs)),
  ];
}

function reasons(compared: readonly ComparedStrategy[]): string[] {
  return compared
    .filter(({ run }) => run.records.length === 0)
    .map(({ choice, run }) => `${choice.name}: ${run.notes[0] ?? ''}`);
}

/** Formats aligned columns: the first left-aligned, the others right-aligned. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}
