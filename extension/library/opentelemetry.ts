/**
 * OpenTelemetry spans and metrics for requests and for events of their contexts, by the conventions for generative AI.
 * Needs the package `@opentelemetry/api`. Nothing is sent anywhere unless the application has registered an SDK with an
 * exporter.
 *
 * @module strata-context/opentelemetry
 */
import { type Attributes, metrics, SpanKind, SpanStatusCode, trace, type UpDownCounter } from '@opentelemetry/api';
import type { ContextEvent, EventConversation } from '../conversations/events';
import type { SentAnswer, SentRequest, Telemetry } from '../conversations/telemetry';
import type { Usage } from '../engine/conversation/entry';

export type { ContextEvent, EventConversation, SentAnswer, SentRequest, Telemetry };

const scope = 'strata-context';

/** Boundaries that the conventions name. Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/ */
const secondsBoundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokensBoundaries = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

/**
 * For the option `telemetry` of `createConversations`, and of the adapters that take its options.
 *
 * @example
 * const conversations = await createConversations({ window: 200_000, telemetry: openTelemetry() });
 */
export function openTelemetry(): Telemetry {
  const tracer = trace.getTracer(scope);
  const instruments = createInstruments();
  const countInMemory = inMemoryCounter(instruments.inMemory);
  // A counter that starts with its first event would show no increase for it.
  for (const kind of eventKinds) instruments.events.add(0, { 'strata.event': kind });
  return {
    request(sent) {
      const attributes = requestAttributes(sent);
      const began = performance.now();
      const span = tracer.startSpan(`chat ${sent.model}`, {
        kind: SpanKind.CLIENT,
        attributes: {
          ...attributes,
          ...conversationAttributes(sent.conversation),
          'strata.context.tokens': sent.contextTokens,
          'strata.context.blocks': sent.blocks,
        },
      });
      instruments.contextTokens.record(sent.contextTokens, attributes);
      return ({ outcome, usage }) => {
        const failed: Attributes = outcome === 'answered' ? {} : { 'error.type': outcome };
        if (usage !== null) span.setAttributes(usageAttributes(usage));
        if (outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttributes(failed).end();
        instruments.duration.record((performance.now() - began) / 1000, { ...attributes, ...failed });
        for (const [type, tokens] of Object.entries(usage === null ? {} : tokensByType(usage)))
          instruments.usage.record(tokens, { ...attributes, 'gen_ai.token.type': type });
      };
    },
    event(event) {
      instruments.events.add(1, { 'strata.event': event.kind });
      countInMemory(event);
      if (event.kind === 'compacted' || event.kind === 'cleared') {
        const attributes = { 'strata.event': event.kind, 'strata.strategy': event.strategy };
        instruments.saved.add(Math.max(0, event.tokensBefore - event.tokensAfter), attributes);
        instruments.cacheLost.add(event.cacheLost, attributes);
      }
      tracer.startSpan(`strata ${event.kind}`, { attributes: eventAttributes(event) }).end();
    },
  };
}

const eventKinds: readonly ContextEvent['kind'][] = [
  ...(['compacted', 'cleared', 'overflow', 'evicted', 'moved-to-memory', 'returned', 'not-kept'] as const),
];

/** Counts, by their events, the conversations whose newest state is only in memory. */
function inMemoryCounter(counter: UpDownCounter): (event: ContextEvent) => void {
  const inMemory = new Set<string>();
  return ({ kind, conversation }) => {
    if (conversation === null || !['moved-to-memory', 'returned', 'evicted'].includes(kind)) return;
    const before = inMemory.size;
    const id = JSON.stringify([conversation.scope, conversation.id]);
    if (kind === 'moved-to-memory') inMemory.add(id);
    else inMemory.delete(id);
    counter.add(inMemory.size - before);
  };
}

function createInstruments() {
  const meter = metrics.getMeter(scope);
  const inTokens = { unit: '{token}' };
  return {
    duration: meter.createHistogram('gen_ai.client.operation.duration', {
      description: 'Time from the request until the end of its answer',
      unit: 's',
      advice: { explicitBucketBoundaries: secondsBoundaries },
    }),
    usage: meter.createHistogram('gen_ai.client.token.usage', {
      ...inTokens,
      description: 'Tokens that the provider reported',
      advice: { explicitBucketBoundaries: tokensBoundaries },
    }),
    contextTokens: meter.createHistogram('strata.context.size', {
      ...inTokens,
      description: 'Tokens of the context that was sent',
      advice: { explicitBucketBoundaries: tokensBoundaries },
    }),
    events: meter.createCounter('strata.events', {
      description: 'Compactions, clearings, overflows, evictions, outages of the store, and what was not kept',
      unit: '{event}',
    }),
    inMemory: meter.createUpDownCounter('strata.conversations.in_memory', {
      description: 'Conversations that continue in memory until their store answers',
      unit: '{conversation}',
    }),
    saved: meter.createCounter('strata.tokens.removed', { ...inTokens, description: 'Tokens taken out of contexts' }),
    cacheLost: meter.createCounter('strata.tokens.cache_lost', {
      ...inTokens,
      description: 'Tokens after the first change of a context, which the provider’s cache no longer covers',
    }),
  };
}

function requestAttributes({ model }: SentRequest): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(model),
    'gen_ai.request.model': model,
  };
}

/** Requests do not name their provider, so the model's name decides. */
function providerOf(model: string): string {
  if (/(?:^|[/.])claude/i.test(model)) return 'anthropic';
  if (/(?:^|\/)(?:gpt|chatgpt|codex|o\d)/i.test(model)) return 'openai';
  return /(?:^|\/)gemini/i.test(model) ? 'gcp.gemini' : '_OTHER';
}

function conversationAttributes(conversation: EventConversation | null): Attributes {
  if (conversation === null) return {};
  const { id, key, scope: tenant } = conversation;
  return { 'gen_ai.conversation.id': key ?? id, ...(tenant === undefined ? {} : { 'strata.scope': tenant }) };
}

/** The conventions count tokens from the cache as input tokens. */
function tokensByType({ input, output, cacheRead, cacheWrite }: Usage) {
  return { input: input + cacheRead + cacheWrite, output };
}

function usageAttributes(usage: Usage): Attributes {
  const { input, output } = tokensByType(usage);
  return {
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite,
  };
}

function eventAttributes(event: ContextEvent): Attributes {
  const common = { 'strata.event': event.kind, ...conversationAttributes(event.conversation) };
  switch (event.kind) {
    case 'compacted':
    case 'cleared':
      return {
        ...common,
        'strata.strategy': event.strategy,
        'strata.moment': event.moment,
        'strata.tokens.before': event.tokensBefore,
        'strata.tokens.after': event.tokensAfter,
        'strata.tokens.cache_lost': event.cacheLost,
      };
    case 'overflow':
      return {
        ...common,
        'gen_ai.request.model': event.model,
        'strata.context.tokens': event.tokens,
        'strata.context.window': event.contextWindow,
      };
    case 'not-kept':
      return { ...common, 'strata.not_kept': event.what, 'error.message': event.reason };
    case 'moved-to-memory':
      return { ...common, 'error.message': event.reason };
    case 'evicted':
    case 'returned':
      return common;
  }
}
