import { brief } from '../engine/conversation/text';
import { type CoreItem, type CoreItemStatus, coreItemStatuses, originalGoalId } from '../engine/core/core';
import type { OriginalGoal } from '../engine/journal/overlay';
import { CommandFailed } from './command-failed';
import { openInspection } from './opened';
import { print, printJson } from './output';
import type { JournalOptions } from './session-with-journal';

interface CoreOptions extends JournalOptions {
  readonly json?: boolean;
  readonly propose?: boolean;
  readonly confirm?: string;
  readonly refuse?: string;
  readonly done?: string;
  readonly supersede?: string;
}

/** Shows the protected core with its proposals, after the requested changes. */
export async function core(file: string, options: CoreOptions): Promise<void> {
  const inspection = await openInspection(file, options);
  if (options.propose) await inspection.coreEditor.propose();
  for (const [option, status] of changes) {
    const id = options[option];
    if (id !== undefined) await inspection.coreEditor.change(itemIdOf(inspection.journal.state.items, id), status);
  }
  const { originalGoal } = inspection;
  const { items } = inspection.journal.state;
  const tokens = inspection.context.tokens.byKind.core;
  if (options.json) printJson({ tokens, core: inspection.core, originalGoal, items });
  else print([...goalLines(originalGoal), coreAsText(items, tokens)].join('\n'));
}

const changes = [
  ['confirm', 'active'],
  ['refuse', 'refused'],
  ['done', 'done'],
  ['supersede', 'superseded'],
] as const satisfies readonly (readonly [keyof CoreOptions, CoreItemStatus])[];

/** The original goal is shown only if there is something to decide or to take back. */
function goalLines(goal: OriginalGoal | null): string[] {
  if (goal?.status === 'done')
    return [`The original goal is done: ${brief(goal.text, 100)}`, `  --confirm ${originalGoalId} brings it back`];
  if (!goal?.isProposedDone) return [];
  return [
    `A newer goal was confirmed. Is the original one over? ${brief(goal.text, 100)}`,
    `  --done ${originalGoalId} removes it from the context, --confirm ${originalGoalId} keeps it`,
  ];
}

/** Finds an item by its id or by a unique prefix of it. */
function itemIdOf(items: readonly CoreItem[], id: string): string {
  if (id === originalGoalId) return id;
  if (id === '') throw new CommandFailed('the id of the item is empty', true);
  const matching = items.filter((item) => item.id.startsWith(id));
  const [item] = matching;
  if (!item) throw new CommandFailed(`the core has no item ${id}`);
  if (matching.length > 1) throw new CommandFailed(`${matching.length} ids begin with ${id}`);
  return item.id;
}

function coreAsText(items: readonly CoreItem[], tokens: number): string {
  if (items.length === 0) return 'Nothing is pinned or proposed.';
  const groups = coreItemStatuses.flatMap((status) => {
    const ofStatus = items.filter((item) => item.status === status);
    return ofStatus.length === 0 ? [] : [`${status}:`, ...ofStatus.map(itemLine)];
  });
  return [`The core takes ${tokens} tokens of the context.`, ...groups].join('\n');
}

function itemLine({ id, kind, text }: CoreItem): string {
  return `  ${id.slice(0, 8)}  ${kind}: ${text}`;
}
