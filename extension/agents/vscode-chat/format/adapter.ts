import { basename, dirname, join } from 'node:path';
import type { AgentEnvironment } from '../../../platform/files/environment';
import type { FileEnds } from '../../../platform/files/head-and-tail';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, LineOutline } from '../../../sessions/adapter';
import { outlineBy } from '../../../sessions/records/outline';
import { startOf } from '../../../sessions/records/whole-file-session';
import { extensionId } from '../../../sessions/strata/extension-id';
import { VscodeChatBuilder } from './builder';
import { workspaceFolder } from './folder';
import { logLine } from './mutations';
import { isOpenState } from './request';

/** Folders with the chats of windows with a folder, and of empty windows. */
const folders = { withFolder: 'chatSessions', empty: 'emptyWindowChatSessions' };

/** The chats of VS Code itself, with any extension or agent. */
export const vscodeChat: LineFormat = {
  kind: 'lines',
  agent: 'vscode-chat',
  roots: ({ editorFolders = [] }: AgentEnvironment) =>
    editorFolders.flatMap((folder) => [join(folder, 'workspaceStorage'), join(folder, 'globalStorage', folders.empty)]),
  // workspaceStorage/<id of the workspace>/chatSessions/<id of the chat>.jsonl
  foldersBelowRoot: 2,
  mayBeSession,
  recognises,
  summarise,
  rewritesFiles: true,
  folderOf: (file) => workspaceFolder(file),
  createBuilder: (file) => new VscodeChatBuilder(file),
};

function mayBeSession(path: string): boolean {
  return /\.jsonl?$/.test(path) && Object.values(folders).includes(basename(dirname(path)));
}

/** Lines between head and tail are missing, so the newest request is the last one in the tail, whatever its index. */
function summarise(ends: FileEnds): LineOutline {
  const outline = outlineOf(ends);
  return { ...outline, awaitsReply: awaitsReplyAfter(ends.tail) ?? outline.awaitsReply };
}

const outlineOf = outlineBy(
  () => new VscodeChatBuilder(''),
  // VS Code writes a file for every chat view that was opened.
  (_session, lines) => !lines.some((text) => text.includes('"requestId"')) || isOwnChat(lines),
);

const chatState = s.record({ sessionId: s.name, requests: s.anything });

function recognises(head: readonly string[]): boolean {
  const start = startOf(head, /^(?: {2}|\t| {4})"(\w+)":/);
  if (start.kind === 'pretty') return isChat(start.names);
  if (start.kind !== 'record') return false;
  const { kind, v } = s.read(logLine, start.record);
  if (kind !== 0 && kind !== undefined) return false;
  const { sessionId, requests } = s.read(chatState, kind === 0 ? v : start.record);
  return sessionId !== null && Array.isArray(requests);
}

/** In a pretty-printed file the id follows the requests, so it may be missing from the first lines. */
function isChat(names: readonly string[]): boolean {
  return names.includes('requests') && (names.includes('responderUsername') || names.includes('sessionId'));
}

const stateRecord = s.optionalRecord({ value: s.anything });

const requestRecord = s.record({ modelState: stateRecord });

/** Whether the newest response is incomplete according to the last lines of a log; null if they do not contain its state. */
function awaitsReplyAfter(tail: readonly string[]): boolean | null {
  const newest = [...recordsOf(tail)].map(stateIn).findLast((state) => state !== null);
  return newest ? isOpenState(newest.value) : null;
}

function stateIn(record: s.JsonRecord): s.Read<typeof stateRecord> {
  const { kind, k, v } = s.read(logLine, record);
  const [root, index, field, ...deeper] = k;
  if (root !== 'requests') return null;
  if (kind === 2 && index === undefined) return s.read(requestRecord, s.read(s.list, v).at(-1)).modelState;
  return kind === 1 && field === 'modelState' && deeper.length === 0 ? s.read(stateRecord, v) : null;
}

/** Strata's own chat participant. Its conversations are listed as Strata sessions. */
const ownChat = { agent: 'strata.chat', extension: extensionId };

const agentRecord = s.record({ id: s.name, extensionId: s.record({ value: s.name }) });

type Agent = s.Read<typeof agentRecord>;

const requestRecords = s.records({ agent: agentRecord });

/** Whether the lines contain requests, and all of them are to Strata's own participant. */
function isOwnChat(lines: readonly string[]): boolean {
  if (!lines.some((text) => text.includes(`"${ownChat.agent}"`))) return false;
  const agents = [...recordsOf(lines)].flatMap(agentsIn);
  return agents.length > 0 && agents.every(isOwnAgent);
}

/** The agents of the requests on a line. */
function agentsIn(record: s.JsonRecord): readonly Agent[] {
  const { kind, k, v } = s.read(logLine, record);
  if (kind === undefined || kind === 0) return agentsOf(s.read(chatState, kind === 0 ? v : record).requests);
  const [root, index, field, ...deeper] = k;
  if (root !== 'requests' || deeper.length > 0) return [];
  if (index === undefined) return agentsOf(v);
  if (field === undefined) return agentsOf([v]);
  return field === 'agent' ? [s.read(agentRecord, v)] : [];
}

function agentsOf(requests: unknown): Agent[] {
  return s.read(requestRecords, requests).map(({ agent }) => agent);
}

function isOwnAgent({ id, extensionId }: Agent): boolean {
  return id === ownChat.agent && (extensionId.value === null || extensionId.value.toLowerCase() === ownChat.extension);
}
