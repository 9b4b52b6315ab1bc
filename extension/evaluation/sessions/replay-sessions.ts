import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { WritingTools } from '../../engine/block/strategy';
import { TokenLedger } from '../../engine/conversation/tokens';
import { type StrategyChoice, strategyChoices } from '../../engine/run/registry';
import { openSession } from '../../sessions/open';
import { agentNames, type Session } from '../../sessions/session';
import type { ReplayBoundary, ReplayReport } from '../measure/replay';
import { agentBoundaries, simulatedBoundaries } from '../measure/replay/boundaries';
import { type BoundaryToMeasure, Copies } from '../measure/replay/copies';
import { type MeasureOrder, measureBoundary } from '../measure/replay/measure';
import { replayReport } from '../measure/replay/replay-report';
import { findSessions, type SearchLimits, type Skipped, searchLimits } from './find-sessions';

export interface ReplayOptions {
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** Default: all that a person can choose. */
  readonly strategies?: readonly StrategyChoice[];
  /** Maximum number of simulated boundaries per session. */
  readonly simulatedPerSession?: number;
  readonly limits?: SearchLimits;
  /** ISO 8601. */
  readonly now: () => string;
  readonly madeWith: ReplayReport['madeWith'];
}

export interface ReplayProgress {
  /** Sessions. */
  readonly done: number;
  readonly of: number;
  /** The session being read. */
  readonly file: string;
}

const simulatedPerSession = 4;

/**
 * Measures what later work needed at the compactions of these sessions and at simulated ones, and how much of it each
 * way keeps. Holds one session in memory at a time and writes to none. `skipped` lists what could not be read. Rejects
 * with the signal's reason.
 */
export async function replaySessions(
  folderOrFiles: string | readonly string[],
  options: ReplayOptions,
): Promise<ReplayReport> {
  const { addresses, skipped } = await findSessions(folderOrFiles, options.limits ?? searchLimits, options.signal);
  const { countWithO200k } = await import('../../engine/conversation/tokenizer');
  const replay = new Replay(options, new TokenLedger(countWithO200k), [...skipped]);
  for (const [done, file] of addresses.entries()) {
    options.signal.throwIfAborted();
    options.onProgress?.({ done, of: addresses.length, file });
    await replay.take(file);
  }
  return replay.report();
}

class Replay {
  readonly #copies: Copies;
  /** By boundary key: a longer copy of a session replaces a shorter one. */
  readonly #measured = new Map<string, ReplayBoundary>();

  constructor(
    readonly options: ReplayOptions,
    readonly ledger: TokenLedger,
    readonly skipped: Skipped[],
  ) {
    this.#copies = new Copies(ledger, options.simulatedPerSession ?? simulatedPerSession);
  }

  async take(address: string): Promise<void> {
    const opened = await openSession(address);
    if (opened.kind !== 'opened') {
      this.#skip(address, String(opened.message));
      return;
    }
    const { session } = opened;
    this.#reportIssues(session);
    if (session.parent) this.#skip(address, 'This is a subagent session: an agent led it, not a person');
    else await this.#measureAll(session);
  }

  report(): ReplayReport {
    return replayReport({
      time: this.options.now(),
      madeWith: this.options.madeWith,
      sessions: this.#copies.sessions,
      skipped: this.skipped,
      boundaries: [...this.#measured.values()],
    });
  }

  async #measureAll(session: Session): Promise<void> {
    const { agent, file, conversation } = session;
    const real = agentBoundaries(conversation);
    for (const reason of real.skipped) this.#skip(file, reason);
    const boundaries = [...real.boundaries, ...simulatedBoundaries(conversation, this.ledger)];
    const wanted = this.#copies.boundariesToMeasure({ agent, id: session.id || file, boundaries });
    const title = session.title ?? basename(file);
    const order = { id: wanted.session, agent: agentNames[agent], title, file };
    for (const boundary of wanted.boundaries) await this.#measure(boundary, order);
  }

  /** A failure at one boundary must not prevent measuring the others. */
  async #measure({ boundary, key }: BoundaryToMeasure, session: MeasureOrder['session']): Promise<void> {
    const { tools, signal, strategies = strategyChoices() } = this.options;
    signal.throwIfAborted();
    try {
      const order = { session, ledger: this.ledger, tools, signal, strategies, pause: () => setImmediate() };
      this.#measured.set(key, await measureBoundary(boundary, order));
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#skip(session.file, `Line ${boundary.line}: compaction failed here (${reason})`);
    }
  }

  /** The readable part of a damaged file is used. */
  #reportIssues({ file, issues }: Session): void {
    for (const issue of issues.slice(0, maxIssues)) this.#skip(issue.file, issueText(issue));
    const left = issues.length - maxIssues;
    if (left > 0) this.#skip(file, `${left} more lines could not be read`);
  }

  #skip(file: string, reason: string): void {
    this.skipped.push({ file, reason });
  }
}

const maxIssues = 5;

function issueText({ line, message }: Session['issues'][number]): string {
  return line > 0 ? `Line ${line}: ${message}` : String(message);
}
