/**
 * A weak reference, if the platform has them. Cloudflare Workers have them from the compatibility date 2025-05-05; with an older date, the
 * target lives as long as the reference.
 */
export function weakly<T extends object>(target: T): Pick<WeakRef<T>, 'deref'> {
  return typeof WeakRef === 'undefined' ? { deref: () => target } : new WeakRef(target);
}
