import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompactedAnswer } from '../../../extension/inside/exchange';
import { strataInside } from '../../../extension/inside/inside';
import type { SessionName } from '../agent';
import { sentIn, turnsOf } from '../compare';
import type { Ran } from '../run';
import { summaryMark } from '../server/script';
import type { Exchange } from '../server/server';
import { pictureOf, type Utterance } from '../wire/utterance';
import { compacted, type Inside, outOfOrder, type PluggedAgent, setUpInside } from './plugged';

/** An agent with a plugin that compacts. It can continue a session without a terminal. */
export interface CompactingAgent extends PluggedAgent {
  readonly commandFile: string;
  /** Sends it a command that a person would type, in a resumed session. */
  says(inside: Inside, session: SessionName, text: string): Promise<unknown>;
  /** Returns the messages that the agent should send according to the answer. */
  carried(answer: CompactedAnswer): readonly Utterance[];
  /** Starts a compaction by Strata by hand. */
  byHand(inside: Inside, session: SessionName): Promise<unknown>;
  /** The compaction by hand is a run of the agent that prints the notices of the plugin. */
  readonly printsNotices?: true;
  /** After this prompt the agent compacts by itself. Absent: that compaction cannot be replaced. */
  readonly filling?: string;
  /**
   * The agent's own model writes if no block is prepared; `instructed`: with Strata's instructions. Absent: Strata's
   * compaction is separate from the agent's.
   */
  readonly writesItself?: 'instructed' | 'plain';
  /**
   * After a turn, the plugin asks for the next compaction to be prepared. Absent: it asks only after more growth than
   * these tests produce.
   */
  readonly preparesAfterTurns?: true;
  /** Starts a compaction while Strata does not answer. Absent: the same as by hand. */
  alone?(inside: Inside, session: SessionName): Promise<unknown>;
}

const rule = 'Never touch the marker FACT-ALPHA-42.';
const replaced = /\[(?:SUPERSEDED|CLEARED|SUMMARIZED)/;

/** Tests for every agent with Strata inside, by what the real agent sends to its model. */
export async function describeInside(plugged: CompactingAgent): Promise<void> {
  const { agent, filling } = plugged;
  const ready = await setUpInside(plugged);
  if (typeof ready === 'string') {
    console.warn(`Skipped: ${ready}`);
    describe.skip(`Strata inside ${agent.id} (${ready})`, () => it('compacts', () => undefined));
    return;
  }
  const inside = ready;
  describe(`Strata inside ${agent.id} ${inside.version}`, () => {
    let session: SessionName;
    beforeAll(async () => {
      session = await work(inside, plugged);
      await inside.ask('pin', session, '--text', rule);
    });
    afterAll(() => inside.close());

    it('says that it is inside, before any compaction', async () => {
      expect(await strataInside(agent.id, session.id, inside.environment)).not.toBeNull();
    });

    const prompt = (text: string) => inside.during(() => inside.run(required(agent.resume)(session, text)));
    const firstOf = (exchanges: readonly Exchange[]) => sentIn(agent, required(turnsOf(exchanges)[0]));

    function describeCompaction(name: string, compacts: () => Promise<readonly Exchange[]>): void {
      describe(name, () => {
        let preview: CompactedAnswer;
        let asked: readonly Exchange[];
        let next: readonly string[];
        beforeAll(async () => {
          await prompt('TOOLS=4 look around once more');
          preview = compacted(await inside.ask('preview', session));
          asked = await compacts();
          next = firstOf(await prompt('TOOLS=0 and now'));
        });

        it('asks no model for a summary', () => {
          expect(asked.map(({ reply }) => reply.purpose)).not.toContain('summary');
        });

        it('carries exactly what the preview showed, in a session that is resumed', () => {
          expect(preview.pieces.some(({ text }) => replaced.test(text))).toBe(true);
          const shown = pictureOf(plugged.carried(preview));
          const beginning = next.slice(0, shown.length);
          const last = shown.at(-1) ?? '';
          expect([...beginning.slice(0, -1), beginning.at(-1)?.slice(0, last.length)]).toEqual(shown);
        });

        it('continues with what was said since', () => {
          expect(next.join('\n')).toContain('TOOLS=0 and now');
        });

        it('has the pin word for word', () => {
          expect(next.join('\n')).toContain(rule);
        });

        it('is undone in the agent: the replaced messages are sent again', async () => {
          await plugged.says(inside, session, '/strata undo');
          const after = firstOf(await prompt('TOOLS=0 once more'));
          const [before = 0, undone] = [next, after].map((lines) => lines.join('\n').split('Row 20: ').length);
          expect(undone).toBeGreaterThan(before);
        });
      });
    }

    describeCompaction('a compaction by hand', () => inside.during(() => plugged.byHand(inside, session)));

    if (filling !== undefined) {
      describeCompaction('an automatic compaction', () => prompt(filling));
    }

    it('is answered by a Strata that runs, in place of a process of its own', async () => {
      await prompt('TOOLS=4 look around');
      const service = await inside.serve();
      inside.answerWith(['/nowhere/strata']);
      try {
        const exchanges = await inside.during(() => plugged.byHand(inside, session));
        expect(exchanges.map(({ reply }) => reply.purpose)).not.toContain('summary');
        expect(firstOf(await prompt('TOOLS=0 and now')).join('\n')).toMatch(replaced);
      } finally {
        service.kill('SIGKILL');
        inside.answerWith();
      }
    });

    describe('with a model that the person chose', () => {
      const writing = (exchanges: readonly Exchange[]) =>
        exchanges.filter(({ body }) => /Now write the (?:summary|updated memory)/.test(JSON.stringify(body)));
      const chosen = { kind: 'openai', model: 'scripted', timeoutMs: 60_000, contextWindow: 200_000 } as const;
      const size = async () => Number(/Context: (\d+)/.exec((await inside.ask('status', session)).message)?.[1]);
      const choose = async () => {
        const tokens = await size();
        const ladder = { trigger: tokens, target: Math.round(tokens * 0.3), keepRecentTokens: 300 };
        await inside.choose({ ...chosen, baseUrl: `${inside.place.address}/v1` }, { ladder });
      };
      afterEach(() => inside.choose({ kind: 'nobody' }));

      it('a block is written ahead, used at once, and is in the next request with what was said since', async () => {
        await prompt('TOOLS=4 look around with a writer');
        await choose();
        const ahead = await inside.during(async () => {
          if (!plugged.preparesAfterTurns) await inside.ask('prepare', session);
          else await inside.run(required(agent.resume)(session, 'TOOLS=1 and prepare'));
          await vi.waitFor(async () => expect((await inside.ask('status', session)).message).toContain('by scripted'), {
            timeout: 30_000,
            interval: 500,
          });
        });
        expect(writing(ahead).length).toBeGreaterThan(0);
        await prompt('TOOLS=0 after the block was written');
        const asked = await inside.during(() => plugged.byHand(inside, session));
        expect(asked.map(({ reply }) => reply.purpose)).not.toContain('summary');
        const next = firstOf(await prompt('TOOLS=0 and now')).join('\n');
        expect(next).toContain(summaryMark);
        expect(next).toContain('after the block was written');
      });

      it.skipIf(plugged.writesItself === undefined)(
        'and no block written ahead, its own model writes, as it would without Strata',
        async () => {
          await prompt('TOOLS=4 look around without a block');
          await inside.choose({ ...chosen, baseUrl: `${inside.place.address}/v1` });
          const asked = await inside.during(() => plugged.byHand(inside, session));
          expect(writing(asked)).toEqual([]);
          const [own] = asked.filter(({ reply }) => reply.purpose === 'summary');
          expect(own).toBeDefined();
          const request = own === undefined ? '' : JSON.stringify(own.body);
          if (plugged.writesItself === 'instructed') expect(request).toContain('the next concrete action');
          const next = firstOf(await prompt('TOOLS=0 and now')).join('\n');
          expect(next).toContain('of the work so far');
          expect(next).toContain(rule);
        },
      );
    });

    it.each(Object.entries(outOfOrder))(
      'with a Strata that is %s, the agent compacts by itself and goes on',
      async (_, breakIt) => {
        await prompt('TOOLS=2 look around');
        const mend = await breakIt(inside);
        try {
          const act = plugged.alone ?? plugged.byHand;
          let ran: unknown;
          const exchanges = await inside.during(async () => {
            ran = await act(inside, session);
          });
          if (plugged.printsNotices)
            expect((ran as Ran).output.match(/Strata: [^"]+\. [\w ]+ compacts by itself\./g)).toHaveLength(1);
          expect(exchanges.map(({ reply }) => reply.purpose)).toContain('summary');
          expect(firstOf(await prompt('TOOLS=0 and now')).join('\n')).toContain('of the work so far');
        } finally {
          mend();
        }
      },
    );
  });
}

/** A session with enough work in it for a compaction to save tokens. */
async function work(inside: Inside, { agent }: PluggedAgent): Promise<SessionName> {
  await inside.run(agent.prompt('TOOLS=4 look around'));
  const [session] = await inside.sessions();
  if (session === undefined) throw new Error('The agent wrote no session');
  for (const name of ['again', 'for good']) {
    await inside.run(required(agent.resume)(session, `TOOLS=4 look around ${name}`));
  }
  return session;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This agent cannot do that here.');
  return value;
}
