import type { Endpoint } from './endpoint';

/** The optional parameters that an endpoint accepts. Servers differ, and only tell when they refuse one. */
export interface Dialect {
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** The other name of the limit was refused. */
  readonly limitIsSettled: boolean;
  /** The lowest reasoning effort of the model; null if the parameter is refused. */
  readonly effort: 'none' | 'minimal' | 'low' | null;
  /** Servers on a person's machine take a switch of the model's chat template, which turns reasoning off. */
  readonly hasTemplateSwitch: boolean;
  readonly reportsUsage: boolean;
  /** Additional tokens for a model that cannot turn reasoning off. */
  readonly reasoningTokens: number;
}

/** OpenAI's newer models only accept the newer name, most other servers only the older one. */
export function firstDialect({ isOpenAi, isLocal }: Pick<Endpoint, 'isOpenAi' | 'isLocal'>): Dialect {
  return {
    limit: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    limitIsSettled: false,
    effort: 'none',
    hasTemplateSwitch: isLocal,
    reportsUsage: true,
    reasoningTokens: 0,
  };
}

/** Whether a server refuses the request to report usage. */
export function isAboutUsage(complaint: string): boolean {
  return /stream_options|include_usage/.test(complaint);
}

const lessReasoning = { none: 'minimal', minimal: 'low', low: null } as const;

/** The dialect for the next attempt after this refusal; null if the message names nothing that could be changed. */
export function adapted(dialect: Dialect, complaint: string): Dialect | null {
  if (isAboutUsage(complaint)) {
    return dialect.reportsUsage ? { ...dialect, reportsUsage: false } : null;
  }
  if (/chat_template_kwargs|enable_thinking/.test(complaint)) {
    return dialect.hasTemplateSwitch ? { ...dialect, hasTemplateSwitch: false } : null;
  }
  if (/reasoning/.test(complaint)) {
    return dialect.effort === null ? null : { ...dialect, effort: lessReasoning[dialect.effort] };
  }
  if (/max_tokens|max_completion_tokens/.test(complaint)) return withOtherLimit(dialect);
  return null;
}

function withOtherLimit(dialect: Dialect): Dialect | null {
  if (dialect.limitIsSettled) return null;
  const limit = dialect.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  return { ...dialect, limit, limitIsSettled: true };
}

/** A dialect with room for reasoning, for a model that spent its whole limit on it; null if it had room already. */
export function withReasoning(dialect: Dialect): Dialect | null {
  return dialect.reasoningTokens > 0 ? null : { ...dialect, reasoningTokens: reasoningRoom };
}

const reasoningRoom = 8_192;
