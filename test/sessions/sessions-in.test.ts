import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionsIn } from '../../extension/sessions/sessions-in';
import { fixtures } from './samples';

describe('the sessions in a file', () => {
  it('the sessions in a file are those of a database, by their addresses, without subagents', async () => {
    const file = join(fixtures, 'opencode-1.18.33/opencode.db');
    const sessions = await sessionsIn(file);
    expect(sessions.length).toBeGreaterThan(0);
    expect(sessions.every(({ address }) => address.startsWith(`${file}#ses_`))).toBe(true);
  });

  it('the list of a file’s sessions is empty if the file contains only one, or none', async () => {
    expect(await sessionsIn(join(fixtures, 'pi-0.87/after-compaction.jsonl'))).toEqual([]);
    expect(await sessionsIn(join(fixtures, 'README.md'))).toEqual([]);
    expect(await sessionsIn(join(fixtures, 'not-there'))).toEqual([]);
  });
});
