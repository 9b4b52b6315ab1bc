import type { CoreItemStatus } from '../../extension/engine/core/core';
import type { CoreItemEvent } from '../../extension/engine/core/history';

/** One line of an item's history. The words before and after are there where they were changed. */
export interface HistoryLine {
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
      return beginningText('Proposed', event.by);
    case 'pinned':
      return beginningText('Pinned', event.by);
    case 'status':
      return statusText(event.from, event.to);
    case 'edited':
      return event.before === event.after ? 'Reason changed' : 'Text changed';
  }
}

/** `sentences` is the search without a model. */
function beginningText(what: string, by: string | null): string {
  if (by === 'sentences') return `${what}: found in what was said`;
  return by === null ? what : `${what} by ${by}`;
}

function statusText(from: CoreItemStatus, to: CoreItemStatus): string {
  if (to === 'active') return from === 'proposed' || from === 'refused' ? 'Accepted' : 'Made active again';
  return { proposed: 'Proposed again', done: 'Marked done', superseded: 'Superseded', refused: 'Refused' }[to];
}
