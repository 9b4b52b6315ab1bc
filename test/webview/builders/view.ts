import type { Requests } from '../../../extension/protocol/messages';
import type { Caller, RequestHandlers } from '../../../extension/protocol/rpc';
import type {
  CompactionView,
  ComparisonRow,
  PreviewView,
  Row,
  RunBlockView,
  SessionListItem,
  SessionView,
  SummarizerView,
} from '../../../extension/protocol/view';
import type { Host } from '../../../webview/host';

export function row(key: string, fields: Partial<Row> = {}): Row {
  return {
    key,
    kind: 'assistant',
    turn: null,
    preview: `preview of ${key}`,
    tokens: 100,
    tool: null,
    block: null,
    images: 0,
    pinned: [],
    time: null,
    ...fields,
  };
}

export function rows(...keys: readonly string[]): Row[] {
  return keys.map((key) => row(key));
}

export function blockRow(key: string, compactionId: string, fields: Partial<Row> = {}): Row {
  const block = {
    tag: '[SUMMARIZED]',
    by: 'strata',
    compactionId,
    entryCount: 4,
    turnCount: null,
    tokensBefore: 900,
    displayLine: null,
  } as const;
  return row(key, { kind: 'summary', block, ...fields });
}

export function runBlock(seq: number, fields: Partial<RunBlockView> = {}): RunBlockView {
  return {
    id: `strata:${seq}`,
    seq,
    strategy: 'tool-calls',
    tag: '[SUMMARIZED]',
    tokensBefore: 900,
    tokensAfter: 90,
    entryCount: 4,
    turnCount: null,
    place: 'context',
    summarizer: 'transparent',
    displayLine: null,
    edited: false,
    ...fields,
  };
}

/** A run of one block by default. */
export function compaction(seq: number, fields: Partial<CompactionView> = {}): CompactionView {
  return {
    id: `run:${seq}`,
    by: 'strata',
    seq,
    strategies: ['tool-calls'],
    tags: ['[SUMMARIZED]'],
    time: null,
    tokensBefore: 1000,
    tokensAfter: 100,
    entryCount: 4,
    active: true,
    coveredBy: null,
    lossText: null,
    summarizers: ['transparent'],
    durationMs: null,
    trigger: null,
    tokensSpent: null,
    cacheTokensInvalidated: null,
    repaired: 0,
    edited: false,
    excludes: false,
    inContext: { blocks: 1, outputs: 0, beneath: 0 },
    blocks: [runBlock(seq)],
    ...fields,
  };
}

export const noModel: SummarizerView = { label: 'No model', destination: null, usesModel: false, isChosen: true };
export const model: SummarizerView = { label: 'model-2', destination: 'a provider', usesModel: true, isChosen: true };

const previewBlock = {
  tag: '[SUMMARIZED]',
  strategy: 'tool-calls',
  reason: 'old',
  turnCount: 1,
  entryCount: 4,
  tokensBefore: 900,
  tokensAfter: 90,
  before: 'before',
  after: 'after',
  loss: null,
  summarizer: null,
  tokensSpent: { input: 0, output: 0 },
  editable: 'after',
  edited: false,
  leaving: [],
  isBeneath: false,
};

const noTokens = {
  ...{ system: 0, core: 0, goal_batch: 0, summary: 0 },
  ...{ user: 0, assistant: 0, tool_call: 0, tool_result: 0, earlier: 0, unexplained: 0 },
};

export function preview(id: string, fields: Partial<PreviewView> = {}): PreviewView {
  return {
    id,
    strategy: 'pipeline',
    tokensBefore: 1_000,
    tokensAfter: 190,
    tokensAdded: 0,
    byKindAfter: { ...noTokens, system: 100, summary: 90 },
    inContext: { blocks: 1, outputs: 0, beneath: 0 },
    blocks: [previewBlock],
    loss: null,
    notes: [],
    failures: [],
    summarizer: null,
    tokensSpent: { input: 0, output: 0 },
    cacheTokensInvalidated: 0,
    ...fields,
  };
}

export function comparisonRow(strategy: string, fields: Partial<ComparisonRow> = {}): ComparisonRow {
  return {
    strategy,
    title: strategy,
    previewId: `preview of ${strategy}`,
    tokensBefore: 1_000,
    tokensAfter: 500,
    blocks: 1,
    durationMs: 10,
    messagesWhole: 3,
    messagesNotWhole: 0,
    filesNamed: 2,
    filesUnnamed: 0,
    notes: [],
    failures: [],
    summarizer: null,
    tokensSpent: { input: 0, output: 0 },
    ...fields,
  };
}

export function view(fields: Partial<SessionView> = {}): SessionView {
  return {
    revision: 1,
    header: {
      agent: 'pi',
      agentName: 'pi',
      id: 's1',
      file: '/sessions/one.jsonl',
      cwd: '/work',
      title: 'a session',
      model: 'model-1',
      live: false,
      issues: [],
      parent: null,
      predecessor: null,
      forks: [],
      subagents: [],
      otherRecords: [],
      writing: { fork: true, inPlace: false, resume: true, isFork: false },
    },
    gauge: {
      total: 0,
      source: 'estimated',
      countedSince: 0,
      calibration: 1,
      window: 200_000,
      windowAssumed: false,
      reserve: 16_384,
      byKind: noTokens,
      derivedSystem: 0,
      alarm: null,
    },
    system: [],
    inAgent: null,
    past: null,
    effect: 'new-session',
    effectSentences: { compaction: 'Takes effect in a fork.', pins: 'Pins stay in forks.', canSetUp: false },
    rows: [],
    ageLineKey: null,
    compactions: [],
    core: { items: [], history: {}, originalGoal: null, asserted: null, tokens: 0, sharePercent: 0 },
    undo: null,
    redo: null,
    autoCompact: { enabled: false, isPossible: true, startsAt: null, orEarlier: false, schedule: null },
    rescue: null,
    notices: [],
    ...fields,
  };
}

export function listItem(file: string, fields: Partial<SessionListItem> = {}): SessionListItem {
  return { agent: 'pi', agentName: 'pi', file, title: file, cwd: null, modified: 0, live: false, ...fields };
}

/** A host that answers with prepared values and records its requests. */
export interface TestHost extends Host {
  readonly asked: string[];
  saved: unknown;
}

export function testHost(handlers: Partial<RequestHandlers> = {}, saved?: unknown): TestHost {
  const asked: string[] = [];
  const known: Partial<Record<string, (params: never) => Promise<unknown>>> = handlers;
  const request = async (method: string, params: unknown): Promise<unknown> => {
    asked.push(method);
    const handler = known[method];
    if (!handler) throw new Error(`The test host does not answer ${method}`);
    return handler(params as never);
  };
  const host: TestHost = {
    asked,
    saved,
    request: request as Caller['request'],
    savedState: () => host.saved,
    saveState: (state) => {
      host.saved = state;
    },
  };
  return host;
}

/** A promise that the test settles. */
export function deferred<M extends keyof Requests>() {
  let settle: { resolve: (value: Requests[M]['result']) => void; reject: (error: Error) => void } | undefined;
  const promise = new Promise<Requests[M]['result']>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return {
    promise,
    resolve: (value: Requests[M]['result']) => settle?.resolve(value),
    reject: (message: string) => settle?.reject(new Error(message)),
  };
}

/** Lets all pending promises settle. */
export function flush(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
