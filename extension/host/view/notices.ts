import * as l10n from '@vscode/l10n';
import { decideAutomation, manyCompactions, startOf, startsByCost } from '../../engine/run/automation/automation';
import { scheduleSentence } from '../../engine/run/automation/schedule-words';
import { findStrategy } from '../../engine/run/prepare/registry';
import { tokensText } from '../../engine/wording/tokens-text';
import { type AgentThreshold, agentThreshold } from '../../inspection/agent-threshold';
import { type Effect, effectOf, reachesAgent } from '../../inspection/effect';
import type { Inspection } from '../../inspection/inspection';
import type { AutoCompactView, NoticeView } from '../../protocol/view';
import { agentNames, type Session } from '../../sessions/session';
import { translated } from '../failures/failure-text';
import type { Settings } from '../settings';

/** Settings and automation state for the views. */
export interface ViewSettings extends Settings {
  /** Why automatic compaction stopped, until a manual run succeeds; null while it works. */
  readonly automationStopped: string | null;
}

export function autoCompactView(inspection: Inspection, settings: ViewSettings): AutoCompactView {
  const { contextWindow } = inspection;
  const strategy = findStrategy(settings.strategy);
  const isElsewhere = inspection.session.store !== undefined;
  const isPossible = !isElsewhere && reachesAgent(effectOf(inspection));
  const enabled = isPossible && settings.automation.enabled;
  const schedule = enabled ? scheduleView(inspection, settings) : null;
  return {
    enabled,
    isPossible,
    ...(isElsewhere ? { isElsewhere } : {}),
    startsAt:
      strategy && schedule === null && isPossible ? startOf(strategy, contextWindow, settings.parameters) : null,
    orEarlier: !strategy?.aim && (strategy?.steps.some((step) => step.startsAt === undefined) ?? false),
    schedule,
    ...(isElsewhere ? {} : byAgent(inspection)),
  };
}

/** Nothing if Strata makes the requests, because no agent compacts then. */
function byAgent(inspection: Inspection): Pick<AutoCompactView, 'byAgent'> {
  const threshold = effectOf(inspection) === 'next-request' ? null : agentThreshold(inspection);
  if (threshold === null) return {};
  const agentName = agentNames[inspection.session.agent];
  return { byAgent: { agentName, tokens: threshold.tokens, ...thresholdTexts(threshold, agentName) } };
}

function thresholdTexts(threshold: AgentThreshold, agentName: string): { source: string; reason: string } {
  const size = tokensText(threshold.tokens ?? 0);
  switch (threshold.from) {
    case 'settings': {
      const place = threshold.file ?? l10n.t('a variable of the environment');
      const reason =
        threshold.tokens === null
          ? l10n.t('{0} does not compact by itself: {1} turns it off.', agentName, place)
          : l10n.t('{0} compacts by itself at {1}, as {2} says.', agentName, size, place);
      return { source: l10n.t('its settings'), reason };
    }
    case 'session':
      return {
        source: l10n.t('as last time'),
        reason: l10n.t('{0} last compacted by itself at {1}.', agentName, size),
      };
    case 'earlier-session':
      return {
        source: l10n.t('as in an earlier session'),
        reason: l10n.t('{0} compacted by itself at {1} in an earlier session with this model.', agentName, size),
      };
    case 'default':
      return {
        source: l10n.t('its default'),
        reason: l10n.t('{0} compacts by itself at {1} by default; no setting of it changes that.', agentName, size),
      };
  }
}

/** Only Strata's own conversations are compacted between turns by Strata. */
function scheduleView(inspection: Inspection, settings: ViewSettings): AutoCompactView['schedule'] {
  const { conversation, state, context, contextWindow, session } = inspection;
  const { automation, parameters, asksModel } = settings;
  const strategy = findStrategy(settings.strategy);
  if (session.agent !== 'strata' || !strategy) return null;
  const now = new Date().toISOString();
  const surroundings = { conversation, state, context, contextWindow, strategy, parameters };
  const input = { ...automation, ...surroundings, betweenTurns: true, now, asksModel };
  if (!startsByCost(input)) return null;
  const decision = decideAutomation(input);
  return 'schedule' in decision
    ? { reason: translated(scheduleSentence(decision.schedule)), isNext: decision.kind === 'run' }
    : { reason: l10n.t('Automatic compaction starts as soon as it saves more than it costs.'), isNext: false };
}

export function noticeViews(inspection: Inspection, settings: ViewSettings): NoticeView[] {
  return [
    ...unread(inspection),
    ...stopped(inspection, settings),
    ...inEffect(inspection),
    ...soon(inspection, settings),
    ...many(inspection),
    ...largeCore(inspection, settings),
  ];
}

function unread({ unread: now }: Inspection): NoticeView[] {
  if (now === null) return [];
  const reason = sentence(translated(now.reason));
  const text = now.isForGood
    ? l10n.t('{0} This is what was read last.', reason)
    : l10n.t('{0} This is what was read last. Strata tries again by itself.', reason);
  return [{ kind: 'store-unreachable', text }];
}

/** Reasons of servers and systems have no full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function stopped(inspection: Inspection, settings: ViewSettings): NoticeView[] {
  const { automationStopped } = settings;
  if (automationStopped === null || !autoCompactView(inspection, settings).enabled) return [];
  return [{ kind: 'auto-compact-stopped', text: automationStopped }];
}

/** How the newest compactions take effect, until they have. */
function inEffect(inspection: Inspection): NoticeView[] {
  const { context, contextInAgent } = inspection;
  if (contextInAgent !== context) return [{ kind: 'not-in-agent', text: notInAgentText(inspection) }];
  if (effectOf(inspection) !== 'next-request' || !isNewestEvent(inspection)) return [];
  const text = l10n.t('In effect: the next message is sent with {0} tokens.', tokensText(context.tokens.total));
  return [{ kind: 'in-effect', text }];
}

/** Nothing was added since the person's newest compaction. */
function isNewestEvent({ state, conversation }: Inspection): boolean {
  const newest = state.compactions.findLast(({ active }) => active)?.record;
  return newest?.trigger === 'manual' && newest.newestEntryId === conversation.agentContext.at(-1)?.id;
}

function notInAgentText(inspection: Inspection): string {
  const { session, context, contextInAgent, state } = inspection;
  const agent = agentNames[session.agent];
  const now = tokensText(contextInAgent.tokens.total);
  const after = tokensText(context.tokens.total);
  const isCompacted = state.compactions.some(({ record, active }) => active && record.effect !== 'agent');
  if (!isCompacted) return pinnedText(effectOf(inspection), agent);
  switch (effectOf(inspection)) {
    case 'next-compaction':
      return l10n.t(
        '{0} still has {1} tokens. After its next compaction (/compact) it continues with {2}.',
        agent,
        now,
        after,
      );
    case 'when-asked':
      return l10n.t(
        '{0} still has {1} tokens. With /strata compact there, it continues with {2}. Its own compaction stays as it is.',
        agent,
        now,
        after,
      );
    case 'nowhere':
      return l10n.t(
        '{0} still has {1} tokens. Strata cannot write its sessions: hand off to continue with fewer tokens.',
        agent,
        now,
      );
    default:
      return l10n.t('{0} still has {1} tokens. A fork of this session continues with {2}.', agent, now, after);
  }
}

function pinnedText(effect: Effect, agent: string): string {
  if (effect === 'next-compaction') return l10n.t('Pins reach {0} when it compacts next.', agent);
  return effect === 'when-asked'
    ? l10n.t('Pins reach {0} with /strata compact there.', agent)
    : l10n.t('Pins are not in the context of {0} yet: a fork of this session has them.', agent);
}

/** Only a continuing session can be compacted automatically. */
function soon(inspection: Inspection, settings: ViewSettings): NoticeView[] {
  if (!inspection.isInUse) return [];
  const { enabled, startsAt } = autoCompactView(inspection, settings);
  const { total } = inspection.contextInAgent.tokens;
  if (!enabled || startsAt === null) return [];
  if (total < (startsAt * settings.automation.warnAtPercent) / 100) return [];
  return [{ kind: 'auto-compact-soon', text: soonText(startsAt - total, inspection.session.agent) }];
}

function soonText(left: number, agent: Session['agent']): string {
  if (left > 0) {
    return l10n.t('This context will be compacted automatically in about {0} tokens.', left.toLocaleString());
  }
  return agent === 'strata'
    ? l10n.t('This context will be compacted automatically before the next message.')
    : l10n.t('This context will be compacted automatically at the end of this turn.');
}

function many({ session, journal }: Inspection): NoticeView[] {
  const count = manyCompactions(session.conversation, journal.state);
  if (count === null) return [];
  const text = l10n.t(
    'This conversation was compacted {0} times. Each compaction costs some accuracy. A new thread may work better.',
    count,
  );
  return [{ kind: 'many-compactions', text }];
}

export function coreShare({ context, contextWindow }: Inspection): number {
  return Math.round((context.tokens.byKind.core / contextWindow) * 1000) / 10;
}

function largeCore(inspection: Inspection, { coreWarnAtPercent }: ViewSettings): NoticeView[] {
  const share = coreShare(inspection);
  if (share <= coreWarnAtPercent) return [];
  const text = l10n.t(
    'The protected core takes {0} % of the window. Mark items that are done or no longer apply.',
    share,
  );
  return [{ kind: 'core-large', text }];
}
