import type { ContextKind } from '../../extension/engine/conversation/context';
import type { AutoCompactView, GaugeView } from '../../extension/protocol/view';
import { formatShare, formatTokens } from './format';

export interface GaugeSegment {
  readonly kind: ContextKind;
  readonly label: string;
  readonly tokens: number;
  /** Share of the bar, 0 to 1. */
  readonly width: number;
}

/** One entry of the legend. The assistant's has two kinds: replies, and replies that call tools. */
export interface GaugeGroup {
  readonly label: string;
  readonly kind: ContextKind;
  readonly tokens: number;
  readonly segments: readonly GaugeSegment[];
}

export interface GaugeScale {
  readonly groups: readonly GaugeGroup[];
  /** What is left of the window; the reserve is part of it. Never negative. */
  readonly free: number;
  /** Where the reserve begins, 0 to 1 of the bar. */
  readonly reserveAt: number;
  readonly reserveWidth: number;
  /** Where a compaction starts by itself; null where none does, or where that goes by other things than size. */
  readonly autoCompact: { readonly at: number; readonly text: string } | null;
}

const kindLabels: Readonly<Record<ContextKind, string>> = {
  system: 'system',
  core: 'core',
  goal_batch: 'goal batches',
  summary: 'summaries',
  user: 'user',
  assistant: 'replies',
  tool_call: 'replies that call tools',
  tool_result: 'tool results',
};

const groupKinds: readonly { label: string; kinds: readonly [ContextKind, ...ContextKind[]] }[] = [
  { label: 'system', kinds: ['system'] },
  { label: 'core', kinds: ['core'] },
  { label: 'goal batches', kinds: ['goal_batch'] },
  { label: 'summaries', kinds: ['summary'] },
  { label: 'user', kinds: ['user'] },
  { label: 'assistant', kinds: ['assistant', 'tool_call'] },
  { label: 'tools', kinds: ['tool_result'] },
];

export function gaugeScale(gauge: GaugeView, autoCompact: AutoCompactView): GaugeScale {
  // A context can be larger than the window that is assumed for it; the bar then shows all of the context.
  const whole = Math.max(gauge.window, gauge.total, 1);
  const groups = groupKinds.map(({ label, kinds }) => {
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
    reserveAt: Math.max(0, gauge.window - gauge.reserve) / whole,
    reserveWidth: Math.min(gauge.reserve, gauge.window) / whole,
    autoCompact: autoCompactLine(autoCompact, whole),
  };
}

function autoCompactLine(autoCompact: AutoCompactView, whole: number): GaugeScale['autoCompact'] {
  const { enabled, startsAt } = autoCompact;
  const text = autoCompactText(autoCompact);
  if (!enabled || startsAt === null || text === null) return null;
  return { at: Math.min(1, Math.max(0, startsAt / whole)), text };
}

/** `starts by itself at 183k`, `… or earlier` where that does not go by size alone; null where it goes by other things. */
export function autoCompactText({ startsAt, orEarlier }: AutoCompactView): string | null {
  return startsAt === null ? null : `starts by itself at ${formatTokens(startsAt)}${orEarlier ? ' or earlier' : ''}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** `142.6k of 200k · 71 %` */
export function gaugeSummary(gauge: GaugeView): string {
  return `${formatTokens(gauge.total)} of ${formatTokens(gauge.window)} · ${formatShare(gauge.total, gauge.window)}`;
}

export const sourceLabels: Readonly<Record<GaugeView['source'], string>> = {
  reported: 'reported',
  estimated: 'estimated',
  counting: 'counting…',
};

const sourceNotes: Readonly<Record<GaugeView['source'], string>> = {
  reported: 'The number comes from the provider’s newest report, plus what was counted since.',
  estimated: 'There is no report of the provider for this context; the number is counted.',
  counting: 'The tokenizer is still at work; lengths stand in for what it has not counted yet.',
};

/** `reported 1.08 tokens per counted one`; null where nothing was reported. */
export function calibrationText({ calibration }: GaugeView): string | null {
  return calibration === 1 ? null : `reported ${calibration.toFixed(2)} tokens per counted one`;
}

/** Where the number comes from, and by what it is scaled. */
export function sourceNote(gauge: GaugeView): string {
  const calibration = calibrationText(gauge);
  const scaled = calibration === null ? [] : [`Calibrated: the provider ${calibration}.`];
  return [sourceNotes[gauge.source], ...scaled].join('\n');
}

/** What hovering a legend entry or a segment says. */
export function groupNote(gauge: GaugeView, group: GaugeGroup): string {
  const lines = [`${group.label}: ${formatTokens(group.tokens)} tokens, ${formatShare(group.tokens, gauge.window)}`];
  if (group.segments.length > 1) {
    lines.push(...group.segments.map((segment) => `${segment.label}: ${formatTokens(segment.tokens)}`));
  }
  if (group.kind === 'system' && gauge.derivedSystem > 0) {
    lines.push(
      `${formatTokens(gauge.derivedSystem)} of it are derived from the first report: the agent sends them (system prompt, tool schemas) but does not write them down.`,
    );
  }
  return lines.join('\n');
}

/** The whole gauge in words, for screen readers. */
export function spokenGauge(gauge: GaugeView, scale: GaugeScale): string {
  const { groups, free, autoCompact } = scale;
  const parts = groups
    .filter(({ tokens }) => tokens > 0)
    .map(({ label, tokens }) => `${label} ${formatTokens(tokens)}`);
  const window = gauge.windowAssumed ? ', window assumed' : '';
  const start = autoCompact ? `, compaction ${autoCompact.text}` : '';
  const calibration = calibrationText(gauge);
  const source = [sourceLabels[gauge.source], ...(calibration === null ? [] : [calibration])].join(', ');
  return `${gaugeSummary(gauge)}, ${source}${window}: ${parts.join(', ')}, free ${formatTokens(free)}, of which ${formatTokens(gauge.reserve)} reserve${start}`;
}
