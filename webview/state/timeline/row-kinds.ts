import type { Row, RowKind } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** The groups of the timeline's filter that are made of kinds. */
export const rowGroups = [
  { id: 'turns', label: t('User') },
  { id: 'assistant', label: t('Assistant') },
  { id: 'tools', label: t('Tools') },
] as const;

/** How the timeline shows rows of a kind, and what can be done with them. Their colour is `--strata-<kind>` in `styles/panel.css`. */
interface RowKindTraits {
  /** Shown in the first column. */
  readonly label: string;
  /** The group of the filter that they are in. */
  readonly group?: (typeof rowGroups)[number]['id'];
  /** A row of this kind begins a turn, which is folded, excluded and compacted as a whole. */
  readonly opensTurn?: true;
  /** Their text is shown in the quiet colour. */
  readonly isQuiet?: true;
  /** A button pins from the row. */
  readonly canPin?: true;
  readonly cannotExclude?: true;
  /** The session file has no record of the row. Blocks and the core are in the journal, earlier messages in other files. */
  readonly cannotReveal?: true;
}

export const rowKindTraits: Readonly<Record<RowKind, RowKindTraits>> = {
  earlier: { label: t('earlier'), cannotReveal: true },
  system: { label: t('system'), isQuiet: true, cannotExclude: true },
  core: { label: t('core'), cannotExclude: true, cannotReveal: true },
  goal_batch: { label: t('goal batch'), cannotReveal: true },
  summary: { label: t('summary'), cannotReveal: true },
  user: { label: t('user'), group: 'turns', opensTurn: true, canPin: true },
  injected: { label: t('injected'), isQuiet: true },
  reasoning: { label: t('reasoning'), group: 'assistant', isQuiet: true },
  assistant: { label: t('assistant'), group: 'assistant', canPin: true },
  tool: { label: t('tool'), group: 'tools' },
};

export function opensTurn({ kind }: Row): boolean {
  return rowKindTraits[kind].opensTurn === true;
}

export function labelOf(kind: RowKind): string {
  return rowKindTraits[kind].label;
}
