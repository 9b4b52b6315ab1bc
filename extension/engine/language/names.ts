import { oncePerText } from '../conversation/once-per';

interface Name {
  readonly kind: 'file' | 'test' | 'identifier';
  readonly text: string;
}

/** In UTF-16 units. Longer words are not names. */
const lengths = { min: 4, maxPath: 160, maxIdentifier: 60 };

/** Matches cannot overlap, so a search takes time linear in the text, however long the words. */
const word = /[\p{L}\p{M}\p{N}_$@~./-]+(?:\(\))?/gu;

/** A quick test that rules out most words. */
const plainWord = /^[\w$]?[a-z0-9-]+[.,/-]*$/;

/** All names in a text, repetitions included. */
export const namesIn = oncePerText((text: string): readonly Name[] => {
  const found: Name[] = [];
  for (const match of text.matchAll(word)) {
    if (match[0].length < lengths.min || match[0].length > lengths.maxPath || plainWord.test(match[0])) continue;
    const raw = afterEscape(match[0], text[match.index - 1]);
    for (const piece of raw.split(scriptChange)) found.push(...namesOf(stripped(piece)));
  }
  return found;
});

/** Chinese and Japanese text touches a name without a space. */
const scriptChange =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])(?=[A-Za-z0-9_$@/~])|(?<=[A-Za-z0-9_$)])(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u;

/** A slash that makes no path separates names or plain words. */
function namesOf(whole: string): Name[] {
  if (whole.length < lengths.min || /^\.\w*$/.test(whole) || knownWords.test(whole)) return [];
  if (isPath(whole) || isFile(whole)) return [{ kind: testName.test(whole) ? 'test' : 'file', text: whole }];
  if (whole.includes('/')) return whole.split('/').flatMap(namesOf);
  return testName.test(whole) ? [{ kind: 'test', text: whole }] : identifiersOf(whole);
}

/** In a nested string literal, a line break is a backslash and a letter that belongs to no word. */
function afterEscape(raw: string, before: string | undefined): string {
  return before === '\\' && /^[nrt]/.test(raw) ? raw.slice(1) : raw;
}

/** Strips the mark of a mentioned file, trailing dots of a sentence and dashes of a list. */
function stripped(raw: string): string {
  const name = raw
    .replace(lineNumber, '')
    .replace(/^(?:-+|\.{3,})/, '')
    .replace(/[./~-]+$/, '');
  return name.startsWith('@') && extension.test(name) ? name.slice(1) : name;
}

/** `grep` joins file, line number and text of a line by dashes where it shows lines around a match. */
const lineNumber = /(?<=\.[A-Za-z]\w{0,7})-\d+(?:-.*)?$/;

const testName = /(?:[._-](?:test|spec)\.\w{1,8}|^test_\w+|^Test\p{Lu}\w+)$/u;
const extension =
  /[\p{L}\p{N}_)\]-]\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|svelte|vue|html?|s?css|json[lc5]?|ya?ml|toml|ini|cfg|conf|md|mdx|txt|csv|sh|bash|ps1|sql|lock|env|xml|proto|gradle|ipynb|lua|dart|exs?|tf|log|png|svg|jpe?g|pdf)$/iu;

/** Words that are spelled like names but are plain language. */
const knownWords =
  /^(?:(?:node|next|vue|nuxt|express|three|react|chart)\.js|(?:import\.meta|process)\.env|console\.log|\/dev\/\w+|type_?script|java_?script|git_?hub|git_?lab|open_?ai|mac_?os|you_?tube|stack_?overflow|vs_?code|in_progress|tool_uses?|duration_ms|subagent_tokens|files_with_matches|linked_?in|post_?gre_?sql)(?:\(\))?$/i;

function isFile(name: string): boolean {
  return !name.includes('/') && extension.test(name) && /\p{L}/u.test(name.slice(0, name.lastIndexOf('.')));
}

const segments = /^(?:~|\.{1,2})?\/?[\p{L}\p{M}\p{N}_$@.~-]+(?:\/[\p{L}\p{M}\p{N}_$@.~-]+)*$/u;
const rooted = /^(?:~|\.{1,2})?\/[^/]+\/|^\.{1,2}\/[^/]|^@[\w.-]+\/[\w.-]+$/;
const usualRoot =
  /^(?:src|lib|libs|test|tests|spec|docs?|packages?|apps?|bin|cmd|internal|pkg|dist|build|scripts|tools|public|assets|config|node_modules|extension|server|client|components|etc|usr|home|tmp|var)\//;

/** A slash alone makes no path: people write and/or, read/write and 2026/01/02. */
function isPath(name: string): boolean {
  if (!name.includes('/') || !segments.test(name) || !/\p{L}{2}/u.test(name)) return false;
  return extension.test(name) || rooted.test(name) || (usualRoot.test(name) && !name.endsWith('()'));
}

const identifier = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*(?:\(\))?$/u;
const builtAsName = /\p{Ll}\p{Lu}|\p{L}_\p{L}|^\p{Lu}\p{Ll}+\p{Lu}/u;

/** The members of a chain that are built like names. The object that they belong to varies from place to place. */
function identifiersOf(name: string): Name[] {
  if (!identifier.test(name)) return [];
  const members = name.replace(/\(\)$/, '').split('.');
  const built = members.filter(
    (member) => builtAsName.test(member) && isReasonable(member) && !knownWords.test(member),
  );
  if (built.length > 0) return built.map((text) => ({ kind: 'identifier', text }));
  return name.endsWith('()') && isReasonable(name) ? [{ kind: 'identifier', text: name }] : [];
}

function isReasonable(name: string): boolean {
  return name.length >= lengths.min && name.length <= lengths.maxIdentifier && !isBlob(name);
}

/** Ids and encoded bytes mix digits and letters as words do not. */
function isBlob(name: string): boolean {
  return name.length > 20 && name.replace(/\D/g, '').length >= 4;
}
