import { earlierRows } from '../../../extension/protocol/earlier-rows';
import type { Row, SessionView } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** A row above all others that opens the messages of the sessions before this one; null if none of them is on this machine. */
export function earlierRow(view: Pick<SessionView, 'header'> | null): Row | null {
  const before = view?.header.predecessor;
  if (!before?.file || before.isOriginal) return null;
  return {
    key: earlierRows,
    kind: 'earlier',
    turn: null,
    preview: before.title ?? t('Messages of the same work, in another session'),
    tokens: 0,
    tool: null,
    block: {
      tag: t('earlier'),
      by: 'agent',
      compactionId: earlierRows,
      entryCount: 1,
      turnCount: null,
      tokensBefore: null,
      displayLine: null,
    },
    images: 0,
    pinned: [],
    time: null,
  };
}
