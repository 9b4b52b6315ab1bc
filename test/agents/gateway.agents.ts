import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { originalGoal } from '../../extension/engine/journal/overlay';
import { type Gateway, startGateway } from '../../extension/gateway/gateway';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { type ConversationsOptions, createConversations } from '../../extension/library';
import { conversationFolder } from '../../extension/library/node';
import { openSession } from '../../extension/sessions/open';
import { prepareSample } from '../builders/inspection';
import type { Agent, Command, SessionName } from './agent';
import { claudeCode } from './claude-code';
import { codex } from './codex';
import { sentIn, turnsOf } from './compare';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { openCode } from './opencode';
import { pi } from './pi';
import { type Recorder, startRecorder } from './recorder';
import { begin, goOn } from './story';

/** Tests of real agents whose requests pass through the gateway. */

const minutes = 60_000;

/** An agent, the gateway, and the traffic on both sides of it. */
interface Passage {
  readonly laboratory: Laboratory;
  readonly folder: string;
  /** Between the agent and the gateway. */
  readonly before: Recorder;
  /** Between the gateway and the model. */
  readonly after: Recorder;
  close(): Promise<void>;
}

const apis = { 'claude-code': 'anthropic' } as const;

async function passageOf(
  agent: Agent,
  program: string,
  options: ConversationsOptions = { window: 200_000, automation: { enabled: false } },
): Promise<Passage> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-gateway-'));
  const recorders: Recorder[] = [];
  let gateway: Gateway | undefined;
  const laboratory = await setUp(agent, program, async (address) => {
    const after = await startRecorder(address);
    gateway = await gatewayTo(after.address, folder, options);
    const before = await startRecorder(gateway.url);
    recorders.push(before, after);
    return `${before.address}/${gateway.token}/${agent.id in apis ? 'anthropic' : 'openai'}`;
  });
  const [before, after] = recorders;
  if (!before || !after) throw new Error('The agent was set up without an address');
  const close = async () => {
    laboratory.close();
    for (const recorder of recorders) recorder.close();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { laboratory, folder, before, after, close };
}

async function gatewayTo(address: string, folder: string, options: ConversationsOptions): Promise<Gateway> {
  const conversations = await createConversations({
    ...options,
    shelf: conversationFolder({ folder, madeBy: 'gateway' }),
    onNotice: (message) => console.warn(message),
  });
  return await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: ({ message }) => conversations.notify(message),
    upstreams: { openai: `${address}/v1`, anthropic: address },
  });
}

/** The conversation with the agent, without those in which it asked for a title. */
async function inspected(folder: string): Promise<Inspection> {
  const conversations = join(folder, 'conversations');
  const files = readdirSync(conversations).filter((name) => name.endsWith('.jsonl'));
  const [longest = ''] = files.sort((a, b) => sizeOf(join(conversations, b)) - sizeOf(join(conversations, a)));
  const outcome = await openSession(join(conversations, longest));
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id, file } = outcome.session;
  const journal = await openJournal(join(folder, 'journals'), { agent, id, file });
  return await Inspection.of(outcome.session, journal);
}

function sizeOf(file: string): number {
  return readFileSync(file, 'utf8').split('"type":"entry"').length;
}

/** Compacts from outside, as the panel and the command line do. */
async function compactOutside(folder: string): Promise<void> {
  const inspection = await inspected(folder);
  const everything = { checkpoint: { keepRecentTokens: 1, reserveTokens: 1000 } };
  const run = await prepareSample(inspection, 'checkpoint', everything);
  expect(run.records.length).toBeGreaterThan(0);
  await inspection.apply(run);
}

const continuing: readonly (Agent & Required<Pick<Agent, 'resume'>>)[] = [codex, claudeCode, pi, openCode].flatMap(
  (agent) => (agent.resume ? [{ ...agent, resume: agent.resume }] : []),
);

for (const agent of continuing) {
  const installation = await install(agent);
  const program = installation.kind === 'installed' ? installation.program : null;
  if (program === null && installation.kind === 'missing') console.warn(`Skipped: ${installation.reason}`);
  describe.skipIf(program === null)(`${agent.id} through the gateway`, () => {
    let passage: Passage;
    let name: SessionName;
    let compacted: number;
    beforeAll(async () => {
      passage = await passageOf(agent, program ?? '');
      const { after } = await begin(passage.laboratory, agent.prompt('TOOLS=2 look around'));
      name = { id: after.id, file: after.file };
      await step('parallel', agent.resume(name, 'TOOLS=1 PARALLEL both at once'));
    }, 10 * minutes);
    afterAll(() => passage?.close());

    const step = (title: string, command: Command) => goOn(passage.laboratory, name, title, command);

    it('has the model asked with the very bytes, while nothing is compacted', () => {
      const { before, after } = passage;
      expect(after.recorded.length).toBeGreaterThanOrEqual(5);
      expect(after.recorded.map(({ body }) => body.toString())).toEqual(
        before.recorded.map(({ body }) => body.toString()),
      );
    });

    it('says the same as without it', async () => {
      const alone = await setUp(agent, program ?? '');
      try {
        const { after, exchanges } = await begin(alone, agent.prompt('TOOLS=2 look around'));
        const other = { id: after.id, file: after.file };
        const second = await goOn(alone, other, 'parallel', agent.resume(other, 'TOOLS=1 PARALLEL both at once'));
        const said = (list: typeof exchanges, home: string) =>
          turnsOf(list).map((exchange) => sentIn(agent, exchange).join('\n').replaceAll(home, '~'));
        expect(withoutChance(said(passage.laboratory.server.exchanges, passage.laboratory.place.home))).toEqual(
          withoutChance(said([...exchanges, ...second.exchanges], alone.place.home)),
        );
      } finally {
        alone.close();
      }
    }, 300_000);

    it('works on after a compaction from outside, with the block in the place of the older messages', async () => {
      compacted = passage.laboratory.server.exchanges.length;
      await compactOutside(passage.folder);
      const sent = passage.before.recorded.length;
      const { exchanges } = await step('compacted', agent.resume(name, 'TOOLS=1 and now'));
      expect(turnsOf(exchanges)).toHaveLength(2);
      const said = turnsOf(exchanges).map(({ request }) => JSON.stringify(request.said));
      for (const one of said) expect(one).toContain('[SUMMARIZED]');
      // The blocks replace the output that both earlier turns read; only this turn has it.
      expect(said.map((one) => one.split('Row 1: ').length - 1)).toEqual([0, 1]);
      const [agents = '', models = ''] = [passage.before, passage.after].map(({ recorded }) =>
        recorded
          .slice(sent)
          .map(({ body }) => body.toString())
          .join('\n'),
      );
      expect(agents).not.toContain('[SUMMARIZED]');
      expect(models.length).toBeLessThan(agents.length);
    }, 300_000);

    it('is sent a pin with the next request', async () => {
      await (await inspected(passage.folder)).coreEditor.pin('constraint', 'Never touch data.txt.', null);
      const { exchanges } = await step('pinned', agent.resume(name, 'TOOLS=0 mind that'));
      const [first] = turnsOf(exchanges);
      expect(JSON.stringify(first?.body)).toContain('Never touch data.txt.');
    }, 300_000);

    it('has the very bytes sent again after an undo, but for thinking that is bound to the compacted context', async () => {
      const inspection = await inspected(passage.folder);
      await inspection.undo();
      for (const { id } of inspection.journal.state.items) await inspection.coreEditor.change(id, 'superseded');
      const sent = passage.before.recorded.length;
      const undone = passage.laboratory.server.exchanges.length;
      await step('undone', agent.resume(name, 'TOOLS=1 one last thing'));
      const since = ({ recorded }: Recorder) => recorded.slice(sent).map(({ body }) => body.toString());
      const expected = since(passage.before).map((body) => withoutThoughts(body, compacted, undone));
      expect(since(passage.after)).toEqual(expected);
    }, 300_000);
  });
}

/** 300 rules, 32 kB: the maximum that Codex reads. */
const rules = Array.from({ length: 300 }, (_, at) =>
  `- Rule ${at}: in module ${at} keep function handle${at} free of side effects, and its tests beside it.`.padEnd(
    106,
    '.',
  ),
);

for (const agent of [claudeCode, codex]) {
  const installation = await install(agent);
  const program = installation.kind === 'installed' ? installation.program : null;
  describe.skipIf(program === null)(`${agent.id} with 32 kB of rules, in a window of 60,000`, () => {
    it('has every rule in every request, and its person’s words as goal and title', async () => {
      const file = { 'claude-code': 'CLAUDE.md', codex: 'AGENTS.md' }[agent.id as 'claude-code' | 'codex'];
      const withRules: Agent = {
        ...agent,
        files: (place) => ({ ...agent.files(place), [`scratch/${file}`]: `${rules.join('\n')}\n` }),
      };
      const passage = await passageOf(withRules, program ?? '', { window: 60_000 });
      try {
        // The scripted model counts the steps in each request, so the turn must fit into the window.
        const prompt = 'TOOLS=10 find out why the import of customers fails';
        const { after } = await begin(passage.laboratory, agent.prompt(prompt));
        const name = { id: after.id, file: after.file };
        for (const next of ['suppliers', 'orders', 'invoices', 'returns', 'stock', 'prices']) {
          const resumed = agent.resume?.(name, `TOOLS=10 now look at the ${next}, too`);
          if (resumed) await goOn(passage.laboratory, name, next, resumed);
        }
        const [asked, sent] = [passage.before, passage.after].map(({ recorded }) =>
          recorded.map(({ body }) => body.toString()),
        );
        const turns = (asked ?? []).flatMap((body, at) => (body.includes(rules[0] ?? '') ? [sent?.[at] ?? ''] : []));
        expect(turns.length).toBeGreaterThanOrEqual(77);
        for (const body of turns) expect(rules.filter((rule) => body.split(rule).length !== 2)).toEqual([]);
        const shrunk = turns.filter((body, at) => body.length < (turns[at - 1]?.length ?? 0) - 20_000);
        expect(shrunk.length).toBeGreaterThanOrEqual(2);
        const { session } = await inspected(passage.folder);
        expect(session.title).toBe(prompt);
        expect(originalGoal(session.conversation)?.text).toBe(prompt);
        expect(session.cwd).toBe(passage.laboratory.place.folder);
      } finally {
        await passage.close();
      }
    }, 300_000);
  });
}

/**
 * Newer Claude models refuse thinking whose context has changed since, so the thinking in these requests is removed.
 */
function withoutThoughts(body: string, after: number, last: number): string {
  return body.replace(/\{"type":"thinking","thinking":"Thought (\d+)\.","signature":"[^"]*"\},/g, (thought, number) =>
    Number(number) > after && Number(number) <= last ? '' : thought,
  );
}

/** Replaces ids, times and folders, which differ in each run. */
function withoutChance(said: readonly string[]): string[] {
  return said.map((text) =>
    text
      .replace(/strata-[\w-]+/g, 'strata-home')
      .replace(/Chunk ID: \w+|Wall time: [\d.]+/g, 'chance')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'id')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'time'),
  );
}
