/** What the agents of a team ask of the store of their gateways, counted without running them. */

export interface Team {
  readonly agents: number;
  /** Processes behind the balancer. */
  readonly processes: number;
  /** Requests of each agent, one after the other. */
  readonly requests: number;
  /** Conversations that a process keeps open. */
  readonly mostOpen: number;
  /** Which process takes a request: one after the other, or always the same for a conversation. */
  readonly balancing: 'in-turn' | 'by-conversation';
  /** The agent of the next request: a number from 0 to below `agents`. Each comes `requests` times. */
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

/** Records of a new conversation: its header, and besides the first message its model and its system prompt. */
const headerRecords = 1;
const firstRecords = 2;
/** The new message; and the answer with the end of its turn. */
const requestRecords = 1;
const answerRecords = 2;

/** The newest record that is known comes again with each request: so it is seen that a conversation was deleted. */
const recordsAgain = 1;

/** A gateway reads once for a request, twice where it has to open the conversation first, and writes twice: request and answer. */
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

/** Agents in a random order that is the same for the same seed; each comes so many times. */
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
