import type { CoreItem, PinKind } from '../../../extension/engine/core/core';
import type { CoreView } from '../../../extension/protocol/view';
import { visibleText } from '../../../extension/protocol/visible-text';
import { t } from '../../l10n';

export const pinKindLabels: Readonly<Record<PinKind, string>> = {
  goal: t('Goal'),
  constraint: t('Constraint'),
  decision: t('Decision'),
};

/** The labels within a sentence. */
export const pinKindWords: Readonly<Record<PinKind, string>> = {
  goal: t('goal'),
  constraint: t('constraint'),
  decision: t('decision'),
};

/** Leaves out `proposed` and `refused`, which the group already says. */
export function kindAndFate({ kind, status }: Pick<CoreItem, 'kind' | 'status'>): string {
  const word = pinKindWords[kind];
  if (status === 'done') return t('done {0}', word);
  return status === 'superseded' ? t('superseded {0}', word) : word;
}

/** Longest name of an item within the name of a button, in UTF-16 units. */
const maxNameLength = 60;

/** Tells the items apart for a screen reader, which reads buttons without what is around them. */
export function shortText({ text }: Pick<CoreItem, 'text'>): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim();
  return line.length <= maxNameLength ? line : `${line.slice(0, maxNameLength - 1).trimEnd()}…`;
}

/** The core as the panel groups it. Items keep the user's order. */
interface CoreGroups {
  readonly proposed: readonly CoreItem[];
  readonly goals: readonly CoreItem[];
  readonly constraints: readonly CoreItem[];
  readonly decisions: readonly CoreItem[];
  /** Done and superseded items: no longer in the context, but still listed. */
  readonly past: readonly CoreItem[];
  /** Refused proposals, which can still be accepted. */
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
 * All ids of the item's kind after moving the item to the place of another active one, as `order-core-items` takes
 * them. Null if nothing would change. Inactive items keep their places.
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

/** The neighbour with which an item swaps places; null at the end of its list. */
export function neighbourOf(group: readonly CoreItem[], id: string, step: -1 | 1): string | null {
  const at = group.findIndex((item) => item.id === id);
  return at < 0 ? null : (group[at + step]?.id ?? null);
}
