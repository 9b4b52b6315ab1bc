import type { ReasoningPart, TextPart, ToolCallPart } from '../../../engine/conversation/entry';
import { asName, asRecords, type JsonRecord } from '../../../sessions/records/json';
import { responsesCall, responsesContent } from '../../formats/openai-responses-calls';

type Piece = TextPart | ReasoningPart | ToolCallPart;

/** The pieces of one response item. None for tools that the provider runs. */
export function itemPieces(item: JsonRecord): Piece[] {
  switch (item.type) {
    case 'message':
      return textPiece('text', spoken(item.content));
    case 'reasoning':
      return textPiece('reasoning', thoughts(item).join('\n\n'));
    default:
      return [responsesCall(item) ?? []].flat();
  }
}

/** The piece that a stream event adds; null if there is none. */
export function deltaPiece({ type, delta }: JsonRecord): TextPart | ReasoningPart | null {
  const text = asName(delta);
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

function thoughts({ summary, content }: JsonRecord): string[] {
  return [...asRecords(summary), ...asRecords(content)].flatMap(({ text }) => asName(text) ?? []);
}

function textPiece(type: 'text' | 'reasoning', text: string): Piece[] {
  return text === '' ? [] : [{ type, text }];
}
