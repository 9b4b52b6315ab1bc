import { blockForm, type ContextKind } from './context';
import type { Entry } from './entry';

export function entryKind(entry: Entry): ContextKind {
  if (entry.core) return 'core';
  if (entry.block) return blockForm(entry.block.metadata.summary_type).kind;
  if (entry.standing) return 'system';
  if (entry.summary) return 'summary';
  if (entry.role === 'tool') return 'tool_result';
  if (entry.role !== 'assistant') return entry.role;
  return entry.parts.some((part) => part.type === 'tool_call') ? 'tool_call' : 'assistant';
}
