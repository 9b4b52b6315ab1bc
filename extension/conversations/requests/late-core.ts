import { type CoreItem, coreState, coreText, statementOf } from '../../engine/core/core';
import type { CoreItemEvent } from '../../engine/core/items';
import { itemBefore } from '../../engine/core/items-at';
import { overlayOf } from '../../engine/journal/overlay';
import type { Workbench } from '../../engine/run/workbench';
import type { LateCore } from '../../middleware/recognition/late-core';

/**
 * The core as a conversation received it since its newest compaction. An item that was pinned, edited or retired after a reply
 * is stated at the place that the conversation had reached then, so that the prompt before it stays in the provider's cache.
 * Null if the whole core goes first: after a compaction that was not undone, and if the current goal has changed.
 */
export function lateCoreOf({ state, conversation }: Pick<Workbench, 'state' | 'conversation'>): LateCore | null {
  if (state.items.length === 0) return null;
  const replies = conversation.entries.filter(({ role }) => role === 'assistant');
  // Replies that came with the first request were not made from a prompt of Strata's.
  const begun = conversation.entries.find(({ role }) => role !== 'system')?.timestamp ?? '';
  const first = replies.find(({ timestamp }) => timestamp !== null && timestamp !== begun)?.timestamp;
  if (first === undefined || first === null) return null;
  const active = state.compactions.filter((compaction) => compaction.active).map(({ record }) => record.time);
  const settled = active.reduce((newest, time) => (time > newest ? time : newest), first);
  const isLate = ({ time }: CoreItemEvent) => time > settled;
  const late = [...state.itemHistory].map(([id, events]) => [id, events.filter(isLate)] as const);
  if (late.some(([id, events]) => events.length > 0 && !canBeLate(state.items, id, events))) return null;
  const lives = state.items.map((item) => lifeSince(item, (state.itemHistory.get(item.id) ?? []).filter(isLate)));
  const changes = lives
    .flatMap((life) => life.changes)
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  if (changes.length === 0) return null;
  const { core } = overlayOf({ ...state, items: lives.flatMap((life) => life.before ?? []) }, conversation);
  const parts = changes.map(({ time, stated, retired }) => ({
    before: replies.find(({ timestamp }) => timestamp !== null && timestamp > time)?.id ?? null,
    text: coreText(coreState(stated, null), retired),
  }));
  return { first: core === null ? null : coreText(core), parts };
}

/** A goal that changes goes to the beginning. One that is only proposed, or refused, is not in the core. */
function canBeLate(items: readonly CoreItem[], id: string, events: readonly CoreItemEvent[]): boolean {
  const item = items.find((one) => one.id === id);
  return item !== undefined && (item.kind !== 'goal' || lifeSince(item, events).changes.length === 0);
}

/** The statements that a change adds to the core, and those that it removes. */
interface CoreChange {
  readonly time: string;
  readonly stated: readonly CoreItem[];
  readonly retired: readonly string[];
}

/** An item before these events (null if it did not exist), and how they changed the core. */
function lifeSince(
  item: CoreItem,
  events: readonly CoreItemEvent[],
): { readonly before: CoreItem | null; readonly changes: readonly CoreChange[] } {
  let before: CoreItem | null = item;
  const changes: CoreChange[] = [];
  for (const event of events.toReversed()) {
    if (before === null) break;
    const after: CoreItem = before;
    before = itemBefore(after, event);
    const [was, is] = [statementIn(before), statementIn(after)];
    if (is === was) continue;
    changes.unshift({
      time: event.time,
      stated: is === null ? [] : [after],
      retired: was === null ? [] : [was],
    });
  }
  return { before, changes };
}

/** Null if the item is not in the core. */
function statementIn(item: CoreItem | null): string | null {
  return item?.status === 'active' ? statementOf(item) : null;
}
