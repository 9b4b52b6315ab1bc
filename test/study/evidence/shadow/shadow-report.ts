import type { Estimate } from '../../../../extension/evaluation/measure/report';
import { meanWithInterval } from '../../../../extension/evaluation/measure/statistics';
import type { FoundAt, ShadowCell, ShadowWay } from '../found';

type Way = ShadowWay['way'];

const ways: readonly Way[] = ['at once', 'with names', 'repaired', 'anew'];

/** Shares that each way to carry out a prepared compaction keeps. Bootstrap over projects. */
export function shadowCells(scores: readonly FoundAt[]): ShadowCell[] {
  const all = scores.flatMap(({ project, shadow }) => shadow.map((each) => ({ project, ...each })));
  const needed = all.filter((each) => each.needed > 0);
  const strategies = [...new Set(needed.map(({ strategy }) => strategy))];
  const steps = [...new Set(needed.map((each) => each.steps))].sort((one, other) => one - other);
  return strategies.flatMap((strategy) =>
    steps.flatMap((count) => {
      const of = (way: Way) =>
        needed.filter((each) => each.strategy === strategy && each.steps === count && each.way === way);
      return ways.flatMap((way) => cellOf(of(way), of('at once'), of('with names')) ?? []);
    }),
  );
}

type Found = ShadowWay & { readonly project: string };

/** All have the same boundaries in the same order. */
function cellOf(found: readonly Found[], atOnce: readonly Found[], withNames: readonly Found[]): ShadowCell | null {
  const [first] = found;
  const over = (others: readonly Found[] | null): Estimate | null =>
    meanWithInterval(
      found.map((each, at) => ({ cluster: each.project, value: shareOf(each) - shareOf(others?.[at]) })),
    );
  const [names, overAtOnce, overNames] = [over(null), over(atOnce), over(withNames)];
  if (!first || !names || !overAtOnce || !overNames) return null;
  const { strategy, steps, way } = first;
  const tokens = Math.round(found.reduce((sum, each) => sum + each.tokens, 0) / found.length);
  return { strategy, steps, way, names, overAtOnce, overNames, tokens };
}

function shareOf(way: ShadowWay | undefined): number {
  return way ? way.names / way.needed : 0;
}
