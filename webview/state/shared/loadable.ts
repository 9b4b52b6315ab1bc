/** A value requested from the host. While it is read again, the old value stays on screen. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

export const loading: Loadable<never> = { kind: 'loading' };

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Never rejects: a failure is a value that the panel shows in place of the content. */
export async function load<T>(work: Promise<T>): Promise<Exclude<Loadable<T>, { readonly kind: 'loading' }>> {
  try {
    return { kind: 'ready', value: await work };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
