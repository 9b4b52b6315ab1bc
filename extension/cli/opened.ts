import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Inspection } from '../inspection/inspection';
import { openJournal } from '../inspection/journal-store';
import type { SessionAdapter } from '../sessions/adapter';
import { adapterOf } from '../sessions/adapters';
import { dataFolder } from '../sessions/files/data-folder';
import { openSession } from '../sessions/open';
import { type AgentId, agentNames, type Session } from '../sessions/session';
import { CommandFailed } from './command-failed';

export interface JournalOptions {
  readonly journal: string;
  /** Whose session the file is, where its first lines do not tell. */
  readonly agent?: AgentId;
}

export const agentIds = Object.keys(agentNames) as readonly AgentId[];

export function adapterFor({ agent }: Pick<JournalOptions, 'agent'>): { readonly adapter?: SessionAdapter } {
  return agent === undefined ? {} : { adapter: adapterOf(agent) };
}

/** Beside the data of other command line programs. */
export function defaultFolder(): string {
  return join(dataFolder({ home: homedir(), variables: process.env }), 'strata');
}

export function defaultJournalFolder(): string {
  return join(defaultFolder(), 'journals');
}

/** Opens a session file with its journal. What is wrong with either goes to standard error, the rest is used. */
export async function openInspection(file: string, options: JournalOptions): Promise<Inspection> {
  const { journal } = options;
  if (journal === '') throw new CommandFailed('--journal needs a folder', true);
  const outcome = await openSession(resolve(file), adapterFor(options));
  if (outcome.kind !== 'opened') throw new CommandFailed(outcome.message);
  return await inspectionOf(outcome.session, journal);
}

async function inspectionOf(session: Session, journal: string): Promise<Inspection> {
  const { agent, id } = session;
  const inspection = await Inspection.of(session, await openJournal(journal, { agent, id, file: session.file }));
  for (const issue of inspection.issues) warn(`${issue.file}:${issue.line}: ${issue.message}`);
  return inspection;
}

export function warn(message: string): void {
  process.stderr.write(`strata: ${withoutControls(message)}\n`);
}

/** What sessions say must not steer the terminal: control characters other than line breaks and tabs are left out. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text)}\n`);
}

export function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '');
}

export function printJson(value: unknown): void {
  process.stdout.write(`${inert(JSON.stringify(value, null, 2))}\n`);
}

/** JSON escapes the control characters of ASCII alone; a terminal acts on those of Latin-1, too. */
export function inert(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}
