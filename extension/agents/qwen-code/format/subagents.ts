import { basename, dirname, join } from 'node:path';
import { namesIn } from '../../../platform/files/names-in';
import { inParallel } from '../../../platform/files/parallel';
import { textOf } from '../../../platform/files/text-of';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import type { ParentSession, ParsedSession, Subagent } from '../../../sessions/session';

/*
 * A session is `projects/<folder>/chats/<session id>.jsonl`, its subagents are
 * `projects/<folder>/subagents/<session id>/agent-<agent id>.jsonl`, each with a `.meta.json` file.
 */

const chats = 'chats';
const subagents = 'subagents';

/** Null for a session that a person started. */
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

/** A subagent's id is `<kind>-<id of the call that started it>`. */
function callIdOf(agentId: string, agentName: string | null): string | null {
  const prefix = `${agentName}-`;
  return agentName !== null && agentId.startsWith(prefix) ? agentId.slice(prefix.length) || null : null;
}

/** Guards against path traversal: ids are read from a file. */
function isFileName(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

/** Null if this session cannot have subagents. */
function folderOf({ id, file, parent }: ParsedSession): string | null {
  if (parent !== undefined || basename(dirname(file)) !== chats || !isFileName(id)) return null;
  return join(dirname(dirname(file)), subagents, id);
}

const metadata = s.record({ toolUseId: s.name, description: s.name });

const filesAtOnce = 8;
/** Maximum number of sessions whose subagents are cached. */
const maximumFolders = 32;

/** Lists the subagents of sessions. Each subagent's `.meta.json` is read once. */
export class KnownSubagents {
  /** By folder, least recently used first, then by file name. */
  readonly #folders = new Map<string, ReadonlyMap<string, Subagent>>();

  constructor(private readonly readMeta: (file: string) => Promise<s.JsonRecord | null>) {}

  async of(session: ParsedSession): Promise<Subagent[]> {
    const folder = folderOf(session);
    if (folder === null) return [];
    const names = (await namesIn(folder)).filter((name) => /^agent-.*\.jsonl$/.test(name)).sort();
    const known = this.#folders.get(folder);
    const found = new Map<string, Subagent>();
    const all = await inParallel(names, filesAtOnce, async (name) => {
      const before = known?.get(name);
      if (before !== undefined) found.set(name, before);
      return before ?? (await this.#read(join(folder, name), (subagent) => found.set(name, subagent)));
    });
    this.#remember(folder, found);
    return all;
  }

  /** If its metadata is missing or incomplete, a subagent is listed by its file alone and read again next time. */
  async #read(file: string, keep: (subagent: Subagent) => void): Promise<Subagent> {
    const meta = await this.readMeta(file.replace(/\.jsonl$/, '.meta.json'));
    if (meta === null) return { callId: null, file, title: null };
    const { toolUseId, description } = s.read(metadata, meta);
    const subagent = { callId: toolUseId, file, title: description };
    keep(subagent);
    return subagent;
  }

  #remember(folder: string, found: ReadonlyMap<string, Subagent>): void {
    this.#folders.delete(folder);
    if (found.size > 0) this.#folders.set(folder, found);
    const [oldest] = this.#folders.keys();
    if (this.#folders.size > maximumFolders && oldest !== undefined) this.#folders.delete(oldest);
  }
}

const known = new KnownSubagents(readRecord);

export async function subagentsOf(session: ParsedSession): Promise<Subagent[]> {
  return await known.of(session);
}

async function readRecord(file: string): Promise<s.JsonRecord | null> {
  return s.read(s.jsonRecord, parsedJson((await textOf(file)) ?? ''));
}
