import { textOf } from '../../engine/conversation/entry';
import * as s from '../../sessions/records/schemas';
import { anthropic, blocksOf, textBlock } from '../formats/anthropic';
import type { Outgoing } from '../recognition/outgoing';
import { anthropicAnswer } from './answers/anthropic';
import { piecesOf } from './body-messages';
import type { BodyFields, BodyShape, ChangedBody, ChangingBody, RefusalReason, WireProtocol } from './protocol';
import { BodyText, messagesIn, noMessages, toolsOf } from './request-body';
import { listWith, type Member, type Piece } from './splice';

/** `/threads/…/messages` is an OpenAI path and does not ask for a reply. */
function matches(path: string): boolean {
  return path.endsWith('/messages') && !/\/threads\/[^/]+\/messages$/.test(path);
}

const requestBody = s.record({
  model: s.text,
  system: s.anything,
  context_management: s.record({ edits: s.records({ type: s.text }) }),
  compaction: s.jsonRecord,
});

const shape: BodyShape = {
  list: 'messages',
  messagesIn,
  withoutMessages: noMessages,
  formatOf: () => anthropic,
  fieldsOf,
  elsewhere: () => null,
  refersElsewhere: () => null,
  providerSideOf: (message) => (hasCompaction(message) ? 'compaction' : null),
  changed: changedBody,
};

function fieldsOf(body: s.JsonRecord): BodyFields {
  const fields = s.read(requestBody, body);
  const system = systemOf(fields.system);
  return { model: fields.model, system, tools: toolsOf(body.tools), providerSide: providerSide(fields) };
}

/** First line of Claude Code’s system prompt, for billing. Ignored, because it has no content and changes. */
const billingHeader = 'x-anthropic-billing-header:';

function systemOf(system: unknown): string[] {
  return blocksOf(system)
    .flatMap(({ text }) => s.read(s.name, text) ?? [])
    .filter((text) => !text.startsWith(billingHeader));
}

function providerSide({ context_management: management, compaction }: s.Read<typeof requestBody>): string[] {
  // Clearing of thinking is not compaction. Claude Code sets it in every request, to keep all thinking.
  const edits = management.edits.some(({ type }) => !type.startsWith('clear_thinking'));
  return [...(edits ? ['context_management'] : []), ...(compaction === null ? [] : ['compaction'])];
}

function hasCompaction({ content }: s.JsonRecord): boolean {
  return s.read(s.list, content).some((block) => s.isRecord(block) && block.type === 'compaction');
}

function changedBody(changing: ChangingBody, outgoing: readonly Outgoing[]): ChangedBody {
  const cores = outgoing.flatMap((one) => (one.kind === 'made' && one.message.kind === 'core' ? [one.message] : []));
  const spoken = outgoing.filter((one) => one.kind !== 'made' || one.message.kind !== 'core');
  const body = new BodyText(changing);
  const texts = cores.map(({ parts }) => textOf(parts));
  if (texts.length > 0) withSystem(body, texts);
  return body.with(piecesOf(changing.messages, spoken));
}

/** Appends after the client's system prompt, so that the provider's cache of it stays valid. */
function withSystem(body: BodyText, texts: readonly string[]): BodyText {
  const added = texts.map((text): Piece => ({ kind: 'new', text: JSON.stringify(textBlock(text)) }));
  const system = body.members.get('system');
  if (system !== undefined) return body.replace(system, systemWith(body, system, added));
  const start = body.members.get('messages')?.nameStart ?? 0;
  return body.insert(start, `"system":${listOf(added)},`);
}

function systemWith(body: BodyText, system: Member, added: readonly Piece[]): string {
  const before = body.textOf(system);
  const kept = system.elements.map((_, index): Piece => ({ kind: 'kept', index }));
  if (before.startsWith('[')) return listWith(body.text, system, [...kept, ...added]);
  const isText = before.startsWith('"') && before !== '""';
  return listOf(isText ? [{ kind: 'new', text: `{"type":"text","text":${before}}` }, ...added] : added);
}

function listOf(pieces: readonly Piece[]): string {
  return `[${pieces.map((piece) => (piece.kind === 'new' ? piece.text : '')).join(',')}]`;
}

const types: Readonly<Record<RefusalReason, string>> = {
  'not-allowed': 'permission_error',
  'too-large': 'request_too_large',
  unreachable: 'api_error',
  failed: 'api_error',
};

function error(reason: RefusalReason, message: string): object {
  return { type: 'error', error: { type: types[reason], message } };
}

/** Anthropic's Messages API. */
export const anthropicMessagesProtocol: WireProtocol = {
  name: 'anthropic-messages',
  matches,
  shape,
  answerReader: anthropicAnswer,
  error,
};
