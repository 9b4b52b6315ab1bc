import { type PinKind, pinKinds } from '../engine/core/core';
import { runNumbers } from '../engine/journal/runs';
import type { Inspection } from '../inspection/inspection';
import { CommandFailed } from './command-failed';
import { openInspection } from './opened';
import { print } from './output';
import type { JournalOptions } from './session-with-journal';

export async function undo(file: string, seq: number | undefined, options: JournalOptions): Promise<void> {
  const inspection = await openInspection(file, options);
  const undone = await inspection.undo(seq);
  print(`Undone: ${named(inspection, undone)}. The context has ${inspection.context.tokens.total} tokens.`);
}

export async function redo(file: string, options: JournalOptions): Promise<void> {
  const inspection = await openInspection(file, options);
  const redone = await inspection.redo();
  print(`Redone: ${named(inspection, redone)}. The context has ${inspection.context.tokens.total} tokens.`);
}

interface PinOptions extends JournalOptions, Partial<Record<PinKind, string>> {
  readonly rationale?: string;
}

export async function pin(file: string, options: PinOptions): Promise<void> {
  const asked = pinKinds.flatMap((kind) => (options[kind] === undefined ? [] : [{ kind, text: options[kind] }]));
  const [order] = asked;
  if (!order || asked.length > 1)
    throw new CommandFailed('give exactly one of --goal, --constraint and --decision', true);
  const { rationale = null } = options;
  if (rationale !== null && order.kind !== 'decision')
    throw new CommandFailed('--rationale belongs to --decision', true);
  if (rationale?.trim() === '') throw new CommandFailed('the rationale is empty', true);
  const inspection = await openInspection(file, options);
  const item = await inspection.coreEditor.pin(order.kind, order.text, null, rationale);
  print(`Pinned ${item.kind} ${item.id}. The context contains it verbatim.`);
}

/** The numbers of their runs: `#26, #40` */
function named({ state }: Inspection, seqs: readonly number[]): string {
  return runNumbers(state, seqs)
    .map((run) => `#${run}`)
    .join(', ');
}
