import { localizable } from '../../engine/wording/localizable-text';
import { ResultsUnusable } from '../measure/evaluation-results';
import type { BoundaryScore, ReplayBoundary, ReplayReport } from '../measure/replay';
import { spreadEvenly } from '../measure/replay/boundaries';
import { Copies } from '../measure/replay/copies';
import { replayReport, scoreOf } from '../measure/replay/replay-report';
import type { Skipped } from './find-sessions';
import { type ReplayHeader, type ReplayLine, replayLines } from './replay-records';

/** Maximum number of boundaries that a report shows with their texts. The estimates use all boundaries. */
const shownBoundaries = 60;

/** Reports a replay from its file, in an order that does not depend on which session was measured first. Holds no text but that of the boundaries it shows. */
export async function replayReportOf(
  path: string,
  skipped: readonly Skipped[],
  projectOf: ((file: string) => string) | undefined,
): Promise<ReplayReport> {
  const found = await collected(path, projectOf);
  const { header, copies } = found;
  const results = [...found.results.values()].sort((one, other) => one.order - other.order);
  const shown = new Set(spreadEvenly(results, shownBoundaries).map(({ line }) => line));
  const boundaries = await boundariesAt(path, shown);
  return replayReport(
    results.map(({ score }) => score),
    {
      time: header.time,
      madeWith: header.madeWith,
      sessions: copies.sessions,
      skipped: [...skipped, ...found.skipped.sort((one, other) => one.at - other.at).map(({ skipped: what }) => what)],
      boundaries: results.flatMap(({ line }) => boundaries.get(line) ?? []),
    },
  );
}

interface Result {
  readonly line: number;
  /** By session, then in the order in which the session has them. */
  readonly order: number;
  readonly score: BoundaryScore;
}

interface Collected {
  readonly header: ReplayHeader;
  readonly copies: Copies;
  /** By key: a longer copy of a session replaces a shorter one. */
  readonly results: Map<string, Result & { readonly at: number }>;
  readonly skipped: { readonly at: number; readonly skipped: Skipped }[];
}

function scored(boundary: ReplayBoundary, projectOf?: (file: string) => string): BoundaryScore {
  const score = scoreOf(boundary);
  return projectOf ? { ...score, project: projectOf(boundary.session.file) } : score;
}

const mostPerSession = 1_000_000;

async function collected(path: string, projectOf?: (file: string) => string): Promise<Collected> {
  const lines = replayLines(path);
  const first = (await lines.next()).value as ReplayLine | undefined;
  if (first?.kind !== 'header') {
    throw new ResultsUnusable(localizable('{0}:1: this is not a results file: it does not begin with a header.', path));
  }
  const found: Collected = {
    header: first,
    copies: new Copies(first.simulatedPerSession),
    results: new Map(),
    skipped: [],
  };
  const orders = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.kind === 'session') {
      const { at, session, boundaries } = line;
      found.skipped.push(...line.skipped.map((skipped) => ({ at, skipped })));
      const none = { session: '', keys: [] };
      const { keys } = session ? found.copies.boundariesToMeasure({ ...session, boundaries }) : none;
      for (const [index, key] of keys.entries()) orders.set(`${at} ${key}`, at * mostPerSession + index);
    } else if (line.kind === 'measured') {
      const { at, key, boundary, skipped } = line;
      if (skipped) found.skipped.push({ at, skipped });
      const before = found.results.get(key);
      if (boundary === null || (before && before.at > at)) continue;
      const order = orders.get(`${at} ${key}`) ?? at * mostPerSession;
      found.results.set(key, { at, line: number, order, score: scored(boundary, projectOf) });
    }
  }
  return found;
}

async function boundariesAt(path: string, wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, ReplayBoundary>> {
  const found = new Map<number, ReplayBoundary>();
  let number = -1;
  for await (const line of replayLines(path)) {
    number += 1;
    if (line.kind === 'measured' && line.boundary && wanted.has(number)) found.set(number, line.boundary);
  }
  return found;
}
