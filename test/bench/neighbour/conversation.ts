import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sources = resolve(import.meta.dirname, '../../../extension');

/** Number of steps between two prompts. */
const stepsPerTurn = 12;

/** Characters of one tool result. */
const resultLength = 6_000;

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/**
 * Messages of a coding session that reads Strata's own sources, up to this many bytes. The last message is a prompt.
 */
export function codingSession(bytes: number): ChatMessage[] {
  const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n');
  const messages: ChatMessage[] = [{ role: 'system', content: 'You are a coding agent.' }];
  let size = 0;
  for (let step = 0; size < bytes; step += 1) {
    const added = stepMessages(step, text);
    messages.push(...added);
    size += JSON.stringify(added).length;
  }
  return [...messages, { role: 'user', content: 'Thank you. Now write the changelog.' }];
}

function stepMessages(step: number, text: string): ChatMessage[] {
  const turn = Math.floor(step / stepsPerTurn);
  const path = `src/part-${step % 40}/module-${step}.ts`;
  const id = `call_${step}`;
  const start = (step * resultLength) % (text.length - resultLength);
  const said: ChatMessage[] = [
    {
      role: 'assistant',
      content: `Reading module ${step} to see how part ${turn} is wired.`,
      tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
    },
    { role: 'tool', tool_call_id: id, content: `// ${path}\n${text.slice(start, start + resultLength)}` },
  ];
  if (step % stepsPerTurn !== 0) return said;
  const closing: ChatMessage[] =
    step === 0 ? [] : [{ role: 'assistant', content: `Part ${turn - 1} is done and its tests pass.` }];
  const prompt = `Rework part ${turn}: keep the public names, never change the wire format, and run test-${turn}.`;
  return [...closing, { role: 'user', content: prompt }, ...said];
}
