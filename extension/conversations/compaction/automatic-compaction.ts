import type { WritingTools } from '../../engine/block/strategy';
import { type AheadDecision, decideAhead } from '../../engine/run/automation/ahead';
import type { AutomationDecision, AutomationInput } from '../../engine/run/automation/automation';
import { scheduleSentence } from '../../engine/run/automation/schedule-words';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { findStrategy } from '../../engine/run/prepare/registry';
import type { CompactionOrder, Workbench } from '../../engine/run/workbench';
import { type LocalizableText, wordingOf } from '../../engine/wording/localizable-text';
import type { OwnModel } from '../../middleware/requests/recording';
import { modelSummarizer } from '../../summarizers/model/model-summarizer';
import { promptRoom } from '../../summarizers/model/room';
import { neverAborted } from '../never-aborted';
import { AutomaticRuns, Pause } from './automatic-runs';
import { inGauge, tokensAtLeast } from './fit';
import { compactToFit, type FittingParts } from './fitting';
import { type AutomaticOutcome, reportOutcome, tryApply } from './outcomes';
import { aheadOf, type CompactionSettings, orderFrom } from './settings';

/** Dependencies of the automatic compaction of one conversation. */
interface AutomaticParts extends Omit<FittingParts, 'settings'> {
  /** Called before each run, because settings can change at any time. */
  readonly settings: () => CompactionSettings;
  /** ISO 8601. */
  readonly now: () => string;
  /** Called with the reason why compaction by cost starts or waits, once for each change between the two. */
  readonly onSchedule?: (sentence: LocalizableText) => void;
  /** Returns whether an agent has requested a compaction since the last call. Such a request ignores the threshold. */
  readonly takeWish?: () => boolean;
}

/** The limits for one request. */
interface FitOrder {
  /** Maximum tokens of the request. */
  readonly mostTokens: number;
  readonly signal: AbortSignal;
  /** The provider compacts this conversation, so Strata must not. */
  readonly isCompactedByProvider?: boolean;
}

type FitOutcome =
  | { readonly kind: 'fits' }
  /** An earlier attempt failed, and too little was added since to try again. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'made-to-fit'; readonly run: PreparedRun | null }
  /** The context is still too large after the run, if there was one. */
  | { readonly kind: 'too-large'; readonly run: PreparedRun | null; readonly tokens: number };

/** The request after which a run is prepared. */
interface AheadOrder {
  readonly mostTokens?: number | undefined;
  /** The model that answered it. */
  readonly own?: OwnModel | undefined;
}

type Progress = Partial<Pick<CompactionOrder, 'signal' | 'onProgress'>>;

/** Share of the window that must be added before another attempt to make a request fit. */
const worthAnotherTry = 0.05;

/** Compacts a context when its strategy's trigger says so, one run at a time, or when a request would not fit. */
export class AutomaticCompaction {
  #running: Promise<AutomaticOutcome> | null = null;
  #preparing: Promise<void> | null = null;
  /** Blocks are written by the model that the requests ask. */
  #hasOwnModel = false;
  readonly #runs = new AutomaticRuns();
  readonly #tooLarge = new Pause();
  /** The newest decision by cost that was reported. */
  #reported: AutomationDecision['kind'] | null = null;

  constructor(private readonly parts: AutomaticParts) {}

  get isEnabled(): boolean {
    return this.parts.settings().automation.enabled;
  }

  /** Whether a compaction starts before the next request. The caller is about to send one, so no turn is in progress. */
  get decision(): AutomationDecision {
    return this.#decide(false);
  }

  #decide(asksModel: boolean): AutomationDecision {
    const input = this.#input();
    return input === null ? { kind: 'off' } : this.#runs.decide({ ...input, asksModel });
  }

  /** Null if the strategy is unknown or nothing is compacted automatically. */
  #input(): AutomationInput | null {
    const { workbench } = this.parts;
    const { strategy: name, parameters, automation } = this.parts.settings();
    const strategy = findStrategy(name);
    if (!strategy || !automation.enabled) return null;
    const { conversation, state, context, contextWindow } = workbench;
    const position = { conversation, state, context, contextWindow, strategy, parameters };
    return { ...automation, ...position, betweenTurns: true, now: this.parts.now() };
  }

  /** Concurrent calls share one run. */
  compactIfNeeded(options: Progress = {}): Promise<AutomaticOutcome> {
    this.#running ??= this.#compactIfNeeded(options).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #compactIfNeeded(options: Progress): Promise<AutomaticOutcome> {
    const { parts } = this;
    if (!this.isEnabled) return { kind: 'off' };
    const { signal = neverAborted() } = options;
    await parts.workbench.countAhead(signal);
    const isWished = parts.takeWish?.() ?? false;
    if (isWished) return await this.#compact('manual', options);
    const { decision } = this;
    if (decision.kind !== 'run') return this.#reportSchedule(decision);
    return await this.#compact('automatic', options);
  }

  /** An automatic run is decided again once its writer is known. */
  async #compact(trigger: 'manual' | 'automatic', options: Progress): Promise<AutomaticOutcome> {
    const { workbench, settings } = this.parts;
    const ready = await this.parts.tools();
    if (ready.kind === 'refused') return { kind: 'stopped', message: ready.message };
    const order = { signal: neverAborted(), ...options, trigger, tools: ready.tools };
    const decision = trigger === 'automatic' ? this.#reportSchedule(this.#decide(asksModel(ready.tools))) : null;
    if (decision !== null && decision.kind !== 'run') return decision;
    const target = decision?.by === 'cost' && decision.targetTokens ? { targetTokens: decision.targetTokens } : {};
    const isAhead = decision !== null && this.#writesAhead(ready.tools);
    const prepared = isAhead ? this.#prepared : null;
    // A run that only saves cost can wait until its blocks are written.
    if (isAhead && prepared === null && decision.by === 'cost') return { kind: 'wait', reason: 'not-triggered' };
    const tools = isAhead ? this.parts.withoutModel : ready.tools;
    const run = prepared ?? (await workbench.prepare(orderFrom(settings(), { ...order, tools, ...target })));
    const outcome = await tryApply(workbench, run);
    const input = this.#input();
    if (input !== null) this.#runs.ended(run, input);
    return outcome;
  }

  /** Whether a model writes blocks between requests, so that no request waits for it. */
  #writesAhead(tools: WritingTools): boolean {
    return this.#ahead.prepareAt > 0 && (asksModel(tools) || this.#hasOwnModel);
  }

  get #ahead() {
    return aheadOf(this.parts.settings().automation, 0);
  }

  get #prepared(): PreparedRun | null {
    const { workbench } = this.parts;
    return workbench.preparedFor(modelOf(workbench), 'automatic');
  }

  /** Has the blocks of the next compaction written between requests. Never rejects; reports a failure. */
  prepareAhead(order: AheadOrder = {}): Promise<void> {
    this.#preparing ??= this.#prepareAhead(order)
      .catch((error) => this.parts.troubles.tell(`Preparing failed: ${wordingOf(error)}`))
      .finally(() => {
        this.#preparing = null;
      });
    return this.#preparing;
  }

  /** Whether to prepare a run after this request, and only the request's own model could write it. */
  async wantsOwnModel(mostTokens?: number): Promise<boolean> {
    if (this.#ahead.prepareAt === 0 || this.#preparing !== null) return false;
    const ready = await this.parts.tools();
    return ready.kind === 'ready' && !asksModel(ready.tools) && this.#aheadDecision(mostTokens).kind === 'due';
  }

  async #prepareAhead({ mostTokens, own }: AheadOrder): Promise<void> {
    const { workbench, settings, troubles } = this.parts;
    if (this.#ahead.prepareAt === 0) return;
    await workbench.countAhead(neverAborted());
    const { kind, ...target } = this.#aheadDecision(mostTokens);
    if (kind !== 'due') return;
    const ready = await this.parts.tools();
    const tools = ready.kind === 'ready' ? withOwnModel(ready.tools, own, workbench.contextWindow) : null;
    if (tools === null) return;
    this.#hasOwnModel ||= tools.model === own?.model;
    const order = { trigger: 'automatic', isDue: true, tools, signal: neverAborted() } as const;
    const run = await workbench.prepare(orderFrom(settings(), { ...order, ...target }));
    await workbench.storePrepared(run, modelOf(workbench));
    for (const failure of run.failures) troubles.tell(`Preparing failed: ${failure}`);
  }

  #aheadDecision(mostTokens?: number): AheadDecision {
    const input = this.#input();
    if (input === null) return { kind: 'off' };
    const decision = this.#decide(true);
    const wantedTokens = decision.kind === 'run' && decision.by === 'cost' ? decision.targetTokens : undefined;
    const ofRequest = mostTokens === undefined ? undefined : inGauge(mostTokens, input.context);
    const facts = { settings: this.#ahead, fits: this.#prepared !== null, wantedTokens, mostTokens: ofRequest };
    return decideAhead({ ...input, ...facts });
  }

  #reportSchedule<D extends AutomationDecision>(decision: D): D {
    if (!('schedule' in decision)) return decision;
    if (decision.kind === 'run' || decision.kind !== this.#reported)
      this.parts.onSchedule?.(scheduleSentence(decision.schedule));
    this.#reported = decision.kind;
    return decision;
  }

  /** Compacts between two turns. Reports a failure and leaves the conversation unchanged. Null if nothing was compacted. */
  compactIfDue(signal: AbortSignal): Promise<PreparedRun | null> {
    return this.#orReported(signal, async () => {
      const outcome = await this.compactIfNeeded({ signal });
      if (outcome.kind === 'off' || outcome.kind === 'wait' || outcome.kind === 'warn') return null;
      reportOutcome(outcome, this.parts.troubles);
      return outcome.kind === 'compacted' ? outcome.run : null;
    });
  }

  /**
   * Before a request within a turn: clears output that can be fetched again if that costs less, where no model writes. Reports a failure
   * and leaves the conversation unchanged. Null if nothing was cleared.
   */
  clearIfCheaper(signal: AbortSignal): Promise<PreparedRun | null> {
    return this.#orReported(signal, () => this.#clearIfCheaper(signal));
  }

  /** Null after a failure: the request is sent all the same. */
  async #orReported(signal: AbortSignal, work: () => Promise<PreparedRun | null>): Promise<PreparedRun | null> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      this.parts.troubles.tell(`Compacting failed: ${wordingOf(error)}`);
      return null;
    }
  }

  async #clearIfCheaper(signal: AbortSignal): Promise<PreparedRun | null> {
    const { workbench, settings, tools, withoutModel } = this.parts;
    const input = this.#input();
    const decision = input && this.#runs.decideClearing(input);
    if (!decision) return null;
    const ready = await tools();
    if (ready.kind === 'refused' || asksModel(ready.tools) || this.#hasOwnModel) return null;
    this.#reportSchedule(decision);
    // At its present size the context is at its target, so that nothing but output is replaced.
    const targetTokens = workbench.context.tokens.total;
    const order = { trigger: 'automatic', isDue: true, tools: withoutModel, signal, targetTokens } as const;
    const run = await workbench.prepare(orderFrom(settings(), order));
    const outcome = await tryApply(workbench, run);
    this.#runs.ended(run, this.#input() ?? input);
    return outcome.kind === 'compacted' ? run : null;
  }

  /** Compacts at any moment, because the request does not fit. Does nothing if automatic compaction is off. */
  async makeFit({ mostTokens, signal, isCompactedByProvider = false }: FitOrder): Promise<FitOutcome> {
    const { parts } = this;
    const { workbench } = parts;
    await workbench.countAhead(signal);
    const before = tokensAtLeast(workbench.context);
    if (before <= mostTokens) return { kind: 'fits' };
    if (this.#tooLarge.holds(before, workbench.contextWindow * worthAnotherTry)) return { kind: 'paused' };
    const settings = parts.settings();
    const mayCompact = settings.automation.enabled && !isCompactedByProvider;
    const run = mayCompact ? await this.#compactToFit(settings, mostTokens, signal) : null;
    const tokens = tokensAtLeast(workbench.context);
    if (tokens > mostTokens) {
      this.#tooLarge.begin(tokens);
      return { kind: 'too-large', run, tokens };
    }
    this.#tooLarge.end();
    return { kind: 'made-to-fit', run };
  }

  /** Applies the prepared run first, because that takes no time. */
  async #compactToFit(
    settings: CompactionSettings,
    mostTokens: number,
    signal: AbortSignal,
  ): Promise<PreparedRun | null> {
    const { parts } = this;
    if (this.#ahead.prepareAt === 0) return await compactToFit({ ...parts, settings }, mostTokens, signal);
    const prepared = this.#prepared;
    const isApplied = prepared !== null && (await tryApply(parts.workbench, prepared)).kind === 'compacted';
    const tools = async () => ({ kind: 'ready', tools: parts.withoutModel }) as const;
    const made = await compactToFit({ ...parts, settings, tools }, mostTokens, signal);
    return made ?? (isApplied ? prepared : null);
  }
}

/** The chosen model, or else the one that the requests ask. Null if there is none. */
function withOwnModel(tools: WritingTools, own: OwnModel | undefined, contextWindow: number): WritingTools | null {
  if (asksModel(tools)) return tools;
  if (own === undefined) return null;
  const { model, isInConversation } = own;
  const above = isInConversation ? { isRecordAbove: true as const } : {};
  const summarizer = modelSummarizer(model, { maxPromptTokens: promptRoom(contextWindow), ...above });
  return { ...tools, summarizer, model };
}

/** The model of the newest reply; null if unknown. */
function modelOf({ conversation }: Pick<Workbench, 'conversation'>): string | null {
  return conversation.agentContext.findLast(({ model }) => model !== undefined)?.model ?? null;
}

function asksModel({ summarizer, model }: WritingTools): boolean {
  return summarizer.model !== null || model !== null;
}
