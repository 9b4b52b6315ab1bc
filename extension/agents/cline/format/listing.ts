import type { StoreListing } from '../../../sessions/adapter';
import { outlineFields } from '../../../sessions/records/outline';
import { type WholeFileBuilder, WholeFileReading } from './reading';

/** Lists the only session of a file. The whole file is read: the title is at its start, the newest message at its end. */
export async function listWholeFile(
  file: string,
  sidecars: readonly string[],
  builder: WholeFileBuilder,
): Promise<StoreListing> {
  const opening = await WholeFileReading.open(file, null, sidecars, builder);
  if (opening.kind !== 'reading') return { sessions: [], issues: [{ file, line: 0, message: opening.message }] };
  const { parsed, modified, inUse } = opening.reading;
  const isEmpty = !parsed.conversation.entries.some(({ role }) => role !== 'system');
  return {
    sessions: [
      {
        ...outlineFields(parsed),
        key: null,
        modified,
        inUse: inUse === true,
        ...(isEmpty ? { isUnlisted: true } : {}),
      },
    ],
    issues: [],
  };
}
