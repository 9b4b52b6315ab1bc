import type { CompactionView, SessionView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTokens } from '../shared/format';
import { gaugeSummary } from './gauge';
import { rescueText } from './rescue.svelte';

/**
 * The announcement of a session change for screen readers; null for changes that are not announced, such as the steady
 * growth of a followed session.
 */
export function newsOf(before: SessionView | null, after: SessionView | null): string | null {
  if (!after) return before ? t('The session is closed.') : null;
  if (!before || before.header.file !== after.header.file) return openedText(after);
  const news = [
    compactionNews(before, after),
    rescueNews(before, after),
    countingNews(before, after),
    noticeNews(before, after),
  ];
  const announced = news.filter((each) => each !== null);
  return announced.length > 0 ? announced.join(' ') : null;
}

function openedText({ header, gauge }: SessionView): string {
  return t('Session of {0} opened: {1}, {2}.', header.agentName, header.title ?? t('untitled'), gaugeSummary(gauge));
}

function compactionNews(before: SessionView, after: SessionView): string | null {
  if (before.compactions === after.compactions) return null;
  const earlier = new Map(before.compactions.map((each) => [each.id, each]));
  const applied = after.compactions.filter(({ id, active }) => active && !earlier.get(id)?.active);
  const undone = after.compactions.filter(({ id, active }) => !active && earlier.get(id)?.active);
  const size = formatTokens(after.gauge.total);
  if (undone.length > 0) return t('{0} undone: the context has {1} tokens.', namesOf(undone), size);
  return applied.length > 0 ? t('{0} applied: the context has {1} tokens.', namesOf(applied), size) : null;
}

function namesOf(compactions: readonly CompactionView[]): string {
  const [only] = compactions;
  if (compactions.length !== 1 || !only) return t('{0} compactions', compactions.length);
  return only.seq === null
    ? t('Compaction of the agent')
    : t('Compaction #{0} {1}', only.seq, only.strategies.join(', '));
}

function rescueNews(before: SessionView, { rescue, header }: SessionView): string | null {
  if (!rescue || before.rescue?.compactionId === rescue.compactionId) return null;
  return rescueText(header.agentName, rescue);
}

function countingNews(before: SessionView, after: SessionView): string | null {
  if (before.gauge.source !== 'counting' || after.gauge.source === 'counting') return null;
  return t('Tokens are counted: {0}.', gaugeSummary(after.gauge));
}

function noticeNews(before: SessionView, after: SessionView): string | null {
  const known = before.notices.map(({ kind }) => kind);
  const added = after.notices.filter(({ kind }) => !known.includes(kind));
  return added.length > 0 ? added.map(({ text }) => text).join(' ') : null;
}
