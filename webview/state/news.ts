import type { CompactionView, SessionView } from '../../extension/protocol/view';
import { formatTokens, plural } from './format';
import { gaugeSummary } from './gauge';

/**
 * What a screen reader should say of a change of the session; null for what is no news: a session that is followed
 * grows all the time.
 */
export function newsOf(before: SessionView | null, after: SessionView | null): string | null {
  if (!after) return before ? 'The session is closed.' : null;
  if (!before || before.header.file !== after.header.file) return openedText(after);
  const news = [compactionNews(before, after), countingNews(before, after), noticeNews(before, after)];
  const said = news.filter((each) => each !== null);
  return said.length > 0 ? said.join(' ') : null;
}

function openedText({ header, gauge }: SessionView): string {
  return `Session of ${header.agentName} opened: ${header.title ?? 'untitled'}, ${gaugeSummary(gauge)}.`;
}

function compactionNews(before: SessionView, after: SessionView): string | null {
  if (before.compactions === after.compactions) return null;
  const earlier = new Map(before.compactions.map((each) => [each.id, each]));
  const applied = after.compactions.filter(({ id, active }) => active && !earlier.get(id)?.active);
  const undone = after.compactions.filter(({ id, active }) => !active && earlier.get(id)?.active);
  const size = `${formatTokens(after.gauge.total)} tokens`;
  if (undone.length > 0) return `${namesOf(undone)} undone: the context has ${size}.`;
  return applied.length > 0 ? `${namesOf(applied)} applied: the context has ${size}.` : null;
}

function namesOf(compactions: readonly CompactionView[]): string {
  const [only] = compactions;
  if (compactions.length !== 1 || !only) return plural(compactions.length, 'compaction');
  return only.seq === null ? `Compaction of the agent` : `Compaction #${only.seq} ${only.strategy}`;
}

function countingNews(before: SessionView, after: SessionView): string | null {
  if (before.gauge.source !== 'counting' || after.gauge.source === 'counting') return null;
  return `Tokens are counted: ${gaugeSummary(after.gauge)}.`;
}

function noticeNews(before: SessionView, after: SessionView): string | null {
  const known = before.notices.map(({ kind }) => kind);
  const added = after.notices.filter(({ kind }) => !known.includes(kind));
  return added.length > 0 ? added.map(({ text }) => text).join(' ') : null;
}
