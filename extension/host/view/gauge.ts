import * as l10n from '@vscode/l10n';
import type { Context } from '../../engine/conversation/context';
import { tokensText } from '../../engine/wording/tokens-text';
import type { Inspection } from '../../inspection/inspection';
import type { AutoCompactView, GaugeAlarm, GaugeView } from '../../protocol/view';
import { agentNames, type WindowEvidence } from '../../sessions/session';
import { autoCompactView, type ViewSettings } from './notices';

export function gaugeView(inspection: Inspection, settings: ViewSettings): GaugeView {
  return gaugeOf(inspection.context, inspection, settings);
}

/** The gauge of the agent's present context; null if it is the shown one. */
export function gaugeInAgent(inspection: Inspection, settings: ViewSettings): GaugeView | null {
  const { context, contextInAgent } = inspection;
  return contextInAgent === context ? null : gaugeOf(contextInAgent, inspection, settings);
}

function gaugeOf({ tokens }: Context, inspection: Inspection, settings: ViewSettings): GaugeView {
  const { contextWindow, knownWindow, isCounting } = inspection;
  const { total, source, countedSince, calibration, byKind, derivedSystem } = tokens;
  const sizes = { total, window: contextWindow, reserve: settings.reserveTokens };
  return {
    ...sizes,
    source: isCounting ? 'counting' : source,
    countedSince,
    calibration,
    windowAssumed: knownWindow === null,
    ...windowEvidence(inspection),
    byKind,
    derivedSystem,
    alarm: alarmOf(sizes, autoCompactView(inspection, settings)),
  };
}

function windowEvidence({ session, contextWindow }: Inspection): Pick<GaugeView, 'windowShownBy'> {
  const evidence = session.windowShownBy;
  if (evidence === undefined) return {};
  const [agent, size, window] = [agentNames[session.agent], tokensText(evidence.tokens), tokensText(contextWindow)];
  return { windowShownBy: { source: sourceOf(evidence), reason: windowReason(evidence, agent, size, window) } };
}

function sourceOf({ by }: WindowEvidence): string {
  return by === 'compaction' ? l10n.t('window by its last compaction') : l10n.t('window by its largest request');
}

function windowReason({ by }: WindowEvidence, agent: string, size: string, window: string): string {
  return by === 'compaction'
    ? l10n.t(
        '{0} compacted by itself at {2} here, so a window of {1} is assumed. A setting of {0} may have lowered that size.',
        agent,
        window,
        size,
      )
    : l10n.t(
        '{0} works with a window of {1} here, which is larger than usual for the model: the provider reported {2}.',
        agent,
        window,
        size,
      );
}

/** Problems with a size, the worst first. */
function alarmOf(
  { total, window, reserve }: Pick<GaugeView, 'total' | 'window' | 'reserve'>,
  { enabled, startsAt, byAgent }: AutoCompactView,
): GaugeAlarm | null {
  const atAgent = byAgent?.tokens ?? null;
  const agentIsFirst = atAgent !== null && (!enabled || startsAt === null || atAgent <= startsAt);
  if (total > window) return { level: 'error', text: l10n.t('Over the window by {0}', tokensText(total - window)) };
  if (byAgent && agentIsFirst && total >= atAgent) {
    const text = l10n.t('Above {0}, where {1} compacts by itself', tokensText(atAgent), byAgent.agentName);
    return { level: 'warning', text };
  }
  if (startsAt !== null && total >= startsAt && enabled)
    return { level: 'warning', text: l10n.t('Above the auto-compact line at {0}', tokensText(startsAt)) };
  if (total <= window - reserve) return null;
  return { level: 'warning', text: l10n.t('Only {0} left for the reply', tokensText(window - total)) };
}
