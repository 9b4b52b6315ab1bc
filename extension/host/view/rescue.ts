import * as l10n from '@vscode/l10n';
import { type Forgotten, type ForgottenKind, forgottenKinds } from '../../engine/language/forgotten';
import type { Inspection } from '../../inspection/inspection';
import { unpinnedOf } from '../../inspection/rescue';
import type { Rescue } from '../../inspection/rescue-prompt';
import type { RescueView } from '../../protocol/view';
import { agentCompactionId } from './compaction-ids';

export function rescueView(rescue: Rescue, { state }: Pick<Inspection, 'state'>): RescueView {
  const { compaction, forgotten, tokens } = rescue;
  return {
    compactionId: agentCompactionId(compaction),
    summary: forgottenSummary(forgotten),
    groups: groupsOf(forgotten),
    promptTokens: tokens,
    unpinned: unpinnedOf(rescue, state).length,
  };
}

function groupsOf(forgotten: readonly Forgotten[]): RescueView['groups'] {
  return forgottenKinds
    .map((kind) => ({ kind, items: forgotten.filter((one) => one.kind === kind) }))
    .filter(({ items }) => items.length > 0);
}

/** `2 goals, 1 rule` */
export function forgottenSummary(forgotten: readonly Forgotten[]): string {
  return groupsOf(forgotten)
    .map(({ kind, items }) => countText(kind, items.length))
    .join(', ');
}

function countText(kind: ForgottenKind, count: number): string {
  const [one, many] = counts[kind];
  return count === 1 ? one() : many(count);
}

const counts: Readonly<Record<ForgottenKind, readonly [one: () => string, many: (count: number) => string]>> = {
  goal: [() => l10n.t('1 goal'), (count) => l10n.t('{0} goals', count)],
  rule: [() => l10n.t('1 rule'), (count) => l10n.t('{0} rules', count)],
  request: [() => l10n.t('1 request'), (count) => l10n.t('{0} requests', count)],
  decision: [() => l10n.t('1 decision'), (count) => l10n.t('{0} decisions', count)],
  finding: [() => l10n.t('1 finding'), (count) => l10n.t('{0} findings', count)],
  open: [() => l10n.t('1 open task'), (count) => l10n.t('{0} open tasks', count)],
};
