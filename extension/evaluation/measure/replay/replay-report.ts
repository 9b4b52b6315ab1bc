import type { ReplayBoundary, ReplayCell, ReplayDifference, ReplayReport, ReplayWay } from '../replay';
import { baseline } from '../report';
import { meanWithInterval, type Sample, verdictOf } from '../statistics';
import { agentWay, ceilingWay } from './measure';

type Kind = ReplayBoundary['kind'];
type Measure = ReplayCell['measure'];

const kinds: readonly Kind[] = ['agent', 'simulated'];
const measures: readonly Measure[] = ['names', 'directions'];

/** The way that others are compared with, per kind of boundary. */
const standardOf: Readonly<Record<Kind, string>> = { agent: agentWay, simulated: baseline };

/** Computes the cells and differences. Time linear in the boundaries, except for the bootstrap. */
export function replayReport(found: Omit<ReplayReport, 'cells' | 'differences'>): ReplayReport {
  const each = kinds.flatMap((kind) => measures.map((measure) => new Comparison(found.boundaries, kind, measure)));
  return {
    ...found,
    cells: each.flatMap((comparison) => comparison.cells()),
    differences: each.flatMap((comparison) => comparison.differences()),
  };
}

/** One measure at the boundaries of one kind where something was needed. */
class Comparison {
  readonly #boundaries: readonly ReplayBoundary[];
  readonly #ways: readonly string[];

  constructor(
    boundaries: readonly ReplayBoundary[],
    readonly kind: Kind,
    readonly measure: Measure,
  ) {
    this.#boundaries = boundaries.filter((boundary) => boundary.kind === kind && boundary[measure].length > 0);
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

  #pair(boundary: ReplayBoundary, way: string, against: string): Sample[] {
    const [one, other] = [wayAt(boundary, way), wayAt(boundary, against)];
    if (!one?.isWithinBudget || !other?.isWithinBudget) return [];
    const value = this.#share(boundary, one) - this.#share(boundary, other);
    return [{ cluster: boundary.session.id, value }];
  }

  #sample(boundary: ReplayBoundary, held: ReplayWay): Sample {
    return { cluster: boundary.session.id, value: this.#share(boundary, held) };
  }

  #share(boundary: ReplayBoundary, { namesHeld, directionsHeld }: ReplayWay): number {
    const held = this.measure === 'names' ? namesHeld : directionsHeld;
    return held.length / boundary[this.measure].length;
  }
}

function wayAt({ ways }: ReplayBoundary, way: string): ReplayWay | undefined {
  return ways.find((held) => held.way === way);
}
