import type { RowContent, RowNode } from './rows';

export function nodeOf(uuid: string, parent: RowNode | null, content: RowContent): RowNode {
  const isCompaction = content.kind === 'boundary' || content.kind === 'clearing';
  const compaction = isCompaction ? content.record : (parent?.compaction ?? null);
  return { uuid, parent, content, reply: replyBefore(parent, content), compaction };
}

function replyBefore(parent: RowNode | null, content: RowContent): RowNode['reply'] {
  if (content.kind === 'reply') return content.reply;
  return content.kind === 'state' || content.kind === 'attached' ? (parent?.reply ?? null) : null;
}
