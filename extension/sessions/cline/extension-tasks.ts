import { basename, dirname, join } from 'node:path';
import type { AgentCompaction } from '../../engine/conversation/conversation';
import { type Entry, textOf } from '../../engine/conversation/entry';
import type { AgentEnvironment } from '../adapter';
import { append } from '../records/append';
import { asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import type { AgentId } from '../session';
import { awaitsReply, contextOf } from './context';
import type { JsonFile } from './json-file';
import { type Message, MessageReader, type Standing } from './messages';
import type { MadeSession, SessionFiles, SessionMaker } from './reading';

/*
 * Tasks of Cline's extension for VS Code and of those that came from it. Known from their public sources only: a folder
 * for each task, in it the messages as they are sent (a list in the manner of Anthropic's messages), what the person is
 * shown, and, in Roo Code, a description.
 */

const historyName = 'api_conversation_history.json';

/** What tells one such extension from another. */
export interface TaskKind {
  readonly agent: AgentId;
  /** The extension's id, which is the name of its folder. */
  readonly extension: string;
  readonly standingOf: (message: JsonRecord) => Standing;
  /** The messages that are sent, of all that are kept. */
  readonly sentOf: (messages: readonly Message[]) => readonly Message[];
  readonly compactionsOf: (messages: readonly Message[]) => readonly AgentCompaction[];
}

export interface TaskFormat {
  roots(environment: AgentEnvironment): string[];
  mayBeSession(path: string): boolean;
  recognises(file: string, beginning: Buffer): boolean;
  companions(file: string): string[];
  maker(file: string): SessionMaker;
}

export function taskFormat(kind: TaskKind): TaskFormat {
  const isOwn = (path: string) => basename(path) === historyName && path.split(/[\\/]/).includes(kind.extension);
  return {
    roots: ({ editorFolders = [] }) =>
      editorFolders.map((folder) => join(folder, 'globalStorage', kind.extension, 'tasks')),
    mayBeSession: isOwn,
    recognises: (file, beginning) => isOwn(file) && beginning.toString('utf8').trimStart().startsWith('['),
    companions: (file) => [join(dirname(file), 'ui_messages.json'), join(dirname(file), 'history_item.json')],
    maker: (file) => new TaskMaker(file, kind),
  };
}

export const clineExtension = taskFormat({
  agent: 'cline',
  extension: 'saoudrizwan.claude-dev',
  standingOf,
  sentOf: (messages) => messages,
  compactionsOf: () => [],
});

class TaskMaker implements SessionMaker {
  readonly #messages: MessageReader;

  constructor(
    private readonly file: string,
    private readonly kind: TaskKind,
  ) {
    this.#messages = new MessageReader(file, '', kind.standingOf);
  }

  make({ messages: file, beside }: SessionFiles): MadeSession {
    const messages = this.#messages.read(file.text);
    const description = asRecord(named(beside, 'history_item.json')) ?? {};
    const sent = this.kind.sentOf(messages);
    const entries: Entry[] = [];
    for (const message of messages) append(entries, message.entries);
    const parsed = {
      agent: this.kind.agent,
      id: asName(description.id) ?? basename(dirname(this.file)),
      file: this.file,
      cwd: asName(description.workspace) ?? asName(description.cwdOnTaskInitialization) ?? workingFolder(entries),
      title: titleOf(asName(description.task) ?? taskShown(beside) ?? firstPrompt(entries)),
      model: lastWhere(entries, ({ model }) => model !== undefined)?.model ?? null,
      issues: entries
        .flatMap((entry) => tooDeepIssues(entry.parts, entry.origin.line))
        .map((issue) => ({ file: this.file, ...issue })),
      otherRecords: {},
      conversation: { entries, agentContext: contextOf(sent, []), agentCompactions: this.kind.compactionsOf(messages) },
      awaitsReply: awaitsReply(sent),
    };
    return { parsed, inUse: false };
  }
}

/** A message of the user role in which nothing is of the person: what stands around the results of tools. */
export function standingOf({ content }: JsonRecord): Standing {
  const texts = typeof content === 'string' ? [content] : asRecords(content).flatMap(({ text }) => asText(text) ?? []);
  return texts.length > 0 && texts.every((text) => injectedText.test(text)) ? 'injected' : 'person';
}

/** Results of tools were texts before the extensions used the tool calls of the models' own interfaces. */
const injectedText = /^\s*(<environment_details>|\[[\w-]+(?: for [\s\S]*?)?\] Result:|\[ERROR\]|<error>)/;

function named(beside: ReadonlyMap<string, JsonFile>, name: string): unknown {
  return [...beside].find(([file]) => basename(file) === name)?.[1].value;
}

/** What the person is shown begins with what they asked for. */
function taskShown(beside: ReadonlyMap<string, JsonFile>): string | null {
  return asName(asRecord(asList(named(beside, 'ui_messages.json'))[0])?.text);
}

function firstPrompt(entries: readonly Entry[]): string {
  const first = entries.find((entry) => entry.role === 'user' && !entry.injected);
  return first === undefined ? '' : textOf(first.parts).replace(/^\s*<(task|user_message)>\s*/, '');
}

/** Part of what the extension tells the model of its surroundings. */
function workingFolder(entries: readonly Entry[]): string | null {
  for (const entry of entries.slice(0, 10)) {
    const found = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/.exec(textOf(entry.parts))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
