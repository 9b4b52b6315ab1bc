import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { Entry, Part, Role, Usage } from '../../extension/engine/conversation/entry';
import { TokenLedger } from '../../extension/engine/conversation/tokens';

/** Small pictures of conversations: `talk(user('fix it'), call('a', 'read'), result('a'), assistant('done'))`. */
export type Said = Omit<Entry, 'id' | 'origin' | 'timestamp'> & { readonly id?: string };

export function user(text: string): Said {
  return say('user', { type: 'text', text });
}

export function injected(text: string): Said {
  return { ...user(text), injected: true };
}

/**
 * An instruction that holds for the whole conversation: rules, permissions, environment. The agent sends it in the role
 * `user`.
 */
export function standing(text: string): Said {
  return { ...injected(text), standing: true };
}

export function system(text: string): Said {
  return say('system', { type: 'text', text });
}

export function agentSummary(text: string): Said {
  return { ...user(text), summary: true };
}

export function assistant(text: string, usage?: Usage): Said {
  return { ...say('assistant', { type: 'text', text }), ...(usage ? { usage } : {}) };
}

export function call(callId: string, name = 'read', input: unknown = { path: `src/${callId}.ts` }, text = ''): Said {
  const parts: Part[] = [{ type: 'tool_call', callId, name, input }];
  return say('assistant', ...(text === '' ? [] : [{ type: 'text', text } as const]), ...parts);
}

export function calls(...ids: string[]): Said {
  return say('assistant', ...ids.map((callId) => ({ type: 'tool_call', callId, name: 'read', input: {} }) as const));
}

export function result(callId: string, text = `contents of ${callId}`, isError = false): Said {
  return say('tool', { type: 'tool_result', callId, name: null, text, isError });
}

function say(role: Role, ...parts: Part[]): Said {
  return { role, parts };
}

export function talk(...said: readonly (Said | readonly Said[])[]): Conversation {
  const entries = said.flat().map(
    (entry, index): Entry => ({
      id: `e${index + 1}`,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
      origin: { file: 'session.jsonl', line: index + 1 },
      ...entry,
    }),
  );
  return { entries, agentContext: entries, agentCompactions: [] };
}

/** A text long enough that compacting it saves tokens. */
export function long(text: string, sentences = 40): string {
  return Array.from(
    { length: sentences },
    (_, index) => `${text} Sentence ${index} tells of src/part-${index}.ts.`,
  ).join(' ');
}

/** A turn with tools: the person asks, the agent reads, the agent answers. */
export function toolTurn(name: string): Said[] {
  return [
    user(`Please work on ${name}.`),
    call(`${name}-1`, 'read', { path: `src/${name}.ts` }, `I look at ${name} first.`),
    result(`${name}-1`, long(`The file of ${name}.`)),
    call(`${name}-2`, 'edit', { path: `src/${name}.ts` }),
    result(`${name}-2`, 'edited'),
    assistant(`I fixed ${name} because it was broken.`),
  ];
}

/** Counts four characters as one token, which is fast and the same everywhere. */
export function quickLedger(): TokenLedger {
  return new TokenLedger((text) => Math.ceil(text.length / 4));
}
