import * as l10n from '@vscode/l10n';
import { manyCompactions, startOf } from '../../engine/run/automation';
import { findStrategy } from '../../engine/run/registry';
import type { Inspection } from '../../inspection/inspection';
import type { AutoCompactView, NoticeView } from '../../protocol/view';
import type { Session } from '../../sessions/session';
import type { Settings } from '../settings';

/** Settings and automation state for the views. */
export interface ViewSettings extends Settings {
  /** Why automatic compaction stopped, until a manual run succeeds; null while it works. */
  readonly automationStopped: string | null;
}

export function autoCompactView({ contextWindow }: Inspection, settings: ViewSettings): AutoCompactView {
  const strategy = findStrategy(settings.strategy);
  return {
    enabled: settings.automation.enabled,
    startsAt: strategy ? startOf(strategy, contextWindow, settings.parameters) : null,
    orEarlier: !strategy?.aim && (strategy?.steps.some((step) => step.startsAt === undefined) ?? false),
  };
}

export function noticeViews(inspection: Inspection, settings: ViewSettings): NoticeView[] {
  return [...stopped(settings), ...soon(inspection, settings), ...many(inspection), ...largeCore(inspection, settings)];
}

function stopped({ automation, automationStopped }: ViewSettings): NoticeView[] {
  if (!automation.enabled || automationStopped === null) return [];
  return [{ kind: 'auto-compact-stopped', text: automationStopped }];
}

/** Only a continuing session can be compacted automatically. */
function soon(inspection: Inspection, settings: ViewSettings): NoticeView[] {
  const { enabled, startsAt } = autoCompactView(inspection, settings);
  const { total } = inspection.context.tokens;
  if (!enabled || !inspection.goesOn || startsAt === null) return [];
  if (total < (startsAt * settings.automation.warnAtPercent) / 100) return [];
  return [{ kind: 'auto-compact-soon', text: soonText(startsAt - total, inspection.session.agent) }];
}

function soonText(left: number, agent: Session['agent']): string {
  if (left > 0) {
    return l10n.t('This context will be compacted automatically in about {0} tokens.', left.toLocaleString('en'));
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
