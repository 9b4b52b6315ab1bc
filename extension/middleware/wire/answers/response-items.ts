import type { ReasoningPart, TextPart, ToolCallPart } from '../../../engine/conversation/entry';
import * as s from '../../../sessions/records/schemas';
import { readableReasoning } from '../../formats/openai-responses';
import { responsesCall, responsesContent } from '../../formats/openai-responses-calls';
import { textPiece } from './reader';

type Piece = TextPart | ReasoningPart | ToolCallPart;

/** The pieces of one response item. None for tools that the provider runs. */
export function itemPieces(item: s.JsonRecord): Piece[] {
  switch (item.type) {
    case 'message':
      return textPiece('text', spoken(item.content));
    case 'reasoning':
      return textPiece('reasoning', readableReasoning(item));
    default:
      return [responsesCall(item) ?? []].flat();
  }
}

/** The piece that a stream event adds; null if there is none. */
export function deltaPiece({ type, delta }: s.JsonRecord): TextPart | ReasoningPart | null {
  const text = s.read(s.name, delta);
  if (text === null) return null;
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { type: 'text', text };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { type: 'reasoning', text };
    default:
      return null;
  }
}

function spoken(content: unknown): string {
  return responsesContent(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}
