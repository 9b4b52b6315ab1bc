import type { TokenKind } from '../../../extension/engine/conversation/context';
import type {
  AgentThresholdView,
  AutoCompactView,
  EffectView,
  GaugeView,
  PreviewView,
  SystemPiece,
} from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatCount, formatShare, formatTokens } from '../shared/format';

interface GaugeSegment {
  readonly kind: TokenKind;
  readonly label: string;
  readonly tokens: number;
  /** Share of the bar, 0 to 1. */
  readonly width: number;
}

/** One entry of the legend. The assistant's covers two kinds: replies, and replies that call tools. */
interface GaugeGroup {
  readonly label: string;
  readonly kind: TokenKind;
  readonly tokens: number;
  readonly segments: readonly GaugeSegment[];
}

export interface GaugeScale {
  readonly groups: readonly GaugeGroup[];
  /** Free tokens of the window, including the reserve. Never negative. */
  readonly free: number;
  /** Tokens by which the context exceeds the window; there is no reserve then. */
  readonly over: number;
  /** End of the window, 0 to 1 of the bar. */
  readonly windowAt: number;
  /** Start of the reserve, 0 to 1 of the bar. */
  readonly reserveAt: number;
  readonly reserveWidth: number;
  /** When Strata compacts, or else the agent by itself; null if neither is known, or if it depends on the age of messages. */
  readonly autoCompact: AutoCompactStart | null;
}

interface AutoCompactStart {
  readonly text: string;
  /** The reason, as a sentence; null if the text says everything. */
  readonly reason: string | null;
  /** 0 to 1 of the bar; null if it does not depend on size. */
  readonly at: number | null;
}

const kindLabels: Readonly<Record<TokenKind, string>> = {
  system: t('system'),
  earlier: t('earlier messages, not in this file'),
  core: t('core'),
  goal_batch: t('goal batches'),
  summary: t('summaries'),
  user: t('user'),
  assistant: t('replies'),
  tool_call: t('replies that call tools'),
  tool_result: t('tool results'),
  unexplained: t('growth that no record explains'),
};

/** The kinds of each entry of the legend. Its label is that of its kind unless it has its own. */
const groupKinds: readonly { label?: string; kinds: readonly [TokenKind, ...TokenKind[]] }[] = [
  ...(['system', 'earlier', 'core', 'goal_batch', 'summary', 'user'] as const).map((kind) => ({
    kinds: [kind] as const,
  })),
  { label: t('assistant'), kinds: ['assistant', 'tool_call'] },
  { label: t('tools'), kinds: ['tool_result'] },
  { kinds: ['unexplained'] },
];

/** Tokens in no message of the file, apart from the system prompt; they are rows of their own. */
export function besidePieces({ byKind }: GaugeView): readonly SystemPiece[] {
  const pieces = [
    { label: t('Earlier messages, not in this file'), tokens: byKind.earlier },
    { label: t('Growth that no record explains'), tokens: byKind.unexplained },
  ];
  return pieces.filter(({ tokens }) => tokens > 0);
}

/** `autoCompact`: null if it does not apply to this context. */
export function gaugeScale(gauge: GaugeView, autoCompact: AutoCompactView | null): GaugeScale {
  // A context can be larger than its assumed window; the bar then shows the whole context.
  const whole = Math.max(gauge.window, gauge.total, 1);
  const groups = groupKinds.map(({ kinds, label = kindLabels[kinds[0]] }) => {
    const segments = kinds.map((kind) => ({
      kind,
      label: kindLabels[kind],
      tokens: gauge.byKind[kind],
      width: gauge.byKind[kind] / whole,
    }));
    return { label, kind: kinds[0], tokens: sum(segments.map(({ tokens }) => tokens)), segments };
  });
  return {
    groups,
    free: Math.max(0, gauge.window - gauge.total),
    over: Math.max(0, gauge.total - gauge.window),
    windowAt: gauge.window / whole,
    reserveAt: Math.max(0, gauge.window - gauge.reserve) / whole,
    reserveWidth: Math.min(gauge.reserve, gauge.window) / whole,
    autoCompact: autoCompact && autoCompactStart(autoCompact, whole),
  };
}

function autoCompactStart(autoCompact: AutoCompactView, whole: number): AutoCompactStart | null {
  const { enabled, startsAt, schedule, byAgent } = autoCompact;
  const placeOf = (tokens: number) => Math.min(1, Math.max(0, tokens / whole));
  if (byAgent && isFirst(byAgent, autoCompact)) {
    const { agentName, tokens, source, reason } = byAgent;
    if (tokens === null) return { text: t('{0} does not compact by itself', agentName), reason, at: null };
    return {
      text: t('{0} compacts at {1}, {2}', agentName, formatTokens(tokens), source),
      reason,
      at: placeOf(tokens),
    };
  }
  if (!enabled) return null;
  const text = autoCompactText(autoCompact);
  if (text === null) return null;
  return { text, reason: schedule?.reason ?? null, at: startsAt === null ? null : placeOf(startsAt) };
}

/** Strata compacts at a size that the agent does not reach, or not at all. */
function isFirst({ tokens }: AgentThresholdView, { enabled, startsAt }: AutoCompactView): boolean {
  return !enabled || (tokens !== null && startsAt !== null && tokens <= startsAt);
}

/** `Auto-compact at 183k`, with `or earlier` if more than the size can start it. Null if only the age of messages does. */
export function autoCompactText({ startsAt, orEarlier, schedule }: AutoCompactView): string | null {
  if (schedule !== null)
    return schedule.isNext ? t('Auto-compact before the next message') : t('Auto-compact when it pays');
  if (startsAt === null) return null;
  const start = formatTokens(startsAt);
  return orEarlier ? t('Auto-compact at {0} or earlier', start) : t('Auto-compact at {0}', start);
}

/** Free tokens of the window, or the tokens by which the context exceeds it. */
export function roomText(gauge: GaugeView, { free, over }: GaugeScale): string {
  if (over > 0) return t('{0} over the window', formatTokens(over));
  return t('free {0}, of which {1} reserve', formatTokens(free), formatTokens(gauge.reserve));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `142.6k of 200k · 71 %` */
export function gaugeSummary(gauge: GaugeView): string {
  const share = formatShare(gauge.total, gauge.window);
  return t('{0} of {1} · {2}', formatTokens(gauge.total), formatTokens(gauge.window), share);
}

/** Where the number comes from. Only what the provider reported is called reported. */
export function sourceLabel({ source, countedSince }: GaugeView): string {
  switch (source) {
    case 'reported':
      return countedSince > 0 ? t('reported + {0} counted since', formatTokens(countedSince)) : t('reported');
    case 'estimated':
      return t('estimated');
    case 'counting':
      return t('counting…');
  }
}

function sourceNoteOf({ source, total, countedSince }: GaugeView): string {
  switch (source) {
    case 'reported':
      return countedSince > 0
        ? t(
            'The provider reported {0} tokens with the newest reply; {1} were counted in what came since.',
            formatCount(total - countedSince),
            formatCount(countedSince),
          )
        : t('The provider reported {0} tokens with the newest reply.', formatCount(total));
    case 'estimated':
      return t('The provider has not reported usage for this context; the number is counted.');
    case 'counting':
      return t('The tokenizer is still working; parts that are not counted yet are estimated from their length.');
  }
}

/** `scaled × 1.08 as the provider counts`; null if nothing was reported. */
export function calibrationText({ calibration }: GaugeView): string | null {
  return calibration === 1 ? null : t('scaled × {0} as the provider counts', calibration.toFixed(2));
}

/** The name of the agent's own gauge, while the shown context is another one. */
export function nowLabel(agentName: string): string {
  return t('{0} now', agentName);
}

/** Names the gauges of another moment: the agent's own context, and the one that Strata had made of it. */
export function thenLabels(agentName: string): {
  readonly agent: string;
  readonly strata: string;
  readonly only: string;
} {
  return { agent: t('{0} then', agentName), strata: t('With Strata’s compactions then'), only: t('Then') };
}

/** The context after a preview that is not applied. */
export function previewedGauge(gauge: GaugeView, { tokensAfter, byKindAfter }: PreviewView): GaugeView {
  return { ...gauge, total: tokensAfter, byKind: byKindAfter, source: 'estimated', alarm: null };
}

/** The command that a person types in the agent. */
const strataCompact = '/strata compact';

export function afterLabel(effect: EffectView): string {
  switch (effect) {
    case 'next-compaction':
      return t('After its next compaction');
    case 'when-asked':
      return t('After {0}', strataCompact);
    case 'nowhere':
      return t('Only in Strata');
    default:
      return t('After a fork');
  }
}

export function sourceNote(gauge: GaugeView): string {
  const calibration = calibrationText(gauge);
  const scaled = calibration === null ? [] : [t('All numbers are {0}.', calibration)];
  const evidence = gauge.windowShownBy ? [gauge.windowShownBy.reason] : [];
  return [sourceNoteOf(gauge), ...scaled, ...evidence].join('\n');
}

/** Tooltip of a legend entry or a segment. */
export function groupNote(gauge: GaugeView, group: GaugeGroup): string {
  const share = formatShare(group.tokens, gauge.window);
  const lines = [t('{0}: {1} tokens, {2}', group.label, formatTokens(group.tokens), share)];
  if (group.segments.length > 1) {
    lines.push(...group.segments.map((segment) => `${segment.label}: ${formatTokens(segment.tokens)}`));
  }
  if (group.kind === 'system' && gauge.derivedSystem > 0) {
    lines.push(
      t(
        '{0} of it are not in the session file: the agent sends them (system prompt, tool descriptions) but does not log them.',
        formatTokens(gauge.derivedSystem),
      ),
    );
  }
  return lines.join('\n');
}

/** The whole gauge in words, for screen readers. */
export function spokenGauge(gauge: GaugeView, scale: GaugeScale, name: string | null = null): string {
  const { groups, autoCompact } = scale;
  const filled = groups
    .filter(({ tokens }) => tokens > 0)
    .map(({ label, tokens }) => `${label} ${formatTokens(tokens)}`);
  const room = roomText(gauge, scale);
  const start = autoCompact ? [autoCompact.reason ?? autoCompact.text] : [];
  const calibration = calibrationText(gauge);
  const scaled = calibration === null ? [] : [calibration];
  const assumed = gauge.windowAssumed ? [t('window assumed')] : [];
  const evidence = gauge.windowShownBy ? [gauge.windowShownBy.source] : [];
  const alarm = gauge.alarm ? [gauge.alarm.text] : [];
  const whole = [gaugeSummary(gauge), ...alarm, sourceLabel(gauge), ...scaled, ...assumed, ...evidence];
  return `${name === null ? '' : `${name}: `}${whole.join(', ')}: ${[...filled, room, ...start].join(', ')}`;
}
