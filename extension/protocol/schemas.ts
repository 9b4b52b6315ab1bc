import * as v from 'valibot';
import { type Method, requests, rowActions, type Topic } from './messages.ts';

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

/** The parameters of a request as its schema reads them. Throws `UnsoundRequest`. */
export function soundParams(method: Method, params: unknown): unknown {
  const checked = v.safeParse(requests[method].params, params);
  if (checked.success) return checked.output;
  const problem = problemOf(checked.issues);
  throw new UnsoundRequest(`The panel’s request "${method}" cannot be carried out: ${problem}.`);
}

/** The parameters of a request do not match its method. The handler was not called. */
class UnsoundRequest extends Error {
  override name = 'UnsoundRequest';
}

/** Describes the fault of a notification's body in one line; null if it is valid. */
export function problemOfBody(topic: Topic, body: unknown): string | null {
  const { issues } = v.safeParse(notificationBodies[topic], body);
  return issues ? problemOf(issues) : null;
}

function problemOf([issue]: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  const path = v.getDotPath(issue);
  return path === null ? issue.message : `${path}: ${issue.message}`;
}
