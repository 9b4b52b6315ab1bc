import type { CoreItem, PinKind } from '../../extension/engine/core/core';
import type { CoreView } from '../../extension/protocol/view';

export const pinKindLabels: Readonly<Record<PinKind, string>> = {
  goal: 'Goal',
  constraint: 'Constraint',
  decision: 'Decision',
};

/** The core as the panel lays it out. Items keep the order that the person gave them. */
export interface CoreGroups {
  readonly proposed: readonly CoreItem[];
  readonly goals: readonly CoreItem[];
  readonly constraints: readonly CoreItem[];
  readonly decisions: readonly CoreItem[];
  /** Done and superseded: no longer in the context, but not forgotten. */
  readonly past: readonly CoreItem[];
  /** Proposals that a person turned down; a person can think again. */
  readonly refused: readonly CoreItem[];
}

export function groupCore({ items }: Pick<CoreView, 'items'>): CoreGroups {
  const active = items.filter(({ status }) => status === 'active');
  return {
    proposed: items.filter(({ status }) => status === 'proposed'),
    goals: active.filter(({ kind }) => kind === 'goal'),
    constraints: active.filter(({ kind }) => kind === 'constraint'),
    decisions: active.filter(({ kind }) => kind === 'decision'),
    past: items.filter(({ status }) => status === 'done' || status === 'superseded'),
    refused: items.filter(({ status }) => status === 'refused'),
  };
}

/**
 * All ids of the item's kind with the item moved to the place of another active one: what `order-core-items` takes.
 * Null where nothing would change. Items that are not active keep their places.
 */
export function orderWith(items: readonly CoreItem[], id: string, placeOf: string): readonly string[] | null {
  const kind = items.find((item) => item.id === id)?.kind;
  const all = items.filter((item) => item.kind === kind);
  const active = all.filter(({ status }) => status === 'active').map((item) => item.id);
  const [from, to] = [active.indexOf(id), active.indexOf(placeOf)];
  if (from < 0 || to < 0 || from === to) return null;
  const moved = active.toSpliced(from, 1).toSpliced(to, 0, id);
  let next = 0;
  return all.map((item) => (item.status === 'active' ? (moved[next++] ?? item.id) : item.id));
}

/** The neighbour that an item changes places with; null at the end of its list. */
export function neighbourOf(group: readonly CoreItem[], id: string, step: -1 | 1): string | null {
  const at = group.findIndex((item) => item.id === id);
  return at < 0 ? null : (group[at + step]?.id ?? null);
}
