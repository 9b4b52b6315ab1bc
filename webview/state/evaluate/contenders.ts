import type { ContenderInReport } from '../../../extension/evaluation/measure/report';
import type { CoreKeeper } from '../../../extension/evaluation/measure/results';
import { t } from '../../l10n';

/** Shown before a person chooses others: the seven that are compared first, and what they are held against. */
const usual: ReadonlySet<string> = new Set([
  'naive',
  'codex',
  'hierarchical-summary',
  'a-mem',
  'observations',
  'protected-core+proposed',
  'hybrid+proposed',
  'no-compaction',
  'truncation',
  'checkpoint',
]);

export const coreWords: Readonly<Record<CoreKeeper, string>> = {
  none: t('no core'),
  proposed: t('core: proposed'),
  pinned: t('core: pinned'),
};

export const coreNotes: Readonly<Record<CoreKeeper, string>> = {
  none: t('Nothing is protected.'),
  proposed: t('What wording alone proposes from the person’s messages is confirmed as it comes.'),
  pinned: t('A person pins what they say, and says what is done or no longer holds.'),
};

export const shapes = ['circle', 'square', 'triangle', 'diamond', 'wedge', 'star', 'plus'] as const;
export type Shape = (typeof shapes)[number];

const hueCount = 6;
const dashes = ['none', '6 3', '2 3', '9 3 2 3', '4 2'] as const;

/** How a contender looks wherever it is drawn. Colour alone tells nothing: shape and dash differ as well. */
export interface Look {
  /** From 0; the style sheet has a colour of the theme for each. */
  readonly hue: number;
  readonly shape: Shape;
  readonly dash: string;
  readonly core: CoreKeeper;
}

export interface ContenderView extends ContenderInReport {
  readonly look: Look;
}

/** One strategy looks the same with and without a core but for the filling, whatever is filtered. */
export function contenderViews(contenders: readonly ContenderInReport[]): readonly ContenderView[] {
  const strategies = [...new Set(contenders.map(({ strategy }) => strategy))];
  return contenders.map((contender) => {
    const place = strategies.indexOf(contender.strategy);
    return { ...contender, look: lookOf(place, contender.core) };
  });
}

/** Six colours and seven shapes meet again only after 42 strategies. */
function lookOf(place: number, core: CoreKeeper): Look {
  return {
    hue: place % hueCount,
    shape: shapes[place % shapes.length] ?? 'circle',
    dash: dashes[place % dashes.length] ?? 'none',
    core,
  };
}

export function usuallyShown(contenders: readonly ContenderInReport[]): ReadonlySet<string> {
  const found = contenders.filter(({ key }) => usual.has(key)).map(({ key }) => key);
  return new Set(found.length > 0 ? found : contenders.map(({ key }) => key));
}

export interface ContenderGroup {
  readonly strategy: string;
  readonly contenders: readonly ContenderView[];
}

/** With and without a core stand together, where the first of them stood. */
export function byStrategy(contenders: readonly ContenderView[]): readonly ContenderGroup[] {
  const groups = Map.groupBy(contenders, ({ strategy }) => strategy);
  return [...groups].map(([strategy, members]) => ({ strategy, contenders: members }));
}
