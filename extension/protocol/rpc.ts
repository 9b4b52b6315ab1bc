import type { Method, Notifications, Requests, Topic } from './messages';
import { problemOfBody, soundParams } from './schemas.ts';

type RequestMessage = {
  [M in Method]: {
    readonly kind: 'request';
    readonly id: number;
    readonly method: M;
    readonly params: Requests[M]['params'];
  };
}[Method];

type ReplyMessage = { readonly kind: 'reply'; readonly id: number } & (
  | { readonly ok: unknown }
  | { readonly err: string }
);

type NotificationMessage = {
  [T in Topic]: { readonly kind: 'notification'; readonly topic: T; readonly body: Notifications[T] };
}[Topic];

type ToHost = RequestMessage;
export type ToWebview = ReplyMessage | NotificationMessage;

/** One handler per method. A missing handler or wrong parameters do not compile. */
export type RequestHandlers = {
  readonly [M in Method]: (params: Requests[M]['params']) => Handled<Requests[M]['result']>;
};

/** A handler of a request without a result need not return null. */
type Handled<Result> = [Result] extends [null] ? Promise<null> | Promise<void> : Promise<Result>;

export type NotificationHandlers = { readonly [T in Topic]: (body: Notifications[T]) => void };

/** Answers one message of the webview. Every request settles: an error of a handler becomes the reply, worded by `textOf`. */
export async function answer(
  message: unknown,
  handlers: RequestHandlers,
  onFailure: (method: Method, error: unknown) => void,
  textOf: (error: unknown) => string = messageOf,
): Promise<ReplyMessage | null> {
  const request = asRequest(message, handlers);
  if (!request) return null;
  const { id, method } = request;
  try {
    const handler = handlers[method] as (params: unknown) => Promise<unknown>;
    return { kind: 'reply', id, ok: (await handler(soundParams(method, request.params))) ?? null };
  } catch (error) {
    onFailure(method, error);
    return { kind: 'reply', id, err: textOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function asRequest(message: unknown, handlers: RequestHandlers): RequestMessage | null {
  if (typeof message !== 'object' || message === null) return null;
  const { kind, id, method, params } = message as Record<string, unknown>;
  if (kind !== 'request' || typeof id !== 'number' || typeof method !== 'string') return null;
  if (!Object.hasOwn(handlers, method)) return null;
  return { kind, id, method, params } as RequestMessage;
}

class RequestFailed extends Error {
  override name = 'RequestFailed';
}

export interface Caller {
  request<M extends Method>(method: M, params: Requests[M]['params']): Promise<Requests[M]['result']>;
  /** Call this with every message of the host. */
  receive(message: unknown): void;
}

/** The webview's side of the protocol. */
export function createCaller(post: (message: ToHost) => void, handlers: NotificationHandlers): Caller {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let lastId = 0;

  return {
    request(method, params) {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        post({ kind: 'request', id, method, params } as RequestMessage);
      });
    },
    receive(message) {
      const received = message as ToWebview;
      if (received?.kind === 'notification') {
        notify(handlers, received);
      } else if (received?.kind === 'reply') {
        settle(waiting, received);
      }
    },
  };
}

/** Ignores unknown topics: a webview that stayed open during an update of the extension may receive newer ones. */
function notify(handlers: NotificationHandlers, { topic, body }: NotificationMessage): void {
  if (!Object.hasOwn(handlers, topic)) return;
  const problem = problemOfBody(topic, body);
  if (problem !== null) {
    console.warn(`Strata: the notification "${topic}" was left out: ${problem}`);
    return;
  }
  const handler = handlers[topic] as (body: unknown) => void;
  handler(body);
}

function settle(
  waiting: Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>,
  reply: ReplyMessage,
): void {
  const request = waiting.get(reply.id);
  if (!request) return;
  waiting.delete(reply.id);
  if ('err' in reply) request.reject(new RequestFailed(reply.err));
  else request.resolve(reply.ok as never);
}
