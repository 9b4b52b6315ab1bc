import { randomUUID } from 'node:crypto';
import type { Context, ContextMessage } from '../engine/conversation/context';
import type { Conversation } from '../engine/conversation/conversation';
import { type Entry, textOf } from '../engine/conversation/entry';
import { project } from '../engine/conversation/projection';
import { type CountTokens, estimatesByLength, TokenLedger } from '../engine/conversation/tokens';
import type { Moment } from '../engine/history/moments';
import { overlayInAgent, overlayOf } from '../engine/journal/overlay';
import type { Background } from '../engine/run/background';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { Workbench, type WorkbenchSource } from '../engine/run/workbench';
import type { LocalizableText } from '../engine/wording/localizable-text';
import type { MemoryFile } from '../sessions/memory/memory-files';
import { assumedContextWindow, contextWindowOf } from '../sessions/model-windows';
import type { Session, SessionIssue } from '../sessions/session';
import { noOwnCompactionFacts, type OwnCompactionFacts } from './agent-threshold';
import { givesEachRequest } from './each-request';
import type { SessionJournal } from './journal-file';
import { type Moments, momentsIn, type SessionState, stateAt } from './past';
import { noRelatives, type Relatives } from './relatives';
import type { Rescue } from './rescue-prompt';
import { offeredRecallTool } from './tools/tool-names';

export { OperationRefused } from '../engine/journal/operation-refused';
export type { ItemProposal, ProposalOutcome } from '../engine/run/change/core-editor';
export type { CompactionOrder } from '../engine/run/workbench';

/**
 * Counts the tokens of the agent's context into the ledger while the session may grow. Counts that it leaves out are
 * made on demand. Rejects only if the session is closed.
 */
export type CountSession = (ledger: TokenLedger, session: () => Session) => Promise<void>;

/** Why the store of a session cannot be read. */
export interface Unread {
  readonly reason: LocalizableText;
  /** It will never be readable again: the conversation was deleted. */
  readonly isForGood: boolean;
}

/** The current state of a session. */
export interface CurrentSession {
  readonly session: Session;
  /** Reads additions; true if there were any. Absent: the follower of the session updates it. */
  refresh?(): Promise<boolean>;
}

class InspectedSession implements WorkbenchSource {
  /** Undefined if none is set up in the agent. */
  setUpTool: string | undefined;
  /** Absent as soon as the ledger counts. */
  counted?: Promise<void>;

  constructor(
    public current: CurrentSession,
    readonly journal: SessionJournal,
    public ledger: TokenLedger,
    private readonly fallbackWindow: number,
    readonly background: Background | undefined,
  ) {}

  get conversation() {
    return this.current.session.conversation;
  }

  /** The same session with an earlier conversation and journal. */
  asItWas({ conversation, journal }: SessionState): InspectedSession {
    const current = { session: { ...this.current.session, conversation, live: false } };
    const past = new InspectedSession(current, journal, this.ledger, this.fallbackWindow, this.background);
    if (this.counted) past.counted = this.counted;
    past.setUpTool = this.setUpTool;
    return past;
  }

  get recallTool(): string | undefined {
    return this.setUpTool ?? offeredRecallTool(this.conversation);
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
      if (countText === null) throw new Error('A count was requested before the tokenizer was loaded.');
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
  /** Number of entries when it was opened. */
  readonly #entriesAtFirst: number;
  /** The memory files that the agent reads for this session, as they are on disk, if the opener has read them. */
  memoryFiles: readonly MemoryFile[] = [];
  /** Sessions before and after it on this machine. The view that shows the session updates it. */
  relatives: Relatives = noRelatives;
  /** Whether a plugin of Strata is inside the agent. The view that shows the session updates it. */
  isStrataInside = false;
  /** When the agent compacts by itself, outside this session. The view that shows the session updates it. */
  ownCompaction: OwnCompactionFacts = noOwnCompactionFacts;
  /** The loss of the newest compaction by the agent itself, while that is news. The view that shows the session updates it. */
  rescue: Rescue | null = null;
  /** Why the store of the session cannot be read; null while it can. The view that shows the session updates it. */
  unread: Unread | null = null;
  /** The entry that followed, for a session as it was; null for the present one. */
  endsBefore: Entry | null = null;
  #inAgent: { readonly context: Context; readonly value: Context } | null = null;
  #moments: { readonly conversation: Conversation; readonly records: number; readonly value: Moments } | null = null;

  private constructor(private readonly inspected: InspectedSession) {
    super(inspected, { now: () => new Date().toISOString(), clock: () => performance.now(), newId: randomUUID });
    this.#entriesAtFirst = inspected.conversation.entries.length;
  }

  /** Loads the tokenizer's tables with the first session and not earlier, because that takes a while. */
  static async of(
    session: Session,
    journal: SessionJournal,
    fallbackWindow: number = assumedContextWindow,
    background?: Background,
  ): Promise<Inspection> {
    return await Inspection.over({ session }, journal, fallbackWindow, background);
  }

  /** For a session that others change. */
  static async over(
    current: CurrentSession,
    journal: SessionJournal,
    fallbackWindow: number,
    background?: Background,
  ): Promise<Inspection> {
    const ledger = new TokenLedger(await tokenizer());
    return new Inspection(new InspectedSession(current, journal, ledger, fallbackWindow, background));
  }

  /** Can be shown at once: tokens are estimated from lengths until all are counted. */
  static estimated(
    session: Session,
    journal: SessionJournal,
    fallbackWindow: number,
    countSession: CountSession,
    background?: Background,
  ): Inspection {
    const inspected = new InspectedSession({ session }, journal, estimatesByLength(), fallbackWindow, background);
    inspected.counted = inspected.countWith(countSession);
    return new Inspection(inspected);
  }

  /** Computed again only after changes of conversation or journal. */
  get moments(): Moments {
    const { conversation, journal } = this;
    const records = journal.records.length;
    if (this.#moments?.conversation !== conversation || this.#moments.records !== records) {
      this.#moments = { conversation, records, value: momentsIn({ conversation, journal }) };
    }
    return this.#moments.value;
  }

  /** The session as it was at a moment, with the counts made so far. It can be read and forked, but never changes. */
  at(moment: Moment): Inspection {
    const { inspected, moments, conversation } = this;
    const past = stateAt({ conversation, journal: this.journal }, moments, moment);
    const then = new Inspection(inspected.asItWas(past));
    then.endsBefore = moments.branch.entries[moment.step + 1]?.entry ?? null;
    then.memoryFiles = this.memoryFiles;
    then.relatives = this.relatives;
    then.isStrataInside = this.isStrataInside;
    then.ownCompaction = this.ownCompaction;
    return then;
  }

  get session(): Session {
    return this.inspected.current.session;
  }

  set session(session: Session) {
    this.inspected.current = { session };
  }

  get journal(): SessionJournal {
    return this.inspected.journal;
  }

  /** The tool by which the agent retrieves what compactions leave out; undefined if it cannot ask. */
  get recallTool(): string | undefined {
    return this.inspected.recallTool;
  }

  /** Set by the opener of the session, which knows what is set up in the agent. */
  set recallTool(tool: string | undefined) {
    this.inspected.setUpTool = tool;
  }

  /**
   * The agent's present context: without the compactions and pins that have not reached it. The same object as `context` if the agent has
   * that.
   */
  get contextInAgent(): Context {
    const { context } = this;
    if (givesEachRequest(this)) return context;
    if (this.#inAgent?.context !== context) this.#inAgent = { context, value: this.#projectInAgent(context) };
    return this.#inAgent.value;
  }

  #projectInAgent(context: Context): Context {
    const { conversation, state, ledger } = this;
    const { blocks, core } = overlayOf(state, conversation);
    if (blocks.length === 0 && core === null) return context;
    const inAgent = project(conversation, overlayInAgent(state, conversation), ledger);
    const isSame =
      inAgent.messages.length === context.messages.length &&
      inAgent.messages.every((message, index) => isSameMessage(message, context.messages[index]));
    return isSame ? context : inAgent;
  }

  /** Writes a run to the journal. The agent's next compaction carries it out, in any process. */
  async storeForAgent(run: PreparedRun): Promise<void> {
    await this.storePrepared(run, this.session.model);
  }

  /** The run that was stored for the agent, if it still fits conversation and journal. */
  preparedForAgent(trigger: 'manual' | 'automatic' = 'manual'): PreparedRun | null {
    return this.preparedFor(this.session.model, trigger);
  }

  get isCounting(): boolean {
    return this.inspected.counted !== undefined;
  }

  /** From the session, else the known window of its model; null if it must be assumed. */
  get knownWindow(): number | null {
    return this.inspected.knownWindow;
  }

  /** The session is in use: an agent has it open, or it has grown since it was opened here. */
  get isInUse(): boolean {
    const { live, conversation } = this.session;
    return live || conversation.entries.length > this.#entriesAtFirst;
  }

  get issues(): readonly SessionIssue[] {
    return [...this.session.issues, ...this.journal.issues];
  }
}

/** Each projection builds the core again. */
function isSameMessage(one: ContextMessage, other: ContextMessage | undefined): boolean {
  return one === other || (one.kind === 'core' && other?.kind === 'core' && textOf(one.parts) === textOf(other.parts));
}

async function tokenizer(): Promise<CountTokens> {
  return (await import('../engine/conversation/tokenizer')).countWithO200k;
}
