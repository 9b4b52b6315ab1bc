import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import type { JsonRecord } from '../../platform/json/schemas';
import type { LazyMessageFormat } from '../formats/format';
import type { Outgoing } from '../recognition/outgoing';
import type { ChangedBody, ChangingBody } from './body-edit';

/** The content of a body besides its messages. */
export interface BodyFields {
  readonly model: string;
  /** System prompts outside the messages. */
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  /** Names of the fields that make the provider compact or edit the context itself. */
  readonly providerSide: readonly string[];
  /** The answer is streamed, and its provider reports no usage because nothing asks for it. Absent: it does. */
  readonly lacksUsage?: boolean;
}

/** The meaning of a body's fields, for one API. */
export interface BodyShape {
  /** The field with the messages. */
  readonly list: 'messages' | 'input';
  /** Null if the field has no messages. */
  messagesIn(value: unknown): readonly JsonRecord[] | null;
  /** The reason to give if `messagesIn` returns null. */
  readonly withoutMessages: string;
  formatOf(messages: readonly JsonRecord[]): LazyMessageFormat<JsonRecord>;
  fieldsOf(body: JsonRecord): BodyFields;
  /** Why a body does not contain the whole history; null if nothing in it says so. Absent: all bodies contain it. */
  missingHistory?(body: JsonRecord): string | null;
  /** Why a message does not contain all of its history; null if it does. Absent: all messages do. */
  missingItemOf?(message: JsonRecord): string | null;
  /** The name for `providerSide` of a message that the provider compacted or edited; null for others. Absent: there are none. */
  providerSideOf?(message: JsonRecord): string | null;
  changed(body: ChangingBody, outgoing: readonly Outgoing[]): ChangedBody;
}

/** Reads an answer while it streams through. */
export interface AnswerReader {
  /** New pieces in this text: text and reasoning at once, calls and usage when complete. Never throws. */
  read(text: string): readonly ChatPiece[];
  /** Call at the end of the body. */
  end(): { readonly pieces: readonly ChatPiece[]; readonly isWhole: boolean };
}

/** Why Strata answers a request with an error. */
export type RefusalReason = 'not-allowed' | 'too-large' | 'unreachable' | 'failed';

/** The HTTP protocol of one provider API. */
export interface WireProtocol {
  readonly name: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
  /** Whether a POST to this path (without query) asks for a reply. Strata ignores other paths of the API. */
  matches(path: string): boolean;
  readonly shape: BodyShape;
  /** A reader for this media type; null for other types, such as an error page. */
  answerReader(contentType: string): AnswerReader | null;
  /** An error body in the provider's format. */
  error(reason: RefusalReason, message: string): object;
}
