import { type ImagePart, type Part, textOf, toolCalls, toolResults } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { readLine, recordsIn } from '../../../platform/lines/line';
import { type CompactedOrder, type ForkPiece, ForkRefused, type TitleOrder } from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import { CodexBuilder } from '../format/builder';
import { rolloutsBeside } from '../format/rollouts';
import { callTypes, type Items, summaryItem, withInstructions } from './items';

/**
 * The record with which Codex itself compacts, containing all items of its next request. After it come the records of
 * the environment that Codex has already told the model; without them Codex would send that context again.
 */
export async function* compacted(order: CompactedOrder): AsyncIterable<string> {
  const { builder, surroundings, nextOrdinal } = await readAgain(order);
  const items = new Map(builder.context().map((slot) => [slot.entry.id, slot.items]));
  const recorded = { items, types: callTypes(items) };
  const pieces = withInstructions(order.pieces, order.session.conversation.agentContext, items);
  const history = pieces.flatMap((piece) => itemsOf(piece, recorded, order.chance.uuid));
  const compaction = { type: 'compacted', payload: { message: messageOf(order.pieces), replacement_history: history } };
  let ordinal = nextOrdinal;
  for (const record of [compaction, ...surroundings]) {
    const { type, payload } = record;
    const timestamp = order.chance.now().toISOString();
    yield recordLine({ timestamp, ...(ordinal === null ? {} : { ordinal }), type, payload });
    ordinal = ordinal === null ? null : ordinal + 1;
  }
}

/** The event with which Codex itself logs a thread's new name. */
export async function titled({ session, lines, title, chance }: TitleOrder): Promise<s.JsonRecord> {
  let last: number | null = null;
  for await (const { record } of recordsIn(lines())) last = s.read(s.count, record.ordinal) ?? last;
  const payload = { type: 'thread_name_updated', thread_id: session.id, thread_name: title };
  const ordinal = last === null ? {} : { ordinal: last + 1 };
  return { timestamp: chance.now().toISOString(), ...ordinal, type: 'event_msg', payload };
}

interface ReadAgain {
  readonly builder: CodexBuilder;
  /** The environment since it was last written in full, and the newest settings of a turn. */
  readonly surroundings: readonly s.JsonRecord[];
  /** Null if this version's records have no ordinals. */
  readonly nextOrdinal: number | null;
}

async function readAgain({ session, lines }: CompactedOrder): Promise<ReadAgain> {
  const builder = new CodexBuilder(session.file, rolloutsBeside(session.file), { keepsItems: true });
  let worlds: s.JsonRecord[] = [];
  let turn: s.JsonRecord[] = [];
  let last: number | null = null;
  for await (const line of lines()) {
    builder.accept(line);
    const reading = readLine(line);
    if (reading.kind !== 'record') continue;
    const { record } = reading;
    last = s.read(s.count, record.ordinal) ?? last;
    if (record.type === 'turn_context') turn = [record];
    if (record.type !== 'world_state') continue;
    if (s.read(worldState, record.payload).full) worlds = [];
    worlds.push(record);
  }
  return { builder, surroundings: [...worlds, ...turn], nextOrdinal: last === null ? null : last + 1 };
}

const worldState = s.record({ full: s.flag });

/** The text that Codex displays for the compaction. */
function messageOf(pieces: readonly ForkPiece[]): string {
  return pieces.find((piece) => piece.kind === 'text')?.text ?? '';
}

/** Items and environment from the session's records. */
interface Recorded {
  readonly items: Items;
  readonly types: ReturnType<typeof callTypes>;
}

function itemsOf(piece: ForkPiece, { items, types }: Recorded, uuid: () => string): readonly s.JsonRecord[] {
  if (piece.kind === 'text') return [textItem(piece, uuid())];
  const recorded = items.get(piece.entry.id) ?? [];
  if (piece.kind === 'edited') return editedItems(piece, recorded, types);
  if (recorded.length > 0) return recorded;
  throw new ForkRefused(
    localizable('A message of this session has no record of its own, so it cannot be written for Codex.'),
  );
}

/** A block represents other messages, so it does not count as the person's prompt. */
function textItem({ role, text }: Extract<ForkPiece, { kind: 'text' }>, uuid: string): s.JsonRecord {
  const id = `msg_${uuid}`;
  return role === 'assistant'
    ? { type: 'message', id, role, content: [{ type: 'output_text', text }] }
    : { ...summaryItem([{ type: 'input_text', text }]), id };
}

/**
 * The records of an entry with its new text. An entry without a record (the artificial result of an interrupted call)
 * gets a new one.
 */
function editedItems(
  { entry, parts }: Edited,
  recorded: readonly s.JsonRecord[],
  types: Recorded['types'],
): s.JsonRecord[] {
  const [item] = recorded;
  const [result] = toolResults(parts);
  if (result !== undefined) return [{ ...(item ?? resultOf(result.callId, types)), output: outputOf(parts) }];
  if (toolCalls(parts).length > 0 || item?.type !== 'message') {
    throw new ForkRefused(
      localizable('A reply differs from what Codex recorded, and the format of Codex cannot express that.'),
    );
  }
  const type = entry.role === 'assistant' ? 'output_text' : 'input_text';
  return [{ ...item, content: [{ type, text: textOf(parts) }] }];
}

type Edited = Extract<ForkPiece, { kind: 'edited' }>;

function resultOf(callId: string, types: Recorded['types']): s.JsonRecord {
  const type = types.get(callId) === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: callId };
}

function outputOf(parts: readonly Part[]): string | s.JsonRecord[] {
  const texts = toolResults(parts).map(({ text }) => text);
  const images = parts.flatMap((part) => (part.type === 'image' && part.data !== null ? [imageItem(part)] : []));
  return images.length === 0 ? texts.join('\n') : [{ type: 'input_text', text: texts.join('\n') }, ...images];
}

function imageItem({ mediaType, data }: ImagePart): s.JsonRecord {
  return { type: 'input_image', image_url: `data:${mediaType};base64,${data}` };
}
