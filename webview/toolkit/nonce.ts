/**
 * While it is imported, the toolkit tries out one style rule in an element of its own, and asks the page for the nonce
 * to put on it. This hands it the nonce of the panel's script; the page's policy must allow it for styles as well
 * (`style-src … 'nonce-…'`). Without it, buttons would show their focus ring after every click.
 */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
if (nonce) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = nonce;
  document.head.append(meta);
}
