import type { CoreItem, CoreItemStatus } from './core';
import type { CoreItemEvent } from './history';

/** The items of the core and what happened to each, as the journal's fold builds them up. Every change makes new ones. */
export interface CoreItems {
  readonly items: readonly CoreItem[];
  readonly history: ReadonlyMap<string, readonly CoreItemEvent[]>;
}

export const noItems: CoreItems = { items: [], history: new Map() };

/** There is one current goal: a newer one supersedes it. */
export function pinItem(core: CoreItems, item: CoreItem, time: string): CoreItems {
  const { items, history } = becomesCurrentGoal(item) ? supersedeGoals(core, time) : core;
  const kind = item.status === 'proposed' ? 'proposed' : 'pinned';
  const added = { items: [...items, item], history };
  return withEvent(added, item.id, { kind, time, by: item.proposedBy ?? null });
}

export function changeItem(core: CoreItems, id: string, status: CoreItemStatus, time: string): CoreItems {
  const item = core.items.find((candidate) => candidate.id === id);
  if (!item || item.status === status) return core;
  const others = becomesCurrentGoal({ ...item, status }) ? supersedeGoals(core, time) : core;
  return withStatus(others, item, status, time);
}

/** Other words for an item that keeps its place and its life. */
export function editItem(
  core: CoreItems,
  id: string,
  { text, rationale }: Pick<CoreItem, 'text' | 'rationale'>,
  time: string,
): CoreItems {
  const item = core.items.find((candidate) => candidate.id === id);
  if (!item) return core;
  const edited = { ...core, items: replaced(core.items, { ...item, text, rationale }) };
  return withEvent(edited, id, { kind: 'edited', time, before: item.text, after: text });
}

/** The items named here change places among themselves; all others stay where they are. */
export function orderItems({ items, history }: CoreItems, ids: readonly string[]): CoreItems {
  const byId = new Map(items.map((item) => [item.id, item]));
  const ordered = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  const moved = new Set(ordered);
  let next = 0;
  return { items: items.map((item) => (moved.has(item) ? (ordered[next++] ?? item) : item)), history };
}

function becomesCurrentGoal(item: CoreItem): boolean {
  return item.kind === 'goal' && item.status === 'active';
}

function supersedeGoals(core: CoreItems, time: string): CoreItems {
  return core.items
    .filter(becomesCurrentGoal)
    .reduce((state, goal) => withStatus(state, goal, 'superseded', time), core);
}

function withStatus(core: CoreItems, item: CoreItem, status: CoreItemStatus, time: string): CoreItems {
  const changed = { ...core, items: replaced(core.items, { ...item, status }) };
  return withEvent(changed, item.id, { kind: 'status', time, from: item.status, to: status });
}

function replaced(items: readonly CoreItem[], item: CoreItem): CoreItem[] {
  return items.map((candidate) => (candidate.id === item.id ? item : candidate));
}

function withEvent({ items, history }: CoreItems, id: string, event: CoreItemEvent): CoreItems {
  return { items, history: new Map(history).set(id, [...(history.get(id) ?? []), event]) };
}
