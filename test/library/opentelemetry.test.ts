import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { metrics, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { usualShelf } from '../../extension/conversations/shelves/shelf';
import {
  type ContextEvent,
  type ConversationShelf,
  type ConversationsOptions,
  createConversations,
  memoryShelf,
} from '../../extension/library';
import { compactingFetch } from '../../extension/library/fetch';
import { openTelemetry } from '../../extension/library/opentelemetry';
import { long } from '../builders/conversation';
import { listening, startUpstream } from '../gateway/upstream';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
}

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number; readonly sum: number }[] };
  readonly sum?: {
    readonly dataPoints: readonly {
      readonly asDouble?: number;
      readonly asInt?: number;
      readonly attributes: readonly Attribute[];
    }[];
  };
}

/** A server in place of an OpenTelemetry collector. */
async function startCollector() {
  const spans: Span[] = [];
  const received: Metric[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await whole(request));
    for (const { scopeSpans } of body.resourceSpans ?? [])
      for (const { spans: some } of scopeSpans) spans.push(...some);
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const { metrics: some } of scopeMetrics) received.push(...some);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: await listening(server), spans, metrics: received };
}

async function whole(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Registers the SDK as an application does. */
function registerSdk(url: string) {
  const traces = new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  });
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }) });
  const meters = new MeterProvider({ readers: [reader] });
  traces.register();
  metrics.setGlobalMeterProvider(meters);
  onTestFinished(async () => {
    await traces.shutdown();
    await meters.shutdown();
  });
  return async () => {
    await traces.forceFlush();
    await meters.forceFlush();
  };
}

afterEach(() => {
  trace.disable();
  metrics.disable();
});

const usage = { prompt_tokens: 900, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 100 } };

async function agent(options: Partial<ConversationsOptions>) {
  const answer = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }],
    usage,
  };
  const upstream = await startUpstream((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  );
  const conversations = await createConversations({
    window: 2_000,
    countTokens: (text) => Math.ceil(text.length / 4),
    automation: { floorTokens: 0, pauseTokens: 0 },
    onNotice: () => undefined,
    ...options,
  });
  const send = compactingFetch(conversations);
  const said: { readonly role: string; readonly content: string }[] = [];
  return {
    async asks(content: string) {
      said.push({ role: 'user', content });
      const body = JSON.stringify({ model: 'gpt-5', messages: said });
      const headers = { 'content-type': 'application/json', 'x-strata-conversation': 'thread-1' };
      const response = await send(`${upstream.url}/v1/chat/completions`, { method: 'POST', headers, body });
      await response.text();
      said.push({ role: 'assistant', content: 'Done.' });
    },
  };
}

/** A shelf that opens conversations but cannot write to them. */
function failingShelf(): ConversationShelf {
  const shelf = memoryShelf();
  const write = () => Promise.reject(new Error('The disk is full.'));
  return {
    ...shelf,
    async openOrCreate(beginning) {
      const { conversation, journal } = await shelf.openOrCreate(beginning);
      return { journal, conversation: Object.create(conversation, { write: { value: write } }) };
    },
  };
}

function valuesOf(attributes: readonly Attribute[]) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

describe('telemetry', () => {
  it('arrives at a collector as spans and metrics by the conventions', async () => {
    const collector = await startCollector();
    const flush = registerSdk(collector.url);
    const { asks } = await agent({ telemetry: openTelemetry() });
    for (let turn = 0; turn < 8; turn += 1) await asks(long(`turn ${turn}`));
    await vi.waitFor(async () => {
      await flush();
      expect(collector.spans.filter(({ name }) => name === 'chat gpt-5')).toHaveLength(8);
    });
    const chat = collector.spans.find(({ name }) => name === 'chat gpt-5');
    expect(chat?.kind).toBe(3);
    expect(valuesOf(chat?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.conversation.id': 'thread-1',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 100,
    });
    const compacted = collector.spans.find(({ name }) => name === 'strata compacted');
    const sizes = valuesOf(compacted?.attributes ?? []);
    expect(Number(sizes['strata.tokens.after'])).toBeLessThan(Number(sizes['strata.tokens.before']));
    expect(sizes['gen_ai.conversation.id']).toBe('thread-1');
    const newest = (name: string) => collector.metrics.findLast((metric) => metric.name === name);
    expect(newest('gen_ai.client.operation.duration')).toMatchObject({ unit: 's' });
    expect(newest('gen_ai.client.operation.duration')?.histogram?.dataPoints[0]?.count).toBe(8);
    const tokens = newest('gen_ai.client.token.usage')?.histogram?.dataPoints.map(({ sum }) => sum);
    expect(tokens?.sort()).toEqual([7 * 8, 900 * 8]);
    const points = newest('strata.events')?.sum?.dataPoints ?? [];
    expect(points.map(({ attributes }) => valuesOf(attributes)['strata.event'])).toContain('compacted');
    expect(newest('strata.tokens.removed')?.sum?.dataPoints.length).toBeGreaterThan(0);
  });

  it('goes nowhere if the application has registered no SDK', async () => {
    const collector = await startCollector();
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    const { asks } = await agent({ telemetry: openTelemetry() });
    await asks('Go.');
    await new Promise((resolve) => setTimeout(resolve, 50));
    vi.unstubAllEnvs();
    expect([...collector.spans, ...collector.metrics]).toEqual([]);
  });
});

it('has a board that asks only for metrics that there are', async () => {
  const collector = await startCollector();
  const flush = registerSdk(collector.url);
  const telemetry = openTelemetry();
  const { asks } = await agent({ telemetry });
  for (let turn = 0; turn < 8; turn += 1) await asks(long(`turn ${turn}`));
  await flush();
  const there = new Set(collector.metrics.map(({ name }) => name.replaceAll('.', '_')));
  const board = JSON.parse(await readFile('docs/telemetry/grafana.json', 'utf8')) as Board;
  const asked = board.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));
  expect(asked.length).toBeGreaterThan(8);
  for (const name of asked) expect(there).toContain(name);
});

interface Board {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/**
 * The metrics in a query, without the suffixes that collectors add for unit and kind, because not all of them add the
 * unit.
 */
function namesIn(query: string): string[] {
  const names = /\b((?:gen_ai|strata)(?:_[a-z]+)+)(?:\(_seconds\)\?)?_(?:bucket|total|sum|count)(?=["{])/g;
  return [...query.matchAll(names)].map(([, name = '']) => name);
}

it('counts an event that happens once as one more than none', async () => {
  const collector = await startCollector();
  const flush = registerSdk(collector.url);
  const { asks } = await agent({ telemetry: openTelemetry() });
  const counts = () => {
    const points = collector.metrics.findLast(({ name }) => name === 'strata.events')?.sum?.dataPoints ?? [];
    return Object.fromEntries(
      points.map(({ asDouble, asInt, attributes }) => [valuesOf(attributes)['strata.event'], asDouble ?? asInt]),
    );
  };
  await flush();
  const none = { compacted: 0, cleared: 0, overflow: 0, evicted: 0, 'moved-to-memory': 0, returned: 0, 'not-kept': 0 };
  expect(counts()).toEqual(none);
  await asks(long('a whole file', 2_000));
  await flush();
  expect(counts()).toEqual({ ...none, overflow: 1 });
});

describe('the events of a conversation', () => {
  it('say by how much it was compacted, and what the cache lost', async () => {
    const events: ContextEvent[] = [];
    const { asks } = await agent({ onEvent: (event) => events.push(event) });
    for (let turn = 0; turn < 8; turn += 1) await asks(long(`turn ${turn}`));
    const first = events.find((event) => event.kind === 'compacted');
    if (first === undefined) throw new Error('Nothing was compacted.');
    expect(first.conversation).toMatchObject({ key: 'thread-1' });
    expect(first.tokensAfter).toBeLessThan(first.tokensBefore);
    expect(first.cacheLost).toBeGreaterThan(first.tokensBefore - first.tokensAfter);
    expect(first.cacheLost).toBeLessThanOrEqual(first.tokensBefore);
  });

  it('say when a request is larger than its window', async () => {
    const events: ContextEvent[] = [];
    const { asks } = await agent({ onEvent: (event) => events.push(event) });
    await asks(long('a whole file', 2_000));
    expect(events).toEqual([expect.objectContaining({ kind: 'overflow', contextWindow: 2_000, model: 'gpt-5' })]);
  });

  it('events say which conversations continue in memory and why, and a metric counts them', async () => {
    const collector = await startCollector();
    const flush = registerSdk(collector.url);
    const events: ContextEvent[] = [];
    const onEvent = (event: ContextEvent) => events.push(event);
    const { asks } = await agent({ shelf: failingShelf(), onEvent, telemetry: openTelemetry() });
    await asks('Go.');
    await flush();
    const reason = expect.stringContaining('The disk is full');
    expect(events).toEqual([expect.objectContaining({ kind: 'moved-to-memory', reason })]);
    const metric = collector.metrics.findLast(({ name }) => name === 'strata.conversations.in_memory');
    expect(metric?.sum?.dataPoints.map(({ asDouble, asInt }) => asDouble ?? asInt)).toEqual([1]);
  });

  it('name the conversation that is no longer in memory', async () => {
    const events: ContextEvent[] = [];
    const onEvent = (event: ContextEvent) => events.push(event);
    const conversations = await createConversations({ window: 2_000, onNotice: () => undefined, onEvent });
    for (let thread = 0; thread <= usualShelf; thread += 1)
      await conversations.conversation({ conversation: `thread-${thread}`, scope: 'tenant' });
    const conversation = expect.objectContaining({ key: 'thread-0', scope: 'tenant' });
    expect(events).toEqual([expect.objectContaining({ kind: 'evicted', conversation })]);
  });

  it('an exception of a listener does not end a request', async () => {
    const onEvent = () => {
      throw new Error('No.');
    };
    const { asks } = await agent({ onEvent });
    await expect(asks(long('a whole file', 2_000))).resolves.toBeUndefined();
  });
});
