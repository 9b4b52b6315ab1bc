import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { built } from '../builders/built';
import { acme, answersLastPrompt, type Chat, type Serving, serving } from '../cli/serving';
import { startPostgres } from '../conversations/stores/servers';
import { openers } from '../conversations/stores/stores';
import { startUpstream } from '../gateway/upstream';
import { programWith } from '../library/many-agents';

/**
 * Runs 300 agents on three processes and one Postgres that fails twice, and kills one of the processes. No answered
 * turn may be lost, and no pin may be missing.
 */

const agents = 300;
const minutes = Number(process.env.STRATA_OUTAGE_MINUTES ?? 2);
const runMs = minutes * 60_000;
const outageMs = 5_000;
/** Milliseconds that an agent works with an answer, on average. */
const workMs = Number(process.env.STRATA_OUTAGE_WORK_MS ?? 3_000);
/**
 * No pins are written for this long before an outage, because a process learns of a pin from another process only with
 * the next request.
 */
const beforeOutageMs = 2 * workMs;
/** After this many turns an agent begins another conversation, so that the amount in use does not grow. */
const turnsOfConversation = 12;
/** Shares of the run at which Postgres stops, a process is killed, and memory is measured. */
const schedule = { outages: [0.3, 0.75], kill: 0.5, measured: [0.25, 0.5, 0.75, 1] };

const pinOf = (agent: number) => `Never touch part <${agent}>.`;

interface Talk {
  readonly name: string;
  readonly history: Chat[];
}

interface Agent {
  /** The newest conversation is the last one. */
  readonly talks: Talk[];
  isPinned: boolean;
  answered: number;
  tries: number;
}

it(
  '300 agents lose nothing in two outages and with one killed process',
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const upstream = await startUpstream(() => undefined);
    answersLastPrompt(upstream);
    const command = join(await built('cli'), 'cli/strata.js');
    const start = () => serving(command, postgres.address, upstream, '--no-request-log');
    const processes: Serving[] = await Promise.all([start(), start(), start()]);
    const { conversations } = await programWith({ shelf: storeShelf(await openers.postgres(postgres.address)) });
    const all = Array.from({ length: agents }, (): Agent => ({ talks: [], isPinned: false, answered: 0, tries: 0 }));
    const until = performance.now() + runMs;
    const wrong = { pins: 0, requests: 0 };
    /** The times of requests without their pin, each with the agent. */
    const without: string[] = [];
    const atSecond = () => Math.round((performance.now() - until + runMs) / 1_000);
    let isAway = false;

    /** Sends a request as a balancer that hashes the conversation: to the next process if one does not answer. */
    async function asked(agent: number, name: string, body: string): Promise<Chat | null> {
      for (let next = 0; next < processes.length; next += 1) {
        const url = processes[(agent + next) % processes.length]?.url;
        const headers = { 'content-type': 'application/json', 'x-strata-conversation': name };
        const address = `${url}/${acme.token}/openai/v1/chat/completions`;
        const response = await fetch(address, { method: 'POST', headers, body }).catch(() => null);
        if (response === null) continue;
        return response.ok ? ((await response.json()) as { choices: [{ message: Chat }] }).choices[0].message : null;
      }
      return null;
    }

    /** Checks that each request has the pin of its own agent from the time when it was pinned. */
    const { behaviour } = upstream;
    upstream.behaviour = (response, received) => {
      const body = received.body.toString('utf8');
      const [, number] = /Agent (\d+) asks/.exec(body) ?? [];
      const agent = all[Number(number)];
      wrong.requests += 1;
      if (agent?.isPinned && !body.includes(pinOf(Number(number)))) {
        wrong.pins += 1;
        without.push(`agent ${number} at ${atSecond()} s`);
      }
      (upstream.received as unknown[]).length = 0;
      behaviour(response, received);
    };

    function begun(agent: Agent, at: number): Talk {
      const talk = { name: `agent-${at}-${agent.talks.length}`, history: [] };
      agent.talks.push(talk);
      agent.isPinned = false;
      return talk;
    }

    async function work(agent: Agent, at: number): Promise<void> {
      await delay((at / agents) * workMs);
      let talk = begun(agent, at);
      for (let turn = 0; performance.now() < until; turn += 1) {
        if (turn > 0 && turn % turnsOfConversation === 0) talk = begun(agent, at);
        const { name, history } = talk;
        history.push({ role: 'user', content: `Agent ${at} asks ${turn}. `.padEnd(2_000, 'It goes on. ') });
        const body = JSON.stringify({ model: 'gpt-5', messages: history, tools: [] });
        let message: Chat | null = null;
        while (message === null) {
          agent.tries += 1;
          message = await asked(at, name, body);
          if (message === null) await delay(200);
        }
        history.push(message);
        agent.answered += 1;
        // During an outage, a pin would be only in the memory of this program.
        if (!agent.isPinned && !isAway) {
          const context = await conversations.conversation({ conversation: name, scope: 'acme' });
          await context.pin('constraint', pinOf(at));
          agent.isPinned = !isAway && conversations.inMemory === 0;
        }
        await delay(workMs * (0.5 + Math.random()));
      }
    }

    const inMemory: string[] = [];
    async function outage(share: number): Promise<void> {
      await delay(runMs * share - beforeOutageMs);
      isAway = true;
      await delay(beforeOutageMs);
      await postgres.halt();
      await delay(outageMs);
      const ready = await Promise.all(processes.map((process) => process.ready()));
      inMemory.push(ready.map((text) => /degraded: (\d+)/.exec(text)?.[1] ?? '0').join(' + '));
      const began = performance.now();
      await postgres.resume();
      await expect
        .poll(async () => await Promise.all(processes.map((one) => one.ready().catch(() => 'killed'))), {
          timeout: 60_000,
        })
        .toEqual(processes.map(() => '200 ready'));
      inMemory.push(`${Math.round(performance.now() - began)} ms until all were stored`);
      isAway = false;
    }

    async function kill(): Promise<void> {
      await delay(runMs * schedule.kill);
      processes[1]?.child.kill('SIGKILL');
      await delay(outageMs);
      processes[1] = await start();
    }

    const memory: string[] = [];
    const megabytesOf = async ({ child }: Serving) => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000);
    };
    async function measured(share: number): Promise<void> {
      await delay(runMs * share - 1_000);
      const megabytes = await Promise.all(processes.map(megabytesOf));
      const sizeOf = (talks: readonly (Talk | undefined)[]) =>
        talks.reduce((total, talk) => total + (talk ? JSON.stringify(talk.history).length : 0), 0) / 1e6;
      const live = sizeOf(all.map(({ talks }) => talks.at(-1))).toFixed(1);
      const whole = sizeOf(all.flatMap(({ talks }) => talks)).toFixed(1);
      memory.push(
        `${Math.round((runMs * share) / 1_000)} s: ${megabytes.join(', ')} MB RSS; ${live} MB of conversations in use, ${whole} MB in all`,
      );
    }

    await Promise.all([...all.map(work), ...schedule.outages.map(outage), kill(), ...schedule.measured.map(measured)]);
    const codes = await Promise.all(processes.map((process) => process.end()));

    const { conversations: stored } = await programWith({
      shelf: storeShelf(await openers.postgres(postgres.address)),
    });
    let lost = 0;
    for (const { name, history } of all.flatMap(({ talks }) => talks)) {
      const { entries } = await stored.conversation({ conversation: name, scope: 'acme' });
      const texts = new Set(entries.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))));
      lost += history.filter(({ role, content }) => role === 'assistant' && !texts.has(content)).length;
    }
    const total = (of: (agent: Agent) => number) => all.reduce((sum, agent) => sum + of(agent), 0);
    console.log(
      [
        `${total(({ talks }) => talks.length)} conversations, ${total(({ answered }) => answered)} turns answered, ${total(({ tries }) => tries)} tries, ${wrong.requests} requests at the provider`,
        `lost answered turns: ${lost}; requests without their pin: ${[wrong.pins, ...without].join(', ')}; exit codes ${codes.join(', ')}`,
        `conversations in memory at the end of each outage: ${inMemory.join('; ')}`,
        ...memory,
      ].join('\n'),
    );
    expect([lost, wrong.pins]).toEqual([0, 0]);
  },
  runMs + 180_000,
);
