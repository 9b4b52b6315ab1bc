import type {
  ComparisonRow,
  StrategyView,
  SummarizerView,
  WriterOfferView,
  WritingCostView,
} from '../../../extension/protocol/view';

export const noModel: SummarizerView = { label: 'No model', destination: null, usesModel: false, isChosen: true };
export const model: SummarizerView = {
  label: 'claude-haiku-4-5',
  destination: 'the language models of VS Code (copilot)',
  usesModel: true,
  isChosen: true,
};

/** The answers to the question who writes. */
export const writers: readonly WriterOfferView[] = [
  {
    id: 'command pi',
    label: 'pi (pi -p)',
    costs: 'a compaction: up to 56.6k tokens read, about 2.1k written, uses your sign-in and its quota',
    goes: 'the text goes to the provider of pi, which has this session already',
  },
  {
    id: 'vscode copilot',
    label: 'Claude Haiku 4.5, a language model of VS Code',
    costs: 'a compaction: up to 56.6k tokens read, about 2.1k written, copilot may charge for it',
    goes: 'the text goes to copilot, through VS Code',
  },
  {
    id: 'other-server',
    label: 'An OpenAI-compatible server…',
    costs: 'a compaction: up to 56.6k tokens read, about 2.1k written, the server may charge for it',
    goes: 'the text goes to the address that you enter',
  },
  { id: 'none', label: 'No model', costs: 'costs nothing', goes: 'nothing leaves this machine' },
];

const groups: Readonly<Record<string, string>> = {
  pipeline: 'tiers',
  'tool-calls': 'tiers',
  threshold: 'tiers',
  'goal-batch': 'tiers',
  checkpoint: 'whole-history',
  prune: 'whole-history',
  naive: 'whole-history',
  codex: 'whole-history',
  'hierarchical-summary': 'whole-history',
  handoff: 'whole-history',
  llm: 'policies',
  deterministic: 'policies',
  'sliding-window': 'policies',
  hierarchical: 'policies',
};

/** As many strategies as the engine has, with titles and descriptions as long. */
export const strategies: readonly StrategyView[] = [
  [
    'pipeline',
    'Pipeline',
    'All three tiers in order: tool calls, then what the agent said above the threshold, then old turns as goal batches.',
  ],
  [
    'tool-calls',
    'Tool calls',
    'Replaces the tool calls and results of an old turn by one [SUMMARIZED] block. The person’s message and the agent’s other replies stay as they are.',
  ],
  [
    'threshold',
    'Threshold',
    'Above a share of the window, replaces what the agent said in an old turn by one [SUMMARIZED] block.',
  ],
  [
    'goal-batch',
    'Goal batch',
    'Replaces a run of old complete turns by one [GOAL BATCH] block that keeps how the goal developed.',
  ],
  [
    'checkpoint',
    'Checkpoint',
    'Replaces everything but the newest turns by one summary, worded as a handover to the model that continues.',
  ],
  [
    'prune',
    'Prune tool output',
    'Takes the text out of old tool results and leaves everything else unchanged, calls included.',
  ],
  [
    'naive',
    'Naive summary',
    'Replaces everything but the newest turns by one summary in running text, without sections or anchors.',
  ],
  [
    'codex',
    'Codex-style handover',
    'Keeps the person’s newest messages verbatim and replaces everything else by one rolling summary.',
  ],
  [
    'hierarchical-summary',
    'Hierarchical summary',
    'Cuts everything but the newest turns into segments with one summary each.',
  ],
  [
    'a-mem',
    'A-MEM notes',
    'Makes linked notes of everything but the newest turns, and keeps those that the current goal calls for.',
  ],
  [
    'observations',
    'Observations',
    'Records what was built or learned by tools, and replaces it by an index; each record can be fetched whole.',
  ],
  [
    'protected-core',
    'Protected core',
    'Keeps goal, constraints and decisions apart and verbatim, replaces only the rest by one summary.',
  ],
  [
    'hybrid',
    'Hybrid memory',
    'Replaces everything but the newest turns by notes as in A-MEM and an index of observations.',
  ],
  ['handoff', 'Handoff', 'Extracts from the whole thread what matters for the next goal.'],
  ['llm', 'Summarise by policy', 'A policy of its own: old messages become one summary, with the newest kept.'],
  ['deterministic', 'Deterministic', 'Old messages become a list of what they did, without any model.'],
  ['sliding-window', 'Sliding window', 'Drops the oldest messages once there are more than the window takes.'],
  ['hierarchical', 'Tiers by age', 'Messages lose detail tier by tier as they grow old.'],
].map(([name = '', title = '', description = '']) => ({
  ...{ name, group: groups[name] ?? 'memory', title, description },
  ...(['pipeline', 'checkpoint', 'codex', 'prune'].includes(name) ? { usual: true } : {}),
}));

/** Made-up numbers that are the same for the same strategy, so that pictures of two runs can be compared. */
export function comparisonRowOf(name: string, tokensBefore: number): ComparisonRow {
  const index = strategies.findIndex((strategy) => strategy.name === name);
  const title = strategies[index]?.title ?? name;
  if (name === 'sliding-window') return nothingToDo(name, title, tokensBefore);
  const share = [0.31, 0.55, 0.62, 0.48, 0.22, 0.71][index % 6] ?? 1;
  return {
    strategy: name,
    title,
    previewId: `compared-${name}`,
    tokensBefore,
    tokensAfter: Math.round(tokensBefore * share),
    blocks: (index % 4) + 1,
    durationMs: 12 + index * 131,
    messagesWhole: 9 - (index % 3),
    messagesNotWhole: index % 3,
    filesNamed: 21 - (index % 5),
    filesUnnamed: index % 5,
    notes: [],
    ...withoutModel,
  };
}

const withoutModel = { failures: [], summarizer: null, tokensSpent: { input: 0, output: 0 } } as const;

/** The same strategy with the chosen model, which fails for Codex-style handovers. */
export function writtenRowOf(name: string, tokensBefore: number): ComparisonRow {
  const row = { ...comparisonRowOf(name, tokensBefore), previewId: `written-${name}`, durationMs: 21_400 };
  if (name === 'codex') return { ...row, failures: ['POST http://127.0.0.1:1234/v1 answered 529: overloaded.'] };
  return {
    ...row,
    tokensAfter: Math.round(row.tokensAfter * 1.1),
    messagesNotWhole: 1,
    summarizer: model.label,
    tokensSpent: { input: 54_310, output: 1_904 },
  };
}

/** Null for strategies that only remove content, because no model writes for them. */
export function writingCostOf(name: string): WritingCostView | null {
  if (name === 'prune') return null;
  return { maxInput: 56_600, output: 2_100, price: 'about $0.07 at list prices of 2026-11' };
}

function nothingToDo(strategy: string, title: string, tokens: number): ComparisonRow {
  const none = { messagesWhole: 0, messagesNotWhole: 0, filesNamed: 0, filesUnnamed: 0 };
  const notes = ['The context has 96 messages; it acts from 120 on.'];
  return {
    strategy,
    title,
    previewId: null,
    tokensBefore: tokens,
    tokensAfter: tokens,
    blocks: 0,
    durationMs: 4,
    ...none,
    notes,
    ...withoutModel,
  };
}
