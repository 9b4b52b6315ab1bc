import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { WritingTools } from '../../engine/block/strategy';
import { TokenLedger } from '../../engine/conversation/tokens';
import { type StrategyChoice, strategyChoices } from '../../engine/run/registry';
import { openSession } from '../../sessions/open';
import { agentNames, type Session } from '../../sessions/session';
import type { ReplayBoundary, ReplayReport } from '../measure/replay';
import { agentBoundaries, simulatedBoundaries } from '../measure/replay/boundaries';
import { Copies, type Wanted } from '../measure/replay/copies';
import { type MeasureOrder, measureBoundary } from '../measure/replay/measure';
import { replayReport } from '../measure/replay/replay-report';
import { findSessions, type SearchLimits, type Skipped, searchLimits } from './find-sessions';

export interface ReplayOptions {
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** All that can be chosen, unless said otherwise. */
  readonly strategies?: readonly StrategyChoice[];
  /** At most so many of one session. */
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
  /** Which one is being read. */
  readonly file: string;
}

const simulatedPerSession = 4;

/**
 * What later work needed at the compactions of these sessions, and at simulated ones, and what each way holds of it.
 * One session at a time is in memory; none is written to. What cannot be read is told in `skipped`. Rejects where the
 * signal says so.
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
  /** By the key of the boundary: a longer copy of a session takes the place of a shorter one. */
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
      this.#skip(address, opened.message);
      return;
    }
    const { session } = opened;
    this.#tellIssues(session);
    if (session.parent) this.#skip(address, 'Another conversation led this one, and no person');
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
    const wanted = this.#copies.wantedOf({ agent, id: session.id || file, boundaries });
    const title = session.title ?? basename(file);
    const order = { id: wanted.session, agent: agentNames[agent], title, file };
    for (const boundary of wanted.boundaries) await this.#measure(boundary, order);
  }

  /** One boundary that something breaks at must not keep the others from being measured. */
  async #measure({ boundary, key }: Wanted, session: MeasureOrder['session']): Promise<void> {
    const { tools, signal, strategies = strategyChoices() } = this.options;
    signal.throwIfAborted();
    try {
      const order = { session, ledger: this.ledger, tools, signal, strategies, pause: () => setImmediate() };
      this.#measured.set(key, await measureBoundary(boundary, order));
    } catch (error) {
      signal.throwIfAborted();
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.#skip(session.file, `Line ${boundary.line}: it could not be compacted here (${reason})`);
    }
  }

  /** What can be read of a damaged file is used all the same. */
  #tellIssues({ file, issues }: Session): void {
    for (const issue of issues.slice(0, issuesTold)) this.#skip(issue.file, issueText(issue));
    const left = issues.length - issuesTold;
    if (left > 0) this.#skip(file, `${left} more lines could not be read as expected`);
  }

  #skip(file: string, reason: string): void {
    this.skipped.push({ file, reason });
  }
}

const issuesTold = 5;

function issueText({ line, message }: Session['issues'][number]): string {
  return line > 0 ? `Line ${line}: ${message}` : message;
}
