/**
 * Terminal sequences that only move, colour or clear: they carry no words, so they are left out. Sequences that carry a
 * text of their own (titles, links) stay, with their escape character as a mark: nothing that a model reads is hidden.
 */
const terminalCodes = '\\u001b\\[[0-?]{0,32}[ -/]{0,4}[@-~]?|\\u001b[()*+][0-~]';

/** Joins the parts of an emoji; without it, a family falls apart. */
const emojiJoiner =
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})';
/** Arabic, Persian and the scripts of India need them within words; in these three they only hide. */
const wordJoiner =
  '(?<=(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L})';

/** Characters that show as nothing, or change the order in which others show: controls, marks, tags, fillers. */
const unseen =
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e01ef}]';

const suspicious = new RegExp(`\\r|${unseen}`, 'u');
const replaced = new RegExp(`\\r\\n?|(?:${terminalCodes})|(${emojiJoiner}|${wordJoiner})|(${unseen})`, 'gu');

/**
 * A text as it may be painted: half surrogates become U+FFFD, colour codes of terminals go, and what is unseen or turns
 * the reading direction around stands as a mark such as `⟨U+202E⟩`. Copying and pinning a whole row take the text itself.
 */
export function visibleText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!suspicious.test(whole)) return whole;
  return whole.replace(replaced, (found, joiner?: string, hidden?: string) => {
    if (joiner !== undefined) return joiner;
    if (hidden !== undefined) return mark(hidden);
    return found.startsWith('\r') ? '\n' : '';
  });
}

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
