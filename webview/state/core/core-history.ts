import type { CoreItemStatus } from '../../../extension/engine/core/core';
import type { CoreItemEvent } from '../../../extension/engine/core/items';
import { t } from '../../l10n';

/** One line of an item's history. The texts before and after are present if the event changed them. */
interface HistoryLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly text: string;
  readonly words: { readonly before: string; readonly after: string } | null;
}

export function historyLines(events: readonly CoreItemEvent[]): readonly HistoryLine[] {
  return events.map((event) => ({
    time: Date.parse(event.time),
    text: eventText(event),
    words:
      event.kind === 'edited' && event.before !== event.after ? { before: event.before, after: event.after } : null,
  }));
}

function eventText(event: CoreItemEvent): string {
  switch (event.kind) {
    case 'proposed':
      return beginningText('proposed', event.by);
    case 'pinned':
      return beginningText('pinned', event.by);
    case 'status':
      return statusText(event.from, event.to);
    case 'edited':
      return event.before === event.after ? t('Reason changed') : t('Text changed');
  }
}

const beginnings = {
  proposed: {
    alone: t('Proposed'),
    found: t('Proposed: found in the conversation'),
    by: (who: string) => t('Proposed by {0}', who),
  },
  pinned: {
    alone: t('Pinned'),
    found: t('Pinned: found in the conversation'),
    by: (who: string) => t('Pinned by {0}', who),
  },
} as const;

/** `sentences` means the search without a model. */
function beginningText(kind: keyof typeof beginnings, by: string | null): string {
  const { alone, found, by: byWhom } = beginnings[kind];
  if (by === 'structure' || by === 'sentences') return found;
  return by === null ? alone : byWhom(by);
}

function statusText(from: CoreItemStatus, to: CoreItemStatus): string {
  if (to === 'active') return from === 'proposed' || from === 'refused' ? t('Accepted') : t('Made active again');
  return {
    proposed: t('Proposed again'),
    done: t('Marked done'),
    superseded: t('Superseded'),
    refused: t('Refused'),
  }[to];
}
