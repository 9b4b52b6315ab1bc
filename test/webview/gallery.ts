import { mkdir } from 'node:fs/promises';
import type { Row, SessionView } from '../../extension/protocol/view';
import { type OpenPanel, PanelBrowser, type PanelOptions, settled } from './harness/browser.ts';
import { rescue, severalBlocks } from './harness/scenario.ts';
import { model, noModel } from './harness/strategies.ts';
import { hostileText } from './harness/texts.ts';
import type { ThemeName } from './harness/themes.ts';

/**
 * Takes pictures of the built panel in every theme and width. Start it with `node test/webview/gallery.ts`. Arguments
 * select the pictures whose names contain one of them.
 */
const folder = process.env.STRATA_PICTURES ?? new URL('../.output/webview/', import.meta.url).pathname;

interface Picture extends PanelOptions {
  readonly name: string;
  readonly prepare?: (panel: OpenPanel) => Promise<void>;
}

const wide = { width: 1280, height: 800, placement: 'editor' } as const;
const narrow = { width: 420, height: 900 } as const;
const slim = { width: 320, height: 800 } as const;
const thin = { width: 300, height: 800 } as const;
const tiny = { width: 160, height: 800 } as const;

/** The person was not yet asked who writes. */
const unanswered = { ...noModel, isChosen: false };

const pictures: readonly Picture[] = [
  ...(['dark', 'light', 'high-contrast', 'high-contrast-light'] as const).flatMap(ofTheme),
];

function ofTheme(theme: ThemeName): Picture[] {
  return [
    { name: `${theme}-wide`, theme, ...wide },
    { name: `${theme}-wide-top`, theme, ...wide, prepare: openStrata },
    { name: `${theme}-wide-detail`, theme, ...wide, prepare: openDetail },
    { name: `${theme}-wide-compaction`, theme, ...wide, prepare: (panel) => openCompaction(panel, '#3 Goal batch') },
    { name: `${theme}-wide-core`, theme, ...wide, prepare: openCore },
    { name: `${theme}-wide-preview`, theme, ...wide, prepare: openPreview },
    { name: `${theme}-wide-asked`, theme, ...wide, height: 1400, prepare: askBoth },
    { name: `${theme}-thin-asked`, theme, ...thin, height: 1800, prepare: askBoth },
    { name: `${theme}-wide-again`, theme, ...wide, height: 1400, prepare: writeAgain },
    { name: `${theme}-thin-again`, theme, ...thin, height: 1800, prepare: writeAgain },
    { name: `${theme}-wide-picker`, theme, ...wide, prepare: openPicker },
    { name: `${theme}-narrow`, theme, ...narrow },
    { name: `${theme}-narrow-top`, theme, ...narrow, prepare: openStrata },
    {
      name: `${theme}-narrow-compaction`,
      theme,
      ...narrow,
      prepare: (panel) => openCompaction(panel, '#3 Goal batch'),
    },
    { name: `${theme}-narrow-core`, theme, ...narrow, prepare: openCore },
    { name: `${theme}-narrow-preview`, theme, ...narrow, prepare: openPreview },
    { name: `${theme}-thin-preview`, theme, ...thin, prepare: openPreview },
    {
      name: `${theme}-thin-loss`,
      theme,
      ...thin,
      height: 1_400,
      prepare: (panel) => openCompaction(panel, '#3 Goal batch'),
    },
    {
      name: `${theme}-wide-loss`,
      theme,
      ...wide,
      height: 1_400,
      prepare: (panel) => openCompaction(panel, '#3 Goal batch'),
    },
    { name: `${theme}-slim`, theme, ...slim },
    { name: `${theme}-slim-top`, theme, ...slim, prepare: openStrata },
    { name: `${theme}-slim-picker`, theme, ...slim, prepare: openPicker },
    { name: `${theme}-midway-wide`, theme, ...wide, change: beginningMidway },
    { name: `${theme}-midway-thin`, theme, ...thin, change: beginningMidway },
    { name: `${theme}-two-wide`, theme, ...wide, change: withTwoContexts },
    { name: `${theme}-two-thin`, theme, ...thin, change: withTwoContexts },
    { name: `${theme}-two-tiny`, theme, ...tiny, change: withTwoContexts },
    { name: `${theme}-over-thin`, theme, ...thin, change: overTheWindow, prepare: openLegend },
    { name: `${theme}-rescue-wide`, theme, ...wide, change: withRescue, prepare: showRescue },
    { name: `${theme}-rescue-thin`, theme, ...thin, change: withRescue },
    { name: `${theme}-rescue-thin-open`, theme, ...thin, change: withRescue, prepare: showRescue },
    { name: `${theme}-rescue-compaction`, theme, ...thin, prepare: (panel) => openCompaction(panel, 'by pi') },
    { name: `${theme}-rescue-compaction-wide`, theme, ...wide, prepare: (panel) => openCompaction(panel, 'by pi') },
    { name: `${theme}-tiny`, theme, ...tiny },
    { name: `${theme}-tiny-compactions`, theme, ...tiny, prepare: (panel) => openCompaction(panel, '#3 Goal batch') },
    { name: `${theme}-thin-compactions`, theme, ...thin, prepare: (panel) => openCompaction(panel, '#3 Goal batch') },
    { name: `${theme}-empty`, theme, ...narrow, hasSession: false },
    { name: `${theme}-agents`, theme, ...narrow, hasSession: false, prepare: openAgents },
    { name: `${theme}-tiny-agents`, theme, ...tiny, height: 1400, hasSession: false, prepare: openAgents },
    {
      name: `${theme}-fresh`,
      theme,
      ...wide,
      change: (view) => ({
        ...view,
        compactions: [],
        core: { ...view.core, items: [], asserted: null, tokens: 0, sharePercent: 0 },
        autoCompact: { enabled: false, isPossible: true, startsAt: null, orEarlier: false, schedule: null },
        header: { ...view.header, issues: [], live: false },
        gauge: { ...view.gauge, source: 'estimated', windowAssumed: true },
      }),
    },
    { name: `${theme}-store`, theme, ...wide, change: inStore },
    { name: `${theme}-store-narrow`, theme, ...narrow, change: inStore },
    { name: `${theme}-store-tiny`, theme, ...tiny, change: inStore },
    { name: `${theme}-busy`, theme, ...narrow, prepare: showBusy },
    { name: `${theme}-stale`, theme, ...narrow, prepare: showStale },
    { name: `${theme}-pin-form`, theme, ...wide, prepare: openPinForm },
    { name: `${theme}-filter`, theme, ...narrow, prepare: openFilter },
    { name: `${theme}-legend`, theme, ...slim, prepare: openLegend },
    { name: `${theme}-odd-rows`, theme, ...narrow, change: withOddRows, prepare: openLastRows },
    { name: `${theme}-wide-odd-rows`, theme, ...wide, change: withOddRows, prepare: openLastRows },
    {
      name: `${theme}-markdown`,
      theme,
      ...wide,
      change: withOddRows,
      prepare: (panel) => openRow(panel, 'structured'),
    },
    {
      name: `${theme}-slim-markdown`,
      theme,
      ...slim,
      change: withOddRows,
      prepare: (panel) => openRow(panel, 'structured'),
    },
    { name: `${theme}-hostile`, theme, ...narrow, change: withOddRows, prepare: (panel) => openRow(panel, 'hostile') },
    {
      name: `${theme}-pictures`,
      theme,
      ...narrow,
      change: withOddRows,
      prepare: (panel) => openRow(panel, 'pictured'),
    },
    { name: `${theme}-wide-folded`, theme, ...wide, prepare: foldTurns },
    { name: `${theme}-slim-folded`, theme, ...slim, prepare: foldTurns },
    { name: `${theme}-wide-filter`, theme, ...wide, prepare: openFilter },
    { name: `${theme}-slim-filter`, theme, ...slim, prepare: openFilter },
    { name: `${theme}-medium`, theme, width: 900, height: 700, placement: 'editor', prepare: openStrata },
    { name: `${theme}-huge`, theme, width: 1_920, height: 1_080, placement: 'editor', prepare: openSideBySide },
    { name: `${theme}-failure`, theme, ...narrow, prepare: failEverything },
    { name: `${theme}-wide-compare`, theme, ...wide, prepare: openComparison },
    { name: `${theme}-huge-compare`, theme, width: 1_920, height: 1_080, placement: 'editor', prepare: openComparison },
    { name: `${theme}-narrow-compare`, theme, ...narrow, prepare: openComparison },
    { name: `${theme}-slim-compare`, theme, ...slim, prepare: openComparison },
    { name: `${theme}-wide-compare-written`, theme, ...wide, summarizer: model, prepare: writeCompared },
    { name: `${theme}-thin-compare-written`, theme, ...thin, height: 1_400, summarizer: model, prepare: writeCompared },
    { name: `${theme}-comparing`, theme, ...wide, comparing: 250, prepare: openComparison },
    { name: `${theme}-compare-stale`, theme, ...wide, prepare: showStaleComparison },
    { name: `${theme}-wide-strategies`, theme, ...wide, prepare: openStrategies },
    { name: `${theme}-slim-strategies`, theme, ...slim, prepare: openStrategies },
    { name: `${theme}-writer-wide`, theme, ...wide, summarizer: unanswered, prepare: openPreview },
    { name: `${theme}-writer-slim`, theme, ...slim, summarizer: unanswered, prepare: openPreview },
    { name: `${theme}-model`, theme, ...narrow, summarizer: model, prepare: openIdlePreview },
    { name: `${theme}-model-busy`, theme, ...narrow, summarizer: model, prepare: showBusyPreview },
    { name: `${theme}-model-cost`, theme, ...wide, summarizer: model, prepare: showCost },
    { name: `${theme}-wide-core-edit`, theme, ...wide, prepare: editDecision },
    { name: `${theme}-slim-keys`, theme, ...slim, prepare: openKeys },
    { name: `${theme}-wide-keys`, theme, ...wide, prepare: openKeys },
    { name: `${theme}-slim-core`, theme, ...slim, prepare: openCore },
    { name: `${theme}-slim-compaction`, theme, ...slim, prepare: (panel) => openCompaction(panel, '#3 Goal batch') },
    { name: `${theme}-refused`, theme, ...narrow, prepare: openRefused },
    { name: `${theme}-wide-notices`, theme, ...wide, change: withNotices },
    { name: `${theme}-slim-notices`, theme, ...slim, change: withNotices },
    { name: `${theme}-forced`, theme, ...wide, prepare: forceColours },
    {
      name: `${theme}-over`,
      theme,
      ...narrow,
      change: (view) => ({ ...view, gauge: { ...view.gauge, total: 230_000 } }),
      prepare: openLegend,
    },
    { name: `${theme}-wide-chart`, theme, ...wide, prepare: openChart },
    { name: `${theme}-narrow-chart`, theme, ...narrow, prepare: openChart },
    { name: `${theme}-slim-chart`, theme, ...slim, prepare: openChart },
    { name: `${theme}-wide-fates`, theme, ...wide, height: 1_400, prepare: openFates },
    { name: `${theme}-slim-fates`, theme, ...slim, height: 1_400, prepare: openFates },
    { name: `${theme}-edit-block`, theme, ...narrow, prepare: editBlock },
    { name: `${theme}-run`, theme, ...wide, prepare: openRun },
    { name: `${theme}-run-300`, theme, ...thin, prepare: openRun },
    { name: `${theme}-excluded`, theme, ...narrow, prepare: (panel) => openCompaction(panel, '#5 Excluded') },
    { name: `${theme}-wide-beside`, theme, ...wide, prepare: openBeside },
    { name: `${theme}-slim-beside`, theme, ...slim, prepare: openBeside },
    { name: `${theme}-narrow-range`, theme, ...narrow, prepare: openRange },
    { name: `${theme}-slim-range`, theme, ...slim, prepare: openRange },
    { name: `${theme}-wide-menu`, theme, ...wide, prepare: openMenu },
    { name: `${theme}-slim-menu`, theme, ...slim, prepare: openMenu },
  ];
}

function withRescue(view: SessionView): SessionView {
  return { ...view, rescue };
}

async function showRescue({ page }: OpenPanel): Promise<void> {
  await page.getByRole('button', { name: 'Show it' }).click();
}

async function openStrata({ page }: OpenPanel): Promise<void> {
  await page.focus('[role=tree]');
  await page.keyboard.press('Home');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await settled(page);
  await page.locator('[role=treeitem][aria-level="2"]', { hasText: 'SUMMARIZED' }).first().locator('.twistie').click();
}

async function openDetail({ page }: OpenPanel): Promise<void> {
  const rows = page.locator('[role=treeitem]');
  await rows
    .filter({ has: page.locator('.row.user') })
    .last()
    .click();
  await rows
    .filter({ has: page.locator('.row.tool') })
    .last()
    .click();
  await settled(page);
  const text = page.locator('.detail .markdown').first();
  await text.selectText();
}

async function openTab({ page }: OpenPanel, label: string): Promise<void> {
  await page.locator('vscode-panel-tab', { hasText: label }).click();
}

async function openCompaction(panel: OpenPanel, name: string): Promise<void> {
  await openTab(panel, 'Compactions');
  await panel.page.locator('button.item', { hasText: name }).click();
}

async function openChart(panel: OpenPanel): Promise<void> {
  await openTab(panel, 'Compactions');
  const chart = panel.page.getByRole('img', { name: 'Tokens of the context' });
  await chart.focus();
  for (const key of ['ArrowLeft', 'ArrowLeft']) await panel.page.keyboard.press(key);
  await panel.page.locator('.u-over').hover();
}

/** Opens a run of several blocks, one of its blocks, and the blocks inside it. */
async function openRun(panel: OpenPanel): Promise<void> {
  const { page, host } = panel;
  if (host.view) host.change({ compactions: severalBlocks(host.view) });
  await openCompaction(panel, '#3 Ladder');
  await page.getByRole('button', { name: /2 blocks beneath/ }).click();
  await page
    .getByRole('button', { name: /#4 Tool calls/ })
    .last()
    .scrollIntoViewIfNeeded();
}

async function openFates(panel: OpenPanel): Promise<void> {
  await openCompaction(panel, '#3 Goal batch');
  await panel.page.locator('.fates .filter button', { hasText: 'shortened' }).click();
}

async function editBlock(panel: OpenPanel): Promise<void> {
  await openCompaction(panel, '#4 Tool calls');
  await panel.page.getByRole('button', { name: 'Edit text' }).click();
}

async function openRange(panel: OpenPanel): Promise<void> {
  await openIdlePreview(panel);
  await openSettings(panel);
  await panel.page.getByRole('button', { name: 'Choose turns' }).click();
  await panel.page.getByRole('combobox', { name: 'First turn' }).click();
  for (const key of ['ArrowDown', 'Enter']) await panel.page.keyboard.press(key);
}

async function openBeside(panel: OpenPanel): Promise<void> {
  await openComparison(panel);
  for (const name of ['Pipeline', 'Checkpoint', 'Prune tool output']) {
    await panel.page.getByRole('checkbox', { name }).check();
  }
  await panel.page.getByRole('button', { name: /side by side/ }).click();
}

async function openSideBySide(panel: OpenPanel): Promise<void> {
  await openCompaction(panel, '#3 Goal batch');
  await panel.page.getByRole('button', { name: 'side by side' }).click();
  await panel.page.locator('.diff').scrollIntoViewIfNeeded();
}

async function openCore(panel: OpenPanel): Promise<void> {
  await openTab(panel, 'Core');
  await panel.page.locator('details').first().locator('summary').click();
}

async function editDecision(panel: OpenPanel): Promise<void> {
  await openTab(panel, 'Core');
  const decision = panel.page.locator('.item.active', { hasText: 'listeners persist' });
  await decision.getByRole('button', { name: 'Edit' }).click();
  await panel.page
    .locator('.item.active', { hasText: 'no inline imports' })
    .getByLabel('More: no inline imports')
    .click();
}

async function forceColours({ page }: OpenPanel): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('tree').press('End');
}

async function openKeys({ page }: OpenPanel): Promise<void> {
  await page.keyboard.press('?');
}

async function openAgents({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button', { hasText: 'Set up agents' }).click();
  await page.getByRole('article').first().waitFor();
  await settled(page);
}

async function openPreview({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button', { hasText: 'Compact…' }).click();
}

async function writeAgain(panel: OpenPanel): Promise<void> {
  await openCompaction(panel, '#4 Tool calls');
  await panel.page.getByRole('button', { name: /Write again with/ }).click();
  await panel.page.getByRole('button', { name: 'Keep the new text' }).waitFor();
}

async function askBoth(panel: OpenPanel): Promise<void> {
  const { page } = panel;
  await openPreview(panel);
  await page.getByRole('button', { name: /Ask both/ }).click();
  await page.getByRole('textbox', { name: /Questions of your own/ }).fill('Which test failed last?');
  await page.getByRole('button', { name: 'Ask 4 questions' }).click();
  await page.getByText(/Answered by/).waitFor();
  await page.getByRole('region', { name: 'Ask both' }).evaluate((element) => element.scrollIntoView());
}

async function openIdlePreview({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button', { hasText: 'Compact…' }).click();
  await settled(page);
}

/** Opens the settings of a preview, which first shows its result. */
async function openSettings({ page }: OpenPanel): Promise<void> {
  await page.getByRole('button', { name: /· No model/ }).click();
}

async function openComparison(panel: OpenPanel): Promise<void> {
  await openMenu(panel);
  await panel.page.getByRole('menuitem', { name: 'Compare strategies' }).click();
  await settled(panel.page);
  await settled(panel.page);
}

/** One strategy that a model wrote, and one for which the model failed. */
async function writeCompared(panel: OpenPanel): Promise<void> {
  await openComparison(panel);
  const { page } = panel;
  for (const title of ['Checkpoint', 'Codex-style handover']) {
    await page.getByRole('button', { name: `Write it with ${model.label}: ${title}` }).click();
    await settled(page);
  }
  await page.getByText('answered 529').waitFor();
}

async function showStaleComparison(panel: OpenPanel): Promise<void> {
  await openComparison(panel);
  await panel.page.getByRole('columnheader', { name: 'Saved' }).getByRole('button').click();
  await panel.host.handlers.undo({ run: 4 });
}

async function openStrategies(panel: OpenPanel): Promise<void> {
  await openIdlePreview(panel);
  await openSettings(panel);
  await panel.page.getByRole('button', { name: 'All strategies' }).click();
  await panel.page.getByRole('combobox', { name: 'Strategy' }).click();
  for (const key of ['ArrowDown', 'ArrowDown']) await panel.page.keyboard.press(key);
}

async function showBusyPreview(panel: OpenPanel): Promise<void> {
  await openIdlePreview(panel);
  panel.host.previewing = 60_000;
  await panel.page.getByRole('button', { name: 'Preview', exact: true }).last().click();
  panel.host.notify('busy-changed', { busy });
}

async function showCost(panel: OpenPanel): Promise<void> {
  await openIdlePreview(panel);
  panel.host.previewed = {
    summarizer: 'claude-haiku-4-5',
    tokensSpent: { input: 18_200, output: 1_410 },
    failures: ['Goal batch of turns 4 to 9: 429, too many requests; tried 3 times in 24 s.'],
  };
  await panel.page.getByRole('button', { name: 'Preview', exact: true }).last().click();
}

async function openRefused(panel: OpenPanel): Promise<void> {
  await openTab(panel, 'Core');
  const refused = panel.page.locator('details', { hasText: 'refused proposal' });
  await refused.locator('summary').first().click();
  await refused.scrollIntoViewIfNeeded();
}

function withNotices(view: SessionView): SessionView {
  return {
    ...view,
    notices: [
      { kind: 'auto-compact-soon', text: 'A compaction starts by itself in about 12k tokens.' },
      { kind: 'auto-compact-stopped', text: 'Automatic compaction has stopped: three calls in a row failed.' },
      {
        kind: 'many-compactions',
        text: 'Long threads and many compactions can make the model less accurate. A new thread may serve better.',
      },
      { kind: 'core-large', text: 'The core takes 12.4 % of the window; 10 % is what it should stay below.' },
    ],
  };
}

async function openMenu({ page }: OpenPanel): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
}

async function openPicker({ page }: OpenPanel): Promise<void> {
  await page.locator('.opener[aria-haspopup]').click();
}

const busy = {
  label: 'Summarizing 84 entries with claude-haiku-4-5',
  cancellable: true,
  progress: {
    done: 3,
    of: 12,
    text: '## Goal Arc\nStarted WP15: a new InteractiveMode on top of AgentSession, first as a thin copy of tui-renderer.ts; the person then asked to rewrite it',
  },
};

async function showBusy({ page, host }: OpenPanel): Promise<void> {
  host.notify('busy-changed', { busy });
  await openTab({ page, host } as OpenPanel, 'Compactions');
  await page.locator('button.item', { hasText: 'by pi' }).click();
}

async function showStale(panel: OpenPanel): Promise<void> {
  await openIdlePreview(panel);
  await openSettings(panel);
  await panel.page.locator('vscode-text-area').click();
  await panel.page.keyboard.type('keep every file path');
}

async function openPinForm({ page }: OpenPanel): Promise<void> {
  const user = page
    .locator('[role=treeitem]')
    .filter({ has: page.locator('.row.user') })
    .last();
  await user.hover();
  await user.locator('.pin').click();
}

async function openFilter({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button[aria-label="Filter the timeline"]').click();
  await settled(page);
  await page.keyboard.type('agent-session');
}

async function openLegend({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button[aria-label^="Show what takes up"]').click();
  await page.getByRole('button', { name: '+1 more' }).click();
}

const excluded = {
  tag: '[EXCLUDED]',
  by: 'strata',
  compactionId: 'strata:5',
  entryCount: 3,
  turnCount: null,
  tokensBefore: 4_200,
  displayLine: null,
} as const;

/** A session that continues one outside its file, and grew by tokens that no record explains. */
function beginningMidway(view: SessionView): SessionView {
  const { gauge } = view;
  const byKind = { ...gauge.byKind, earlier: 26_300, unexplained: 4_800 };
  return { ...view, gauge: { ...gauge, byKind, total: gauge.total + 31_100 } };
}

function withTwoContexts(view: SessionView): SessionView {
  const inAgent = {
    ...view.gauge,
    total: 187_400,
    byKind: { ...view.gauge.byKind, core: 0, goal_batch: 0, summary: 0, tool_result: 120_000 },
    alarm: { level: 'warning', text: 'Above 160k, where pi compacts by itself' },
  } as const;
  return {
    ...view,
    inAgent,
    effect: 'new-session',
    gauge: { ...view.gauge, source: 'estimated' },
    autoCompact: {
      ...{ enabled: false, isPossible: false, startsAt: null, orEarlier: false, schedule: null },
      byAgent: {
        agentName: 'pi',
        tokens: 160_000,
        source: 'as last time',
        reason: 'pi last compacted by itself at 160k.',
      },
    },
    notices: [
      {
        kind: 'not-in-agent',
        text: 'Claude Code still has 187.4k tokens. A fork of this session continues with 142k.',
      },
    ],
  };
}

/** A conversation in a store that cannot be reached. */
function inStore(view: SessionView): SessionView {
  const place = 'postgres://strata@db.example.com:5432/strata';
  const store = { place, tenant: 'acme', name: 'thread-7' };
  const reason = `The call \`read\` of the store ${place} failed: connect ECONNREFUSED 10.0.0.7:5432.`;
  return {
    ...view,
    effect: 'next-request',
    header: {
      ...view.header,
      ...{ agent: 'strata', agentName: 'Strata', file: `${place}#acme/thread-7`, store, cwd: null, issues: [] },
      writing: { fork: false, inPlace: false, resume: false, isFork: false },
    },
    autoCompact: {
      ...{ enabled: false, isPossible: false, isElsewhere: true, startsAt: null, orEarlier: false, schedule: null },
    },
    notices: [
      { kind: 'store-unreachable', text: `${reason} This is what was read last. Strata tries again by itself.` },
    ],
  };
}

function overTheWindow(view: SessionView): SessionView {
  const total = 214_000;
  const grown = total - view.gauge.total;
  const byKind = { ...view.gauge.byKind, tool_result: view.gauge.byKind.tool_result + grown };
  return {
    ...view,
    gauge: { ...view.gauge, total, byKind, alarm: { level: 'error', text: 'Over the window by 14k' } },
  };
}

function withOddRows(view: SessionView): SessionView {
  const [row] = view.rows.slice(-1);
  if (!row) return view;
  const odd = (key: string, fields: Partial<Row>): Row => ({ ...row, key, tool: null, preview: '', ...fields });
  const tool = {
    name: 'mcp__some_server__with_a_very_long_tool_name',
    subject: 'x'.repeat(200),
    outcome: 'error',
    result: 'Error: ENOENT: no such file or directory',
    pruned: false,
  } as const;
  const rows = [
    odd('rtl', { kind: 'user', turn: 31, preview: 'أصلح محمّل الإعدادات config.yaml ثم شغّل الاختبارات' }),
    odd('long', { kind: 'assistant', preview: 'a'.repeat(240), tokens: 1_250_000 }),
    odd('injected', {
      kind: 'injected',
      preview: '<system-reminder> The file was changed outside. </system-reminder>',
    }),
    odd('pinned', {
      kind: 'user',
      turn: 1_204,
      preview: 'never change the public loadConfig() signature',
      pinned: ['constraint', 'goal'],
      images: 3,
    }),
    odd('structured', { kind: 'assistant', preview: 'The loader now reads **YAML** and *TOML*' }),
    odd('hostile', { kind: 'user', turn: 32, preview: hostileText.slice(0, 240).replaceAll('\n', ' ') }),
    odd('pictured', { kind: 'user', turn: 33, preview: 'Look at these.', images: 3 }),
    odd('excluded', { kind: 'summary', preview: 'Taken out of the context by the user.', tokens: 21, block: excluded }),
    odd('tool', { kind: 'tool', tool }),
    odd('pruned', {
      kind: 'tool',
      tool: { name: 'read', subject: 'docs/refactor.md', outcome: 'ok', result: '', pruned: true },
    }),
    odd('running', {
      kind: 'tool',
      tool: { name: 'Bash', subject: 'npm test -- config', outcome: 'running', result: '', pruned: false },
    }),
    odd('empty', { kind: 'assistant', preview: '', tokens: 0 }),
  ];
  return { ...view, rows: [...view.rows, ...rows] };
}

async function openLastRows({ page, host }: OpenPanel): Promise<void> {
  host.failure = null;
  await page.locator('[role=treeitem]').last().hover();
}

async function openRow({ page }: OpenPanel, key: string): Promise<void> {
  const row = page.locator(`[role=treeitem][data-vscode-context*='"strataRow":"${key}"']`);
  await row.click({ position: { x: 120, y: 12 } });
  await settled(page);
  if (key === 'structured') await row.evaluate((element) => element.scrollIntoView());
}

async function foldTurns({ page }: OpenPanel): Promise<void> {
  await page.locator('vscode-button[aria-label="Collapse all turns"]').click();
}

async function failEverything({ page, host }: OpenPanel): Promise<void> {
  host.failure =
    'The journal of this session cannot be written: EACCES, permission denied, open /home/dev/.pi/journal.jsonl';
  await page.locator('[role=treeitem]').last().click();
  await page.locator('vscode-button[aria-label^="Undo"]').click();
}

const wanted = process.argv.slice(2);
const chosen = pictures.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));

await mkdir(folder, { recursive: true });
const browser = await PanelBrowser.launch();
let complaintCount = 0;
for (const { name, prepare, ...options } of chosen) {
  const panel = await browser.open(options);
  await prepare?.(panel);
  await settled(panel.page);
  await panel.page.screenshot({ path: `${folder}${name}.png` });
  for (const complaint of panel.complaints) console.error(`${name}: ${complaint}`);
  complaintCount += panel.complaints.length;
  await panel.close();
}
await browser.close();
console.log(`${chosen.length} pictures in ${folder}`);
if (complaintCount > 0) process.exitCode = 1;
