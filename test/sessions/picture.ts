import type { Entry, Part } from '../../extension/engine/conversation/entry';

/** A conversation in short: a line for each entry, such as `user: fix it` or `tool: Bash → a.txt`. */
export function picture(entries: readonly Entry[]): string[] {
  return entries.map((entry) => `${speaker(entry)}: ${entry.parts.map(pictureOf).join(' + ')}`);
}

/** The number of entries of each role. */
export function speakers(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries) counts[speaker(entry)] = (counts[speaker(entry)] ?? 0) + 1;
  return counts;
}

export function speakerAndLine(entry: Entry): string {
  return `${speaker(entry)} ${entry.origin.line}`;
}

function speaker(entry: Entry): string {
  if (entry.summary) return 'summary';
  return entry.injected ? 'injected' : entry.role;
}

function pictureOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'reasoning':
      return `(${part.text})`;
    case 'tool_call':
      return `${part.name} ${part.callId}`;
    case 'tool_result':
      return `${part.callId} → ${part.text}${part.isError ? ' !' : ''}`;
    case 'image':
      return `[${part.mediaType}]`;
    case 'tool_definitions':
      return `tools ${part.names.join(' ')}`;
  }
}

export function startOf(entry: Entry | undefined, length = 40): string {
  return (picture(entry === undefined ? [] : [entry])[0] ?? '').slice(0, length);
}
