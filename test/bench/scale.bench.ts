import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, it, onTestFinished } from 'vitest';
import { newTenant } from '../../extension/gateway/admission';
import { built } from '../builders/built';
import { startPostgres } from '../conversations/stores/servers';
import { ask } from '../gateway/asking';
import { sends, startUpstream } from '../gateway/upstream';
import { shuffledOrder, storeTraffic } from '../simulation/store-traffic';
import { startBuiltTeamGateway } from './gateway/processes';

/** Measures what one process of `strata serve` carries on a Postgres, and what follows for several processes. */

const agents = 100;
const turns = 10;
/** Characters of a step: the usual length of a tool's output. */
const step = 4_000;

const answer = JSON.stringify({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }],
});

describe('one process', () => {
  it('carries agents that ask again as soon as they are answered', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const upstream = await startUpstream(sends(200, answer));
    const tenant = newTenant('acme');
    const tenants = join(await mkdtemp(join(tmpdir(), 'strata-bench-')), 'tenants');
    await writeFile(tenants, tenant.line);
    const command = join(await built('cli'), 'cli/strata.js');
    const gateway = await startBuiltTeamGateway({ command, tenants, upstream: upstream.url, store: postgres.address });
    onTestFinished(() => gateway.stop());
    const address = `${gateway.address}/${tenant.token}/openai/v1/chat/completions`;
    await delay(500);
    const before = { memory: await gateway.memory(), processorMs: await gateway.processorMs() };
    const began = performance.now();
    const times: number[] = [];
    await Promise.all(
      Array.from({ length: agents }, async (_, agent) => {
        const messages: object[] = [];
        for (let turn = 0; turn < turns; turn += 1) {
          messages.push({ role: 'user', content: `Agent ${agent}, step ${turn}. `.padEnd(step, 'It goes on. ') });
          const headers = { 'content-type': 'application/json', 'x-strata-conversation': `agent-${agent}` };
          const asked = performance.now();
          const { status } = await ask(address, { headers, body: JSON.stringify({ model: 'm', messages }) });
          if (status !== 200) throw new Error(`The answer was ${status}.`);
          times.push(performance.now() - asked);
          messages.push({ role: 'assistant', content: 'Done.' });
        }
      }),
    );
    const seconds = (performance.now() - began) / 1_000;
    await delay(1_000);
    const requests = agents * turns;
    const processorMs = ((await gateway.processorMs()) - before.processorMs) / requests;
    const kilobytes = ((await gateway.memory()) - before.memory) / agents / 1_000;
    const client = new pg.Client({ connectionString: postgres.address });
    await client.connect();
    const sum = 'sum(pg_total_relation_size(oid))::float8 AS bytes';
    const { rows } = await client.query(`SELECT ${sum} FROM pg_class WHERE relname LIKE 'strata%' AND relkind = 'r'`);
    await client.end();
    console.log(
      [
        `${agents} agents, ${turns} requests each, ${step} characters a step`,
        `requests a second: ${(requests / seconds).toFixed(0)}`,
        `milliseconds of a request: median ${quantile(times, 0.5)}, 99th of a hundred ${quantile(times, 0.99)}`,
        `processor time of the process for a request: ${processorMs.toFixed(2)} ms`,
        `memory for an open conversation: ${kilobytes.toFixed(0)} kB`,
        `room in the store for a request: ${(rows[0].bytes / requests / 1_000).toFixed(1)} kB`,
      ].join('\n'),
    );
  });
});

function quantile(values: readonly number[], share: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0).toFixed(0);
}

describe('the traffic of a store, simulated', () => {
  it.each([
    { agents: 1_000, processes: 4 },
    { agents: 100_000, processes: 32 },
    { agents: 100_000, processes: 200 },
  ])('of $agents agents and $processes processes', ({ agents: count, processes }) => {
    const requests = 50;
    for (const balancing of ['in-turn', 'by-conversation'] as const) {
      const order = shuffledOrder(count, requests, 1);
      const traffic = storeTraffic({ agents: count, processes, requests, balancing, order, mostOpen: 500 });
      const each = (total: number) => (total / traffic.requests).toFixed(2);
      console.log(
        `${count} agents, ${processes} processes, ${balancing}: for a request ${each(traffic.reads)} reads with ${each(traffic.recordsRead)} records, ${each(traffic.appends)} appends with ${each(traffic.recordsWritten)} records; opened anew ${((100 * traffic.opened) / traffic.requests).toFixed(0)} %`,
      );
    }
  });
});
