import { basename, join } from 'node:path';
import type { AgentEnvironment, LineFormat, SessionOutline } from '../adapter';
import { asName, asRecord } from '../records/json';
import { readLine } from '../records/line';
import { outlineOf } from '../records/outline';
import { CodexBuilder } from './builder';
import { fork } from './fork';
import { orderOf, rolloutName } from './rollout-names';
import { noRollouts, rolloutsBeside } from './rollouts';
import { sessionsInUse } from './sessions-in-use';
import { subagentsOf } from './subagents';

export const codex: LineFormat = {
  kind: 'lines',
  agent: 'codex',
  roots: (environment) => ['sessions', 'archived_sessions'].map((name) => join(codexHome(environment), name)),
  // sessions/<year>/<month>/<day>/rollout-<local time>-<thread id>.jsonl; archived ones lie side by side.
  foldersBelowRoot: 3,
  mayBeSession: (path) => /^rollout-.*\.jsonl$/.test(basename(path)),
  partOf(file) {
    const name = rolloutName(file);
    return name === null ? null : { session: name.thread, order: orderOf(name) };
  },
  recognises,
  summarise,
  createBuilder: (file) => new CodexBuilder(file, rolloutsBeside(file)),
  sessionsInUse: (environment) => sessionsInUse(join(codexHome(environment), 'thread-writer-locks')),
  subagentsOf,
  resume: ({ id }) => ['codex', 'resume', id],
  fork,
};

function codexHome({ home, variables }: AgentEnvironment): string {
  return asName(variables.CODEX_HOME) ?? join(home, '.codex');
}

/** Codex begins every file with a record of the session itself. */
function recognises(head: readonly string[]): boolean {
  for (const [index, text] of head.entries()) {
    const reading = readLine({ number: index + 1, text });
    if (reading.kind !== 'record') continue;
    const { type, payload } = reading.record;
    return type === 'session_meta' && asName(asRecord(payload)?.id) !== null;
  }
  return false;
}

/** A thread that another one started is reached through that one. */
function summarise(head: readonly string[], tail: readonly string[]): SessionOutline {
  const builder = new CodexBuilder('', noRollouts);
  const outline = outlineOf(builder, head, tail);
  return builder.session().parent === undefined ? outline : { ...outline, isUnlisted: true };
}
