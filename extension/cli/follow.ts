import { resolve } from 'node:path';
import type { AgentCompaction } from '../engine/conversation/conversation';
import { type Entry, readableText } from '../engine/conversation/entry';
import { entryKind } from '../engine/conversation/entry-kind';
import { visibleJson } from '../protocol/visible-text';
import { followSession } from '../sessions/follow';
import type { Session, SessionIssue } from '../sessions/session';
import { CommandFailed } from './command-failed';
import { interruptSignal } from './interrupt';
import { warn } from './output';
import { adapterFor, type JournalOptions } from './session-with-journal';

/** Prints the session and then its changes until it is interrupted: one JSON object per line, as in docs/cli.md. */
export async function follow(file: string, options: Pick<JournalOptions, 'agent'> & { new?: boolean }): Promise<void> {
  const signal = interruptSignal();
  const changes = new Changes();
  const early: Session[] = [];
  let begun = false;
  const outcome = await followSession(
    resolve(file),
    (session) => {
      if (begun) for (const change of changes.of(session)) printLine(change);
      else early.push(session);
    },
    { signal, onFailure: (error) => warn(`following ${file} failed: ${error}`), ...adapterFor(options) },
  );
  if (outcome.kind !== 'opened') throw new CommandFailed(String(outcome.message));
  const first = changes.of(outcome.session);
  for (const change of options.new ? first.slice(0, 1) : first) printLine(change);
  begun = true;
  for (const session of early) for (const change of changes.of(session)) printLine(change);
  await interrupted(signal);
}

/** The timer keeps the process alive; the file watcher alone does not. */
function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const alive = setInterval(() => undefined, 60_000);
    signal.addEventListener('abort', () => {
      clearInterval(alive);
      done();
    });
  });
}

function printLine(value: unknown): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value))}\n`);
}

/** Computes how each report of a session differs from the previous one. Unchanged entries are identical objects. */
export class Changes {
  #entries: readonly Entry[] = [];
  readonly #known = new Map<string, Entry>();
  readonly #compactions = new Set<string>();
  readonly #issues = new Set<string>();
  #state = '';

  of(session: Session): readonly object[] {
    return [
      ...this.#stateChange(session),
      ...this.#entryChanges(session.conversation.entries),
      ...session.conversation.agentCompactions.flatMap((compaction) => this.#compactionChange(compaction)),
      ...session.issues.flatMap((issue) => this.#issueChange(issue)),
    ];
  }

  #stateChange({ agent, id, title, cwd, model, live, awaitsReply, conversation }: Session): object[] {
    const contextEntries = conversation.agentContext.length;
    const state = { kind: 'session', agent, id, title, cwd, model, live, awaitsReply, contextEntries };
    const text = JSON.stringify(state);
    if (text === this.#state) return [];
    this.#state = text;
    return [state];
  }

  #entryChanges(entries: readonly Entry[]): object[] {
    const before = this.#entries;
    this.#entries = entries;
    // In nearly every report, known entries keep their position; each of them then costs one comparison.
    const same = entries.findIndex((entry, at) => entry !== before[at]);
    const changed = same < 0 ? [] : entries.slice(same).filter((entry) => this.#known.get(entry.id) !== entry);
    const isOnlyMore = same < 0 ? entries.length >= before.length : same >= before.length;
    const now = isOnlyMore ? null : new Set(entries.map(({ id }) => id));
    const gone = now === null ? [] : before.filter(({ id }) => !now.has(id));
    for (const { id } of gone) this.#known.delete(id);
    return [
      ...gone.map(({ id }) => ({ kind: 'entry-gone', id })),
      ...changed.map((entry) => {
        const isNew = !this.#known.has(entry.id);
        this.#known.set(entry.id, entry);
        return entryAsJson(entry, isNew);
      }),
    ];
  }

  #compactionChange({ id, kind, isOpaque, tokensBefore, tokensAfter, trigger }: AgentCompaction): object[] {
    if (this.#compactions.has(id)) return [];
    this.#compactions.add(id);
    return [{ kind: 'compaction', id, what: kind, opaque: isOpaque === true, tokensBefore, tokensAfter, trigger }];
  }

  #issueChange({ file, line, message }: SessionIssue): object[] {
    const text = `${file}:${line}:${message}`;
    if (this.#issues.has(text)) return [];
    this.#issues.add(text);
    return [{ kind: 'issue', file, line, message }];
  }
}

function entryAsJson(entry: Entry, isNew: boolean): object {
  const { id, role, timestamp, usage, origin, parts } = entry;
  return {
    kind: isNew ? 'entry' : 'entry-changed',
    id,
    role,
    what: entryKind(entry),
    injected: entry.injected === true,
    timestamp,
    text: parts.map(readableText).join('\n'),
    ...(usage ? { usage } : {}),
    origin,
  };
}
