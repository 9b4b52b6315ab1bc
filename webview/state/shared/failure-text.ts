import type { Method } from '../../../extension/protocol/messages';
import { t } from '../../l10n';

const sentences: Readonly<Partial<Record<Method, (reason: string) => string>>> = {
  undo: (reason) => t('The compaction was not undone: {0}', reason),
  redo: (reason) => t('The compaction was not redone: {0}', reason),
  pin: (reason) => t('Nothing was pinned: {0}', reason),
  'copy-forgotten': (reason) => t('Nothing was copied: {0}', reason),
  'cancel-compaction': (reason) => t('The work was not cancelled: {0}', reason),
  'open-diff': (reason) => t('The diff was not opened: {0}', reason),
  'toggle-auto-compact': (reason) => t('Automatic compaction was not switched: {0}', reason),
  'choose-summarizer': (reason) => t('The summarizer was not changed: {0}', reason),
  'hand-off': (reason) => t('The hand-off was not written: {0}', reason),
  fork: (reason) => t('The session was not forked: {0}', reason),
  'fork-whole': (reason) => t('The session was not forked: {0}', reason),
  'compact-in-place': (reason) => t('Nothing was written into the session: {0}', reason),
  resume: (reason) => t('The session was not resumed: {0}', reason),
  'delete-fork': (reason) => t('The fork was not deleted: {0}', reason),
  'list-sessions': (reason) => t('The sessions were not listed: {0}', reason),
  'open-session': (reason) => t('The session was not opened: {0}', reason),
  'choose-session-file': (reason) => t('The session was not opened: {0}', reason),
  'open-in-editor': (reason) => t('The panel was not opened in an editor tab: {0}', reason),
  'exclude-row': (reason) => t('The row was not excluded: {0}', reason),
  'open-link': (reason) => t('The link was not opened: {0}', reason),
  'reveal-row': (reason) => t('The row was not shown in its file: {0}', reason),
  'reveal-entry': (reason) => t('The place was not shown in its file: {0}', reason),
  'reveal-issue': (reason) => t('The issue was not shown in its file: {0}', reason),
};

/** A sentence that says what did not happen and why. */
export function failureText(method: Method, reason: string): string {
  return sentences[method]?.(reason) ?? reason;
}
