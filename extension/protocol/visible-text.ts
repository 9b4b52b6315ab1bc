/**
 * Terminal sequences that only move the cursor, colour or clear. They contain no text and are left out. Sequences with
 * text of their own (titles, links) stay, with the escape character as a visible mark, because a model reads them too.
 */
const terminalCodes = '\\u001b\\[[0-?]{0,32}[ -/]{0,4}[@-~]?|\\u001b[()*+][0-~]';

/** The zero-width joiner, which joins the parts of an emoji. */
const emojiJoiner =
  '(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})';
/** Joiners are needed within words of Arabic, Persian and Indic scripts; in these three scripts they only hide text. */
const wordJoiner =
  '(?<=(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L})';

/** Invisible characters and characters that change the display order: controls, marks, tags, fillers. */
const unseenCharacters =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e01ef}';
const unseen = `[${unseenCharacters}]`;

const suspicious = new RegExp(`[\\r${unseenCharacters}]`, 'u');
const replaced = new RegExp(`\\r\\n?|(?:${terminalCodes})|(${emojiJoiner}|${wordJoiner})|(${unseen})`, 'gu');

/**
 * A text that is safe to display: lone surrogates become U+FFFD, terminal colour codes are removed, and invisible or
 * direction-changing characters become marks such as `⟨U+202E⟩`. Copying and pinning a row use the original text.
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

const everyUnseen = new RegExp(unseen, 'gu');

/** The same for JSON: each such character is escaped, so the values stay what they were. */
export function visibleJson(json: string): string {
  return json.replace(everyUnseen, (found) =>
    Array.from({ length: found.length }, (_, at) => escaped(found.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
