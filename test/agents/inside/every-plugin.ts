import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentAnswer, CompactedAnswer } from '../../../extension/agents/exchange';
import { strataInside } from '../../../extension/agents/inside';
import type { SessionName } from '../agent';
import { sentIn, turnsOf } from '../compare';
import type { Exchange } from '../server/server';
import { pictureOf } from '../wire/utterance';
import { type Inside, type PluggedAgent, setUpInside } from './plugged';

const rule = 'Never touch the marker FACT-ALPHA-42.';

/** What holds for every agent with Strata's plugin in it, by what the real agent sends to its model. */
export function describeInside(plugged: PluggedAgent): void {
  const { agent } = plugged;
  describe(`Strata inside ${agent.id} ${agent.version}`, () => {
    let inside: Inside;
    let session: SessionName;
    beforeAll(async () => {
      const ready = await setUpInside(plugged);
      if (typeof ready === 'string') throw new Error(ready);
      inside = ready;
      session = await work(inside);
    });
    afterAll(() => inside?.close());

    it('says that it is inside, before any compaction', async () => {
      expect(await strataInside(agent.id, session.id, inside.environment)).not.toBeNull();
    });

    describe('a compaction by hand', () => {
      let preview: CompactedAnswer;
      let asked: readonly Exchange[];
      let next: Exchange;
      beforeAll(async () => {
        await inside.ask('pin', session.id, '--text', rule);
        preview = compacted(await inside.ask('preview', session.id));
        asked = await during(inside, () => inside.run(required(agent.compact)(session)));
        [next] = turnsOf(await prompt(inside, session, 'TOOLS=0 and now')) as [Exchange];
      });

      it('asks no model for a summary', () => {
        expect(asked.map(({ reply }) => reply.purpose)).toEqual([]);
      });

      it('carries exactly what the preview showed, in a session that is resumed', () => {
        const expected = pictureOf(plugged.carried(preview));
        expect(said(agent, next).slice(0, expected.length)).toEqual(expected);
        expect(said(agent, next).slice(expected.length).join('\n')).toContain('TOOLS=0 and now');
      });

      it('has the pin word for word', () => {
        expect(sentIn(agent, next).join('\n')).toContain(rule);
      });

      it('is undone in the agent: what it took away is sent again', async () => {
        const lost = /Row 20: a word or two/;
        expect(sentIn(agent, next).filter((line) => lost.test(line)).length).toBeLessThan(8);
        await inside.run(plugged.types(session, '/strata undo'));
        const [after] = turnsOf(await prompt(inside, session, 'TOOLS=0 once more'));
        const counts = [next, after].map((one) => one && sentIn(agent, one).join('\n').split('Row 20: ').length - 1);
        expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
      });
    });

    it('carries out an automatic compaction too', async () => {
      const own = await fresh(plugged);
      try {
        const exchanges = await prompt(own.inside, own.session, 'TOOLS=2 HEAVY=2 go on until it is full');
        const more = await prompt(own.inside, own.session, 'TOOLS=0 after that');
        expect([...exchanges, ...more].map(({ reply }) => reply.purpose)).not.toContain('summary');
        expect(sentIn(agent, more.at(-1) as Exchange).join('\n')).toMatch(/\[(?:SUPERSEDED|CLEARED|SUMMARIZED)\]/);
      } finally {
        own.inside.close();
      }
    });

    it('is answered by a Strata that runs, in place of a process of its own', async () => {
      const own = await fresh(plugged);
      const service = await own.inside.serve();
      try {
        own.inside.answerWith(['/nowhere/strata']);
        const exchanges = await during(own.inside, () => own.inside.run(required(agent.compact)(own.session)));
        expect(exchanges.map(({ reply }) => reply.purpose)).toEqual([]);
      } finally {
        service.kill('SIGKILL');
        own.inside.close();
      }
    });

    it('does without a Strata that was killed', async () => {
      const own = await fresh(plugged);
      try {
        const service = await own.inside.serve();
        service.kill('SIGKILL');
        const exchanges = await during(own.inside, () => own.inside.run(required(agent.compact)(own.session)));
        expect(exchanges.map(({ reply }) => reply.purpose)).toEqual([]);
      } finally {
        own.inside.close();
      }
    });

    it('lets the agent compact by itself while a Strata that runs hangs', async () => {
      const own = await fresh(plugged);
      const service = await own.inside.serve();
      try {
        service.kill('SIGSTOP');
        const exchanges = await during(own.inside, () => own.inside.run(required(agent.compact)(own.session)));
        expect(exchanges.map(({ reply }) => reply.purpose)).toContain('summary');
      } finally {
        service.kill('SIGKILL');
        own.inside.close();
      }
    });

    describe('without Strata', () => {
      const ways: Readonly<Record<string, (inside: Inside) => void>> = {
        missing: (inside) => inside.answerWith(['/nowhere/strata']),
        killed: (inside) => inside.answerWith(['/bin/sh', '-c', 'kill -9 $$']),
        hanging: (inside) => inside.answerWith(['/bin/sleep', '600']),
        'with a disk where nothing can be written': (inside) => unwritable(inside),
      };
      for (const [how, breakIt] of Object.entries(ways)) {
        it(`(${how}) the agent compacts by itself and goes on`, async () => {
          const own = await fresh(plugged);
          try {
            breakIt(own.inside);
            const exchanges = await during(own.inside, () => own.inside.run(required(agent.compact)(own.session)));
            expect(exchanges.map(({ reply }) => reply.purpose)).toContain('summary');
            const [next] = turnsOf(await prompt(own.inside, own.session, 'TOOLS=0 and now'));
            expect(next && sentIn(agent, next).join('\n')).toContain('of the work so far');
          } finally {
            own.inside.close();
          }
        });
      }
    });
  });
}

/** A session with some work in it: enough that a compaction is worth it. */
async function work(inside: Inside): Promise<SessionName> {
  await inside.run(inside.plugged.prompt('TOOLS=4 look around'));
  const [session] = await inside.sessions();
  if (session === undefined) throw new Error('The agent wrote no session');
  for (const name of ['again', 'and again', 'for good']) await prompt(inside, session, `TOOLS=4 look around ${name}`);
  return session;
}

async function fresh(plugged: PluggedAgent): Promise<{ inside: Inside; session: SessionName }> {
  const inside = await setUpInside(plugged);
  if (typeof inside === 'string') throw new Error(inside);
  return { inside, session: await work(inside) };
}

function prompt(inside: Inside, session: SessionName, text: string): Promise<readonly Exchange[]> {
  return during(inside, () => inside.run(required(inside.plugged.resume)(session, text)));
}

async function during(inside: Inside, act: () => Promise<unknown>): Promise<readonly Exchange[]> {
  const before = inside.server.exchanges.length;
  await act();
  return inside.server.exchanges.slice(before);
}

/** Journals cannot be written: what stands where their folder should be is a file. */
function unwritable(inside: Inside): void {
  const folder = join(inside.place.home, '.local/share/strata');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, '');
}

function said(agent: PluggedAgent['agent'], exchange: Exchange): string[] {
  return sentIn(agent, exchange);
}

function compacted(answer: unknown): CompactedAnswer {
  const found = answer as AgentAnswer;
  if (found.kind !== 'compacted') throw new Error(found.message);
  return found;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This agent cannot do that here.');
  return value;
}
