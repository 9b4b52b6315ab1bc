import { aheadOf, orderAsSet } from '../conversations/compaction/settings';
import { hasLoss } from '../engine/block/loss';
import type { Context } from '../engine/conversation/context';
import { coreKey, emptyOverlay, project } from '../engine/conversation/projection';
import { coreText } from '../engine/core/core';
import { preparedFrom } from '../engine/run/automation/ahead';
import { startOf } from '../engine/run/automation/automation';
import type { Background } from '../engine/run/background';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import { findStrategy, type StrategyChoice } from '../engine/run/prepare/registry';
import { localizable } from '../engine/wording/localizable-text';
import { lossOfAgent } from '../inspection/compaction-loss';
import { keepsOwnCompaction } from '../inspection/effect';
import { Inspection } from '../inspection/inspection';
import { openJournal } from '../inspection/journal-store';
import { answerLoss } from '../inspection/lookup/loss-answer';
import { isByAgentItself } from '../inspection/rescue';
import type { AgentEnvironment } from '../platform/files/environment';
import { forkPieces } from '../sessions/fork/fork-format';
import { agentNames, type Session } from '../sessions/session';
import { toolsWithoutModel } from '../summarizers/without-model';
import { pieceOf } from './carried';
import { cleared } from './cleared-results';
import { completed } from './complete';
import { type AgentDoor, HandedOverUnreadable } from './door';
import { doorOf } from './doors';
import {
  type AgentAction,
  type AgentAnswer,
  type AgentRequest,
  type CompactedAnswer,
  type FallbackAnswer,
  fallback,
} from './exchange';
import { type NamedRequest, openSessionRef, type SessionRef, withSession } from './find-session';
import { noteInside } from './inside';
import { unchangedTokens } from './kept-cache';
import { coreAfterOwnSummary, ownSummaryInstructions } from './own-summary';
import { aheadText, prepareAhead } from './prepare-ahead';
import { keepPrepared, keptPrepared } from './prepared';
import { recallToolOf } from './recall-tool';
import type { AgentSettings } from './settings';
import { undoInAgent } from './undo';
import { compactedText, newestText, previewText, reminderText, statusText, whyText } from './words';
import type { ChosenWriter } from './writer';

/** What requests of agents are answered with. */
export interface AgentServices {
  readonly environment: AgentEnvironment;
  /** The folder of the journals. */
  readonly journals: string;
  /** Read for each request. */
  readonly settings: () => AgentSettings;
  /** Read for each request. */
  readonly writer: () => ChosenWriter;
  /** Has the next compaction of a session prepared while nobody waits. Absent: only `prepare` does so, and waits for it. */
  readonly prepares?: (agent: string, asked: SessionRef) => void;
  /** Counts and prepares for one request off the main thread. Absent: there is nothing else to do on this one. */
  readonly background?: () => Background;
  /** ISO 8601. */
  readonly now: () => string;
}

/** A smaller share of the context is not worth a new prompt cache. */
const leastCleared = 0.1;

const clearing: StrategyChoice = {
  name: 'clearing',
  group: 'by-hand',
  title: localizable('Clearing'),
  description: localizable('Superseded and old tool output gives way to one line each.'),
  steps: ['superseded', 'cleared'].flatMap((name) => findStrategy(name)?.steps ?? []),
};

/** An agent whose context shrinks by less than this share is better served by its own compaction. */
const leastFreed = 0.05;

/**
 * Answers a plugin inside an agent. While an agent waits no model is asked; a run that was prepared before may have been
 * written by one. Rejects only if the signal aborts: every other failure is an answer.
 */
export async function answerAgent(
  agent: string,
  request: AgentRequest,
  services: AgentServices,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const door = doorOf(agent);
  if (door === undefined) return fallback(`there is no plugin for ${agent}.`);
  try {
    const named = await withSession(door.agent, request, services.environment);
    await noteInside(door.agent, named.session, services.environment, services.now());
    if (named.action === 'hello') return hello;
    const prepare = () => door.result && services.prepares?.(agent, { agent: door.agent, ...named });
    if (named.action === 'prepare' && services.prepares) {
      prepare();
      return underWay;
    }
    const call = await AgentCall.open(door, named, services, signal);
    const answer = call instanceof AgentCall ? await call.answer() : call;
    if (looking.has(named.action)) prepare();
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    return fallback(error instanceof Error ? error.message : String(error));
  }
}

/** Actions that a plugin asks for as its session grows. Each may clear old output, which comes first. */
const looking: ReadonlySet<AgentAction> = new Set(['context', 'clear']);

/** Actions that end in another context for the agent. */
const compacting: ReadonlySet<AgentAction> = new Set(['compact', 'prepare', 'preview', 'context', 'clear', 'undo']);

/** What is said again must not fill what the compaction freed. */
const reminderTokens = 2000;

const hello: AgentAnswer = { kind: 'said', message: 'Strata is inside this session.' };
const underWay: AgentAnswer = { kind: 'said', message: 'The next compaction is prepared if it is due.' };

class AgentCall {
  private constructor(
    readonly door: AgentDoor,
    readonly request: NamedRequest,
    readonly services: AgentServices,
    readonly signal: AbortSignal,
    readonly inspection: Inspection,
  ) {}

  static async open(
    door: AgentDoor,
    request: NamedRequest,
    services: AgentServices,
    signal: AbortSignal,
  ): Promise<AgentCall | FallbackAnswer> {
    const { session, file } = request;
    const opened = await openSessionRef({ agent: door.agent, session, file }, services.environment);
    if (typeof opened === 'string') return fallback(opened);
    const current = inMemory(door, request, opened);
    if (typeof current === 'string') return fallback(current);
    const journal = await openJournal(services.journals, { agent: door.agent, id: current.id, file: current.file });
    const { fallbackContextWindow } = services.settings();
    const inspection = await Inspection.of(current, journal, fallbackContextWindow, services.background?.());
    inspection.recallTool = await recallToolOf(door.agent, services.environment);
    signal.throwIfAborted();
    return new AgentCall(door, request, services, signal, inspection);
  }

  async answer(): Promise<AgentAnswer> {
    const { action } = this.request;
    if (this.door.result === undefined && compacting.has(action)) {
      return fallback(`${agentNames[this.door.agent]} takes no other text for its summary.`);
    }
    switch (action) {
      case 'compact':
        return await this.#compact();
      case 'prepare':
        return { kind: 'said', message: await this.#prepareAhead() };
      case 'preview':
        return await this.#preview();
      case 'context':
        return await this.#context();
      case 'clear':
        return await this.#clear();
      case 'core':
        return this.#core();
      case 'reminder':
        return this.#reminder();
      case 'status':
        return { kind: 'said', message: this.#status() };
      case 'why':
        return { kind: 'said', message: whyText(this.inspection) };
      case 'pin':
        return await this.#pin();
      case 'undo':
        return await undoInAgent(this.inspection);
      case 'hello':
        return hello;
    }
  }

  /**
   * For an agent that asks before each request: the compacted context. Where a compaction is due, it is carried out first;
   * else old tool output is cleared.
   */
  async #context(): Promise<AgentAnswer> {
    const { inspection } = this;
    const { path: journal } = inspection.journal;
    if (this.services.settings().automation.enabled) await this.#whatIsDue();
    const before = this.#tokensOfAgent;
    const { messages, tokens } = inspection.context;
    const isOurs = messages.some(({ block, pruned, key }) => block ?? pruned ?? key === coreKey);
    if (!isOurs) return { kind: 'said', message: 'Nothing is compacted.', journal };
    const message = `Strata sends ${tokens.total} of ${before} tokens. /strata undo takes the newest compaction back.`;
    return { ...this.#delivered(inspection.context, message), journal };
  }

  async #whatIsDue(): Promise<void> {
    const { inspection, signal } = this;
    if (!this.#isFull) return void (await this.#clearWhatIsOld());
    const run = await this.#nextRun();
    if (run === null || run === 'own') return;
    signal.throwIfAborted();
    await inspection.apply(run, 'agent');
  }

  async #prepareAhead(): Promise<string> {
    const { inspection, services, signal } = this;
    return aheadText(
      await prepareAhead({ inspection, settings: services.settings(), writer: services.writer(), signal }),
    );
  }

  #status(): string {
    const { inspection, door, services } = this;
    const prepared = keptPrepared(inspection);
    return statusText(inspection, {
      prepared,
      door,
      writer: services.writer(),
      ahead: aheadOf(services.settings().automation),
    });
  }

  async #clear(): Promise<AgentAnswer> {
    if (!this.services.settings().automation.enabled) return fallback('automatic compaction is off.');
    await this.#clearWhatIsOld();
    return cleared(this.inspection);
  }

  /** Old tool output gives way to one line each, where that frees enough for a new prompt cache. */
  async #clearWhatIsOld(): Promise<void> {
    const { inspection, signal } = this;
    const { parameters } = this.services.settings();
    // A run that waits for the next compaction has to stay what was shown, and what a person took back stays back.
    if (inspection.state.compactions.at(-1)?.active === false || keptPrepared(inspection) !== null) return;
    const order = { instructions: null, parameters, tools: toolsWithoutModel, signal };
    const run = await inspection.prepare({ ...order, strategy: clearing, trigger: 'automatic', isDue: true });
    const { before, after } = run;
    if (before.tokens.total - after.tokens.total < before.tokens.total * leastCleared) return;
    signal.throwIfAborted();
    await inspection.apply(run, 'agent');
  }

  /** For an agent whose own summarizer runs; empty if its context already has the core. */
  #core(): AgentAnswer {
    const { core } = this.inspection;
    const instructions = ownSummaryInstructions(this.inspection);
    return { kind: 'said', message: 'The protected core.', again: core === null ? '' : coreText(core), instructions };
  }

  /** After a compaction by the agent itself: the core, and what the agent's summary left out. */
  #reminder(): AgentAnswer {
    const { core, session, ledger } = this.inspection;
    const budget = { tokens: reminderTokens, count: ledger.countText };
    const own = session.conversation.agentCompactions.at(-1);
    const isOwn = own !== undefined && isByAgentItself(own, this.inspection);
    const loss = isOwn ? lossOfAgent(own, session.conversation, ledger) : null;
    const isLossKnown = loss !== null && hasLoss(loss);
    // An encrypted summary may have left out anything: the model learns how to look.
    const lost = isLossKnown || (isOwn && loss === null) ? answerLoss(this.inspection, null, budget) : '';
    const again = [core === null ? '' : coreText(core), lost].filter((text) => text !== '').join('\n\n');
    const line = isOwn ? null : newestText(this.inspection);
    const said = { core, loss: isLossKnown ? 'known' : lost === '' ? 'none' : 'unknown', isOwn } as const;
    const message = reminderText(said, ledger.countText(again));
    return { kind: 'said', message, again, ...(line === null ? {} : { done: line }) };
  }

  async #pin(): Promise<AgentAnswer> {
    const text = this.request.text?.trim() ?? '';
    if (text === '') return { kind: 'said', message: 'Say what is to be pinned: /strata pin TEXT.' };
    await this.inspection.pin('constraint', text, null);
    return { kind: 'said', message: `Pinned: “${text}”. It is in the context word for word after each compaction.` };
  }

  async #compact(): Promise<AgentAnswer> {
    const run = await this.#run();
    const answer = this.#carried(run);
    this.signal.throwIfAborted();
    if (answer.kind === 'compacted' && run !== null && run !== 'own') await this.inspection.apply(run, 'agent');
    return answer;
  }

  /** What a compaction would do now; the next one does exactly this. */
  async #preview(): Promise<AgentAnswer> {
    const run = await this.#run();
    if (run === 'own') return { kind: 'said', message: this.#status() };
    if (run !== null && this.#kept === null) await keepPrepared(this.inspection, run);
    const answer = this.#carried(run);
    return answer.kind === 'compacted' ? { ...answer, message: previewText(answer) } : answer;
  }

  /** What the next compaction carries out. Null if the person compacted in Strata before, and that is enough. */
  async #run(): Promise<NextRun> {
    const { total } = this.inspection.context.tokens;
    const isEnough = this.#isWaiting && isWorthIt(this.#tokensOfAgent, total) && !this.#isFull;
    return isEnough && this.#kept === null ? null : await this.#nextRun();
  }

  /** The prepared run, else one without a model where the person chose that. */
  async #nextRun(): Promise<NextRun> {
    const kept = this.#kept;
    if (kept !== null) return await this.#fitting(kept);
    return this.#agentWrites ? 'own' : await this.#prepare();
  }

  /** A prepared run that fits. Instructions are about a text that is not written yet. */
  get #kept(): PreparedRun | null {
    const { instructions, trigger } = this.request;
    return instructions === null ? keptPrepared(this.inspection, trigger) : null;
  }

  /**
   * With what was said since in blocks without a model, where that is so much that the next compaction would be near. A run
   * that a person saw in a preview is carried out as it was shown.
   */
  async #fitting(run: PreparedRun): Promise<PreparedRun> {
    const { inspection, request, signal } = this;
    const settings = this.services.settings();
    const { parameters, automation } = settings;
    const strategy = findStrategy(settings.strategy);
    const isShown = inspection.state.prepared?.records[0]?.trigger === 'manual';
    if (!strategy || isShown || automation.prepareAt === 0) return run;
    const { contextWindow } = inspection;
    const enough = preparedFrom({ settings: aheadOf(automation), strategy, parameters, contextWindow });
    if (run.after.tokens.total < enough) return run;
    const { trigger } = request;
    const order = orderAsSet(settings, { trigger, isDue: true, tools: toolsWithoutModel, signal });
    return await inspection.extended(run, order);
  }

  /** Whether the agent's own model writes where nothing is prepared, as it would without Strata. */
  get #agentWrites(): boolean {
    const { request, door, services } = this;
    if (request.ownFailed || services.writer().kind === 'nobody') return false;
    return request.action === 'context' || !keepsOwnCompaction(door.agent);
  }

  /** Whether there is a compaction that the agent does not have yet. It already has cleared results, for example. */
  get #isWaiting(): boolean {
    return this.inspection.state.compactions.some(({ active, record }) => active && record.effect !== 'agent');
  }

  async #prepare(): Promise<PreparedRun | null> {
    const { instructions, trigger } = this.request;
    const run = await this.inspection.prepare(
      orderAsSet(this.services.settings(), {
        ...{ instructions, trigger, isDue: true, tools: toolsWithoutModel, signal: this.signal },
      }),
    );
    return run.records.length > 0 ? run : null;
  }

  /** The context as Strata has it is as large as one that is compacted automatically. */
  get #isFull(): boolean {
    const { context, contextWindow } = this.inspection;
    const { strategy, parameters } = this.services.settings();
    const choice = findStrategy(strategy);
    const startsAt = choice ? startOf(choice, contextWindow, parameters) : null;
    return startsAt !== null && context.tokens.total >= startsAt;
  }

  /** What the agent would send by itself. */
  get #tokensOfAgent(): number {
    const { conversation, ledger } = this.inspection;
    return project(conversation, emptyOverlay, ledger).tokens.total;
  }

  #carried(run: NextRun): CompactedAnswer | FallbackAnswer {
    if (run === 'own') {
      const reason =
        this.services.writer().kind === 'unanswered' ? 'nobody was chosen to write' : 'no block is prepared';
      return this.#leftToAgent(reason);
    }
    const context = run?.after ?? this.inspection.context;
    const [before, after] = [this.#tokensOfAgent, context.tokens.total];
    if (!isWorthIt(before, after)) return this.#leftToAgent('nothing worth compacting was found.');
    const { conversation, ledger } = this.inspection;
    const cached = unchangedTokens(project(conversation, emptyOverlay, ledger), context, this.door);
    return this.#delivered(context, compactedText(before, after, cached));
  }

  /** The agent's own model writes, with what its text has to say and what follows it. */
  #leftToAgent(reason: string): FallbackAnswer {
    const [instructions, again] = [ownSummaryInstructions(this.inspection), coreAfterOwnSummary(this.inspection)];
    return { ...fallback(reason), instructions, ...(again === '' ? {} : { again }) };
  }

  #delivered(context: Context, message: string): CompactedAnswer {
    const { conversation } = this.inspection;
    const tokens = { before: this.#tokensOfAgent, after: context.tokens.total };
    const sent = new Map(conversation.agentContext.map(({ id, parts }) => [id, parts]));
    const pieces = forkPieces(context.messages, conversation).map((piece) => pieceOf(piece, (id) => sent.get(id)));
    return { kind: 'compacted', message, tokens, pieces, result: this.door.result?.({ pieces, tokens }) };
  }
}

/** `own`: the agent's own model writes. */
type NextRun = PreparedRun | null | 'own';

function isWorthIt(before: number, after: number): boolean {
  return after <= before * (1 - leastFreed);
}

/** A string says why the messages in memory cannot be used. */
function inMemory(door: AgentDoor, { messages }: AgentRequest, session: Session): Session | string {
  if (door.handedOver === undefined || messages === undefined || messages === null) return session;
  try {
    const current = completed(session, door.handedOver(messages));
    return current ?? `what ${agentNames[door.agent]} has in memory is not in ${session.file}.`;
  } catch (error) {
    if (error instanceof HandedOverUnreadable) return `the messages of ${agentNames[door.agent]}: ${error.message}`;
    throw error;
  }
}
