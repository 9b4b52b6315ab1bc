import * as vscode from 'vscode';
import type { ContextKind } from '../../engine/conversation/context';
import type { AutoCompactView, GaugeView } from '../../protocol/view';
import { shareText, tokensText } from '../view/tokens-text';

export interface StatusBarFacts {
  readonly gauge: Pick<GaugeView, 'total' | 'source' | 'countedSince' | 'window' | 'windowAssumed' | 'byKind'>;
  readonly autoCompact: AutoCompactView;
  /** An automatic compaction will start soon. */
  readonly isDueSoon: boolean;
  readonly agentName: string;
  readonly title: string | null;
}

export interface StatusBarContent {
  readonly text: string;
  /** Text for screen readers. */
  readonly label: string;
  /** Names the session. Untrusted plain text. */
  readonly heading: string;
  /** Markdown, made of trusted text only. */
  readonly details: string;
  readonly isWarning: boolean;
}

/** The status bar content for the open session's context window. */
export function statusBarContent(facts: StatusBarFacts): StatusBarContent {
  const { gauge, agentName, title, isDueSoon } = facts;
  const share = shareText(gauge.total, gauge.window);
  const isCounting = gauge.source === 'counting';
  return {
    text: `${isCounting ? '$(loading~spin)' : '$(layers)'} ${tokensText(gauge.total)} · ${share}`,
    label: [vscode.l10n.t('Context: {0} of {1} tokens, {2}', ...sizes(gauge), share), ...warningLines(facts)].join(
      '. ',
    ),
    heading: title === null ? agentName : `${agentName}: ${title}`,
    details: [
      sizeLine(gauge),
      partsTable(gauge.byKind),
      ...warningLines(facts),
      automationLine(facts.autoCompact),
    ].join('\n\n'),
    isWarning: isDueSoon,
  };
}

function sizes({ total, window }: StatusBarFacts['gauge']): [string, string] {
  return [tokensText(total), tokensText(window)];
}

function sizeLine(gauge: StatusBarFacts['gauge']): string {
  const size = vscode.l10n.t('{0} of {1} tokens', ...sizes(gauge));
  const assumed = gauge.windowAssumed ? [vscode.l10n.t('window assumed')] : [];
  return [`**${size}**`, shareText(gauge.total, gauge.window), sourceText(gauge), ...assumed].join(' · ');
}

function sourceText({ source, countedSince }: StatusBarFacts['gauge']): string {
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

const partLabels: readonly { readonly kinds: readonly ContextKind[]; readonly label: () => string }[] = [
  { kinds: ['system'], label: () => vscode.l10n.t('System') },
  { kinds: ['core'], label: () => vscode.l10n.t('Core') },
  { kinds: ['goal_batch'], label: () => vscode.l10n.t('Goal batches') },
  { kinds: ['summary'], label: () => vscode.l10n.t('Summaries') },
  { kinds: ['user'], label: () => vscode.l10n.t('User') },
  { kinds: ['assistant', 'tool_call'], label: () => vscode.l10n.t('Assistant') },
  { kinds: ['tool_result'], label: () => vscode.l10n.t('Tools') },
];

function partsTable(byKind: GaugeView['byKind']): string {
  const parts = partLabels
    .map(({ kinds, label }) => ({ label, tokens: kinds.reduce((sum, kind) => sum + byKind[kind], 0) }))
    .filter(({ tokens }) => tokens > 0)
    .map(({ label, tokens }) => `| ${label()} | ${tokensText(tokens)} |`);
  return ['| | |', '|:--|--:|', ...parts].join('\n');
}

function warningLines({ isDueSoon }: StatusBarFacts): string[] {
  return isDueSoon ? [vscode.l10n.t('An automatic compaction will start soon')] : [];
}

function automationLine({ enabled, startsAt, orEarlier }: AutoCompactView): string {
  if (!enabled) return vscode.l10n.t('Automatic compaction is off.');
  if (startsAt === null) return vscode.l10n.t('Automatic compaction depends on the age of messages.');
  const size = tokensText(startsAt);
  return orEarlier
    ? vscode.l10n.t('Automatic compaction starts at {0} or earlier.', size)
    : vscode.l10n.t('Automatic compaction starts at {0}.', size);
}
