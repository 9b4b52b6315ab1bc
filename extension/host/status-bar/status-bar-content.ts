import * as vscode from 'vscode';
import type { TokenKind } from '../../engine/conversation/context';
import { shareText, tokensText } from '../../engine/wording/tokens-text';
import type { AutoCompactView, EffectView, GaugeAlarm, GaugeView } from '../../protocol/view';

type StatusBarGauge = Pick<
  GaugeView,
  'total' | 'source' | 'countedSince' | 'window' | 'windowAssumed' | 'windowShownBy' | 'byKind' | 'alarm'
>;

export interface StatusBarFacts {
  /** The context as the panel shows it. */
  readonly gauge: StatusBarGauge;
  /** The agent's present context; null if the panel shows the same. */
  readonly inAgent: StatusBarGauge | null;
  readonly effect: EffectView;
  readonly autoCompact: AutoCompactView;
  /** An automatic compaction will start soon. */
  readonly isDueSoon: boolean;
  readonly agentName: string;
  readonly title: string | null;
}

interface StatusBarContent {
  readonly text: string;
  /** Text for screen readers. */
  readonly label: string;
  /** Names the session. Untrusted plain text. */
  readonly heading: string;
  /** Markdown, made of trusted text only. */
  readonly details: string;
  readonly level: 'calm' | GaugeAlarm['level'];
}

/** The status bar content for the open session's context window. */
export function statusBarContent(facts: StatusBarFacts): StatusBarContent {
  const { gauge, inAgent, agentName, title, isDueSoon } = facts;
  const now = inAgent ?? gauge;
  const share = shareText(now.total, now.window);
  const after = inAgent === null ? '' : ` → ${tokensText(gauge.total)}`;
  const lines = [...sizesInWords(facts), ...warningLines(facts)];
  return {
    text: `${iconOf(now)} ${tokensText(now.total)} · ${share}${after}`,
    label: lines.join('. '),
    heading: title === null ? agentName : `${agentName}: ${title}`,
    details: [
      ...(inAgent === null ? [sizeLine(gauge)] : [nowLine(facts, inAgent), afterLine(facts)]),
      ...warningLines(facts),
      partsTable(gauge.byKind),
      automationLine(facts),
    ].join('\n\n'),
    level: now.alarm?.level ?? (isDueSoon ? 'warning' : 'calm'),
  };
}

function iconOf({ source, alarm }: StatusBarGauge): string {
  if (source === 'counting') return '$(loading~spin)';
  if (alarm === null) return '$(layers)';
  return alarm.level === 'error' ? '$(error)' : '$(warning)';
}

function sizesInWords({ gauge, inAgent, agentName, effect }: StatusBarFacts): string[] {
  const size = (of: StatusBarGauge) =>
    vscode.l10n.t('{0} of {1} tokens, {2}', ...sizes(of), shareText(of.total, of.window));
  if (inAgent === null) return [vscode.l10n.t('Context: {0}', size(gauge))];
  return [vscode.l10n.t('{0} now: {1}', agentName, size(inAgent)), `${afterText(effect)}: ${size(gauge)}`];
}

function nowLine({ agentName }: StatusBarFacts, inAgent: StatusBarGauge): string {
  return vscode.l10n.t('{0} now: {1}', agentName, sizeLine(inAgent));
}

function afterLine({ gauge, effect }: StatusBarFacts): string {
  return `${afterText(effect)}: ${sizeLine(gauge)}`;
}

/** The command in the agent. */
const strataCompact = '/strata compact';

/** The text if the agent has the shown context. */
function afterText(effect: EffectView): string {
  switch (effect) {
    case 'next-compaction':
      return vscode.l10n.t('After its next compaction');
    case 'when-asked':
      return vscode.l10n.t('After {0}', strataCompact);
    case 'nowhere':
      return vscode.l10n.t('Only in Strata');
    default:
      return vscode.l10n.t('After a fork');
  }
}

function sizes({ total, window }: StatusBarGauge): [string, string] {
  return [tokensText(total), tokensText(window)];
}

function sizeLine(gauge: StatusBarGauge): string {
  const size = vscode.l10n.t('{0} of {1} tokens', ...sizes(gauge));
  const assumed = gauge.windowAssumed ? [vscode.l10n.t('window assumed')] : [];
  const evidence = gauge.windowShownBy ? [gauge.windowShownBy.source] : [];
  return [`**${size}**`, shareText(gauge.total, gauge.window), sourceText(gauge), ...assumed, ...evidence].join(' · ');
}

function sourceText({ source, countedSince }: StatusBarGauge): string {
  switch (source) {
    case 'reported':
      return countedSince > 0
        ? vscode.l10n.t('as the provider reported, and {0} counted since', tokensText(countedSince))
        : vscode.l10n.t('as the provider reported');
    case 'estimated':
      return vscode.l10n.t('estimated');
    case 'counting':
      return vscode.l10n.t('still counting');
  }
}

const partLabels: readonly { readonly kinds: readonly TokenKind[]; readonly label: () => string }[] = [
  { kinds: ['system'], label: () => vscode.l10n.t('System') },
  { kinds: ['earlier'], label: () => vscode.l10n.t('Earlier messages, not in this file') },
  { kinds: ['core'], label: () => vscode.l10n.t('Core') },
  { kinds: ['goal_batch'], label: () => vscode.l10n.t('Goal batches') },
  { kinds: ['summary'], label: () => vscode.l10n.t('Summaries') },
  { kinds: ['user'], label: () => vscode.l10n.t('User') },
  { kinds: ['assistant', 'tool_call'], label: () => vscode.l10n.t('Assistant') },
  { kinds: ['tool_result'], label: () => vscode.l10n.t('Tools') },
  { kinds: ['unexplained'], label: () => vscode.l10n.t('Growth that no record explains') },
];

function partsTable(byKind: GaugeView['byKind']): string {
  const parts = partLabels
    .map(({ kinds, label }) => ({ label, tokens: kinds.reduce((sum, kind) => sum + byKind[kind], 0) }))
    .filter(({ tokens }) => tokens > 0)
    .map(({ label, tokens }) => `| ${label()} | ${tokensText(tokens)} |`);
  return ['| | |', '|:--|--:|', ...parts].join('\n');
}

function warningLines({ gauge, inAgent, isDueSoon }: StatusBarFacts): string[] {
  const { alarm } = inAgent ?? gauge;
  return [
    ...(alarm ? [alarm.text] : []),
    ...(isDueSoon ? [vscode.l10n.t('An automatic compaction will start soon')] : []),
  ];
}

function automationLine({
  agentName,
  autoCompact: { enabled, isPossible, isElsewhere, startsAt, orEarlier, schedule, byAgent },
}: StatusBarFacts): string {
  if (isElsewhere) return vscode.l10n.t('The server of this conversation compacts it, by its own settings.');
  if (!isPossible) {
    const off = vscode.l10n.t('Automatic compaction is off here: {0} would continue with its own context.', agentName);
    return byAgent ? `${off} ${byAgent.reason}` : off;
  }
  if (!enabled) return vscode.l10n.t('Automatic compaction is off.');
  if (schedule !== null) return schedule.reason;
  if (startsAt === null) return vscode.l10n.t('Automatic compaction depends on the age of messages.');
  const size = tokensText(startsAt);
  return orEarlier
    ? vscode.l10n.t('Automatic compaction starts at {0} or earlier.', size)
    : vscode.l10n.t('Automatic compaction starts at {0}.', size);
}
