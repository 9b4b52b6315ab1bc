import * as l10n from '@vscode/l10n';
import type { LocalizableText } from '../extension/engine/wording/localizable-text';

/** Translations for an editor in another language than English; the host embeds them in the page. */
const words = globalThis.document?.getElementById('strata-words')?.textContent;
if (words) l10n.config({ contents: words });

/** Returns a sentence in the editor's language. `{0}`, `{1}` … are replaced by the further arguments. */
export const t: typeof l10n.t = l10n.t;

/** A text without values, in the editor's language. */
export function translated({ text }: LocalizableText): string {
  return t(text);
}
