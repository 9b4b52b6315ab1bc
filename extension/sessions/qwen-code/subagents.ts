import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ParsedSession } from '../adapter';
import { systemErrorCode } from '../files/with-file';
import { asName, asRecord } from '../records/json';
import type { ParentSession, Subagent } from '../session';

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
  const isInPlace = sessionId !== null && basename(folder) === subagents;
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

export async function subagentsOf({ id, file, parent }: ParsedSession): Promise<Subagent[]> {
  if (parent !== undefined || basename(dirname(file)) !== chats || !/^[\w-]+$/.test(id)) return [];
  const folder = join(dirname(dirname(file)), subagents, id);
  const files = (await namesIn(folder)).filter((name) => /^agent-.*\.jsonl$/.test(name)).sort();
  return await Promise.all(files.map((name) => subagent(join(folder, name))));
}

async function subagent(file: string): Promise<Subagent> {
  const meta = asRecord(await readJson(file.replace(/\.jsonl$/, '.meta.json')));
  return { callId: asName(meta?.toolUseId), file, title: asName(meta?.description) };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // Most sessions have no such folder, and one that cannot be read shows no subagents.
    if (systemErrorCode(error) === null) throw error;
    return [];
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    // Without it, or while it is being written, the conversation is listed by its file alone.
    if (systemErrorCode(error) === null && !(error instanceof SyntaxError)) throw error;
    return null;
  }
}
