import { type AutomationDecision, decideAutomation } from '../../engine/run/automation';
import { findStrategy } from '../../engine/run/registry';
import type { Inspection } from '../../inspection/inspection';
import { readSettings } from '../settings';

/** Whether a compaction starts by itself now, as the person's settings want it. */
export function automationDecision(
  { session, journal, context, contextWindow }: Inspection,
  betweenTurns = false,
): AutomationDecision['kind'] {
  const { strategy: name, parameters, automation } = readSettings();
  const strategy = findStrategy(name);
  if (!strategy) return 'off';
  const { conversation } = session;
  const { state } = journal;
  return decideAutomation({
    ...automation,
    strategy,
    parameters,
    conversation,
    state,
    context,
    contextWindow,
    betweenTurns,
  }).kind;
}
