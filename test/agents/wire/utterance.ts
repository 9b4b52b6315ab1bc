/** One thing that was said in a conversation, in whichever way an API or a session file puts it. */
export type Utterance =
  | { readonly kind: 'text'; readonly role: 'user' | 'assistant' | 'system'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly callId: string; readonly text: string };

/** What a request asked for, in the order of the wire. */
export interface WireRequest {
  /** The system prompt, where the API keeps it apart from the messages or at their head. */
  readonly system: string;
  readonly said: readonly Utterance[];
  readonly tools: readonly string[];
}

export function spoken(role: 'user' | 'assistant' | 'system', text: string): Utterance[] {
  return text === '' ? [] : [{ kind: 'text', role, text }];
}

/** The same, with the text of each that is said in the user role changed. */
export function withUserTexts(said: readonly Utterance[], change: (text: string) => string): Utterance[] {
  return said.map((one) => (one.kind === 'text' && one.role === 'user' ? { ...one, text: change(one.text) } : one));
}

/**
 * Utterances as lines that can be compared and read: neighbouring texts of one role are one line without empty lines in
 * it, because agents differ in where and how they part them, and calls are numbered in order, because some APIs have no
 * ids for them.
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

/** APIs that send arguments as a string and those that send an object mean the same. */
function inputText(input: unknown): string {
  return typeof input === 'string' ? JSON.stringify(parsed(input)) : JSON.stringify(input);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A tool that takes free text.
    return text;
  }
}
