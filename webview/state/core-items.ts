import type { CoreItem, PinKind } from '../../extension/engine/core/core';
import type { CoreView } from '../../extension/protocol/view';

export const pinKindLabels: Readonly<Record<PinKind, string>> = {
  goal: 'Goal',
  constraint: 'Constraint',
  decision: 'Decision',
};

/** The core as the panel lays it out. Items keep the order in which they were pinned. */
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

export function groupCore({ items }: CoreView): CoreGroups {
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
