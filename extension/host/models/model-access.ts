import * as vscode from 'vscode';
import { type LanguageModel, ModelFailed } from '../../engine/block/language-model';
import type { WritingTools } from '../../engine/block/strategy';
import { CircuitBreaker, watched } from '../../models/circuit-breaker';
import type { TokenPrice } from '../../models/prices';
import { modelSummarizer } from '../../summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { isConfirmed } from '../dialogs';
import { failureText, translated } from '../failures/failure-text';
import { ApiKey } from './api-key';
import { type Candidate, commandCandidate, openAiCandidate, vscodeCandidate } from './candidates';
import { askingDestination, type Destination } from './destination';
import { type ModelSettings, readModelSettings } from './model-settings';

export type Trigger = 'manual' | 'automatic';

type ToolsOutcome =
  | {
      readonly kind: 'ready';
      readonly tools: WritingTools;
      /** Maximum prompt of the summarizer's model; null without a model. */
      readonly maxPromptTokens: number | null;
    }
  /** The message tells the person the reason and what to do. */
  | { readonly kind: 'refused'; readonly message: string };

/** A model that can be asked about whole contexts. */
export interface AskableModel {
  readonly model: LanguageModel;
  readonly maxPromptTokens: number;
  /** Null if it is not listed. */
  readonly price: TokenPrice | null;
  readonly destination: Destination;
}

interface OpenModel {
  readonly model: LanguageModel;
  readonly breaker: CircuitBreaker;
}

/** Provides the summarizer and models of a run: the chosen model, or none. */
export class ModelAccess {
  readonly apiKey: ApiKey;
  readonly consent: Consent;
  /** By identity. Cached because of their circuit breakers, and because a model learns what its server accepts. */
  readonly #open = new Map<string, OpenModel>();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.apiKey = new ApiKey(context.secrets);
    this.consent = new Consent(context.globalState);
  }

  /**
   * Asks for consent before anything is first sent from this machine; refuses an automatic run instead. `settings`: contain a model that
   * was chosen for one block only.
   */
  async toolsFor(trigger: Trigger, settings = readModelSettings()): Promise<ToolsOutcome> {
    try {
      const candidate = await this.#candidate(settings);
      if (candidate) return await this.#toolsOf(candidate, trigger);
      return { kind: 'ready', tools: toolsWithoutModel, maxPromptTokens: null };
    } catch (error) {
      if (error instanceof ModelFailed) return { kind: 'refused', message: failureText(error) };
      throw error;
    }
  }

  /** The chosen model, for questions about whole contexts; null if no model writes. Does not ask for consent. */
  async askable(): Promise<AskableModel | null> {
    const candidate = await this.#candidate(readModelSettings());
    if (!candidate) return null;
    const { maxPromptTokens, price } = candidate;
    const destination = askingDestination(candidate.destination);
    return { model: this.#opened(candidate).model, maxPromptTokens, price, destination };
  }

  /** Returns the prices of the chosen model; null if they are unknown, or if the model cannot be used, which a run reports. */
  async price(): Promise<TokenPrice | null> {
    try {
      return (await this.#candidate(readModelSettings()))?.price ?? null;
    } catch (error) {
      if (error instanceof ModelFailed) return null;
      throw error;
    }
  }

  /** Null if no model writes. */
  async #candidate(settings: ModelSettings): Promise<Candidate | null> {
    switch (settings.kind) {
      case 'none':
        return null;
      case 'command':
        return commandCandidate(settings);
      case 'openai':
        return openAiCandidate(settings, await this.apiKey.read(), process.env);
      case 'vscode':
        return await vscodeCandidate(settings, this.context.languageModelAccessInformation);
    }
  }

  async #toolsOf(candidate: Candidate, trigger: Trigger): Promise<ToolsOutcome> {
    const { destination, mayRunAlone, maxPromptTokens, embedder } = candidate;
    const agreed = trigger === 'manual' ? await this.consent.ask(destination) : this.consent.isGiven(destination);
    if (!agreed) return { kind: 'refused', message: notAgreed(destination.name) };
    if (trigger === 'automatic' && !mayRunAlone) return { kind: 'refused', message: notAlone(destination.name) };
    const { model, breaker } = this.#opened(candidate);
    const admission = breaker.admit(trigger);
    if (admission.kind === 'refused') return { kind: 'refused', message: translated(admission.message) };
    const summarizer = modelSummarizer(model, { maxPromptTokens });
    return { kind: 'ready', tools: { ...toolsWithoutModel, summarizer, model, embedder: embedder() }, maxPromptTokens };
  }

  #opened({ identity, open }: Candidate): OpenModel {
    const known = this.#open.get(identity);
    if (known) return known;
    const breaker = new CircuitBreaker(() => performance.now());
    const opened = { breaker, model: watched(open(), breaker) };
    this.#open.set(identity, opened);
    return opened;
  }
}

function notAgreed(name: string): string {
  return vscode.l10n.t(
    'You have not agreed to have {0} write the summaries. Compact by hand to be asked, or choose another summarizer.',
    name,
  );
}

function notAlone(name: string): string {
  return vscode.l10n.t('Compact by hand once with {0}, so that VS Code can ask you for permission.', name);
}

const storageKey = 'strata.agreedDestinations';

/** Destinations that a person agreed to send session text to. A destination on this machine needs no consent. */
class Consent {
  constructor(private readonly storage: vscode.Memento) {}

  isGiven({ id, isLocal }: Destination): boolean {
    return isLocal || this.#agreed.includes(id);
  }

  /** Asks unless consent was given before. */
  async ask(destination: Destination): Promise<boolean> {
    const { name, sent, question = vscode.l10n.t('Let {0} write the summaries?', name) } = destination;
    if (this.isGiven(destination)) return true;
    if (!(await isConfirmed(question, vscode.l10n.t('Use This Model'), sent))) return false;
    await this.give(destination);
    return true;
  }

  /** The person agreed, in answer to a question that said where the text goes. */
  async give(destination: Destination): Promise<void> {
    if (!this.isGiven(destination)) await this.storage.update(storageKey, [...this.#agreed, destination.id]);
  }

  get #agreed(): readonly string[] {
    return this.storage.get<readonly string[]>(storageKey, []);
  }
}
