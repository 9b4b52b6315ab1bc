import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { CompactionSettings } from '../../../extension/conversations/compaction/settings';
import { RequestRecorder } from '../../../extension/conversations/requests/request-recorder';
import {
  type EditorConversation,
  EditorConversations,
} from '../../../extension/host/conversations/editor-conversations';
import { lmTarget } from '../../../extension/host/provider/lm-target';
import { ModelList } from '../../../extension/host/provider/model-list';
import { StrataProvider } from '../../../extension/host/provider/strata-provider';
import type { Target } from '../../../extension/host/provider/target';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { ownParts } from '../../builders/own-conversations';
import { assistant, Call, Cancellation, type FakeChat, type Message, Result, Text, user } from './fake-editor';

/** Settings of a person. They are small enough for the conversations of a test. */
export const smallSettings = {
  enabled: true,
  strategy: 'checkpoint',
  parameters: { checkpoint: { reserveTokens: 98_500, keepRecentTokens: 300 } },
  floorTokens: 200,
  pauseTokens: 300,
};

export type TestSettings = typeof smallSettings;

function settingsOf({ strategy, parameters, ...automation }: TestSettings): CompactionSettings {
  return { strategy, parameters, verification: 'repair', automation: { ...automation, warnAtPercent: 90 } };
}

/** The conversations in a folder, as open in one window of the editor. */
export class TestStore extends EditorConversations {
  readonly folder: string;

  constructor(root: string, settings: TestSettings) {
    super(ownParts(root, settingsOf(settings)));
    this.folder = this.folders.conversations;
  }

  /** Compacts as a person does in the panel. */
  async compactByHand(id: string): Promise<void> {
    const { workbench } = await this.open(id);
    const { strategy, parameters } = smallSettings;
    const { signal } = new AbortController();
    const run = await workbench.prepare({ strategy, parameters, instructions: null, tools: toolsWithoutModel, signal });
    if (run.records.length === 0) throw new Error('There was nothing to compact');
    await workbench.apply(run);
  }
}

export interface WindowOptions {
  readonly settings?: Partial<TestSettings>;
  readonly store?: (root: string, settings: TestSettings) => TestStore;
  /** Replaces the model of another extension. */
  readonly target?: Target;
  readonly now?: () => string;
}

const isoNow = () => new Date().toISOString();

/** One window of the editor on a folder. Opening another one on the same folder is like a reload. */
export function openWindow(
  root: string,
  model: FakeChat,
  { settings, store: makeStore, target, now = isoNow }: WindowOptions = {},
) {
  const all = { ...smallSettings, ...settings };
  const store = makeStore ? makeStore(root, all) : new TestStore(root, all);
  const notices: string[] = [];
  const tell = (kind: string) => (message: unknown) => notices.push(`${kind}: ${message}`);
  const requests = new RequestRecorder(
    store.store('model-provider'),
    { compacted: tell('info'), warn: tell('warn'), notRecorded: tell('not kept') },
    now,
    randomUUID,
    { goesBack: true },
  );
  return { store, notices, requests, ...providerWith(model, requests, { ...(target ? { target } : {}), now }) };
}

/** Strata's models for one model of another extension. */
export function providerWith(
  model: FakeChat,
  requests: RequestRecorder<EditorConversation>,
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
    target: (source) => {
      if (target) return target;
      if (source.kind !== 'lm') throw new Error('This window has no endpoint');
      return lmTarget(source.chat);
    },
    setUpText: () => 'Get a model.',
    notFound: (id) => new Error(`no ${id}`),
    onDidChange: () => ({ dispose: () => undefined }),
    now,
  });
  return { provider, models, send: sender(models, provider) };
}

export type TestWindow = ReturnType<typeof openWindow>;

interface SendOptions {
  readonly token?: vscode.CancellationToken;
  readonly options?: vscode.ProvideLanguageModelChatResponseOptions;
  /** Filled while the answer arrives. */
  readonly parts?: unknown[];
}

/** Sends a request as another extension would, and resolves to the parts of its answer. */
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

/** A chat of another extension: it keeps the history, runs the tools, and sends everything each time. */
export class Client {
  messages: Message[] = [];

  constructor(public window: TestWindow) {}

  async ask(text: string): Promise<void> {
    this.messages.push(user(text));
    await this.answer();
  }

  /** Continues until the model calls no more tools. */
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

/** Merges the parts as VS Code’s clients do: one text, then the calls. */
function merged(parts: readonly unknown[]): unknown[] {
  const text = parts.map((part) => (part instanceof Text ? part.value : '')).join('');
  return [...(text === '' ? [] : [text]), ...parts.filter((part) => !(part instanceof Text))];
}

export function toolOutput(callId: string): string {
  return Array.from({ length: 12 }, (_, line) => `Line ${line} of ${callId}: src/${callId}-${line}.ts is fine.`).join(
    '\n',
  );
}
