import type { ServerResponse } from 'node:http';
import {
  type Asked,
  type Behaviour,
  beginStream,
  json,
  reportedUsage,
  send,
  sendText,
  type Usage,
} from './scripted-model-server.ts';

/** A tool call that the scripted server makes in a chat. */

export interface ScriptedCall {
  /** Absent if the server gives no id. */
  readonly id?: string;
  readonly name: string;
  /** The arguments as the model writes them: JSON, or text that is not valid JSON. */
  readonly arguments: string;
  /** The field that Gemini adds to a call. */
  readonly extra_content?: unknown;
}

export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
  readonly usage?: Usage | null;
}

/** Streams a reply: reasoning, text, then each tool call in many small pieces. */
export function replies(reply: ScriptedReply): Behaviour {
  return streams(...chunksOf(reply));
}

/** The same reply as one piece of JSON, although a stream was requested. */
export function repliesAtOnce(reply: ScriptedReply): Behaviour {
  return (response) => json(response, 200, wholeOf(reply));
}

/** Streams any chunks, and ends the stream properly. */
export function streams(...chunks: readonly unknown[]): Behaviour {
  return (response) => {
    beginStream(response);
    for (const chunk of chunks) send(response, chunk);
    response.end('data: [DONE]\n\n');
  };
}

/** Streams these chunks, then breaks the connection. */
export function breaksAfterChunks(...chunks: readonly unknown[]): Behaviour {
  return (response) => {
    beginStream(response);
    for (const chunk of chunks) send(response, chunk);
    // Lets the written data arrive before the connection breaks.
    setTimeout(() => response.destroy(), 20);
  };
}

/** Begins an answer, sends nothing for a while, and continues. */
export function pausesWithin(first: string, milliseconds: number, second: string): Behaviour {
  return (response) => {
    beginStream(response);
    sendText(response, first);
    setTimeout(() => {
      sendText(response, second);
      send(response, finishChunk('stop'));
      response.end('data: [DONE]\n\n');
    }, milliseconds);
  };
}

export function textChunk(content: string): unknown {
  return { choices: [{ index: 0, delta: { content } }] };
}

/** A chunk with one piece of a tool call in its list. */
export function callChunk(piece: unknown): unknown {
  return { choices: [{ index: 0, delta: { tool_calls: [piece] } }] };
}

export function finishChunk(reason: string): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

/** The pieces of a call as OpenAI sends them: id and name first, then the arguments in parts. */
export function callChunks({ id, name, arguments: given, ...more }: ScriptedCall, index: number): unknown[] {
  const named = { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: '' } };
  const opening = { index, ...named, ...more };
  const pieces = given.match(/[\s\S]{1,7}/g) ?? [];
  return [opening, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map(callChunk);
}

function chunksOf({ text = '', reasoning, calls = [], finish, usage = reportedUsage }: ScriptedReply): unknown[] {
  return [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    ...(reasoning === undefined ? [] : [{ choices: [{ index: 0, delta: { reasoning_content: reasoning } }] }]),
    ...(text.match(/[\s\S]{1,40}/g) ?? []).map(textChunk),
    ...calls.flatMap(callChunks),
    finishChunk(finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    ...(usage ? [{ choices: [], usage }] : []),
  ];
}

function wholeOf({ text = '', reasoning, calls = [], finish, usage = reportedUsage }: ScriptedReply): unknown {
  const tool_calls = calls.map(({ id, name, arguments: given, ...more }) => ({
    ...(id === undefined ? {} : { id }),
    type: 'function',
    function: { name, arguments: given },
    ...more,
  }));
  const message = {
    role: 'assistant',
    content: text,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls } : {}),
  };
  const finish_reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  return { choices: [{ index: 0, message, finish_reason }], ...(usage ? { usage } : {}) };
}

/**
 * A model that calls tools. Words in the person's newest message control it: `TOOLS=n` calls a tool in each of n
 * replies before the answer, `PARALLEL` calls two at once, `USE=name` names the tool, and `PACE=ms` waits before each
 * piece. The answer repeats the message and has a number, so that no two are the same. Usage is the size of what was
 * sent; the beginning that it shares with the previous request counts as cached.
 */
export function answersTurn(): Behaviour {
  let requests = 0;
  let before = '';
  return (response, { body }) => {
    requests += 1;
    const turn = turnOf(body);
    const sent = JSON.stringify(body.messages ?? []);
    const reply = { ...replyOf(turn, requests), usage: usageOf(sent, before) };
    before = sent;
    if (body.stream !== true) return json(response, 200, wholeOf(reply));
    beginStream(response);
    void sendSlowly(response, chunksOf(reply), numberAfter('PACE', turn.message) ?? 0);
  };
}

interface Turn {
  /** The person's last message. */
  readonly message: string;
  /** Number of replies with tool calls since then. */
  readonly rounds: number;
  readonly tools: readonly Fields[];
}

type Fields = Readonly<Record<string, unknown>>;

function turnOf({ messages, tools }: Asked['body']): Turn {
  const said = listOf(messages);
  // A message that contains only a picture is the picture of a tool's result.
  const asked = said.findLastIndex(({ role, content }) => role === 'user' && textIn(content) !== '');
  const since = said.slice(asked + 1);
  return {
    message: textIn(said[asked]?.content),
    rounds: since.filter(({ tool_calls }) => Array.isArray(tool_calls)).length,
    tools: listOf(tools).map((tool) => fieldsOf(tool.function)),
  };
}

function replyOf({ message, rounds, tools }: Turn, number: number): ScriptedReply {
  const wanted = /USE=([\w-]+)/.exec(message)?.[1];
  const tool = tools.find(({ name }) => name === wanted) ?? tools[0];
  if (tool && rounds < (numberAfter('TOOLS', message) ?? 0)) {
    const atOnce = message.includes('PARALLEL') ? ['a', 'b'] : ['a'];
    const calls = atOnce.map((letter) => callOf(tool, `call-${number}-${letter}`));
    return { text: `Step ${rounds + 1}.`, calls };
  }
  const echo = message.slice(-160).replace(/\s+/g, ' ').trim();
  return { text: `Answer ${number} after ${rounds} ${rounds === 1 ? 'step' : 'steps'}: ${echo}` };
}

/** Fills in the required arguments of the tool, by the type of each property. */
function callOf({ name, parameters }: Fields, id: string): ScriptedCall {
  const { properties, required } = fieldsOf(parameters);
  const schemas = fieldsOf(properties);
  const names = Array.isArray(required) ? required.map(String) : [];
  const input = Object.fromEntries(
    names.map((property) => [property, exampleOf(property, fieldsOf(schemas[property]))]),
  );
  return { id, name: String(name), arguments: JSON.stringify(input) };
}

function exampleOf(name: string, { type, enum: choices }: Fields): unknown {
  if (Array.isArray(choices)) return choices[0];
  if (type === 'array') return [];
  if (type === 'object') return {};
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? 1 : `some ${name}`;
}

function usageOf(sent: string, before: string): Usage {
  let common = 0;
  while (common < sent.length && sent[common] === before[common]) common += 1;
  return {
    prompt_tokens: tokensIn(sent.length),
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: Math.floor(common / charactersPerToken) },
  };
}

const charactersPerToken = 4;

function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

async function sendSlowly(response: ServerResponse, chunks: readonly unknown[], pace: number): Promise<void> {
  for (const chunk of chunks) {
    if (pace > 0) await new Promise((resolve) => setTimeout(resolve, pace));
    if (response.destroyed) return;
    send(response, chunk);
  }
  response.end('data: [DONE]\n\n');
}

function numberAfter(word: string, text: string): number | null {
  const digits = new RegExp(`${word}=(\\d+)`).exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The text of a message, which is a string or a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n')
    .trim();
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
