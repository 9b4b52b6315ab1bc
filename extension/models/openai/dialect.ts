/** Which of the optional parameters an endpoint takes. Servers differ, and say so only when asked. */
export interface Dialect {
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  /** The other name of the limit was refused. */
  readonly limitIsSettled: boolean;
  /** As little reasoning as the model can do; null where the parameter is refused. */
  readonly effort: 'none' | 'minimal' | 'low' | null;
  readonly reportsUsage: boolean;
  /** What a model that reasons all the same is given for it, on top of its answer. */
  readonly reasoningTokens: number;
}

/** OpenAI's own newer models know only the newer name, most other servers only the older. */
export function firstDialect(isOpenAi: boolean): Dialect {
  return {
    limit: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    limitIsSettled: false,
    effort: 'none',
    reportsUsage: true,
    reasoningTokens: 0,
  };
}

/** Whether a server complains of being asked to report usage. */
export function isAboutUsage(complaint: string): boolean {
  return /stream_options|include_usage/.test(complaint);
}

const lessReasoning = { none: 'minimal', minimal: 'low', low: null } as const;

/** How to ask again after a request was refused with these words; null where they name nothing that could be changed. */
export function adapted(dialect: Dialect, complaint: string): Dialect | null {
  if (isAboutUsage(complaint)) {
    return dialect.reportsUsage ? { ...dialect, reportsUsage: false } : null;
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

/** Room for a model that spent its whole allowance on reasoning; null where it had some already. */
export function withReasoning(dialect: Dialect): Dialect | null {
  return dialect.reasoningTokens > 0 ? null : { ...dialect, reasoningTokens: reasoningRoom };
}

const reasoningRoom = 8_192;
