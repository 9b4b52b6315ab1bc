import { appendRecords, type JournalAccess } from '../../journal/journal-access';
import { OperationRefused } from '../../journal/operation-refused';
import { numberedFrom } from '../automation/prepared-ahead';
import type { PreparedRun } from '../prepare/prepared-run';

/** Writes a prepared run to the journal. Throws `OperationRefused` if the journal has changed since the preparation. */
export async function applyRun(access: JournalAccess, { records }: Pick<PreparedRun, 'records'>): Promise<void> {
  const [first] = records;
  if (!first) return;
  await appendRecords(access, (lastSeq, { changedAt }) => {
    if (changedAt >= first.seq) {
      throw new OperationRefused('The journal has changed since this compaction was prepared. Prepare it again.');
    }
    return numberedFrom(lastSeq + 1, records);
  });
}
