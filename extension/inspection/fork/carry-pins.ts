import { dirname } from 'node:path';
import type { CoreItem } from '../../engine/core/core';
import type { JournalState } from '../../engine/journal/journal-state';
import type { Inspection } from '../inspection';
import { headerRecord } from '../journal-file';
import { openJournal } from '../journal-store';
import type { Fork } from './fork';

/**
 * Pins the pinned items in the fork as well. The fork's text contains them, but without pins the next compaction there
 * would summarise them like any other text.
 */
export async function carryPins(
  { journal }: Inspection,
  fork: Omit<Fork, 'notes'>,
  state: JournalState,
): Promise<void> {
  const pinned = state.items.filter(({ status }) => status === 'active');
  if (pinned.length === 0) return;
  const { agent, id, file } = fork;
  const ofFork = await openJournal(dirname(journal.path), { agent, id, file });
  const time = new Date().toISOString();
  await ofFork.append(({ lastSeq }) =>
    lastSeq >= 0 ? [] : [headerRecord(ofFork.session, time), ...pinned.map((item, at) => pin(item, at + 1, time))],
  );
}

function pin(item: CoreItem, seq: number, time: string) {
  return { kind: 'pin', seq, time, item } as const;
}
