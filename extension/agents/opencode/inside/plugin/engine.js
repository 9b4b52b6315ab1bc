import { randomUUID } from 'node:crypto';

/*
 * A model without a network, which OpenCode asks for the text of a compaction. Plugin and provider are loaded apart, so
 * they meet in the process.
 */

const mark = Symbol.for('strata.opencode.answers');
globalThis[mark] ??= new Map();
const waiting = globalThis[mark];
const tokens = /strata-compaction-[0-9a-f-]{36}/;

/** Answers to requests by their token; each is a function of the prompt. */
export const answers = {
  keep(answer) {
    const token = `strata-compaction-${randomUUID()}`;
    waiting.set(token, answer);
    return token;
  },
};

export function tokenIn(text) {
  return tokens.exec(text)?.[0] ?? null;
}

/** Asks the model of the session itself, in a session of its own that is then deleted. */
export async function ownModel(client, directory, session, prompt) {
  const query = { directory };
  const { data: messages = [] } = await client.session.messages({ path: { id: session }, query });
  const { model } = messages.findLast(({ info }) => info.role === 'user' && info.model)?.info ?? {};
  const { data: own } = await client.session.create({ body: { title: 'Compaction', parentID: session }, query });
  try {
    const body = { model, tools: { '*': false }, parts: [{ type: 'text', text: prompt }] };
    const { data: reply } = await client.session.prompt({ path: { id: own.id }, body, query });
    const text = reply?.parts?.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n') ?? '';
    if (text === '') throw new Error('The model of the session wrote no summary');
    return text;
  } finally {
    await client.session.delete({ path: { id: own.id }, query }).catch(() => undefined);
  }
}

export function createStrata() {
  return Object.assign((id) => model(id), { languageModel: (id) => model(id) });
}

function model(modelId) {
  return {
    specificationVersion: 'v3',
    provider: 'strata',
    modelId,
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const content = [{ type: 'text', text: await textFor(prompt) }];
      return { content, finishReason, usage, warnings: [] };
    },
    async doStream({ prompt }) {
      const text = await textFor(prompt);
      const parts = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '0' },
        { type: 'text-delta', id: '0', delta: text },
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage },
      ];
      return { stream: new ReadableStream({ start: (stream) => sendAll(stream, parts) }) };
    },
  };
}

const finishReason = { unified: 'stop', raw: 'stop' };
const none = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: none, outputTokens: { total: 0, text: 0, reasoning: 0 } };

function sendAll(stream, parts) {
  for (const part of parts) stream.enqueue(part);
  stream.close();
}

async function textFor(prompt) {
  const said = prompt
    .flatMap(({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text)))
    .join('\n');
  const token = tokenIn(said);
  const answer = token === null ? undefined : waiting.get(token);
  if (answer === undefined) throw new Error('Strata’s model only writes compactions');
  waiting.delete(token);
  return await answer(said.replace(token, '').trim());
}
