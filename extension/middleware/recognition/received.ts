import type {
  Entry,
  ImagePart,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../engine/conversation/entry';

/** A result together with the pictures that it brought. */
export interface ReceivedResult extends ToolResultPart {
  readonly images: readonly ImagePart[];
}

export type ReceivedPart = TextPart | ReasoningPart | ToolCallPart | ImagePart | ReceivedResult;

/**
 * One message of a request, as far as it can be read. Results stand in the message of a user, as providers want them;
 * what cannot be read has no part here, and goes out with the message that it came in.
 */
export interface ReceivedMessage {
  readonly role: Exclude<Role, 'tool'>;
  readonly parts: readonly ReceivedPart[];
}

/** An entry of which nobody has said yet in which file it stands. */
export type UnplacedEntry = Omit<Entry, 'origin'>;
