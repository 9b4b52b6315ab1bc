import type { CompactionDetail } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatShare, formatTokens } from '../shared/format';

type Rereading = NonNullable<CompactionDetail['rereading']>;

/** `Read again: 7 of the next 22 reads (32 %), 13k tokens.` */
export function rereadingText({ reads, again }: Rereading): string {
  const tokens = formatTokens(again.tokens);
  if (again.calls === 0) return t('It read nothing again: 0 of the next {0} reads.', reads);
  return t(
    'Read again: {0} of the next {1} reads ({2}), {3} tokens.',
    again.calls,
    reads,
    formatShare(again.calls, reads),
    tokens,
  );
}

/** What it is compared with, and what else may explain it. */
export function rereadingNotes({ usual, changedSince }: Rereading): readonly string[] {
  return [
    usual === null
      ? t('There are too few reads around it to say what is usual.')
      : t(
          'Just before the compaction it was {0} of {1} ({2}).',
          usual.again,
          usual.reads,
          formatShare(usual.again, usual.reads),
        ),
    ...(changedSince.calls === 0 ? [] : [changedText(changedSince.calls)]),
  ];
}

function changedText(count: number): string {
  return count === 1
    ? t('1 more read was of a file that had changed since, and is not counted.')
    : t('{0} more reads were of files that had changed since, and are not counted.', count);
}
