import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as s from '../../extension/platform/json/schemas';
import type { Agent } from './agent';
import { cline } from './cline';
import { sentIn, shownIn, turnsOf } from './compare';
import { describeAgent } from './every-agent';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { begin } from './story';

await describeAgent(cline);

/** Reads the same large file repeatedly: the whole file, and some of its lines. */
const reader: Agent = {
  ...cline,
  tools: ({ folder }) => {
    const path = join(folder, 'data.txt');
    return {
      look: { name: 'read_files', input: { files: [{ path }] } },
      read: { name: 'read_files', input: { files: [{ path, start_line: 2, end_line: 9 }] } },
    };
  },
};

/** The session as it was when this reply was requested, by a process that still exists. */
async function openBefore(laboratory: Laboratory, root: s.JsonRecord, count: number) {
  const start = join(laboratory.place.home, 'copies', `${count}`, 'copy');
  mkdirSync(dirname(start), { recursive: true });
  const messages = s.jsonRecords(root.messages).slice(0, count);
  writeFileSync(`${start}.messages.json`, JSON.stringify({ ...root, messages }));
  const manifest = { status: 'running', pid: process.pid, started_at: new Date(0).toISOString() };
  writeFileSync(`${start}.json`, JSON.stringify(manifest));
  return await laboratory.open(`${start}.messages.json`);
}

const installation = await install(cline);

describe.skipIf(installation.kind !== 'installed')('cline that reads one file again and again', () => {
  it('is shown at every reply as it sent the request, without what is outdated', async () => {
    if (installation.kind !== 'installed') return;
    const laboratory = await setUp(reader, installation.program);
    try {
      const { after, exchanges } = await begin(laboratory, reader.prompt('TOOLS=16 PARALLEL read it'));
      const root = s.jsonRecord(JSON.parse(readFileSync(after.file, 'utf8'))) ?? {};
      const replies = s.jsonRecords(root.messages).flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
      const requests = turnsOf(exchanges);
      expect(requests).toHaveLength(replies.length);
      for (const [number, request] of requests.entries()) {
        const { conversation } = await openBefore(laboratory, root, replies[number] ?? 0);
        expect(shownIn(reader, conversation.agentContext), `request ${number}`).toEqual(sentIn(reader, request));
      }
      const outdated = requests.map((request) => sentIn(reader, request).join('').split('[outdated').length - 1);
      expect(outdated.slice(0, 3)).toEqual([0, 0, 0]);
      expect(new Set(outdated).size).toBeGreaterThan(2);
    } finally {
      laboratory.close();
    }
  }, 120_000);
});
