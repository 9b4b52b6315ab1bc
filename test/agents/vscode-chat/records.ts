import type { Key } from '../../../extension/agents/vscode-chat/format/mutations';

/** Builders for VS Code's stored chats: lines of the log, requests, and parts of responses. */

type Fields = Readonly<Record<string, unknown>>;

export function began(requests: readonly unknown[] = [], more: Fields = {}): Fields {
  return { kind: 0, v: { version: 3, creationDate: 1_790_000_000_000, sessionId: 'chat-1', requests, ...more } };
}

export function set(k: readonly Key[], v: unknown): Fields {
  return { kind: 1, k, v };
}

export function push(k: readonly Key[], v?: readonly unknown[], i?: number): Fields {
  return { kind: 2, k, ...(v === undefined ? {} : { v }), ...(i === undefined ? {} : { i }) };
}

export function remove(k: readonly Key[]): Fields {
  return { kind: 3, k };
}

export function asked(id: string, text: string, response: readonly unknown[] = [], more: Fields = {}): Fields {
  return {
    requestId: id,
    responseId: `${id}-response`,
    timestamp: 1_790_000_000_000,
    modelId: 'copilot/gpt-5',
    message: { text, parts: [{ kind: 'text', text }] },
    variableData: { variables: [] },
    response,
    modelState: { value: 1, completedAt: 1_790_000_001_000 },
    ...more,
  };
}

export function markdown(value: string): Fields {
  return { value, supportThemeIcons: false, supportHtml: false };
}

export function thought(value: string | readonly string[]): Fields {
  return { kind: 'thinking', value, id: 'thinking-1' };
}

export function tool(toolCallId: string, toolId: string, more: Fields = {}): Fields {
  return {
    kind: 'toolInvocationSerialized',
    toolCallId,
    toolId,
    invocationMessage: { value: `Running ${toolId}` },
    isConfirmed: { type: 1 },
    isComplete: true,
    ...more,
  };
}

/** The recorded input and output of a tool. */
export function answered(input: unknown, ...texts: readonly string[]): Fields {
  const output = texts.map((value) => ({ type: 'embed', isText: true, value }));
  return { resultDetails: { input: JSON.stringify(input), output, isError: false } };
}

export const pending = { modelState: { value: 0 } };
