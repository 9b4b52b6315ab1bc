/** One utterance of a conversation, independent of the API or session file that it comes from. */
export type Utterance =
  | { readonly kind: 'text'; readonly role: 'user' | 'assistant' | 'system'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly text: string };

/** The content of a request, in the order in which it was sent. */
export interface WireRequest {
  /** The system prompt, whether the API has a field for it or puts it before the messages. */
  readonly system: string;
  readonly said: readonly Utterance[];
  readonly tools: readonly string[];
}

export function spoken(role: 'user' | 'assistant' | 'system', text: string): Utterance[] {
  return text === '' ? [] : [{ kind: 'text', role, text }];
}

/** The same utterances, with every text in the user role changed by this function. */
export function withUserTexts(said: readonly Utterance[], change: (text: string) => string): Utterance[] {
  return said.map((one) => (one.kind === 'text' && one.role === 'user' ? { ...one, text: change(one.text) } : one));
}

/**
 * Utterances as lines that can be compared and read. Adjacent texts of one role are one line without empty lines,
 * because agents split them differently. Calls are numbered in order, because some APIs have no ids for them.
 */
export function pictureOf(said: readonly Utterance[]): string[] {
  const numbers = new Map<string, number>();
  return joined(said).map((utterance) => lineOf(utterance, numbers));
}

function lineOf(utterance: Utterance, numbers: Map<string, number>): string {
  switch (utterance.kind) {
    case 'text':
      return `${utterance.role}: ${utterance.text.replace(/\n\s*\n/g, '\n')}`;
    case 'call':
      numbers.set(utterance.callId, numbers.size + 1);
      return `call ${numbers.get(utterance.callId)}: ${utterance.name} ${inputText(utterance.input)}`;
    case 'result':
      return `result ${numbers.get(utterance.callId) ?? 'without a call'}: ${utterance.text.trim()}`;
  }
}

function joined(said: readonly Utterance[]): Utterance[] {
  const lines: Utterance[] = [];
  for (const utterance of said) {
    const last = lines.at(-1);
    if (utterance.kind !== 'text') lines.push(utterance);
    else if (utterance.text.trim() === '') continue;
    else if (last?.kind === 'text' && last.role === utterance.role)
      lines[lines.length - 1] = { ...last, text: `${last.text}\n${utterance.text.trim()}` };
    else lines.push({ ...utterance, text: utterance.text.trim() });
  }
  return lines;
}

/** Some APIs send arguments as a string and others as an object; both mean the same. */
function inputText(input: unknown): string {
  return typeof input === 'string' ? JSON.stringify(parsed(input)) : JSON.stringify(input);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The tool takes free text.
    return text;
  }
}
