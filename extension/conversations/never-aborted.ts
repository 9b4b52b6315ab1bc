/** Made where it is used: Cloudflare Workers refuse an `AbortController` at module scope. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
