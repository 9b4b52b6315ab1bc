import { dirname, join } from 'node:path';
import { type Entry, type ImagePart, type Part, textOf, toolCalls } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { type Line, recordsIn } from '../../../platform/lines/line';
import {
  type Chance,
  type CompactedOrder,
  type CopyOrder,
  type ForkFormat,
  type ForkPiece,
  ForkRefused,
  partsOf,
  refusals,
  type TitleOrder,
} from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import type { ParsedSession } from '../../../sessions/session';
import { images } from '../format/messages';
import { event, toolResult } from '../format/records';

/**
 * Writes new Copilot sessions: the original's events under another session id, then an event that clears the context, as
 * extensions cause it, and the messages again. Copilot replays them when it resumes (observed with 1.0.102).
 */
export const copilotCliFork: ForkFormat = {
  place: (original, chance) => {
    const id = chance.uuid();
    return { id, file: join(dirname(dirname(original.file)), id, 'events.jsonl') };
  },
  copy,
  compacted,
  titled,
  mends: {
    links: { id: 'id', parent: 'parentId' },
    beginning: { type: 'session.start', make: startEvent },
    asText: (record, strays) => resultAsText(record, strays),
  },
};

/** Marks messages that no person wrote; Copilot leaves them out of the prompts that its own summaries repeat. */
const source = 'strata';

async function* copy({ original, place, lines, before }: CopyOrder): AsyncIterable<string> {
  if (original.parent !== undefined)
    throw new ForkRefused(localizable('Copilot CLI cannot resume the conversation of a subagent.'));
  if (before !== null) await checkPrompt(before, lines());
  for await (const { record, line } of recordsIn(lines())) {
    if (line.number === before?.origin.line) return;
    yield recordLine(withSessionId(record, original.id, place.id));
  }
}

async function checkPrompt(before: Entry, lines: AsyncIterable<Line>): Promise<void> {
  let wasSaid = false;
  for await (const { record, line } of recordsIn(lines)) {
    const { type, id, agentId } = s.read(event, record);
    if (line.number === before.origin.line && before.id.startsWith(id ?? `line-${line.number}`)) {
      if (wasSaid) return;
      throw refusals.nothingBefore();
    }
    wasSaid ||= type === 'user.message' && agentId === null;
  }
  throw refusals.promptMoved();
}

function withSessionId(record: s.JsonRecord, original: string, id: string): s.JsonRecord {
  const data = s.read(s.jsonRecord, record.data);
  return data?.sessionId === original ? { ...record, data: { ...data, sessionId: id } } : record;
}

async function* compacted({ session, lines, pieces, chance }: CompactedOrder): AsyncIterable<string> {
  let parent = await newestId(lines());
  const messagesCleared = session.conversation.agentContext.filter(({ role }) => role !== 'system').length;
  const [first, ...others] = pieces;
  const startsWithText = first?.kind === 'text' && first.role === 'user';
  const cleared = { messagesCleared, ...(startsWithText ? { initialMessage: first.text } : {}) };
  const events: Event[] = [{ type: 'session.context_cleared', data: cleared }];
  for (const piece of startsWithText ? others : pieces) events.push(...eventsOf(piece, chance));
  for (const { type, data } of events) {
    const id = chance.uuid();
    yield recordLine({ type, data, id, timestamp: chance.now().toISOString(), parentId: parent });
    parent = id;
  }
}

async function titled({ lines, title, chance }: TitleOrder): Promise<s.JsonRecord> {
  const parentId = await newestId(lines());
  const timestamp = chance.now().toISOString();
  return { type: 'session.title_changed', data: { title }, id: chance.uuid(), timestamp, parentId };
}

async function newestId(lines: AsyncIterable<Line>): Promise<string | null> {
  let newest: string | null = null;
  for await (const { record } of recordsIn(lines)) newest = s.read(event, record).id ?? newest;
  return newest;
}

interface Event {
  readonly type: string;
  readonly data: s.JsonRecord;
}

function eventsOf(piece: ForkPiece, chance: Chance): Event[] {
  if (piece.kind === 'text') {
    const { role, text } = piece;
    return [role === 'user' ? userEvent(text, [], true) : replyEvent([{ type: 'text', text }], chance)];
  }
  const { entry } = piece;
  const parts = partsOf(piece);
  switch (entry.role) {
    case 'user':
      return [userEvent(textOf(parts), picturesIn(parts), entry.injected === true)];
    case 'assistant':
      return [replyEvent(parts, chance)];
    case 'tool':
      return [resultEvent(parts)];
    case 'system':
      return [];
  }
}

function userEvent(content: string, pictures: readonly ImagePart[], injected: boolean): Event {
  const attachments = pictures.map(({ mediaType, data }) => ({ type: 'blob', mimeType: mediaType, data }));
  return {
    type: 'user.message',
    data: {
      content,
      ...(injected ? { source } : {}),
      ...(attachments.length === 0 ? {} : { attachments }),
    },
  };
}

function replyEvent(parts: readonly Part[], chance: Chance): Event {
  const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  return {
    type: 'assistant.message',
    data: {
      messageId: chance.uuid(),
      content: textOf(parts),
      toolRequests: toolCalls(parts).map(({ callId, name, input }) => ({
        toolCallId: callId,
        name,
        arguments: input,
        type: 'function',
      })),
      ...(reasoning.length === 0 ? {} : { reasoningText: reasoning.join('\n') }),
    },
  };
}

function resultEvent(parts: readonly Part[]): Event {
  const [result] = parts;
  if (result?.type !== 'tool_result') throw new Error('An entry of a tool begins with a result');
  const { callId, text, isError } = result;
  const pictures = picturesIn(parts).map(({ mediaType, data }) => ({ type: 'image', mimeType: mediaType, data }));
  const outcome = isError
    ? { success: false, error: { message: text, code: 'failure' } }
    : {
        success: true,
        result: { content: text, ...(pictures.length === 0 ? {} : { binaryResultsForLlm: pictures }) },
      };
  return { type: 'tool.execution_complete', data: { toolCallId: callId, ...outcome } };
}

function picturesIn(parts: readonly Part[]): ImagePart[] {
  const pictures = parts.filter((part) => part.type === 'image');
  if (pictures.every(({ data }) => data !== null)) return pictures;
  throw refusals.pictureMissing();
}

function startEvent({ id: sessionId, cwd, model }: ParsedSession, next: s.JsonRecord, chance: Chance): s.JsonRecord {
  const { timestamp } = next;
  const data = {
    sessionId,
    version: 1,
    producer: 'copilot-agent',
    copilotVersion: '0.0.0',
    startTime: timestamp,
    ...(model === null ? {} : { selectedModel: model }),
    context: cwd === null ? {} : { cwd },
    alreadyInUse: false,
    remoteSteerable: false,
  };
  // The first remaining record names it as its parent.
  const id = s.read(s.name, next.parentId) ?? chance.uuid();
  return { type: 'session.start', data, id, timestamp, parentId: null };
}

function resultAsText(record: s.JsonRecord, strays: ReadonlyMap<string, string>): s.JsonRecord {
  if (record.type !== 'tool.execution_complete') return record;
  const { toolCallId, result } = s.read(toolResult, record.data);
  const text = strays.get(toolCallId ?? '');
  if (text === undefined) return record;
  return { ...record, ...userEvent(text, images(result.binaryResultsForLlm, new Map()), true) };
}
