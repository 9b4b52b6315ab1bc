import type { Entry, Part, Role } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { contentParts, contentText, usageOf } from './content';

/** A message of the file as a message of the conversation. */
export interface PiMessage {
  readonly entry: Entry;
  /** How far pi sends it, going by version 0.87.1. */
  readonly fate: Fate;
  /** Whether a `context_edit` may put other content in its place. */
  readonly replaceable: boolean;
}

export type Fate =
  | 'sent'
  /** A reply that was aborted or ended in an error: pi leaves it out, but it ends the wait for results before it. */
  | 'stopped'
  /** A shell command that a person kept from the model (`!!`), or a message that says nothing. */
  | 'withheld';

export type EntryPlace = Pick<Entry, 'id' | 'timestamp' | 'origin'>;

/** Null for a role that Strata does not know. */
export function piMessage(message: JsonRecord, place: EntryPlace, isFirstPrompt: boolean): PiMessage | null {
  switch (message.role) {
    case 'system':
      return sent({ ...place, role: 'system', parts: systemParts(message, isFirstPrompt) }, false);
    case 'user':
      return sent({ ...place, role: 'user', parts: contentParts(message.content) }, true);
    case 'assistant':
      return reply(message, place);
    case 'toolResult':
      return sent({ ...place, role: 'tool', parts: resultParts(message) }, true);
    case 'bashExecution':
      return shellCommand(message, place);
    // Called hookMessage in version 2 of the format.
    case 'hookMessage':
    case 'custom':
      return injected(contentParts(message.content), place, true);
    default:
      return null;
  }
}

/** Text in the user role that no person wrote. */
export function injected(parts: readonly Part[], place: EntryPlace, replaceable: boolean): PiMessage {
  return sent({ ...place, role: 'user', parts, injected: true }, replaceable);
}

function sent(entry: Entry, replaceable: boolean): PiMessage {
  return { entry, fate: entry.parts.length === 0 ? 'withheld' : 'sent', replaceable };
}

/** The same message with other content, as a `context_edit` gives it. */
export function withContent(message: PiMessage, content: unknown): PiMessage {
  const { entry } = message;
  const parts = contentParts(content);
  const [first] = entry.parts;
  if (first?.type !== 'tool_result') return { ...message, entry: { ...entry, parts } };
  const images = parts.filter((part) => part.type === 'image');
  return { ...message, entry: { ...entry, parts: [{ ...first, text: contentText(parts) }, ...images] } };
}

function reply(message: JsonRecord, place: EntryPlace): PiMessage {
  const usage = usageOf(message.usage);
  const model = asName(message.model);
  const entry: Entry = {
    ...place,
    role: 'assistant',
    parts: contentParts(message.content),
    ...(usage === null ? {} : { usage }),
    ...(model === null ? {} : { model }),
  };
  if (message.stopReason === 'aborted' || message.stopReason === 'error') {
    return { entry, fate: 'stopped', replaceable: true };
  }
  return { entry, fate: entry.parts.some(saysSomething) ? 'sent' : 'withheld', replaceable: true };
}

function saysSomething(part: Part): boolean {
  return part.type === 'text' || part.type === 'reasoning' ? part.text.trim() !== '' : true;
}

function resultParts(message: JsonRecord): Part[] {
  const callId = asName(message.toolCallId);
  if (callId === null) return [];
  const parts = contentParts(message.content);
  const images = parts.filter((part) => part.type === 'image');
  const name = asName(message.toolName);
  const result: Part = {
    type: 'tool_result',
    callId,
    name,
    text: contentText(parts),
    isError: message.isError === true,
  };
  return [result, ...images];
}

/**
 * The prompt: its text, then its sections, with empty lines between them, as pi puts them together. A later message only
 * changes sections, so there each says which one it is.
 */
function systemParts(message: JsonRecord, isFirst: boolean): Part[] {
  const sections = Object.entries(asRecord(message.sections) ?? {}).map(([name, value]) =>
    isFirst ? (asText(value) ?? '') : sectionChange(name, asText(value)),
  );
  const texts = [contentText(contentParts(message.content)), ...sections].filter((text) => text !== '');
  const text: Part[] = texts.length === 0 ? [] : [{ type: 'text', text: texts.join('\n\n') }];
  return [...text, ...toolParts(asRecords(message.toolsAdded))];
}

function sectionChange(name: string, text: string | null): string {
  return text === null ? `The section "${name}" was taken out.` : `The section "${name}" now reads:\n\n${text}`;
}

function toolParts(tools: readonly JsonRecord[]): Part[] {
  if (tools.length === 0) return [];
  const names = tools.flatMap((tool) => asName(tool.name) ?? []);
  return [{ type: 'tool_definitions', names, text: JSON.stringify(tools) }];
}

/** A command that a person ran from pi's prompt: pi tells the model the command, its output and how it ended. */
function shellCommand(message: JsonRecord, place: EntryPlace): PiMessage {
  const output = asText(message.output) ?? '';
  const lines = [
    `$ ${asText(message.command) ?? ''}`,
    output === '' ? '(nothing printed)' : output,
    ...howItEnded(message),
  ];
  const shell = injected([{ type: 'text', text: lines.join('\n') }], place, false);
  return message.excludeFromContext === true ? { ...shell, fate: 'withheld' } : shell;
}

function howItEnded(message: JsonRecord): string[] {
  const exitCode = asCount(message.exitCode);
  const fullOutput = asName(message.fullOutputPath);
  return [
    ...(message.cancelled === true ? ['(cancelled)'] : []),
    ...(message.cancelled !== true && exitCode !== null && exitCode !== 0 ? [`(exit code ${exitCode})`] : []),
    ...(message.truncated === true && fullOutput !== null ? [`(cut short; all of it is in ${fullOutput})`] : []),
  ];
}

export function roleOf(message: JsonRecord): Role | string {
  return asName(message.role) ?? 'no role';
}
