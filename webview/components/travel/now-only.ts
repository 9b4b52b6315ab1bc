import { getContext, setContext } from 'svelte';

const key = Symbol('now-only');

type Reason = () => string | null;

/** For everything below this component: why nothing can be changed while the panel shows the past; null if it shows the present. */
export function setNowOnly(reason: Reason): void {
  setContext(key, reason);
}

/** Controls that change the session, or prepare a change, are disabled for this reason and show it. */
export function nowOnly(): Reason {
  return getContext<Reason | undefined>(key) ?? (() => null);
}
