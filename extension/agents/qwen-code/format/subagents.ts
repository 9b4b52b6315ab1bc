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

/** If its metadata is missing or incomplete, a subagent is listed by its file alone. */
export async function subagentsOf(session: ParsedSession): Promise<Subagent[]> {
  const folder = folderOf(session);
  if (folder === null) return [];
  const names = (await namesIn(folder)).filter((name) => /^agent-.*\.jsonl$/.test(name)).sort();
  return await inParallel(names, filesAtOnce, async (name) => {
    const file = join(folder, name);
    const meta = parsedJson((await textOf(file.replace(/\.jsonl$/, '.meta.json'))) ?? '');
    const { toolUseId, description } = s.read(metadata, meta);
    return { callId: toolUseId, file, title: description };
  });
}
