import type { Estimate } from '../../../../extension/evaluation/measure/report';
import { meanWithInterval } from '../../../../extension/evaluation/measure/statistics';
import { isFitted } from './fitted-projects';
import { type CachePrediction, lifetimes } from './prompt-cache';
import { bestSchedule, noSchedule, usualSchedule } from './schedules';
import type { SessionCosts } from './session-costs';
import { checkLengths, fitLengths, type LengthCheck, type LengthFit } from './session-lengths';

/**
 * How well the model of the prompt cache predicts the cost of sessions, and what other schedules of compactions would
 * have cost.
 */
export interface ScheduleReport {
  readonly cache: readonly CacheCheck[];
  /** Number of sessions in which schedules are compared. */
  readonly sessions: number;
  /** Figures for the projects to which nothing was fitted. */
  readonly schedules: readonly ScheduleFigures[];
  /** Figures for the projects to which the expected remaining length was fitted. */
  readonly fitted: readonly ScheduleFigures[];
  readonly lengths: {
    /** The fit to the sessions of the fitted projects. */
    readonly fit: LengthFit | null;
    /** Checks of the fit in the other projects. */
    readonly checks: readonly LengthCheck[];
  };
}

export interface CacheCheck {
  readonly agent: string;
  readonly sessions: number;
  readonly projects: number;
  readonly requests: number;
  /** In minutes, fitted to all projects. */
  readonly lifetime: number;
  /** Share of the prompts that the cache seems to lose within its lifetime, derived from their cost. */
  readonly lost: number;
  /**
   * Predicted cost of all sessions compared with the counters; each project is predicted from the others. Null for a
   * single project.
   */
  readonly error: number | null;
  /** Median over sessions of the absolute error, if the cache loses nothing. */
  readonly medianError: number | null;
}

export interface ScheduleFigures {
  readonly schedule: string;
  /** Cost above that of the best schedule in hindsight, as a share of it. Bootstrap over projects. */
  readonly regret: Estimate;
  /** Share of the cost without compactions that the schedule saves. */
  readonly saved: Estimate;
  /** The same, compared with the usual threshold. */
  readonly savedAgainstSize: Estimate;
  /** Number of sessions that cost more than without compactions, apart from necessary ones. */
  readonly dearer: number;
  readonly compactions: number;
  /** Number of those within a turn, because a request would not fit. */
  readonly forced: number;
}

/** Null if no session reports its usage. */
export function scheduleReport(costs: readonly SessionCosts[]): ScheduleReport | null {
  if (costs.length === 0) return null;
  const agents = [...new Set(costs.map(({ agent }) => agent))].sort();
  const long = costs.filter(({ schedules }) => schedules.length > 0);
  const [fitted, others] = [costs.filter(isFitted), costs.filter((each) => !isFitted(each))];
  const lengthsOf = (of: readonly SessionCosts[]) => of.map(({ requests }) => requests);
  return {
    cache: agents.map((agent) => cacheCheck(costs.filter((each) => each.agent === agent))),
    sessions: long.length,
    schedules: figuresOf(long.filter((each) => !isFitted(each))),
    fitted: figuresOf(long.filter(isFitted)),
    lengths: { fit: fitLengths(lengthsOf(fitted)), checks: checkLengths(lengthsOf(others)) },
  };
}

interface Fit {
  readonly lifetime: number;
  readonly lost: number;
}

function cacheCheck(costs: readonly SessionCosts[]): CacheCheck {
  const projects = [...new Set(costs.map(({ project }) => project))];
  const predicted = costs.flatMap((session) => {
    const others = costs.filter(({ project }) => project !== session.project);
    if (others.length === 0) return [];
    const fit = fitTo(others);
    const prediction = withLifetime(session, fit.lifetime);
    return [{ actual: prediction.actual, cost: costWith(prediction, fit.lost), error: errorIfKept(prediction) }];
  });
  const sum = (of: (each: (typeof predicted)[number]) => number) => predicted.reduce((all, each) => all + of(each), 0);
  return {
    agent: costs[0]?.agent ?? '',
    sessions: costs.length,
    projects: projects.length,
    requests: costs.reduce((all, { requests }) => all + requests, 0),
    ...fitTo(costs),
    error: predicted.length === 0 ? null : sum(({ cost }) => cost) / sum(({ actual }) => actual) - 1,
    medianError: medianOf(predicted.map(({ error }) => error)),
  };
}

/**
 * The lifetime with the lowest median error over sessions, because most of them lose nothing. The share of losses is
 * the one that gives the actual cost of all sessions.
 */
function fitTo(costs: readonly SessionCosts[]): Fit {
  const fits = lifetimes.map((lifetime) => {
    const each = costs.map((session) => withLifetime(session, lifetime));
    const sum = (of: (prediction: CachePrediction) => number) => each.reduce((all, found) => all + of(found), 0);
    const lossCosts = sum(({ ifLost, ifKept }) => ifLost - ifKept);
    const lost = lossCosts > 0 ? sum(({ actual, ifKept }) => actual - ifKept) / lossCosts : 0;
    return { lifetime, lost: Math.min(1, Math.max(0, lost)), error: medianOf(each.map(errorIfKept)) ?? 0 };
  });
  const [best = { lifetime: lifetimes[0], lost: 0 }] = fits.sort((one, other) => one.error - other.error);
  return { lifetime: best.lifetime, lost: best.lost };
}

function errorIfKept({ ifKept, actual }: CachePrediction): number {
  return Math.abs(ifKept / actual - 1);
}

function medianOf(values: readonly number[]): number | null {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}

function withLifetime({ cache }: SessionCosts, lifetime: number): CachePrediction {
  const found = cache.find((prediction) => prediction.lifetime === lifetime);
  if (!found) throw new RangeError(`No prediction for a lifetime of ${lifetime} minutes.`);
  return found;
}

function costWith({ ifKept, ifLost }: CachePrediction, lost: number): number {
  return (1 - lost) * ifKept + lost * ifLost;
}

function figuresOf(costs: readonly SessionCosts[]): ScheduleFigures[] {
  const names = costs[0]?.schedules.map(({ schedule }) => schedule) ?? [];
  return names.filter((name) => name !== bestSchedule).flatMap((name) => figuresOfOne(costs, name));
}

function figuresOfOne(costs: readonly SessionCosts[], schedule: string): ScheduleFigures[] {
  const found = costs.map(({ project, schedules }) => {
    const costOf = (name: string) => schedules.find((each) => each.schedule === name)?.cost ?? 0;
    const { compactions = 0, forced = 0 } = schedules.find((each) => each.schedule === schedule) ?? {};
    const [cost = 0, best = 0, none = 0, bySize = 0] = [schedule, bestSchedule, noSchedule, usualSchedule].map(costOf);
    return { project, cost, best, none, bySize, compactions, forced };
  });
  const estimate = (of: (each: (typeof found)[number]) => number) =>
    meanWithInterval(found.map((each) => ({ cluster: each.project, value: of(each) })));
  const regret = estimate(({ cost, best }) => cost / best - 1);
  const saved = estimate(({ cost, none }) => 1 - cost / none);
  const savedAgainstSize = estimate(({ cost, bySize }) => 1 - cost / bySize);
  if (regret === null || saved === null || savedAgainstSize === null) return [];
  const sum = (of: (each: (typeof found)[number]) => number) => found.reduce((total, each) => total + of(each), 0);
  return [
    {
      schedule,
      regret,
      saved,
      savedAgainstSize,
      dearer: found.filter(({ cost, none }) => cost > none * (1 + rounding)).length,
      compactions: sum(({ compactions }) => compactions),
      forced: sum(({ forced }) => forced),
    },
  ];
}

const rounding = 1e-9;
