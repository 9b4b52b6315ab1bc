/** Who a message speaks as on the wire. A tool result has a role of its own, whatever the provider calls it. */
export type Role = 'system' | 'user' | 'assistant' | 'tool';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
}

export interface ToolCallPart {
  readonly type: 'tool_call';
  /** Joins the call to its result; unique within a conversation. */
  readonly callId: string;
  readonly name: string;
  /** The arguments as the model gave them, parsed where they were valid JSON. */
  readonly input: unknown;
}

export interface ToolResultPart {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly name: string | null;
  readonly text: string;
  readonly isError: boolean;
}

export interface ImagePart {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64, or null where the session file does not hold the picture itself. */
  readonly data: string | null;
}

/** Tool schemas take up context like any text, but are no message text. */
export interface ToolDefinitionsPart {
  readonly type: 'tool_definitions';
  readonly names: readonly string[];
  /** The schemas as JSON, as they are sent. */
  readonly text: string;
}

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | ImagePart | ToolDefinitionsPart;

/** Where in the session file a record stands, so that everything on screen leads back to it. */
export interface Origin {
  readonly file: string;
  /** 1-based; 0 where the record stands in no line: in a database. */
  readonly line: number;
}

/** Tokens of one reply as the provider reported them. `input` leaves out the cached part. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/**
 * One immutable message of a conversation. A reply is one entry, however many rows the session file spends on it, and
 * every tool result is an entry of its own.
 */
export interface Entry {
  /** The source's own id where it has one; unique within the conversation. */
  readonly id: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  /** ISO 8601, or null where the source has none. */
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly usage?: Usage;
  /**
   * Counted tokens of what was sent for this reply, the reply included, where Strata sent it: what the usage is about.
   * Absent: everything that the agent had in its context.
   */
  readonly countedTokens?: number;
  readonly model?: string;
  /** A user-role entry that no person wrote: reminders, notifications, output of a shell command. It opens no turn. */
  readonly injected?: true;
  /** This entry is the summary that the agent's own compaction put in place of older entries. */
  readonly summary?: true;
}

/** What a person said. An agent's summaries and reminders stand under the user role as well. */
export function isPrompt({ role, injected, summary }: Pick<Entry, 'role' | 'injected' | 'summary'>): boolean {
  return role === 'user' && !injected && !summary;
}

export type EntryKind = 'system' | 'summary' | 'user' | 'assistant' | 'tool_call' | 'tool_result';

export function entryKind(entry: Entry): EntryKind {
  if (entry.summary) return 'summary';
  if (entry.role === 'tool') return 'tool_result';
  if (entry.role !== 'assistant') return entry.role;
  return entry.parts.some((part) => part.type === 'tool_call') ? 'tool_call' : 'assistant';
}

/** The text of the parts that a person would read as the message: no reasoning, no tool calls, no results. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

/** Everything a part says, as plain text; pictures and schemas say nothing. */
export function readableText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool_result':
      return part.text;
    case 'tool_call':
      return `${part.name} ${inputText(part.input)}`;
    case 'image':
    case 'tool_definitions':
      return '';
  }
}

/** Adjacent pieces of text, or of reasoning, are one part; empty ones are none. */
export function withTextsMerged(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type !== 'text' && part.type !== 'reasoning') merged.push(part);
    else if (last?.type === part.type) merged[merged.length - 1] = { ...last, text: last.text + part.text };
    else if (part.text !== '') merged.push(part);
  }
  return merged;
}

/** Tool arguments as the provider counts them: JSON, or the raw string where it was no JSON. */
export function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}

export function toolCalls(parts: readonly Part[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
}

export function toolResults(parts: readonly Part[]): ToolResultPart[] {
  return parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
}

/** Tokens in the window once this reply was given: prompt, cached prompt and reply together. */
export function contextTokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
