import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../files/names-in';
import { inParallel } from '../files/parallel';
import { systemErrorCode } from '../files/with-file';
import { asName, asRecord, type JsonRecord } from '../records/json';
import type { ParentSession, ParsedSession, Subagent } from '../session';

/*
 * projects/<folder>/chats/<session id>.jsonl, and of its subagents
 * projects/<folder>/subagents/<session id>/agent-<agent id>.jsonl with .meta.json beside it.
 */

const chats = 'chats';
const subagents = 'subagents';

/** Null for a conversation that a person started. */
export function parentOf(
  file: string,
  agentId: string | null,
  agentName: string | null,
  sessionId: string | null,
): ParentSession | null {
  if (agentId === null) return null;
  const folder = dirname(dirname(file));
  const isInPlace = sessionId !== null && isFileName(sessionId) && basename(folder) === subagents;
  return {
    file: isInPlace ? join(dirname(folder), chats, `${sessionId}.jsonl`) : null,
    callId: callIdOf(agentId, agentName),
  };
}

/** The id of a subagent is its kind, a dash, and the id of the call that started it. */
function callIdOf(agentId: string, agentName: string | null): string | null {
  const prefix = `${agentName}-`;
  return agentName !== null && agentId.startsWith(prefix) ? asName(agentId.slice(prefix.length)) : null;
}

/** An id comes out of a file that anybody may have written; one that is more than a name leads elsewhere. */
function isFileName(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

/** Null where the folder tells nothing of subagents of this session. */
function folderOf({ id, file, parent }: ParsedSession): string | null {
  if (parent !== undefined || basename(dirname(file)) !== chats || !isFileName(id)) return null;
  return join(dirname(dirname(file)), subagents, id);
}

const filesAtOnce = 8;
/** Sessions whose subagents are remembered: as many as are likely to be on show at a time. */
const mostFolders = 32;

/** The subagents of sessions that are asked about again and again. What says how one was started is read once. */
export class KnownSubagents {
  /** By folder and name, the folder that was asked about last at the end. */
  readonly #folders = new Map<string, ReadonlyMap<string, Subagent>>();

  constructor(private readonly readMeta: (file: string) => Promise<JsonRecord | null>) {}

  async of(session: ParsedSession): Promise<Subagent[]> {
    const folder = folderOf(session);
    if (folder === null) return [];
    const names = (await namesIn(folder)).filter((name) => /^agent-.*\.jsonl$/.test(name)).sort();
    const known = this.#folders.get(folder);
    const started = new Map<string, Subagent>();
    const all = await inParallel(names, filesAtOnce, async (name) => {
      const before = known?.get(name);
      if (before !== undefined) started.set(name, before);
      return before ?? (await this.#read(join(folder, name), (subagent) => started.set(name, subagent)));
    });
    this.#remember(folder, started);
    return all;
  }

  /** Without what tells of it, or while that is being written, the conversation is listed by its file alone. */
  async #read(file: string, keep: (subagent: Subagent) => void): Promise<Subagent> {
    const meta = await this.readMeta(file.replace(/\.jsonl$/, '.meta.json'));
    if (meta === null) return { callId: null, file, title: null };
    const subagent = { callId: asName(meta.toolUseId), file, title: asName(meta.description) };
    keep(subagent);
    return subagent;
  }

  #remember(folder: string, started: ReadonlyMap<string, Subagent>): void {
    this.#folders.delete(folder);
    if (started.size > 0) this.#folders.set(folder, started);
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > mostFolders && oldest !== undefined) this.#folders.delete(oldest);
  }
}

const known = new KnownSubagents(readRecord);

export async function subagentsOf(session: ParsedSession): Promise<Subagent[]> {
  return await known.of(session);
}

async function readRecord(file: string): Promise<JsonRecord | null> {
  try {
    return asRecord(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (systemErrorCode(error) === null && !(error instanceof SyntaxError)) throw error;
    return null;
  }
}
