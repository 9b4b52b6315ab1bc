import type { StoreListing } from '../adapter';
import { fillOf } from '../records/fill';
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
  const { id, cwd, title, awaitsReply, conversation } = parsed;
  const fill = fillOf(parsed);
  const isEmpty = !conversation.entries.some(({ role }) => role !== 'system');
  return {
    sessions: [
      {
        id,
        key: null,
        cwd,
        title,
        awaitsReply,
        modified,
        inUse: inUse === true,
        ...(fill === null ? {} : { fill }),
        ...(isEmpty ? { isUnlisted: true } : {}),
      },
    ],
    issues: [],
  };
}
