import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextFaults } from '../../sessions/context-faults';
import { speakers, startOf } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { opened } from './session-files';

const id = '1795293210255_q6yp4';
const fileOf = (sample: string) => join(fixtures, 'cline-3.0.65', sample, id, `${id}.messages.json`);

describe('a Cline 3.0.65 session before its compaction', () => {
  it('sends all messages after the system prompt', async () => {
    const session = await opened(fileOf('before-compaction'));
    const { agentContext, entries } = session.conversation;
    expect(session).toMatchObject({ agent: 'cline', id, cwd: '/home/ada/scratch', model: 'scripted', issues: [] });
    expect(session.title).toBe('List the files TOOLS=2');
    expect(agentContext).toEqual(entries);
    expect(contextFaults(agentContext)).toEqual([]);
    expect(entries[2]?.usage).toEqual({ input: 2166, output: 141, cacheRead: 3247, cacheWrite: 0 });
    expect(session.subagents.map(({ callId }) => callId)).toEqual(['call_mwqvc2r200001n']);
  });
});

describe('a Cline 3.0.65 session after its compaction', () => {
  it('sends the summary, the kept turn and the later messages', async () => {
    const { conversation, issues } = await opened(fileOf('after-compaction'));
    const { agentContext, agentCompactions } = conversation;
    expect(issues).toEqual([]);
    expect(agentContext.slice(1, 3).map((entry) => startOf(entry, 45))).toEqual([
      'summary: Context summary:\n\nAnswer to: rd turn',
      'user: Fourth turn BIG BADREAD TOOLS=1 explain',
    ]);
    expect(speakers(agentContext)).toEqual({ system: 1, summary: 1, user: 2, assistant: 4, tool: 2 });
    expect(contextFaults(agentContext)).toEqual([]);
    expect(agentCompactions[0]?.replacedEntryIds).toHaveLength(15);
  });
});
