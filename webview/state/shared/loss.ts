import type { LossView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { fateWords } from '../compactions/fates';
import { formatTokens } from './format';

export type LossGroupKind = 'messages' | 'open' | 'files' | 'outputs';

/** One list of a report. */
export interface LossGroupView {
  readonly kind: LossGroupKind;
  readonly heading: string;
  readonly items: readonly LossItemView[];
  /** Number of items that the report counts and does not list. */
  readonly unlisted: number;
}

export interface LossItemView {
  readonly text: string;
  readonly entryId: string;
  /** The part of it that the context has. */
  readonly note: string;
}

/** The lists of a report that have something in them, in the order of their weight. */
export function lossGroups({ messages, open, files, outputs }: LossView): readonly LossGroupView[] {
  const unnamed = (item: { text: string; entryId: string }) => ({ ...item, note: t('not named') });
  const groups: Omit<LossGroupView, 'unlisted'>[] = [
    {
      kind: 'messages',
      heading: t('Messages of the person'),
      items: messages.listed.map(({ fate, ...item }) => ({ ...item, note: fateWords[fate] })),
    },
    { kind: 'open', heading: t('Open items'), items: open.listed.map(unnamed) },
    { kind: 'files', heading: t('Changed files'), items: files.listed.map(unnamed) },
    {
      kind: 'outputs',
      heading: t('Largest tool outputs'),
      items: outputs.largest.map(({ tokens, ...item }) => ({ ...item, note: formatTokens(tokens) })),
    },
  ];
  const counts: Readonly<Record<LossGroupKind, number>> = {
    messages: messages.shortened + messages.gone,
    open: open.unnamed,
    files: files.unnamed,
    outputs: outputs.largest.length,
  };
  return groups
    .filter(({ items }) => items.length > 0)
    .map((group) => ({ ...group, unlisted: counts[group.kind] - group.items.length }));
}

/** All texts that can be put back, in the order of the report. */
export function lostTexts(loss: LossView): readonly string[] {
  return lossGroups(loss)
    .filter(({ kind }) => kind !== 'outputs')
    .flatMap(({ items }) => items.map(({ text }) => text));
}
