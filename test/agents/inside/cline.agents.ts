import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompactedAnswer } from '../../../extension/inside/exchange';
import { strataInside } from '../../../extension/inside/inside';
import type { Place } from '../agent';
import { cline } from '../cline';
import { sentIn, turnsOf } from '../compare';
import type { Exchange } from '../server/server';
import { pictureOf } from '../wire/utterance';
import { compacted, type Inside, outOfOrder, type PluggedAgent, setUpInside, strata, utterancesOf } from './plugged';

/*
 * Cline continues a session only in a terminal. So everything happens in one run: the model runs a script, and in one
 * of its steps the script does what a person would do meanwhile.
 */

const rule = 'Never touch the marker FACT-ALPHA-42.';

const plugged: PluggedAgent = {
  agent: { ...cline, tools: () => ({ look: step('once'), read: step('again') }) },
  commandFile: 'command.js',
};

/**
 * Reads the same things repeatedly. A cleared output keeps its call, and the scripted model counts its steps by the
 * calls.
 */
const repeating: PluggedAgent = { ...plugged, agent: { ...plugged.agent, tools: cline.tools } };

/** Cline ends a run that makes the same call several times in a row. */
const step = (word: string) => ({ name: 'run_commands', input: { commands: [`sh step.sh ${word}`] } });

/** `steps`: what the script does before it prints the data, by the number of the call. */
async function run(
  prompt: string,
  steps: Readonly<Record<number, readonly string[]>>,
  prepare: (inside: Inside) => Promise<unknown> = async () => undefined,
  with_: PluggedAgent = plugged,
): Promise<{ readonly inside: Inside; readonly turns: readonly Exchange[] }> {
  const inside = await setUpInside(with_);
  if (typeof inside === 'string') throw new Error(inside);
  await prepare(inside);
  writeFileSync(join(inside.place.folder, 'step.sh'), scriptOf(inside.place, steps));
  await inside.run(plugged.agent.prompt(prompt));
  return { inside, turns: turnsOf(inside.server.exchanges) };
}

function scriptOf({ home }: Place, steps: Readonly<Record<number, readonly string[]>>): string {
  const cases = Object.entries(steps).map(([number, lines]) => `${number}) ${lines.join('\n')}\n;;`);
  return [
    'count=$(( $(cat count 2>/dev/null || echo 0) + 1 )); echo $count > count',
    `session=$(ls ${home}/.cline/data/sessions | head -1)`,
    'strata() { action=$1; shift',
    `HOME=${home} ${strata.join(' ')} agent $action cline --session $session --json "$@"; }`,
    ...['case $count in', ...cases, 'esac', 'echo "Step $count"', 'cat data.txt'],
  ].join('\n');
}

const ready = await setUpInside(plugged);
if (typeof ready === 'string') console.warn(`Skipped: ${ready}`);
else ready.close();

const version = typeof ready === 'string' ? cline.version : ready.version;

describe.skipIf(typeof ready === 'string')(`Strata inside ${cline.id} ${version}`, () => {
  describe('a compaction while Cline works', () => {
    let inside: Inside;
    let turns: readonly Exchange[];
    let preview: CompactedAnswer;
    beforeAll(async () => {
      ({ inside, turns } = await run('TOOLS=12 look around', {
        7: [
          `strata pin --text '${rule}' >/dev/null`,
          'strata preview > preview.json',
          'strata compact > compacted.json',
        ],
        10: ['strata undo > undone.json'],
      }));
      preview = compacted(JSON.parse(readFileSync(join(inside.place.folder, 'preview.json'), 'utf8')));
    }, 240_000);
    afterAll(() => inside?.close());

    it('asks no model for a summary', () => {
      expect(inside.server.exchanges.map(({ reply }) => reply.purpose)).not.toContain('summary');
    });

    it('is in the next request exactly as the preview showed it, followed by what came since', () => {
      // The call that requested the preview had no result yet.
      const shown = pictureOf(utterancesOf(preview.pieces.slice(0, -1)));
      const sent = sentIn(cline, turns[7] as Exchange);
      expect(sent.slice(0, shown.length)).toEqual(shown);
      expect(sent.slice(shown.length).join('\n')).toContain('Step 7');
      expect(shown.filter((line) => line.includes('[SUMMARIZED]'))).toHaveLength(1);
    });

    it('stays in the requests after it, with the pin word for word', () => {
      const [next, later] = [turns[7], turns[8]].map((one) => sentIn(cline, one as Exchange));
      expect(later?.slice(0, next?.length)).toEqual(next);
      expect(later?.join('\n')).toContain(rule);
    });

    it('is undone in the next request, which has all replaced messages again', () => {
      const [before, undone] = [turns[9], turns[10]].map((one) => sentIn(cline, one as Exchange).join('\n'));
      expect(before).toContain('[SUMMARIZED]');
      for (let number = 1; number <= 10; number += 1) expect(undone).toContain(`Step ${number}\\n`);
      expect(undone).not.toMatch(/\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/);
    });

    it('knows itself inside the session', async () => {
      const [session] = await inside.sessions();
      expect(await strataInside('cline', session?.id ?? '', inside.environment)).not.toBeNull();
    });
  });

  describe('between its runs', () => {
    let inside: Inside;
    let turns: readonly Exchange[];
    beforeAll(async () => {
      ({ inside, turns } = await run('TOOLS=14 look around', {}, undefined, repeating));
    }, 240_000);
    afterAll(() => inside?.close());

    it('clears superseded output by itself, call by call', () => {
      expect(inside.server.exchanges.map(({ reply }) => reply.purpose)).not.toContain('summary');
      const last = sentIn(cline, turns.at(-1) as Exchange);
      expect(last.filter((line) => /\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/.test(line)).length).toBeGreaterThan(2);
    });

    it('has the compaction that was previewed when the session is resumed in a terminal', async () => {
      const [session] = await inside.sessions();
      if (session === undefined) throw new Error('There is no session.');
      await inside.ask('pin', session, '--text', rule);
      const preview = compacted(await inside.ask('preview', session));
      await inside.ask('compact', session);
      const asked = await inside.during(() =>
        inside.inTerminal(
          ['--id', session.id, '-i'],
          [
            { after: /Ask anything/, keys: 'TOOLS=0 and now' },
            { after: /TOOLS=0 and now/, keys: '\r' },
          ],
          /after 0 steps/,
        ),
      );
      expect(asked.map(({ reply }) => reply.purpose)).not.toContain('summary');
      const sent = sentIn(cline, turnsOf(asked).at(-1) as Exchange);
      const shown = pictureOf(utterancesOf(preview.pieces));
      expect(sent.slice(0, shown.length)).toEqual(shown);
      expect(sent.slice(shown.length).join('\n')).toContain('TOOLS=0 and now');
      expect(sent.join('\n')).toContain(rule);
    }, 240_000);
  });

  it.each(Object.entries(outOfOrder))(
    'with a Strata that is %s, Cline sends its own messages and goes on',
    async (_, breakIt) => {
      let mend: () => void = () => undefined;
      const { inside, turns } = await run('TOOLS=7 look around', {}, async (broken) => {
        mend = await breakIt(broken);
      });
      try {
        const last = sentIn(cline, turns.at(-1) as Exchange).join('\n');
        for (let number = 1; number <= 7; number += 1) expect(last).toContain(`Step ${number}\\n`);
        expect(last).not.toMatch(/\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/);
      } finally {
        mend();
        inside.close();
      }
    },
    240_000,
  );
});
