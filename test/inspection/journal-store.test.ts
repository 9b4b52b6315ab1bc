import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendRecords } from '../../extension/engine/journal/journal-access';
import { openJournal } from '../../extension/inspection/journal-store';
import { temporaryFolders } from '../sessions/temporary';

/** Tests of where the journal of a session is. */

const temporaryFolder = temporaryFolders();

function placed(folder: string, agent = 'strata') {
  const root = temporaryFolder();
  mkdirSync(join(root, folder));
  const file = join(root, folder, 'one.jsonl');
  writeFileSync(file, '');
  return { root, asked: join(root, 'asked'), session: { agent, id: 'one', file } };
}

async function pinned(directory: string, session: Parameters<typeof openJournal>[1]): Promise<string> {
  const journal = await openJournal(directory, session);
  const time = '2026-01-01T00:00:00Z';
  const item = {
    id: 'item',
    kind: 'goal',
    text: 'x',
    rationale: null,
    timestamp: time,
    entryId: null,
    status: 'active',
  } as const;
  const access = { journal, now: () => time, newId: () => item.id };
  await appendRecords(access, (lastSeq) => [{ kind: 'pin', seq: lastSeq + 1, time, item }]);
  return journal.path;
}

describe('the journal of a session', () => {
  it('the journal of a session of Strata’s own lies beside it, whatever folder is asked for', async () => {
    const { root, asked, session } = placed('conversations');
    expect(dirname(await pinned(asked, session))).toBe(join(root, 'journals'));
    const other = await openJournal(join(root, 'another'), session);
    expect(other.state.items.map(({ text }) => text)).toEqual(['x']);
  });

  it('the journal of a session that was begun in the folder that is asked for stays there, unless there is one beside the session', async () => {
    const { root, asked, session } = placed('conversations');
    const { path } = await openJournal(join(root, 'journals'), session);
    mkdirSync(asked);
    const begun = join(asked, path.slice(dirname(path).length));
    writeFileSync(begun, '');
    expect((await openJournal(asked, session)).path).toBe(begun);
    expect(dirname((await openJournal(join(root, 'another'), session)).path)).toBe(join(root, 'journals'));
    mkdirSync(dirname(path));
    writeFileSync(path, '');
    expect((await openJournal(asked, session)).path).toBe(path);
  });

  it('the journal of a session is the same through a link', async () => {
    const { root, asked, session } = placed('conversations');
    const link = join(root, 'link.jsonl');
    symlinkSync(session.file, link);
    expect((await openJournal(asked, { ...session, file: link })).path).toBe((await openJournal(asked, session)).path);
  });

  it.each([
    ['of another agent', 'conversations', 'pi'],
    ['of Strata’s own in some other folder', 'elsewhere', 'strata'],
  ])('%s lies in the folder that is asked for', async (_, folder, agent) => {
    const { asked, session } = placed(folder, agent);
    expect(dirname((await openJournal(asked, session)).path)).toBe(asked);
  });
});
