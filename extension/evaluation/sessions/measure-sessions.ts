import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { WritingTools } from '../../engine/block/strategy';
import { branchOf } from '../../engine/conversation/branch';
import { TokenLedger } from '../../engine/conversation/tokens';
import type { StrategyChoice } from '../../engine/run/prepare/registry';
import { openSession } from '../../sessions/open';
import { agentNames, type Session } from '../../sessions/session';
import { agentBoundaries, type Boundary, simulatedBoundaries } from '../measure/replay/boundaries';
import { knownBoundary } from '../measure/replay/copies';
import { type MeasureOrder, measureBoundary } from '../measure/replay/measure';
import { repeatsAfter } from '../measure/replay/repeats';
import type { Skipped } from './find-sessions';
import type { ReplayOwner, SessionOrder } from './replay-owner';

interface MeasureTools {
  readonly tools: WritingTools;
  readonly strategies: readonly StrategyChoice[];
  readonly signal: AbortSignal;
}

/** Measures sessions until the owner has none left. Holds one session at a time and never changes it. */
export async function measureSessions(owner: ReplayOwner, tools: MeasureTools): Promise<void> {
  const { countWithO200k } = await import('../../engine/conversation/tokenizer');
  const ledger = new TokenLedger(countWithO200k);
  for (let order = await owner.next(); order !== null; order = await owner.next()) {
    tools.signal.throwIfAborted();
    await measureSession(order, owner, { ...tools, ledger });
  }
}

type Tools = MeasureTools & { readonly ledger: TokenLedger };

async function measureSession(order: SessionOrder, owner: ReplayOwner, tools: Tools): Promise<void> {
  const opened = await openSession(order.address);
  const skip = (skipped: readonly Skipped[]) => owner.read({ ...order, session: null, boundaries: [], skipped });
  if (opened.kind !== 'opened') {
    await skip([{ file: order.address, reason: String(opened.message) }]);
    return;
  }
  const { session } = opened;
  const issues = issuesOf(session);
  if (session.parent) {
    const reason = 'This is a subagent session: an agent led it, not a person';
    await skip([...issues, { file: order.address, reason }]);
    return;
  }
  const { agent, file, conversation } = session;
  const project = session.cwd ?? file;
  const branch = branchOf(conversation);
  const real = agentBoundaries(conversation);
  const found = [...real.boundaries, ...simulatedBoundaries(conversation, tools.ledger)];
  const boundaries = found.map((boundary) => ({ boundary, ...knownBoundary(boundary, tools.ledger) }));
  const { session: id, keys } = await owner.read({
    ...order,
    session: { agent, id: session.id || file },
    boundaries: boundaries.map(({ key, kind, after }) => ({ key, kind, after })),
    skipped: [...issues, ...real.skipped.map((reason) => ({ file, reason }))],
  });
  const named = { id, agent: agentNames[agent], title: session.title ?? basename(file), file, project };
  const repeatedAt = ({ kind, step }: Boundary) =>
    kind === 'agent' ? repeatsAfter(branch, step - 1, (entry) => tools.ledger.ofEntry(entry)) : null;
  for (const key of keys) {
    const boundary = boundaries.find((known) => known.key === key)?.boundary;
    if (boundary)
      await owner.measured({
        at: order.at,
        key,
        ...(await measuredOrFailed(boundary, { ...tools, session: named, repeated: repeatedAt(boundary) })),
      });
  }
}

/** A failure at one boundary must not prevent measuring the others. */
async function measuredOrFailed(boundary: Boundary, order: Omit<MeasureOrder, 'pause'>) {
  order.signal.throwIfAborted();
  try {
    return { boundary: await measureBoundary(boundary, { ...order, pause: () => setImmediate() }), skipped: null };
  } catch (error) {
    order.signal.throwIfAborted();
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const skipped = { file: order.session.file, reason: `Line ${boundary.line}: compaction failed here (${reason})` };
    return { boundary: null, skipped };
  }
}

const maxIssues = 5;

/** The readable part of a damaged file is used. */
function issuesOf({ file, issues }: Session): Skipped[] {
  const first = issues.slice(0, maxIssues).map((issue) => ({ file: issue.file, reason: issueText(issue) }));
  const left = issues.length - maxIssues;
  return left > 0 ? [...first, { file, reason: `${left} more lines could not be read` }] : first;
}

function issueText({ line, message }: Session['issues'][number]): string {
  return line > 0 ? `Line ${line}: ${message}` : String(message);
}
