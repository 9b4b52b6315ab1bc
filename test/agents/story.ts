import { followSession } from '../../extension/sessions/follow';
import type { Session, SessionSummary } from '../../extension/sessions/session';
import type { Agent, Command, SessionName } from './agent';
import type { Laboratory } from './laboratory';
import type { Exchange } from './server/server';

/** One run of the agent: what it sent, and its session before and after. */
export interface Chapter {
  readonly name: string;
  /** Null for the run that began the session. */
  readonly before: Session | null;
  readonly exchanges: readonly Exchange[];
  /** The session as it was followed while the agent wrote it, one value for each change. */
  readonly followed: readonly Session[];
  readonly after: Session;
}

export interface Story {
  readonly name: SessionName;
  readonly chapters: readonly Chapter[];
}

/** Several turns with tools and parallel calls, each in a run of its own, around a compaction by the agent itself. */
export async function tell(agent: Agent, laboratory: Laboratory): Promise<Story> {
  const { resume, compact } = agent;
  if (resume === undefined || compact === undefined) return await tellAtOnce(agent, laboratory);
  const first = await begin(laboratory, agent.prompt('TOOLS=2 look around'));
  const name = { id: first.after.id, file: first.after.file };
  const heavy = agent.compactsWhenFull ? ' HEAVY=1' : '';
  const chapters = [
    first,
    await goOn(laboratory, name, 'parallel', resume(name, `TOOLS=1 PARALLEL${heavy} both at once`)),
    await goOn(laboratory, name, 'compaction', compact(name)),
    await goOn(laboratory, name, 'after', resume(name, 'TOOLS=1 and now')),
    await goOn(laboratory, name, 'last', resume(name, 'TOOLS=0 one last thing')),
  ];
  return { name, chapters };
}

async function tellAtOnce(agent: Agent, laboratory: Laboratory): Promise<Story> {
  const only = await begin(laboratory, agent.prompt('TOOLS=4 PARALLEL look around'));
  return { name: { id: only.after.id, file: only.after.file }, chapters: [only] };
}

/** Runs the agent with a command that begins a session. */
export async function begin(laboratory: Laboratory, command: Command): Promise<Chapter> {
  const known = await laboratory.sessions();
  const asked = laboratory.server.exchanges.length;
  await laboratory.run(command);
  const after = await laboratory.open((await newSession(laboratory, known)).file);
  return { name: 'first', before: null, exchanges: laboratory.server.exchanges.slice(asked), followed: [], after };
}

async function newSession(laboratory: Laboratory, known: readonly SessionSummary[]): Promise<SessionSummary> {
  const files = new Set(known.map(({ file }) => file));
  const sessions = (await laboratory.sessions()).filter(({ file }) => !files.has(file));
  const [session] = sessions;
  if (session === undefined || sessions.length > 1) {
    throw new Error(`One new session was to be listed: ${JSON.stringify(sessions.map(({ file }) => file))}`);
  }
  return session;
}

/** Runs the agent while its session is followed. */
export async function goOn(
  laboratory: Laboratory,
  { file }: SessionName,
  name: string,
  command: Command,
): Promise<Chapter> {
  const before = await laboratory.open(file);
  const asked = laboratory.server.exchanges.length;
  const following = await Following.begin(laboratory, file);
  try {
    await laboratory.run(command);
    const after = await laboratory.open(file);
    await following.reaches(after);
    return { name, before, exchanges: laboratory.server.exchanges.slice(asked), followed: following.seen, after };
  } finally {
    following.end();
  }
}

/** In milliseconds. The poll interval is shorter than an agent's turn, so a missed file event only delays an update. */
const timing = { settle: 10, poll: 500, rest: 1000 };
const patience = 10_000;

class Following {
  readonly seen: Session[] = [];
  readonly #abort = new AbortController();
  readonly #failures: unknown[] = [];

  static async begin(laboratory: Laboratory, file: string): Promise<Following> {
    const following = new Following();
    const outcome = await followSession(file, (session) => following.seen.push(session), {
      signal: following.#abort.signal,
      onFailure: (error) => following.#failures.push(error),
      environment: laboratory.environment,
      timing,
    });
    if (outcome.kind !== 'opened') throw new Error(`${file} cannot be followed: ${outcome.message}`);
    following.seen.push(outcome.session);
    return following;
  }

  /** Waits until it shows as many entries as there are. The test compares the entries. */
  async reaches({ conversation }: Session): Promise<void> {
    const deadline = Date.now() + patience;
    const wanted = JSON.stringify(conversation);
    while (JSON.stringify(this.seen.at(-1)?.conversation) !== wanted && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'Following failed');
  }

  end(): void {
    this.#abort.abort();
  }
}
