import { type Branch, branchOf } from '../engine/conversation/branch';
import { growth } from '../engine/conversation/growth';
import { coreKey } from '../engine/conversation/projection';
import { type Drift, driftOf } from '../engine/history/drift';
import type { GoalDrift } from '../engine/history/goal-drift';
import { lastStepsOf } from '../engine/history/last-step';
import { type PlacedRun, placedRuns } from '../engine/history/places';
import { type CoreShare, type TimelineMark, type TimelinePoint, timelineOf } from '../engine/history/timeline';
import type { Inspection } from './inspection';

/** The size of the context over a session, with every compaction and what it left of the first messages. */
export interface History {
  readonly branch: Branch;
  /** Oldest first, thinned out to the resolution of a chart. */
  readonly points: readonly TimelinePoint[];
  /** Oldest first. */
  readonly marks: readonly MarkWithDrift[];
  /** Number of the person's first messages that are followed. */
  readonly messages: number;
}

export type MarkWithDrift = TimelineMark & { readonly drift: Drift | null; readonly goals: GoalDrift | null };

/** Maximum number of points of the chart. */
const mostPoints = 600;

type Inspected = Pick<Inspection, 'conversation' | 'state' | 'context' | 'ledger'>;

export function historyOf(inspected: Inspected): History {
  const { conversation, state, ledger } = inspected;
  const branch = branchOf(conversation);
  const runs = placedRuns(state, branch, conversation);
  const steps = growth(conversation, branch, ledger);
  const { points, marks } = timelineOf(steps, branch, runs, coreShare(inspected, branch, runs), ledger);
  const { messages, drifts } = driftOf(conversation, branch, state, marks);
  return {
    branch,
    points: thinOut(points, mostPoints),
    marks: marks.map((mark, index) => {
      const { messages: drift = null, goals = null } = drifts[index] ?? {};
      return { ...mark, ...recordedSize(mark), drift, goals };
    }),
    messages,
  };
}

/** An unchanged run has the size that it recorded, as in every list. */
function recordedSize(mark: TimelineMark): Pick<TimelineMark, 'before' | 'after'> | null {
  if (mark.by === 'agent' || mark.run.records.some(({ active }) => !active)) return null;
  return mark.run.records[0]?.record.contextTokens ?? null;
}

/** The current core, from the first active compaction or the first pinned item on. */
function coreShare({ context, state }: Inspected, branch: Branch, runs: readonly PlacedRun[]): CoreShare | null {
  const core = context.messages.find(({ key }) => key === coreKey);
  if (!core) return null;
  const blocks = runs.filter(({ records }) => records.some(({ inContext }) => inContext?.until === null));
  const pinned = state.items.filter(({ status }) => status === 'active');
  const steps = lastStepsOf(branch);
  const pinnedAt = pinned.map(({ timestamp }) => Math.max(0, steps.until(Date.parse(timestamp))));
  const first = [...blocks.map(({ step }) => step), ...pinnedAt].reduce((a, b) => Math.min(a, b), Infinity);
  return { step: Math.min(first, branch.entries.length - 1), tokens: core.tokens };
}

interface LinePoint {
  readonly tokens: number;
  /** This point is always kept. */
  readonly isMarked: boolean;
}

/**
 * Reduces a line to about `maxPoints` points, in order: the first, the last and all marked points stay, and of each group of
 * other points the highest. Linear in the number of points.
 */
export function thinOut<Point extends LinePoint>(points: readonly Point[], maxPoints: number): readonly Point[] {
  if (points.length <= maxPoints) return points;
  const stays = ({ isMarked }: Point, index: number) => isMarked || index === 0 || index === points.length - 1;
  const fixed = points.filter(stays).length;
  const groupSize = Math.ceil((points.length - fixed) / Math.max(minGroups, maxPoints - fixed));
  const kept = new Set<Point>();
  let others: Point[] = [];
  const keepHighest = () => {
    const [first, ...rest] = others;
    if (first) kept.add(rest.reduce((highest, point) => (point.tokens > highest.tokens ? point : highest), first));
    others = [];
  };
  for (const [index, point] of points.entries()) {
    if (stays(point, index)) kept.add(point);
    else others.push(point);
    if (others.length === groupSize) keepHighest();
  }
  keepHighest();
  return points.filter((point) => kept.has(point));
}

/** The line keeps a shape between the marked points of a session with very many compactions. */
const minGroups = 100;
