import type {
  Entry,
  ImagePart,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../engine/conversation/entry';
import { costOfOne } from '../../engine/conversation/long-work';
import * as s from '../../platform/json/schemas';

/** A result together with the images it returned. */
export interface ReceivedResult extends ToolResultPart {
  readonly images: readonly ImagePart[];
}

export type ReceivedPart = TextPart | ReasoningPart | ToolCallPart | ImagePart | ReceivedResult;

/**
 * One message of a request. Results are in a user message, as providers require. Content that cannot be read has no
 * part here and is sent with its message.
 */
export interface ReceivedMessage {
  readonly role: Exclude<Role, 'tool'>;
  readonly parts: readonly ReceivedPart[];
  /** Where a reply has thinking that its provider may require again. Absent: it has none. */
  readonly thinking?: ThinkingPlace | undefined;
}

/** At the beginning of a reply, or only later in it. */
export type ThinkingPlace = 'first' | 'later';

/** `isThinking`: of each part of a reply. */
export function thinkingPlace(isThinking: readonly boolean[]): { readonly thinking?: ThinkingPlace } {
  const at = isThinking.indexOf(true);
  return at === -1 ? {} : { thinking: at === 0 ? 'first' : 'later' };
}

/** An entry without an origin. */
export type UnplacedEntry = Omit<Entry, 'origin'>;

/** Cost of reading and hashing parts: the length of their text and images, in UTF-16 units. */
export function costOfParts(parts: readonly ReceivedPart[]): number {
  return parts.reduce((cost, part) => cost + costOfPart(part), costOfOne);
}

function costOfPart(part: ReceivedPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'image':
      return part.data?.length ?? 0;
    case 'tool_call':
      return costOfInput(part.input);
    case 'tool_result':
      return part.images.reduce((sum, image) => sum + costOfPart(image), part.text.length);
  }
}

function costOfInput(input: unknown): number {
  const values = s.isRecord(input) ? Object.values(input) : [input];
  return values.reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
