import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompactedAnswer } from '../../../extension/agents/exchange';
import { sentIn, turnsOf } from '../compare';
import { pi } from '../pi';
import { spoken, type Utterance } from '../wire/utterance';
import { describeInside } from './every-plugin';
import { type PluggedAgent, setUpInside } from './plugged';

const piInside: PluggedAgent = {
  agent: pi,
  loads: (folder) => ['-e', folder],
  commandFile: 'command.js',
  types: ({ file }, text) => ({ words: ['--session', file, '-p', text] }),
  carried: ({ pieces, result }) => {
    const { summary, firstKeptEntryId } = result as { summary: string; firstKeptEntryId: string | null };
    const kept = pieces.findIndex(({ entry }) => entry === firstKeptEntryId);
    return [...spoken('user', summary), ...pieces.slice(kept < 0 ? pieces.length : kept).flatMap(utterances)];
  },
};

describeInside(piInside);

const roomy = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, text.replace('200000', '1000000')]));

describe('the plugin in pi', () => {
  it('clears superseded output in the same run, by records of the session', async () => {
    const inside = await setUpInside({ ...piInside, agent: { ...pi, files: (place) => roomy(pi.files(place)) } });
    if (typeof inside === 'string') throw new Error(inside);
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

function utterances({ role, text, calls, result }: CompactedAnswer['pieces'][number]): Utterance[] {
  if (result !== null) return [{ kind: 'result', callId: result.id, text }];
  const called = calls.map(({ id, name, input }): Utterance => ({ kind: 'call', callId: id, name, input }));
  return [...spoken(role === 'assistant' ? role : 'user', text), ...called];
}
