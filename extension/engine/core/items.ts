import { type CoreItem, type CoreItemStatus, originalGoalId } from './core';

export type CoreItemEvent =
  | { readonly kind: 'proposed' | 'pinned'; readonly time: string; readonly by: string | null }
  | { readonly kind: 'status'; readonly time: string; readonly from: CoreItemStatus; readonly to: CoreItemStatus }
  | {
      readonly kind: 'edited';
      readonly time: string;
      readonly before: string;
      readonly after: string;
      readonly rationaleBefore: string | null;
    };

/** The core items and their history, as the journal's fold builds them. Every change returns a new value. */
export interface CoreItems {
  readonly items: readonly CoreItem[];
  readonly history: ReadonlyMap<string, readonly CoreItemEvent[]>;
}

export const emptyCoreItems: CoreItems = { items: [], history: new Map() };

/** There is one current goal: a new goal supersedes it. */
export function pinItem(core: CoreItems, item: CoreItem, time: string): CoreItems {
  const { items, history } = isActiveGoal(item) ? supersedeGoals(core, time) : core;
  const kind = item.status === 'proposed' ? 'proposed' : 'pinned';
  const added = { items: [...items, item], history };
  return withEvent(added, item.id, { kind, time, by: item.proposedBy ?? null });
}

export function changeItem(core: CoreItems, id: string, status: CoreItemStatus, time: string): CoreItems {
  if (id === originalGoalId) return decideOriginalGoal(core, status, time);
  const item = core.items.find((candidate) => candidate.id === id);
  if (!item || item.status === status) return core;
  const others = isActiveGoal({ ...item, status }) ? supersedeGoals(core, time) : core;
  return withStatus(others, item, status, time);
}

/** Records the decision only in the history. Keeping the goal active is a decision too. */
function decideOriginalGoal(core: CoreItems, status: CoreItemStatus, time: string): CoreItems {
  const from = originalGoalStatus(core.history.get(originalGoalId) ?? []) ?? 'active';
  return withEvent(core, originalGoalId, { kind: 'status', time, from, to: status });
}

/** The person's decision about the original goal; null if there is none yet. */
export function originalGoalStatus(events: readonly CoreItemEvent[]): CoreItemStatus | null {
  const last = events.at(-1);
  return last?.kind === 'status' ? last.to : null;
}

/** Changes the wording of an item, which keeps its place and its status. */
export function editItem(
  core: CoreItems,
  id: string,
  { text, rationale }: Pick<CoreItem, 'text' | 'rationale'>,
  time: string,
): CoreItems {
  const item = core.items.find((candidate) => candidate.id === id);
  if (!item) return core;
  const edited = { ...core, items: replaced(core.items, { ...item, text, rationale }) };
  const { text: before, rationale: rationaleBefore } = item;
  return withEvent(edited, id, { kind: 'edited', time, before, after: text, rationaleBefore });
}

/** Reorders the named items among their own places. All other items stay where they are. */
export function orderItems({ items, history }: CoreItems, ids: readonly string[]): CoreItems {
  const byId = new Map(items.map((item) => [item.id, item]));
  const ordered = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  const moved = new Set(ordered);
  let next = 0;
  return { items: items.map((item) => (moved.has(item) ? (ordered[next++] ?? item) : item)), history };
}

function isActiveGoal(item: CoreItem): boolean {
  return item.kind === 'goal' && item.status === 'active';
}

function supersedeGoals(core: CoreItems, time: string): CoreItems {
  return core.items.filter(isActiveGoal).reduce((state, goal) => withStatus(state, goal, 'superseded', time), core);
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
