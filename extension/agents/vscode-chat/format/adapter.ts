import { basename, dirname, join } from 'node:path';
import type { AgentEnvironment } from '../../../platform/files/environment';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, SessionOutline } from '../../../sessions/adapter';
import { outlineBy } from '../../../sessions/records/outline';
import { startOf } from '../../../sessions/records/whole-file-session';
import { VscodeChatBuilder } from './builder';
import { workspaceFolder } from './folder';
import { logLine } from './mutations';
import { isOwnChat } from './own-chat';
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
function summarise(head: readonly string[], tail: readonly string[]): SessionOutline {
  const outline = outlineOf(head, tail);
  return { ...outline, awaitsReply: awaitsReplyAfter(tail) ?? outline.awaitsReply };
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
