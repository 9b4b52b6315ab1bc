import type { ContextEvent } from '../conversations/events';
import type { ServedRequest } from '../gateway/app';
import { visibleJson, visibleText } from '../protocol/visible-text';

/** The log of `strata serve`: requests, events and messages, each as a line with its time. */
export interface ServeLog {
  request(served: ServedRequest): void;
  event(event: ContextEvent): void;
  /** Describes a failure or a change. */
  message(text: string): void;
}

interface ServeLogOptions {
  /** One JSON object a line. Otherwise text. */
  readonly asJson: boolean;
  readonly write: (line: string) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** Contains keys and ids of conversations, but none of their text and no token. */
export function serveLog({ asJson, write, now }: ServeLogOptions): ServeLog {
  const line = (record: object, text: () => string) =>
    write(asJson ? visibleJson(JSON.stringify({ time: now(), ...record })) : oneLine(`${now()} ${text()}`));
  const logs: ServeLog = {
    request: (served) => line({ kind: 'request', ...flat(served) }, () => requestText(served)),
    event: (event) => line(eventRecord(event), () => eventText(event)),
    message: (text) => line({ kind: 'message', message: text }, () => text),
  };
  return {
    request: (served) => logs.request(shortened(served)),
    event: (event) => logs.event(shortened(event)),
    message: (text) => logs.message(shortened(text)),
  };
}

/** Maximum length of a text in the log, in characters. Clients choose the names of models, so they may be of any length. */
const longestText = 1_000;

/** The same value, with its long texts cut. */
export function shortened<T>(value: T): T {
  if (typeof value === 'string')
    return (value.length > longestText ? `${value.slice(0, longestText)}… (${value.length} characters)` : value) as T;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)])) as T;
}

function flat({ sent, ...served }: ServedRequest): object {
  if (sent === null) return served;
  const { model, tokens, blocks } = sent;
  return { ...served, model, tokens, blocks };
}

function requestText({ tenant, conversation, method, path, status, sent, ms, isWhole }: ServedRequest): string {
  const context = sent === null ? '' : ` ${sent.model}, ${sent.tokens} tokens, ${sent.blocks} blocks`;
  const end = isWhole ? '' : ', incomplete';
  return `${tenant ?? '-'} ${conversation ?? '-'} ${method} ${path} ${status} ${ms} ms${end}${context}`;
}

function eventRecord({ conversation, ...event }: ContextEvent): object {
  return { ...event, tenant: conversation?.scope ?? null, conversation: nameOf({ conversation }) };
}

function eventText(event: ContextEvent): string {
  return `${event.conversation?.scope ?? '-'} ${nameOf(event) ?? '-'} ${event.kind}${detailsOf(event)}`;
}

function nameOf({ conversation }: Pick<ContextEvent, 'conversation'>): string | null {
  return conversation?.key ?? conversation?.id ?? null;
}

function detailsOf(event: ContextEvent): string {
  switch (event.kind) {
    case 'compacted':
    case 'cleared':
      return ` ${event.strategy}, ${event.tokensBefore} → ${event.tokensAfter} tokens, ${event.cacheLost} of the cache lost`;
    case 'overflow':
      return ` ${event.model}, ${event.tokens} tokens in a window of ${event.contextWindow}`;
    case 'not-kept':
      return ` ${event.what}: ${event.reason}`;
    case 'moved-to-memory':
      return ` ${event.reason}`;
    case 'evicted':
    case 'returned':
      return '';
  }
}

/** Names of models and conversations come from clients. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, ' '));
}
