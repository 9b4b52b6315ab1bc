import type { BoundaryScore, RepeatCount, RepeatEstimates, RepeatsSpared, ReplayBehaviour } from '../replay';
import type { Estimate } from '../report';
import { meanWithInterval } from '../statistics';

type Again = BoundaryScore & { readonly again: RepeatsSpared };

/** Estimates for this many calls that read or searched. */
const calls = 10;

/** The cost of compactions in repeated work; null if none of them has points to compare with. */
export function behaviourOf(scores: readonly BoundaryScore[]): ReplayBehaviour | null {
  const found = scores.filter((score): score is Again => score.again !== null);
  if (found.length === 0) return null;
  const ways = [...new Set(found.flatMap(({ again }) => again.spared.map(({ way }) => way)))];
  return {
    compactions: found.length,
    calls: estimatesOf(found, (count) => count.calls),
    tokens: estimatesOf(found, (count) => count.tokens),
    spared: ways.flatMap((way) => sparedBy(found, way)),
  };
}

function estimatesOf(found: readonly Again[], of: (count: RepeatCount) => number): RepeatEstimates {
  const estimate = (value: (again: RepeatsSpared) => number): Estimate => {
    const samples = found.map(({ project, again }) => ({
      cluster: project,
      value: (value(again) / again.window) * calls,
    }));
    const made = meanWithInterval(samples);
    if (made === null) throw new RangeError('No compactions to compare.');
    return made;
  };
  return {
    after: estimate(({ after }) => of(after)),
    matched: estimate(({ matched }) => of(matched)),
    difference: estimate(({ after, matched }) => of(after) - of(matched)),
  };
}

function sparedBy(found: readonly Again[], way: string): ReplayBehaviour['spared'] {
  const each = found.flatMap(({ project, again }) =>
    again.spared.filter((spared) => spared.way === way).map((spared) => ({ project, ...spared })),
  );
  const estimate = meanWithInterval(each.map(({ project, share }) => ({ cluster: project, value: share })));
  if (estimate === null) return [];
  const tokens = each.reduce((sum, spared) => sum + spared.tokens, 0) / each.length;
  return [{ way, estimate, tokens: Math.round(tokens) }];
}
