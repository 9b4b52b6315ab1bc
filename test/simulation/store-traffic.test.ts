import { describe, expect, it } from 'vitest';
import type { RecordStore } from '../../extension/conversations/stores/record-store';
import { memoryStore, storeShelf } from '../../extension/library/stores';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { programWith, reply, user } from '../library/many-agents';
import { type StoreTraffic, shuffledOrder, storeTraffic, type Team } from './store-traffic';

/** The same store, with a count of its operations. */
function counted(store: RecordStore) {
  const traffic = { reads: 0, appends: 0, recordsRead: 0, recordsWritten: 0 };
  const counting: RecordStore = {
    ...store,
    async read(key, from) {
      const records = await store.read(key, from);
      traffic.reads += 1;
      traffic.recordsRead += records.length;
      return records;
    },
    async append(key, length, records, description) {
      traffic.appends += 1;
      traffic.recordsWritten += records.length;
      return await store.append(key, length, records, description);
    },
  };
  return { counting, traffic };
}

/** Sends the team's requests to the conversations of real processes on one store. */
async function played({ processes, order, balancing }: Team): Promise<Omit<StoreTraffic, 'opened'>> {
  const { counting, traffic } = counted(memoryStore());
  const programs = await Promise.all(
    Array.from({ length: processes }, () =>
      programWith({ shelf: storeShelf(counting), automation: { enabled: false }, window: 1_000_000 }),
    ),
  );
  const histories = new Map<number, ReceivedMessage[]>();
  let requests = 0;
  for (const agent of order) {
    const process = balancing === 'in-turn' ? requests % processes : agent % processes;
    requests += 1;
    const history = histories.get(agent) ?? [];
    histories.set(agent, history);
    history.push(user(`Step ${history.length}`));
    await programs[process]?.send(history, 'Done.', { conversation: `agent-${agent}` });
    history.push(reply('Done.'));
  }
  return { requests, ...traffic };
}

describe('the simulated traffic of a store', () => {
  // Two processes with 500 open conversations each, and more agents than both have room for.
  it.each([
    { agents: 40, processes: 4, requests: 6, balancing: 'in-turn' },
    { agents: 40, processes: 4, requests: 6, balancing: 'by-conversation' },
    { agents: 1_100, processes: 2, requests: 2, balancing: 'by-conversation' },
    { agents: 620, processes: 1, requests: 2, balancing: 'in-turn' },
  ] as const)('is that of the real conversations: $agents agents, $processes processes, $balancing', async (size) => {
    const team = { ...size, mostOpen: 500, order: shuffledOrder(size.agents, size.requests, 7) };
    const { opened, ...simulated } = storeTraffic(team);
    expect(await played(team)).toEqual(simulated);
    expect(opened).toBeGreaterThanOrEqual(size.agents);
  });
});
