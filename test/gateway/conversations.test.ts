import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { openSession } from '../../extension/sessions/open';
import { long } from '../builders/conversation';
import { prepareSample } from '../builders/inspection';
import { temporaryFolders } from '../sessions/temporary';
import { type Api, apis, chatApi } from './apis';
import { type Answer, ask } from './asking';
import { type Running, startRunning } from './running';
import { sends, startUpstream, type Upstream } from './upstream';

/** Tests that conversations that pass through the gateway are sessions of Strata. */

const temporaryFolder = temporaryFolders();

const key = 'sk-secret-key-0123456789';

/** An agent that sends its whole history with each request. */
class Agent {
  readonly said: string[] = [];

  constructor(
    private readonly api: Api,
    private readonly upstream: Upstream,
    private readonly running: Running,
  ) {}

  async asks(text: string): Promise<Answer> {
    this.said.push(text);
    const answer = `Answer ${this.said.length}.`;
    this.upstream.behaviour = this.api.answers(answer);
    const got = await this.sends(this.said);
    this.said.push(answer);
    return got;
  }

  sends(said: readonly string[]): Promise<Answer> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-api-key': key };
    return ask(`${this.running.address}${this.api.path}`, { headers, body: this.api.body(...said) });
  }
}

async function begun(api: Api = chatApi, automation = true) {
  const upstream = await startUpstream(sends(200, '{}'));
  const folder = temporaryFolder();
  const open = () => startRunning({ upstream: upstream.url, folder }, { automation: { enabled: automation } });
  const running = await open();
  return { upstream, folder, running, open, agent: new Agent(api, upstream, running) };
}

const part = (at: number) => `Part ${at}. ${long(`Look at part ${at}.`, 30)}`;

function lastSent(upstream: Upstream): string {
  return upstream.received.at(-1)?.body.toString() ?? '';
}

function files(folder: string): string[] {
  const conversations = join(folder, 'conversations');
  return readdirSync(conversations)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(conversations, name));
}

/** Opened as the command line opens it, which would keep journals elsewhere for other files. */
async function inspected(folder: string): Promise<Inspection> {
  const [file = ''] = files(folder);
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  return await Inspection.of(outcome.session, await openJournal(elsewhere, { agent, id, file }));
}

/** The agent need not wait until its answer is stored. */
const patience = { timeout: 20_000, interval: 200 };

async function writtenIn(folder: string) {
  const { session, issues } = await inspected(folder);
  return { entries: session.conversation.entries.length, issues };
}

async function compactOutside(folder: string): Promise<Inspection> {
  const inspection = await inspected(folder);
  const everything = { checkpoint: { keepRecentTokens: 1, reserveTokens: 1000 } };
  const run = await prepareSample(inspection, 'checkpoint', everything);
  expect(run.records.length).toBeGreaterThan(0);
  await inspection.apply(run);
  return inspection;
}

describe.each(apis)('a conversation over $name', (api) => {
  it('never outgrows the window, and the block stays in the same words', async () => {
    const { upstream, agent, running, folder } = await begun(api);
    const blocks: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      expect((await agent.asks(part(at))).status).toBe(200);
      const body = lastSent(upstream);
      expect(body.length / 4).toBeLessThan(8_000);
      expect(body).toContain(`Part ${at}.`);
      blocks.push(/\[(?:SUMMARIZED|GOAL BATCH)\](?:[^"\\]|\\.)*/.exec(body)?.[0] ?? '');
    }
    await expect.poll(() => running.log.at(-1)?.sent?.blocks).toBeGreaterThan(0);
    // One block serves many requests, so the provider's cache stays warm.
    expect(new Set(blocks.filter((text) => text !== '')).size).toBeLessThan(20);
    await expect.poll(() => writtenIn(folder), patience).toEqual({ entries: 80, issues: [] });
    expect(running.notices).toEqual([]);
  });

  it('obeys compactions, undo, redo and pins from outside, with the next request', async () => {
    const { upstream, agent, folder } = await begun(api, false);
    for (let at = 0; at < 6; at += 1) await agent.asks(part(at));
    const asItWas = api.body(...agent.said, 'Go on.');
    await compactOutside(folder);
    await agent.sends([...agent.said, 'Go on.']);
    expect(lastSent(upstream)).not.toContain(part(1));
    expect(lastSent(upstream)).toContain('Go on.');
    await (await inspected(folder)).undo();
    await agent.sends([...agent.said, 'Go on.']);
    expect(lastSent(upstream)).toBe(asItWas);
    await (await inspected(folder)).redo();
    await (await inspected(folder)).coreEditor.pin('constraint', 'Never touch the lock file.', null);
    await agent.sends([...agent.said, 'Go on.']);
    expect(lastSent(upstream)).not.toContain(part(1));
    expect(lastSent(upstream).split('Never touch the lock file.')).toHaveLength(2);
  });
});

describe('conversations of a gateway', () => {
  it('conversations continue in a new gateway after the old one ended', async () => {
    const { upstream, agent, folder, open, running } = await begun();
    for (let at = 0; at < 4; at += 1) await agent.asks(part(at));
    await compactOutside(folder);
    await running.gateway.close();
    const next = new Agent(chatApi, upstream, await open());
    next.said.push(...agent.said);
    await next.asks('Go on.');
    expect(files(folder)).toHaveLength(1);
    expect(lastSent(upstream)).not.toContain(part(1));
    await expect.poll(() => writtenIn(folder), patience).toEqual({ entries: 10, issues: [] });
  });

  it('a conversation stays one if an agent alternates between two gateways with one folder', async () => {
    const { upstream, agent, folder, open, running } = await begun();
    const second = await open();
    const other = new Agent(chatApi, upstream, second);
    for (let at = 0; at < 24; at += 1) {
      const [now, then] = at % 2 === 0 ? [agent, other] : [other, agent];
      expect((await now.asks(part(at))).status).toBe(200);
      expect(lastSent(upstream).length / 4).toBeLessThan(8_000);
      expect(lastSent(upstream)).toContain(`Part ${at}.`);
      then.said.splice(0, then.said.length, ...now.said);
    }
    await expect.poll(() => writtenIn(folder), patience).toEqual({ entries: 48, issues: [] });
    expect(files(folder)).toHaveLength(1);
    const { compactions } = (await inspected(folder)).journal.state;
    expect(compactions.filter(({ active }) => active).length).toBeGreaterThan(0);
    expect([...running.notices, ...second.notices]).toEqual([]);
  });

  it('separate as soon as two agents with the same beginning differ', async () => {
    const { upstream, agent, running, folder } = await begun(chatApi, false);
    const other = new Agent(chatApi, upstream, running);
    await agent.asks(part(0));
    await other.asks(part(0));
    await agent.asks('To the left.');
    await other.asks('To the right.');
    await agent.asks(part(1));
    expect(lastSent(upstream)).toBe(chatApi.body(...agent.said.slice(0, -1)));
    expect(lastSent(upstream)).not.toContain('To the right.');
    for (const file of files(folder)) {
      const outcome = await openSession(file);
      expect(outcome).toMatchObject({ kind: 'opened' });
      if (outcome.kind === 'opened') expect(outcome.session.issues).toEqual([]);
    }
  });

  it('conversations of two simultaneous agents stay separate and correct', async () => {
    const { upstream, running, folder } = await begun(chatApi, false);
    upstream.behaviour = chatApi.answers('Fine.');
    const agents = Array.from({ length: 6 }, () => new Agent(chatApi, upstream, running));
    await Promise.all(agents.map((one, at) => one.sends(['Hi.', 'Fine.', `Question ${at}.`])));
    const sent = upstream.received.map(({ body }) => body.toString()).sort();
    expect(sent).toEqual(agents.map((_, at) => chatApi.body('Hi.', 'Fine.', `Question ${at}.`)).sort());
    expect(running.notices).toEqual([]);
    expect((await inspected(folder)).issues).toEqual([]);
  });

  it('an agent that rewrites its history gets its changes sent, with blocks only over messages that are still there', async () => {
    const { upstream, agent, folder } = await begun(chatApi, false);
    for (let at = 0; at < 6; at += 1) await agent.asks(part(at));
    await compactOutside(folder);
    const [first = '', answer = '', ...rest] = agent.said;
    const edited = [first, answer, 'Something else.', ...rest.slice(1)];
    await agent.sends([...edited, 'Go on.']);
    expect(lastSent(upstream)).toBe(chatApi.body(...edited, 'Go on.'));
    const cut = agent.said.slice(0, 3);
    await agent.sends(cut);
    expect(lastSent(upstream)).toBe(chatApi.body(...cut));
    await agent.sends([...agent.said, 'Go on.']);
    expect(lastSent(upstream)).not.toContain(part(1));
    const inspection = await inspected(folder);
    expect(inspection.issues).toEqual([]);
    expect(inspection.journal.state.compactions.filter(({ active }) => active)).toHaveLength(1);
  });

  it('neither conversations nor the log contain a key', async () => {
    const { agent, folder, running } = await begun();
    for (let at = 0; at < 24; at += 1) await agent.asks(part(at));
    expect(readdirSync(folder).sort()).toEqual(['conversations', 'journals']);
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => readFileSync(join(one.parentPath, one.name), 'utf8'));
    const all = [...written, JSON.stringify(running.log), ...running.notices].join('\n');
    for (const secret of [key, running.gateway.token]) expect(all).not.toContain(secret);
    expect(all).toContain('Part 23.');
  });
});
