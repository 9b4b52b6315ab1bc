import { emptyMemory, type Memory } from '../block/memory';
import type { WrittenBlock } from '../block/strategy';
import type { Span } from '../block/summary';
import type { Inquiry } from './inquiry';

/** The block of a memory strategy, with the cost of its requests to the model. */
export function writtenBlock(
  strategy: string,
  inquiry: Inquiry,
  { body, spans, memory }: { body: string; spans: readonly Span[]; memory: Partial<Memory> },
): WrittenBlock {
  return {
    body,
    spans,
    tokensSpent: inquiry.tokensSpent,
    promptHash: inquiry.promptHash,
    writer: { name: strategy, model: inquiry.model?.model ?? null },
    memory: { ...emptyMemory, ...memory },
  };
}
