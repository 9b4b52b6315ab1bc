import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentAnswer, AgentRequest } from '../../../extension/agents/exchange';
import { strataInside } from '../../../extension/agents/inside';
import type { Agent, SessionName } from '../agent';
import { sentIn, turnsOf } from '../compare';
import { variablesFor } from '../environment';
import { install } from '../install';
import { type Laboratory, setUp } from '../laboratory';
import { openCode } from '../opencode';
import { run } from '../run';
import type { Exchange } from '../server/server';

const root = resolve(import.meta.dirname, '../../..');
const strata = [process.execPath, join(root, 'dist/cli/strata.js')];
const rule = 'Never touch the marker FACT-ALPHA-42.';
const configuration = '.config/opencode/opencode.json';

/** OpenCode with the plugin in its configuration. */
const plugged: Agent = {
  ...openCode,
  files: (place) => {
    const { [configuration]: own = '{}' } = openCode.files(place);
    const plugin = [`file://${join(place.home, 'strata-plugin', 'plugin.js')}`];
    return { [configuration]: JSON.stringify({ ...JSON.parse(own), plugin }) };
  },
};

interface Inside {
  readonly laboratory: Laboratory;
  readonly session: SessionName;
  prompt(text: string): Promise<readonly Exchange[]>;
  ask(action: AgentRequest['action'], ...words: readonly string[]): Promise<AgentAnswer>;
}

/** Its provider says with the answer that the context is full, and OpenCode compacts at once. */
const filling = 'TOOLS=0 HEAVY=0 that is enough';

/** A session with some work in it: enough that a compaction is worth it. */
async function work(program: string, command: readonly string[]): Promise<Inside> {
  const laboratory = await setUp(plugged, program);
  const { home, folder } = laboratory.place;
  cpSync(join(root, 'dist/agents/opencode'), join(home, 'strata-plugin'), { recursive: true });
  writeFileSync(join(home, 'strata-plugin', 'command.js'), `export const command = ${JSON.stringify(command)};\n`);
  await laboratory.run(plugged.prompt('TOOLS=4 look around'));
  const [found] = await laboratory.sessions();
  if (found === undefined) throw new Error('OpenCode wrote no session');
  const session = { id: found.id, file: found.file };
  const prompt = async (text: string) => {
    const before = laboratory.server.exchanges.length;
    if (plugged.resume !== undefined) await laboratory.run(plugged.resume(session, text));
    return laboratory.server.exchanges.slice(before);
  };
  await prompt('TOOLS=3 look again');
  return {
    laboratory,
    session,
    prompt,
    async ask(action, ...words) {
      const [node = '', ...first] = strata;
      const asked = ['agent', action, 'opencode', '--session', session.id, '--json', ...words];
      const ran = await run({ words: [...first, ...asked] }, { program: node, folder, variables: variablesFor(home) });
      // Node warns on standard error that SQLite is experimental.
      return JSON.parse(ran.output.slice(ran.output.indexOf('{'), ran.output.lastIndexOf('\n}') + 2));
    },
  };
}

const sent = (exchange: Exchange | undefined) => (exchange === undefined ? [] : sentIn(plugged, exchange));
const ready = await install(openCode);
const program = ready.kind === 'installed' ? ready.program : '';
if (ready.kind === 'missing') console.warn(`Skipped: ${ready.reason}`);

describe.skipIf(ready.kind === 'missing')('Strata inside OpenCode', () => {
  describe('when the context is full', () => {
    let inside: Inside;
    let filled: readonly Exchange[];
    let next: Exchange | undefined;
    beforeAll(async () => {
      inside = await work(program, strata);
      await inside.ask('pin', '--text', rule);
      filled = await inside.prompt(filling);
      [next] = turnsOf(await inside.prompt('TOOLS=0 and now'));
    });
    afterAll(() => inside?.laboratory.close());

    it('writes the compaction itself: no model is asked for a summary', () => {
      expect(new Set(filled.map(({ reply }) => reply.purpose))).toEqual(new Set(['turn']));
      expect(sent(next)[1]).toMatch(/\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/);
    });

    it('carries the pin word for word, and what was said last', () => {
      const [, summary = ''] = sent(next);
      expect(summary).toMatch(/^assistant: PROTECTED CORE/);
      expect(summary).toContain(rule);
      expect(summary).toContain(filling);
      expect(summary).not.toContain('What did we do so far?');
    });

    it('is in the session when it is resumed', async () => {
      const [resumed] = turnsOf(await inside.prompt('TOOLS=0 once more'));
      expect(sent(resumed)[1]).toBe(sent(next)[1]);
      expect(await strataInside('opencode', inside.session.id, inside.laboratory.environment)).not.toBeNull();
    });
  });

  const broken: Readonly<Record<string, readonly string[]>> = {
    missing: ['/nowhere/strata'],
    killed: ['/bin/sh', '-c', 'kill -9 $$'],
    hanging: ['/bin/sleep', '600'],
  };
  it.each(Object.entries(broken))(
    '%s: OpenCode’s own model writes the summary, and it goes on',
    async (_how, command) => {
      const inside = await work(program, command);
      try {
        const filled = await inside.prompt(filling);
        expect(filled.map(({ reply }) => reply.purpose)).toContain('summary');
        const [next] = turnsOf(await inside.prompt('TOOLS=0 and now'));
        expect(sent(next).join('\n')).toContain('of the work so far');
      } finally {
        inside.laboratory.close();
      }
    },
  );
});
