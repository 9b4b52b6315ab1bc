export type ToolInput =
  | { readonly kind: 'json'; readonly input: unknown }
  | { readonly kind: 'none'; readonly input: Readonly<Record<string, never>> }
  /** As the model wrote it. */
  | { readonly kind: 'not-json'; readonly input: string };

/** The arguments of a tool call, from the text that a model wrote. A tool that takes none is often given no text. */
export function toolInput(text: string): ToolInput {
  if (text.trim() === '') return { kind: 'none', input: {} };
  try {
    const input: unknown = JSON.parse(text);
    // A string stands for text that is no JSON, so one in JSON keeps its quotes.
    return { kind: 'json', input: typeof input === 'string' ? text : input };
  } catch {
    // Models do write broken JSON; whoever runs the tool tells them so.
    return { kind: 'not-json', input: text };
  }
}
