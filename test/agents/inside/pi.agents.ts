import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sentIn, turnsOf } from '../compare';
import { pi } from '../pi';
import { spoken } from '../wire/utterance';
import { type CompactingAgent, describeInside } from './every-plugin';
import { setUpInside, utterancesOf } from './plugged';

const piInside: CompactingAgent = {
  agent: pi,
  commandFile: 'command.js',
  says: (inside, { file }, text) => inside.run({ words: ['--session', file, '-p', text] }),
  carried: ({ pieces, result }) => {
    const { summary, firstKeptEntryId } = result as { summary: string; firstKeptEntryId: string | null };
    const kept = pieces.findIndex(({ entry }) => entry === firstKeptEntryId);
    return [...spoken('user', summary), ...utterancesOf(pieces.slice(kept < 0 ? pieces.length : kept))];
  },
  byHand: async (inside, session) => {
    if (pi.compact === undefined) throw new Error('pi has no command that compacts.');
    return await inside.run(pi.compact(session));
  },
  printsNotices: true,
  writesItself: 'plain',
  filling: 'TOOLS=2 HEAVY=2 go on until it is full',
};

await describeInside(piInside);

const roomy = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace('200000', '1000000')]));

describe('the plugin in pi', () => {
  it('clears superseded output in the same run, by records of the session', async (test) => {
    const inside = await setUpInside({ ...piInside, agent: { ...pi, files: (place) => roomy(pi.files(place)) } });
    if (typeof inside === 'string') return test.skip(inside);
    try {
      await inside.run(pi.prompt('TOOLS=12 PARALLEL HEAVY=9 look around'));
      const last = turnsOf(inside.server.exchanges).at(-1);
      expect(
        last && sentIn(pi, last).filter((line) => /^result \d+: \[SUPERSEDED\]/.test(line)).length,
      ).toBeGreaterThan(1);
      const [session] = await inside.sessions();
      expect(readFileSync(session?.file ?? '', 'utf8')).toContain('"type":"context_edit"');
    } finally {
      inside.close();
    }
  });
});
