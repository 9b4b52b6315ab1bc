/** Counts the operations of a team's gateways on their store, without running them. */

export interface Team {
  readonly agents: number;
  /** Number of processes behind the balancer. */
  readonly processes: number;
  /** Number of requests of each agent, one after the other. */
  readonly requests: number;
  /** Number of conversations that a process keeps open. */
  readonly mostOpen: number;
  /** How the balancer chooses a process: one after the other, or always the same one for a conversation. */
  readonly balancing: 'in-turn' | 'by-conversation';
  /** The agent of each request: a number from 0 to below `agents`. Each occurs `requests` times. */
  readonly order: Iterable<number>;
}

export interface StoreTraffic {
  readonly requests: number;
  readonly reads: number;
  readonly appends: number;
  readonly recordsRead: number;
  readonly recordsWritten: number;
  /** Requests for a conversation that the process did not have open. */
  readonly opened: number;
}

/** Records of a new conversation besides its first message: the header, then the model and the system prompt. */
const headerRecords = 1;
const firstRecords = 2;
/** Records of a request, and of an answer with the end of its turn. */
const requestRecords = 1;
const answerRecords = 2;

/** Each request also reads the newest known record, which shows whether the conversation was deleted. */
const recordsAgain = 1;

/**
 * A gateway reads once for a request, or twice if it has to open the conversation first. It writes twice: the request
 * and the answer.
 */
export function storeTraffic(team: Team): StoreTraffic {
  const { agents, processes, mostOpen, balancing, order } = team;
  const lengths = new Uint32Array(agents);
  const open = Array.from({ length: processes }, () => new Map<number, number>());
  const traffic = { requests: 0, reads: 0, appends: 0, recordsRead: 0, recordsWritten: 0, opened: 0 };
  for (const agent of order) {
    const process = balancing === 'in-turn' ? traffic.requests % processes : agent % processes;
    const here = open[process] ?? new Map<number, number>();
    const known = here.get(agent);
    const isNew = lengths[agent] === 0;
    traffic.requests += 1;
    traffic.recordsRead += (lengths[agent] ?? 0) - (known ?? 0) + recordsAgain;
    traffic.reads += known === undefined ? 2 : 1;
    if (known === undefined) traffic.opened += 1;
    const written = (isNew ? headerRecords + firstRecords : 0) + requestRecords + answerRecords;
    traffic.appends += isNew ? 3 : 2;
    traffic.recordsWritten += written;
    lengths[agent] = (lengths[agent] ?? 0) + written;
    here.delete(agent);
    here.set(agent, lengths[agent] ?? 0);
    const [oldest] = here.keys();
    if (here.size > mostOpen && oldest !== undefined) here.delete(oldest);
  }
  return traffic;
}

/** Agents in a random order that depends only on the seed. Each occurs this many times. */
export function shuffledOrder(agents: number, requests: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: agents * requests }, (_, at) => at % agents);
  let state = seed >>> 0;
  for (let at = order.length - 1; at > 0; at -= 1) {
    // Source: the 32-bit generator of Numerical Recipes; only its high bits are used.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}
