import type { Usage } from '../../../extension/engine/conversation/entry';
import type { Utterance, WireRequest } from '../wire/utterance';

export interface ScriptedCall {
  readonly name: string;
  /** The tool's namespace, for APIs that group tools. */
  readonly namespace?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The tools of an agent that the model calls, with input that works in the scratch folder. */
export interface Toolbox {
  /** Prints data.txt in a shell. */
  readonly look: ScriptedCall;
  /** Reads README.md. */
  readonly read: ScriptedCall;
  /** Starts a subagent with this prompt. */
  readonly delegate?: (prompt: string) => ScriptedCall;
}

/**
 * The purpose of a request. `other`: a title and the like, which is not part of the conversation. `refused`: it got no
 * reply, because it was too long.
 */
export type Purpose = 'turn' | 'subagent' | 'summary' | 'other' | 'refused';

export interface ScriptedReply {
  readonly purpose: Purpose;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ScriptedCall[];
  readonly usage: Usage;
}

/** Part of every summary that the scripted model writes. */
export const summaryMark = 'The marker is FACT-ALPHA-42.';

/**
 * The reply of the model. Words in the newest prompt control it: `TOOLS=n` calls tools in each of n replies before the
 * answer; `PARALLEL` calls two at once; `SUBAGENT` delegates first; `HEAVY=n` reports a nearly full context with the
 * reply after n steps; `TOOLONG=n` refuses the request after n steps as too long. With `ONCE=name`, the last two apply
 * only the first time. `number` is the number of the request. No two replies and no two usages are the same.
 */
export function scriptedReply(request: WireRequest, tools: Toolbox, number: number, told: Set<string>): ScriptedReply {
  const said = { reasoning: `Thought ${number}.`, calls: [], usage: usageOf(number) };
  const sections = askedSections(request);
  if (sections.length > 0) return { ...said, purpose: 'summary', text: sectionedSummary(sections, number) };
  // The context in the question may contain anything, even instructions for a summary, so this is checked first.
  if (asksAboutContext(request)) return { ...said, purpose: 'other', text: `Answer ${number} about the context.` };
  if (asksForSummary(request)) return { ...said, purpose: 'summary', text: summaryText(request, number) };
  const prompt = newestPrompt(request.said);
  // A request without tools comes from the agent itself, for example for a title.
  if (request.tools.length === 0) return { ...said, purpose: 'other', text: `Title ${number}` };
  if (prompt === null) return { ...said, purpose: 'turn', text: `Answer ${number} unprompted.` };
  const purpose = prompt.text.includes(subtaskMark) ? 'subagent' : 'turn';
  if (isDue('TOOLONG', prompt, told)) return { ...said, purpose: 'refused', text: '' };
  const usage = isDue('HEAVY', prompt, told) ? heavyUsage(number) : said.usage;
  const calls = callsFor(prompt, tools);
  if (calls.length > 0) return { ...said, purpose, usage, text: `Step ${prompt.rounds + 1}.`, calls };
  return { ...said, purpose, usage, text: `Answer ${number} after ${prompt.rounds} steps.` };
}

/** Whether this is a question of Strata after the context that it refers to. */
function asksAboutContext({ said }: WireRequest): boolean {
  const asked = said.filter((one) => one.kind === 'text' && one.role === 'user').at(-1);
  return asked?.kind === 'text' && /\] END OF THE CONTEXT\n/.test(asked.text.slice(-3000));
}

/** The sections of the summary that Strata asks for; empty for any other request. */
function askedSections({ said }: WireRequest): string[] {
  const asked = said.filter((one) => one.kind === 'text' && one.role === 'user').at(-1);
  if (asked?.kind !== 'text' || !/Now write the (?:summary|updated memory)/.test(asked.text)) return [];
  const [task = ''] = asked.text.split('BEGIN QUOTATION');
  return [...task.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
}

/** Writes text into two of the sections and nothing into the others. */
function sectionedSummary(sections: readonly string[], number: number): string {
  const body = `- Read the notes of the project. ${summaryMark}`;
  return [sections[0], sections.at(-1)].map((name) => `## ${name}\n${body} Part ${number}.`).join('\n\n');
}

const subtaskMark = 'SUBTASK';

interface Prompt {
  readonly text: string;
  /** The number of replies with calls since the prompt. */
  readonly rounds: number;
}

const directive = /TOOLS=(\d+)/;

/** The newest prompt of the person. If no message has it any more, it is taken from the quotation in a block. */
function newestPrompt(said: readonly Utterance[]): Prompt | null {
  const directs = (one: Utterance) => one.kind === 'text' && directive.test(one.text);
  const asked = said.findLastIndex((one) => directs(one) && 'role' in one && one.role === 'user');
  const at = asked < 0 ? said.findLastIndex(directs) : asked;
  const prompt = said[at];
  if (prompt?.kind !== 'text') return null;
  return {
    text: prompt.text.slice(Math.max(0, prompt.text.lastIndexOf('TOOLS=') - 200)),
    rounds: roundsIn(said.slice(at + 1)),
  };
}

/** The number of rounds. Calls that follow one another without a result between them are one round. */
function roundsIn(said: readonly Utterance[]): number {
  const acts = said.filter(({ kind }) => kind !== 'text');
  return acts.filter(({ kind }, index) => kind === 'call' && acts[index - 1]?.kind !== 'call').length;
}

function callsFor({ text, rounds }: Prompt, { look, read, delegate }: Toolbox): ScriptedCall[] {
  if (rounds >= Number([...text.matchAll(new RegExp(directive, 'g'))].at(-1)?.[1])) return [];
  if (rounds === 0 && delegate !== undefined && text.includes('SUBAGENT')) {
    return [delegate(`${subtaskMark} TOOLS=1 look at README.md and tell its marker`)];
  }
  if (text.includes('PARALLEL')) return [look, read];
  return rounds % 2 === 0 ? [look] : [read];
}

const summaryRequest =
  /summari[sz]ation a|summari[sz]ing (?:the )?conversation|<state_snapshot>|CONTEXT CHECKPOINT|detailed summary|anchored summary|summari[sz]e this session|detailed prompt for continuing/i;

/**
 * Some agents ask for the summary in the system prompt and send the conversation as text; others ask in a last message.
 */
function asksForSummary({ system, said }: WireRequest): boolean {
  const last = said.filter((one) => one.kind === 'text' && one.role === 'user').at(-1);
  return summaryRequest.test(system.slice(0, 2000)) || (last?.kind === 'text' && summaryRequest.test(last.text));
}

/** The summary in the tags that the agent asked for, because some agents recognize their summaries by them. */
function summaryText({ system, said }: WireRequest, number: number): string {
  const tag = `${system}${JSON.stringify(said.at(-1))}`.includes('state_snapshot') ? 'state_snapshot' : 'summary';
  return `<${tag}>\nSummary ${number} of the work so far. ${summaryMark}\n</${tag}>`;
}

/** `told`: the names of the events that may happen only once and have happened. */
function isDue(word: 'HEAVY' | 'TOOLONG', { text, rounds }: Prompt, told: Set<string>): boolean {
  if (!text.includes(`${word}=${rounds}`)) return false;
  const [, name] = /ONCE=(\w+)/.exec(text) ?? [];
  if (name === undefined) return true;
  const isFirst = !told.has(name);
  told.add(name);
  return isFirst;
}

function usageOf(number: number): Usage {
  return { input: 1000 + number, output: 20 + number, cacheRead: 500 + 10 * number, cacheWrite: 0 };
}

function heavyUsage(number: number): Usage {
  return { ...usageOf(number), input: 195_000 + number };
}
