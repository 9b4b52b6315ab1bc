import { type TokenKind, tokenKinds } from '../../../extension/engine/conversation/context.ts';
import type { CoreItem } from '../../../extension/engine/core/core';
import type { Forgotten } from '../../../extension/engine/prompts/forgotten-prompt';
import type {
  CompactionDetail,
  CompactionView,
  FateView,
  GaugeView,
  HistoryView,
  LossView,
  PreviewView,
  RescueView,
  Row,
  RowDetail,
  RunBlockView,
  SessionListItem,
  SessionView,
} from '../../../extension/protocol/view';
import { readSample, type SampleRow, sampleFile } from './sample.ts';
import { textDetails } from './texts.ts';

/** A session with every kind of row, blocks within blocks, and compactions of both the agent and Strata. */
export interface Scenario {
  readonly view: SessionView;
  readonly details: ReadonlyMap<string, RowDetail>;
  readonly beneath: ReadonlyMap<string, readonly Row[]>;
  readonly compactionDetails: ReadonlyMap<string, CompactionDetail>;
  readonly preview: PreviewView;
  readonly history: HistoryView;
}

const goalBatchLine =
  'InteractiveMode was rewritten against AgentSession in one go, after a piecemeal translation was given up. The old files stay for reference until the new ones work.';

const goalBatchText = `[GOAL BATCH]
## Goal Arc
Started WP15: a new InteractiveMode on top of AgentSession, first as a thin copy of tui-renderer.ts; the person then asked to rewrite it in one go after reading tui-renderer.ts and agent-session.ts in full.

## Human Direction
"you havne't read @packages/coding-agent/src/tui/tui-renderer.ts in full i suppose"; "why do you go 100 lines at a time"; "why would we track the file slash commands in the interactive mode? agent session keeps track of those, no?"; "same for queued messages?"

## What Was Achieved
interactive-mode.ts rewritten against AgentSession; file slash commands and queued messages now come from the session.

## Dead Ends
A 100-line-at-a-time translation of tui-renderer.ts was abandoned: it duplicated state that AgentSession already keeps.

## Lasting Constraints
The old files stay for reference until the new ones work.

## Key Artifacts
packages/coding-agent/src/modes/interactive/interactive-mode.ts, packages/coding-agent/src/core/agent-session.ts, docs/refactor.md`;

const summarizedText = `[SUMMARIZED]
## User Goal
i actually want you to: copy the tui components to modes/interactive, so the old shit still works

## Strategy
Copy, then fix the imports file by file until the type check is clean.

## Operations
41 calls: 22 bash, 9 edit, 8 read, 2 write.

## Discoveries
theme.ts is imported by the export as well, so it moved to modes/interactive/theme.

## Dead Ends
git mv of the whole folder broke the old entry points.

## What Worked
sed over the import paths, then npm run check.

## Critical Artifacts
packages/coding-agent/src/modes/interactive/components, packages/coding-agent/src/modes/interactive/theme/theme.ts

## Status
COMPLETE; npm run check passes.`;

const agentSummaryText = `# Context Checkpoint: Coding Agent Refactoring

## Branch
\`refactor\` in \`/home/dev/pi-mono\`

## Goal
Refactor \`coding-agent\` to eliminate code duplication between three run modes by creating a shared \`AgentSession\` abstraction.

## Key Decisions Made
1. Keep old code for reference
2. AgentSession is the core abstraction
3. Listeners persist across operations`;

const loss: LossView = {
  text: '4 of 7 messages of the person are kept word for word, 1 is shortened, 2 changed files are not named, 1 open item is not named, 41 tool outputs are replaced (38,200 tokens)',
  messages: {
    ...{ whole: 4, shortened: 1, gone: 2 },
    listed: [
      { ...lostItem('read the whole file in one go please', 371), fate: 'gone' },
      { ...lostItem('for the love of god, do not start over again before the type check is clean', 372), fate: 'gone' },
      {
        ...lostItem('here is the whole log of the run: npm warn exec The following package was not found', 373),
        fate: 'shortened',
      },
    ],
  },
  files: {
    ...{ named: 12, unnamed: 2 },
    listed: [lostItem('packages/coding-agent/src/tui/tui-renderer.ts', 374), lostItem('src/export-html.ts', 375)],
  },
  open: { named: 1, unnamed: 1, listed: [lostItem('npm run check', 376)] },
  outputs: {
    ...{ count: 41, tokens: 38_200 },
    largest: [
      { ...lostItem('read packages/coding-agent/src/tui/tui-renderer.ts', 377), tokens: 24_120 },
      { ...lostItem('bash npm run check', 378), tokens: 2_410 },
    ],
  },
};

/** The findings of Strata in that session. */
export const rescue: RescueView = {
  compactionId: 'agent:c359',
  summary: '2 of your messages, 1 open item, 1 changed file',
  groups: [
    {
      kind: 'message',
      items: [
        forgotten(
          'message',
          'alright, read @packages/coding-agent/src/main.ts @packages/coding-agent/src/tui/tui-renderer.ts in full. i feel like this is one big mess and could be refactored to be nicer.',
        ),
        forgotten(
          'message',
          'this plan must be written in such a way, that you can starta new session, pick up from where you left (also reading diff of current work tree and any files necessary in your contexT)',
        ),
      ],
    },
    { kind: 'open', items: [forgotten('open', 'npm run check')] },
    { kind: 'file', items: [forgotten('file', 'packages/coding-agent/src/tui/tui-renderer.ts')] },
  ],
  promptTokens: 246,
};

const rereading = {
  reads: 18,
  again: { calls: 8, tokens: 15_778 },
  changedSince: { calls: 4, tokens: 19_172 },
  usual: { reads: 18, again: 0 },
};

function forgotten(kind: Forgotten['kind'], text: string): Forgotten {
  return { key: `${kind} ${text}`, kind, text, entryId: `${kind}-${text.length}` };
}

function lostItem(text: string, at: number) {
  return { text, entryId: `e${at}` };
}

/** Every fourth message is whole, every third is shortened. */
function fatesOf(items: readonly SampleRow[]): FateView[] {
  return items.map(({ row, detail }, index) => ({
    entryId: detail.entryId ?? row.key,
    fate: index % 4 === 0 ? 'whole' : index % 3 === 0 ? 'shortened' : 'gone',
    kind: row.kind,
    preview: row.tool ? `${row.tool.name} ${row.tool.subject}` : row.preview,
    tokens: row.tokens,
  }));
}

function withoutTagLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

export function buildScenario(now: number): Scenario {
  const sample = readSample();
  const turns = splitTurns(sample);
  const batched = turns.slice(0, 6).flat();
  const innerTools = (turns[1] ?? []).filter(({ row }) => row.kind === 'tool');
  const laterTurns = turns.slice(6);
  const copied = laterTurns.findIndex(([first]) => first?.row.preview.startsWith('i actually want'));
  const summarizedTools = (laterTurns[copied] ?? []).filter(({ row }) => row.kind === 'tool');

  const innerBlock = blockRow('block:1', 'summary', '[SUMMARIZED]', 'strata:1', innerTools, {
    tokens: 640,
    preview: '[SUMMARIZED] 3 tool calls: read, bash · COMPLETE, interactive-mode.ts compiles',
  });
  const goalBatch = blockRow('block:3', 'goal_batch', '[GOAL BATCH]', 'strata:3', batched, {
    tokens: 2_140,
    turnCount: 6,
    preview: '[GOAL BATCH] InteractiveMode on AgentSession; file slash commands and queued messages from the session',
    displayLine: goalBatchLine,
  });
  const toolBlock = blockRow('block:4', 'summary', '[SUMMARIZED]', 'strata:4', summarizedTools, {
    tokens: 918,
    preview: '[SUMMARIZED] 41 tool calls: bash, edit, read, write · COMPLETE; npm run check passes',
  });
  const agentBlock: Row = {
    ...blank,
    key: 'e360:s',
    kind: 'summary',
    preview:
      'Context Checkpoint: Coding Agent Refactoring · Branch refactor · Goal: one AgentSession for three run modes',
    tokens: 1_160,
    block: {
      tag: '[SUMMARY]',
      by: 'agent',
      compactionId: 'agent:c359',
      entryCount: 358,
      turnCount: 12,
      tokensBefore: 175_004,
      displayLine: null,
    },
  };
  const system: Row = {
    ...blank,
    key: 'system',
    kind: 'system',
    preview: 'System prompt and 7 tool schemas; derived from the first report',
    tokens: 9_870,
  };
  const core: Row = {
    ...blank,
    key: 'core',
    kind: 'core',
    preview: 'Current goal: InteractiveMode on AgentSession, old files untouched · 2 constraints · 1 decision',
    tokens: 214,
  };
  const recent = laterTurns.flatMap((turn, index) =>
    index === copied ? replaceTools(turn, toolBlock) : turn.map(({ row }) => row),
  );
  const rows = pruned(pinned([system, core, agentBlock, goalBatch, ...recent]));

  return {
    view: {
      revision: 1,
      header: header(now),
      gauge: gaugeOf(rows),
      rows,
      system: [
        { label: 'System prompt', tokens: 1_900 },
        { label: 'Tools: 4', tokens: 300 },
        { label: 'Not known: sent by the agent and not in the session file', tokens: 200 },
      ],
      ageLineKey: rows.filter(({ kind }) => kind === 'user').at(-2)?.key ?? null,
      compactions: compactions(now, { goalBatch, toolBlock, innerBlock }),
      core: {
        items: coreItems,
        history: {},
        originalGoal: {
          id: 'original-goal',
          entryId: 'first',
          text: 'alright, read @packages/coding-agent/src/main.ts @packages/coding-agent/src/tui/tui-renderer.ts in full. i feel like this is one big mess and could be refactored to be nicer. I want you to do a deep analysis, then provide me with a plan on how to untangle this.',
          status: 'active',
          isProposedDone: true,
        },
        asserted:
          'Current goal: InteractiveMode on AgentSession, old files untouched\nHard constraints:\n- the old files stay until everything works\n- no inline imports\nKey decisions:\n- listeners persist across reset, compact and switchSession',
        tokens: 214,
        sharePercent: 0.1,
      },
      inAgent: null,
      past: null,
      effect: 'next-compaction',
      effectSentences: {
        compaction: 'Takes effect in a fork.',
        pins: 'Pins stay in forks.',
        canSetUp: false,
      },
      undo: { label: '#4 tool-calls' },
      redo: null,
      autoCompact: { enabled: true, isPossible: true, startsAt: 183_616, orEarlier: false, schedule: null },
      rescue: null,
      notices: [],
    },
    details: new Map([
      ...sample.map(({ row, detail }): [string, RowDetail] => [row.key, detail]),
      ...textDetails,
      [goalBatch.key, plain(goalBatchText)],
      [toolBlock.key, plain(summarizedText)],
      [innerBlock.key, plain(summarizedText)],
      [agentBlock.key, plain(agentSummaryText)],
      ['core', plain('Current goal: InteractiveMode on AgentSession, old files untouched')],
      [
        'system',
        plain(
          'The agent does not write its system prompt down. 9,870 tokens are what its first report has more than the first message.',
        ),
      ],
    ]),
    beneath: new Map([
      ['strata:3', batchedRows(turns.slice(0, 6), innerBlock)],
      ['strata:1', innerTools.map(({ row }) => row)],
      ['strata:4', summarizedTools.map(({ row }) => row)],
      ['agent:c359', []],
    ]),
    compactionDetails: new Map(
      [
        detailOf('strata:1', innerTools, summarizedText),
        { ...detailOf('strata:2', batched.slice(0, 20), summarizedText), editable: null },
        detailOf('strata:3', batched, goalBatchText),
        detailOf('strata:4', summarizedTools.slice(0, 12), summarizedText),
        { ...detailOf('strata:5', summarizedTools.slice(0, 3), ''), loss: null, editable: null },
        {
          ...detailOf('agent:c359', sample.slice(0, 60), agentSummaryText),
          loss: null,
          editable: null,
          rescue,
          rereading,
        },
      ].map((detail) => [detail.id, detail]),
    ),
    history: historyOf(now),
    preview: previewOf(rows, laterTurns),
  };
}

function detailOf(id: string, replaced: readonly SampleRow[], after: string): CompactionDetail {
  const before = textOf(replaced);
  return {
    id,
    before,
    after,
    loss,
    fates: fatesOf(replaced),
    editable: withoutTagLine(after),
    rescue: null,
    rereading: null,
    hasEarlierText: false,
  };
}

/** A context that grows, and shrinks with every active compaction. */
function historyOf(now: number): HistoryView {
  const marks: HistoryView['marks'] = [
    mark('agent:c359', 358, 175_004, 11_030, '[SUMMARY]', [5, 1, 1]),
    mark('run:1', 470, 78_200, 61_400, '[SUMMARIZED]', [5, 1, 1]),
    { ...mark('run:2', 540, 92_000, 72_600, '[SUMMARIZED]', [5, 1, 1]), active: false, drift: null },
    {
      ...mark('run:3', 640, 118_300, 74_900, '[GOAL BATCH]', [4, 2, 1]),
      goals: { original: 'shortened', before: 'whole', current: 'gone' },
    },
    mark('run:4', 700, 96_000, 70_800, '[SUMMARIZED]', [4, 2, 1]),
    mark('run:5', 720, 73_000, 71_200, '[EXCLUDED]', [4, 2, 1]),
  ];
  const bounds = [{ at: 0, after: 9_870 }, ...marks.filter(({ active }) => active)];
  const points = bounds.flatMap((from, index) => {
    const to = bounds[index + 1] ?? { at: 760, before: 84_000 };
    const before = 'before' in to ? to.before : from.after;
    return Array.from({ length: 40 }, (_, step) => {
      const share = step / 40;
      const at = Math.round(from.at + (to.at - from.at) * share);
      const wave = Math.sin(step * 1.7) * 0.02;
      const tokens = Math.round(from.after + (before - from.after) * Math.min(1, Math.max(0, share + wave)));
      return { at, time: now - (760 - at) * 140_000, tokens, turn: Math.floor(at / 26) + 1 };
    });
  });
  return { points, marks, moments: points.map(({ at }) => at), messages: 7 };
}

function mark(
  id: string,
  at: number,
  before: number,
  after: number,
  tag: string,
  [whole, shortened, gone]: readonly [number, number, number],
): HistoryView['marks'][number] {
  return { id, at, before, after, tag, active: true, drift: { whole, shortened, gone } };
}

const blank: Row = {
  key: '',
  kind: 'user',
  turn: null,
  preview: '',
  tokens: 0,
  tool: null,
  block: null,
  images: 0,
  pinned: [],
  time: null,
};

function splitTurns(sample: readonly SampleRow[]): SampleRow[][] {
  const turns: SampleRow[][] = [];
  for (const item of sample) {
    if (item.row.kind === 'user') turns.push([]);
    turns.at(-1)?.push(item);
  }
  return turns;
}

function blockRow(
  key: string,
  kind: Row['kind'],
  tag: string,
  compactionId: string,
  replaced: readonly SampleRow[],
  rest: { tokens: number; preview: string; turnCount?: number; displayLine?: string },
): Row {
  const tokensBefore = replaced.reduce((sum, { row }) => sum + row.tokens, 0);
  const block = {
    tag,
    by: 'strata',
    compactionId,
    entryCount: replaced.length,
    turnCount: rest.turnCount ?? null,
    tokensBefore,
    displayLine: rest.displayLine ?? null,
  } as const;
  return { ...blank, key, kind, preview: rest.preview, tokens: rest.tokens, block };
}

/** Replaces a turn's tools by a block, at the place of the first tool. */
function replaceTools(turn: readonly SampleRow[], block: Row): Row[] {
  const rows: Row[] = [];
  let isPlaced = false;
  for (const { row } of turn) {
    if (row.kind !== 'tool') rows.push(row);
    else if (!isPlaced) {
      rows.push(block);
      isPlaced = true;
    }
  }
  return rows;
}

function batchedRows(turns: readonly SampleRow[][], innerBlock: Row): Row[] {
  return turns.flatMap((turn, index) => (index === 1 ? replaceTools(turn, innerBlock) : turn.map(({ row }) => row)));
}

function pinned(rows: readonly Row[]): Row[] {
  const target = rows.find(({ preview }) => preview.startsWith('actually, can you revert that'))?.key;
  return rows.map((row) => (row.key === target ? { ...row, pinned: ['constraint'], images: 1 } : row));
}

/** The rows after pruning: the older half of the tools has no output. */
function pruned(rows: readonly Row[]): Row[] {
  const tools = rows.filter(({ tool }) => tool?.outcome === 'ok');
  const old = new Set(tools.slice(0, tools.length / 2));
  return rows.map((row) =>
    row.tool && old.has(row) ? { ...row, tool: { ...row.tool, result: '', pruned: true } } : row,
  );
}

function textOf(items: readonly SampleRow[]): string {
  return items.flatMap(({ detail }) => detail.sections.map(({ text }) => text)).join('\n\n');
}

function plain(text: string): RowDetail {
  return { sections: [{ label: '', text, cut: false, tone: 'markdown' }], images: [], origin: null, entryId: null };
}

function header(now: number): SessionView['header'] {
  return {
    agent: 'pi',
    agentName: 'pi',
    id: 'ffae836b',
    file: sampleFile,
    cwd: '/home/dev/workspaces/pi-mono',
    title: 'refactor coding-agent: one AgentSession for interactive, print and rpc mode',
    model: 'claude-opus-4-5',
    live: true,
    issues: [
      { file: sampleFile, line: 412, message: 'Unknown record type "theme_change"; it is left out.' },
      {
        file: `${sampleFile}.strata`,
        line: 7,
        message: `The journal's last line is incomplete and was left out (${new Date(now).getFullYear()}).`,
      },
    ],
    parent: null,
    predecessor: null,
    forks: [],
    subagents: [],
    otherRecords: [
      { type: 'session', count: 1 },
      { type: 'model_change', count: 2 },
    ],
    writing: { fork: true, inPlace: true, resume: true, isFork: false },
  };
}

export function gaugeOf(rows: readonly Row[]): GaugeView {
  const byKind = Object.fromEntries(tokenKinds.map((kind) => [kind, 0])) as Record<TokenKind, number>;
  for (const { kind, tokens } of rows) {
    if (kind === 'tool') {
      byKind.tool_result += Math.round(tokens * 0.8);
      byKind.tool_call += Math.round(tokens * 0.2);
    } else if (kind === 'injected') byKind.user += tokens;
    else if (kind === 'reasoning') byKind.assistant += tokens;
    else byKind[kind] += tokens;
  }
  const total = Object.values(byKind).reduce((sum, tokens) => sum + tokens, 0);
  return {
    total,
    source: 'reported',
    countedSince: 0,
    calibration: 1.08,
    window: 200_000,
    windowAssumed: false,
    reserve: 16_384,
    byKind,
    derivedSystem: byKind.system,
    alarm: null,
  };
}

function compactions(now: number, blocks: { goalBatch: Row; toolBlock: Row; innerBlock: Row }): CompactionView[] {
  const hour = 3_600_000;
  const base = {
    by: 'strata',
    active: true,
    coveredBy: null,
    summarizers: ['extractive'],
    durationMs: 42,
    trigger: 'manual',
    tokensSpent: { input: 0, output: 0 },
    cacheTokensInvalidated: 0,
    repaired: 0,
    edited: false,
    excludes: false,
    inContext: { blocks: 1, outputs: 0, beneath: 0 },
  } as const;
  return [
    {
      ...base,
      id: 'agent:c359',
      by: 'agent',
      seq: null,
      strategies: ['agent'],
      tags: ['[SUMMARY]'],
      time: now - 30 * hour,
      tokensBefore: 175_004,
      tokensAfter: 11_030,
      entryCount: 358,
      lossText: null,
      summarizers: [],
      durationMs: null,
      trigger: 'automatic',
      tokensSpent: null,
      cacheTokensInvalidated: null,
      inContext: null,
      blocks: [],
    },
    {
      ...base,
      id: 'run:1',
      seq: 1,
      strategies: ['tool-calls'],
      tags: ['[SUMMARIZED]'],
      time: now - 5 * hour,
      tokensBefore: 78_200,
      tokensAfter: 61_400,
      entryCount: blocks.innerBlock.block?.entryCount ?? 0,
      lossText: loss.text,
      coveredBy: 'run:3',
      inContext: { blocks: 0, outputs: 0, beneath: 1 },
      blocks: [runBlock(1, 'tool-calls', blocks.innerBlock, { place: 'covered' })],
    },
    {
      ...base,
      id: 'run:2',
      seq: 2,
      strategies: ['threshold'],
      tags: ['[SUMMARIZED]'],
      time: now - 4 * hour,
      tokensBefore: 92_000,
      tokensAfter: 72_600,
      entryCount: 20,
      lossText: loss.text,
      active: false,
      inContext: null,
      blocks: [
        {
          ...runBlock(2, 'threshold', blocks.innerBlock, { place: 'undone', tokensBefore: 21_300, tokensAfter: 1_900 }),
          entryCount: 20,
        },
      ],
    },
    {
      ...base,
      id: 'run:3',
      seq: 3,
      strategies: ['goal-batch'],
      tags: ['[GOAL BATCH]'],
      time: now - hour,
      tokensBefore: 118_300,
      tokensAfter: 74_900,
      entryCount: blocks.goalBatch.block?.entryCount ?? 0,
      lossText: loss.text,
      summarizers: ['claude-haiku-4-5'],
      durationMs: 7_240,
      trigger: 'automatic',
      tokensSpent: { input: 8_940, output: 812 },
      cacheTokensInvalidated: 38_200,
      repaired: 3,
      blocks: [
        runBlock(3, 'goal-batch', blocks.goalBatch, {
          turnCount: 6,
          summarizer: 'claude-haiku-4-5',
          displayLine: goalBatchLine,
        }),
      ],
    },
    {
      ...base,
      id: 'run:4',
      seq: 4,
      strategies: ['tool-calls'],
      tags: ['[SUMMARIZED]'],
      time: now - hour / 4,
      tokensBefore: 96_000,
      tokensAfter: 70_800,
      entryCount: blocks.toolBlock.block?.entryCount ?? 0,
      lossText: 'all 7 messages of the person are kept word for word',
      edited: true,
      blocks: [runBlock(4, 'tool-calls', blocks.toolBlock, { edited: true })],
    },
    {
      ...base,
      id: 'run:5',
      seq: 5,
      strategies: ['exclude'],
      tags: ['[EXCLUDED]'],
      time: now - hour / 8,
      tokensBefore: 73_000,
      tokensAfter: 71_200,
      entryCount: 3,
      lossText: null,
      durationMs: null,
      excludes: true,
      blocks: [
        {
          ...runBlock(5, 'exclude', blocks.toolBlock, { tokensBefore: 1_830, tokensAfter: 30 }),
          ...{ tag: '[EXCLUDED]', entryCount: 3 },
        },
      ],
    },
  ];
}

function runBlock(seq: number, strategy: string, { block, tokens }: Row, fields: Partial<RunBlockView>): RunBlockView {
  return {
    id: `strata:${seq}`,
    seq,
    strategy,
    tag: block?.tag ?? '',
    tokensBefore: block?.tokensBefore ?? 0,
    tokensAfter: tokens,
    entryCount: block?.entryCount ?? 0,
    turnCount: null,
    place: 'context',
    summarizer: 'extractive',
    displayLine: null,
    edited: false,
    ...fields,
  };
}

/**
 * A run of the ladder with two kinds of blocks, two of which are inside others. It replaces the goal batch of the
 * sample.
 */
export function severalBlocks({ compactions }: SessionView): readonly CompactionView[] {
  return compactions.map((run) => {
    const [goalBatch] = run.blocks;
    if (run.id !== 'run:3' || !goalBatch) return run;
    const summary = { strategy: 'tool-calls', tag: '[SUMMARIZED]', turnCount: 1, displayLine: null };
    return {
      ...run,
      strategies: ['ladder'],
      tags: ['[GOAL BATCH]', '[SUMMARIZED]', '[CLEARED]'],
      inContext: { blocks: 2, outputs: 14, beneath: 2 },
      blocks: [
        goalBatch,
        { ...goalBatch, ...summary, id: 'strata:4', seq: 4, tokensBefore: 9_300, tokensAfter: 1_240, entryCount: 22 },
        {
          ...{ ...goalBatch, ...summary, id: 'strata:5', seq: 5, strategy: 'cleared', tag: '[CLEARED]' },
          ...{ tokensBefore: 6_120, tokensAfter: 410, entryCount: 14, turnCount: 14 },
        },
        ...[6, 7].map((seq) => ({
          ...{ ...goalBatch, ...summary, id: `strata:${seq}`, seq, place: 'covered' as const },
          ...{ tokensBefore: 4_100, tokensAfter: 640, entryCount: 9 },
        })),
      ],
    };
  });
}

const item = { rationale: null, timestamp: '2025-12-09T00:10:00.000Z', entryId: null, status: 'active' } as const;

const coreItems: readonly CoreItem[] = [
  { ...item, id: 'c1', kind: 'goal', text: 'InteractiveMode on AgentSession, old files untouched', entryId: 'e371' },
  { ...item, id: 'c2', kind: 'constraint', text: 'the old files stay until everything works', entryId: 'e546' },
  { ...item, id: 'c3', kind: 'constraint', text: 'no inline imports' },
  {
    ...item,
    id: 'c4',
    kind: 'decision',
    text: 'listeners persist across reset, compact and switchSession',
    rationale: 'Only dispose() clears them; a user of AgentSession sets up listeners once.',
  },
  {
    ...item,
    id: 'c5',
    kind: 'decision',
    text: 'tools go to core/tools, the theme to modes/interactive/theme',
    status: 'proposed',
    entryId: 'e550',
    proposedBy: 'sentences',
  },
  {
    ...item,
    id: 'c8',
    kind: 'constraint',
    text: 'for the love of god, never touch the old tui-renderer.ts before the new one works; we compare against it',
    status: 'proposed',
    entryId: 'e600',
    proposedBy: 'claude-haiku-4-5',
  },
  {
    ...item,
    id: 'c9',
    kind: 'decision',
    text: 'i will look at it tomorrow',
    status: 'refused',
    entryId: 'e610',
    proposedBy: 'sentences',
  },
  { ...item, id: 'c6', kind: 'goal', text: 'write the refactoring plan into docs/refactor.md', status: 'done' },
  { ...item, id: 'c7', kind: 'constraint', text: 'print mode stays as it is', status: 'superseded' },
];

function previewOf(rows: readonly Row[], turns: readonly SampleRow[][]): PreviewView {
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const first = turns.slice(5, 8).flat();
  const tools = (turns[2] ?? []).filter(({ row }) => row.kind === 'tool');
  const sum = (items: readonly SampleRow[]) => items.reduce((tokens, { row }) => tokens + row.tokens, 0);
  return {
    id: 'preview-1',
    strategy: 'pipeline',
    tokensBefore: total,
    tokensAfter: total - sum(first) - sum(tools) + 2_700,
    tokensAdded: 0,
    byKindAfter: kindsAfter(rows, [...first, ...tools]),
    loss,
    inContext: { blocks: 2, outputs: 0, beneath: 0 },
    blocks: [
      {
        tag: '[SUMMARIZED]',
        strategy: 'tool-calls',
        reason: `${tools.length} tool calls of turn 16 are old and were answered.`,
        turnCount: 1,
        entryCount: tools.length * 2,
        tokensBefore: sum(tools),
        tokensAfter: 880,
        before: textOf(tools),
        after: summarizedText,
        loss,
        editable: withoutTagLine(summarizedText),
        edited: false,
        summarizer: null,
        tokensSpent: { input: 0, output: 0 },
        leaving: tools.map(({ row }) => row.key),
        isBeneath: false,
      },
      {
        tag: '[GOAL BATCH]',
        strategy: 'goal-batch',
        reason: 'Three complete turns lie more than 20 messages back.',
        turnCount: 3,
        entryCount: first.length,
        tokensBefore: sum(first),
        tokensAfter: 1_820,
        before: textOf(first),
        after: goalBatchText,
        loss,
        editable: withoutTagLine(goalBatchText),
        edited: false,
        summarizer: null,
        tokensSpent: { input: 0, output: 0 },
        leaving: first.map(({ row }) => row.key),
        isBeneath: false,
      },
    ],
    notes: ['Turn 19 was left alone: it is too recent.'],
    failures: [],
    summarizer: null,
    tokensSpent: { input: 0, output: 0 },
    cacheTokensInvalidated: 31_400,
  };
}

export function sessionList(now: number): SessionListItem[] {
  const minute = 60_000;
  return [
    {
      agent: 'pi',
      agentName: 'pi',
      file: sampleFile,
      title: 'refactor coding-agent: one AgentSession for interactive, print and rpc mode',
      cwd: '/home/dev/workspaces/pi-mono',
      modified: now - minute,
      live: true,
    },
    {
      agent: 'claude-code',
      agentName: 'Claude Code',
      file: '/home/dev/.claude/projects/-work-api/7800e132.jsonl',
      title: 'refactor the config loader',
      cwd: '/home/dev/work/api',
      modified: now - 12 * minute,
      live: true,
    },
    {
      agent: 'claude-code',
      agentName: 'Claude Code',
      file: '/home/dev/.claude/projects/-work-api/1b2f.jsonl',
      title: 'why does the nightly build time out on the arm runners only',
      cwd: '/home/dev/work/api',
      modified: now - 200 * minute,
      live: false,
    },
    {
      agent: 'claude-code',
      agentName: 'Claude Code',
      file: '/home/dev/.claude/projects/-work-site/9c1e.jsonl',
      title: 'تحسين صفحة الدفع',
      cwd: '/home/dev/work/site',
      modified: now - 3_000 * minute,
      live: false,
    },
    {
      agent: 'pi',
      agentName: 'pi',
      file: '/home/dev/.pi/agent/sessions/x/2025-11-02.jsonl',
      title: null,
      cwd: null,
      modified: now - 40_000 * minute,
      live: false,
    },
  ];
}

/** Tokens by kind without these rows, and with the two blocks in their place. */
function kindsAfter(rows: readonly Row[], leaving: readonly SampleRow[]): PreviewView['byKindAfter'] {
  const gone = new Set(leaving.map(({ row }) => row.key));
  const kinds = {
    system: 0,
    core: 0,
    goal_batch: 1_820,
    summary: 880,
    earlier: 0,
    unexplained: 0,
    user: 0,
    assistant: 0,
    tool_call: 0,
    tool_result: 0,
  };
  for (const { key, kind, tokens } of rows) {
    if (gone.has(key)) continue;
    if (kind === 'tool') kinds.tool_result += tokens;
    else if (kind === 'reasoning') kinds.assistant += tokens;
    else if (kind === 'injected') kinds.user += tokens;
    else kinds[kind] += tokens;
  }
  return kinds;
}
