import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toldText } from '../../../extension/agents/carried';
import type { AgentAnswer, AgentRequest, CompactedAnswer } from '../../../extension/agents/exchange';
import { strataInside } from '../../../extension/agents/inside';
import type { Agent, SessionName } from '../agent';
import { sentIn, turnsOf } from '../compare';
import { copilotCli } from '../copilot-cli';
import { variablesFor } from '../environment';
import { install } from '../install';
import { type Laboratory, setUp } from '../laboratory';
import { run } from '../run';
import type { Exchange } from '../server/server';

const root = resolve(import.meta.dirname, '../../..');
const strata = [process.execPath, join(root, 'dist/cli/strata.js')];
const rule = 'Never touch the marker FACT-ALPHA-42.';

/** Copilot with the extension; where a prompt says SUBAGENT, the model calls Strata's tool. */
const plugged: Agent = {
  ...copilotCli,
  tools: (place) => ({ ...copilotCli.tools(place), delegate: () => ({ name: 'strata_compact', input: {} }) }),
  prompt: (text) => ({ words: ['--experimental', ...copilotCli.prompt(text).words] }),
};

interface Inside {
  readonly laboratory: Laboratory;
  readonly session: SessionName;
  prompt(text: string): Promise<readonly Exchange[]>;
  ask(action: AgentRequest['action'], ...words: readonly string[]): Promise<AgentAnswer>;
}

/** A session with some work in it: enough that a compaction is worth it. */
async function work(program: string, command: readonly string[]): Promise<Inside> {
  const laboratory = await setUp(plugged, program);
  const { home, folder } = laboratory.place;
  const extension = join(home, '.copilot', 'extensions', 'strata');
  cpSync(join(root, 'dist/agents/copilot-cli'), extension, { recursive: true });
  writeFileSync(join(extension, 'command.js'), `export const command = ${JSON.stringify(command)};\n`);
  await laboratory.run(plugged.prompt('TOOLS=4 look around'));
  const [found] = await laboratory.sessions();
  if (found === undefined) throw new Error('Copilot wrote no session');
  const session = { id: found.id, file: found.file };
  const prompt = async (text: string) => {
    const before = laboratory.server.exchanges.length;
    const { words } = plugged.prompt(text);
    await laboratory.run({ words: [`--resume=${session.id}`, ...words] });
    return laboratory.server.exchanges.slice(before);
  };
  await prompt('TOOLS=3 look again');
  return {
    laboratory,
    session,
    prompt,
    async ask(action, ...words) {
      const [node = '', ...first] = strata;
      const asked = ['agent', action, 'copilot-cli', '--session', session.id, '--json', ...words];
      const ran = await run({ words: [...first, ...asked] }, { program: node, folder, variables: variablesFor(home) });
      return JSON.parse(ran.output.slice(ran.output.indexOf('{'), ran.output.lastIndexOf('\n}') + 2));
    },
  };
}

const sent = (exchange: Exchange | undefined) => (exchange === undefined ? [] : sentIn(plugged, exchange));
const ready = await install(copilotCli);
const program = ready.kind === 'installed' ? ready.program : '';
if (ready.kind === 'missing') console.warn(`Skipped: ${ready.reason}`);

describe.skipIf(ready.kind === 'missing')('Strata inside Copilot CLI', () => {
  describe('when the model calls its tool', () => {
    let inside: Inside;
    let preview: CompactedAnswer;
    let during: readonly Exchange[];
    let next: Exchange | undefined;
    beforeAll(async () => {
      inside = await work(program, strata);
      await inside.ask('pin', '--text', rule);
      const answer = await inside.ask('preview');
      if (answer.kind !== 'compacted') throw new Error(answer.message);
      preview = answer;
      during = await inside.prompt('TOOLS=1 SUBAGENT compact now');
      [next] = turnsOf(await inside.prompt('TOOLS=0 and now'));
    });
    afterAll(() => inside?.laboratory.close());

    it('asks no model for a summary', () => {
      expect(during.map(({ reply }) => reply.purpose)).not.toContain('summary');
    });

    it('delivers exactly what the preview showed, and then what was said since', () => {
      const [, second] = during;
      const [result, delivered = ''] = sent(second).slice(-2);
      const told = toldText(preview.pieces).replace(
        /<current_datetime>.*?<\/current_datetime>/g,
        '<current_datetime/>',
      );
      const shown = `user: ${told}`.replace(/\n\s*\n/g, '\n').trim();
      expect(result).toMatch(/^result \d+: Strata compacted/);
      expect(delivered.slice(0, shown.length)).toBe(shown);
      expect(delivered.slice(shown.length)).toContain('SUBAGENT compact now');
    });

    // The scripted model takes the prompt in the delivered text for a new one, and compacts again and again.
    it('begins with a compaction of Strata when the session is resumed, with the pin word for word', () => {
      const [first = ''] = sent(next);
      expect(first).toMatch(/^user: PROTECTED CORE/);
      expect(first).toContain(rule);
    });

    it('is a session that Strata opens and knows itself in', async () => {
      const session = await inside.laboratory.open(inside.session.file);
      expect(session.conversation.agentCompactions.length).toBeGreaterThan(0);
      expect(session.issues).toEqual([]);
      expect(await strataInside('copilot-cli', inside.session.id, inside.laboratory.environment)).not.toBeNull();
    });
  });

  const broken: Readonly<Record<string, readonly string[]>> = {
    missing: ['/nowhere/strata'],
    killed: ['/bin/sh', '-c', 'kill -9 $$'],
    hanging: ['/bin/sleep', '600'],
  };
  it.each(Object.entries(broken))(
    '%s: the tool says so in one line, and Copilot compacts by itself',
    async (_how, command) => {
      const inside = await work(program, command);
      try {
        const during = await inside.prompt('TOOLS=1 SUBAGENT compact now');
        expect(sent(during.at(-1)).at(-1)).toMatch(/result \d+: Strata: .* Nothing was compacted; go on as before\.$/);
        const own = await inside.prompt('/compact');
        expect(own.map(({ reply }) => reply.purpose)).toContain('summary');
        const [next] = turnsOf(await inside.prompt('TOOLS=0 and now'));
        expect(sent(next).join('\n')).toContain('of the work so far');
      } finally {
        inside.laboratory.close();
      }
    },
  );
});
