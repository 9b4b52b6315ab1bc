import { basename, join } from 'node:path';
import type { AgentEnvironment, LineFormat, SessionOutline } from '../adapter';
import { asName } from '../records/json';
import { readLine } from '../records/line';
import { outlineOf } from '../records/outline';
import { PiBuilder } from './builder';
import { piFork } from './fork/fork';

export const pi: LineFormat = {
  kind: 'lines',
  agent: 'pi',
  roots,
  // sessions/--<folder the session runs in>--/<time>_<id>.jsonl, or the files alone where a person chose the folder.
  foldersBelowRoot: 3,
  mayBeSession: (path) => basename(path).endsWith('.jsonl'),
  recognises,
  summarise: (head, tail): SessionOutline => outlineOf(new PiBuilder(''), head, tail),
  createBuilder: (file) => new PiBuilder(file),
  resume: ({ file }) => ['pi', '--session', file],
  fork: piFork,
};

/** The variables are documented in pi's environment-variables page, version 0.87.1. */
function roots({ home, variables }: AgentEnvironment): string[] {
  const agentFolder = asName(variables.PI_CODING_AGENT_DIR) ?? join(home, '.pi', 'agent');
  const chosen = asName(variables.PI_CODING_AGENT_SESSION_DIR);
  const usual = join(withHome(agentFolder, home), 'sessions');
  return chosen === null ? [usual] : [withHome(chosen, home), usual];
}

function withHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path;
}

/** pi itself takes a file for its own if the first record is a header with an id. */
function recognises(head: readonly string[]): boolean {
  for (const [index, text] of head.entries()) {
    const reading = readLine({ number: index + 1, text });
    if (reading.kind !== 'record') continue;
    const { type, id, timestamp } = reading.record;
    return type === 'session' && asName(id) !== null && asName(timestamp) !== null;
  }
  return false;
}
