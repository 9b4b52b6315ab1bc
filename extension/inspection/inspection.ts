import { randomUUID } from 'node:crypto';
import { type CountTokens, estimatesByLength, TokenLedger } from '../engine/conversation/tokens';
import type { Background } from '../engine/run/background';
import { Workbench, type WorkbenchSource } from '../engine/run/workbench';
import { contextWindowOf } from '../sessions/model-windows';
import type { Session, SessionIssue } from '../sessions/session';
import type { JournalFile } from './journal-file';

export { OperationRefused } from '../engine/journal/operation-refused';
export type { ItemProposal, ProposalOutcome } from '../engine/run/core-items';
export type { CompactionOrder } from '../engine/run/workbench';

/** What stands in for the context window of a model that is not known. */
export const assumedContextWindow = 200_000;

/**
 * Counts what the agent would send of a session, which may go on meanwhile, and lets the ledger know. What it leaves out
 * is counted when it is asked for. Rejected only when the session is closed.
 */
export type CountSession = (ledger: TokenLedger, session: () => Session) => Promise<void>;

/** A session as it is now. */
export interface CurrentSession {
  readonly session: Session;
  /** Takes in what was added to it; says whether there was anything. Absent: whoever follows the session sets it. */
  refresh?(): Promise<boolean>;
}

class InspectedSession implements WorkbenchSource {
  /** Absent once the ledger counts. */
  counted?: Promise<void>;

  constructor(
    public current: CurrentSession,
    readonly journal: JournalFile,
    public ledger: TokenLedger,
    private readonly fallbackWindow: number,
    readonly background: Background | undefined,
  ) {}

  get conversation() {
    return this.current.session.conversation;
  }

  get knownWindow(): number | null {
    const { contextWindow, model } = this.current.session;
    return contextWindow ?? contextWindowOf(model);
  }

  get contextWindow(): number {
    return this.knownWindow ?? this.fallbackWindow;
  }

  async refresh(): Promise<boolean> {
    return (await this.current.refresh?.()) ?? false;
  }

  async countWith(countSession: CountSession): Promise<void> {
    let countText: CountTokens | null = null;
    const ledger = new TokenLedger((text) => {
      if (countText === null) throw new Error('A count was asked for before the tokenizer was there.');
      return countText(text);
    });
    await countSession(ledger, () => this.current.session);
    countText = await tokenizer();
    this.ledger = ledger;
    delete this.counted;
  }
}

/** One session with its journal: the workbench of the panel, the command line and the tools. */
export class Inspection extends Workbench {
  /** Entries when it was opened. */
  readonly #entriesAtFirst: number;

  private constructor(private readonly inspected: InspectedSession) {
    super(inspected, { now: () => new Date().toISOString(), clock: () => performance.now(), newId: randomUUID });
    this.#entriesAtFirst = inspected.conversation.entries.length;
  }

  /** The tokenizer's tables take a while to load, so they are loaded with the first session and not before. */
  static async of(
    session: Session,
    journal: JournalFile,
    fallbackWindow: number = assumedContextWindow,
    background?: Background,
  ): Promise<Inspection> {
    return await Inspection.over({ session }, journal, fallbackWindow, background);
  }

  /** Of a session that changes by itself. */
  static async over(
    current: CurrentSession,
    journal: JournalFile,
    fallbackWindow: number,
    background?: Background,
  ): Promise<Inspection> {
    const ledger = new TokenLedger(await tokenizer());
    return new Inspection(new InspectedSession(current, journal, ledger, fallbackWindow, background));
  }

  /** Can be shown at once: lengths stand in for tokens until all of them are counted. */
  static estimated(
    session: Session,
    journal: JournalFile,
    fallbackWindow: number,
    countSession: CountSession,
    background?: Background,
  ): Inspection {
    const inspected = new InspectedSession({ session }, journal, estimatesByLength(), fallbackWindow, background);
    inspected.counted = inspected.countWith(countSession);
    return new Inspection(inspected);
  }

  get session(): Session {
    return this.inspected.current.session;
  }

  set session(session: Session) {
    this.inspected.current = { session };
  }

  get journal(): JournalFile {
    return this.inspected.journal;
  }

  get isCounting(): boolean {
    return this.inspected.counted !== undefined;
  }

  /** As the session says, else as known of its model; null where it has to be assumed. */
  get knownWindow(): number | null {
    return this.inspected.knownWindow;
  }

  /** Somebody is at work in this session: an agent has it open, or it has grown since it was opened here. */
  get goesOn(): boolean {
    const { live, conversation } = this.session;
    return live || conversation.entries.length > this.#entriesAtFirst;
  }

  get issues(): readonly SessionIssue[] {
    return [...this.session.issues, ...this.journal.issues];
  }
}

async function tokenizer(): Promise<CountTokens> {
  return (await import('../engine/conversation/tokenizer')).countWithO200k;
}
