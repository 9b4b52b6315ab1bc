import type { ContenderInReport } from '../../../extension/evaluation/measure/report';
import type { CoreKeeper } from '../../../extension/evaluation/measure/results';
import { t } from '../../l10n';

/** Shown by default: the seven main strategies, the runs of several steps, and the contenders that they are compared with. */
const usual: ReadonlySet<string> = new Set([
  'naive',
  'codex',
  'hierarchical-summary',
  'a-mem',
  'observations',
  'protected-core+pinned',
  'hybrid+pinned',
  'no-compaction',
  'truncation',
  'checkpoint',
  'ladder',
  'ladder-without-model',
  'short-ladder',
  'peer',
  'pipeline',
]);

export const coreWords: Readonly<Record<CoreKeeper, string>> = {
  none: t('no core'),
  proposed: t('core: proposed'),
  pinned: t('core: pinned'),
};

export const coreNotes: Readonly<Record<CoreKeeper, string>> = {
  none: t('Nothing is protected.'),
  proposed: t('Every proposal found by structure is accepted.'),
  pinned: t('A person pins each goal and constraint, and retires those that end.'),
};

const shapes = ['circle', 'square', 'triangle', 'diamond', 'wedge', 'star', 'plus'] as const;
export type Shape = (typeof shapes)[number];

const hueCount = 6;
const dashes = ['none', '6 3', '2 3', '9 3 2 3', '4 2'] as const;

/** The look of a contender in all charts. Shape and dash differ as well as colour. */
export interface Look {
  /** From 0; the style sheet maps each number to a theme colour. */
  readonly hue: number;
  readonly shape: Shape;
  readonly dash: string;
  readonly core: CoreKeeper;
}

export interface ContenderView extends ContenderInReport {
  readonly look: Look;
}

/** A strategy has the same look with and without a core, except for the fill, and whatever is filtered. */
export function contenderViews(contenders: readonly ContenderInReport[]): readonly ContenderView[] {
  const strategies = [...new Set(contenders.map(({ strategy }) => strategy))];
  return contenders.map((contender) => {
    const place = strategies.indexOf(contender.strategy);
    return { ...contender, look: lookOf(place, contender.core) };
  });
}

/** Six colours and seven shapes: combinations repeat only after 42 strategies. */
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

interface ContenderGroup {
  readonly strategy: string;
  readonly contenders: readonly ContenderView[];
}

/** Groups the contenders of a strategy at the place of the first of them. */
export function byStrategy(contenders: readonly ContenderView[]): readonly ContenderGroup[] {
  const groups = Map.groupBy(contenders, ({ strategy }) => strategy);
  return [...groups].map(([strategy, members]) => ({ strategy, contenders: members }));
}
