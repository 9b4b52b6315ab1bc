import * as v from 'valibot';
import { type Method, type Notifications, type Requests, requests, rowActions, type Topic } from './messages.ts';

/**
 * Schemas of the outer shape of each notification. The host is trusted, but a webview that stayed open during an update
 * can receive another shape and must not paint it. Rows are not checked one by one.
 */
export const notificationBodies: Readonly<Record<Topic, v.GenericSchema>> = {
  'session-opened': v.looseObject({ view: v.looseObject({ revision: v.number(), rows: v.array(v.unknown()) }) }),
  'session-changed': v.looseObject({ change: v.looseObject({ revision: v.number() }) }),
  'session-closed': v.looseObject({}),
  'sessions-changed': v.looseObject({ sessions: v.array(v.looseObject({ file: v.string() })) }),
  'busy-changed': v.looseObject({ busy: v.nullable(v.looseObject({ label: v.string() })) }),
  'summarizer-changed': v.looseObject({ summarizer: v.looseObject({ label: v.string() }) }),
  'opening-changed': v.looseObject({ opening: v.nullable(v.looseObject({ file: v.string() })) }),
  'row-action': v.strictObject({ action: v.picklist(rowActions), key: v.string() }),
  show: v.looseObject({ what: v.string() }),
  'evaluation-changed': v.looseObject({ state: v.looseObject({ revision: v.number() }) }),
};

type Checked<T> =
  | { readonly kind: 'sound'; readonly value: T }
  /** Position and problem in one line. */
  | { readonly kind: 'unsound'; readonly problem: string };

export function checkParams<M extends Method>(method: M, params: unknown): Checked<Requests[M]['params']> {
  const result = v.safeParse(requests[method].params, params);
  return result.success
    ? { kind: 'sound', value: result.output as Requests[M]['params'] }
    : { kind: 'unsound', problem: problemOf(result.issues) };
}

export function checkBody<T extends Topic>(topic: T, body: unknown): Checked<Notifications[T]> {
  const result = v.safeParse(notificationBodies[topic], body);
  return result.success
    ? { kind: 'sound', value: body as Notifications[T] }
    : { kind: 'unsound', problem: problemOf(result.issues) };
}

function problemOf([issue]: readonly v.BaseIssue<unknown>[]): string {
  if (!issue) return 'it has another shape';
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
