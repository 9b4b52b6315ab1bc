import { basename, dirname, join } from 'node:path';
import { type Entry, toolCalls, toolResults } from '../../../engine/conversation/entry';
import { headAndTail } from '../../../platform/files/head-and-tail';
import { namesIn } from '../../../platform/files/names-in';
import { inParallel } from '../../../platform/files/parallel';
import { withFile } from '../../../platform/files/with-file';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import { titleOf } from '../../../sessions/records/title';
import type { ParentSession, ParsedSession, Subagent } from '../../../sessions/session';
import { userContent } from './content';

const subagentFile = /^agent-(.+)\.jsonl$/;
const filesAtOnce = 8;

const firstRow = s.record({ sessionId: s.name, message: s.record({ content: s.anything }) });
const metadata = s.record({ toolUseId: s.name, description: s.name, spawnDepth: s.count });
const callInput = s.record({ prompt: s.name });

/** A metadata file has a few hundred bytes; larger files are not read. */
const mostMetaBytes = 64 * 1024;

/** The parent session of a subagent, derived from its path. Versions before 2.1 kept both files in one folder. */
export function parentOf(file: string, sessionId: string | null): ParentSession {
  const folder = dirname(file);
  const isInOwnFolder = basename(folder) === 'subagents';
  const parentId = isInOwnFolder ? basename(dirname(folder)) : sessionId;
  const home = isInOwnFolder ? dirname(dirname(folder)) : folder;
  return { file: parentId === null ? null : join(home, `${parentId}.jsonl`), callId: null };
}

/**
 * The conversations that a session started. Nested subagents are in the same folder; they are distinguished by the
 * conversation that contains their call.
 */
export async function subagentsOf(session: ParsedSession): Promise<readonly Subagent[]> {
  const files = (await subagentFiles(session)).filter((file) => file !== session.file);
  if (files.length === 0) return [];
  const starts = await inParallel(files, filesAtOnce, async (file) => await startOf(file));
  const calls = new StartingCalls(session.conversation.entries);
  const isSubagent = session.parent !== undefined;
  return starts.flatMap((start) => {
    if (start === null || (!start.isInOwnFolder && start.sessionId !== session.id)) return [];
    const callId = calls.callOf(start);
    const isOfAnother = callId === null && (isSubagent || start.depth > 1);
    return isOfAnother ? [] : [{ callId, file: start.file, title: start.title }];
  });
}

async function subagentFiles(session: ParsedSession): Promise<string[]> {
  const folder = dirname(session.file);
  if (basename(folder) === 'subagents') return await agentFilesIn(folder);
  const own = await agentFilesIn(join(folder, session.id, 'subagents'));
  return [...own, ...(await agentFilesIn(folder))];
}

async function agentFilesIn(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => subagentFile.test(name));
  return names.sort().map((name) => join(folder, name));
}

/** How a subagent was started, from its file and its metadata file. */
interface SubagentStart {
  readonly file: string;
  readonly id: string;
  readonly isInOwnFolder: boolean;
  readonly sessionId: string | null;
  readonly callId: string | null;
  readonly prompt: string | null;
  readonly title: string | null;
  /** 1 if the session itself started it. */
  readonly depth: number;
}

async function startOf(file: string): Promise<SubagentStart | null> {
  const ends = await headAndTail(file);
  if (ends.kind !== 'ends') return null;
  const first = firstMessage(ends.head);
  const prompt = first === null ? null : textOf(first);
  const meta = await metaOf(file);
  return {
    file,
    id: subagentFile.exec(basename(file))?.[1] ?? '',
    isInOwnFolder: basename(dirname(file)) === 'subagents',
    sessionId: first?.sessionId ?? null,
    callId: meta.toolUseId,
    prompt,
    title: titleOf(meta.description ?? prompt ?? ''),
    depth: meta.spawnDepth ?? 1,
  };
}

function firstMessage(head: readonly string[]): s.Read<typeof firstRow> | null {
  for (const record of recordsOf(head)) if (record.type === 'user') return s.read(firstRow, record);
  return null;
}

function textOf({ message }: s.Read<typeof firstRow>): string {
  const { parts } = userContent(message.content);
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Empty if there is no metadata file, or if it is incomplete. */
async function metaOf(file: string): Promise<s.Read<typeof metadata>> {
  const found = await withFile(file.replace(/\.jsonl$/, '.meta.json'), async (handle, { size }) => ({
    kind: 'text' as const,
    text: size > mostMetaBytes ? '' : await handle.readFile('utf8'),
  }));
  return s.read(metadata, found.kind === 'text' ? parsedJson(found.text) : null);
}

/** The calls of a conversation that may have started subagents. */
class StartingCalls {
  readonly #ids = new Set<string>();
  readonly #byAgent = new Map<string, string>();
  readonly #byPrompt = new Map<string, string>();

  constructor(entries: readonly Entry[]) {
    for (const { parts } of entries) {
      for (const { callId, input } of toolCalls(parts)) this.#note(callId, s.read(callInput, input).prompt);
      for (const { callId, text } of toolResults(parts)) {
        const agentId = /^agentId: (\S+)/m.exec(text)?.[1];
        if (agentId !== undefined) this.#byAgent.set(agentId, callId);
      }
    }
  }

  callOf({ id, callId, prompt }: SubagentStart): string | null {
    if (callId !== null) return this.#ids.has(callId) ? callId : null;
    return this.#byAgent.get(id) ?? this.#byPrompt.get(prompt ?? '') ?? null;
  }

  #note(callId: string, prompt: string | null): void {
    this.#ids.add(callId);
    if (prompt !== null && !this.#byPrompt.has(prompt)) this.#byPrompt.set(prompt, callId);
  }
}
