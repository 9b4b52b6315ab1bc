import { type CoreItem, type CoreItemStatus, coreItemStatuses } from '../engine/core/core';
import { CommandFailed } from './command-failed';
import { type JournalOptions, openInspection, print, printJson } from './opened';

export interface CoreOptions extends JournalOptions {
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
  if (options.propose) await inspection.propose();
  for (const [option, status] of changes) {
    const id = options[option];
    if (id !== undefined) await inspection.changeItem(itemOf(inspection.journal.state.items, id).id, status);
  }
  const { items } = inspection.journal.state;
  const tokens = inspection.context.tokens.byKind.core;
  if (options.json) printJson({ tokens, core: inspection.core, items });
  else print(coreAsText(items, tokens));
}

const changes = [
  ['confirm', 'active'],
  ['refuse', 'refused'],
  ['done', 'done'],
  ['supersede', 'superseded'],
] as const satisfies readonly (readonly [keyof CoreOptions, CoreItemStatus])[];

/** Finds an item by its id or by a unique prefix of it. */
function itemOf(items: readonly CoreItem[], id: string): CoreItem {
  if (id === '') throw new CommandFailed('the id of the item is empty', true);
  const matching = items.filter((item) => item.id.startsWith(id));
  const [item] = matching;
  if (!item) throw new CommandFailed(`the core has no item ${id}`);
  if (matching.length > 1) throw new CommandFailed(`${matching.length} ids begin with ${id}`);
  return item;
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
