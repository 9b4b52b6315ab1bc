import { parsedJson } from '../../platform/json/json-text';

type ToolInput =
  | { readonly kind: 'json'; readonly input: unknown }
  | { readonly kind: 'none'; readonly input: Readonly<Record<string, never>> }
  /** As the model wrote it. */
  | { readonly kind: 'not-json'; readonly input: string };

/** Parses the arguments of a tool call from the model's text. For a tool without arguments the text is often empty. */
export function toolInput(text: string): ToolInput {
  if (text.trim() === '') return { kind: 'none', input: {} };
  const input = parsedJson(text);
  // Models do write invalid JSON; the caller, which runs the tool, reports it to them.
  if (input === undefined) return { kind: 'not-json', input: text };
  // A string result means text that is not JSON, so a JSON string keeps its quotes.
  return { kind: 'json', input: typeof input === 'string' ? text : input };
}
