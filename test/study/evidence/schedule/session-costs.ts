import type { Branch } from '../../../../extension/engine/conversation/branch';
import { cachePricesOf } from '../../../../extension/engine/run/automation/cache-prices';
import { type CachePrediction, cachePrediction, lifetimes } from './prompt-cache';
import { promptRequestsOf } from './prompt-requests';
import { type CostOfSchedule, scheduleCosts } from './schedules';
import { fewestRequests } from './session-lengths';
import { traceOf } from './trace';

/** The cost of one session's prompts: by its counters, by the model of the cache, and under other schedules. */
export interface SessionCosts {
  readonly project: string;
  readonly agent: string;
  readonly requests: number;
  readonly cache: readonly CachePrediction[];
  /** Empty for a session that is too short to compare schedules. */
  readonly schedules: readonly CostOfSchedule[];
}

const fewestForSchedules = 40;

/** Agents for which the short lifetime fits most counters: see the study. */
const shortLived = ['Codex'];

/** Null for a session that reports no usage, is short, or has a model without known prices. */
export function sessionCostsOf(branch: Branch, session: Pick<SessionCosts, 'project' | 'agent'>): SessionCosts | null {
  const requests = promptRequestsOf(branch);
  const prices = cachePricesOf(requests.at(-1)?.model ?? null);
  if (prices === null || requests.length < fewestRequests) return null;
  const cache = lifetimes.map((lifetime) => cachePrediction(requests, lifetime, prices));
  const [short, long] = lifetimes;
  const trace = traceOf(requests, shortLived.includes(session.agent) ? short : long, prices);
  const isLong = requests.length >= fewestForSchedules;
  return { ...session, requests: requests.length, cache, schedules: trace && isLong ? scheduleCosts(trace) : [] };
}
