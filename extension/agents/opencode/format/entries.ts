import type { Entry, Origin, Part } from '../../../engine/conversation/entry';
import { timeText } from '../../../platform/json/time-text';
import { splitMessage } from '../../../sessions/injected/split-by-author';
import type { IssueAtLine } from '../../../sessions/records/issues';
import { tooDeepIssues } from '../../../sessions/records/tool-input';
import {
  callPart,
  interruptedResult,
  isAdded,
  isByPerson,
  resultParts,
  sentResultParts,
  textPart,
  usageOf,
  userPart,
} from './content';
import type { EntryKind } from './entry-ids';
import {
  clearedAt,
  isLeftOut,
  isSummary,
  type MessagePart,
  modelOf,
  roleOf,
  type StoredMessage,
  startedSession,
  typeOf,
} from './message';

export interface MessageEntries {
  readonly message: StoredMessage;
  /** As recorded. */
  readonly entries: readonly Entry[];
  /** As OpenCode sends it to the model that wrote it; empty if OpenCode omits the message. */
  readonly steps: readonly Step[];
  readonly issues: readonly IssueAtLine[];
  /** Types of parts that do not belong to the conversation. */
  readonly others: readonly string[];
  readonly clearedResults: readonly ClearedResult[];
  /** Parts that started a session. */
  readonly starts: readonly MessagePart[];
}

export interface ClearedResult {
  readonly entryId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/** A reply with the results of its calls, or a user message. */
export interface Step {
  readonly entry: Entry;
  readonly results: readonly StepResult[];
}

interface StepResult {
  /** The entry that is sent for this call. */
  readonly entry: Entry;
  /** The call has no result, and the entry is OpenCode's placeholder for it. */
  readonly isPlaceholder: boolean;
}

/** Ids that are unique within the session. */
export interface SessionIds {
  /** Two calls may have the same id in the database. */
  callId(part: MessagePart): string;
  /** A message and a part may have the same id in the database. */
  entryId(kind: EntryKind, id: string): string;
}

export function messageEntries(message: StoredMessage, origin: Origin, ids: SessionIds): MessageEntries {
  const steps = stepsIn(message, origin, ids);
  const entries = steps.flatMap(({ entry, results }) => [entry, ...results.flatMap(({ recorded }) => recorded ?? [])]);
  return {
    message,
    entries,
    steps: isLeftOut(message) ? [] : steps,
    issues: [
      ...message.problems.map((problem) => ({ line: origin.line, message: problem })),
      ...entries.flatMap(({ parts }) => tooDeepIssues(parts, origin.line)),
    ],
    others: otherTypes(message),
    clearedResults: message.parts.flatMap((part) => clearedResult(part, ids)),
    starts: message.parts.filter((part) => startedSession(part) !== null),
  };
}

function stepsIn(message: StoredMessage, origin: Origin, ids: SessionIds): RecordedStep[] {
  switch (roleOf(message.data)) {
    case 'assistant':
      return replySteps(message, origin, ids);
    case 'user':
      return userSteps(message, origin, ids);
    case null:
      return [];
  }
}

const shownParts = new Set(['text', 'file', 'reasoning', 'tool', 'compaction', 'subtask']);

function otherTypes({ parts, data }: StoredMessage): string[] {
  const unknownRole = roleOf(data) === null ? [`message/${data.role ?? 'no role'}`] : [];
  return [...unknownRole, ...parts.map(typeOf).filter((type) => !shownParts.has(type))];
}

function clearedResult(part: MessagePart, ids: SessionIds): ClearedResult[] {
  const time = typeOf(part) === 'tool' ? clearedAt(part) : null;
  return time === null ? [] : [{ entryId: ids.entryId('part', part.id), time }];
}

/** A result as it is sent and as it is recorded; `recorded` is null if there is none. */
interface RecordedResult extends StepResult {
  readonly recorded: Entry | null;
}

interface RecordedStep extends Step {
  readonly results: readonly RecordedResult[];
}

function userSteps(message: StoredMessage, origin: Origin, ids: SessionIds): RecordedStep[] {
  const added = new Set<Part>();
  const parts = message.parts.flatMap((part) => {
    const own = userPart(part);
    if (isAdded(part)) for (const one of own) added.add(one);
    return own;
  });
  if (parts.length === 0) return [];
  const place = { id: ids.entryId('message', message.id), timestamp: timeOf(message), origin };
  const entry: Entry = { ...place, role: 'user', parts };
  const isPersons = isByPerson(message.parts);
  return [
    { entry: isPersons ? splitMessage(entry, (part) => added.has(part)) : { ...entry, injected: true }, results: [] },
  ];
}

function replySteps(message: StoredMessage, origin: Origin, ids: SessionIds): RecordedStep[] {
  return stepsOf(message.parts).flatMap((parts, index) => {
    const content = parts.flatMap((part) => contentOf(part, ids));
    if (content.length === 0) return [];
    const entry: Entry = {
      id: index === 0 ? ids.entryId('message', message.id) : ids.entryId('step', `${message.id}/${index + 1}`),
      role: 'assistant',
      parts: content,
      timestamp: timeOf(message),
      origin,
      ...usageAndModel(message, parts),
      ...(isSummary(message) ? { summary: true as const } : {}),
    };
    const calls = parts.filter((part) => typeOf(part) === 'tool');
    return [{ entry, results: calls.map((part) => resultOf(part, ids, entry)) }];
  });
}

/** Usually one step per message. Older versions wrote several replies into one message. */
function stepsOf(parts: readonly MessagePart[]): MessagePart[][] {
  const steps: MessagePart[][] = [[]];
  for (const part of parts) {
    if (typeOf(part) === 'step-start' && steps.at(-1)?.some((before) => typeOf(before) !== 'step-start'))
      steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
}

function contentOf(part: MessagePart, ids: SessionIds): Part[] {
  switch (typeOf(part)) {
    case 'text':
      return textPart(part.data.text);
    case 'reasoning':
      return part.data.text === '' ? [] : [{ type: 'reasoning', text: part.data.text }];
    case 'tool':
      return [callPart(part, ids.callId(part))];
    default:
      return [];
  }
}

/** The message repeats the usage of its last step, so it counts only where no step says it. */
function usageAndModel(message: StoredMessage, parts: readonly MessagePart[]): Pick<Entry, 'usage' | 'model'> {
  const finish = parts.find((part) => typeOf(part) === 'step-finish');
  const isOnly = message.parts.filter((part) => typeOf(part) === 'step-start').length <= 1;
  const usage = usageOf(finish?.data.tokens ?? (isOnly ? message.data.tokens : null));
  const { modelID: model } = message.data;
  return { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
}

function resultOf(part: MessagePart, ids: SessionIds, reply: Entry): RecordedResult {
  const callId = ids.callId(part);
  const place = { role: 'tool' as const, timestamp: reply.timestamp, origin: reply.origin };
  const parts = resultParts(part, callId);
  if (parts === null) {
    const placeholder: Entry = {
      ...place,
      id: ids.entryId('no result', `${part.id}:no-result`),
      timestamp: null,
      parts: [interruptedResult(part, callId)],
    };
    return { entry: placeholder, isPlaceholder: true, recorded: null };
  }
  const recorded: Entry = { ...place, id: ids.entryId('part', part.id), parts };
  const sent = sentResultParts(part, callId, parts);
  return { entry: sent === parts ? recorded : { ...recorded, parts: sent }, isPlaceholder: false, recorded };
}

function timeOf({ created }: StoredMessage): string | null {
  return created === 0 ? null : timeText(created);
}

/** A reply of another model than the one that is asked: OpenCode sends its reasoning as text. */
export function asSentTo(model: string, { message, steps }: MessageEntries): readonly Step[] {
  if (message.data.role !== 'assistant' || model === '' || modelOf(message) === model) return steps;
  return steps.map((step) => ({ ...step, entry: withReasoningAsText(step.entry) }));
}

function withReasoningAsText(entry: Entry): Entry {
  if (!entry.parts.some((part) => part.type === 'reasoning')) return entry;
  const parts = entry.parts.flatMap((part): Part[] =>
    part.type !== 'reasoning' ? [part] : part.text.trim() === '' ? [] : textPart(part.text),
  );
  return { ...entry, parts };
}
