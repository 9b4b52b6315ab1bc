import type {
  BoundaryScore,
  RepeatCount,
  RepeatEstimates,
  RepeatsSpared,
  ReplayBehaviour,
  ReplayBoundary,
  ReplayCell,
  ReplayDifference,
  ReplayReport,
  WayScore,
} from '../replay';
import { baseline, type Estimate } from '../report';
import { meanWithInterval, type Sample, verdictOf } from '../statistics';
import { agentWay, ceilingWay } from './measure';

type Kind = ReplayBoundary['kind'];
type Measure = ReplayCell['measure'];

const kinds: readonly Kind[] = ['agent', 'simulated'];
const measures: readonly Measure[] = ['names', 'messages'];

/** The way that others are compared with, per kind of boundary. */
const standardOf: Readonly<Record<Kind, string>> = { agent: agentWay, simulated: baseline };

/** Computes the cells and differences. Time linear in the boundaries, except for the bootstrap. */
export function replayReport(
  scores: readonly BoundaryScore[],
  found: Omit<ReplayReport, 'measured' | 'cells' | 'differences' | 'behaviour'>,
): ReplayReport {
  const each = kinds.flatMap((kind) => measures.map((measure) => new Comparison(scores, kind, measure)));
  const count = (wanted: Kind) => scores.filter(({ kind }) => kind === wanted).length;
  return {
    ...found,
    measured: { agent: count('agent'), simulated: count('simulated') },
    cells: each.flatMap((comparison) => comparison.cells()),
    differences: each.flatMap((comparison) => comparison.differences()),
    behaviour: behaviourOf(scores),
  };
}

export function scoreOf({ session, kind, names, messages, ways, again }: ReplayBoundary): BoundaryScore {
  return {
    session: session.id,
    project: session.project,
    kind,
    again,
    names: names.length,
    messages: messages.length,
    ways: ways.map(({ way, tokens, isWithinBudget, namesHeld, messagesHeld }) => ({
      way,
      tokens,
      isWithinBudget,
      names: namesHeld.length,
      messages: messagesHeld.length,
    })),
  };
}

/** One measure at the boundaries of one kind where something was needed. */
class Comparison {
  readonly #boundaries: readonly BoundaryScore[];
  readonly #ways: readonly string[];

  constructor(
    boundaries: readonly BoundaryScore[],
    readonly kind: Kind,
    readonly measure: Measure,
  ) {
    this.#boundaries = boundaries.filter((boundary) => boundary.kind === kind && boundary[measure] > 0);
    const ofKind = boundaries.filter((boundary) => boundary.kind === kind);
    this.#ways = [...new Set(ofKind.flatMap(({ ways }) => ways.map(({ way }) => way)))];
  }

  cells(): ReplayCell[] {
    return this.#ways.map((way) => this.#cell(way));
  }

  differences(): ReplayDifference[] {
    const against = standardOf[this.kind];
    return this.#ways.filter((way) => way !== against).flatMap((way) => this.#difference(way, against) ?? []);
  }

  #cell(way: string): ReplayCell {
    const all = this.#boundaries.flatMap((boundary) => {
      const held = wayAt(boundary, way);
      return held ? [{ boundary, held }] : [];
    });
    const compared = all.filter(({ held }) => held.isWithinBudget || way === ceilingWay);
    const tokens = compared.reduce((total, { held }) => total + held.tokens, 0) / Math.max(1, compared.length);
    return {
      way,
      measure: this.measure,
      kind: this.kind,
      estimate: meanWithInterval(compared.map(({ boundary, held }) => this.#sample(boundary, held))),
      overBudget: all.length - compared.length,
      tokens: Math.round(tokens),
    };
  }

  #difference(way: string, against: string): ReplayDifference | null {
    const { kind, measure } = this;
    const estimate = meanWithInterval(this.#boundaries.flatMap((boundary) => this.#pair(boundary, way, against)));
    return estimate === null ? null : { way, against, kind, measure, estimate, verdict: verdictOf(estimate, 'higher') };
  }

  #pair(boundary: BoundaryScore, way: string, against: string): Sample[] {
    const [one, other] = [wayAt(boundary, way), wayAt(boundary, against)];
    if (!one?.isWithinBudget || !other?.isWithinBudget) return [];
    const value = this.#share(boundary, one) - this.#share(boundary, other);
    return [{ cluster: boundary.session, value }];
  }

  #sample(boundary: BoundaryScore, held: WayScore): Sample {
    return { cluster: boundary.session, value: this.#share(boundary, held) };
  }

  #share(boundary: BoundaryScore, held: WayScore): number {
    return held[this.measure] / boundary[this.measure];
  }
}

function wayAt({ ways }: BoundaryScore, way: string): WayScore | undefined {
  return ways.find((held) => held.way === way);
}

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
