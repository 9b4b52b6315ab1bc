import { type Entry, textOf } from '../conversation/entry';
import { type CoreState, coreText } from '../core/core';
import { isForeignTo, isInOtherScript, scriptsOf } from '../language/foreign';
import { namesIn } from '../language/names';
import { lastPart } from '../ledger/files';
import { readingsOf } from '../ledger/readings';
import { toolStepsOf } from '../ledger/steps';

const sectionsOfRules = /^## (?:Lasting Constraints|Constraints|Human Direction)[ \t]*$/;

/** How a summary marks what is decided. */
const decision = /^\**Settled:/;

/** A claim shares at least this many of its words with what the user said. A paraphrase shares most of its words. */
const minShare = 0.5;

/**
 * Rules that a summary attributes to the user although nothing they said supports them: a model may have made them up,
 * or taken them from hostile tool output. An agent's own summary also counts as support, and so do lines of its rules
 * files and of what it added to the conversation. Decisions are the agent's own and are not checked.
 *
 * Judged by shared words, so a result is a doubt, not a proof. A translated rule shares no words and is judged by its
 * names, paths and numbers alone.
 */
export function unsupportedClaims(body: string, replaced: readonly Entry[], core: CoreState | null): string[] {
  const claims = itemsOfRules(body);
  if (claims.length === 0) return [];
  const supporting = replaced
    .filter(({ role, injected, summary }) => summary ?? (role === 'user' && !injected))
    .map(({ parts }) => textOf(parts));
  const texts = [...supporting, core ? coreText(core) : ''];
  const lower = texts.join('\n').toLowerCase();
  const known = wordsOf(lower);
  const ruleLines = ruleLinesIn(replaced);
  const ruleWords = ruleLines.map(wordsOf);
  const isTranslation = isForeignTo(claims.join('\n'), texts);
  const scripts = scriptsOf(texts);
  return claims.filter((claim) => {
    if (isTranslation || isInOtherScript(claim, scripts)) {
      const names = signsIn(claim);
      return names.length > 0 && !names.some((name) => [lower, ...ruleLines].some((text) => text.includes(name)));
    }
    const words = [...wordsOf(claim)];
    const isSharedWith = (others: ReadonlySet<string>) =>
      words.filter((word) => others.has(word)).length / words.length >= minShare;
    return words.length > 0 && !isSharedWith(known) && !ruleWords.some(isSharedWith);
  });
}

/** The names of the files from which agents take rules. */
const rulesFile = /^(?:agents(?:\.override)?|claude(?:\.local)?|copilot-instructions|gemini|qwen)\.md$|^\.clinerules$/i;

/**
 * Each line, with the next one, of the rules files that a tool read and of what the agent added to the conversation, in
 * lower case. A rule must be in one place there: the words of a whole file would support any rule.
 */
function ruleLinesIn(replaced: readonly Entry[]): string[] {
  const read = toolStepsOf(replaced).flatMap((step) =>
    step.result !== null && readingsOf(step).some(({ path }) => rulesFile.test(lastPart(path)))
      ? [step.result.text]
      : [],
  );
  const added = replaced.filter(({ role, injected }) => role === 'user' && injected).map(({ parts }) => textOf(parts));
  return [...read, ...added].flatMap((text) => {
    const lines = text.toLowerCase().split('\n');
    return lines.map((line, index) => `${line}\n${lines[index + 1] ?? ''}`);
  });
}

/** Names in lower case, and numbers: a translation does not change them. */
function signsIn(claim: string): string[] {
  const numbers = claim.match(/\d+/g) ?? [];
  return [...namesIn(claim).map(({ text }) => text.toLowerCase()), ...numbers];
}

function itemsOfRules(body: string): string[] {
  let isInside = false;
  return body.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) isInside = sectionsOfRules.test(line);
    const [, item] = /^\s*(?:[-*]|\d+\.)\s+(.+)$/.exec(line) ?? [];
    return isInside && item && !decision.test(item) ? [item] : [];
  });
}

/** Words and parts of names of at least four letters, in lower case. */
function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}
