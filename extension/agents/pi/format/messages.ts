import { type Entry, type Part, textOf } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { EntryPlace } from '../../../sessions/records/line-session';
import { resultParts } from '../../../sessions/records/tool-result';
import { contentParts, partsWithoutCalls, usageOf } from './content';

/** A message of the file as a message of the conversation. */
export interface PiMessage {
  readonly entry: Entry;
  /** Whether pi sends it, as of version 0.87.1. */
  readonly fate: Fate;
  /** Whether a `context_edit` may replace its content. */
  readonly replaceable: boolean;
}

type Fate =
  | 'sent'
  /** A reply that was aborted or ended in an error. pi does not send it, but it ends the wait for earlier results. */
  | 'stopped'
  /** A shell command that a person hid from the model (`!!`), or a message without content. */
  | 'withheld';

/** Null for an unknown role. */
export function piMessage(message: s.JsonRecord, place: EntryPlace, isFirstPrompt: boolean): PiMessage | null {
  switch (message.role) {
    case 'system':
      return systemMessage(message, place, isFirstPrompt);
    case 'user':
      return sent({ ...place, role: 'user', parts: partsWithoutCalls(message.content) }, true);
    case 'assistant':
      return replyMessage(message, place);
    case 'toolResult':
      return sent({ ...place, role: 'tool', parts: toolResultParts(message) }, true);
    case 'bashExecution':
      return shellCommand(message, place);
    // The name of `custom` in version 2 of the format.
    case 'hookMessage':
    case 'custom':
      return injected(partsWithoutCalls(message.content), place, true);
    default:
      return null;
  }
}

export function systemMessage(message: s.JsonRecord, place: EntryPlace, isFirst: boolean): PiMessage {
  return sent({ ...place, role: 'system', parts: systemParts(message, isFirst) }, false);
}

/** Text in the user role that no person wrote. */
export function injected(parts: readonly Part[], place: EntryPlace, replaceable: boolean): PiMessage {
  return sent({ ...place, role: 'user', parts, injected: true }, replaceable);
}

function sent(entry: Entry, replaceable: boolean): PiMessage {
  return { entry, fate: entry.parts.length === 0 ? 'withheld' : 'sent', replaceable };
}

/** The same message with the content of a `context_edit`. */
export function withContent(message: PiMessage, content: unknown): PiMessage {
  const { entry } = message;
  const [first] = entry.parts;
  const given = entry.role === 'assistant' ? contentParts(content) : partsWithoutCalls(content);
  const parts = first?.type === 'tool_result' ? resultParts(first, given) : given;
  return { ...message, entry: { ...entry, parts } };
}

const reply = s.record({ content: s.anything, usage: s.anything, model: s.name, stopReason: s.name });

function replyMessage(message: s.JsonRecord, place: EntryPlace): PiMessage {
  const { content, model, stopReason, ...fields } = s.read(reply, message);
  const usage = usageOf(fields.usage);
  const entry: Entry = {
    ...place,
    role: 'assistant',
    parts: contentParts(content),
    ...(usage === null ? {} : { usage }),
    ...(model === null ? {} : { model }),
  };
  const isStopped = stopReason === 'aborted' || stopReason === 'error';
  const fate = isStopped ? 'stopped' : entry.parts.some(hasContent) ? 'sent' : 'withheld';
  return { entry, fate, replaceable: true };
}

function hasContent(part: Part): boolean {
  return part.type === 'text' || part.type === 'reasoning' ? part.text.trim() !== '' : true;
}

const toolResult = s.record({ toolCallId: s.name, toolName: s.name, isError: s.flag, content: s.anything });

function toolResultParts(message: s.JsonRecord): readonly Part[] {
  const { toolCallId: callId, toolName: name, isError, content } = s.read(toolResult, message);
  return callId === null ? [] : resultParts({ callId, name, isError }, contentParts(content));
}

const systemPrompt = s.record({
  content: s.anything,
  sections: s.jsonRecord,
  toolsAdded: s.jsonRecords,
});

/**
 * The prompt as pi composes it: its text, then its sections, separated by empty lines. A later message only changes
 * sections, so each of them is named there.
 */
function systemParts(message: s.JsonRecord, isFirst: boolean): Part[] {
  const { content, sections, toolsAdded } = s.read(systemPrompt, message);
  const sectionTexts = Object.entries(sections ?? {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : null;
    return isFirst ? (text ?? '') : sectionChange(name, text);
  });
  const texts = [textOf(contentParts(content)), ...sectionTexts].filter((text) => text !== '');
  const text: Part[] = texts.length === 0 ? [] : [{ type: 'text', text: texts.join('\n\n') }];
  return [...text, ...toolParts(toolsAdded)];
}

function sectionChange(name: string, text: string | null): string {
  return text === null ? `The section "${name}" was taken out.` : `The section "${name}" now reads:\n\n${text}`;
}

const named = s.record({ name: s.name });

function toolParts(tools: readonly s.JsonRecord[]): Part[] {
  if (tools.length === 0) return [];
  const names = tools.flatMap((tool) => s.read(named, tool).name ?? []);
  return [{ type: 'tool_definitions', names, text: JSON.stringify(tools) }];
}

const execution = s.record({
  command: s.text,
  output: s.text,
  exitCode: s.count,
  cancelled: s.flag,
  truncated: s.flag,
  fullOutputPath: s.name,
  excludeFromContext: s.flag,
});

/** A command that a person ran from pi's prompt: pi sends the command, its output and how it ended. */
function shellCommand(message: s.JsonRecord, place: EntryPlace): PiMessage {
  const shell = s.read(execution, message);
  const output = shell.output === '' ? '(nothing printed)' : shell.output;
  const text = [`$ ${shell.command}`, output, ...endOf(shell)].join('\n');
  const command = injected([{ type: 'text', text }], place, false);
  return shell.excludeFromContext ? { ...command, fate: 'withheld' } : command;
}

function endOf({ exitCode, cancelled, truncated, fullOutputPath }: s.Read<typeof execution>): string[] {
  return [
    ...(cancelled ? ['(cancelled)'] : []),
    ...(!cancelled && exitCode !== null && exitCode !== 0 ? [`(exit code ${exitCode})`] : []),
    ...(truncated && fullOutputPath !== null ? [`(cut short; all of it is in ${fullOutputPath})`] : []),
  ];
}
