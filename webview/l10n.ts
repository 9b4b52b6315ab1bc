import * as l10n from '@vscode/l10n';

/** The editor's words for the panel, where it speaks another language than English: the host puts them into the page. */
const words = globalThis.document?.getElementById('strata-words')?.textContent;
if (words) l10n.config({ contents: words });

/** A sentence in the editor's language. `{0}` and the like stand for the values after it. */
export const t: typeof l10n.t = l10n.t;
