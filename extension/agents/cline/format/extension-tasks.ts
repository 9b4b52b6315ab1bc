import { basename, dirname, join } from 'node:path';
import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, textOf } from '../../../engine/conversation/entry';
import type { AgentEnvironment } from '../../../platform/files/environment';
import { append } from '../../../platform/json/append';
import * as s from '../../../platform/json/schemas';
import { splitByAuthor } from '../../../sessions/injected/split-by-author';
import { clineText } from '../../../sessions/injected/whole-texts';
import { titleOf } from '../../../sessions/records/title';
import { tooDeepIssues } from '../../../sessions/records/tool-input';
import type { AgentId } from '../../../sessions/session';
import { blocksOf } from './content';
import { awaitsReply, contextOf } from './context';
import type { JsonFile } from './json-file';
import { firstPrompt, type Message, type MessageFields, MessageReader, type UserMessageKind } from './messages';
import type { BuiltSession, SessionFiles, WholeFileBuilder } from './reading';

/*
 * Tasks of Cline's VS Code extension and of its forks, according to their public sources. Each task is a folder with the
 * messages as they are sent (a list as in Anthropic's API), the messages shown to the person, and, in Roo Code, a
 * description.
 */

const historyName = 'api_conversation_history.json';

const historyItem = s.record({ id: s.name, workspace: s.name, cwdOnTaskInitialization: s.name, task: s.name });
const textRecord = s.record({ text: s.name });

/** How one of these extensions differs from the others. */
interface TaskKind {
  readonly agent: AgentId;
  /** The extension's id, also the name of its folder. */
  readonly extension: string;
  readonly kindOf: (message: MessageFields) => UserMessageKind;
  /** Selects the messages that are sent from all that are stored. */
  readonly sentOf: (messages: readonly Message[]) => readonly Message[];
  readonly compactionsOf: (messages: readonly Message[]) => readonly AgentCompaction[];
}

interface TaskFormat {
  roots(environment: AgentEnvironment): string[];
  mayBeSession(path: string): boolean;
  recognises(file: string, beginning: Buffer): boolean;
  companions(file: string): string[];
  builder(file: string): WholeFileBuilder;
}

export function taskFormat(kind: TaskKind): TaskFormat {
  const isOwn = (path: string) => basename(path) === historyName && path.split(/[\\/]/).includes(kind.extension);
  return {
    roots: ({ editorFolders = [] }) =>
      editorFolders.map((folder) => join(folder, 'globalStorage', kind.extension, 'tasks')),
    mayBeSession: isOwn,
    recognises: (file, beginning) => isOwn(file) && beginning.toString('utf8').trimStart().startsWith('['),
    companions: (file) => [join(dirname(file), 'ui_messages.json'), join(dirname(file), 'history_item.json')],
    builder: (file) => new TaskBuilder(file, kind),
  };
}

export const clineExtension = taskFormat({
  agent: 'cline',
  extension: 'saoudrizwan.claude-dev',
  kindOf: userMessageKind,
  sentOf: (messages) => messages,
  compactionsOf: () => [],
});

class TaskBuilder implements WholeFileBuilder {
  readonly #messages: MessageReader;

  constructor(
    private readonly file: string,
    private readonly kind: TaskKind,
  ) {
    this.#messages = new MessageReader(file, '', kind.kindOf);
  }

  build({ messages: file, sidecars }: SessionFiles): BuiltSession {
    const messages = this.#messages.read(file);
    const description = s.read(historyItem, named(sidecars, 'history_item.json'));
    const sent = this.kind.sentOf(messages);
    const entries: Entry[] = [];
    for (const message of messages) append(entries, message.entries);
    const parsed = {
      agent: this.kind.agent,
      id: description.id ?? basename(dirname(this.file)),
      file: this.file,
      cwd: description.workspace ?? description.cwdOnTaskInitialization ?? workingFolder(entries),
      title: titleOf(description.task ?? shownTask(sidecars) ?? firstPrompt(entries)),
      model: entries.findLast(({ model }) => model !== undefined)?.model ?? null,
      issues: entries
        .flatMap((entry) => tooDeepIssues(entry.parts, entry.origin.line))
        .map((issue) => ({ file: this.file, ...issue })),
      otherRecords: {},
      conversation: splitByAuthor(
        { entries, agentContext: contextOf(sent, []), agentCompactions: this.kind.compactionsOf(messages) },
        { haveFrames: true },
      ),
      awaitsReply: awaitsReply(sent),
    };
    return { parsed, inUse: false };
  }
}

/** A user message is injected if all its texts are the extension's own, such as the texts around tool results. */
export function userMessageKind({ content }: MessageFields): UserMessageKind {
  const texts = blocksOf(content).flatMap(({ text }) => s.read(s.textOrNull, text) ?? []);
  return texts.length > 0 && texts.every((text) => clineText.test(text)) ? 'injected' : 'person';
}

function named(sidecars: ReadonlyMap<string, JsonFile>, name: string): unknown {
  return [...sidecars].find(([file]) => basename(file) === name)?.[1].value;
}

/** The first message shown to the person is the task. */
function shownTask(sidecars: ReadonlyMap<string, JsonFile>): string | null {
  return s.read(textRecord, s.read(s.list, named(sidecars, 'ui_messages.json'))[0]).text;
}

/** The working folder that the extension reports to the model. */
function workingFolder(entries: readonly Entry[]): string | null {
  for (const entry of entries.slice(0, 10)) {
    const found = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/.exec(textOf(entry.parts))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
