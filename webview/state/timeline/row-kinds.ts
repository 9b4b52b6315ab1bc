import type { RowKind } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** How the timeline shows rows of a kind, and what can be done with them. Their colour is `--strata-<kind>` in `styles/panel.css`. */
interface RowKindTraits {
  /** Shown in the first column. */
  readonly label: string;
  /** The group of the filter that they are in. */
  readonly group?: 'turns' | 'assistant' | 'tools';
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
  user: { label: t('user'), group: 'turns', canPin: true },
  injected: { label: t('injected'), isQuiet: true },
  reasoning: { label: t('reasoning'), group: 'assistant', isQuiet: true },
  assistant: { label: t('assistant'), group: 'assistant', canPin: true },
  tool: { label: t('tool'), group: 'tools' },
};

export function labelOf(kind: RowKind): string {
  return rowKindTraits[kind].label;
}
