/**
 * During its import, the toolkit tests one style rule in a style element of its own and reads that element's nonce from
 * the page. This provides the nonce of the panel's script; the page's policy must allow it for styles as well
 * (`style-src … 'nonce-…'`). Without it, buttons would show their focus ring after every click.
 */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
if (nonce) {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.content = nonce;
  document.head.append(meta);
}
