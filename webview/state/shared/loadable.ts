/** Something asked of the host. A value that is read again stays on screen until the new one arrives. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly message: string };

export const loading: Loadable<never> = { kind: 'loading' };

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Never rejects: a failure is a value that the panel shows where the content would have been. */
export async function load<T>(work: Promise<T>): Promise<Loadable<T>> {
  try {
    return { kind: 'ready', value: await work };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}
