import type { ForkedBlock } from './forked';

/** The role of a message. Tool results have a role of their own, whatever the provider calls it. */
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
  /** Links the call to its result. Unique within a conversation. */
  readonly callId: string;
  readonly name: string;
  /** The arguments from the model, parsed if they were valid JSON. */
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
  /** Base64; null if the session file does not contain the picture. */
  readonly data: string | null;
}

/** Tool schemas. They take up context but are not message text. */
export interface ToolDefinitionsPart {
  readonly type: 'tool_definitions';
  readonly names: readonly string[];
  /** The schemas as JSON, as sent. */
  readonly text: string;
}

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | ImagePart | ToolDefinitionsPart;

/** The position of a record in the session file. It links everything on screen to its source. */
export interface Origin {
  readonly file: string;
  /** 1-based; 0 for records in a database. */
  readonly line: number;
}

/** Tokens of one reply as reported by the provider. `input` excludes cached tokens. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/**
 * One immutable message of a conversation. A reply is one entry, however many rows the session file uses for it. Every
 * tool result is an entry of its own.
 */
export interface Entry {
  /** The source's own id if it has one. Unique within the conversation. */
  readonly id: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  /** ISO 8601; null if the source has none. */
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly usage?: Usage;
  /**
   * Counted tokens of the request and this reply, if Strata sent the request: what `usage` is about. Absent: `usage` is
   * about the agent's whole context.
   */
  readonly countedTokens?: number;
  /**
   * Identifies what Strata had changed in the request that produced this reply; some models bind their thinking to it.
   * Empty: nothing was changed. Absent: unknown.
   */
  readonly sentPrefix?: string;
  readonly model?: string;
  /**
   * The agent's program wrote it. In the user role: reminders, notifications, shell output; it opens no turn. In the
   * assistant role: the program's own answer when no model was asked, such as to a command.
   */
  readonly injected?: true;
  /** An injected entry that holds for the whole conversation: rules, permissions, environment. Never summarised. */
  readonly standing?: true;
  /** The summary of a compaction by the agent itself. */
  readonly summary?: true;
  /** The protected core, which Strata wrote into a fork. */
  readonly core?: true;
  /** A block that Strata wrote into a fork. */
  readonly block?: ForkedBlock;
}

/** The marks that Strata's own sessions have. */
export const entryMarks = ['injected', 'standing', 'summary'] as const satisfies readonly (keyof Entry)[];

/** The marks of an entry that its message has too. */
export interface MessageMarks {
  /** A user-role message that no person wrote. It opens no turn. */
  readonly injected: boolean;
}

export function marksOf({ injected }: Entry): MessageMarks {
  return { injected: injected === true };
}

/** Whether a person wrote the entry. Summaries and reminders of the agent have the user role too. */
export function isPrompt({ role, injected, summary }: Pick<Entry, 'role' | 'injected' | 'summary'>): boolean {
  return role === 'user' && !injected && !summary;
}

/** The text that a person would read as the message, without reasoning, tool calls and results. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

/** The whole text of a part. Images and schemas have none. */
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

/** Joins adjacent text parts and adjacent reasoning parts. Drops empty ones. */
export function withTextsMerged(parts: readonly Part[]): Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type !== 'text' && part.type !== 'reasoning') merged.push(part);
    else if (last?.type === part.type) merged[merged.length - 1] = { ...last, text: last.text + part.text };
    else if (part.text !== '') merged.push(part);
  }
  // A copy, because a grown list keeps spare room, which is most of the memory of a short message.
  return merged.slice();
}

/** Tool arguments as the provider counts them: as JSON, or the raw string if they were not JSON. */
export function inputText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}

export function toolCalls(parts: readonly Part[]): ToolCallPart[] {
  return parts.filter((part): part is ToolCallPart => part.type === 'tool_call');
}

export function toolResults(parts: readonly Part[]): ToolResultPart[] {
  return parts.filter((part): part is ToolResultPart => part.type === 'tool_result');
}

/** In tokens; several times the largest window of any model. */
const largestReport = 20_000_000;

/** False if a report cannot be the size of a context. */
export function isPossibleUsage(usage: Usage): boolean {
  const counts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite];
  return counts.every((tokens) => tokens >= 0 && tokens <= largestReport) && contextTokensOf(usage) <= largestReport;
}

/** Tokens in the window after this reply: prompt, cached prompt and reply. */
export function contextTokensOf(usage: Usage): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
