import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { storedSession } from '../conversations/stores/stored-session';
import { assumedContextWindow, type CurrentSession, Inspection } from '../inspection/inspection';
import type { SessionJournal } from '../inspection/journal-file';
import { openJournal } from '../inspection/journal-store';
import type { SessionAdapter } from '../sessions/adapter';
import { adapterOf } from '../sessions/adapters';
import { dataFolder } from '../sessions/files/data-folder';
import { openSession } from '../sessions/open';
import { type AgentId, agentNames, type Session } from '../sessions/session';
import { CommandFailed } from './command-failed';
import { storeAt, withoutPassword } from './store-at';

export interface JournalOptions {
  readonly journal: string;
  /** The agent that wrote the file. Absent: recognized by the first lines of the file. */
  readonly agent?: AgentId;
  /** A store, as `storeAt` takes it. Then the file is the key or id of a conversation in it. */
  readonly in?: string;
  /** Whose conversation it is. Absent: nobody's. */
  readonly tenant?: string;
}

export const agentIds = Object.keys(agentNames) as readonly AgentId[];

export function adapterFor({ agent }: Pick<JournalOptions, 'agent'>): { readonly adapter?: SessionAdapter } {
  return agent === undefined ? {} : { adapter: adapterOf(agent) };
}

/** In the data folder that command line programs share. */
export function defaultFolder(): string {
  return join(dataFolder({ home: homedir(), variables: process.env }), 'strata');
}

export function defaultJournalFolder(): string {
  return join(defaultFolder(), 'journals');
}

/** Opens a session file, or a conversation in a store, with its journal. Issues of either are warnings on standard error; the rest is used. */
export async function openInspection(file: string, options: JournalOptions): Promise<Inspection> {
  return await opened(file, options, (...given) => Inspection.over(...given));
}

/** The same, where nobody looks at tokens: they are estimated from lengths. */
export async function openUncounted(file: string, options: JournalOptions): Promise<Inspection> {
  return await opened(file, options, async (...given) => Inspection.uncounted(...given));
}

type Opening = (current: CurrentSession, journal: SessionJournal, fallbackWindow: number) => Promise<Inspection>;

async function opened(file: string, options: JournalOptions, open: Opening): Promise<Inspection> {
  const { journal, in: store, tenant } = options;
  if (store !== undefined) return await inspectionIn(store, file, tenant, open);
  if (tenant !== undefined) throw new CommandFailed('--tenant belongs to --in', true);
  if (journal === '') throw new CommandFailed('--journal needs a folder', true);
  const outcome = await openSession(resolve(file), adapterFor(options));
  if (outcome.kind !== 'opened') throw new CommandFailed(String(outcome.message));
  return await inspectionOf(outcome.session, journal, open);
}

async function inspectionIn(
  place: string,
  name: string,
  scope: string | undefined,
  open: Opening,
): Promise<Inspection> {
  const store = await storeAt(place, warn);
  try {
    const { current, journal } = await storedSession(store, { name, scope, place: withoutPassword(place) });
    return await open(current, journal, assumedContextWindow);
  } catch (error) {
    throw new CommandFailed(error instanceof Error ? error.message : String(error));
  }
}

async function inspectionOf(session: Session, journal: string, open: Opening): Promise<Inspection> {
  const { agent, id } = session;
  const opened = await openJournal(journal, { agent, id, file: session.file });
  const inspection = await open({ session }, opened, assumedContextWindow);
  for (const issue of inspection.issues) warn(`${issue.file}:${issue.line}: ${issue.message}`);
  return inspection;
}

export function warn(message: string): void {
  process.stderr.write(`strata: ${withoutControls(message)}\n`);
}

/** Leaves out control characters except line breaks and tabs, so that a session's text cannot control the terminal. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text)}\n`);
}

export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '');
}

export function printJson(value: unknown): void {
  process.stdout.write(`${inert(JSON.stringify(value, null, 2))}\n`);
}

/** JSON escapes only the control characters of ASCII; a terminal also obeys those of Latin-1. */
export function inert(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
