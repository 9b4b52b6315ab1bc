import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { decideAutomation } from '../../../extension/engine/run/automation';
import type { PreparedRun } from '../../../extension/engine/run/prepared-run';
import { findStrategy } from '../../../extension/engine/run/registry';
import { lmTarget } from '../../../extension/host/provider/lm-target';
import { ModelList } from '../../../extension/host/provider/model-list';
import { StrataProvider } from '../../../extension/host/provider/strata-provider';
import type { Target } from '../../../extension/host/provider/target';
import { OwnConversation } from '../../../extension/inspection/own-conversation';
import type { RequestStore } from '../../../extension/middleware/requests/kept-conversation';
import { KeptRequests } from '../../../extension/middleware/requests/kept-requests';
import { Beginnings } from '../../../extension/sessions/strata/beginnings';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { assistant, Call, Cancellation, classes, type FakeChat, type Message, Result, Text, user } from './fake-editor';

/** What a person has set; small enough for conversations of a test. */
export const smallSettings = {
  enabled: true,
  strategy: 'checkpoint',
  parameters: { checkpoint: { reserveTokens: 98_500, keepRecentTokens: 300 } },
  floorTokens: 200,
  pauseTokens: 300,
};

export type TestSettings = typeof smallSettings;

/** The conversations in a folder, as one window of the editor has them open. */
export class TestStore implements RequestStore<OwnConversation> {
  readonly folder: string;
  readonly #open = new Map<string, OwnConversation>();
  readonly #beginnings: Beginnings;

  constructor(
    private readonly root: string,
    private readonly settings: TestSettings,
    warn: (message: string) => void = () => undefined,
  ) {
    this.folder = join(root, 'conversations');
    this.#beginnings = new Beginnings(this.folder, warn);
  }

  beginnings(begins: string) {
    return this.#beginnings.of(begins);
  }

  get #folders() {
    return { conversations: this.folder, journals: join(this.root, 'journals') };
  }

  async create(begins: string): Promise<OwnConversation> {
    const id = randomUUID();
    const header = { id, time: new Date().toISOString(), cwd: null, madeBy: 'model-provider', begins } as const;
    const conversation = await OwnConversation.create(this.#folders, header, 100_000);
    this.#open.set(id, conversation);
    return conversation;
  }

  async open(id: string): Promise<OwnConversation> {
    const conversation = this.#open.get(id) ?? (await OwnConversation.open(this.#folders, id, 100_000));
    this.#open.set(id, conversation);
    await conversation.refresh();
    return conversation;
  }

  async compactIfDue({ inspection }: OwnConversation, signal: AbortSignal): Promise<PreparedRun | null> {
    const { session, journal, context, contextWindow } = inspection;
    const strategy = findStrategy(this.settings.strategy);
    if (!strategy) throw new Error(`There is no strategy ${this.settings.strategy}`);
    const { conversation } = session;
    const input = { ...this.settings, strategy, conversation, state: journal.state, context, contextWindow };
    if (decideAutomation({ ...input, warnAtPercent: 90 }).kind !== 'run') return null;
    return await this.#compact(inspection, 'automatic', signal);
  }

  async compactNow({ inspection }: OwnConversation, signal: AbortSignal): Promise<PreparedRun | null> {
    return this.settings.enabled ? await this.#compact(inspection, 'automatic', signal) : null;
  }

  /** What a person asks for in the panel. */
  async compactByHand(id: string): Promise<void> {
    const { inspection } = await this.open(id);
    const run = await this.#compact(inspection, 'manual', new AbortController().signal);
    if (run === null) throw new Error('There was nothing to compact');
  }

  async #compact(
    inspection: OwnConversation['inspection'],
    trigger: 'manual' | 'automatic',
    signal: AbortSignal,
  ): Promise<PreparedRun | null> {
    const { strategy, parameters } = this.settings;
    const run = await inspection.prepare({
      strategy,
      parameters,
      instructions: null,
      trigger,
      tools: toolsWithoutModel,
      signal,
    });
    if (run.records.length === 0) return null;
    await inspection.apply(run);
    return run;
  }
}

export interface WindowOptions {
  readonly settings?: Partial<TestSettings>;
  readonly store?: (root: string, settings: TestSettings) => TestStore;
  /** In place of the model of another extension. */
  readonly target?: Target;
  readonly now?: () => string;
}

const isoNow = () => new Date().toISOString();

/** One window of the editor on a folder: another one on the same folder is the same after a reload. */
export function openWindow(
  root: string,
  model: FakeChat,
  { settings, store: makeStore, target, now = isoNow }: WindowOptions = {},
) {
  const all = { ...smallSettings, ...settings };
  const store = makeStore ? makeStore(root, all) : new TestStore(root, all);
  const notices: string[] = [];
  const tell = (kind: string) => (message: string) => notices.push(`${kind}: ${message}`);
  const requests = new KeptRequests(
    store,
    { info: tell('info'), warn: tell('warn'), notKept: tell('not kept') },
    now,
    randomUUID,
  );
  return { store, notices, requests, ...providerWith(model, requests, { ...(target ? { target } : {}), now }) };
}

/** Strata's models over one model of another extension. */
export function providerWith(
  model: FakeChat,
  requests: KeptRequests<OwnConversation>,
  { target, now = isoNow }: Pick<WindowOptions, 'target' | 'now'> = {},
) {
  const models = new ModelList({
    chats: async () => [model.chat],
    settings: () => ({ endpoint: null, wrapsModels: true, setUpName: 'Set up' }),
    changed: () => undefined,
    failed: (error) => {
      throw error;
    },
  });
  const provider = new StrataProvider({
    models,
    requests,
    classes,
    target: (source) => {
      if (target) return target;
      if (source.kind !== 'lm') throw new Error('This window has no endpoint');
      return lmTarget(source.chat, (made) => made.map(madeMessage), classes);
    },
    setUpText: () => 'Get a model.',
    notFound: (id) => new Error(`no ${id}`),
    onDidChange: () => ({ dispose: () => undefined }),
    now,
  });
  return { provider, models, send: sender(models, provider) };
}

export type TestWindow = ReturnType<typeof openWindow>;

function madeMessage({ role, parts }: { role: string; parts: readonly { type: string }[] }) {
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('\n');
  return (role === 'assistant' ? assistant(text) : user(text)) as vscode.LanguageModelChatMessage;
}

interface SendOptions {
  readonly token?: vscode.CancellationToken;
  readonly options?: vscode.ProvideLanguageModelChatResponseOptions;
  /** Filled while the answer comes. */
  readonly parts?: unknown[];
}

/** Sends a request as another extension would, and gives back the parts of its answer. */
function sender(models: ModelList, provider: StrataProvider) {
  return async (
    messages: readonly Message[],
    { token = new Cancellation().token, options = { toolMode: 1 }, parts = [] }: SendOptions = {},
  ): Promise<unknown[]> => {
    await models.refresh();
    const [information] = provider.provideLanguageModelChatInformation();
    if (!information) throw new Error('No model is offered');
    const progress = { report: (part: unknown) => parts.push(part) };
    await provider.provideLanguageModelChatResponse(information, messages, options, progress, token);
    return parts;
  };
}

/** A chat of another extension: it keeps the history, runs the tools, and sends all of it each time. */
export class Client {
  messages: Message[] = [];

  constructor(public window: TestWindow) {}

  async ask(text: string): Promise<void> {
    this.messages.push(user(text));
    await this.answer();
  }

  /** Until the model calls no more tools. */
  async answer(): Promise<void> {
    for (;;) {
      const parts = await this.window.send([...this.messages]);
      this.messages.push(assistant(...merged(parts)));
      const calls = parts.filter((part) => part instanceof Call);
      if (calls.length === 0) return;
      this.messages.push(user(...calls.map(({ callId }) => new Result(callId, [new Text(toolOutput(callId))]))));
    }
  }
}

/** As VS Code’s clients do: one text, then the calls. */
function merged(parts: readonly unknown[]): unknown[] {
  const text = parts.map((part) => (part instanceof Text ? part.value : '')).join('');
  return [...(text === '' ? [] : [text]), ...parts.filter((part) => !(part instanceof Text))];
}

export function toolOutput(callId: string): string {
  return Array.from({ length: 12 }, (_, line) => `Line ${line} of ${callId}: src/${callId}-${line}.ts is fine.`).join(
    '\n',
  );
}
