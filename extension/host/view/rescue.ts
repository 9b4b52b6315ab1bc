import * as l10n from '@vscode/l10n';
import { type Forgotten, type ForgottenKind, forgottenKinds } from '../../engine/prompts/forgotten-prompt';
import type { Rescue } from '../../inspection/rescue-prompt';
import type { RescueView } from '../../protocol/view';
import { agentCompactionId } from './compaction-ids';

export function rescueView({ compaction, forgotten, tokens }: Rescue): RescueView {
  return {
    compactionId: agentCompactionId(compaction),
    summary: forgottenSummary(forgotten),
    groups: groupsOf(forgotten),
    promptTokens: tokens,
  };
}

function groupsOf(forgotten: readonly Forgotten[]): RescueView['groups'] {
  return forgottenKinds
    .map((kind) => ({ kind, items: forgotten.filter((one) => one.kind === kind) }))
    .filter(({ items }) => items.length > 0);
}

/** `2 of your messages, 1 changed file` */
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
  message: [() => l10n.t('1 of your messages'), (count) => l10n.t('{0} of your messages', count)],
  open: [() => l10n.t('1 open item'), (count) => l10n.t('{0} open items', count)],
  file: [() => l10n.t('1 changed file'), (count) => l10n.t('{0} changed files', count)],
};
