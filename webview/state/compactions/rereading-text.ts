import type { CompactionDetail } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatTokens } from '../shared/format';

type Rereading = NonNullable<CompactionDetail['rereading']>;

/** `7 of the next 22 reads were of files that it had read before: 13k tokens.` */
export function rereadingText({ reads, again }: Rereading): string {
  const tokens = formatTokens(again.tokens);
  if (again.calls === 0) return t('It read nothing again: 0 of the next {0} reads.', reads);
  return t('Read again: {0} of the next {1} reads, {2} tokens.', again.calls, reads, tokens);
}

/** What it is compared with, and what else may explain it. */
export function rereadingNotes({ usual, changedSince }: Rereading): readonly string[] {
  return [
    usual === null
      ? t('There are too few reads around it to say what is usual.')
      : t('As many reads right before the compaction: {0} of {1}.', usual.again, usual.reads),
    ...(changedSince.calls === 0 ? [] : [changedText(changedSince.calls)]),
  ];
}

function changedText(count: number): string {
  return count === 1
    ? t('1 more file had changed since, so it is not counted.')
    : t('{0} more had changed since, so they are not counted.', count);
}
