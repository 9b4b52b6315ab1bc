import type { StoreListing } from '../adapter';
import { type SessionMaker, WholeFilesReading } from './reading';

/** The one session of a file that has to be read whole: its title and its end stand at either end of it. */
export async function listWholeFile(
  file: string,
  beside: readonly string[],
  maker: SessionMaker,
): Promise<StoreListing> {
  const opening = await WholeFilesReading.open(file, beside, maker);
  if (opening.kind !== 'reading') return { sessions: [], issues: [{ file, line: 0, message: opening.message }] };
  const { parsed, modified, inUse } = opening.reading;
  const { id, cwd, title, awaitsReply, conversation } = parsed;
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
        ...(isEmpty ? { isUnlisted: true } : {}),
      },
    ],
    issues: [],
  };
}
